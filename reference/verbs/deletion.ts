import { equalJson, isObject } from '../api/json.ts';
import type { ObjectMeta } from '../api/object.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import type { Exchange } from '../api/request.ts';
import { conflict, notFound, STALE_VERSION, type Status, type StatusDetails } from '../api/status.ts';
import type { AdmissionAttributes } from '../contracts/admission.ts';
import type { Services } from '../contracts/call.ts';
import type { Propagation } from '../contracts/client.ts';
import type { Entry } from '../contracts/entry.ts';
import type { Endpoint } from '../contracts/resourceRegistry.ts';
import type { ResourceType } from '../contracts/resourceType.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { noteStored } from '../objects/decisions.ts';
import { keptBy, markedDeletionOf } from '../objects/deletionRules.ts';
import { FOREGROUND, ORPHAN } from '../objects/metadataValidation.ts';
import { formatTime } from '../time.ts';
import { replaceStored } from './commit.ts';
import type { DeleteOptions } from './deleteOptions.ts';
import { type Grace, graceOf } from './gracefulDeletion.ts';
import { readStored } from './storeFaults.ts';

/** Types whose dependents stay unless the request says otherwise. */
const ORPHAN_BY_DEFAULT = new Set(['batch/jobs', '/replicationcontrollers']);
/** Types that own nothing, so that deletes leave their finalizers alone. */
const OWN_NOTHING = new Set(['/events']);

/** How to delete: by the request, else by a finalizer that is already there, else by the type. */
function propagationOf(type: ResourceType, meta: ObjectMeta, options: DeleteOptions): Propagation {
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background';
  if (options.propagationPolicy) return options.propagationPolicy;
  if (meta.finalizers?.includes(ORPHAN)) return 'Orphan';
  if (meta.finalizers?.includes(FOREGROUND)) return 'Foreground';
  return ORPHAN_BY_DEFAULT.has(`${type.group}/${type.resource}`) ? 'Orphan' : 'Background';
}

/**
 * The finalizers under which an object waits for the garbage collector; the list given when nothing changes.
 */
function collectorFinalizers(type: ResourceType, meta: ObjectMeta, options: DeleteOptions): readonly string[] {
  const present = meta.finalizers ?? [];
  if (OWN_NOTHING.has(`${type.group}/${type.resource}`)) return present;
  const propagation = propagationOf(type, meta, options);
  const wanted = propagation === 'Orphan' ? ORPHAN : propagation === 'Foreground' ? FOREGROUND : undefined;
  const others = present.filter((name) => name !== ORPHAN && name !== FOREGROUND);
  const next = wanted ? [...others, wanted] : others;
  if (next.length !== present.length) return next;
  const names = new Set(present);
  return next.every((name) => names.has(name)) ? present : next;
}

/** A deletion on its way to the store. */
export interface DeleteRequest {
  readonly services: Services;
  readonly exchange: Exchange;
  readonly endpoint: Endpoint;
  /** Empty for cluster-scoped types. */
  readonly namespace: string;
  readonly name: string;
  readonly options: DeleteOptions;
  /** Name that admission sees; empty for deletecollection. */
  readonly admissionName: string;
}

/** What a deletion came to: the object as it now is or as it was, or only word that it is gone. */
export interface Deleted {
  /** In the storage version; undefined where the answer is a Status. */
  readonly object: ApiObject | undefined;
  /** The state in the store that the answer shows, where it shows one. */
  readonly entry: Entry | undefined;
  readonly status: Status;
  /** True where the object is no longer there. */
  readonly gone: boolean;
}

/** How often a deletion is tried again when others write in between. */
const ATTEMPTS = 100;

/**
 * Deletes one object in its two phases (1/deletion-and-force-deletion/1): finalizers and grace leave it deleting,
 * else it is removed. Throws ApiError 404, 409 for a precondition that does not hold, 500 StoreReadError where it
 * cannot be read, and what admission throws.
 */
