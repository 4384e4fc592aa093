import { type Dialect, protobufMediaType } from '../../fixtures/dialects/dialect.ts';
import { parseApiVersion } from '../api/groupVersion.ts';
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { atOnce, type Staged } from '../api/staged.ts';
import { type ApiError, badRequest, unsupportedMediaType } from '../api/status.ts';
import { readsMember } from '../schema/decode.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { CborSyntaxError, type ReadCbor, readCbor } from './cborRead.ts';
import { eachMember, JsonSyntaxError, pathOf, readJson } from './json.ts';
import { CBOR_TYPE, JSON_TYPE, mediaTypesOf, parseContentType, YAML_TYPE } from './mediaType.ts';
import { unwrap } from './protobufEnvelope.ts';
import { decodeMessage, ProtobufError } from './protobufRead.ts';
import { readYamlInParts, YamlSyntaxError } from './yaml.ts';

/** What the reader of a body must know of the endpoint. */
export interface BodyOptions {
  readonly dialect: Dialect;
  /** Kind that the endpoint takes, as messages name it. */
  readonly kind: string;
  /** Shape of that kind, for the encodings that cannot be read without; undefined: no such encoding. */
  readonly schema: ObjectSchema | undefined;
  /** Types made from a definition have no Protobuf, and two values of one name are not merged. */
  readonly custom: boolean;
  /** Whether the gate CBORServingAndStorage is on. */
  readonly cbor: boolean;
  /** Whether further documents of a YAML body are passed over instead of refused. */
  readonly firstDocument: boolean;
}

