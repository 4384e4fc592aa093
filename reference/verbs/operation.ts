import { findErrors } from '../api/fieldError.ts';
import type { GroupResource } from '../api/groupVersion.ts';
import { equalJson } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { asJson } from '../api/object.ts';
import { atOnce } from '../api/staged.ts';
import { conflict, invalidObject, methodNotSupported, notFound, STALE_VERSION, type Status } from '../api/status.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Endpoint } from '../contracts/resourceRegistry.ts';
import type { SubresourceOperation } from '../contracts/resourceType.ts';
import type { Store } from '../contracts/store.ts';
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
  const { dryRun } = request.options;
  const { object } = attributes;
  strategy.prepareForCreate?.(object, context);
  const { errors, endedEarly } = findErrors(() => strategy.validate?.(object, context) ?? []);
  if (errors.length > 0) throw invalidObject(endpoint.type, object.metadata.name ?? '', errors, endedEarly);
  attributes.name = admittedName(request, object);
  await services.admission.validate?.(attributes);
  const operation = endpoint.version.operation?.(services.operations);
  const answer = await operation?.(fromStorage(endpoint, object), exchange, dryRun);
  return shown(endpoint, answer ?? object, 201);
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
  const done = await runOnStored(services.store, type, { namespace, name }, { body: owned, exchange, dryRun }, run);
  return shown(endpoint, done.answer, done.code);
}

/**
 * Runs an operation on an object that is stored, and stores what becomes of it unless it is a dry run.
 * @throws ApiError 404 where there is no such object; what the operation throws
 */
export async function runOnStored(
  store: Store,
  type: GroupResource,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  asked: Omit<Parameters<SubresourceOperation>[0], 'parent'>,
  run: SubresourceOperation,
): Promise<Awaited<ReturnType<SubresourceOperation>>> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const entry = await store.get(objectKey(type, namespace, name));
    if (!entry) throw notFound(type, name);
    const parent = readStored(entry);
    const done = await run({ ...asked, parent });
    if (!done.parent || asked.dryRun || equalJson(asJson(done.parent), asJson(parent))) return done;
    const result = await replaceStored(store, entry, done.parent);
    if (result.committed) return done;
  }
  throw conflict(type, name, STALE_VERSION);
}

/** Operations that have nothing to show answer a Status. */
function shown(endpoint: Endpoint, object: ApiObject, code: number): Answer {
  if (object.kind === 'Status') return { kind: 'status', code, status: object as unknown as Status };
  return { kind: 'object', code, endpoint, object };
}
