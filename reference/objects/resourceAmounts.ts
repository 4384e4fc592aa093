import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { objectOf, objectsOf } from '../api/parts.ts';
import { compareQuantities, formatQuantity, parseQuantity, type Quantity } from '../schema/quantity.ts';

/** Amounts by the name of what they are of. */
export type Amounts = ReadonlyMap<string, Quantity>;

export function amountsOf(list: Json | undefined): Map<string, Quantity> {
  const found = new Map<string, Quantity>();
  for (const [name, value] of Object.entries(isObject(list) ? list : {})) found.set(name, parseQuantity(String(value)));
  return found;
}

export function amountsText(amounts: Amounts): JsonObject {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, formatQuantity(amount)]));
}

export function count(number: number): Quantity {
  return { digits: BigInt(number), scale: 0, format: 'decimal' };
}

/** a + sign · b, written as the first one is, or as the second where the first is nothing. */
export function combined(a: Quantity, b: Quantity, sign = 1n): Quantity {
  const scale = Math.min(a.scale, b.scale);
  const digits = (one: Quantity): bigint => one.digits * 10n ** BigInt(one.scale - scale);
  return { digits: digits(a) + sign * digits(b), scale, format: a.digits === 0n ? b.format : a.format };
}

/** The sum of two lists of amounts, name by name. */
export function added(a: Amounts, b: Amounts, sign = 1n): Map<string, Quantity> {
  const all = new Map(a);
  for (const [name, amount] of b) {
    const before = all.get(name);
    all.set(name, before ? combined(before, amount, sign) : combined({ ...amount, digits: 0n }, amount, sign));
  }
  return all;
}

/** The larger amounts of two lists, name by name. */
export function largest(a: Amounts, b: Amounts): Map<string, Quantity> {
  const all = new Map(a);
  for (const [name, amount] of b) {
    const before = all.get(name);
    if (!before || compareQuantities(amount, before) > 0) all.set(name, amount);
  }
  return all;
}

export type Side = 'requests' | 'limits';

/**
 * What a pod asks for: all that run side by side together, or the largest of what runs before them, where that is more;
 * containers that start first and go on running count beside everything after them.
 */
export function podAmounts(spec: JsonObject, side: Side): Map<string, Quantity> {
  const of = (container: JsonObject): Amounts => amountsOf(objectOf(container.resources)[side]);
  let running: Amounts = new Map();
  let starting: Amounts = new Map();
  for (const container of objectsOf(spec.initContainers)) {
    if (container.restartPolicy === 'Always') {
      running = added(running, of(container));
      starting = largest(starting, running);
    } else starting = largest(starting, added(running, of(container)));
  }
  const together = objectsOf(spec.containers).reduce((all, container) => added(all, of(container)), running);
  return added(largest(together, starting), amountsOf(spec.overhead));
}
