import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { Message } from './message.ts';

/** Whether two values of an expression are equal; numbers of different types compare by value. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b) === 0;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => sameValue(item, b[at]));
  if (a instanceof Map) return b instanceof Map && sameEntries(a, b);
  if (a instanceof Message) return b instanceof Message && sameEntries(entriesOf(a), entriesOf(b));
  if (a instanceof Date) return b instanceof Date && a.getTime() === b.getTime();
  if (a instanceof Duration) return b instanceof Duration && a.seconds === b.seconds && a.nanos === b.nanos;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (isPlain(a) && (isPlain(b) || b instanceof Map))
    return sameEntries(entriesOf(a), b instanceof Map ? b : entriesOf(b));
  return 'equals' in a && typeof a.equals === 'function' && a.equals(b) === true;
}

export type CelNumber = bigint | number | UnsignedInt;

export function isNumber(value: unknown): value is CelNumber {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof UnsignedInt;
}

/** Negative, zero or positive; NaN where one of them is not a number. */
export function compareNumbers(a: CelNumber, b: CelNumber): number {
  const left = a instanceof UnsignedInt ? a.value : a;
  const right = b instanceof UnsignedInt ? b.value : b;
  if (left < right) return -1;
  if (left > right) return 1;
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number of one value are only loosely equal
  return left == right ? 0 : Number.NaN;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function entriesOf(value: object): Map<unknown, unknown> {
  return new Map(Object.entries(value).filter(([, inner]) => inner !== undefined));
}

function sameEntries(a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) if (!b.has(key) || !sameValue(value, b.get(key))) return false;
  return true;
}
