import type { JsonObject } from '../../api/json.ts';
import { listOf, numberOf, objectOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';
import { byContainers, type Check, named, type PodView, quoted, setBy } from './violation.ts';

const CAPABILITIES = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  ),
);
const SELINUX_TYPES = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t']);
const SYSCTLS = new Set(
  `kernel.shm_rmid_forced net.ipv4.ip_local_port_range net.ipv4.tcp_syncookies net.ipv4.ping_group_range
   net.ipv4.ip_unprivileged_port_start net.ipv4.ip_local_reserved_ports net.ipv4.tcp_keepalive_time
   net.ipv4.tcp_fin_timeout net.ipv4.tcp_keepalive_intvl net.ipv4.tcp_keepalive_probes net.ipv4.tcp_rmem
   net.ipv4.tcp_wmem`.split(/\s+/),
);
const APPARMOR = 'container.apparmor.security.beta.kubernetes.io/';

const appArmor: Check = ({ annotations }) => {
  const wrong = Object.entries(annotations)
    .filter(([key, value]) => key.startsWith(APPARMOR) && !/^(runtime\/default|localhost\/.*|)$/.test(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort();
  if (wrong.length === 0) return undefined;
  const several = wrong.length === 1 ? '' : 's';
  return { reason: `forbidden AppArmor profile${several}`, detail: `annotation${several} ${wrong.join(', ')}` };
};

/** Capabilities that a container adds and must not, with the containers that do. */
export function addedCapabilities({ containers }: PodView, allowed: (name: string) => boolean) {
  const found = containers.map(({ name, security }) => ({
    name,
    added: textsOf(objectOf(security.capabilities).add).filter((one) => !allowed(one)),
  }));
  const guilty = found.filter(({ added }) => added.length > 0);
  const names = [...new Set(guilty.flatMap(({ added }) => added))].sort();
  if (names.length === 0) return undefined;
  const who = named(
    'container',
    guilty.map(({ name }) => name),
  );
  return `${who} must not include ${quoted(names)} in securityContext.capabilities.add`;
}

const capabilities: Check = (pod) => {
  const detail = addedCapabilities(pod, (name) => CAPABILITIES.has(name));
  return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
};

const hostNamespaces: Check = ({ spec }) => {
  const set = ['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => spec[name] === true).map((name) => `${name}=true`);
  return set.length === 0 ? undefined : { reason: 'host namespaces', detail: set.join(', ') };
};

const hostPaths: Check = ({ spec }) => {
  const names = objectsOf(spec.volumes).filter(({ hostPath }) => hostPath !== undefined);
  if (names.length === 0) return undefined;
  return {
    reason: 'hostPath volumes',
    detail: named(
      'volume',
      names.map(({ name }) => textOf(name)),
    ),
  };
};

const hostPorts: Check = ({ containers }) => {
  const ports = new Set<string>();
  const names = containers
    .filter(({ container }) => {
      const own = objectsOf(container.ports)
        .map(({ hostPort }) => numberOf(hostPort) ?? 0)
        .filter((port) => port !== 0);
      for (const port of own) ports.add(String(port));
      return own.length > 0;
    })
    .map(({ name }) => name);
  if (names.length === 0) return undefined;
  const uses = names.length === 1 ? 'uses' : 'use';
  const many = ports.size === 1 ? '' : 's';
  return {
    reason: 'hostPort',
    detail: `${named('container', names)} ${uses} hostPort${many} ${[...ports].sort().join(', ')}`,
  };
};

const privileged: Check = (pod) =>
  byContainers(
    pod,
    ({ security }) => security.privileged === true,
    'privileged',
    'must not set securityContext.privileged=true',
  );

const procMount: Check = (pod) => {
  const types = new Set<string>();
  const strange = (security: JsonObject): boolean => {
    const type = textOf(security.procMount);
    if (type === '' || type === 'Default') return false;
    types.add(type);
    return true;
  };
  const names = pod.containers.filter(({ security }) => strange(security)).map(({ name }) => name);
  if (names.length === 0) return undefined;
  return {
    reason: 'procMount',
    detail: `${named('container', names)} must not set securityContext.procMount to ${quoted(types)}`,
  };
};

const seLinux: Check = ({ security, containers }) => {
  const types = new Set<string>();
  const others = new Set<string>();
  const strange = (one: JsonObject): boolean => {
    const { type, user, role } = objectOf(one.seLinuxOptions);
    const wrong = !SELINUX_TYPES.has(textOf(type));
    if (wrong) types.add(textOf(type));
    if (textOf(user) !== '') others.add('user may not be set');
    if (textOf(role) !== '') others.add('role may not be set');
    return wrong || textOf(user) !== '' || textOf(role) !== '';
  };
  const pod = strange(security);
  const names = containers.filter((one) => strange(one.security)).map(({ name }) => name);
  if (!pod && names.length === 0) return undefined;
  const told = [...(types.size > 0 ? [`type${types.size === 1 ? '' : 's'} ${quoted(types)}`] : []), ...others];
  return {
    reason: 'seLinuxOptions',
    detail: `${setBy(pod, names)} set forbidden securityContext.seLinuxOptions: ${told.join('; ')}`,
  };
};

const seccomp: Check = ({ security, containers }) => {
  const unconfined = (one: JsonObject): boolean => objectOf(one.seccompProfile).type === 'Unconfined';
  const pod = unconfined(security);
  const names = containers.filter((one) => unconfined(one.security)).map(({ name }) => name);
  if (!pod && names.length === 0) return undefined;
  const detail = `${setBy(pod, names)} must not set securityContext.seccompProfile.type to "Unconfined"`;
  return { reason: 'seccompProfile', detail };
};

const sysctls: Check = ({ security }) => {
  const names = listOf(security.sysctls)
    .map((one) => textOf(objectOf(one).name))
    .filter((name) => !SYSCTLS.has(name));
  return names.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: names.join(', ') };
};

const hostProcess: Check = ({ security, containers }) => {
  const asks = (one: JsonObject): boolean => objectOf(one.windowsOptions).hostProcess === true;
  const pod = asks(security);
  const names = containers.filter((one) => asks(one.security)).map(({ name }) => name);
  if (!pod && names.length === 0) return undefined;
  return {
    reason: 'hostProcess',
    detail: `${setBy(pod, names)} must not set securityContext.windowsOptions.hostProcess=true`,
  };
};

/** What the level `baseline` forbids, by name; the stricter level replaces some. */
export const baseline: Readonly<Record<string, Check>> = {
  appArmorProfile: appArmor,
  capabilities,
  hostNamespaces,
  hostPathVolumes: hostPaths,
  hostPorts,
  privileged,
  procMount,
  seLinuxOptions: seLinux,
  seccompProfile: seccomp,
  sysctls,
  windowsHostProcess: hostProcess,
};
