import { type FieldError, invalid, notSupported } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import type { JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf, textOf } from '../../api/parts.ts';
import { validateLabelSelector } from '../../selectors/labelSelectorObject.ts';
import type { RuleMaker } from '../builtinType.ts';
import { validateConditions } from '../validation/conditions.ts';
import { budgetCounts, countOrShare, notOverAll, validateCounts } from '../workloads/replicas.ts';

const SPEC = FieldPath.of('spec');
const LIMITS = ['minAvailable', 'maxUnavailable'];
const EVICTIONS = ['AlwaysAllow', 'IfHealthyBudget'];

export const podDisruptionBudgetRules: RuleMaker = () => ({
  strategy: { validate: validateBudget, validateUpdate: (budget) => validateBudget(budget) },
  subresources: {
    status: {
      validateUpdate: (budget, old) => [
        ...validateConditions(objectOf(budget.status).conditions, FieldPath.of('status', 'conditions')),
        ...validateCounts(budget, old, budgetCounts),
      ],
    },
  },
});

function validateBudget(budget: ApiObject): FieldError[] {
  const spec = objectOf(budget.spec);
  const errors: FieldError[] = [];
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    errors.push(invalid(SPEC, shownSpec(spec), 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const name of LIMITS) {
    if (spec[name] === undefined) continue;
    errors.push(...countOrShare(spec[name], SPEC.child(name)), ...notOverAll(spec[name], SPEC.child(name)));
  }
  errors.push(...validateLabelSelector(spec.selector, SPEC.child('selector')));
  const policy = spec.unhealthyPodEvictionPolicy;
  if (policy !== undefined && !EVICTIONS.includes(textOf(policy))) {
    errors.push(notSupported(SPEC.child('unhealthyPodEvictionPolicy'), textOf(policy), EVICTIONS));
  }
  return errors;
}

function shownSpec({ minAvailable, selector, maxUnavailable, unhealthyPodEvictionPolicy }: JsonObject): JsonObject {
  return {
    MinAvailable: minAvailable ?? null,
    Selector: selector ?? null,
    MaxUnavailable: maxUnavailable ?? null,
    UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
  };
}
