import type { Follow } from '../../../fixtures/departures.ts';
import type { Awaitable } from '../../api/awaitable.ts';
import { cloneJson, equalJson, type Json, type JsonObject } from '../../api/json.ts';
import { type ApiObject, asJson } from '../../api/object.ts';
import { ApiError, internalError } from '../../api/status.ts';
import { JsonSyntaxError, readJson } from '../../codecs/json.ts';
import type { Endpoint } from '../../contracts/resourceRegistry.ts';
import { jsonPatch } from '../../fields/jsonPatch.ts';
import { checkKind, decodeObject, expectedOf, reasonOf } from '../../objects/body.ts';
import { expectedScale } from '../../objects/scale.ts';
import { toStorage } from '../../objects/versions.ts';
import { showsType, type VersionedView } from '../matching/versionedView.ts';

/** What a hook's patch made of an object. */
export interface Patched {
  /** In the storage version; belongs to the caller. */
  readonly object: ApiObject;
  /** Whether it differs from what was there before. */
  readonly changed: boolean;
}

/**
 * Applies a hook's JSON patch to the object as the hook saw it; what comes of it is read like a body.
 * @param patch as JSON text
 * @returns undefined for a patch without operations
 * @throws ApiError 500 where the patch cannot be read or does not apply, or there is nothing to apply it to
 */
export async function patched(
  hook: string,
  patch: string,
  view: VersionedView,
  follow: Follow,
): Promise<Patched | undefined> {
  const operations = readPatch(patch);
  if (operations === null || (Array.isArray(operations) && operations.length === 0)) return undefined;
  const object = view.object('object');
  if (!object) {
    throw internalError(
      `admission webhook ${JSON.stringify(hook)} attempted to modify the object, which is not supported for this operation`,
    );
  }
  const { endpoint } = view;
  const expected = endpoint.subresource?.form === 'scale' ? expectedScale(endpoint) : expectedOf({ endpoint });
  const before = asJson(object);
  let next: ApiObject;
  try {
    const json: JsonObject = jsonPatch(before, operations, follow);
    checkKind(json, expected);
    next = decodeObject(cloneJson(json), expected, () => {});
  } catch (error) {
    if (error instanceof ApiError) throw internalError(reasonOf(error));
    throw error;
  }
  return {
    object: showsType(endpoint) ? await stored(endpoint, next) : next,
    changed: !equalJson(before, asJson(next)),
  };
}

function stored(endpoint: Endpoint, object: ApiObject): Awaitable<ApiObject> {
  return endpoint.version.asked?.toStorage(object) ?? toStorage(endpoint, object);
}

function readPatch(text: string): Json {
  try {
    return readJson(text).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw internalError(error.message);
    throw error;
  }
}
