import { isObject, type Json, type JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { listOf, objectOf, objectsOf } from '../../api/parts.ts';
import type { DeprecatedVersions } from '../builtinType.ts';
import { withMember, withSpec } from '../conversion/reshape.ts';

/*
 * PodDisruptionBudgets in policy/v1beta1, where the empty selector selects no pod; in policy/v1 it selects all of them
 * (3/removed-api-versions-by-release/t1.10). Each version says the meaning of the other by a requirement on a label
 * that no pod has.
 */

/** PodDisruptionBudgets. */
export const deprecatedBudgets: DeprecatedVersions = (_, { dialect }) => {
  const key = `pdb.${dialect.labelDomain}/deprecated-v1beta1-empty-selector-match`;
  const nobody: JsonObject = { matchExpressions: [{ key, operator: 'Exists' }] };
  const everybody: JsonObject = { matchExpressions: [{ key, operator: 'DoesNotExist' }] };
  const says = (selector: JsonObject, operator: string): boolean => {
    const [only, ...more] = objectsOf(selector.matchExpressions);
    const bare = Object.keys(objectOf(selector.matchLabels)).length === 0 && more.length === 0;
    return bare && only?.key === key && only.operator === operator && listOf(only.values).length === 0;
  };
  return {
    conversions: {
      v1beta1: {
        toStorage: (budget) =>
          withSelector(budget, (selector) =>
            isEmpty(selector) ? nobody : says(selector, 'DoesNotExist') ? {} : selector,
          ),
        fromStorage: (budget) =>
          withSelector(budget, (selector) =>
            isEmpty(selector) ? everybody : says(selector, 'Exists') ? {} : selector,
          ),
      },
    },
  };
};

function withSelector(budget: ApiObject, change: (selector: JsonObject) => Json): ApiObject {
  return withSpec(budget, (spec) => withMember(spec, 'selector', change));
}

function isEmpty({ matchLabels, matchExpressions }: JsonObject): boolean {
  return !(isObject(matchLabels) && Object.keys(matchLabels).length > 0) && listOf(matchExpressions).length === 0;
}
