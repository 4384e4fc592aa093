import type { JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import { ApiError } from '../api/status.ts';
import { describeCbor, encodeCbor } from '../codecs/cborWrite.ts';
import { indentJson } from '../codecs/jsonText.ts';
import type { Format } from '../codecs/negotiate.ts';
import { wrap } from '../codecs/protobufEnvelope.ts';
import { encodeMessage } from '../codecs/protobufWrite.ts';
import { yamlText } from '../codecs/yamlText.ts';
import { itemOf, itemText, type ObjectShape, objectText } from '../objects/shape.ts';

/** A whole object, as it stands alone in an answer. Objects are already of the shape's version. */
export function wholeBytes(shape: ObjectShape, object: ApiObject, format: Format, pretty: boolean): Uint8Array {
  switch (format) {
    case 'json':
      return Buffer.from(pretty ? indentJson(objectText(shape, object)) : `${objectText(shape, object)}\n`);
    case 'yaml':
      return Buffer.from(yamlText(asJson(object)));
    case 'protobuf':
      return wrap(shape.apiVersion, shape.kind, messageOf(shape, asJson(object)));
    case 'cbor':
      return describeCbor(encodeCbor(asJson(object), shape.schema));
  }
}

/** An object as one item of a list. YAML lists are written whole instead. */
export function itemBytes(shape: ObjectShape, object: ApiObject, format: Exclude<Format, 'yaml'>): Uint8Array {
  switch (format) {
    case 'json':
      return Buffer.from(itemText(shape, object));
    case 'protobuf':
      return messageOf(shape, asJson(object));
    case 'cbor':
      return encodeCbor(itemOf(shape, object), shape.schema);
  }
}

function messageOf(shape: ObjectShape, object: JsonObject): Uint8Array {
  // Only JSON and YAML can say what has no schema.
  if (!shape.schema) throw new ApiError(406, 'NotAcceptable', `${shape.kind} cannot be written in this encoding`);
  return encodeMessage(shape.schema, object);
}
