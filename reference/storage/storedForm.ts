import type { Json } from '../api/json.ts';
import { type ApiObject, asApiObject, asJson } from '../api/object.ts';
import { readJson } from '../codecs/json.ts';
import { stringifyScalar, writeDeep } from '../codecs/jsonText.ts';

/** Digits enough for an integer that a double may not hold. */
const MANY_DIGITS = /\d{16}/;

/**
 * The bytes in which durable stores keep an object: JSON that says of every number what it was. Large integers stand
 * as their digits; doubles of that size have an exponent, so that reading does not take them for integers.
 */
export function storedBytes(object: ApiObject): Uint8Array {
  return Buffer.from(textOf(asJson(object)));
}

function textOf(value: Json): string {
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch {
    // A bigint, or nesting too deep for the native writer.
    return writeDeep(value, exactScalar);
  }
  return MANY_DIGITS.test(text) ? writeDeep(value, exactScalar) : text;
}

function exactScalar(value: null | boolean | number | bigint | string): string {
  const large = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return large ? value.toExponential() : stringifyScalar(value);
}

/** The object that {@link storedBytes} wrote. @throws SyntaxError for bytes that are no JSON object */
export function storedObject(bytes: Uint8Array): ApiObject {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const value = MANY_DIGITS.test(text) ? readJson(text).value : (JSON.parse(text) as Json);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new SyntaxError('no object');
  return asApiObject(value);
}
