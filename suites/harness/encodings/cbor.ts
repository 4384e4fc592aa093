import { Decoder, Encoder } from 'cbor-x';

const decoder = new Decoder({ mapsAsObjects: false, useRecords: false });
const encoder = new Encoder({ useRecords: false, variableMapSize: true });

/** A single item as JSON would have it; `undefined` where the bytes are none, or more than one. */
export function objectInCbor(bytes: Uint8Array): unknown {
  const items = sequenceInCbor(bytes);
  return items?.length === 1 ? items[0] : undefined;
}

/** The items of a sequence as JSON would have them; `undefined` where the bytes are none. */
export function sequenceInCbor(bytes: Uint8Array): unknown[] | undefined {
  try {
    return (decoder.decodeMultiple(Buffer.from(bytes)) as unknown[]).map(asJson);
  } catch {
    return undefined;
  }
}

export function cborBody(value: unknown): Uint8Array {
  return encoder.encode(value);
}

/** Text may be written as text or as bytes of UTF-8; both mean the same string here. */
function asJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(asJson);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([key, member]) => [asJson(key), asJson(member)]));
}
