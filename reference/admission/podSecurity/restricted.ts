import type { JsonObject } from '../../api/json.ts';
import { objectOf, objectsOf, textOf, textsOf } from '../../api/parts.ts';
import { addedCapabilities, baseline } from './baseline.ts';
import { byContainers, type Check, type ContainerView, named, type PodView, quoted, setBy } from './violation.ts';

const VOLUMES = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);
const PROFILES = new Set(['RuntimeDefault', 'Localhost']);

const escalation: Check = (pod) =>
  pod.windows
    ? undefined
    : byContainers(
        pod,
        ({ security }) => security.allowPrivilegeEscalation !== false,
        'allowPrivilegeEscalation != false',
        'must set securityContext.allowPrivilegeEscalation=false',
      );

const capabilities: Check = (pod) => {
  if (pod.windows) return undefined;
  const keeps = ({ security }: ContainerView): boolean =>
    !textsOf(objectOf(security.capabilities).drop).includes('ALL');
  const keeping = byContainers(pod, keeps, '', 'must set securityContext.capabilities.drop=["ALL"]')?.detail;
  const adding = addedCapabilities(pod, (name) => name === 'NET_BIND_SERVICE');
  const details = [keeping, adding].filter((detail) => detail !== undefined);
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

const volumes: Check = ({ spec }) => {
  const kinds = new Set<string>();
  const names = objectsOf(spec.volumes)
    .filter((volume) => {
      const kind = Object.keys(volume).find((name) => name !== 'name');
      if (kind === undefined || VOLUMES.has(kind)) return false;
      kinds.add(kind);
      return true;
    })
    .map(({ name }) => textOf(name));
  if (names.length === 0) return undefined;
  const uses = names.length === 1 ? 'uses' : 'use';
  const many = kinds.size === 1 ? '' : 's';
  return {
    reason: 'restricted volume types',
    detail: `${named('volume', names)} ${uses} restricted volume type${many} ${quoted([...kinds].sort())}`,
  };
};

/** Containers for which nothing is said, neither by them nor by their pod, and those that say the wrong thing. */
function said(
  { security, containers }: PodView,
  right: (one: JsonObject) => boolean | undefined,
): { readonly podWrong: boolean; readonly wrong: string[]; readonly silent: string[] } {
  const pod = right(security);
  const wrong = containers.filter((one) => right(one.security) === false).map(({ name }) => name);
  const silent = containers
    .filter((one) => right(one.security) === undefined && pod === undefined)
    .map(({ name }) => name);
  return { podWrong: pod === false, wrong, silent };
}

const nonRoot: Check = (pod) => {
  const { podWrong, wrong, silent } = said(pod, ({ runAsNonRoot }) =>
    typeof runAsNonRoot === 'boolean' ? runAsNonRoot : undefined,
  );
  const reason = 'runAsNonRoot != true';
  if (podWrong || wrong.length > 0) {
    return { reason, detail: `${setBy(podWrong, wrong)} must not set securityContext.runAsNonRoot=false` };
  }
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${named('container', silent)} must set securityContext.runAsNonRoot=true` };
};

const rootUser: Check = ({ security, containers }) => {
  const root = (one: JsonObject): boolean => Number(one.runAsUser ?? 1) === 0;
  const pod = root(security);
  const names = containers.filter((one) => root(one.security)).map(({ name }) => name);
  if (!pod && names.length === 0) return undefined;
  return { reason: 'runAsUser=0', detail: `${setBy(pod, names)} must not set runAsUser=0` };
};

const seccomp: Check = (pod) => {
  if (pod.windows) return undefined;
  const { podWrong, wrong, silent } = said(pod, (one) => {
    const { type } = objectOf(one.seccompProfile);
    return type === undefined ? undefined : PROFILES.has(textOf(type));
  });
  const reason = 'seccompProfile';
  if (podWrong || wrong.length > 0) {
    return {
      reason,
      detail: `${setBy(podWrong, wrong)} must not set securityContext.seccompProfile.type to "Unconfined"`,
    };
  }
  if (silent.length === 0) return undefined;
  const must = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
  return { reason, detail: `pod or ${named('container', silent)} ${must}` };
};

const { capabilities: _, hostPathVolumes: __, seccompProfile: ___, ...kept } = baseline;

/** What the level `restricted` forbids: what `baseline` does, three of it more strictly, and more. */
export const restricted: readonly Check[] = [
  ...Object.values(kept),
  escalation,
  capabilities,
  volumes,
  nonRoot,
  rootUser,
  seccomp,
];
