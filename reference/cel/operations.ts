import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { sameValue } from './equality.ts';
import { nodesIn, type SyntaxNode } from './syntax.ts';

const MOST = 2n ** 63n;
/** The years 1 to 9999, in milliseconds. */
const FIRST_INSTANT = -62_135_596_800_000;
const LAST_INSTANT = 253_402_300_799_999;
const NANOS = 1_000_000_000n;

/** Holds the results of arithmetic to the ranges of their types, and compares lists and maps by value, in place. */
export function settleOperations(root: unknown): void {
  for (const node of nodesIn(root)) {
    if (ARITHMETIC.has(node.op)) inRange(node);
    else if (COMPARISON.has(node.op)) byValue(node);
    else if (INDEX.has(node.op)) byNumber(node);
  }
}

const ARITHMETIC = new Set(['+', '-', '*', '/', '-_']);
const INDEX = new Set(['[]', '[?]']);
const COMPARISON = new Set(['==', '!=', 'in']);

function inRange(node: SyntaxNode): void {
  const { handle } = node;
  if (!handle) return;
  node.handle = (...operands) => {
    const result = handle(...operands);
    const fault = overflowOf(result, operands);
    if (fault) throw new Error(`${fault} overflow`);
    return result;
  };
}

function overflowOf(result: unknown, operands: readonly unknown[]): string | undefined {
  if (typeof result === 'bigint') return result < -MOST || result >= MOST ? 'integer' : undefined;
  if (result instanceof Date) {
    const milliseconds = result.getTime();
    return milliseconds >= FIRST_INSTANT && milliseconds <= LAST_INSTANT ? undefined : 'timestamp';
  }
  if (!(result instanceof Duration)) return undefined;
  const [first] = operands;
  const nanos = result.seconds * NANOS + BigInt(result.nanos);
  if (nanos >= -MOST && nanos < MOST) return undefined;
  return first instanceof Date ? 'timestamp' : 'duration';
}

function byValue(node: SyntaxNode): void {
  const { handle, op } = node;
  if (!handle) return;
  node.handle = (left, right, ...rest) => {
    if (op === 'in') {
      if (Array.isArray(right)) return right.some((item) => sameValue(left, item));
      return handle(keyOf(left), right, ...rest);
    }
    if (!isCollection(left) || !isCollection(right)) return handle(left, right, ...rest);
    return sameValue(left, right) === (op === '==');
  };
}

/** Numbers of one value are one key, whatever their types. */
function byNumber(node: SyntaxNode): void {
  const { handle } = node;
  if (handle) node.handle = (collection, key, ...rest) => handle(collection, keyOf(key), ...rest);
}

/** A number as key of a map or place in a list. */
export function keyOf(key: unknown): unknown {
  if (key instanceof UnsignedInt) return key.value;
  return typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : key;
}

function isCollection(value: unknown): boolean {
  return Array.isArray(value) || value instanceof Map;
}
