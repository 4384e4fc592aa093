import type { Json } from '../api/json.ts';
import { canonicalInstant, InstantError } from './instant.ts';
import { canonicalQuantity, QuantityError } from './quantity.ts';
import type { ScalarType } from './schema.ts';

/** A value of another type than the field has: the words for value and type, without the field. */
export class TypeMismatch extends Error {
  /** The value as messages name it: `string`, `number 1.5`. */
  readonly found: string;
  /** The type as messages name it: `int32`, `[]v1.Container`. */
  readonly wanted: string;

  constructor(found: string, wanted: string) {
    super(`json: cannot unmarshal ${found} into Go value of type ${wanted}`);
    this.name = 'TypeMismatch';
    this.found = found;
    this.wanted = wanted;
  }
}

/** A value of the right type that is no good. The message is for the client. */
export class ValueFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ValueFault';
  }
}

/** Whether the value is to blame for an error, and its message for the client. */
export function isValueFault(error: unknown): error is Error {
  return error instanceof ValueFault || error instanceof QuantityError || error instanceof InstantError;
}

/** A value as messages about types name it. */
export function nameOfValue(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'number';
    default:
      return typeof value;
  }
}

/** Types as messages name them. */
export const scalarTypeNames: Readonly<Record<ScalarType, string>> = {
  string: 'string',
  bytes: '[]uint8',
  boolean: 'bool',
  int32: 'int32',
  int64: 'int64',
  double: 'float64',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
  duration: 'v1.Duration',
};

/**
 * The canonical form of a value that is not null.
 * @param text the digits of a number that was not written as a whole number, such as `2.0`
 * @throws TypeMismatch for a value of another type, else what isValueFault knows
 */
export function decodeScalar(type: ScalarType, value: Json, text?: string): Json {
  switch (type) {
    case 'string':
      if (typeof value === 'string') return value;
      throw new TypeMismatch(nameOfValue(value), 'string');
    case 'boolean':
      if (typeof value === 'boolean') return value;
      throw new TypeMismatch(nameOfValue(value), 'bool');
    case 'int32':
    case 'int64':
      return decodeInteger(type, value, text);
    case 'double':
      if (typeof value === 'number') return value;
      if (typeof value === 'bigint') return Number(value);
      throw new TypeMismatch(nameOfValue(value), 'float64');
    case 'bytes':
      return decodeBytes(value);
    case 'quantity':
      return decodeQuantity(value, text);
    case 'intOrString':
      return typeof value === 'string' ? value : decodeInteger('int32', value, text);
    case 'time':
    case 'microTime':
      if (typeof value !== 'string') throw new TypeMismatch(nameOfValue(value), 'string');
      return canonicalInstant(value, type === 'time' ? 'seconds' : 'micros');
    case 'duration':
      if (typeof value !== 'string') throw new TypeMismatch(nameOfValue(value), 'string');
      return value;
  }
}

const BITS = { int32: 32, int64: 64 } as const;

/**
 * A whole number as the service fits one into an integer where it converts values that are no JSON any more: bits that
 * do not fit are lost, and what is beyond 64 bits becomes the smallest number.
 * @throws ValueFault for a number that is not whole, or no number
 */
export function convertInteger(type: 'int32' | 'int64', value: Json): Json {
  if (typeof value === 'number' && !Number.isInteger(value)) {
    throw new ValueFault(`cannot convert float64 to ${type}`);
  }
  if (typeof value !== 'number' && typeof value !== 'bigint') throw new ValueFault(`unrecognized type: ${type}`);
  const whole = BigInt(value);
  const { from, to } = RANGES.int64;
  const kept = BigInt.asIntN(BITS[type], whole < from || whole > to ? from : whole);
  return Number.isSafeInteger(Number(kept)) ? Number(kept) : kept;
}

const RANGES = {
  int32: { from: -(2n ** 31n), to: 2n ** 31n - 1n },
  int64: { from: -(2n ** 63n), to: 2n ** 63n - 1n },
} as const;

function decodeInteger(type: 'int32' | 'int64', value: Json, text: string | undefined): Json {
  if (typeof value !== 'number' && typeof value !== 'bigint') throw new TypeMismatch(nameOfValue(value), type);
  const whole = typeof value === 'bigint' || (Number.isInteger(value) && text === undefined);
  const { from, to } = RANGES[type];
  if (!whole || value < from || value > to) throw new TypeMismatch(`number ${text ?? String(value)}`, type);
  return value;
}

function decodeQuantity(value: Json, text: string | undefined): string {
  if (typeof value === 'string') return canonicalQuantity(value.trim());
  if (typeof value === 'number' || typeof value === 'bigint') return canonicalQuantity(text ?? String(value));
  // Anything else is read as the text it was written in, which no quantity looks like.
  return canonicalQuantity(nameOfValue(value));
}

/** Base64 with padding; line breaks inside are passed over. */
function decodeBytes(value: Json): string {
  if (typeof value !== 'string') throw new TypeMismatch(nameOfValue(value), '[]uint8');
  const clean = value.replace(/[\r\n]/g, '');
  const bad = clean.search(/[^A-Za-z0-9+/]/);
  const end = bad < 0 ? clean.length : bad;
  const padding = bad < 0 ? '' : clean.slice(bad);
  const wanted = end % 4 === 2 ? '==' : end % 4 === 3 ? '=' : '';
  if (end % 4 === 1 || padding !== wanted)
    throw new ValueFault(`illegal base64 data at input byte ${faultAt(value, end)}`);
  // Bits behind the last whole byte do not survive.
  return wanted === '' ? clean : Buffer.from(clean, 'base64').toString('base64');
}

/** Where decoding base64 gives up: the character that fits nowhere, counted in the text as given. */
function faultAt(value: string, sound: number): number {
  let seen = 0;
  let padding = 0;
  for (let at = 0; at < value.length; at++) {
    const character = value[at] as string;
    if (character === '\r' || character === '\n') continue;
    if (seen < sound) seen++;
    else if (character === '=' && padding < 2 && sound % 4 >= 2) {
      padding++;
      if (sound % 4 === 3 && padding === 2) return at;
    } else return padding === 1 && sound % 4 === 2 ? at - 1 : at;
  }
  return value.length - (sound % 4 === 0 ? 0 : sound % 4);
}
