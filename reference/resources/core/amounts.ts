import { type FieldError, invalid } from '../../api/fieldError.ts';
import type { FieldPath } from '../../api/fieldPath.ts';
import { type Json, type JsonObject, member } from '../../api/json.ts';
import { objectOf, textOf } from '../../api/parts.ts';
import { compareQuantities, parseQuantity } from '../../schema/quantity.ts';

/** The amount of a resource in a list of amounts; undefined where there is none. */
export function amountOf(amounts: Json | undefined, name: string): string | undefined {
  const amount = member(objectOf(amounts), name);
  return amount === undefined ? undefined : textOf(amount);
}

/** Negative, zero or positive, as `a` is smaller, equal or larger; both texts are quantities. */
export function compareAmounts(a: string, b: string): number {
  if (a === b) return 0;
  return compareQuantities(parseQuantity(a), parseQuantity(b));
}

/** Faults of an amount that must be more than nothing. */
export function positiveFaults(amount: string, path: FieldPath): FieldError[] {
  return compareAmounts(amount, '0') > 0 ? [] : [invalid(path, amount, 'must be greater than zero')];
}

/** Texts about amounts of bytes that are not whole. */
export function fractionWarnings(amounts: JsonObject, names: readonly string[], path: FieldPath): string[] {
  return names.flatMap((name) => {
    const amount = amountOf(amounts, name);
    if (amount === undefined) return [];
    const { digits, scale } = parseQuantity(amount);
    if (scale >= 0 || digits % 10n ** BigInt(-scale) === 0n) return [];
    return [`${path.key(name)}: fractional byte value "${amount}" is invalid, must be an integer`];
  });
}
