import { invalid } from '../api/fieldError.ts';
import { FieldPath } from '../api/fieldPath.ts';
import { equalJson } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import { conflict, invalidObject, notFound, STALE_VERSION } from '../api/status.ts';
import type { Entry } from '../contracts/entry.ts';
import type { Awaitable } from '../contracts/store.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { keptBy } from '../objects/deletionRules.ts';
import { validateChangedMetadata } from '../objects/metadataValidation.ts';
import { withAllocation } from './allocation.ts';
import { noteStored, noteValidated } from './decisions.ts';
import { readStored } from './readStored.ts';
import { resetToOld } from './resets.ts';
import { parseVersion } from './resourceVersion.ts';
import { type NewObjectChecks, storeNew } from './storeNew.ts';
import { keepSystemFields } from './systemMetadata.ts';
import { admissionAttributes, contextOf, strategyOf, type WriteRequest, type Written } from './writeRequest.ts';

/** How often a write that is no condition on a version is tried again when others write in between. */
const ATTEMPTS = 100;

export interface ChangePlan extends NewObjectChecks {
  /**
   * Makes the new object from the present one (undefined: there is none), in the storage version; run again when
   * the object changed meanwhile. Includes field ownership and mutating admission. The result belongs to the
   * write; its resourceVersion, where it has one, is a condition.
   */
  readonly produce: (current: ApiObject | undefined) => Awaitable<ApiObject>;
  /** Whether a missing object is created, whatever the type says about PUT. */
  readonly create?: boolean;
  /** A uid that the present object must have, else 409. */
  readonly uid?: string;
  /** What validating admission is shown instead of the object and its old state. */
  readonly view?: (object: ApiObject) => ApiObject;
}

/**
 * The read, change and store loop behind PUT, PATCH, apply and subresources (1/updating-and-patching). Throws
 * ApiError 404, 409 for a stale version or another uid, 422 with all causes, and what admission throws.
 */
export async function storeChange(request: WriteRequest, plan: ChangePlan): Promise<Written> {
  const { endpoint, services, name, namespace } = request;
  const { type } = endpoint;
  const strategy = strategyOf(endpoint);
  const key = objectKey(type, namespace, name);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const entry = await services.store.get(key);
    const current = entry && readStored(entry);
    if (plan.uid && plan.uid !== (current?.metadata.uid ?? '')) {
      throw conflict(type, name, uidMismatch(key, plan.uid, current?.metadata.uid ?? ''));
    }
    if (!entry || !current) {
      if (!plan.create && !strategy.createOnUpdate) throw notFound(type, name);
      const object = await plan.produce(undefined);
      // A version is a condition only where there is something to compare it with; it must be one all the same.
      parseVersion(object.metadata.resourceVersion);
      delete object.metadata.resourceVersion;
      return storeNew(request, object, plan);
    }
    const object = await plan.produce(current);
    settleVersion(request, object, entry, strategy.unconditionalUpdate ?? false);
    keepSystemFields(object.metadata, current.metadata);
    const written = await withAllocation(request, object, entry, () =>
      store(request, plan, key, entry, current, object),
    );
    if (written) return written;
  }
  throw conflict(type, name, STALE_VERSION);
}

/** Checks the version that the object carries against the stored one and gives it that, in place. */
function settleVersion(request: WriteRequest, object: ApiObject, entry: Entry, unconditional: boolean): void {
  const { type } = request.endpoint;
  const given = parseVersion(object.metadata.resourceVersion);
  if (given === 0 && !unconditional) {
    const fault = invalid(FieldPath.of('metadata', 'resourceVersion'), 0, 'must be specified for an update');
    throw invalidObject({ group: type.group, kind: type.resource }, request.name, [fault]);
  }
  if (given !== 0 && given !== entry.modRevision) throw conflict(type, request.name, STALE_VERSION);
  object.metadata.resourceVersion = String(entry.modRevision);
}

/** The last stages of a change; undefined when the stored object is no longer the one that was read. */
async function store(
  request: WriteRequest,
  { view = (shown) => shown }: ChangePlan,
  key: string,
  entry: Entry,
  current: ApiObject,
  object: ApiObject,
): Promise<Written | undefined> {
  const { services, options, exchange } = request;
  finish(request, object, current);
  await services.admission.validate?.(admissionAttributes(request, 'UPDATE', view(object), view(current)));
  const released = isReleased(request, object, current);
  if (!released && equalJson(asJson(object), asJson(current)) && !entry.stale) {
    noteStored(exchange, 'unchanged', key, entry);
    return { object: current, entry, created: false };
  }
  if (options.dryRun) {
    noteStored(exchange, 'dry run', key);
    return { object, entry: undefined, created: false };
  }
  const { resourceVersion: _, ...metadata } = object.metadata;
  const stored = released ? null : { ...object, metadata };
  const result = await services.store.commit({ key, expected: entry.modRevision, object: stored });
  if (!result.committed) {
    if (released && !result.present) return { object, entry: undefined, created: false };
    noteStored(exchange, 'tried again', key, result.present);
    return undefined;
  }
  noteStored(exchange, released ? 'removed' : 'changed', key, result.entry);
  if (released) return { object, entry: undefined, created: false };
  return { object: result.entry.object, entry: result.entry, created: false };
}

/** Applies the rules of the endpoint and validates; throws ApiError 422. */
function finish(request: WriteRequest, object: ApiObject, old: ApiObject): void {
  const { endpoint, services } = request;
  const strategy = strategyOf(endpoint);
  const context = contextOf(request);
  resetToOld(object, old, strategy.resetFields);
  strategy.prepareForUpdate?.(object, old, context);
  if (strategy.generation && object.metadata.generation === old.metadata.generation && contentDiffers(object, old)) {
    object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }
  const errors = [
    ...validateChangedMetadata(object.metadata, old.metadata, endpoint.type, services.dialect),
    ...(strategy.validateUpdate?.(object, old, context) ?? []),
  ];
  noteValidated(request.exchange, errors);
  if (errors.length > 0) throw invalidObject(endpoint.type, object.metadata.name ?? '', errors);
  for (const text of strategy.warnings?.(object, old) ?? []) context.warn(text);
}

function contentDiffers(object: ApiObject, old: ApiObject): boolean {
  const { metadata: _, apiVersion: __, kind: ___, ...content } = object;
  const { metadata: ____, apiVersion: _____, kind: ______, ...before } = old;
  return !equalJson(content as Record<string, never>, before as Record<string, never>);
}

/** Whether a deleting object loses its last finalizer by this write, which removes it (1/states-and-transitions/t1.3). */
function isReleased(request: WriteRequest, object: ApiObject, old: ApiObject): boolean {
  if ((object.metadata.finalizers ?? []).length > 0) return false;
  if (!old.metadata.deletionTimestamp || (old.metadata.deletionGracePeriodSeconds ?? 0) > 0) return false;
  return !keptBy(request.endpoint.type, object);
}

function uidMismatch(key: string, asked: string, present: string): string {
  return `StorageError: invalid object, Code: 4, Key: /registry${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${asked}, UID in object meta: ${present}`;
}
