import { admissionVariables } from './admissionVariables.ts';
import { DYN } from './declaredType.ts';
import { type Compiled, ExpressionScope } from './program.ts';

let running: ExpressionScope | undefined;
const checking = new Map<boolean, ExpressionScope>();

/**
 * What match conditions speak of when they run: the request, both objects, their namespace, an authorizer, and the
 * parameters of a policy.
 */
export function matchConditionScope(): ExpressionScope {
  running ??= new ExpressionScope(admissionVariables({ params: DYN, authorizer: true, strict: false }));
  return running;
}

function checkingScope(params: boolean): ExpressionScope {
  let scope = checking.get(params);
  if (!scope) {
    scope = new ExpressionScope(
      admissionVariables({ params: params ? DYN : undefined, authorizer: true, strict: true }),
    );
    checking.set(params, scope);
  }
  return scope;
}

const programs = new Map<string, Compiled>();
const MOST_KEPT = 1_000;

/** The compiled condition, kept for the next time. */
export function matchCondition(expression: string): Compiled {
  let compiled = programs.get(expression);
  if (!compiled) {
    compiled = matchConditionScope().compile(expression, 'bool');
    if (programs.size >= MOST_KEPT) programs.clear();
    programs.set(expression, compiled);
  }
  return compiled;
}

/**
 * What is wrong with a match condition; undefined when it compiles to a boolean.
 * @param params whether it may speak of parameters, as those of some policies do
 */
export function compileMatchCondition(expression: string, params = false): string | undefined {
  const compiled = checkingScope(params).compileExactly(expression, 'bool');
  return 'fault' in compiled ? compiled.fault : undefined;
}
