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
import { listOf, objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import { optionalOneOf, userId } from '../../validation/values.ts';
import { validateAppArmor, validateSeccomp } from './profiles.ts';
import { validateWindowsOptions } from './windowsOptions.ts';

/** Faults of the rights of one container. */
export function validateContainerSecurity(
  value: Json | undefined,
  path: FieldPath,
  { hostUsers }: { readonly hostUsers: boolean },
): FieldError[] {
  if (!isObject(value)) return [];
  const errors = [
    ...userId(value.runAsUser, path.child('runAsUser')),
    ...userId(value.runAsGroup, path.child('runAsGroup')),
  ];
  if (value.procMount !== undefined) {
    const at = path.child('procMount');
    errors.push(...optionalOneOf(value.procMount, ['Default', 'Unmasked'], at));
    if (hostUsers && value.procMount === 'Unmasked') {
      errors.push(invalid(at, value.procMount, '`hostUsers` must be false to use `Unmasked`'));
    }
  }
  errors.push(...validateSeccomp(value.seccompProfile, path.child('seccompProfile')));
  errors.push(...validateEscalation(value, path));
  errors.push(...validateWindowsOptions(value.windowsOptions, path.child('windowsOptions')));
  errors.push(...validateAppArmor(value.appArmorProfile, path.child('appArmorProfile')));
  return errors;
}

/** Who has all rights cannot be kept from getting more. */
function validateEscalation(context: JsonObject, path: FieldPath): FieldError[] {
  if (context.allowPrivilegeEscalation !== false) return [];
  const errors: FieldError[] = [];
  const without = 'cannot set `allowPrivilegeEscalation` to false and';
  if (context.privileged === true) errors.push(invalid(path, context, `${without} \`privileged\` to true`));
  for (const added of listOf(objectOf(context.capabilities).add)) {
    if (added === 'CAP_SYS_ADMIN') errors.push(invalid(path, context, `${without} \`capabilities.Add\` CAP_SYS_ADMIN`));
  }
  return errors;
}

/** Faults of the rights of a pod as a whole. */
export function validatePodSecurity(spec: JsonObject, path: FieldPath): FieldError[] {
  const context = objectOf(spec.securityContext);
  const errors = [
    ...userId(context.fsGroup, path.child('fsGroup')),
    ...userId(context.runAsUser, path.child('runAsUser')),
    ...userId(context.runAsGroup, path.child('runAsGroup')),
    ...listOf(context.supplementalGroups).flatMap((group, index) =>
      userId(group, path.child('supplementalGroups').index(index)),
    ),
  ];
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    const both = 'ShareProcessNamespace and HostPID cannot both be enabled';
    errors.push(invalid(path.child('shareProcessNamespace'), true, both));
  }
  return [
    ...errors,
    ...validateSysctls(context.sysctls, path.child('sysctls'), spec),
    ...optionalOneOf(context.fsGroupChangePolicy, ['Always', 'OnRootMismatch'], path.child('fsGroupChangePolicy')),
    ...validateSeccomp(context.seccompProfile, path.child('seccompProfile')),
    ...validateWindowsOptions(context.windowsOptions, path.child('windowsOptions')),
    ...validateAppArmor(context.appArmorProfile, path.child('appArmorProfile')),
    ...optionalOneOf(context.supplementalGroupsPolicy, ['Merge', 'Strict'], path.child('supplementalGroupsPolicy')),
    ...optionalOneOf(context.seLinuxChangePolicy, ['MountOption', 'Recursive'], path.child('seLinuxChangePolicy')),
  ];
}

const SEGMENT = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const SYSCTL_FORM = `^(${SEGMENT}[\\./])*${SEGMENT}$`;
const SYSCTL = new RegExp(SYSCTL_FORM);
const LONGEST_SYSCTL = 253;
const IPC = ['kernel.shm', 'kernel.msg', 'kernel.sem', 'fs.mqueue.'];

function validateSysctls(settings: Json | undefined, path: FieldPath, spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  objectsOf(settings).forEach((setting, index) => {
    const at = path.index(index).child('name');
    const name = textOf(setting.name);
    if (name === '') errors.push(required(at));
    else if (name.length > LONGEST_SYSCTL || !SYSCTL.test(name)) {
      errors.push(invalid(at, name, `must have at most ${LONGEST_SYSCTL} characters and match regex ${SYSCTL_FORM}`));
    } else if (seen.has(name)) errors.push(duplicate(at, name));
    const dotted = name.replaceAll('/', '.');
    if (spec.hostNetwork === true && dotted.startsWith('net.')) {
      errors.push(invalid(at, name, "may not be specified when 'hostNetwork' is true"));
    } else if (spec.hostIPC === true && IPC.some((prefix) => dotted.startsWith(prefix))) {
      errors.push(invalid(at, name, "may not be specified when 'hostIPC' is true"));
    }
    seen.add(name);
  });
  return errors;
}

/** Pods with users of their own share nothing else with their node. */
export function validateHostUsers(spec: JsonObject, path: FieldPath): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const detail = 'when `pod.Spec.HostUsers` is false';
  // The service spells two of the paths as its own fields are called.
  const shared: readonly (readonly [string, string])[] = [
    ['hostNetwork', 'hostNetwork'],
    ['hostPID', 'HostPID'],
    ['hostIPC', 'HostIPC'],
  ];
  return shared.filter(([name]) => spec[name] === true).map(([, shown]) => forbiddenField(path.child(shown), detail));
}

/** Faults of the operating system that a pod names. */
export function validateSystem(spec: JsonObject, path: FieldPath): FieldError[] {
  const name = textOf(objectOf(spec.os).name);
  if (name === '') return [required(path.child('name'), 'cannot be empty')];
  return name === 'linux' || name === 'windows' ? [] : [notSupported(path, name, ['linux', 'windows'])];
}