export async function deleteObject(request: DeleteRequest): Promise<Deleted> {
  const { services, endpoint, namespace, name } = request;
  const { type } = endpoint;
  const key = objectKey(type, namespace, name);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const entry = await services.store.get(key);
    if (!entry) throw notFound(type, name);
    const current = readStored(entry);
    checkPreconditions(type, current, request.options);
    const done = await deleteOnce(request, key, entry, current);
    if (done) return done;
  }
  throw conflict(type, name, STALE_VERSION);
}

/** One attempt; undefined when the stored object is no longer the one that was read. */
async function deleteOnce(
  request: DeleteRequest,
  key: string,
  entry: Entry,
  current: ApiObject,
): Promise<Deleted | undefined> {
  const { services, endpoint, options } = request;
  const { type } = endpoint;
  const now = services.clock.now();
  const marked = markedDeletionOf(type, services.dialect);
  if (marked && !current.metadata.deletionTimestamp) {
    await admit(request, current);
    const next = copyOf(current);
    next.metadata.deletionTimestamp = formatTime(now);
    marked.mark(next, now);
    setFinalizers(next, collectorFinalizers(type, current.metadata, options), current);
    return put(request, key, entry, next);
  }
  if (keptBy(type, current)) return shown(type, current, entry);
  const grace = graceOf(type.strategy, current, options.gracePeriodSeconds, now);
  if (grace.kind === 'pending') return removed(type, current, entry, false);
  await admit(request, current);
  const next = graceful(type, current, grace, options, now);
  if (next) {
    const waits = (next.metadata.finalizers ?? []).length > 0 || (grace.kind === 'graceful' && grace.seconds > 0);
    if (waits) return put(request, key, entry, next);
    if (options.dryRun) return { ...shown(type, next, undefined), gone: true };
    if (grace.kind === 'graceful') return removeMarked(request, key, entry, next);
  }
  if (options.dryRun) {
    noteStored(request.exchange, 'dry run', key);
    return removed(type, current, undefined, true);
  }
  const result = await replaceStored(services.store, entry, null);
  if (result.committed) {
    noteStored(request.exchange, 'removed', key, result.entry);
    return removed(type, result.entry.object, result.entry, true);
  }
  if (!result.present) throw notFound(type, request.name);
  return undefined;
}

/**
 * Removes an object whose grace is none: whoever watches sees it deleting first. Undefined when the stored object is no
 * longer the one that was read.
 */
async function removeMarked(
  request: DeleteRequest,
  key: string,
  entry: Entry,
  next: ApiObject,
): Promise<Deleted | undefined> {
  const { services, endpoint, exchange } = request;
  const marked = await replaceStored(services.store, entry, next);
  if (!marked.committed) return undefined;
  noteStored(exchange, 'changed', key, marked.entry);
  const result = await replaceStored(services.store, marked.entry, null);
  if (!result.committed) return undefined;
  noteStored(exchange, 'removed', key, result.entry);
  return removed(endpoint.type, result.entry.object, result.entry, true);
}

/** The object as the first phase leaves it; undefined where there is no first phase. */
function graceful(
  type: ResourceType,
  current: ApiObject,
  grace: Grace,
  options: DeleteOptions,
  now: number,
): ApiObject | undefined {
  const finalizers = collectorFinalizers(type, current.metadata, options);
  const before = current.metadata.finalizers ?? [];
  if (grace.kind !== 'graceful' && before.length === 0 && finalizers === before) return undefined;
  if (grace.kind !== 'graceful' && before.length === 0 && finalizers.length === 0) return undefined;
  const next = copyOf(current);
  setFinalizers(next, finalizers, current);
  const { metadata } = next;
  const first = !metadata.deletionTimestamp;
  if (grace.kind === 'graceful') {
    metadata.deletionTimestamp = formatTime(grace.at);
    metadata.deletionGracePeriodSeconds = grace.seconds;
  } else if (finalizers.length > 0) {
    if (!metadata.deletionTimestamp || Date.parse(metadata.deletionTimestamp) > now) {
      metadata.deletionTimestamp = formatTime(now);
    }
    metadata.deletionGracePeriodSeconds = 0;
  } else return next;
  if (first && metadata.generation) metadata.generation += 1;
  return next;
}

