import { isObject, type JsonObject } from '../api/json.ts';
import type { SelectorRequirement } from './authorizer.ts';

const OPERATORS: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);

/**
 * The requirements of a label selector object, `matchLabels` and `matchExpressions` together; an empty selector
 * matches everything.
 *
 * @returns undefined when an expression has an unknown operator: such a selector matches nothing
 */
export function selectorRequirements(selector: JsonObject): SelectorRequirement[] | undefined {
  const requirements: SelectorRequirement[] = [];
  if (isObject(selector.matchLabels)) {
    for (const [key, value] of Object.entries(selector.matchLabels)) {
      requirements.push({ key, operator: 'In', values: [String(value)] });
    }
  }
  for (const one of Array.isArray(selector.matchExpressions) ? selector.matchExpressions : []) {
    if (!isObject(one) || typeof one.key !== 'string' || !OPERATORS.has(String(one.operator))) return undefined;
    requirements.push({
      key: one.key,
      operator: one.operator as SelectorRequirement['operator'],
      values: Array.isArray(one.values) ? one.values.map(String) : [],
    });
  }
  return requirements;
}

/** Whether labels meet every requirement. */
export function matchesLabels(
  requirements: readonly SelectorRequirement[],
  labels: Readonly<Record<string, string>>,
): boolean {
  return requirements.every((requirement) => meets(requirement, labels));
}

function meets({ key, operator, values }: SelectorRequirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  if (operator === 'In') return value !== undefined && values.includes(value);
  if (operator === 'NotIn') return value === undefined || !values.includes(value);
  return (value !== undefined) === (operator === 'Exists');
}
