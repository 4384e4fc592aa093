import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { qualifiedName } from '../../../api/nameRules.ts';
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../../../api/parts.ts';
import { validateLabelSelector } from '../../../selectors/labelSelectorObject.ts';
import { named, optionalOneOf } from '../../validation/values.ts';
import { type PodScope, SINCE } from './scope.ts';

const NOT_POSITIVE = 'must be greater than zero';
const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const POLICIES = ['Honor', 'Ignore'];

/** Faults of how pods are spread. */
export function validateSpread(constraints: Json | undefined, path: FieldPath, { release }: PodScope): FieldError[] {
  const all = objectsOf(constraints);
  return all.flatMap((constraint, index) => {
    const at = path.index(index);
    const errors: FieldError[] = [];
    const skew = numberOf(constraint.maxSkew) ?? 0;
    const key = textOf(constraint.topologyKey);
    const action = textOf(constraint.whenUnsatisfiable);
    if (skew <= 0) errors.push(invalid(at.child('maxSkew'), skew, NOT_POSITIVE));
    if (key === '') errors.push(required(at.child('topologyKey'), 'can not be empty'));
    if (!ACTIONS.includes(action)) errors.push(notSupported(at.child('whenUnsatisfiable'), action, ACTIONS));
    const again = all
      .slice(index + 1)
      .some((other) => textOf(other.topologyKey) === key && textOf(other.whenUnsatisfiable) === action);
    if (again) errors.push(duplicate(at.child('{topologyKey, whenUnsatisfiable}'), `{${key}, ${action}}`));
    return [
      ...errors,
      ...validateDomains(constraint, at.child('minDomains')),
      ...optionalOneOf(constraint.nodeAffinityPolicy, POLICIES, at.child('nodeAffinityPolicy')),
      ...optionalOneOf(constraint.nodeTaintsPolicy, POLICIES, at.child('nodeTaintsPolicy')),
      ...validateKeys(constraint, at.child('matchLabelKeys'), release >= SINCE.spreadBySelector),
      ...validateLabelSelector(constraint.labelSelector, at.child('labelSelector')),
    ];
  });
}

function validateDomains({ minDomains, whenUnsatisfiable }: JsonObject, path: FieldPath): FieldError[] {
  const number = numberOf(minDomains);
  if (number === undefined) return [];
  const errors = number <= 0 ? [invalid(path, number, NOT_POSITIVE)] : [];
  const action = textOf(whenUnsatisfiable);
  if (action !== 'DoNotSchedule') {
    errors.push(invalid(path, number, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`));
  }
  return errors;
}

/**
 * Faults of keys whose values are those of the pod's own labels.
 * @param made whether the service has turned them into expressions of the selector
 */
function validateKeys({ matchLabelKeys, labelSelector }: JsonObject, path: FieldPath, made: boolean): FieldError[] {
  const keys = textsOf(matchLabelKeys);
  if (keys.length === 0) return [];
  const selected = made ? selectedTwice(objectOf(labelSelector)) : selectedKeys(objectOf(labelSelector));
  return [
    ...(isObject(labelSelector) ? [] : [forbiddenField(path, 'must not be specified when labelSelector is not set')]),
    ...keys.flatMap((key, index) => [
      ...named(key, qualifiedName, path.index(index)),
      ...(selected.has(key)
        ? [invalid(path.index(index), key, 'exists in both matchLabelKeys and labelSelector')]
        : []),
    ]),
  ];
}

function selectedKeys(selector: JsonObject): Set<string> {
  const expressions = objectsOf(selector.matchExpressions).map((one) => textOf(one.key));
  return new Set([...Object.keys(objectOf(selector.matchLabels)), ...expressions]);
}

function selectedTwice(selector: JsonObject): Set<string> {
  const seen = new Set(Object.keys(objectOf(selector.matchLabels)));
  const twice = new Set<string>();
  for (const expression of objectsOf(selector.matchExpressions)) {
    const key = textOf(expression.key);
    if (seen.has(key)) twice.add(key);
    seen.add(key);
  }
  return twice;
}
