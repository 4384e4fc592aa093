import { type AddressRules, cidrFaults, cidrWarnings } from '../../../api/addresses/addressFaults.ts';
import { parseCidr } from '../../../api/addresses/cidr.ts';
import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { labelValue, qualifiedName } from '../../../api/nameRules.ts';
import type { ApiObject } from '../../../api/object.ts';
import { ensureObject, objectOf, objectsOf, textOf, textsOf } from '../../../api/parts.ts';
import type { RuleMaker } from '../../builtinType.ts';
import { roundList, validateAmount } from '../pods/resources.ts';

const SPEC = FieldPath.of('spec');
const POD_CIDRS = SPEC.child('podCIDRs');

/** A machine on which pods run; its ranges of addresses and its provider's name for it stay once they are known. */
export const nodeRules: RuleMaker = ({ release, dialect }) => {
  const validateContent = (node: ApiObject, rules: AddressRules): FieldError[] => [
    ...validateNode(node, rules),
    ...validateAmounts(objectOf(node.status), dialect.labelDomain),
  ];
  const validateUpdate = (node: ApiObject, old: ApiObject): FieldError[] => [
    ...validateContent(node, { release, old: textsOf(objectOf(old.spec).podCIDRs) }),
    ...validateAddresses(objectsOf(objectOf(node.status).addresses)),
    ...validateChange(node, old),
  ];
  return {
    strategy: {
      // Nodes register themselves with their status.
      keepsStatusOnCreate: true,
      prepareForCreate: (node) => dropConfigSource(node, undefined),
      prepareForUpdate: dropConfigSource,
      validate: (node) => validateContent(node, { release }),
      validateUpdate,
      warnings,
    },
    defaults: { v1: fillNode },
    selectableFields: { 'spec.unschedulable': (node) => String(objectOf(node.spec).unschedulable === true) },
    subresources: { status: { validateUpdate } },
  };
};

/** The single range is the first of the list, and what a node has can all be used unless it says otherwise. */
function fillNode(node: ApiObject): void {
  const spec = ensureObject(node, 'spec');
  const single = textOf(spec.podCIDR);
  if (single !== '' && textsOf(spec.podCIDRs)[0] !== single) spec.podCIDRs = [single];
  const [first] = textsOf(spec.podCIDRs);
  if (first !== undefined) spec.podCIDR = first;
  if (!isObject(node.status)) return;
  const { status } = node;
  if (status.allocatable === undefined && isObject(status.capacity)) status.allocatable = { ...status.capacity };
  roundList(status.capacity);
  roundList(status.allocatable);
}

/** A field without effect, which only objects keep that have it. */
function dropConfigSource(node: ApiObject, old: ApiObject | undefined): void {
  if (objectOf(old?.spec).configSource === undefined && isObject(node.spec)) delete node.spec.configSource;
}

function validateNode(node: ApiObject, rules: AddressRules): FieldError[] {
  const spec = objectOf(node.spec);
  const ranges = [...textsOf(spec.podCIDRs)];
  // The service tells of taints as if they were metadata.
  const errors = validateTaints(spec.taints, FieldPath.of('metadata', 'taints'));
  for (const [index, range] of ranges.entries()) errors.push(...cidrFaults(range, POD_CIDRS.index(index), rules));
  if (ranges.length > 1) {
    const families = ranges.map((range) => parseCidr(range)?.family);
    if (ranges.length > 2 || families[0] === families[1]) {
      errors.push(invalid(POD_CIDRS, ranges, 'may specify no more than one CIDR for each IP family'));
    }
  }
  return errors;
}

/** What a node has and what can be used of it. */
function validateAmounts(status: JsonObject, domain: string): FieldError[] {
  return ['capacity', 'allocatable'].flatMap((list) =>
    Object.entries(objectOf(status[list])).flatMap(([name, amount]) =>
      validateAmount(name, textOf(amount), FieldPath.of('status', list, name), domain),
    ),
  );
}

/** The service looks at addresses when a node changes, not when it registers. */
function validateAddresses(addresses: readonly JsonObject[]): FieldError[] {
  const seen = new Set<string>();
  return addresses.flatMap((address, index) => {
    const shown = { Type: textOf(address.type), Address: textOf(address.address) };
    const key = `${shown.Type}/${shown.Address}`;
    if (seen.has(key)) return [duplicate(FieldPath.of('status', 'addresses').index(index), shown)];
    seen.add(key);
    return [];
  });
}

function validateChange(node: ApiObject, old: ApiObject): FieldError[] {
  const spec = objectOf(node.spec);
  const before = objectOf(old.spec);
  const ranges = textsOf(spec.podCIDRs);
  const had = textsOf(before.podCIDRs);
  const errors: FieldError[] = [];
  const fixed = 'node updates may not change podCIDR except from "" to valid';
  if (had.length > 0) {
    if (had.length !== ranges.length) errors.push(forbiddenField(POD_CIDRS, fixed));
    else
      for (const [index, range] of ranges.entries()) {
        if (range !== had[index]) errors.push(forbiddenField(POD_CIDRS, fixed));
      }
  }
  if (textOf(before.providerID) !== '' && spec.providerID !== before.providerID) {
    errors.push(
      forbiddenField(SPEC.child('providerID'), 'node updates may not change providerID except from "" to valid'),
    );
  }
  if (textOf(spec.externalID) !== textOf(before.externalID)) {
    errors.push(forbiddenField(SPEC.child('externalID'), 'may not be updated'));
  }
  return errors;
}

function warnings(node: ApiObject): string[] {
  const spec = objectOf(node.spec);
  const texts: string[] = [];
  if (spec.configSource !== undefined) {
    texts.push(
      'spec.configSource: the feature has been deprecated since v1.22 and will be removed in a future release',
    );
  }
  if (textOf(spec.externalID) !== '') {
    texts.push('spec.externalID: this field is deprecated, and is unused by Kubernetes');
  }
  return [...texts, ...textsOf(spec.podCIDRs).flatMap((range, index) => cidrWarnings(range, POD_CIDRS.index(index)))];
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Faults of the taints of a node: each key once for each effect. */
function validateTaints(taints: Json | undefined, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return objectsOf(taints).flatMap((taint, index) => {
    const errors = validateTaint(taint, path.index(index));
    const key = `${textOf(taint.effect)}/${textOf(taint.key)}`;
    if (seen.has(key)) {
      const double = duplicate(path.index(index), shown(taint));
      errors.push({ ...double, message: `${double.message}: taints must be unique by key and effect pair` });
    }
    seen.add(key);
    return errors;
  });
}

function validateTaint(taint: JsonObject, path: FieldPath): FieldError[] {
  const key = textOf(taint.key);
  const value = textOf(taint.value);
  const effect = textOf(taint.effect);
  const errors = qualifiedName(key).map((fault) => invalid(path.child('key'), key, fault));
  const faults = labelValue(value);
  if (faults.length > 0) errors.push(invalid(path.child('value'), value, faults.join(';')));
  if (effect === '') errors.push(required(path.child('effect')));
  else if (!EFFECTS.includes(effect)) errors.push(notSupported(path.child('effect'), effect, EFFECTS));
  return errors;
}

/** A taint as a message shows it. */
function shown(taint: JsonObject): JsonObject {
  return {
    Key: textOf(taint.key),
    Value: textOf(taint.value),
    Effect: textOf(taint.effect),
    TimeAdded: taint.timeAdded ?? null,
  };
}
