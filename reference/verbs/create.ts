import type { ApiObject } from '../api/object.ts';
import { invalidObject } from '../api/status.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Call } from '../contracts/call.ts';
import { mergeOwnerReferences } from '../objects/ownerReferences.ts';
import { fromStorage, toStorage } from '../objects/versions.ts';
import { expectedOf, readObject } from './body.ts';
import { recordOwnership } from './ownership.ts';
import { storeNew } from './storeNew.ts';
import { runSubresource } from './subresourceOperation.ts';
import { clearSystemFields, settleNamespace } from './systemMetadata.ts';
import { answerOf } from './writeAnswer.ts';
import { readWriteOptions } from './writeOptions.ts';
import { admissionAttributes, contextOf, strategyOf, type WriteRequest, writeRequest } from './writeRequest.ts';

/**
 * POST: creates an object of the endpoint's type, or runs the operation that the type stands for
 * (1/verbs/b1, 1/terminology/t1.6). Answers 201. Throws ApiError.
 */
export async function create(call: Call): Promise<Answer> {
  const options = readWriteOptions(call, 'CreateOptions');
  const { endpoint } = call;
  const object = await readObject(call, expectedOf(call), options.fieldValidation);
  const request = writeRequest(call, options);
  clearSystemFields(object);
  settleNamespace(object, request.namespace);
  if (endpoint.subresource) return runSubresource(call, request, object);
  return createObject(request, object);
}

/** Creates an object that is decoded and has its defaults, in the version of the endpoint; it belongs to the write. */
export async function createObject(request: WriteRequest, object: ApiObject): Promise<Answer> {
  const prepared = await prepareNew(request, object);
  const { endpoint } = request;
  if (endpoint.version.operation) return operate(request, prepared);
  return answerOf(request, await storeNew(request, prepared, {}));
}

/** Ownership and mutating admission of a new object; the result is in the storage version. */
export async function prepareNew(request: WriteRequest, object: ApiObject): Promise<ApiObject> {
  const { endpoint, services, exchange } = request;
  mergeOwnerReferences(object, exchange.warnings, false);
  const stored = toStorage(endpoint, recordOwnership(request, undefined, object));
  await services.admission.mutate?.(admissionAttributes(request, 'CREATE', stored, undefined));
  mergeOwnerReferences(stored, exchange.warnings, true);
  return stored;
}

/** A type that stands for an operation: nothing is stored, the object comes back with its answer. */
async function operate(request: WriteRequest, object: ApiObject): Promise<Answer> {
  const { endpoint, services, exchange } = request;
  const { type, version } = endpoint;
  const strategy = strategyOf(endpoint);
  const context = contextOf(request);
  strategy.prepareForCreate?.(object, context);
  const errors = strategy.validate?.(object, context) ?? [];
  if (errors.length > 0) throw invalidObject(type, object.metadata.name ?? '', errors);
  await services.admission.validate?.(admissionAttributes(request, 'CREATE', object, undefined));
  const answer = await version.operation?.(fromStorage(endpoint, object), exchange);
  return { kind: 'object', code: 201, endpoint, object: answer ?? object };
}
