import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject, repeatedAt } from '../../../api/json.ts';
import { dns1123Label, dns1123Subdomain, labelValue, qualifiedName } from '../../../api/nameRules.ts';
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../../../api/parts.ts';
import { validateLabelSelector } from '../../../selectors/labelSelectorObject.ts';
import type { RuleContext } from '../../builtinType.ts';
import { named, optionalOneOf } from '../../validation/fields.ts';
import { type PodScope, SINCE } from './scope.ts';

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
export function validateNodeSelector(selector: JsonObject, path: FieldPath): FieldError[] {
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
  const mismatched = new Set(textsOf(term.mismatchLabelKeys));
  matched.forEach((key, index) => {
    if (!mismatched.has(key)) return;
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

const NOT_POSITIVE = 'must be greater than zero';
const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const POLICIES = ['Honor', 'Ignore'];

/** Faults of how pods are spread. */
export function validateSpread(constraints: Json | undefined, path: FieldPath, { release }: PodScope): FieldError[] {
  const all = objectsOf(constraints);
  const pairOf = (one: JsonObject): Json => [textOf(one.topologyKey), textOf(one.whenUnsatisfiable)];
  // What stands again further on is the repeated one.
  const repeated = repeatedAt(all.map(pairOf).reverse());
  return all.flatMap((constraint, index) => {
    const at = path.index(index);
    const errors: FieldError[] = [];
    const skew = numberOf(constraint.maxSkew) ?? 0;
    const key = textOf(constraint.topologyKey);
    const action = textOf(constraint.whenUnsatisfiable);
    if (skew <= 0) errors.push(invalid(at.child('maxSkew'), skew, NOT_POSITIVE));
    if (key === '') errors.push(required(at.child('topologyKey'), 'can not be empty'));
    if (!ACTIONS.includes(action)) errors.push(notSupported(at.child('whenUnsatisfiable'), action, ACTIONS));
    if (repeated.has(all.length - 1 - index))
      errors.push(duplicate(at.child('{topologyKey, whenUnsatisfiable}'), `{${key}, ${action}}`));
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
  const selected = made ? repeatedKeys(objectOf(labelSelector)) : selectedKeys(objectOf(labelSelector));
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

function repeatedKeys(selector: JsonObject): Set<string> {
  const seen = new Set(Object.keys(objectOf(selector.matchLabels)));
  const twice = new Set<string>();
  for (const expression of objectsOf(selector.matchExpressions)) {
    const key = textOf(expression.key);
    if (seen.has(key)) twice.add(key);
    seen.add(key);
  }
  return twice;
}

/** Effects of taints. */
const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Faults of the taints that a pod tolerates. */
export function validateTolerations(tolerations: Json | undefined, path: FieldPath): FieldError[] {
  return objectsOf(tolerations).flatMap((toleration, index) => validateToleration(toleration, path.index(index)));
}

function validateToleration(toleration: JsonObject, path: FieldPath): FieldError[] {
  const key = textOf(toleration.key);
  const operator = textOf(toleration.operator);
  const value = textOf(toleration.value);
  const effect = textOf(toleration.effect);
  const errors = key === '' ? [] : named(key, qualifiedName, path.child('key'));
  if (key === '' && operator !== 'Exists') {
    const all = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(invalid(path.child('operator'), operator, all));
  }
  if (numberOf(toleration.tolerationSeconds) !== undefined && effect !== 'NoExecute') {
    errors.push(invalid(path.child('effect'), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
  }
  errors.push(...validateOperator(operator, value, path.child('operator')));
  if (effect !== '') errors.push(...optionalOneOf(effect, TAINT_EFFECTS, path.child('effect')));
  return errors;
}

function validateOperator(operator: string, value: string, path: FieldPath): FieldError[] {
  switch (operator) {
    case '':
    case 'Equal': {
      const faults = labelValue(value);
      return faults.length > 0 ? [invalid(path, value, faults.join(';'))] : [];
    }
    case 'Exists':
      return value === '' ? [] : [invalid(path, value, "value must be empty when `operator` is 'Exists'")];
    default:
      return [notSupported(path, operator, ['Equal', 'Exists'])];
  }
}

/** Labels of nodes that have new names: the old prefix and name, since when, the new ones. */
const OLD_LABELS: readonly (readonly [string, string, string])[] = [
  ['beta.{domain}/arch', 'v1.14', '{domain}/arch'],
  ['beta.{domain}/os', 'v1.14', '{domain}/os'],
  ['failure-domain.beta.{domain}/region', 'v1.17', 'topology.{domain}/region'],
  ['failure-domain.beta.{domain}/zone', 'v1.17', 'topology.{domain}/zone'],
  ['beta.{domain}/instance-type', 'v1.17', 'node.{domain}/instance-type'],
];

/** What is to be said of a label of nodes; undefined for those that are in use. */
function nodeLabelWarning(label: string, domain: string): string | undefined {
  for (const [old, since, name] of OLD_LABELS) {
    if (old.replace('{domain}', domain) !== label) continue;
    return `deprecated since ${since}; use ${JSON.stringify(name.replace('{domain}', domain))} instead`;
  }
  return undefined;
}

/** Warnings about where a pod is to run. */
export function placementWarnings(spec: JsonObject, path: FieldPath, { dialect }: RuleContext): string[] {
  const { labelDomain } = dialect;
  const warnings: string[] = [];
  for (const label of Object.keys(objectOf(spec.nodeSelector))) {
    const text = nodeLabelWarning(label, labelDomain);
    if (text !== undefined) warnings.push(`${path.child('nodeSelector').key(label)}: ${text}`);
  }
  const affinity = objectOf(objectOf(spec.affinity).nodeAffinity);
  const at = path.child('affinity', 'nodeAffinity');
  const wanted = 'requiredDuringSchedulingIgnoredDuringExecution';
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  objectsOf(objectOf(affinity[wanted]).nodeSelectorTerms).forEach((term, index) => {
    warnings.push(...termWarnings(term, at.child(wanted, 'nodeSelectorTerms').index(index), labelDomain));
  });
  objectsOf(affinity[preferred]).forEach((term, index) => {
    const place = at.child(preferred).index(index).child('preference');
    warnings.push(...termWarnings(objectOf(term.preference), place, labelDomain));
  });
  objectsOf(spec.topologySpreadConstraints).forEach((constraint, index) => {
    const place = path.child('topologySpreadConstraints').index(index);
    const key = textOf(constraint.topologyKey);
    const text = nodeLabelWarning(key, labelDomain);
    if (text !== undefined) warnings.push(`${place.child('topologyKey')}: ${key} is ${text}`);
    if (!isObject(constraint.labelSelector)) {
      warnings.push(`${place.child('labelSelector')}: a null labelSelector results in matching no pod`);
    }
  });
  return warnings;
}

function termWarnings(term: JsonObject, path: FieldPath, domain: string): string[] {
  return objectsOf(term.matchExpressions).flatMap((expression, index) => {
    const key = textOf(expression.key);
    const text = nodeLabelWarning(key, domain);
    return text === undefined ? [] : [`${path.child('matchExpressions').index(index).child('key')}: ${key} is ${text}`];
  });
}
