import { formatApiVersion } from '../api/groupVersion.ts';
import { isObject, type JsonObject } from '../api/json.ts';
import { badRequest } from '../api/status.ts';
import type { Answer } from '../contracts/answer.ts';
import { fromStorage, toStorage } from '../objects/versions.ts';
import { mergeConfiguration } from './applyMerge.ts';
import type { Expected } from './body.ts';
import { mappingOf, scaleKind, scaleOf, validateScale, valueAtPath } from './scale.ts';
import { withoutScaleTimes } from './scaleOwnership.ts';
import { storeChange } from './storeChange.ts';
import { checkName, settleNamespace } from './systemMetadata.ts';
import { answerOf } from './writeAnswer.ts';
import { admissionAttributes, type WriteRequest } from './writeRequest.ts';

/**
 * Applies a scale view: what it states about replicas is applied to the object behind it, under the subresource's
 * own entry. `read` gives the configuration as sent. Never creates. Throws ApiError.
 */
export async function applyScale(request: WriteRequest, read: () => JsonObject): Promise<Answer> {
  const { endpoint, services } = request;
  const { type, version } = endpoint;
  const expected: Expected = {
    kind: { group: type.group, version: version.version, kind: type.kind },
    schema: version.schema,
    applyDefaults: version.applyDefaults,
    custom: type.custom,
    decode: version.decode,
  };
  const written = await storeChange(request, {
    view: (object) => scaleOf(endpoint, fromStorage(endpoint, object)),
    produce: async (current) => {
      const live = current && fromStorage(endpoint, current);
      const object = mergeConfiguration(request, expected, live, behind(request, expected, read()));
      settleNamespace(object, request.namespace);
      checkName(object, request.name);
      withoutScaleTimes(object, endpoint);
      const scale = scaleOf(endpoint, object);
      const shown = live && scaleOf(endpoint, live);
      await services.admission.mutate?.(admissionAttributes(request, 'UPDATE', scale, shown));
      validateScale(endpoint, scale, request.name);
      return toStorage(endpoint, object);
    },
  });
  return answerOf(request, written);
}

/** The configuration of the object that a configuration of its view amounts to. Throws ApiError 400. */
function behind({ endpoint }: WriteRequest, expected: Expected, sent: JsonObject): JsonObject {
  const mapping = mappingOf(endpoint);
  const kind = scaleKind(mapping);
  if (sent.kind !== kind.kind || sent.apiVersion !== formatApiVersion(kind)) {
    const apiVersion = typeof sent.apiVersion === 'string' ? sent.apiVersion : '';
    const given = typeof sent.kind === 'string' ? sent.kind : '';
    throw badRequest(`invalid object type: ${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${given}`);
  }
  const config: JsonObject = {
    apiVersion: formatApiVersion(expected.kind),
    kind: expected.kind.kind,
    metadata: isObject(sent.metadata) ? sent.metadata : {},
  };
  const replicas = valueAtPath(sent, 'spec.replicas');
  if (replicas === undefined) return config;
  const path = mapping.specReplicas.split('.').filter((name) => name !== '');
  let at = config;
  for (const name of path.slice(0, -1)) {
    const inner: JsonObject = {};
    at[name] = inner;
    at = inner;
  }
  at[path.at(-1) as string] = replicas;
  return config;
}
