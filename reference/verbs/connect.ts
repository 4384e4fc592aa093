import { asApiObject } from '../api/object.ts';
import { methodNotSupported, notFound } from '../api/status.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Call, VerbHandler } from '../contracts/call.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { connectOptions } from '../objects/connectOptions.ts';
import { readStored } from './storeFaults.ts';

/** The same verb, but for subresources that reach into what runs: those take every method alike. */
export function orConnect(verb: VerbHandler): VerbHandler {
  return (call) => {
    const { subresource } = call.endpoint;
    return subresource?.form === 'operation' && subresource.connects ? connect(call) : verb(call);
  };
}

/**
 * A request that is handed on to what runs: admission sees it as CONNECT, with the options of its query as the object.
 * Throws ApiError.
 */
async function connect({ services, exchange, endpoint }: Call): Promise<Answer> {
  const { type, subresource } = endpoint;
  if (subresource?.form !== 'operation') throw methodNotSupported(type, 'connect');
  const { info, request } = exchange;
  const namespace = type.namespaced ? info.namespace : '';
  const { kind, schema, run } = subresource;
  const body = asApiObject(connectOptions(kind, schema, request.query, info.rest));
  // What only reads, such as a log, is no matter of admission.
  if (kind.kind !== type.kind) {
    const attributes = {
      operation: 'CONNECT',
      endpoint,
      namespace,
      name: info.name,
      object: body,
      oldObject: undefined,
      options: undefined,
      dryRun: false,
      exchange,
    } as const;
    await services.admission.mutate?.(attributes);
    await services.admission.validate?.(attributes);
  }
  const entry = await services.store.get(objectKey(type, namespace, info.name));
  if (!entry) throw notFound(type, info.name);
  const { answer, code } = await run(services.operations)({ parent: readStored(entry), body, exchange, dryRun: false });
  return { kind: 'object', code, endpoint, object: answer };
}
