import type { Environment } from '@marcbachmann/cel-js';
import { Duration } from '@marcbachmann/cel-js/evaluator';
import { compareNumbers, isNumber, sameValue } from '../equality.ts';
import { FunctionFault } from './faults.ts';
import { registerAll, registerNamespace } from './register.ts';

type List = readonly unknown[];

/** Negative, zero or positive, for values of one comparable type. */
function compare(a: unknown, b: unknown): number {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Date && b instanceof Date) return a.getTime() - b.getTime();
  if (a instanceof Duration && b instanceof Duration) return Number(nanosOf(a) - nanosOf(b));
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  throw new FunctionFault('no such overload');
}

function nanosOf(duration: Duration): bigint {
  return duration.seconds * 1_000_000_000n + BigInt(duration.nanos);
}

function extreme(list: List, name: string, better: (order: number) => boolean): unknown {
  if (list.length === 0) throw new FunctionFault(`${name} called on empty list`);
  return list.reduce((best, item) => (better(compare(item, best)) ? item : best));
}

const MOST = 2n ** 63n;

function sum(list: List): unknown {
  const [first] = list;
  if (first === undefined) return 0n;
  if (first instanceof Duration) {
    const nanos = list.reduce<bigint>((total, item) => total + nanosOf(item as Duration), 0n);
    return new Duration(nanos / 1_000_000_000n, Number(nanos % 1_000_000_000n));
  }
  if (typeof first === 'bigint') {
    const total = list.reduce<bigint>((all, item) => all + BigInt(item as bigint), 0n);
    if (total >= MOST || total < -MOST) throw new FunctionFault('integer overflow');
    return total;
  }
  if (typeof first === 'number') return list.reduce<number>((all, item) => all + Number(item), 0);
  throw new FunctionFault('no such overload');
}

function indexOf(list: List, wanted: unknown): bigint {
  return BigInt(list.findIndex((item) => sameValue(item, wanted)));
}
function lastIndexOf(list: List, wanted: unknown): bigint {
  return BigInt(list.findLastIndex((item) => sameValue(item, wanted)));
}

function flatten(list: List, depth: bigint): unknown[] {
  if (depth < 0n) throw new FunctionFault('level must be non-negative');
  return list.flatMap((item) => (Array.isArray(item) && depth > 0n ? flatten(item as List, depth - 1n) : [item]));
}

function distinct(list: List): unknown[] {
  const found: unknown[] = [];
  for (const item of list) if (!found.some((other) => sameValue(item, other))) found.push(item);
  return found;
}

function contains(list: List, part: List): boolean {
  return part.every((item) => list.some((other) => sameValue(item, other)));
}

/** Lists: orders, sums, places and sets. */
export function registerLists(environment: Environment): void {
  registerAll(environment, {
    'list.isSorted(): bool': (list: List) => list.every((item, at) => at === 0 || compare(list[at - 1], item) <= 0),
    'list<A>.sum(): A': sum,
    'list<A>.min(): A': (list: List) => extreme(list, 'min', (order) => order < 0),
    'list<A>.max(): A': (list: List) => extreme(list, 'max', (order) => order > 0),
    'list.indexOf(dyn): int': indexOf,
    'list.lastIndexOf(dyn): int': lastIndexOf,
    'list.flatten(): list<dyn>': (list: List) => flatten(list, 1n),
    'list.flatten(int): list<dyn>': flatten,
    'list<A>.distinct(): list<A>': distinct,
    'list<A>.sort(): list<A>': (list: List) => [...list].sort(compare),
    'list<A>.reverse(): list<A>': (list: List) => [...list].reverse(),
    'list<A>.slice(int, int): list<A>': (list: List, from: bigint, to: bigint) => {
      if (from < 0n || to < from || to > BigInt(list.length)) {
        throw new FunctionFault(`cannot slice(${from}, ${to}), list is length ${list.length}`);
      }
      return list.slice(Number(from), Number(to));
    },
  });
  registerNamespace(environment, 'sets', 'SetsNamespace');
  registerAll(environment, {
    'SetsNamespace.contains(list, list): bool': (_: unknown, list: List, part: List) => contains(list, part),
    'SetsNamespace.equivalent(list, list): bool': (_: unknown, a: List, b: List) => contains(a, b) && contains(b, a),
    'SetsNamespace.intersects(list, list): bool': (_: unknown, a: List, b: List) =>
      a.some((item) => b.some((other) => sameValue(item, other))),
  });
}
