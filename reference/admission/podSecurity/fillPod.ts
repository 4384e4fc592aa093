import { isObject, type JsonObject } from '../../api/json.ts';
import { ensureObject, listOf, numberOf, objectOf, objectsOf, textsOf } from '../../api/parts.ts';

/*
 * What a PodSecurityPolicy makes of a pod that leaves things open. All functions change the pod's spec in place.
 */

const LISTS = ['initContainers', 'containers', 'ephemeralContainers'];

/** The containers of a pod, of all kinds; they belong to the caller. */
export function containersOf(spec: JsonObject): JsonObject[] {
  return LISTS.flatMap((list) => listOf(spec[list]).filter(isObject));
}

/** Fills what the policy has an answer to and the pod says nothing of. */
export function fillPod(spec: JsonObject, policy: JsonObject): void {
  const context = isObject(spec.securityContext) ? spec.securityContext : {};
  const group = firstId(policy.fsGroup);
  if (group !== undefined && context.fsGroup === undefined) ensureObject(spec, 'securityContext').fsGroup = group;
  const more = firstId(policy.supplementalGroups);
  if (more !== undefined && listOf(context.supplementalGroups).length === 0) {
    ensureObject(spec, 'securityContext').supplementalGroups = [more];
  }
  const { seLinux } = policy;
  if (objectOf(seLinux).rule === 'MustRunAs' && context.seLinuxOptions === undefined) {
    ensureObject(spec, 'securityContext').seLinuxOptions = { ...objectOf(objectOf(seLinux).seLinuxOptions) };
  }
  const runtimeClass = objectOf(policy.runtimeClass).defaultRuntimeClassName;
  if (runtimeClass !== undefined && spec.runtimeClassName === undefined) spec.runtimeClassName = runtimeClass;
  for (const container of containersOf(spec)) fillContainer(container, objectOf(spec.securityContext), policy);
}

function fillContainer(container: JsonObject, pod: JsonObject, policy: JsonObject): void {
  const own = objectOf(container.securityContext);
  const set = (name: string, value: JsonObject[string]) => {
    ensureObject(container, 'securityContext')[name] = value;
  };
  const user = firstId(policy.runAsUser);
  if (user !== undefined && own.runAsUser === undefined && pod.runAsUser === undefined) set('runAsUser', user);
  const group = firstId(policy.runAsGroup);
  if (group !== undefined && own.runAsGroup === undefined && pod.runAsGroup === undefined) set('runAsGroup', group);
  const nonRoot = objectOf(policy.runAsUser).rule === 'MustRunAsNonRoot';
  const silent = [own, pod].every(
    ({ runAsNonRoot, runAsUser }) => runAsNonRoot === undefined && runAsUser === undefined,
  );
  if (nonRoot && silent) set('runAsNonRoot', true);
  if (policy.readOnlyRootFilesystem === true && own.readOnlyRootFilesystem === undefined) {
    set('readOnlyRootFilesystem', true);
  }
  const escalation =
    policy.defaultAllowPrivilegeEscalation ?? (policy.allowPrivilegeEscalation === false ? false : undefined);
  if (escalation !== undefined && own.allowPrivilegeEscalation === undefined) {
    set('allowPrivilegeEscalation', escalation);
  }
  fillCapabilities(own, policy, set);
}

/** Capabilities that are dropped for all are dropped, and those that are given to all are given. */
function fillCapabilities(
  own: JsonObject,
  policy: JsonObject,
  set: (name: string, value: JsonObject[string]) => void,
): void {
  const { add, drop } = objectOf(own.capabilities);
  const dropped = union(textsOf(drop), textsOf(policy.requiredDropCapabilities));
  const added = union(
    textsOf(add),
    textsOf(policy.defaultAddCapabilities).filter((one) => !dropped.includes(one)),
  );
  if (dropped.length === textsOf(drop).length && added.length === textsOf(add).length) return;
  set('capabilities', {
    ...(added.length > 0 ? { add: added } : {}),
    ...(dropped.length > 0 ? { drop: dropped } : {}),
  });
}

function union(some: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...some, ...more])];
}

/** The id that a part of a policy gives out: the least of its first range, where it must be one of its ranges. */
function firstId(part: JsonObject[string] | undefined): number | undefined {
  const { rule, ranges } = objectOf(part);
  return rule === 'MustRunAs' ? numberOf(objectsOf(ranges)[0]?.min) : undefined;
}
