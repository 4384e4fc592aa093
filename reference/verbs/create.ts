import type { ApiObject } from '../api/object.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Call } from '../contracts/call.ts';
import { expectedOf, readObject } from '../objects/body.ts';
import { mergeOwnerReferences } from '../objects/ownerReferences.ts';
import { readWriteOptions } from '../objects/writeOptions.ts';
import { runSubresource } from './operation.ts';
import { settleNamespace } from './systemMetadata.ts';
import { write } from './write.ts';
import { type WriteRequest, writeRequest } from './writeRequest.ts';

/**
 * POST: creates an object of the endpoint's type, or runs the operation that the type or the subresource stands for
 * (1/verbs/b1, 1/terminology/t1.6). Answers 201. Throws ApiError.
 */
export async function create(call: Call): Promise<Answer> {
  const options = readWriteOptions(call, 'CreateOptions');
  const object = await readObject(call, expectedOf(call), options.fieldValidation);
  const request = writeRequest(call, options);
  settleNamespace(object, request.namespace);
  return call.endpoint.subresource ? runSubresource(request, object) : createObject(request, object);
}

/** Creates an object that is decoded and has its defaults, in the version of the endpoint; it belongs to the write. */
export function createObject(request: WriteRequest, object: ApiObject): Promise<Answer> {
  mergeOwnerReferences(object, request.exchange.warnings, false);
  return write(request, { create: () => object });
}
