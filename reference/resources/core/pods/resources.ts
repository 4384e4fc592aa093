import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  notFoundField,
  required,
} from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { dns1123Label } from '../../../api/nameRules.ts';
import { objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  scaledValue,
} from '../../../schema/quantity.ts';
import { NEGATIVE, named } from '../../validation/values.ts';
import { containerRequests } from './requests.ts';
import {
  isHugePages,
  isOvercommittable,
  isWhole,
  validateContainerResource,
  validatePodResource,
} from './resourceNames.ts';
import type { PodScope } from './scope.ts';

type NameCheck = (name: string, path: FieldPath, scope: PodScope) => FieldError[];

/** Faults of what a container asks for and may use. */
export function validateContainerResources(
  resources: Json | undefined,
  path: FieldPath,
  scope: PodScope & { readonly claimNames: ReadonlySet<string> },
): FieldError[] {
  return validateResources(objectOf(resources), path, scope, validateContainerResource);
}

/** Faults of an amount of a resource. */
export function validateAmount(name: string, text: string, path: FieldPath, domain: string): FieldError[] {
  const amount = parseQuantity(text);
  const errors = amount.digits < 0n ? [invalid(path, text, NEGATIVE)] : [];
  if (isWhole(name, domain) && scaledValue(amount, -3) % 1000n !== 0n) {
    errors.push(invalid(path, text, 'must be an integer'));
  }
  return errors;
}

function validateResources(
  resources: JsonObject,
  path: FieldPath,
  scope: PodScope & { readonly claimNames: ReadonlySet<string> },
  checkName: NameCheck,
): FieldError[] {
  const limits = objectOf(resources.limits);
  const requests = objectOf(resources.requests);
  const errors: FieldError[] = [];
  for (const [name, amount] of Object.entries(limits)) {
    const at = path.child('limits').key(name);
    errors.push(...checkName(name, at, scope), ...validateAmount(name, textOf(amount), at, scope.labelDomain));
    errors.push(...validatePages(name, textOf(amount), at));
  }
  for (const [name, amount] of Object.entries(requests)) {
    const at = path.child('requests').key(name);
    errors.push(...checkName(name, at, scope), ...validateAmount(name, textOf(amount), at, scope.labelDomain));
    errors.push(...validateLimit(name, textOf(amount), limits, path, scope));
    errors.push(...validatePages(name, textOf(amount), at));
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.some((name) => name === 'cpu' || name === 'memory')) {
    errors.push(forbiddenField(path, 'HugePages require cpu or memory'));
  }
  return [...errors, ...validateClaims(resources.claims, path.child('claims'), scope.claimNames)];
}

function validateLimit(
  name: string,
  text: string,
  limits: JsonObject,
  path: FieldPath,
  { labelDomain }: PodScope,
): FieldError[] {
  const flexible = isOvercommittable(name, labelDomain);
  if (!Object.hasOwn(limits, name)) {
    return flexible ? [] : [required(path.child('limits'), 'Limit must be set for non overcommitable resources')];
  }
  const limit = textOf(limits[name]);
  const order = compareQuantities(parseQuantity(text), parseQuantity(limit));
  if (order !== 0 && !flexible) {
    return [invalid(path.child('requests'), text, `must be equal to ${name} limit of ${limit}`)];
  }
  if (order <= 0) return [];
  return [invalid(path.child('requests'), text, `must be less than or equal to ${name} limit of ${limit}`)];
}

/** Huge pages are taken whole; their size is in their name. */
function validatePages(name: string, text: string, path: FieldPath): FieldError[] {
  if (!isHugePages(name)) return [];
  const size = sizeOf(name.slice('hugepages-'.length));
  const amount = parseQuantity(text);
  const bytes = scaledValue(amount, 0);
  if (size !== undefined && size > 0n && bytes % size === 0n && bytes >= 0n) return [];
  return [invalid(path, text, `${text} is not positive integer multiple of ${name}`)];
}

function sizeOf(text: string): bigint | undefined {
  try {
    return scaledValue(parseQuantity(text), 0);
  } catch {
    return undefined;
  }
}

function validateClaims(claims: Json | undefined, path: FieldPath, known: ReadonlySet<string>): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  objectsOf(claims).forEach((claim, index) => {
    const at = path.index(index);
    const name = textOf(claim.name);
    if (name === '') {
      errors.push(required(at));
      return;
    }
    const request = textOf(claim.request);
    const key = request === '' ? name : `${name}/${request}`;
    if (seen.has(name)) errors.push(duplicate(at, name));
    else {
      if (request !== '') errors.push(...named(request, dns1123Label, at.child('request')));
      if (seen.has(key)) errors.push(duplicate(at, key));
      else if (request === '' && [...seen].some((other) => other.startsWith(`${name}/`))) {
        errors.push(duplicate(at, name));
      }
      seen.add(key);
    }
    if (!known.has(name)) {
      const names = known.size === 0 ? ' which is empty' : `: ${[...known].sort().join(', ')}`;
      const missing = notFoundField(at, name);
      errors.push({
        ...missing,
        message: `${missing.message}: must be one of the names in pod.spec.resourceClaims${names}`,
      });
    }
  });
  return errors;
}

/** Faults of what a pod as a whole asks for: it must cover what its containers do. */
export function validatePodResources(
  spec: JsonObject,
  path: FieldPath,
  scope: PodScope & { readonly claimNames: ReadonlySet<string> },
): FieldError[] {
  if (!isObject(spec.resources)) return [];
  const errors: FieldError[] = [];
  if (objectsOf(spec.resources.claims).length > 0) {
    errors.push(forbiddenField(path.child('claims'), 'claims cannot be set for Resources at pod-level'));
  }
  errors.push(...validateResources(spec.resources, path, scope, validatePodResource));
  const requests = objectOf(spec.resources.requests);
  for (const [name, amount] of containerRequests(spec)) {
    const whole = Object.hasOwn(requests, name) ? textOf(requests[name]) : '0';
    if (compareQuantities(amount, parseQuantity(whole)) <= 0) continue;
    const detail = `must be greater than or equal to aggregate container requests of ${formatQuantity(amount)}`;
    errors.push(invalid(path.child('requests').key(name), whole, detail));
  }
  return [...errors, ...limitsWithin(spec, objectOf(spec.resources.limits), path)];
}

function limitsWithin(spec: JsonObject, whole: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const limits = new Map<string, Quantity>(
    Object.entries(whole).map(([name, amount]) => [name, parseQuantity(textOf(amount))]),
  );
  objectsOf(spec.containers).forEach((container, index) => {
    for (const [name, amount] of Object.entries(objectOf(objectOf(container.resources).limits))) {
      const limit = limits.get(name);
      if (!limit || compareQuantities(parseQuantity(textOf(amount)), limit) <= 0) continue;
      const at = path.child('containers').index(index).key(name).child('limits');
      errors.push(invalid(at, amount, `must be less than or equal to pod limits of ${textOf(whole[name])}`));
    }
  });
  return errors;
}
