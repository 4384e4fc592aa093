import { departs } from '../../fixtures/follow.ts';
import type { Awaitable } from '../api/awaitable.ts';
import type { GroupResource } from '../api/groupVersion.ts';
import { equalJson } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import { ApiError, alreadyExists, badRequest } from '../api/status.ts';
import type { Entry } from '../contracts/entry.ts';
import type { CommitResult, Store } from '../contracts/store.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { noteStored } from '../objects/decisions.ts';
import { keptBy } from '../objects/deletionRules.ts';
import { fillSystemFields, parseVersion } from './systemMetadata.ts';
import type { WriteRequest } from './writeRequest.ts';

/** How often a clash of a generated name is answered with another name before it is answered with a 409. */
const NAME_ATTEMPTS = 8;
const NEW_HAS_VERSION = 'resourceVersion should not be set on objects to be created';

/** What a write came to. Objects are in the storage version. */
export interface Written {
  readonly object: ApiObject;
  /** The state in the store that the answer shows; undefined where nothing was stored (dry run, removal). */
  readonly entry: Entry | undefined;
  readonly created: boolean;
}

/**
 * Stores a new object, in the storage version and with its system fields. Throws ApiError 400 where it carries a version,
 * 409 where its name is taken, and for a `generated` one where further names are taken too (1/object-naming/1).
 */
export async function commitNew(request: WriteRequest, object: ApiObject, generated: boolean): Promise<Written> {
  const { services, exchange } = request;
  const { type } = request.endpoint;
  const { dryRun } = request.options;
  const late = departs(services.follow, 'version-of-new-object');
  if (!late || !dryRun) {
    // What is no number counts as none here.
    if ((parseVersion(object.metadata.resourceVersion) ?? 0) > 0) {
      throw late ? new ApiError(500, '', NEW_HAS_VERSION) : badRequest(NEW_HAS_VERSION);
    }
    delete object.metadata.resourceVersion;
  }
  for (let attempt = 1; ; attempt++) {
    const { name = '', namespace = '' } = object.metadata;
    const key = objectKey(type, namespace, name);
    let present: Entry | undefined;
    if (dryRun) {
      present = await services.store.get(key);
      if (!present) {
        noteStored(exchange, 'dry run', key);
        return { object, entry: undefined, created: true };
      }
    } else {
      const result = await services.store.commit({ key, expected: 0, object });
      if (result.committed) {
        noteStored(exchange, 'created', key, result.entry);
        return { object: result.entry.object, entry: result.entry, created: true };
      }
      present = result.present;
    }
    if (!generated || attempt === NAME_ATTEMPTS) throw nameTaken(type, object, present);
    delete object.metadata.name;
    fillSystemFields(object, services.clock.now(), services.random);
  }
}

function nameTaken(type: GroupResource, object: ApiObject, present: Entry | undefined): ApiError {
  const clash = alreadyExists(type, object.metadata.name ?? '');
  let { message } = clash;
  if (present && isDeleting(present)) message = `object is being deleted: ${message}`;
  if (!object.metadata.generateName) return new ApiError(409, 'AlreadyExists', message, clash.details);
  return new ApiError(
    409,
    'AlreadyExists',
    `${message}, the server was not able to generate a unique name for the object`,
    { ...clash.details, retryAfterSeconds: 1 },
  );
}

/** An object that cannot be read counts as one that is not being deleted. */
function isDeleting(entry: Entry): boolean {
  try {
    return Boolean(entry.object.metadata.deletionTimestamp);
  } catch {
    return false;
  }
}

/**
 * Stores a changed object over the entry that it was made from, and removes it where this write takes its last
 * finalizer while it is being deleted. Undefined when the stored object is no longer the one that was read.
 */
export async function commitChange(
  request: WriteRequest,
  object: ApiObject,
  entry: Entry,
): Promise<Written | undefined> {
  const { services, exchange } = request;
  const { key, object: old } = entry;
  const released = isReleased(request, object, old);
  if (!released && equalJson(asJson(object), asJson(old)) && !entry.stale) {
    noteStored(exchange, 'unchanged', key, entry);
    return { object: old, entry, created: false };
  }
  if (request.options.dryRun) {
    noteStored(exchange, 'dry run', key);
    return { object, entry: undefined, created: false };
  }
  const result = await replaceStored(services.store, entry, released ? null : object);
  if (!result.committed) {
    if (released && !result.present) return { object, entry: undefined, created: false };
    noteStored(exchange, 'tried again', key, result.present);
    return undefined;
  }
  noteStored(exchange, released ? 'removed' : 'changed', key, result.entry);
  if (released) return { object, entry: undefined, created: false };
  return { object: result.entry.object, entry: result.entry, created: false };
}

/**
 * Puts an object in the place of an entry, or removes that (`null`), if it is what is stored still. The version that the
 * object bears is not part of what is stored.
 */
export function replaceStored(store: Store, entry: Entry, object: ApiObject | null): Awaitable<CommitResult> {
  const { key, modRevision: expected } = entry;
  if (!object) return store.commit({ key, expected, object });
  const { resourceVersion: _, ...metadata } = object.metadata;
  return store.commit({ key, expected, object: { ...object, metadata } });
}

/** Whether a deleting object loses its last finalizer by this write, which removes it (1/states-and-transitions/t1.3). */
function isReleased({ endpoint }: WriteRequest, object: ApiObject, old: ApiObject): boolean {
  if ((object.metadata.finalizers ?? []).length > 0) return false;
  if (!old.metadata.deletionTimestamp || (old.metadata.deletionGracePeriodSeconds ?? 0) > 0) return false;
  return !keptBy(endpoint.type, object);
}
