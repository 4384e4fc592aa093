import { equalJson } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { asJson } from '../api/object.ts';
import { conflict, methodNotSupported, notFound, STALE_VERSION, type Status } from '../api/status.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Call } from '../contracts/call.ts';
import type { Endpoint } from '../contracts/resourceRegistry.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { recordOwnership } from './ownership.ts';
import { readStored } from './readStored.ts';
import { admissionAttributes, type WriteRequest } from './writeRequest.ts';

const ATTEMPTS = 100;

/**
 * POST to a subresource that computes an answer, such as an eviction or a token; the operation may change the
 * parent. Throws ApiError.
 */
export async function runSubresource(call: Call, request: WriteRequest, body: ApiObject): Promise<Answer> {
  const { endpoint, services, name, namespace } = request;
  const { type, subresource } = endpoint;
  if (subresource?.form !== 'operation') throw methodNotSupported(type, 'create');
  const owned = recordOwnership(request, undefined, body);
  const key = objectKey(type, namespace, name);
  await services.admission.mutate?.(admissionAttributes(request, 'CREATE', owned, undefined));
  await services.admission.validate?.(admissionAttributes(request, 'CREATE', await completed(), undefined));
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const entry = await services.store.get(key);
    if (!entry) throw notFound(type, name);
    const parent = readStored(entry);
    const done = await subresource.run({
      parent,
      body: owned,
      exchange: call.exchange,
      dryRun: request.options.dryRun,
    });
    const answer = shown(endpoint, done.answer, done.code);
    if (!done.parent || request.options.dryRun || equalJson(asJson(done.parent), asJson(parent))) return answer;
    const { resourceVersion: _, ...metadata } = done.parent.metadata;
    const object = { ...done.parent, metadata };
    const result = await services.store.commit({ key, expected: entry.modRevision, object });
    if (result.committed) return answer;
  }
  throw conflict(type, name, STALE_VERSION);

  async function completed(): Promise<ApiObject> {
    if (subresource?.form !== 'operation' || !subresource.run.complete) return owned;
    const entry = await services.store.get(key);
    if (!entry) throw notFound(type, name);
    return subresource.run.complete(owned, readStored(entry));
  }
}

/** Operations that have nothing to show answer a Status. */
function shown(endpoint: Endpoint, object: ApiObject, code: number): Answer {
  if (object.kind === 'Status') return { kind: 'status', code, status: object as unknown as Status };
  return { kind: 'object', code, endpoint, object };
}