/** Stores a first phase, or shows it in a dry run; no write where nothing changes. */
async function put(request: DeleteRequest, key: string, entry: Entry, object: ApiObject): Promise<Deleted | undefined> {
  const { services, endpoint, options } = request;
  if (options.dryRun) return shown(endpoint.type, object, undefined);
  if (equalJson(asJson(object), asJson(entry.object))) return shown(endpoint.type, entry.object, entry);
  const result = await replaceStored(services.store, entry, object);
  if (!result.committed) return undefined;
  noteStored(request.exchange, 'kept deleting', key, result.entry);
  return shown(endpoint.type, result.entry.object, result.entry);
}

async function admit(request: DeleteRequest, oldObject: ApiObject): Promise<void> {
  const { services, endpoint, exchange, namespace, admissionName, options } = request;
  const attributes: AdmissionAttributes = {
    operation: 'DELETE',
    endpoint,
    namespace,
    name: admissionName,
    object: undefined,
    oldObject,
    options: markedDeletionOf(endpoint.type, services.dialect) ? ofThis(options.document, oldObject) : options.document,
    dryRun: options.dryRun,
    exchange,
  };
  await services.admission.mutate?.(attributes);
  await services.admission.validate?.(attributes);
}

/** Types that are deleted by a mark are deleted as the object that was found, and as no later one of its name. */
function ofThis(document: ApiObject, { metadata }: ApiObject): ApiObject {
  const given = isObject(document.preconditions) ? document.preconditions : {};
  return given.uid !== undefined || !metadata.uid
    ? document
    : { ...document, preconditions: { ...given, uid: metadata.uid } };
}

function checkPreconditions(type: ResourceType, object: ApiObject, { preconditions }: DeleteOptions): void {
  const { uid, resourceVersion, name = '' } = object.metadata;
  const kind = { group: type.group, resource: type.kind };
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) {
    throw conflict(
      kind,
      name,
      `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
  }
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    throw conflict(
      kind,
      name,
      `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
  }
}

function copyOf(object: ApiObject): ApiObject {
  return { ...object, metadata: { ...object.metadata } };
}

function setFinalizers(object: ApiObject, finalizers: readonly string[], old: ApiObject): void {
  if (finalizers === old.metadata.finalizers) return;
  const before = new Set(old.metadata.finalizers);
  const added = (object.metadata.finalizers ?? []).filter((name) => !before.has(name));
  const next = [...finalizers, ...added];
  if (next.length > 0) object.metadata.finalizers = next;
  else delete object.metadata.finalizers;
}

/** An answer that shows the object, which is still there. */
function shown(type: ResourceType, object: ApiObject, entry: Entry | undefined): Deleted {
  return { object, entry, status: successOf(type, object), gone: false };
}

/** An answer about an object of which the type says whether it is shown. */
function removed(type: ResourceType, object: ApiObject, entry: Entry | undefined, gone: boolean): Deleted {
  const returns = type.strategy.deleteReturnsObject ?? false;
  return {
    object: returns ? object : undefined,
    entry: returns ? entry : undefined,
    status: successOf(type, object),
    gone,
  };
}

/** The Status that tells of a removal (1/operations-of-the-cluster-role-binding-and-validating-webhook-configuration-families/t1.6). */
export function successOf({ group, resource }: ResourceType, { metadata }: Pick<ApiObject, 'metadata'>): Status {
  const details: StatusDetails = {};
  if (metadata.name) details.name = metadata.name;
  if (group) details.group = group;
  details.kind = resource;
  if (metadata.uid) details.uid = metadata.uid;
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}
