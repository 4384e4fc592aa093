import { ipFaults } from '../../../api/addresses/addressFaults.ts';
import { parseIp } from '../../../api/addresses/ipAddress.ts';
import { duplicate, type FieldError, forbiddenField, invalid } from '../../../api/fieldError.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import type { Json, JsonObject } from '../../../api/json.ts';
import { isObject, repeatedAt } from '../../../api/json.ts';
import { dns1123Subdomain, qualifiedName } from '../../../api/nameRules.ts';
import type { ApiObject } from '../../../api/object.ts';
import { objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import { IMMUTABLE, named } from '../../validation/fields.ts';
import type { PodScope } from './scope.ts';
import { annotationChanges } from './update.ts';

const STATUS = FieldPath.of('status');
const OWN_CONDITIONS = ['PodScheduled', 'Ready', 'Initialized'];

/** Faults of a status that is written over the one of `old`. */
export function validatePodStatus(pod: ApiObject, old: ApiObject, scope: PodScope): FieldError[] {
  const status = objectOf(pod.status);
  const before = objectOf(old.status);
  const spec = objectOf(old.spec);
  const errors = [...annotationChanges(pod, old, scope), ...validateConditions(status.conditions)];
  const nominated = textOf(status.nominatedNodeName);
  if (nominated !== '' && nominated !== textOf(before.nominatedNodeName)) {
    errors.push(...named(nominated, dns1123Subdomain, STATUS.child('nominatedNodeName')));
  }
  if (textOf(status.qosClass) !== textOf(before.qosClass)) {
    errors.push(invalid(STATUS.child('qosClass'), textOf(status.qosClass), IMMUTABLE));
  }
  errors.push(
    ...validateTransitions('containerStatuses', status, before, spec),
    ...validateTransitions('initContainerStatuses', status, before, spec),
    ...validateTransitions('ephemeralContainerStatuses', status, before, { restartPolicy: 'Never' }),
    ...validateClaimStatuses(status.resourceClaimStatuses, spec),
    ...validateAddresses(status.podIPs, STATUS.child('podIPs'), scope, before.podIPs),
    ...validateHostAddresses(status, scope, before.hostIPs),
  );
  return errors;
}

/** Conditions have qualified names, but for a few of the service's own. */
function validateConditions(conditions: Json | undefined): FieldError[] {
  const path = FieldPath.of('metadata', 'conditions');
  return objectsOf(conditions).flatMap((condition, index) => {
    const type = textOf(condition.type);
    return OWN_CONDITIONS.includes(type) ? [] : named(type, qualifiedName, path.index(index).child('Type'));
  });
}

/** Containers that have ended and are not started again stay ended. */
function validateTransitions(list: string, status: JsonObject, old: JsonObject, spec: JsonObject): FieldError[] {
  if (spec.restartPolicy === 'Always') return [];
  const sidecars = new Set(
    objectsOf(spec.initContainers)
      .filter((one) => one.restartPolicy === 'Always')
      .map(({ name }) => name),
  );
  const running = new Map<Json | undefined, number>();
  for (const one of objectsOf(status[list])) {
    if (isObject(objectOf(one.state).terminated)) continue;
    running.set(one.name, (running.get(one.name) ?? 0) + 1);
  }
  return objectsOf(old[list]).flatMap((before, index) => {
    const ended = objectOf(before.state).terminated;
    if (!isObject(ended)) return [];
    if (ended.exitCode !== 0 && spec.restartPolicy === 'OnFailure') return [];
    if (list === 'initContainerStatuses' && sidecars.has(before.name)) return [];
    // One fault for each that bears the name.
    return Array.from({ length: running.get(before.name) ?? 0 }, () =>
      forbiddenField(STATUS.child(list).index(index).child('state'), 'may not be transitioned to non-terminated state'),
    );
  });
}

function validateClaimStatuses(statuses: Json | undefined, spec: JsonObject): FieldError[] {
  const path = STATUS.child('resourceClaimStatuses');
  const claims = new Set(objectsOf(spec.resourceClaims).map((claim) => textOf(claim.name)));
  const seen = new Set<string>();
  return objectsOf(statuses).flatMap((status, index) => {
    const at = path.index(index).child('name');
    const name = textOf(status.name);
    const errors: FieldError[] = [];
    if (!claims.has(name)) {
      errors.push(invalid(at, name, 'must match the name of an entry in `spec.resourceClaims`'));
    }
    if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
    if (status.resourceClaimName !== undefined) errors.push(...named(status.resourceClaimName, dns1123Subdomain, at));
    return errors;
  });
}

/** One address of each family at most, none twice. */
function validateAddresses(
  list: Json | undefined,
  path: FieldPath,
  { release }: PodScope,
  old: Json | undefined,
): FieldError[] {
  const entries = objectsOf(list);
  const texts = entries.map((entry) => textOf(entry.ip));
  const known = objectsOf(old).map((entry) => textOf(entry.ip));
  const errors = texts.flatMap((text, index) => ipFaults(text, path.index(index), { release, old: known }));
  if (entries.length < 2) return errors;
  const families = new Set(texts.map((text) => parseIp(text)?.family));
  const shown = entries.map((entry) => ({ IP: textOf(entry.ip) }));
  if (entries.length > 2 || families.size < 2) {
    errors.push(invalid(path, shown, 'may specify no more than one IP for each IP family'));
  }
  for (const index of repeatedAt(texts)) errors.push(duplicate(path.index(index), shown[index] ?? null));
  return errors;
}

function validateHostAddresses(status: JsonObject, scope: PodScope, old: Json | undefined): FieldError[] {
  const path = STATUS.child('hostIPs');
  const [first] = objectsOf(status.hostIPs);
  if (!first) return [];
  const errors: FieldError[] = [];
  if (textOf(first.ip) !== textOf(status.hostIP)) {
    errors.push(invalid(path.index(0).child('ip'), textOf(first.ip), 'must be equal to `hostIP`'));
  }
  return [...errors, ...validateAddresses(status.hostIPs, path, scope, old)];
}
