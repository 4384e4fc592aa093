import type { Environment, Optional } from '@marcbachmann/cel-js';
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { sameValue } from '../equality.ts';
import { none, some } from '../optional.ts';
import { registerAll } from './register.ts';

/** Whether a value is the empty one of its type. */
function isZero(value: unknown): boolean {
  if (value === null || value === '' || value === false || value === 0 || value === 0n) return true;
  if (value instanceof UnsignedInt) return value.value === 0n;
  if (value instanceof Duration) return value.seconds === 0n && value.nanos === 0;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  return value instanceof Map && value.size === 0;
}

/** Optional values that are there only where something is said. */
export function registerOptionals(environment: Environment): void {
  environment.registerOperator('optional<dyn> == optional<dyn>', (a: Optional, b: Optional) =>
    a.hasValue() ? b.hasValue() && sameValue(a.value(), b.value()) : !b.hasValue(),
  );
  registerAll(environment, {
    'OptionalNamespace.ofNonZeroValue(A): optional<A>': (_: unknown, value: unknown) =>
      isZero(value) ? none() : some(value),
  });
}
