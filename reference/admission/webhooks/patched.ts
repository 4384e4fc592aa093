import type { Follow } from '../../../fixtures/follow.ts';
import type { Awaitable } from '../../api/awaitable.ts';
import { cloneJson, equalJson, type Json, type JsonObject } from '../../api/json.ts';
import { type ApiObject, asJson } from '../../api/object.ts';
import type { WarningSink } from '../../api/request.ts';
import { ApiError, internalError } from '../../api/status.ts';
import { JsonSyntaxError, readJson } from '../../codecs/json.ts';
import type { AdmissionAttributes } from '../../contracts/admission.ts';
import type { Endpoint } from '../../contracts/resourceRegistry.ts';
import { jsonPatch } from '../../fields/jsonPatch.ts';
import { decodeEntries } from '../../fields/managers.ts';
import { checkKind, decodeObject, expectedOf, reasonOf } from '../../objects/body.ts';
import { settleEmpty } from '../../objects/emptyLists.ts';
import { expectedScale } from '../../objects/scale.ts';
import { storageVersionOf, toStorage } from '../../objects/versions.ts';
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
  try {
    return await readPatched(jsonPatch(asJson(object), operations, follow), view);
  } catch (error) {
    if (error instanceof ApiError && error.code < 500) throw internalError(reasonOf(error));
    throw error;
  }
}

/** Reads what became of the object of a request like a body. Throws ApiError. */
export async function readPatched(json: JsonObject, view: VersionedView): Promise<Patched> {
  const { endpoint } = view;
  const expected = endpoint.subresource?.form === 'scale' ? expectedScale(endpoint) : expectedOf({ endpoint });
  checkKind(json, expected);
  const next = decodeObject(cloneJson(json), expected, () => {});
  const before = view.object('object');
  return {
    object: showsType(endpoint) ? await stored(endpoint, next) : next,
    changed: !before || !equalJson(asJson(before), asJson(next)),
  };
}

/** Puts what became of the object of a write in its place. */
export function takeOver({ object, endpoint, exchange }: AdmissionAttributes, result: Patched): void {
  if (!object) return;
  keepManagers(result.object, object, exchange.warnings);
  replaceContent(object, result.object);
  if (showsType(endpoint)) settleEmpty(storageVersionOf(endpoint.type).schema, object);
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

/** Puts the field owners of `before` back where a hook left some in `object` that cannot be read, and warns of it. */
function keepManagers(object: ApiObject, before: ApiObject, warnings: WarningSink): void {
  try {
    decodeEntries(object.metadata.managedFields);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    warnings.add(
      `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${why}`,
    );
    if (before.metadata.managedFields) object.metadata.managedFields = before.metadata.managedFields;
    else delete object.metadata.managedFields;
  }
}

/** The write keeps its object, and with it everything that refers to it; only its members become those of another. */
function replaceContent(object: ApiObject, next: ApiObject): void {
  const members = object as unknown as Record<string, Json>;
  for (const name of Object.keys(members)) delete members[name];
  Object.assign(members, next);
}
