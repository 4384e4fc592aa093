import type { Environment } from '@marcbachmann/cel-js';
import { ownName } from '../syntax.ts';

/** What a function does with its values; a method has its receiver first. */
export type Implementation = (...values: never[]) => unknown;

/** Registers functions by signature, `string.find(string): string`; those that the library has too under names of their own. */
export function registerAll(environment: Environment, functions: Readonly<Record<string, Implementation>>): void {
  for (const [signature, implementation] of Object.entries(functions)) {
    const named = signature.replace(/(^|\.)(\w+)\(/, (_, dot: string, name: string) => `${dot}${ownName(name)}(`);
    // Never asynchronous: a program that is reused would answer wrongly.
    environment.registerFunction(named, implementation as never, { async: false });
  }
}

/** A name with functions of its own: `sets.contains(…)`. `type` is the name of its type in signatures. */
export function registerNamespace(environment: Environment, name: string, type: string): void {
  const ctor = class {};
  environment.registerType(type, ctor);
  environment.registerConstant(name, type, new ctor());
}

/** A type of which nothing can be selected: only functions know its values. */
export function registerOpaque(
  environment: Environment,
  name: string,
  ctor: abstract new (...values: never[]) => unknown,
): void {
  environment.registerType(name, { ctor: ctor as never, fields: {} });
}
