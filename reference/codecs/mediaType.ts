import { type Dialect, protobufMediaType } from '../../fixtures/dialects/dialect.ts';

export const JSON_TYPE = 'application/json';
export const YAML_TYPE = 'application/yaml';
export const CBOR_TYPE = 'application/cbor';
/** Content type of a watch in CBOR: one item an event (1/media-types-and-negotiation/4). */
export const CBOR_SEQUENCE_TYPE = 'application/cbor-seq';

/** A media type with its parameters, as it stands in a header. */
export interface MediaType {
  /** `application/json`. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The media types of bodies and answers, in the order in which messages list them. */
export function mediaTypesOf(dialect: Dialect, cbor: boolean): readonly string[] {
  const types = [JSON_TYPE, YAML_TYPE, protobufMediaType(dialect)];
  return cbor ? [...types, CBOR_TYPE] : types;
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PARAMETER = /;\s*(?:([^\s;=]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;"]*)\s*|$)/gy;

/** Reads a Content-Type; undefined when it is malformed. The type comes in lower case. */
export function parseContentType(header: string): MediaType | undefined {
  const end = header.indexOf(';');
  const type = (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
  const parts = type.split('/');
  if (parts.length > 2 || !parts.every((part) => TOKEN.test(part))) return undefined;
  const parameters = new Map<string, string>();
  if (end >= 0) {
    PARAMETER.lastIndex = end;
    for (let at = end; at < header.length; at = PARAMETER.lastIndex) {
      const found = PARAMETER.exec(header);
      if (!found) return undefined;
      const [, name, value] = found;
      if (name !== undefined) parameters.set(name.toLowerCase(), unquote(value as string));
      if (PARAMETER.lastIndex === at) return undefined;
    }
  }
  return { type, parameters };
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}
