import { cloneJson } from '../api/json.ts';
import { type ApiObject, asApiObject, asJson } from '../api/object.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Call } from '../contracts/call.ts';
import { mergeOwnerReferences } from '../objects/ownerReferences.ts';
import { fromStorage, toStorage } from '../objects/versions.ts';
import { expectedOf, readObject } from './body.ts';
import { keepOldTimes, recordOwnership } from './ownership.ts';
import { updateScale } from './scaleWrite.ts';
import { storeChange } from './storeChange.ts';
import { creationCheck } from './storeNew.ts';
import { checkName, clearSystemFields, settleNamespace } from './systemMetadata.ts';
import { answerOf } from './writeAnswer.ts';
import { optionsAs, readWriteOptions } from './writeOptions.ts';
import { admissionAttributes, type WriteRequest, writeRequest } from './writeRequest.ts';

/**
 * PUT: replaces an object, or creates it where the type allows that (1/updating-and-patching/1, 1/verbs/b3).
 * Answers 200, or 201 where it created. Throws ApiError.
 */
export async function update(call: Call): Promise<Answer> {
  const options = readWriteOptions(call, 'UpdateOptions');
  if (call.endpoint.subresource?.form === 'scale') return updateScale(call, options);
  const object = await readObject(call, expectedOf(call), options.fieldValidation);
  const request = writeRequest(call, options);
  settleNamespace(object, request.namespace);
  checkName(object, request.name);
  return updateObject(request, object);
}

/** Replaces an object by one that is decoded and has its defaults, in the version of the endpoint. */
export async function updateObject(request: WriteRequest, object: ApiObject): Promise<Answer> {
  const { exchange } = request;
  mergeOwnerReferences(object, exchange.warnings, false);
  const written = await storeChange(request, {
    uid: object.metadata.uid,
    authorize: creationCheck(request),
    produce: (current) => {
      // A type's rules change the object in place, so that another attempt needs another copy.
      const next = asApiObject(cloneJson(asJson(object)));
      return current ? prepareChange(request, current, next) : prepareCreation(request, next);
    },
  });
  return answerOf(request, written);
}

/**
 * Ownership and mutating admission of a changed object. `current` is in the storage version, `object` in that of
 * the endpoint; the result is in the storage version.
 */
export async function prepareChange(request: WriteRequest, current: ApiObject, object: ApiObject): Promise<ApiObject> {
  const { endpoint } = request;
  const owned = recordOwnership(request, fromStorage(endpoint, current), object);
  return admitChange(request, current, toStorage(endpoint, owned));
}

/** Mutating admission of a change; both objects are in the storage version. */
export async function admitChange(request: WriteRequest, current: ApiObject, stored: ApiObject): Promise<ApiObject> {
  await request.services.admission.mutate?.(admissionAttributes(request, 'UPDATE', stored, current));
  mergeOwnerReferences(stored, request.exchange.warnings, true);
  keepOldTimes(stored, current);
  return stored;
}

/** The same for a PUT that creates. */
export async function prepareCreation(request: WriteRequest, object: ApiObject): Promise<ApiObject> {
  const { endpoint, services, exchange } = request;
  clearSystemFields(object);
  const stored = toStorage(endpoint, recordOwnership(request, undefined, object));
  const creation = { ...request, options: optionsAs(request.options, 'CreateOptions') };
  await services.admission.mutate?.(admissionAttributes(creation, 'CREATE', stored, undefined));
  mergeOwnerReferences(stored, exchange.warnings, true);
  return stored;
}
