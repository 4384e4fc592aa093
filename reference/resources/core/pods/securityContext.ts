import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { dns1123Subdomain } from '../../../api/nameRules.ts';
import { descending, listOf, objectOf, objectsOf, textOf } from '../../../api/parts.ts';
import { eachContainer } from '../../../objects/podContainers.ts';
import { named, optionalOneOf, userId } from '../../validation/fields.ts';

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

/*
 * What pods on Windows nodes say of their users, and what of a pod one operating system knows and the other does not.
 */

const LONGEST_SPEC = 64;
const LONGEST_DOMAIN = 256;
const LONGEST_USER = 104;
const NETBIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_PART = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const DNS = new RegExp(`^${DNS_PART}(?:\\.${DNS_PART})*$`);
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\x00-\x1f\x7f]/;

/** Faults of the options of a pod or container on Windows. */
function validateWindowsOptions(options: Json | undefined, path: FieldPath): FieldError[] {
  if (!isObject(options)) return [];
  const errors: FieldError[] = [];
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  if (name !== undefined) errors.push(...named(name, dns1123Subdomain, path.child('gmsaCredentialSpecName')));
  if (spec !== undefined) {
    const at = path.child('gmsaCredentialSpec');
    if (textOf(spec) === '') errors.push(invalid(at, spec, 'gmsaCredentialSpec cannot be an empty string'));
    else if (Buffer.byteLength(textOf(spec)) > LONGEST_SPEC * 1024) {
      errors.push(invalid(at, spec, `gmsaCredentialSpec size must be under ${LONGEST_SPEC} KiB`));
    }
  }
  if (user !== undefined) {
    errors.push(...userFaults(textOf(user)).map((fault) => invalid(path.child('runAsUserName'), user, fault)));
  }
  return errors;
}

function userFaults(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (CONTROL.test(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const domain = parts.length === 2 ? (parts[0] ?? '') : undefined;
  const user = parts.at(-1) ?? '';
  const faults: string[] = [];
  if (domain !== undefined) {
    if (Buffer.byteLength(domain) >= LONGEST_DOMAIN) {
      faults.push(`runAsUserName's Domain length must be under ${LONGEST_DOMAIN} characters`);
    }
    if (!NETBIOS.test(domain) && !DNS.test(domain)) {
      faults.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
    }
  }
  if (user === '') faults.push("runAsUserName's User cannot be empty");
  else if (Buffer.byteLength(user) > LONGEST_USER) {
    faults.push(`runAsUserName's User length must not be longer than ${LONGEST_USER} characters`);
  }
  if (/^[. ]+$/.test(user)) faults.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    faults.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  }
  return faults;
}

/** Faults of pods that run as processes of their node: all of their containers must, on its network. */
export function validateHostProcess(spec: JsonObject, path: FieldPath): FieldError[] {
  const own = objectOf(objectOf(spec.securityContext).windowsOptions).hostProcess;
  const errors: FieldError[] = [];
  let containers = 0;
  let processes = 0;
  eachContainer(spec, path, (container, at) => {
    containers++;
    const given = objectOf(objectOf(container.securityContext).windowsOptions).hostProcess;
    if (own !== undefined && given !== undefined && own !== given) {
      errors.push(
        invalid(
          at.child('securityContext', 'windowsOptions', 'hostProcess'),
          given,
          `pod hostProcess value must be identical if both are specified, was ${own}`,
        ),
      );
    }
    if ((given ?? own) === true) processes++;
  });
  if (processes === 0) return errors;
  if (processes !== containers) {
    const all = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    errors.push(invalid(path, '', all));
  }
  if (spec.hostNetwork !== true) {
    const network = 'hostNetwork must be true if pod contains any hostProcess containers';
    errors.push(invalid(path.child('hostNetwork'), false, network));
  }
  return errors;
}

const LINUX_ONLY_POD = [
  'securityContext.appArmorProfile',
  'securityContext.seLinuxOptions',
  'hostUsers',
  'hostPID',
  'hostIPC',
  'securityContext.seccompProfile',
  'securityContext.fsGroup',
  'securityContext.fsGroupChangePolicy',
  'securityContext.sysctls',
  'shareProcessNamespace',
  'securityContext.runAsUser',
  'securityContext.runAsGroup',
  'securityContext.supplementalGroups',
  'securityContext.supplementalGroupsPolicy',
  'securityContext.seLinuxChangePolicy',
];
const LINUX_ONLY_CONTAINER = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
];

/** What the operating system of a pod does not know. */
export function validateForSystem(spec: JsonObject, path: FieldPath): FieldError[] {
  const system = objectOf(spec.os).name;
  const errors: FieldError[] = [];
  const forbid = (at: FieldPath, detail: string) => errors.push(forbiddenField(at, detail));
  const windows = 'cannot be set for a windows pod';
  const linux = 'windows options cannot be set for a linux pod';
  if (system === 'windows') {
    for (const place of LINUX_ONLY_POD) {
      const names = place.split('.');
      const [outer = '', inner] = names;
      const value = inner === undefined ? spec[outer] : objectOf(spec[outer])[inner];
      if (value !== undefined && value !== null) forbid(path.child(...names), windows);
    }
  } else if (isObject(objectOf(spec.securityContext).windowsOptions)) {
    forbid(path.child('securityContext', 'windowsOptions'), linux);
  }
  eachContainer(spec, path, (container, at) => {
    const context = objectOf(container.securityContext);
    if (system === 'windows') {
      for (const name of LINUX_ONLY_CONTAINER) {
        if (context[name] !== undefined) forbid(at.child('securityContext', name), windows);
      }
    } else if (isObject(context.windowsOptions)) forbid(at.child('securityContext', 'windowsOptions'), linux);
  });
  return errors;
}

