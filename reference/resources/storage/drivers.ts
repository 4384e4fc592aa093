import { duplicate, type FieldError, invalid, notSupported, required, tooLong } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { equalJson, isObject, type JsonObject } from '../../api/json.ts';
import { dns1123Subdomain, qualifiedName } from '../../api/nameRules.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, listOf, numberOf, objectOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';
import type { RuleMaker } from '../builtinType.ts';
import { choiceFaults, immutableFaults, nameFaults } from '../validation/fields.ts';

const SPEC = FieldPath.of('spec');
const LONGEST_DRIVER = 63;
const MODES = ['Ephemeral', 'Persistent'];
const GROUP_POLICIES = ['File', 'None', 'ReadWriteOnceWithFSType'];
const LONGEST_NODE_ID = 192;
const SHORTEST_TOKEN = 600;

/** Faults of the name of a driver. */
export function validateDriverName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path)];
  const errors = Buffer.byteLength(name) > LONGEST_DRIVER ? [tooLong(path, LONGEST_DRIVER)] : [];
  for (const fault of dns1123Subdomain(name.toLowerCase())) errors.push(invalid(path, name, fault));
  return errors;
}

/** What a driver of volumes wants to be asked and told. */
export const csiDriverRules: RuleMaker = () => ({
  strategy: {
    prepareForUpdate(driver, old) {
      const changed = ['tokenRequests', 'requiresRepublish'].some(
        (name) => !equalJson(objectOf(driver.spec)[name], objectOf(old.spec)[name]),
      );
      if (changed) driver.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    validate: validateDriver,
    validateUpdate: (driver, old) => [
      ...validateDriver(driver),
      ...immutableFaults(
        objectOf(driver.spec).attachRequired,
        objectOf(old.spec).attachRequired,
        SPEC.child('attachedRequired'),
      ),
      ...immutableFaults(
        objectOf(driver.spec).volumeLifecycleModes,
        objectOf(old.spec).volumeLifecycleModes,
        SPEC.child('volumeLifecycleModes'),
      ),
    ],
  },
  defaults: {
    v1(driver) {
      const spec = ensureObject(driver, 'spec');
      spec.attachRequired ??= true;
      spec.podInfoOnMount ??= false;
      spec.storageCapacity ??= false;
      spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
      if (listOf(spec.volumeLifecycleModes).length === 0) spec.volumeLifecycleModes = ['Persistent'];
      spec.requiresRepublish ??= false;
      spec.seLinuxMount ??= false;
    },
  },
});

function validateDriver(driver: ApiObject): FieldError[] {
  const spec = objectOf(driver.spec);
  const errors = validateDriverName(driver.metadata.name ?? '', FieldPath.of('name'));
  for (const name of ['attachRequired', 'podInfoOnMount', 'storageCapacity']) {
    if (spec[name] === undefined)
      errors.push(required(SPEC.child(name === 'attachRequired' ? 'attachedRequired' : name)));
  }
  for (const [index, mode] of textsOf(spec.volumeLifecycleModes).entries()) {
    if (!MODES.includes(mode)) errors.push(notSupported(SPEC.child('volumeLifecycleModes').index(index), mode, MODES));
  }
  errors.push(...choiceFaults(spec, 'fsGroupPolicy', GROUP_POLICIES, SPEC));
  const audiences = new Set<string>();
  for (const [index, token] of objectsOf(spec.tokenRequests).entries()) {
    const path = SPEC.child('tokenRequests').index(index);
    const audience = textOf(token.audience);
    const seconds = numberOf(token.expirationSeconds);
    if (audiences.has(audience)) errors.push(duplicate(path.child('audience'), audience));
    audiences.add(audience);
    if (seconds !== undefined && seconds < SHORTEST_TOKEN) {
      errors.push(invalid(path.child('expirationSeconds'), seconds, 'may not specify a duration less than 10 minutes'));
    }
    if (seconds !== undefined && seconds > 2 ** 32) {
      errors.push(
        invalid(path.child('expirationSeconds'), seconds, 'may not specify a duration larger than 2^32 seconds'),
      );
    }
  }
  return errors;
}

/** The drivers that a node has; one that is there stays as it is. */
export const csiNodeRules: RuleMaker = () => ({
  strategy: {
    validate: validateNodeDrivers,
    validateUpdate: (node, old) => {
      // Of several with one name the first counts.
      const drivers = new Map([...driversOf(node)].reverse().map((driver) => [driver.name, driver]));
      return [
        ...driversOf(old).flatMap((before) => {
          const now = drivers.get(before.name);
          return now && !equalJson(now, before)
            ? [invalid(FieldPath.of('CSINodeDriver'), now, 'field is immutable')]
            : [];
        }),
        ...validateNodeDrivers(node),
      ];
    },
  },
});

function driversOf(node: ApiObject): readonly JsonObject[] {
  return objectsOf(objectOf(node.spec).drivers);
}

function validateNodeDrivers(node: ApiObject): FieldError[] {
  const names = new Set<string>();
  return driversOf(node).flatMap((driver, index) => {
    const path = SPEC.child('drivers').index(index);
    const name = textOf(driver.name);
    const errors = validateDriverName(name, path.child('name'));
    errors.push(...validateNodeId(textOf(driver.nodeID), path.child('nodeID')));
    const count = isObject(driver.allocatable) ? numberOf(driver.allocatable.count) : undefined;
    if (count !== undefined && count < 0) {
      errors.push(invalid(path.child('allocatable', 'count'), count, 'must be greater than or equal to 0'));
    }
    const keys = new Set<string>();
    for (const key of textsOf(driver.topologyKeys)) {
      if (key === '') errors.push(required(path));
      else if (keys.has(key)) errors.push(duplicate(path, key));
      keys.add(key);
      errors.push(...nameFaults(key, qualifiedName, path));
    }
    if (names.has(name)) errors.push(duplicate(path.child('name'), name));
    names.add(name);
    return errors;
  });
}

function validateNodeId(id: string, path: FieldPath): FieldError[] {
  if (id === '') return [required(path)];
  if (Buffer.byteLength(id) <= LONGEST_NODE_ID) return [];
  return [invalid(path, id, `must be ${LONGEST_NODE_ID} characters or less`)];
}
