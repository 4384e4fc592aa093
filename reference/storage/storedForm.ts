import type { Json } from '../api/json.ts';
import { type ApiObject, asApiObject, asJson } from '../api/object.ts';
import { readJson } from '../codecs/json.ts';
import { stringifyScalar, writeDeep } from '../codecs/jsonText.ts';

/** Digits in a row enough for an integer that a double may not hold. */
const MANY_DIGITS = 16;

/** Whether a text has so many digits in a row. Each such row has a digit at a multiple of their number: nothing else is looked at. */
function hasManyDigits(text: string): boolean {
  for (let at = MANY_DIGITS - 1; at < text.length; at += MANY_DIGITS) {
    if (!isDigit(text, at)) continue;
    let from = at;
    let to = at + 1;
    while (isDigit(text, from - 1)) from--;
    while (isDigit(text, to)) to++;
    if (to - from >= MANY_DIGITS) return true;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

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
  return hasManyDigits(text) ? writeDeep(value, exactScalar) : text;
}

function exactScalar(value: null | boolean | number | bigint | string): string {
  const large = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return large ? value.toExponential() : stringifyScalar(value);
}

/** The object that {@link storedBytes} wrote. @throws SyntaxError for bytes that are no JSON object */
export function storedObject(bytes: Uint8Array): ApiObject {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const value = hasManyDigits(text) ? readJson(text).value : (JSON.parse(text) as Json);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new SyntaxError('no object');
  return asApiObject(value);
}
