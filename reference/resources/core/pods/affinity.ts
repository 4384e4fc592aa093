import { type FieldError, forbiddenField, invalid, required } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { dns1123Label, dns1123Subdomain, labelValue, qualifiedName } from '../../../api/nameRules.ts';
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../../../api/parts.ts';
import { validateLabelSelector } from '../../../selectors/labelSelectorObject.ts';
import { named } from '../../validation/values.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Faults of where a pod wants to be: on which nodes, and beside which pods. */
export function validateAffinity(affinity: Json | undefined, path: FieldPath): FieldError[] {
  if (!isObject(affinity)) return [];
  return [
    ...(isObject(affinity.nodeAffinity) ? validateNodeAffinity(affinity.nodeAffinity, path.child('nodeAffinity')) : []),
    ...['podAffinity', 'podAntiAffinity'].flatMap((name) => validateNeighbours(affinity[name], path.child(name))),
  ];
}

function validateNodeAffinity(affinity: JsonObject, path: FieldPath): FieldError[] {
  const wanted = affinity[REQUIRED];
  return [
    ...(isObject(wanted) ? validateNodeSelector(wanted, path.child(REQUIRED)) : []),
    ...objectsOf(affinity[PREFERRED]).flatMap((term, index) => {
      const at = path.child(PREFERRED).index(index);
      // What is only preferred may name labels that no node can have.
      return [...validateWeight(term, at), ...validateTerm(objectOf(term.preference), at.child('preference'), false)];
    }),
  ];
}

function validateWeight(term: JsonObject, path: FieldPath): FieldError[] {
  const weight = numberOf(term.weight) ?? 0;
  return weight > 0 && weight <= 100 ? [] : [invalid(path.child('weight'), weight, 'must be in the range 1-100')];
}

/** Faults of a selector of nodes. */
function validateNodeSelector(selector: JsonObject, path: FieldPath): FieldError[] {
  const at = path.child('nodeSelectorTerms');
  const terms = objectsOf(selector.nodeSelectorTerms);
  if (terms.length === 0) return [required(at, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => validateTerm(term, at.index(index), true));
}

function validateTerm(term: JsonObject, path: FieldPath, strict: boolean): FieldError[] {
  return [
    ...objectsOf(term.matchExpressions).flatMap((one, index) =>
      validateExpression(one, path.child('matchExpressions').index(index), strict),
    ),
    ...objectsOf(term.matchFields).flatMap((one, index) =>
      validateFieldMatch(one, path.child('matchFields').index(index)),
    ),
  ];
}

const NO_OPERATOR = 'not a valid selector operator';

function validateExpression(expression: JsonObject, path: FieldPath, strict: boolean): FieldError[] {
  const values = textsOf(expression.values);
  const at = path.child('values');
  const errors: FieldError[] = [];
  switch (expression.operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) errors.push(required(at, "must be specified when `operator` is 'In' or 'NotIn'"));
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        errors.push(forbiddenField(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
      }
      break;
    case 'Gt':
    case 'Lt':
      if (values.length !== 1) {
        errors.push(required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
      }
      break;
    default:
      errors.push(invalid(path.child('operator'), textOf(expression.operator), NO_OPERATOR));
  }
  errors.push(...named(expression.key, qualifiedName, path.child('key')));
  if (strict) errors.push(...values.flatMap((value, index) => named(value, labelValue, at.index(index))));
  return errors;
}

function validateFieldMatch(match: JsonObject, path: FieldPath): FieldError[] {
  const values = textsOf(match.values);
  const errors: FieldError[] = [];
  if (match.operator !== 'In' && match.operator !== 'NotIn') {
    errors.push(invalid(path.child('operator'), textOf(match.operator), NO_OPERATOR));
  } else if (values.length !== 1) {
    const single = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(required(path.child('values'), single));
  }
  if (match.key !== 'metadata.name') {
    return [...errors, invalid(path.child('key'), textOf(match.key), 'not a valid field selector key')];
  }
  return [
    ...errors,
    ...values.flatMap((value, index) => named(value, dns1123Subdomain, path.child('values').index(index))),
  ];
}

function validateNeighbours(affinity: Json | undefined, path: FieldPath): FieldError[] {
  if (!isObject(affinity)) return [];
  return [
    ...objectsOf(affinity[REQUIRED]).flatMap((term, index) => validatePodTerm(term, path.child(REQUIRED).index(index))),
    ...objectsOf(affinity[PREFERRED]).flatMap((term, index) => {
      const at = path.child(PREFERRED).index(index);
      return [
        ...validateWeight(term, at),
        ...validatePodTerm(objectOf(term.podAffinityTerm), at.child('podAffinityTerm')),
      ];
    }),
  ];
}

function validatePodTerm(term: JsonObject, path: FieldPath): FieldError[] {
  const errors = [
    ...validateLabelSelector(term.labelSelector, path.child('labelSelector')),
    ...validateLabelSelector(term.namespaceSelector, path.child('namespaceSelector')),
    ...textsOf(term.namespaces).flatMap((name) => named(name, dns1123Label, path.child('namespace'))),
    ...validateLabelKeys(term, path),
  ];
  const key = textOf(term.topologyKey);
  if (key === '') errors.push(required(path.child('topologyKey'), 'can not be empty'));
  return [...errors, ...named(key, qualifiedName, path.child('topologyKey'))];
}

/** Faults of keys whose values come from the labels of the pod itself. */
function validateLabelKeys(term: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['matchLabelKeys', 'mismatchLabelKeys']) {
    const keys = textsOf(term[field]);
    const at = path.child(field);
    if (keys.length > 0 && !isObject(term.labelSelector)) {
      errors.push(forbiddenField(at, 'must not be specified when labelSelector is not set'));
    } else errors.push(...keys.flatMap((key, index) => named(key, qualifiedName, at.index(index))));
  }
  const matched = textsOf(term.matchLabelKeys);
  errors.push(...selectedTwice(matched, objectOf(term.labelSelector), path));
  const mismatched = textsOf(term.mismatchLabelKeys);
  matched.forEach((key, index) => {
    if (!mismatched.includes(key)) return;
    const both = 'exists in both matchLabelKeys and mismatchLabelKeys';
    errors.push(invalid(path.child('matchLabelKeys').index(index), key, both));
  });
  return errors;
}

/** The selector has one expression for each key already; a second one was the client's. */
function selectedTwice(keys: readonly string[], selector: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set(Object.keys(objectOf(selector.matchLabels)));
  for (const expression of objectsOf(selector.matchExpressions)) {
    const key = textOf(expression.key);
    const index = keys.lastIndexOf(key);
    if (index >= 0 && seen.has(key)) {
      errors.push(invalid(path.index(index), key, 'exists in both matchLabelKeys and labelSelector'));
    }
    seen.add(key);
  }
  return errors;
}
