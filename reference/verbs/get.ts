import { ApiError, methodNotSupported, notFound } from '../api/status.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Call, VerbHandler } from '../contracts/call.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { noteRead } from '../objects/decisions.ts';
import { scaleOf } from '../objects/scale.ts';
import { fromStorage } from '../objects/versions.ts';
import { getComputed } from './computed.ts';
import { reached, readVersion } from './freshness.ts';
import { readStored } from './storeFaults.ts';

/**
 * Answers one object: the most recent state without a version, and for any version a state at least that new
 * (1/reading-resource-version-semantics/t1). Status and parts of an object are read with all of it; its scale is a
 * view. Throws ApiError 404, and 504 for a version that does not come.
 */
export const get: VerbHandler = async (call: Call): Promise<Answer> => {
  const { exchange, endpoint, services } = call;
  const { type } = endpoint;
  const { name } = exchange.info;
  // A path to a namespace names it as the namespace of the request too.
  const namespace = type.namespaced ? exchange.info.namespace : '';
  if (type.computed) return getComputed(call, type.computed());
  const version = exchange.request.query.get('resourceVersion') ?? '';
  if (version !== '' && version !== '0') {
    await reached(
      call,
      readVersion(version, (why) => new ApiError(500, '', why)),
    );
  }
  const key = objectKey(type, namespace, name);
  const entry = await services.store.get(key);
  if (!entry) throw notFound(type, name);
  noteRead(exchange, 'found', 'the most recent state is read', { key, revision: entry.modRevision });
  const object = readStored(entry);
  const form = endpoint.subresource?.form;
  if (form === 'operation') throw methodNotSupported(type, 'get');
  if (form !== 'scale') return { kind: 'entry', code: 200, endpoint, entry };
  return { kind: 'object', code: 200, endpoint, object: scaleOf(endpoint, fromStorage(endpoint, object)) };
};
