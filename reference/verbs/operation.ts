import { findErrors } from '../api/fieldError.ts';
import { equalJson } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { asJson } from '../api/object.ts';
import { atOnce } from '../api/staged.ts';
import { conflict, invalidObject, methodNotSupported, notFound, STALE_VERSION, type Status } from '../api/status.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Endpoint } from '../contracts/resourceRegistry.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { fromStorage } from '../objects/versions.ts';
import { replaceStored } from './commit.ts';
import { recordOwnership } from './ownership.ts';
import { readStored } from './storeFaults.ts';
import { clearSystemFields } from './systemMetadata.ts';
import { admissionAttributes, admittedName, type WriteAttributes, type WriteRequest } from './writeRequest.ts';

/**
 * The end of a write of a type that stands for an operation, such as an access review (1/terminology/t1.6): nothing is
 * stored, the object comes back with its answer. The attributes have passed mutating admission. Throws ApiError.
 */
export async function operate(request: WriteRequest, attributes: WriteAttributes): Promise<Answer> {
  const { endpoint, services, exchange, strategy, context } = request;
  const { object } = attributes;
  strategy.prepareForCreate?.(object, context);
  const { errors, endedEarly } = findErrors(() => strategy.validate?.(object, context) ?? []);
  if (errors.length > 0) throw invalidObject(endpoint.type, object.metadata.name ?? '', errors, endedEarly);
  attributes.name = admittedName(request, object);
  await services.admission.validate?.(attributes);
  const answer = await endpoint.version.operation?.(services.operations)(fromStorage(endpoint, object), exchange);
  return { kind: 'object', code: 201, endpoint, object: answer ?? object };
}

/** How often an operation is tried again when others write its object in between. */
const ATTEMPTS = 100;

/**
 * POST to a subresource that computes an answer, such as an eviction or a token; the operation may change the
 * parent. Throws ApiError.
 */
export async function runSubresource(request: WriteRequest, body: ApiObject): Promise<Answer> {
  const { endpoint, services, exchange, name, namespace } = request;
  const { type, subresource } = endpoint;
  clearSystemFields(body);
  if (subresource?.form !== 'operation') throw methodNotSupported(type, 'create');
  const { dryRun } = request.options;
  const run = subresource.run(services.operations);
  const { complete } = run;
  const owned = atOnce(recordOwnership(request, undefined, body, false));
  const key = objectKey(type, namespace, name);
  const attributes = admissionAttributes(request, owned, undefined);
  await services.admission.mutate?.(attributes);
  if (complete) {
    const entry = await services.store.get(key);
    if (!entry) throw notFound(type, name);
    attributes.object = complete(owned, readStored(entry));
  }
  await services.admission.validate?.(attributes);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const entry = await services.store.get(key);
    if (!entry) throw notFound(type, name);
    const parent = readStored(entry);
    const done = await run({ parent, body: owned, exchange, dryRun });
    const answer = shown(endpoint, done.answer, done.code);
    if (!done.parent || dryRun || equalJson(asJson(done.parent), asJson(parent))) return answer;
    const result = await replaceStored(services.store, entry, done.parent);
    if (result.committed) return answer;
  }
  throw conflict(type, name, STALE_VERSION);
}

/** Operations that have nothing to show answer a Status. */
function shown(endpoint: Endpoint, object: ApiObject, code: number): Answer {
  if (object.kind === 'Status') return { kind: 'status', code, status: object as unknown as Status };
  return { kind: 'object', code, endpoint, object };
}