/*
 * Profiles that confine what a process may do: by system calls (seccomp) and by files and rights (AppArmor). Both
 * can also be told by annotations, as they were before they had fields.
 */

const TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const LONGEST_PATH = 4095;

/** Faults of a profile for system calls. */
function validateSeccomp(value: Json | undefined, path: FieldPath): FieldError[] {
  if (!isObject(value)) return [];
  const type = textOf(value.type);
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(path.child('type'), 'type is required when seccompProfile is set'));
  else if (!TYPES.includes(type)) errors.push(notSupported(path.child('type'), type, TYPES));
  const file = value.localhostProfile;
  const at = path.child('localhostProfile');
  if (type === 'Localhost') {
    if (file === undefined) errors.push(required(at, 'must be set when seccomp type is Localhost'));
    else errors.push(...descending(textOf(file), at));
  } else if (file !== undefined) {
    const shown = { Type: type, LocalhostProfile: file };
    errors.push(invalid(at, shown, 'can only be set when seccomp type is Localhost'));
  }
  return errors;
}

/** Faults of an AppArmor profile. */
function validateAppArmor(value: Json | undefined, path: FieldPath): FieldError[] {
  if (!isObject(value)) return [];
  const type = textOf(value.type);
  const file = value.localhostProfile;
  const at = path.child('localhostProfile');
  if (type === '') return [required(path.child('type'), 'type is required when appArmorProfile is set')];
  if (!TYPES.includes(type)) return [notSupported(path.child('type'), type, TYPES)];
  if (type !== 'Localhost') {
    return file === undefined ? [] : [invalid(at, file, 'can only be set when AppArmor type is Localhost')];
  }
  const text = textOf(file);
  const errors: FieldError[] = [];
  if (text.trim() !== text) errors.push(invalid(at, text, 'must not be padded with whitespace'));
  else if (text === '') errors.push(required(at, 'must be set when AppArmor type is Localhost'));
  if (Buffer.byteLength(text) > LONGEST_PATH) errors.push(tooLong(at, LONGEST_PATH));
  return errors;
}

/** Annotations of old, for a whole pod and for its containers. */
const SECCOMP_POD = 'seccomp.security.alpha.';
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.';
const APPARMOR_CONTAINER = 'container.apparmor.security.beta.';

/** Names of those annotations under the domain of the service; those for containers end with their name. */
export function profileAnnotations(labelDomain: string) {
  return {
    seccompPod: `${SECCOMP_POD}${labelDomain}/pod`,
    seccompContainer: `${SECCOMP_CONTAINER}${labelDomain}/`,
    appArmorContainer: `${APPARMOR_CONTAINER}${labelDomain}/`,
  };
}

/** Faults of the value of a seccomp annotation. */
export function validateSeccompAnnotation(text: string, path: FieldPath): FieldError[] {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(text)) return [];
  if (text.startsWith('localhost/')) return descending(text.slice('localhost/'.length), path);
  return [invalid(path, text, 'must be a valid seccomp profile')];
}

/** What is wrong with the value of an AppArmor annotation. */
export function appArmorAnnotationFault(text: string): string | undefined {
  if (text === '' || text === 'runtime/default' || text === 'unconfined' || text.startsWith('localhost/'))
    return undefined;
  return `invalid AppArmor profile name: ${JSON.stringify(text)}`;
}

/** What annotations say for each type of a profile. */
const ANNOTATED: Readonly<Record<string, readonly string[]>> = {
  Unconfined: ['unconfined'],
  RuntimeDefault: ['runtime/default', 'docker/default'],
};

/**
 * Whether an annotation and a field that say the same thing agree.
 * @param kind how the faults call the profile: `seccomp` or `apparmor`
 */
export function matchAnnotation(
  text: string | undefined,
  profile: Json | undefined,
  path: FieldPath,
  kind: 'seccomp' | 'apparmor',
): FieldError[] {
  if (text === undefined || !isObject(profile)) return [];
  const { type, localhostProfile } = objectOf(profile);
  const wrongType = forbiddenField(path.child('type'), `${kind} type in annotation and field must match`);
  if (type !== 'Localhost') {
    const allowed = ANNOTATED[textOf(type)];
    if (!allowed) return [];
    const taken = kind === 'apparmor' ? allowed.slice(0, 1) : allowed;
    return taken.includes(text) ? [] : [wrongType];
  }
  if (!text.startsWith('localhost/')) return [wrongType];
  if (text.slice('localhost/'.length) === localhostProfile) return [];
  return [forbiddenField(path.child('localhostProfile'), `${kind} profile in annotation and field must match`)];
}
