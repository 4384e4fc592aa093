import { type FieldError, invalid } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { equalJson, isObject, type JsonObject } from '../../api/json.ts';
import { listOf, numberOf, objectOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';
import { eachContainer } from '../../objects/podContainers.ts';

const SPEC = FieldPath.of('spec');
const ANY = '*';

/** What a PodSecurityPolicy has against a pod; an empty list where it allows it. Nothing is changed. */
export function judgePod(spec: JsonObject, policy: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const pod = objectOf(spec.securityContext);
  const context = SPEC.child('securityContext');
  for (const [name, words] of HOST) {
    if (spec[name] === true && policy[name] !== true) {
      errors.push(invalid(context.child(name), true, `${words} is not allowed to be used`));
    }
  }
  errors.push(...judgeIds(idsOf(pod.fsGroup), policy.fsGroup, context.child('fsGroup')));
  errors.push(
    ...judgeIds(
      listOf(pod.supplementalGroups).map(Number),
      policy.supplementalGroups,
      context.child('supplementalGroups'),
    ),
  );
  errors.push(...judgeLabels(pod.seLinuxOptions, policy.seLinux, context.child('seLinuxOptions')));
  for (const [index, sysctl] of objectsOf(pod.sysctls).entries()) {
    errors.push(...judgeSysctl(textOf(sysctl.name), policy, SPEC.child('sysctls').index(index)));
  }
  errors.push(...judgeVolumes(objectsOf(spec.volumes), policy));
  const { runtimeClass } = policy;
  const wanted = spec.runtimeClassName;
  if (isObject(runtimeClass) && typeof wanted === 'string') {
    const allowed = textsOf(runtimeClass.allowedRuntimeClassNames);
    if (!allowed.includes(ANY) && !allowed.includes(wanted)) {
      errors.push(invalid(SPEC.child('runtimeClassName'), wanted, 'runtime class is not allowed'));
    }
  }
  eachContainer(spec, SPEC, (container, path) => errors.push(...judgeContainer(container, pod, policy, path)));
  return errors;
}

const HOST = [
  ['hostNetwork', 'Host network'],
  ['hostPID', 'Host PID'],
  ['hostIPC', 'Host IPC'],
] as const;

function judgeContainer(container: JsonObject, pod: JsonObject, policy: JsonObject, at: FieldPath): FieldError[] {
  const own = objectOf(container.securityContext);
  const path = at.child('securityContext');
  const errors: FieldError[] = [];
  const user = own.runAsUser ?? pod.runAsUser;
  if (objectOf(policy.runAsUser).rule === 'MustRunAsNonRoot') {
    const nonRoot = own.runAsNonRoot ?? pod.runAsNonRoot;
    if (nonRoot !== true && user === undefined) {
      errors.push(invalid(path.child('runAsNonRoot'), nonRoot ?? null, 'must be true'));
    }
    if (user === 0) errors.push(invalid(path.child('runAsUser'), 0, 'running with the root UID is forbidden'));
  } else errors.push(...judgeIds(idsOf(user), policy.runAsUser, path.child('runAsUser')));
  if (isObject(policy.runAsGroup)) {
    errors.push(...judgeIds(idsOf(own.runAsGroup ?? pod.runAsGroup), policy.runAsGroup, path.child('runAsGroup')));
  }
  errors.push(...judgeLabels(own.seLinuxOptions ?? pod.seLinuxOptions, policy.seLinux, path.child('seLinuxOptions')));
  if (own.privileged === true && policy.privileged !== true) {
    errors.push(invalid(path.child('privileged'), true, 'Privileged containers are not allowed'));
  }
  if (policy.allowPrivilegeEscalation === false && own.allowPrivilegeEscalation !== false) {
    errors.push(
      invalid(
        path.child('allowPrivilegeEscalation'),
        true,
        'Allowing privilege escalation for containers is not allowed',
      ),
    );
  }
  if (policy.readOnlyRootFilesystem === true && own.readOnlyRootFilesystem !== true) {
    const detail = 'ReadOnlyRootFilesystem must be set to true';
    errors.push(invalid(path.child('readOnlyRootFilesystem'), own.readOnlyRootFilesystem ?? null, detail));
  }
  errors.push(...judgeCapabilities(objectOf(own.capabilities), policy, path.child('capabilities')));
  for (const [index, { hostPort }] of objectsOf(container.ports).entries()) {
    const port = numberOf(hostPort) ?? 0;
    if (port === 0 || inRanges(port, objectsOf(policy.hostPorts))) continue;
    const place = at.child('ports').index(index).child('hostPort');
    errors.push(invalid(place, port, `Host port ${port} is not allowed to be used`));
  }
  return errors;
}

function judgeCapabilities({ add, drop }: JsonObject, policy: JsonObject, path: FieldPath): FieldError[] {
  const allowed = [...textsOf(policy.allowedCapabilities), ...textsOf(policy.defaultAddCapabilities)];
  const errors: FieldError[] = [];
  for (const one of textsOf(add)) {
    if (textsOf(policy.requiredDropCapabilities).includes(one)) {
      errors.push(invalid(path.child('add'), one, 'required to be dropped but was added'));
    } else if (!allowed.includes(ANY) && !allowed.includes(one)) {
      errors.push(invalid(path.child('add'), one, 'capability may not be added'));
    }
  }
  for (const one of textsOf(policy.requiredDropCapabilities)) {
    if (!textsOf(drop).includes(one)) errors.push(invalid(path.child('drop'), [...textsOf(drop)], `must drop ${one}`));
  }
  return errors;
}

/** Ids that a part of a policy has something to say of: none, one of its ranges, or anything. */
function judgeIds(ids: readonly number[], part: JsonObject[string] | undefined, path: FieldPath): FieldError[] {
  const { rule, ranges } = objectOf(part);
  if (rule !== 'MustRunAs' && rule !== 'MayRunAs') return [];
  if (ids.length === 0) return rule === 'MustRunAs' ? [invalid(path, null, 'must be one of the ranges')] : [];
  return ids
    .filter((id) => !inRanges(id, objectsOf(ranges)))
    .map((id) => {
      const shown = objectsOf(ranges).map(({ min, max }) => `{${min} ${max}}`);
      return invalid(path, id, `must be in the ranges: [${shown.join(' ')}]`);
    });
}

function judgeLabels(
  options: JsonObject[string] | undefined,
  part: JsonObject[string] | undefined,
  path: FieldPath,
): FieldError[] {
  const { rule, seLinuxOptions } = objectOf(part);
  if (rule !== 'MustRunAs' || equalJson(objectOf(options), objectOf(seLinuxOptions))) return [];
  return [invalid(path, options ?? null, 'must be as the policy says')];
}

/** Sysctls that a kernel keeps apart for each pod are safe unless they are forbidden; others must be allowed. */
const SAFE_SYSCTLS = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
];

