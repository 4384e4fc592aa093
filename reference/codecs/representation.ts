import { type Dialect, protobufMediaType } from '../../fixtures/dialects/dialect.ts';
import type { IncomingRequest } from '../api/request.ts';
import type { Clock } from '../time.ts';
import { CBOR_SEQUENCE_TYPE, CBOR_TYPE, JSON_TYPE, YAML_TYPE } from './mediaType.ts';
import type { Format, Negotiated } from './negotiate.ts';

/** What an answer is encoded for. */
export interface RenderContext {
  readonly agreed: Negotiated;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly request: IncomingRequest;
  readonly pretty: boolean;
}

/** The Content-Type of a whole answer. */
export function contentTypeOf(format: Format, dialect: Dialect): string {
  if (format === 'json') return JSON_TYPE;
  if (format === 'yaml') return YAML_TYPE;
  return format === 'cbor' ? CBOR_TYPE : protobufMediaType(dialect);
}

/** The Content-Type of a watch. */
export function streamTypeOf(format: Format, dialect: Dialect): string {
  if (format === 'cbor') return CBOR_SEQUENCE_TYPE;
  return format === 'protobuf' ? `${protobufMediaType(dialect)};stream=watch` : JSON_TYPE;
}
