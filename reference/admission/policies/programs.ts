import { DYN } from '../../cel/declaredType.ts';
import { PolicyScopes } from '../../cel/policyScopes.ts';
import type { Compiled, ExpressionScope } from '../../cel/program.ts';
import type { AuditAnnotation, Policy, Validation } from './policy.ts';

/** An expression of a policy that can be evaluated, or why it cannot. */
export interface PolicyExpression {
  readonly expression: string;
  readonly compiled: Compiled;
  readonly scope: ExpressionScope;
}

/** The expressions of a policy, compiled. */
export interface PolicyPrograms {
  readonly scopes: PolicyScopes;
  readonly validations: readonly {
    readonly validation: Validation;
    readonly rule: PolicyExpression;
    readonly message: PolicyExpression | undefined;
  }[];
  readonly annotations: readonly { readonly annotation: AuditAnnotation; readonly value: PolicyExpression }[];
}

const kept = new WeakMap<Policy, PolicyPrograms>();

/** The programs of a policy, made for its first request. */
export function programsOf(policy: Policy): PolicyPrograms {
  let programs = kept.get(policy);
  if (!programs) {
    programs = compile(policy);
    kept.set(policy, programs);
  }
  return programs;
}

function compile({ paramKind, variables, validations, annotations }: Policy): PolicyPrograms {
  const scopes = new PolicyScopes({ params: paramKind && DYN, strict: false });
  for (const { name, expression } of variables) scopes.define(name, expression);
  const { scope, messageScope } = scopes;
  const made = (expression: string, own: ExpressionScope, type: 'bool' | 'string' | 'dyn'): PolicyExpression => ({
    expression,
    compiled: own.compile(expression, type),
    scope: own,
  });
  return {
    scopes,
    validations: validations.map((validation) => ({
      validation,
      rule: made(validation.expression, scope, 'bool'),
      message: validation.messageExpression ? made(validation.messageExpression, messageScope, 'string') : undefined,
    })),
    annotations: annotations.map((annotation) => ({
      annotation,
      value: made(annotation.valueExpression, scope, 'dyn'),
    })),
  };
}
