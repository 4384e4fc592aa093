import { formatApiVersion } from '../api/groupVersion.ts';
import { cloneJson, isObject, type JsonObject } from '../api/json.ts';
import { type ApiObject, asApiObject, asJson } from '../api/object.ts';
import { paced } from '../api/staged.ts';
import { badRequest, conflict } from '../api/status.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Call } from '../contracts/call.ts';
import { type Expected, expectedOf, readObject } from '../objects/body.ts';
import {
  expectedScale,
  mappingOf,
  scaleKind,
  scaleOf,
  validateScale,
  valueAtPath,
  withReplicas,
} from '../objects/scale.ts';
import { fromStorage } from '../objects/versions.ts';
import type { WriteOptions } from '../objects/writeOptions.ts';
import { mergeConfiguration, type SentConfiguration } from './apply.ts';
import { settleAddress } from './systemMetadata.ts';
import { type Change, write } from './write.ts';
import { admissionAttributes, type WriteRequest, writeRequest } from './writeRequest.ts';

/** PUT of the scale view: writes the replicas of the object behind it (1/url-shapes/t1.6). Throws ApiError. */
export async function updateScale(call: Call, options: WriteOptions): Promise<Answer> {
  const scale = await readObject(call, expectedScale(call.endpoint), options.fieldValidation);
  const request = writeRequest(call, options);
  settleAddress(scale, request);
  return changeScale(request, () => scale);
}

/**
 * Writes what the view wants into the object. `change` makes the wanted view of the present one, both in the
 * version of the endpoint; a resourceVersion or uid in it is a condition. Throws ApiError.
 */
export function changeScale(request: WriteRequest, change: Change): Promise<Answer> {
  const { endpoint } = request;
  return write(request, {
    view: viewOf(request),
    change: async (live, long) => {
      const shown = scaleOf(endpoint, live);
      const scale = await change(shown, long);
      checkUid(request, scale, live);
      await admit(request, scale, shown);
      const next = asApiObject(cloneJson(asJson(withReplicas(endpoint, live, scale))));
      if (scale.metadata.resourceVersion) next.metadata.resourceVersion = scale.metadata.resourceVersion;
      return next;
    },
  });
}

/**
 * Applies a scale view: what it states about replicas is applied to the object behind it, under the subresource's
 * own entry. Never creates. Throws ApiError.
 */
export function applyScale(request: WriteRequest, sent: SentConfiguration): Promise<Answer> {
  const { endpoint } = request;
  const expected = expectedOf(request);
  return write(request, {
    view: viewOf(request),
    recorded: true,
    large: sent.large,
    change: async (live, long) => {
      const config = behind(request, expected, sent.read());
      const object = await paced(mergeConfiguration(request, expected, live, config, long), long, request.exchange);
      settleAddress(object, request);
      await admit(request, scaleOf(endpoint, object), scaleOf(endpoint, live));
      return object;
    },
  });
}

function viewOf({ endpoint }: WriteRequest): (object: ApiObject) => ApiObject {
  return (object) => scaleOf(endpoint, fromStorage(endpoint, object));
}

/** Takes the wanted view, which may change by it, through mutating admission, and checks it. Throws ApiError. */
async function admit(request: WriteRequest, scale: ApiObject, shown: ApiObject): Promise<void> {
  await request.services.admission.mutate?.(admissionAttributes(request, scale, shown));
  validateScale(request.endpoint, scale, request.name);
}

function checkUid({ endpoint, name }: WriteRequest, scale: ApiObject, live: ApiObject): void {
  const { uid } = scale.metadata;
  if (!uid || uid === live.metadata.uid) return;
  throw conflict(
    endpoint.type,
    name,
    `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.metadata.uid}`,
  );
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
