import { duplicate, type FieldError, invalid, required, tooMany } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../api/json.ts';
import { dns1123Label, dns1123Subdomain } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { listOf, numberOf, objectOf, objectsOf, textOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';
import { choiceFaults, immutableFaults, requiredNameFaults } from '../validation/fields.ts';

const SPEC = FieldPath.of('spec');
const MODES = ['All', 'ExactCount'];
const OPERATORS = ['Equal', 'Exists'];
const EFFECTS = ['NoExecute', 'NoSchedule', 'None'];
const MOST_REQUESTS = 32;

export const resourceClaimRules: RuleMaker = () => ({
  strategy: {
    validate: (claim) => validateSpec(objectOf(claim.spec), SPEC),
    validateUpdate: (claim, old) => immutableFaults(objectOf(claim.spec), objectOf(old.spec), SPEC),
  },
  defaults: { v1: (claim) => fillSpec(objectOf(claim.spec)) },
});

export const resourceClaimTemplateRules: RuleMaker = () => ({
  strategy: {
    validate: (template) => validateSpec(objectOf(objectOf(template.spec).spec), SPEC.child('spec')),
    validateUpdate: (template, old) => immutableFaults(objectOf(template.spec), objectOf(old.spec), SPEC),
  },
  defaults: { v1: (template) => fillSpec(objectOf(objectOf(template.spec).spec)) },
});

export const deviceClassRules: RuleMaker = () => ({
  strategy: {
    validate: (one) => validateSelectors(objectOf(one.spec).selectors, SPEC.child('selectors')),
    validateUpdate: (one) => validateSelectors(objectOf(one.spec).selectors, SPEC.child('selectors')),
  },
});

export const resourceSliceRules: RuleMaker = () => ({
  strategy: {
    validate: validateSlice,
    validateUpdate: (slice, old) => [
      ...validateSlice(slice),
      ...['nodeName', 'driver'].flatMap((name) =>
        immutableFaults(objectOf(slice.spec)[name], objectOf(old.spec)[name], SPEC.child(name)),
      ),
    ],
  },
  selectableFields: {
    'spec.driver': (slice) => textOf(objectOf(slice.spec).driver),
    'spec.nodeName': (slice) => textOf(objectOf(slice.spec).nodeName),
  },
});

/** Everything that asks for devices: a request, or one of its alternatives. */
function wishesOf(request: JsonObject): JsonObject[] {
  return [request.exactly, ...listOf(request.firstAvailable)].filter(isObject);
}

function fillSpec(spec: JsonObject): void {
  for (const request of listOf(objectOf(spec.devices).requests).filter(isObject)) {
    for (const wish of wishesOf(request)) {
      if (textOf(wish.allocationMode) === '') wish.allocationMode = 'ExactCount';
      if (wish.allocationMode === 'ExactCount' && !wish.count) wish.count = 1;
      for (const toleration of listOf(wish.tolerations).filter(isObject)) {
        if (textOf(toleration.operator) === '') toleration.operator = 'Equal';
      }
    }
  }
}

function validateSpec(spec: JsonObject, path: FieldPath): FieldError[] {
  const requests = objectsOf(objectOf(spec.devices).requests);
  const at = path.child('devices', 'requests');
  const errors = requests.length > MOST_REQUESTS ? [tooMany(at, requests.length, MOST_REQUESTS)] : [];
  const names = new Set<string>();
  for (const [index, request] of requests.entries()) {
    const one = at.index(index);
    const name = textOf(request.name);
    errors.push(...requiredNameFaults(name, dns1123Label, one.child('name')));
    if (names.has(name)) errors.push(duplicate(one.child('name'), name));
    names.add(name);
    const exact = isObject(request.exactly);
    const choices = objectsOf(request.firstAvailable);
    if (exact === choices.length > 0) {
      const detail = exact
        ? 'exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set'
        : 'exactly one of `exactly` or `firstAvailable` is required';
      errors.push(exact ? invalid(one, null, detail) : required(one, detail));
    }
    if (exact) errors.push(...validateWish(objectOf(request.exactly), one.child('exactly')));
    for (const [i, choice] of choices.entries()) {
      const place = one.child('firstAvailable').index(i);
      errors.push(
        ...requiredNameFaults(choice.name, dns1123Label, place.child('name')),
        ...validateWish(choice, place),
      );
    }
  }
  return errors;
}

function validateWish(wish: JsonObject, path: FieldPath): FieldError[] {
  const errors = requiredNameFaults(wish.deviceClassName, dns1123Subdomain, path.child('deviceClassName'));
  errors.push(...validateSelectors(wish.selectors, path.child('selectors')));
  errors.push(...choiceFaults(wish, 'allocationMode', MODES, path));
  const count = numberOf(wish.count) ?? 0;
  if (wish.allocationMode === 'All' && count !== 0) {
    errors.push(invalid(path.child('count'), count, "must not be specified when allocationMode is 'All'"));
  }
  if (wish.allocationMode === 'ExactCount' && count <= 0) {
    errors.push(invalid(path.child('count'), count, 'must be greater than zero'));
  }
  for (const [index, toleration] of objectsOf(wish.tolerations).entries()) {
    const at = path.child('tolerations').index(index);
    errors.push(
      ...choiceFaults(toleration, 'operator', OPERATORS, at),
      ...choiceFaults(toleration, 'effect', EFFECTS, at),
    );
  }
  return errors;
}

function validateSelectors(selectors: Json | undefined, path: FieldPath): FieldError[] {
  return objectsOf(selectors).flatMap((selector, index) => {
    const at = path.index(index).child('cel');
    if (!isObject(selector.cel)) return [required(at)];
    return textOf(selector.cel.expression) === '' ? [required(at.child('expression'))] : [];
  });
}

function validateSlice(slice: ApiObject): FieldError[] {
  const spec = objectOf(slice.spec);
  const errors = requiredNameFaults(spec.driver, dns1123Subdomain, SPEC.child('driver'));
  const pool = objectOf(spec.pool);
  if (textOf(pool.name) === '') errors.push(required(SPEC.child('pool', 'name')));
  const count = numberOf(pool.resourceSliceCount) ?? 0;
  if (count <= 0) {
    errors.push(invalid(SPEC.child('pool', 'resourceSliceCount'), count, 'must be greater than zero'));
  }
  const places = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'].filter((name) => {
    const value = spec[name];
    return value !== undefined && value !== '' && value !== false;
  });
  const one = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
  if (places.length === 0) errors.push(required(SPEC, one));
  else if (places.length > 1)
    errors.push(invalid(SPEC, `{${places.join(', ')}}`, `${one}, but multiple fields are set`));
  const names = new Set<string>();
  for (const [index, device] of objectsOf(spec.devices).entries()) {
    const path = SPEC.child('devices').index(index).child('name');
    const name = textOf(device.name);
    errors.push(...requiredNameFaults(name, dns1123Label, path));
    if (names.has(name)) errors.push(duplicate(path, name));
    names.add(name);
  }
  return errors;
}
