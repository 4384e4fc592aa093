import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import { equalJson, isObject, type Json, type JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import { type ApiError, forbidden, notFound } from '../api/status.ts';
import type { Admission, AdmissionAttributes } from '../contracts/admission.ts';
import { nodeOf } from '../contracts/authorizer.ts';
import type { Store } from '../contracts/store.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { podReferences } from '../objects/podReferences.ts';
import { requestedSubject } from './certificateRequest.ts';
import { forbiddenNodeLabels } from './nodeLabels.ts';

/** Looks at what a node agent writes; throws or answers why it may not. */
type Restriction = (attributes: AdmissionAttributes, node: string) => string | undefined | Promise<string | undefined>;

/**
 * Plugin NodeRestriction (2/node-authorization/3): a node agent writes its own node and the pods bound to it, and
 * nothing of others. Users that are no node agents are not looked at (2/node-authorization/5).
 */
export function nodeRestriction({ store, dialect }: { readonly store: Store; readonly dialect: Dialect }): Admission {
  const restrictions = new Map<string, Restriction>([
    ['/pods', podRestriction(store, dialect)],
    ['/nodes', (attributes, node) => nodeFault(attributes, node, dialect)],
    ['/persistentvolumeclaims', claimFault],
    ['/serviceaccounts', (attributes, node) => tokenFault(attributes, node, store)],
    [`${groupName(dialect, 'coordination')}/leases`, (attributes, node) => leaseFault(attributes, node, dialect)],
    [`${groupName(dialect, 'storage')}/csinodes`, csiNodeFault],
    [`${groupName(dialect, 'resource')}/resourceslices`, sliceFault],
    [
      `${groupName(dialect, 'certificates')}/certificatesigningrequests`,
      (attributes, node) => certificateFault(attributes, node, dialect),
    ],
  ]);
  return {
    name: 'NodeRestriction',
    concerns: ({ group, resource }) => restrictions.has(`${group}/${resource}`),
    async mutate(attributes) {
      const { group, resource } = attributes.endpoint.type;
      const restriction = restrictions.get(`${group}/${resource}`);
      const node = restriction && nodeOf(attributes.exchange.user);
      if (!restriction || node === undefined) return;
      const why =
        node === ''
          ? `could not determine node from user ${JSON.stringify(attributes.exchange.user.username)}`
          : await restriction(attributes, node);
      if (why !== undefined) throw refused(attributes, why);
    },
  };
}

function refused(attributes: AdmissionAttributes, why: string): ApiError {
  const { group, resource } = attributes.endpoint.type;
  return forbidden({ group, resource }, attributes.name || (attributes.object?.metadata.name ?? ''), why);
}
const quote = (text: string) => JSON.stringify(text);
const specOf = (object: ApiObject | undefined): JsonObject => (isObject(object?.spec) ? object.spec : {});
/** Equal, where absent and empty are the same. */
const same = (a: unknown, b: unknown) => equalJson((a ?? []) as Json, (b ?? []) as Json);

async function podOf(store: Store, namespace: string, name: string): Promise<ApiObject> {
  const entry = await store.get(objectKey({ group: '', resource: 'pods' }, namespace, name));
  if (!entry) throw notFound({ group: '', resource: 'pods' }, name);
  return entry.object;
}

function podRestriction(store: Store, dialect: Dialect): Restriction {
  return async (attributes, node) => {
    const { operation, endpoint, namespace, name, object, oldObject } = attributes;
    const subresource = endpoint.subresource?.name ?? '';
    const others = async (pod: string) => specOf(await podOf(store, namespace, pod)).nodeName !== node;
    if (subresource === 'status') {
      if (operation !== 'UPDATE') return `unexpected operation ${quote(operation)}`;
      if (specOf(oldObject).nodeName !== node) {
        return `node ${quote(node)} can only update pod status for pods with spec.nodeName set to itself`;
      }
      if (!same(object?.metadata.labels ?? {}, oldObject?.metadata.labels ?? {})) {
        return `node ${quote(node)} cannot update labels through pod status`;
      }
      return undefined;
    }
    if (subresource === 'eviction') {
      if (operation !== 'CREATE') return `unexpected operation ${operation}`;
      return (await others(object?.metadata.name || name))
        ? `node ${node} can only evict pods with spec.nodeName set to itself`
        : undefined;
    }
    if (subresource !== '') return `unexpected pod subresource ${quote(subresource)}`;
    if (operation === 'CREATE' && object) return mirrorPodFault(object, node, store, dialect);
    if (operation !== 'DELETE') {
      return `unexpected operation ${quote(operation)}, node ${quote(node)} can only create and delete mirror pods`;
    }
    return (await others(name))
      ? `node ${quote(node)} can only delete pods with spec.nodeName set to itself`
      : undefined;
  };
}

/** A node shows its own static pods, which may name nothing else, so that showing them opens nothing. */
async function mirrorPodFault(
  pod: ApiObject,
  node: string,
  store: Store,
  dialect: Dialect,
): Promise<string | undefined> {
  const who = `node ${quote(node)}`;
  const annotation = `${dialect.labelDomain}/config.mirror`;
  const spec = specOf(pod);
  if (pod.metadata.annotations?.[annotation] === undefined) {
    return `pod does not have ${quote(annotation)} annotation, ${who} can only create mirror pods`;
  }
  if (spec.nodeName !== node) return `${who} can only create pods with spec.nodeName set to itself`;
  const owners = pod.metadata.ownerReferences ?? [];
  if (owners.length > 1) return `${who} can only create pods with a single owner reference set to itself`;
  const [owner] = owners;
  if (owner) {
    if (owner.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
      return `${who} can only create pods with an owner reference set to itself`;
    }
    if (!owner.controller) return `${who} can only create pods with a controller owner reference set to itself`;
    if (owner.blockOwnerDeletion) return `${who} must not set blockOwnerDeletion on an owner reference`;
    const entry = await store.get(objectKey({ group: '', resource: 'nodes' }, '', node));
    if (!entry) throw notFound({ group: '', resource: 'nodes' }, node);
    const { uid } = entry.object.metadata;
    if (owner.uid !== uid) return `node ${node} UID mismatch: expected ${uid} got ${owner.uid}`;
  }
  const named = new Set([...podReferences(pod)].map((reference) => reference.slice(0, reference.indexOf('/'))));
  if (named.has('serviceaccounts')) return `${who} can not create pods that reference a service account`;
  for (const resource of ['secrets', 'configmaps', 'persistentvolumeclaims', 'resourceclaims']) {
    if (named.has(resource)) return `${who} can not create pods that reference ${resource}`;
  }
  return undefined;
}

function nodeFault(
  { operation, name, object, oldObject }: AdmissionAttributes,
  node: string,
  dialect: Dialect,
): string | undefined {
  const who = `node ${quote(node)}`;
  if (operation === 'CREATE') {
    const labels = forbiddenNodeLabels(object?.metadata.labels ?? {}, {}, dialect);
    if (labels.length > 0) return `${who} is not allowed to set the following labels: ${labels.join(', ')}`;
  }
  const requested = name || (object?.metadata.name ?? '');
  if (requested !== node) return `${who} is not allowed to modify node ${quote(requested)}`;
  if (operation !== 'UPDATE') return undefined;
  if (!same(specOf(object).taints, specOf(oldObject).taints)) return `${who} is not allowed to modify taints`;
  const labels = forbiddenNodeLabels(object?.metadata.labels ?? {}, oldObject?.metadata.labels ?? {}, dialect);
  if (labels.length > 0) return `is not allowed to modify labels: ${labels.join(', ')}`;
  if (!same(object?.metadata.ownerReferences, oldObject?.metadata.ownerReferences)) {
    return `${who} is not allowed to modify ownerReferences`;
  }
  return undefined;
}

/** Of a claim a node tells how far a volume has grown, and nothing else. */
function claimFault({ operation, endpoint, object, oldObject }: AdmissionAttributes, node: string): string | undefined {
  if (endpoint.subresource?.name !== 'status') return 'may only update PVC status';
  if (operation !== 'UPDATE' || !object || !oldObject) return `unexpected operation ${quote(operation)}`;
  const rest = (claim: ApiObject): JsonObject => {
    const status: JsonObject = isObject(claim.status) ? { ...claim.status } : {};
    for (const grown of ['capacity', 'conditions', 'allocatedResources', 'allocatedResourceStatuses'])
      delete status[grown];
    const { managedFields: _, resourceVersion: __, ...metadata } = claim.metadata;
    return { ...asJson(claim), metadata: metadata as unknown as JsonObject, status };
  };
  return equalJson(rest(object), rest(oldObject))
    ? undefined
    : `node ${quote(node)} is not allowed to update fields other than status.quantity and status.conditions`;
}

async function tokenFault(
  { operation, endpoint, namespace, object }: AdmissionAttributes,
  node: string,
  store: Store,
): Promise<string | undefined> {
  if (operation !== 'CREATE' || endpoint.subresource?.name !== 'token') return undefined;
  const bound = specOf(object).boundObjectRef;
  if (!isObject(bound) || bound.apiVersion !== 'v1' || bound.kind !== 'Pod' || typeof bound.name !== 'string') {
    return 'node requested token not bound to a pod';
  }
  if (!bound.uid) return 'node requested token with a pod binding without a uid';
  const pod = await podOf(store, namespace, bound.name);
  if (bound.uid !== pod.metadata.uid) {
    return `the UID in the bound object reference (${bound.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  }
  return specOf(pod).nodeName === node
    ? undefined
    : 'node requested token bound to a pod scheduled on a different node';
}

function leaseFault(
  { namespace, name, object }: AdmissionAttributes,
  node: string,
  dialect: Dialect,
): string | undefined {
  if (namespace !== dialect.nodeLeaseNamespace) {
    return `can only access leases in the ${quote(dialect.nodeLeaseNamespace)} system namespace`;
  }
  return (name || object?.metadata.name) === node
    ? undefined
    : 'can only access node lease with the same name as the requesting node';
}

function csiNodeFault({ name, object }: AdmissionAttributes, node: string): string | undefined {
  return (name || object?.metadata.name) === node
    ? undefined
    : 'can only access CSINode with the same name as the requesting node';
}

function sliceFault({ operation, object, oldObject }: AdmissionAttributes, node: string): string | undefined {
  if (operation === 'CREATE') {
    return specOf(object).nodeName === node
      ? undefined
      : 'can only create ResourceSlice with the same NodeName as the requesting node';
  }
  return specOf(oldObject).nodeName === node
    ? undefined
    : `can only ${operation.toLowerCase()} ResourceSlice with the same NodeName as the requesting node`;
}

/** A node asks for certificates of its own name only. */
async function certificateFault(
  { operation, object }: AdmissionAttributes,
  node: string,
  dialect: Dialect,
): Promise<string | undefined> {
  if (operation !== 'CREATE') return undefined;
  const { signerName, request } = specOf(object);
  const signers = ['kubelet-serving', `${dialect.componentPrefix}apiserver-client-kubelet`];
  if (!signers.some((signer) => signerName === `${dialect.labelDomain}/${signer}`)) return undefined;
  const commonName = typeof request === 'string' ? (await requestedSubject(request))?.commonName : undefined;
  if (commonName === undefined) return 'unable to parse csr';
  return commonName === `system:node:${node}` ? undefined : `can only create a node CSR with CN=system:node:${node}`;
}
