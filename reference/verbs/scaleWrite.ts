import { cloneJson } from '../api/json.ts';
import { type ApiObject, asApiObject, asJson } from '../api/object.ts';
import { conflict } from '../api/status.ts';
import type { Answer } from '../contracts/answer.ts';
import type { Call } from '../contracts/call.ts';
import { fromStorage, toStorage } from '../objects/versions.ts';
import { readObject } from './body.ts';
import { keepOldTimes, recordOwnership } from './ownership.ts';
import { expectedScale, scaleOf, validateScale, withReplicas } from './scale.ts';
import { withoutScaleTimes } from './scaleOwnership.ts';
import { storeChange } from './storeChange.ts';
import { checkName, settleNamespace } from './systemMetadata.ts';
import { answerOf } from './writeAnswer.ts';
import type { WriteOptions } from './writeOptions.ts';
import { admissionAttributes, type WriteRequest, writeRequest } from './writeRequest.ts';

/** PUT of the scale view: writes the replicas of the object behind it (1/url-shapes/t1.6). Throws ApiError. */
export async function updateScale(call: Call, options: WriteOptions): Promise<Answer> {
  const scale = await readObject(call, expectedScale(call.endpoint), options.fieldValidation);
  const request = writeRequest(call, options);
  settleNamespace(scale, request.namespace);
  checkName(scale, request.name);
  return changeScale(request, () => scale);
}

/**
 * Writes what the view wants into the object. `change` makes the wanted view of the present one, both in the
 * version of the endpoint; a resourceVersion or uid in it is a condition. Throws ApiError.
 */
export async function changeScale(request: WriteRequest, change: (scale: ApiObject) => ApiObject): Promise<Answer> {
  const { endpoint, services } = request;
  const view = (object: ApiObject) => scaleOf(endpoint, fromStorage(endpoint, object));
  const written = await storeChange(request, {
    view,
    produce: async (current) => {
      if (!current) throw new Error('a scale view creates nothing');
      const live = fromStorage(endpoint, current);
      const shown = scaleOf(endpoint, live);
      const scale = change(shown);
      checkUid(request, scale, current);
      await services.admission.mutate?.(admissionAttributes(request, 'UPDATE', scale, shown));
      validateScale(endpoint, scale, request.name);
      const next = asApiObject(cloneJson(asJson(withReplicas(endpoint, live, scale))));
      if (scale.metadata.resourceVersion) next.metadata.resourceVersion = scale.metadata.resourceVersion;
      const owned = recordOwnership(request, live, next);
      withoutScaleTimes(owned, endpoint);
      const stored = toStorage(endpoint, owned);
      keepOldTimes(stored, current);
      return stored;
    },
  });
  return answerOf(request, written);
}

function checkUid({ endpoint, name }: WriteRequest, scale: ApiObject, current: ApiObject): void {
  const { uid } = scale.metadata;
  if (!uid || uid === current.metadata.uid) return;
  throw conflict(
    endpoint.type,
    name,
    `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid}`,
  );
}
