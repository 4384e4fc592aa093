import type { GroupResource } from '../api/groupVersion.ts';
import type { ApiObject } from '../api/object.ts';
import { ApiError, alreadyExists, invalidObject } from '../api/status.ts';
import type { Attributes } from '../contracts/authorizer.ts';
import type { Entry } from '../contracts/entry.ts';
import { forbiddenAttributes } from '../contracts/forbidden.ts';
import type { Awaitable } from '../contracts/store.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { validateNewMetadata } from '../objects/metadataValidation.ts';
import { storageVersionOf } from '../objects/versions.ts';
import { withAllocation } from './allocation.ts';
import { noteStored, noteValidated } from './decisions.ts';
import { resetNew } from './resets.ts';
import { parseVersion } from './resourceVersion.ts';
import { fillSystemFields } from './systemMetadata.ts';
import { admissionAttributes, contextOf, strategyOf, type WriteRequest, type Written } from './writeRequest.ts';

/** How often a clash of a generated name is answered with another name before it is answered with a 409. */
const NAME_ATTEMPTS = 8;

export interface NewObjectChecks {
  /** Asked when the object is known to be valid; throws ApiError. */
  readonly authorize?: () => Awaitable<void>;
}

/**
 * The last stages of every creation, by POST, PUT or apply: system fields, the rules of the type, validation,
 * admission, store. `object` is in the storage version, has passed mutating admission and belongs to the write.
 * Throws ApiError 422 with all causes, 403, 409 (1/object-naming/1), and what admission throws.
 */
export async function storeNew(request: WriteRequest, object: ApiObject, checks: NewObjectChecks): Promise<Written> {
  const { services } = request;
  const generated = !object.metadata.name && Boolean(object.metadata.generateName);
  fillSystemFields(object, services.clock.now(), services.random);
  return withAllocation(request, object, undefined, () => storeFilled(request, object, checks, generated));
}

/** The same for an object that has its system fields; `generated` where its name was made up. */
async function storeFilled(
  request: WriteRequest,
  object: ApiObject,
  checks: NewObjectChecks,
  generated: boolean,
): Promise<Written> {
  const { type } = request.endpoint;
  const { services } = request;
  finish(request, object);
  await checks.authorize?.();
  await services.admission.validate?.(admissionAttributes(request, 'CREATE', object, undefined));
  const version = object.metadata.resourceVersion;
  if (!request.options.dryRun) {
    if (parseVersion(version, 0) > 0) {
      throw new ApiError(500, '', 'resourceVersion should not be set on objects to be created');
    }
    delete object.metadata.resourceVersion;
  }
  for (let attempt = 1; ; attempt++) {
    const { name = '', namespace = '' } = object.metadata;
    const key = objectKey(type, namespace, name);
    let present: Entry | undefined;
    if (request.options.dryRun) {
      present = await services.store.get(key);
      if (!present) {
        noteStored(request.exchange, 'dry run', key);
        return { object, entry: undefined, created: true };
      }
    } else {
      const result = await services.store.commit({ key, expected: 0, object });
      if (result.committed) {
        noteStored(request.exchange, 'created', key, result.entry);
        return { object: result.entry.object, entry: result.entry, created: true };
      }
      present = result.present;
    }
    if (!generated || attempt === NAME_ATTEMPTS) throw nameTaken(type, object, present);
    delete object.metadata.name;
    fillSystemFields(object, services.clock.now(), services.random);
  }
}

/** Applies the rules of the type and validates; throws ApiError 422. */
function finish(request: WriteRequest, object: ApiObject): void {
  const { endpoint, services } = request;
  const strategy = strategyOf(endpoint);
  const context = contextOf(request);
  if (!strategy.keepsStatusOnCreate) resetNew(object, strategy.resetFields, storageVersionOf(endpoint.type).schema);
  if (strategy.generation) object.metadata.generation = 1;
  strategy.prepareForCreate?.(object, context);
  const errors = [
    ...validateNewMetadata(object.metadata, endpoint.type, services.dialect),
    ...(strategy.validate?.(object, context) ?? []),
  ];
  noteValidated(request.exchange, errors);
  if (errors.length > 0) throw invalidObject(endpoint.type, object.metadata.name ?? '', errors);
  for (const text of strategy.warnings?.(object, undefined) ?? []) context.warn(text);
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
 * A check that the user may create the object too, for PUT and apply where nothing is there yet
 * (1/server-side-apply-rules/10); it throws ApiError 403.
 */
export function creationCheck({ services, exchange, endpoint, namespace, name }: WriteRequest): () => Promise<void> {
  const { type, version, subresource } = endpoint;
  const attributes: Attributes = {
    isResource: true,
    user: exchange.user,
    verb: 'create',
    group: type.group,
    version: version.version,
    resource: type.resource,
    subresource: subresource?.name ?? '',
    namespace,
    name,
  };
  return async () => {
    const verdict = await services.authorizer.authorize(attributes);
    if (verdict.decision !== 'allow') throw forbiddenAttributes(attributes, verdict.reason);
  };
}