/** A request body as JSON. */
export interface Body {
  /** Belongs to the caller. Nothing is known of it but that apiVersion and kind are text where present. */
  readonly json: JsonObject;
  /**
   * One text a member that stood twice, as warnings word it: `duplicate field "data.k"`,
   * `line 6: key "k" already set in map`; with CBOR also a field outside the schema.
   */
  readonly duplicates: readonly string[];
  /** The same faults as the error of strict field validation words them. */
  readonly strictFaults: readonly string[];
  /**
   * Those of JSON of a built-in type together with `unknown`, the texts of its fields outside the schema, as they
   * stand in the body; undefined where the former come before the latter.
   */
  readonly faultsWith?: ((unknown: readonly string[]) => readonly string[]) | undefined;
  /** Media type without parameters: `application/json`. */
  readonly mediaType: string;
  /** See ReadJson. */
  readonly numberTexts?: ReadonlyMap<string, string>;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Reads the body of a create, update or delete by its Content-Type; JSON when there is none
 * (1/media-types-and-negotiation/5).
 * @throws ApiError 415 for a type that the endpoint does not read, 400 for a body that is not of its type
 */
export function readBody(bytes: Uint8Array, contentType: string | undefined, options: BodyOptions): Body {
  const mediaType = mediaTypeOf(contentType);
  if (mediaType === JSON_TYPE) return readJsonBody(bytes, options);
  if (mediaType === YAML_TYPE) return atOnce(readYamlBody(bytes, options));
  if (mediaType === protobufMediaType(options.dialect) && options.schema && !options.custom) {
    return readProtobufBody(bytes, options, options.schema);
  }
  if (mediaType === CBOR_TYPE && options.cbor) return readCborBody(bytes, options);
  throw unsupportedMediaType(mediaTypesOf(options.dialect, options.cbor));
}

/** The same with turns for others meanwhile, as far as parsing leaves any. */
export function* readBodyInParts(
  bytes: Uint8Array,
  contentType: string | undefined,
  options: BodyOptions,
): Staged<Body> {
  if (mediaTypeOf(contentType) === YAML_TYPE) return yield* readYamlBody(bytes, options);
  return readBody(bytes, contentType, options);
}

function mediaTypeOf(contentType: string | undefined): string {
  return contentType && contentType !== JSON_TYPE ? (parseContentType(contentType)?.type ?? contentType) : JSON_TYPE;
}

function readJsonBody(bytes: Uint8Array, options: BodyOptions): Body {
  try {
    const text = utf8.decode(bytes);
    const { value, duplicates, numberTexts } = readJson(text, !options.custom);
    const faults = duplicates.map((path) => faultAt('duplicate', path));
    const { schema } = options;
    return {
      json: checkTypeMeta(value, bytes, options.kind),
      duplicates: faults,
      strictFaults: faults,
      faultsWith: schema && !options.custom ? (unknown) => inOrder(text, schema, faults, unknown) : undefined,
      mediaType: JSON_TYPE,
      numberTexts,
    };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw unrecognized(options.kind, `couldn't get version/kind; json parse error: ${error.message}`, bytes);
  }
}

const faultAt = (what: 'unknown' | 'duplicate', path: string): string => `${what} field ${JSON.stringify(path)}`;

/**
 * Faults of a body in the order of its members. A member that is not read is no duplicate: what lies in an unknown
 * field counts for nothing.
 */
function inOrder(
  text: string,
  schema: ObjectSchema,
  duplicates: readonly string[],
  unknown: readonly string[],
): readonly string[] {
  if (duplicates.length === 0 && unknown.length <= 1) return unknown;
  const missing = new Set(unknown);
  const told = new Set<string>();
  eachMember(text, (steps, again) => {
    if (missing.size === 0 && !again) return;
    const path = pathOf(steps);
    const stranger = faultAt('unknown', path);
    if (missing.delete(stranger)) told.add(stranger);
    else if (again && readsMember(schema, steps)) told.add(faultAt('duplicate', path));
  });
  return [...told, ...missing];
}

/** What is wrong with a YAML body that goes on behind its first document (1/verbs/b1). */
export const SEVERAL_DOCUMENTS = 'yaml: the body holds several documents, and a request is about one object';

function* readYamlBody(bytes: Uint8Array, options: BodyOptions): Staged<Body> {
  try {
    const { value, duplicates, more } = yield* readYamlInParts(utf8.decode(bytes));
    if (more && !options.firstDocument) throw unrecognized(options.kind, SEVERAL_DOCUMENTS, bytes);
    return {
      json: checkTypeMeta(value, bytes, options.kind),
      duplicates,
      strictFaults:
        duplicates.length > 0 ? [`yaml: unmarshal errors:\n${duplicates.map((one) => `  ${one}`).join('\n')}`] : [],
      mediaType: YAML_TYPE,
    };
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    throw unrecognized(options.kind, error.message, bytes);
  }
}

/** A body of another kind than expected is not read any further: only what it says it is comes out. */
function readProtobufBody(bytes: Uint8Array, options: BodyOptions, schema: ObjectSchema): Body {
  try {
    const { apiVersion, kind, raw } = unwrap(bytes);
    const typeMeta = { ...(apiVersion ? { apiVersion } : {}), ...(kind ? { kind } : {}) };
    const content = kind === '' || kind === options.kind ? decodeMessage(schema, raw) : {};
    return {
      json: checkTypeMeta({ ...typeMeta, ...content }, bytes, options.kind),
      duplicates: [],
      strictFaults: [],
      mediaType: protobufMediaType(options.dialect),
    };
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    throw unrecognized(options.kind, error.message, bytes);
  }
}

function readCborBody(bytes: Uint8Array, options: BodyOptions): Body {
  let read: ReadCbor;
  try {
    read = readCbor(bytes, options.custom ? undefined : options.schema);
  } catch (error) {
    if (!(error instanceof CborSyntaxError)) throw error;
    throw unrecognized(options.kind, `unable to determine group/version/kind: ${error.message}`, bytes);
  }
  const { value, fault, unknown } = read;
  if (!isObject(value)) {
    const why = `cbor: cannot unmarshal ${typeName(value)} into Go value of type v1.TypeMeta (cannot decode CBOR ${typeName(value)} to struct without toarray option)`;
    throw unrecognized(options.kind, `unable to determine group/version/kind: ${why}`, bytes);
  }
  const json = checkTypeMeta(value, bytes, options.kind);
  if (fault) {
    const kind = typeof json.kind === 'string' ? json.kind : options.kind;
    const { version = '' } = parseApiVersion(typeof json.apiVersion === 'string' ? json.apiVersion : '') ?? {};
    throw badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${options.kind}: ${fault}`);
  }
  const faults = unknown === undefined ? [] : [unknown];
  return { json, duplicates: faults, strictFaults: faults, mediaType: CBOR_TYPE };
}

/** The shape into which the service reads apiVersion and kind, as its messages name it. */
const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/**
 * Proves that a value is an object whose apiVersion and kind, where present, are well-formed; null is an empty one.
 * @throws ApiError 400
 */
export function checkTypeMeta(value: Json, bytes: Uint8Array, kind: string): JsonObject {
  if (value === null) return {};
  const problem = "couldn't get version/kind; json parse error: json: cannot unmarshal";
  if (!isObject(value)) {
    throw unrecognized(kind, `${problem} ${typeName(value)} into Go value of type ${TYPE_META}`, bytes);
  }
  for (const name of ['apiVersion', 'kind']) {
    const given = value[name];
    if (given !== undefined && given !== null && typeof given !== 'string') {
      throw unrecognized(kind, `${problem} ${typeName(given)} into Go struct field .${name} of type string`, bytes);
    }
  }
  const { apiVersion } = value;
  if (typeof apiVersion === 'string' && !parseApiVersion(apiVersion)) {
    throw unrecognized(kind, `unexpected GroupVersion string: ${apiVersion}`, bytes);
  }
  return value;
}

function typeName(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'number';
  return typeof value;
}

/**
 * A body that is no object of the expected kind, whatever it is. The message shows how it begins.
 * @param why what is wrong with it
 */
export function unrecognized(kind: string, why: string, bytes: Uint8Array): ApiError {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${summarize(bytes)})`);
}

const SHOWN_BYTES = 30;

function summarize(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>';
  const shown = Buffer.from(bytes.subarray(0, SHOWN_BYTES));
  const text = shown[0] === 0x7b ? shown.toString('utf8') : shown.toString('hex');
  return bytes.length > SHOWN_BYTES ? `${text} ...` : text;
}
