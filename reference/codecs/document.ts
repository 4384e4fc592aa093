import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { isObject, type Json } from '../api/json.ts';
import { notAcceptable } from '../api/status.ts';
import { documentSchema } from '../schema/metaTypes.ts';
import { describeCbor, encodeCbor } from './cborWrite.ts';
import { indentJson, stringify } from './jsonText.ts';
import { mediaTypesOf } from './mediaType.ts';
import type { Format } from './negotiate.ts';
import { wrap } from './protobufEnvelope.ts';
import { encodeMessage } from './protobufWrite.ts';
import { yamlText } from './yamlText.ts';

/**
 * A typed document that belongs to no resource type: a Status, discovery, the version.
 * @throws ApiError 406 where the document has no such encoding
 */
export function encodeDocument(body: Json, format: Format, pretty: boolean, dialect: Dialect): Uint8Array {
  switch (format) {
    case 'json':
      return Buffer.from(pretty ? indentJson(stringify(body)) : `${stringify(body)}\n`);
    case 'yaml':
      return Buffer.from(yamlText(body));
    case 'cbor':
      return describeCbor(encodeCbor(body, undefined));
    case 'protobuf': {
      const kind = isObject(body) && typeof body.kind === 'string' ? body.kind : '';
      const schema = documentSchema(kind);
      if (!isObject(body) || !schema) throw notAcceptable(mediaTypesOf(dialect, false));
      const apiVersion = typeof body.apiVersion === 'string' ? body.apiVersion : 'v1';
      return wrap(apiVersion, kind, encodeMessage(schema, body));
    }
  }
}
