import { matchCondition, matchConditionScope } from '../../cel/matchConditions.ts';
import type { Program } from '../../cel/program.ts';
import type { Authorizer } from '../../contracts/authorizer.ts';
import { AuthorizerQuestions } from './authorizerQuestions.ts';
import type { ConditionOutcome, ConditionVariables, MatchCondition, MatchConditions } from './conditions.ts';

/** The most that one expression may cost, and all conditions of a hook together. */
const EXPRESSION_BUDGET = 1_000_000;
const HOOK_BUDGET = 2_500_000;
const BUDGET_SPENT = 'validation failed due to running out of cost budget, no further validation rules will be run';

type Judged = { readonly value: boolean } | { readonly fault: string };

/** Match conditions as CEL expressions (1/validatingwebhookconfiguration/p4). */
export function celConditions(authorizer: Authorizer): MatchConditions {
  return {
    async evaluate(conditions, variables) {
      const questions = new AuthorizerQuestions(authorizer, variables.user);
      const values = valuesOf(variables, questions);
      // An expression that asks what an authorizer cannot say at once is tried again with its answer.
      for (;;) {
        const outcome = evaluateAll(conditions, values);
        if (!(await questions.answered())) return outcome;
      }
    },
  };
}

/** Every condition is looked at until one is FALSE; faults count only where none is. */
function evaluateAll(conditions: readonly MatchCondition[], values: Values): ConditionOutcome {
  const faults: string[] = [];
  let left = HOOK_BUDGET;
  for (const { expression } of conditions) {
    const compiled = matchCondition(expression.trim());
    if ('fault' in compiled) {
      faults.push(`compilation error: ${compiled.fault}`);
      continue;
    }
    const { judged, cost } = judge(compiled.program, expression.trim(), values);
    left -= cost;
    if (left < 0) return { error: BUDGET_SPENT };
    if ('fault' in judged) faults.push(judged.fault);
    else if (!judged.value) return 'skip';
  }
  if (faults.length === 0) return 'match';
  const [only] = faults;
  return { error: faults.length === 1 && only !== undefined ? only : `[${[...new Set(faults)].join(', ')}]` };
}

function judge(program: Program, expression: string, values: Values): { judged: Judged; cost: number } {
  const outcome = program.evaluate(values, EXPRESSION_BUDGET);
  const fault = (why: string): Judged => ({ fault: `expression '${expression}' resulted in error: ${why}` });
  if ('fault' in outcome) return { judged: fault(outcome.fault), cost: outcome.cost };
  const { value, cost } = outcome;
  return { judged: typeof value === 'boolean' ? { value } : fault('it did not evaluate to a boolean'), cost };
}

type Values = Readonly<Record<string, unknown>>;

function valuesOf(
  { object, oldObject, params = null, request, resource, name }: ConditionVariables,
  questions: AuthorizerQuestions,
): Values {
  const scope = matchConditionScope();
  const { group, resource: plural, subresource, namespace } = resource;
  return {
    object: scope.value('object', object),
    oldObject: scope.value('oldObject', oldObject),
    params: scope.value('params', params),
    request: scope.value('request', request),
    namespaceObject: scope.value('namespaceObject', null),
    authorizer: questions.value({ group, resource: plural, subresource, namespace, name }),
  };
}
