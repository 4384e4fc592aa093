import { type FieldError, forbiddenField, invalid, required } from '../api/fieldError.ts';
import type { FieldPath } from '../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { labelValue as labelValueFaults, qualifiedName as qualifiedNameFaults } from '../api/nameRules.ts';
import {
  allOf,
  EVERYTHING,
  type LabelOperator,
  type LabelRequirement,
  type LabelSelector,
  NOTHING,
} from './labelRequirement.ts';

const OBJECT_OPERATORS: ReadonlySet<string> = new Set<LabelOperator>(['In', 'NotIn', 'Exists', 'DoesNotExist']);

/**
 * Faults of a LabelSelector as objects carry it: `matchLabels` and `matchExpressions`. The object must have
 * been decoded by its schema, so that the types of its fields are right; absent fields are fine.
 */
export function validateLabelSelector(selector: Json | undefined, path: FieldPath): FieldError[] {
  if (!isObject(selector)) return [];
  const errors: FieldError[] = [];
  const labels = path.child('matchLabels');
  for (const [key, value] of Object.entries(labelsOf(selector))) {
    for (const fault of qualifiedNameFaults(key)) errors.push(invalid(labels, key, fault));
    for (const fault of labelValueFaults(value)) errors.push(invalid(labels, value, fault));
  }
  for (const [index, expression] of expressionsOf(selector).entries()) {
    errors.push(...validateLabelSelectorRequirement(expression, path.child('matchExpressions').index(index)));
  }
  return errors;
}

/** Faults of one item of `matchExpressions`. */
export function validateLabelSelectorRequirement(expression: JsonObject, path: FieldPath): FieldError[] {
  const { key, operator, values } = partsOf(expression);
  const errors: FieldError[] = [];
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      errors.push(required(path.child('values'), "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      errors.push(
        forbiddenField(path.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
      );
    }
  } else errors.push(invalid(path.child('operator'), operator, 'not a valid selector operator'));
  for (const fault of qualifiedNameFaults(key)) errors.push(invalid(path.child('key'), key, fault));
  for (const [index, value] of values.entries()) {
    for (const fault of labelValueFaults(value)) errors.push(invalid(path.child('values').index(index), value, fault));
  }
  return errors;
}

/**
 * What a LabelSelector object selects. An empty one selects everything; an absent one what its field says, which
 * for most is nothing. A requirement with an unknown operator never holds: an object that says something
 * unknown must not select more than was meant.
 */
export function labelSelectorFromObject(
  selector: Json | undefined,
  absent: 'nothing' | 'everything' = 'nothing',
): LabelSelector {
  if (!isObject(selector)) return absent === 'nothing' ? NOTHING : EVERYTHING;
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of Object.entries(labelsOf(selector)))
    requirements.push({ key, operator: 'In', values: [value] });
  for (const expression of expressionsOf(selector)) {
    const { key, operator, values } = partsOf(expression);
    if (!OBJECT_OPERATORS.has(operator)) return NOTHING;
    requirements.push({ key, operator: operator as LabelOperator, values });
  }
  return allOf(requirements);
}

function labelsOf(selector: JsonObject): Record<string, string> {
  return isObject(selector.matchLabels) ? (selector.matchLabels as Record<string, string>) : {};
}
function expressionsOf(selector: JsonObject): JsonObject[] {
  return Array.isArray(selector.matchExpressions) ? selector.matchExpressions.filter(isObject) : [];
}
function partsOf(expression: JsonObject): { key: string; operator: string; values: string[] } {
  const text = (value: Json | undefined) => (typeof value === 'string' ? value : '');
  const values = Array.isArray(expression.values) ? expression.values.map(text) : [];
  return { key: text(expression.key), operator: text(expression.operator), values };
}
