import type { JsonObject } from '../api/json.ts';
import { type DeclaredType, DYN } from './declaredType.ts';
import { ExpressionScope, type Program } from './program.ts';

/** The most that one expression may cost. */
const BUDGET = 1_000_000;

const STRING: DeclaredType = { kind: 'string' };
const STRINGS: DeclaredType = { kind: 'list', items: STRING };
const USER_FIELDS: Readonly<Record<string, DeclaredType>> = {
  username: STRING,
  uid: STRING,
  groups: STRINGS,
  extra: { kind: 'map', values: STRINGS },
};
const TYPES = {
  claims: { kind: 'map', values: DYN },
  user: {
    kind: 'object',
    fields: new Map(Object.entries(USER_FIELDS).map(([name, type]) => [name, { type, source: name }])),
  },
} as const satisfies Record<string, DeclaredType>;

/** What an expression of an authentication configuration speaks of: the claims of a token, or the user they make. */
export type ClaimVariable = keyof typeof TYPES;

/** An expression could not be evaluated. The message tells no value of a claim. */
export class ExpressionFault extends Error {}

/** A checked expression over one subject. */
export interface SubjectExpression {
  readonly text: string;
  /** Whether it selects a member of its subject by name; `byKey`: as `subject['member']` too. */
  selects(member: string, byKey?: boolean): boolean;
  /** @param value of {@link subjectValue} @throws ExpressionFault */
  evaluate(value: unknown): unknown;
}

const scopes = new Map<ClaimVariable, ExpressionScope>();
function scopeOf(subject: ClaimVariable): ExpressionScope {
  let scope = scopes.get(subject);
  if (!scope) {
    scope = new ExpressionScope({ [subject]: TYPES[subject] });
    scopes.set(subject, scope);
  }
  return scope;
}

/** Claims or a user as expressions see them; made once for all expressions over the same. */
export function subjectValue(subject: ClaimVariable, json: JsonObject): unknown {
  return scopeOf(subject).value(subject, json);
}

/**
 * Compiles an expression (2/authentication-configuration-file/t1.7 to t1.12).
 *
 * @param output what it must come to: a rule to a boolean, which must be certain before it runs; a mapping to anything,
 *   since what claims hold is not known
 * @throws Error that says what is wrong with the expression
 */
export function compileSubjectExpression(
  text: string,
  subject: ClaimVariable,
  output: 'bool' | 'dyn',
): SubjectExpression {
  const compiled = scopeOf(subject).compile(text, output);
  if ('fault' in compiled) throw new Error(compiled.fault);
  const { program } = compiled;
  if (output === 'bool' && program.type !== 'bool') throw new Error('must evaluate to bool');
  return {
    text,
    selects: (member, byKey) => program.selects(subject, member, byKey),
    evaluate: (value) => evaluated(program, text, subject, value),
  };
}

function evaluated(program: Program, text: string, subject: ClaimVariable, value: unknown): unknown {
  const outcome = program.evaluate({ [subject]: value }, BUDGET);
  if ('fault' in outcome) throw new ExpressionFault(`expression '${text}' resulted in error: ${outcome.fault}`);
  return outcome.value;
}
