import type { JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import type { Staged } from '../api/staged.ts';
import { ApiError } from '../api/status.ts';
import { cborInParts, describeCbor, encodeCbor } from '../codecs/cborWrite.ts';
import { TextPieces } from '../codecs/jsonInParts.ts';
import { indentInParts, indentJson } from '../codecs/jsonText.ts';
import type { Format } from '../codecs/negotiate.ts';
import { wrap } from '../codecs/protobufEnvelope.ts';
import { encodeMessage, messageInParts } from '../codecs/protobufWrite.ts';
import { yamlInParts, yamlText } from '../codecs/yamlText.ts';
import { itemOf, type ObjectShape, objectInParts, objectText } from '../objects/shape.ts';
import type { ObjectSchema } from '../schema/schema.ts';

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

/** The same with turns for others meanwhile. */
export function* wholeInParts(
  shape: ObjectShape,
  object: ApiObject,
  format: Format,
  pretty: boolean,
): Staged<Uint8Array> {
  switch (format) {
    case 'json':
      if (!pretty) return yield* objectInParts(shape, object, '\n');
      return yield* indentedInParts(yield* objectInParts(shape, object, ''));
    case 'yaml':
      return yield* yamlInParts(asJson(object));
    case 'protobuf':
      return wrap(shape.apiVersion, shape.kind, yield* messageInParts(schemaOf(shape), asJson(object)));
    case 'cbor':
      return describeCbor(yield* cborInParts(asJson(object), shape.schema));
  }
}

/** The bytes of JSON text, indented, with turns for others meanwhile. */
export function* indentedInParts(bytes: Uint8Array): Staged<Uint8Array> {
  const out = new TextPieces();
  yield;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  yield* indentInParts(text, (more) => out.add(more));
  return out.bytes();
}

/** An object as one item of a list. Those in JSON are the objects as they stand alone, and YAML lists are written whole. */
export function itemBytes(shape: ObjectShape, object: ApiObject, format: 'protobuf' | 'cbor'): Uint8Array {
  switch (format) {
    case 'protobuf':
      return messageOf(shape, asJson(object));
    case 'cbor':
      return encodeCbor(itemOf(shape, object), shape.schema);
  }
}

function messageOf(shape: ObjectShape, object: JsonObject): Uint8Array {
  return encodeMessage(schemaOf(shape), object);
}

/** Throws ApiError 406 where there is none: only JSON and YAML can say what has no schema. */
function schemaOf({ schema, kind }: ObjectShape): ObjectSchema {
  if (!schema) throw new ApiError(406, 'NotAcceptable', `${kind} cannot be written in this encoding`);
  return schema;
}
