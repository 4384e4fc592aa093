import { departs } from '../../fixtures/follow.ts';
import { invalid } from '../api/fieldError.ts';
import { FieldPath } from '../api/fieldPath.ts';
import { ApiError, invalidObject, notFound } from '../api/status.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Attributes } from '../contracts/authorizer.ts';
import type { Call } from '../contracts/call.ts';
import type { Entry } from '../contracts/entry.ts';
import { forbiddenAttributes } from '../contracts/forbidden.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { fromStorage } from '../objects/versions.ts';
import { replaceStored } from './commit.ts';
import { FORCE, readDeleteOptions } from './deleteOptions.ts';
import { type Deleted, type DeleteRequest, deleteObject, successOf } from './deletion.ts';
import { readStored } from './storeFaults.ts';

/** What a user must also be allowed to do who deletes what cannot be read. */
const UNSAFE_VERB = 'unsafe-delete-ignore-read-errors';

/**
 * DELETE of one object (1/deletion-and-force-deletion). Answers 200 with a Status, or with the object where it
 * stays for now or its type shows it; 202 where dependents must go first. Throws ApiError.
 */
export async function deleteOne(call: Call): Promise<Answer> {
  const { info } = call.exchange;
  const { type } = call.endpoint;
  const { services } = call;
  const options = await readDeleteOptions(call);
  const request: DeleteRequest = {
    services,
    exchange: call.exchange,
    endpoint: call.endpoint,
    namespace: type.namespaced ? info.namespace : '',
    name: info.name,
    options,
    admissionName: info.name,
  };
  if (!options.ignoreStoreReadError) return answerOf(request, await deleteObject(request));
  await checkUnsafe(call);
  if (departs(services.follow, 'force-delete-readable')) await refuseReadable(request);
  try {
    return answerOf(request, await deleteObject(request));
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'StoreReadError') return deleteUnread(request);
    throw error;
  }
}

function answerOf({ endpoint, options }: DeleteRequest, deleted: Deleted): Answer {
  const code = !deleted.gone && options.orphanDependents === false ? 202 : 200;
  const { entry, object, status } = deleted;
  if (entry) return { kind: 'entry', code, endpoint, entry };
  if (object) return { kind: 'object', code, endpoint, object: fromStorage(endpoint, object) };
  return { kind: 'status', code, status };
}

async function checkUnsafe({ services, exchange, endpoint }: Call): Promise<void> {
  const { info, user } = exchange;
  const attributes: Attributes = {
    isResource: true,
    user,
    verb: UNSAFE_VERB,
    group: endpoint.type.group,
    version: endpoint.version.version,
    resource: endpoint.type.resource,
    subresource: '',
    namespace: info.namespace,
    name: info.name,
  };
  const verdict = await services.authorizer.authorize(attributes);
  if (verdict.decision !== 'allow') throw forbiddenAttributes(attributes, verdict.reason);
}

/** Throws ApiError 422 where the object can be read. */
async function refuseReadable({ services, endpoint, namespace, name }: DeleteRequest): Promise<void> {
  const entry = await services.store.get(objectKey(endpoint.type, namespace, name));
  if (!entry || !readable(entry)) return;
  const detail = 'is exclusively used to delete corrupt object(s), try again by removing this option';
  const { group, resource } = endpoint.type;
  throw invalidObject({ group, kind: resource }, name, [invalid(FieldPath.of(FORCE), true, detail)]);
}

function readable(entry: Entry): boolean {
  try {
    readStored(entry);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** Removes what cannot be read, finalizers and preconditions notwithstanding (1/deletion-and-force-deletion/2). */
async function deleteUnread({ services, endpoint, namespace, name }: DeleteRequest): Promise<Answer> {
  const { type } = endpoint;
  const key = objectKey(type, namespace, name);
  for (;;) {
    const entry = await services.store.get(key);
    if (!entry) throw notFound(type, name);
    const result = await replaceStored(services.store, entry, null);
    if (result.committed) return { kind: 'status', code: 200, status: successOf(type, { metadata: { name } }) };
  }
}
