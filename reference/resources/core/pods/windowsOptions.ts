import { type FieldError, forbiddenField, invalid } from '../../../api/fieldError.ts';
import type { FieldPath } from '../../../api/fieldPath.ts';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import { dns1123Subdomain } from '../../../api/nameRules.ts';
import { objectOf, textOf } from '../../../api/parts.ts';
import { eachContainer } from '../../../objects/podContainers.ts';
import { named } from '../../validation/values.ts';

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
export function validateWindowsOptions(options: Json | undefined, path: FieldPath): FieldError[] {
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
