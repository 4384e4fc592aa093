import { isObject, type Json, type JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';

const items = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const part = (value: Json | undefined, name: string): JsonObject => {
  const found = isObject(value) ? value[name] : undefined;
  return isObject(found) ? found : {};
};

/** `resource/namespace/name`: what a reference points at. */
export function referenceKey(resource: string, namespace: string, name: string): string {
  return `${resource}/${namespace}/${name}`;
}

/**
 * Everything in its namespace that a pod needs to run: secrets, config maps, volume claims, resource claims and its
 * service account (2/node-authorization/2).
 */
export function podReferences(pod: ApiObject): ReadonlySet<string> {
  const namespace = pod.metadata.namespace ?? '';
  const found = new Set<string>();
  const add = (resource: string, name: Json | undefined) => {
    if (text(name) !== '') found.add(referenceKey(resource, namespace, text(name)));
  };
  const spec = isObject(pod.spec) ? pod.spec : {};
  add('serviceaccounts', spec.serviceAccountName);
  for (const secret of items(spec.imagePullSecrets)) add('secrets', secret.name);
  for (const kind of ['containers', 'initContainers', 'ephemeralContainers']) {
    for (const container of items(spec[kind])) {
      for (const source of items(container.envFrom)) {
        add('secrets', part(source, 'secretRef').name);
        add('configmaps', part(source, 'configMapRef').name);
      }
      for (const variable of items(container.env)) {
        add('secrets', part(part(variable, 'valueFrom'), 'secretKeyRef').name);
        add('configmaps', part(part(variable, 'valueFrom'), 'configMapKeyRef').name);
      }
    }
  }
  for (const volume of items(spec.volumes)) addVolume(volume, pod, add);
  for (const claim of items(spec.resourceClaims)) add('resourceclaims', claim.resourceClaimName);
  const status = isObject(pod.status) ? pod.status : {};
  for (const claim of items(status.resourceClaimStatuses)) add('resourceclaims', claim.resourceClaimName);
  return found;
}

type Add = (resource: string, name: Json | undefined) => void;

function addVolume(volume: JsonObject, pod: ApiObject, add: Add): void {
  add('persistentvolumeclaims', part(volume, 'persistentVolumeClaim').claimName);
  if (isObject(volume.ephemeral)) add('persistentvolumeclaims', `${pod.metadata.name}-${text(volume.name)}`);
  add('configmaps', part(volume, 'configMap').name);
  for (const source of items(part(volume, 'projected').sources)) {
    add('secrets', part(source, 'secret').name);
    add('configmaps', part(source, 'configMap').name);
  }
  // Every other kind of volume names its secret in one of these ways.
  for (const source of Object.values(volume)) {
    if (!isObject(source)) continue;
    add('secrets', source.secretName);
    add('secrets', part(source, 'secretRef').name);
    add('secrets', part(source, 'nodePublishSecretRef').name);
  }
}

/** The claim that a volume is bound to, and the secrets that a node needs to mount it, as reference keys. */
export function volumeReferences(
  volume: ApiObject,
): { readonly claim: string; readonly secrets: readonly string[] } | undefined {
  const spec = isObject(volume.spec) ? volume.spec : {};
  const claim = part(spec, 'claimRef');
  if (text(claim.name) === '') return undefined;
  const secrets: string[] = [];
  const add = (name: Json | undefined, namespace: Json | undefined) => {
    if (text(name) !== '') secrets.push(referenceKey('secrets', text(namespace) || text(claim.namespace), text(name)));
  };
  for (const source of Object.values(spec)) {
    if (!isObject(source)) continue;
    add(source.secretName, source.secretNamespace);
    for (const field of ['secretRef', 'nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef']) {
      const reference = part(source, field);
      add(reference.name, reference.namespace);
    }
  }
  return { claim: referenceKey('persistentvolumeclaims', text(claim.namespace), text(claim.name)), secrets };
}
