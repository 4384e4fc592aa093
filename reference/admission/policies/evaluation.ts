import type { Staged } from '../../api/staged.ts';
import type { EvaluationResult } from '../../cel/program.ts';
import { EXPRESSION_BUDGET, LazyVariables } from './lazyVariables.ts';
import type { Policy, Validation } from './policy.ts';
import { type PolicyExpression, type PolicyPrograms, programsOf } from './programs.ts';

/** What all expressions of one kind may cost together, for one request and one set of parameters. */
const POLICY_BUDGET = 10_000_000;
const BUDGET_SPENT = 'validation failed due to running out of cost budget, no further validation rules will be run';
/** What expressions may cost in one turn. */
const COST_OF_A_TURN = 16_384;
/** What beginning one takes in a turn, though it costs nothing. */
const BEGINNING = 32;
/** Bytes of a computed message, and of the value of an audit annotation. */
const LONGEST_MESSAGE = 5 * 1024;
const LONGEST_ANNOTATION = 10 * 1024;

/** A rule that does not hold, or of which that cannot be told. */
export interface Failure {
  /** Number of the validation in its policy. */
  readonly index: number;
  readonly message: string;
  /** Empty where there is none of its own. */
  readonly reason: string;
}
/** What a policy says of one request with one set of parameters. */
export interface PolicyEvaluation {
  readonly failures: readonly Failure[];
  readonly annotations: readonly { readonly key: string; readonly value: string }[];
  /** Why annotations could not be made; each refuses the request. */
  readonly annotationFaults: readonly string[];
}

export const NOTHING_SAID: PolicyEvaluation = { failures: [], annotations: [], annotationFaults: [] };

/** The values of everything that expressions speak of, but for variables. */
export type PolicyValues = Readonly<Record<string, unknown>>;

/** One fault that stands for the whole policy. */
export function failedWhole(message: string, { ignoresFailure }: Policy): PolicyEvaluation {
  return ignoresFailure ? NOTHING_SAID : { ...NOTHING_SAID, failures: [{ index: 0, message, reason: '' }] };
}

/**
 * Judges a request by the rules of a policy, with turns for others between them where they take long.
 * @param values without `variables`; the authorizer is left out for messages
 */
export function* judge(policy: Policy, values: PolicyValues): Staged<PolicyEvaluation> {
  const programs = programsOf(policy);
  const variables = new LazyVariables(programs.scopes.variables, values);
  const rules = new Budgeted(variables, values);
  const outcomes: Result[] = [];
  for (const { rule } of programs.validations) {
    const result = rules.evaluate(rule);
    if (!result) return failedWhole(BUDGET_SPENT, policy);
    outcomes.push(result);
    if (rules.due) yield;
  }
  const failures = failuresOf(policy, programs, outcomes, rules, values);
  const annotated = annotate(policy, programs, new Budgeted(variables, values));
  return annotated ? { failures, ...annotated } : failedWhole(BUDGET_SPENT, policy);
}

type Result = { readonly value: unknown } | { readonly fault: string };

/** Evaluates expressions until their budget is spent. */
class Budgeted {
  readonly #variables: LazyVariables;
  readonly #values: PolicyValues;
  #left: number;
  /** What was spent since others had their turn. */
  #passed = 0;

  constructor(variables: LazyVariables, values: PolicyValues, left = POLICY_BUDGET) {
    this.#variables = variables;
    this.#values = values;
    this.#left = left;
  }

  /** Whether so much was spent since others had their turn that they are to have it now. */
  get due(): boolean {
    if (this.#passed < COST_OF_A_TURN) return false;
    this.#passed = 0;
    return true;
  }

  /** The same budget over other values. */
  over(values: PolicyValues): Budgeted {
    return new Budgeted(this.#variables, values, this.#left);
  }

  /** Undefined when the budget is spent. */
  evaluate({ expression, compiled, scope }: PolicyExpression): Result | undefined {
    if ('fault' in compiled) return { fault: `compilation error: ${compiled.fault}` };
    const outcome: EvaluationResult = compiled.program.evaluate(
      this.#variables.in(scope, this.#values),
      EXPRESSION_BUDGET,
    );
    const cost = outcome.cost + this.#variables.takeCost();
    this.#passed += cost + BEGINNING;
    this.#left -= cost;
    if (this.#left < 0) return undefined;
    if ('value' in outcome) return { value: outcome.value };
    return { fault: `expression '${expression}' resulted in error: ${outcome.fault}` };
  }
}

function failuresOf(
  policy: Policy,
  { validations }: PolicyPrograms,
  results: readonly Result[],
  rules: Budgeted,
  { authorizer: _, ...values }: PolicyValues,
): Failure[] {
  const failures: Failure[] = [];
  const messages = rules.over(values);
  let spent = false;
  for (const [index, result] of results.entries()) {
    const one = validations[index];
    if (!one) continue;
    if ('fault' in result) {
      if (!policy.ignoresFailure) failures.push({ index, message: result.fault, reason: '' });
      continue;
    }
    if (result.value === true) continue;
    const computed: Result | undefined = one.message && !spent ? messages.evaluate(one.message) : { value: null };
    spent ||= computed === undefined;
    if (spent) {
      if (!policy.ignoresFailure) {
        failures.push({ index, message: `failed messageExpression: ${BUDGET_SPENT}`, reason: '' });
      }
      continue;
    }
    failures.push({ index, message: messageOf(one.validation, computed), reason: one.validation.reason });
  }
  return failures;
}

/** The computed message, the written one, or the rule itself. */
function messageOf({ message, expression }: Validation, computed: Result | undefined): string {
  const text = computed && 'value' in computed && typeof computed.value === 'string' ? computed.value.trim() : '';
  if (text !== '' && Buffer.byteLength(text) <= LONGEST_MESSAGE && !text.includes('\n')) return text;
  return message.trim() || `failed expression: ${expression.trim()}`;
}

/** Undefined when the budget is spent. */
function annotate(
  policy: Policy,
  programs: PolicyPrograms,
  budgeted: Budgeted,
): Omit<PolicyEvaluation, 'failures'> | undefined {
  const annotations: { key: string; value: string }[] = [];
  const annotationFaults: string[] = [];
  for (const { annotation, value } of programs.annotations) {
    const result = budgeted.evaluate(value);
    if (!result) return undefined;
    if ('fault' in result) {
      if (!policy.ignoresFailure) annotationFaults.push(result.fault);
    } else if (typeof result.value === 'string') {
      const text = result.value.trim();
      if (text !== '') annotations.push({ key: annotation.key, value: cut(text) });
    } else if (result.value !== null) {
      annotationFaults.push(
        `valueExpression '${annotation.valueExpression}' resulted in unsupported return type. Return type must be either string or null.`,
      );
    }
  }
  return { annotations, annotationFaults };
}

function cut(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= LONGEST_ANNOTATION ? text : bytes.subarray(0, LONGEST_ANNOTATION).toString();
}
