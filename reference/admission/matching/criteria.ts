import type { Json, JsonObject } from '../../api/json.ts';
import { objectsOf, textOf, textsOf } from '../../api/parts.ts';
import type { LabelSelector } from '../../selectors/labelRequirement.ts';
import { labelSelectorFromObject } from '../../selectors/labelSelectorObject.ts';
import type { RequestRule } from './target.ts';

/** A rule that may hold for objects of certain names alone. */
export interface NamedRule extends RequestRule {
  /** Undefined or empty: of any name. */
  readonly names?: readonly string[];
}

/** Which requests something is about. */
export interface Criteria {
  /** Any of them must cover the request; undefined covers all. */
  readonly rules: readonly NamedRule[] | undefined;
  /** None of them may. */
  readonly excluded?: readonly NamedRule[];
  /** Requests through another version of a listed resource count too (1/validatingwebhookconfiguration/t1.14). */
  readonly equivalent: boolean;
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
}

/** What restricts nothing. */
export const ANY_REQUEST: Criteria = {
  rules: undefined,
  equivalent: true,
  namespaceSelector: selectorOf(undefined),
  objectSelector: selectorOf(undefined),
};

/** The `matchResources` of a policy or of a binding. */
export function criteriaOf(match: JsonObject): Criteria {
  const rules = objectsOf(match.resourceRules).map(namedRuleOf);
  return {
    rules: rules.length > 0 ? rules : undefined,
    excluded: objectsOf(match.excludeResourceRules).map(namedRuleOf),
    equivalent: match.matchPolicy !== 'Exact',
    namespaceSelector: selectorOf(match.namespaceSelector),
    objectSelector: selectorOf(match.objectSelector),
  };
}

export function ruleOf(rule: JsonObject): RequestRule {
  return {
    groups: textsOf(rule.apiGroups),
    versions: textsOf(rule.apiVersions),
    operations: textsOf(rule.operations),
    resources: textsOf(rule.resources),
    scope: textOf(rule.scope) || '*',
  };
}

function namedRuleOf(rule: JsonObject): NamedRule {
  return { ...ruleOf(rule), names: textsOf(rule.resourceNames) };
}

/** What an older configuration leaves out restricts nothing. */
export function selectorOf(selector: Json | undefined): LabelSelector {
  return labelSelectorFromObject(selector, 'everything');
}
