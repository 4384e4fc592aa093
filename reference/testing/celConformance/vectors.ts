import type { JsonObject } from '../../api/json.ts';
import { objectsOf, textOf } from '../../api/parts.ts';

/** A vector of the specification of CEL, as its package has it: an expression and what it must come to. */
export interface Vector {
  /** `section/group/name`; a number is added where the package uses a name twice. */
  readonly id: string;
  readonly section: string;
  readonly test: JsonObject;
}

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original: object }[];
}

/** All vectors of a suite, in its order. */
export function vectorsOf(suite: Suite): Vector[] {
  const found: Vector[] = [];
  const seen = new Map<string, number>();
  const visit = (one: Suite, path: readonly string[]): void => {
    for (const { original } of one.tests ?? []) {
      const test = original as JsonObject;
      const name = [...path, textOf(test.name) || textOf(test.expr)].join('/');
      const number = (seen.get(name) ?? 0) + 1;
      seen.set(name, number);
      found.push({ id: number === 1 ? name : `${name}#${number}`, section: path[0] ?? one.name, test });
    }
    for (const inner of one.suites ?? []) visit(inner, [...path, inner.name]);
  };
  visit(suite, suite.suites ? [] : [suite.name]);
  return found;
}

/** Variables that a vector binds, by name, in the notation of its values. */
export function bindingsOf(test: JsonObject): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const [name, binding] of Object.entries((test.bindings ?? {}) as Record<string, JsonObject>)) {
    found.set(name, (binding.value ?? {}) as JsonObject);
  }
  return found;
}

/** Declarations of variables, by name, in the notation of types. */
export function declarationsOf(test: JsonObject): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const one of objectsOf(test.typeEnv)) {
    const ident = one.ident as JsonObject | undefined;
    if (ident) found.set(textOf(one.name), (ident.type ?? {}) as JsonObject);
  }
  return found;
}
