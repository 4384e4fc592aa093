import type { JsonObject } from '../../api/json.ts';
import { textOf } from '../../api/parts.ts';
import { type DeclaredType, DYN } from '../../cel/declaredType.ts';
import { ExpressionScope } from '../../cel/program.ts';
import { isWanted, typeWritten, valueWritten } from './values.ts';
import { bindingsOf, declarationsOf } from './vectors.ts';

const BUDGET = 10_000_000;

/** Runs a vector: undefined when it comes to what it must, else what came instead. */
export function failureOf(test: JsonObject): string | undefined {
  const declared: Record<string, DeclaredType> = {};
  const variables: Record<string, unknown> = {};
  for (const [name, type] of declarationsOf(test)) declared[name] = typeWritten(type);
  for (const [name, written] of bindingsOf(test)) {
    declared[name] ??= DYN;
    variables[name] = valueWritten(written)?.value;
  }
  const fails = test.evalError !== undefined;
  const compiled = new ExpressionScope(declared).compile(textOf(test.expr), 'dyn');
  if ('fault' in compiled) return fails ? undefined : compiled.fault;
  if (test.checkOnly === true) return undefined;
  const outcome = compiled.program.evaluate(variables, BUDGET);
  if ('fault' in outcome) return fails ? undefined : outcome.fault;
  if (fails) return `it came to ${show(outcome.value)} instead of failing`;
  const wanted = (test.value ??
    (test.typedResult as JsonObject | undefined)?.result ?? { boolValue: true }) as JsonObject;
  return isWanted(outcome.value, wanted)
    ? undefined
    : `it came to ${show(outcome.value)} instead of ${JSON.stringify(wanted)}`;
}

function show(value: unknown): string {
  return typeof value === 'bigint' ? `${value}` : String(value);
}