function judgeSysctl(name: string, policy: JsonObject, path: FieldPath): FieldError[] {
  const among = (patterns: readonly string[]) =>
    patterns.some((one) => one === name || (one.endsWith(ANY) && name.startsWith(one.slice(0, -1))));
  if (among(textsOf(policy.forbiddenSysctls)))
    return [invalid(path, name, `sysctl ${JSON.stringify(name)} is not allowed`)];
  if (SAFE_SYSCTLS.includes(name) || among(textsOf(policy.allowedUnsafeSysctls))) return [];
  return [invalid(path, name, `unsafe sysctl ${JSON.stringify(name)} is not allowed`)];
}

function judgeVolumes(volumes: readonly JsonObject[], policy: JsonObject): FieldError[] {
  const allowed = textsOf(policy.volumes);
  return volumes.flatMap((volume, index) => {
    const path = SPEC.child('volumes').index(index);
    const { name: _, ...sources } = volume;
    const [kind = 'emptyDir'] = Object.keys(sources);
    const errors: FieldError[] = [];
    if (!allowed.includes(ANY) && !allowed.includes(kind)) {
      errors.push(invalid(path, kind, `${kind} volumes are not allowed to be used`));
    }
    const host = objectOf(volume.hostPath);
    const paths = objectsOf(policy.allowedHostPaths);
    if (
      kind === 'hostPath' &&
      paths.length > 0 &&
      !paths.some((one) => below(textOf(host.path), textOf(one.pathPrefix)))
    ) {
      errors.push(invalid(path.child('hostPath', 'pathPrefix'), textOf(host.path), 'is not allowed to be used'));
    }
    const drivers = objectsOf(policy.allowedFlexVolumes);
    const driver = textOf(objectOf(volume.flexVolume).driver);
    if (kind === 'flexVolume' && drivers.length > 0 && !drivers.some((one) => one.driver === driver)) {
      errors.push(invalid(path.child('driver'), driver, 'Flexvolume driver is not allowed to be used'));
    }
    return errors;
  });
}

/** Whether a path is a directory or lies below it. */
function below(path: string, prefix: string): boolean {
  const parts = (text: string) => text.split('/').filter((part) => part !== '');
  const wanted = parts(prefix);
  return wanted.every((part, index) => parts(path)[index] === part);
}

function idsOf(value: JsonObject[string] | undefined): readonly number[] {
  const id = numberOf(value);
  return id === undefined ? [] : [id];
}

function inRanges(id: number, ranges: readonly JsonObject[]): boolean {
  return ranges.some(({ min, max }) => (numberOf(min) ?? 0) <= id && id <= (numberOf(max) ?? 0));
}
