import { isObject, type Json, type JsonObject, member, setMember } from '../api/json.ts';
import { shallowCopyInParts } from '../api/longJson.ts';
import { atOnce, type Staged } from '../api/staged.ts';
import { badRequest } from '../api/status.ts';
import { nameOfValue } from '../schema/decodeScalar.ts';

/**
 * Applies a JSON merge patch (RFC 7386, 1/updating-and-patching/t1.3): members replace, null removes, objects merge.
 *
 * In: the document, which is left alone, and the patch as read. Out: the patched document.
 * @throws ApiError 400 when the patch is no object
 */
export function mergePatch(document: JsonObject, patch: Json): JsonObject {
  return atOnce(mergePatchInParts(document, patch));
}

/** The same, with turns for others meanwhile where the patch is large. @throws ApiError 400 when the patch is no object */
export function* mergePatchInParts(document: JsonObject, patch: Json): Staged<JsonObject> {
  if (patch === null) throw badRequest('Invalid JSON Patch');
  return yield* mergeObject(document, patchObject(patch));
}

/**
 * The patch as an object; null is an empty one.
 * @throws ApiError 400 when it is none
 */
export function patchObject(patch: Json): JsonObject {
  if (isObject(patch)) return patch;
  if (patch === null) return {};
  throw badRequest(
    `error decoding patch: json: cannot unmarshal ${nameOfValue(patch)} into Go value of type map[string]interface {}`,
  );
}

/** Members of a patch that are merged in one turn. */
const MEMBERS_PER_TURN = 16_384;

/** Level by level with a list of what is left to merge, so that no nesting can exhaust the stack. */
function* mergeObject(document: JsonObject, patch: JsonObject): Staged<JsonObject> {
  const result = yield* shallowCopyInParts(document);
  const open: { readonly target: JsonObject; readonly patch: JsonObject }[] = [{ target: result, patch }];
  let passed = 0;
  for (let level = open.pop(); level; level = open.pop()) {
    const { target } = level;
    for (const name of Object.keys(level.patch)) {
      if (++passed % MEMBERS_PER_TURN === 0) yield;
      const value = level.patch[name] as Json;
      if (value === null) delete target[name];
      else if (isObject(value)) {
        const before = member(target, name);
        const merged = isObject(before) ? yield* shallowCopyInParts(before) : {};
        setMember(target, name, merged);
        open.push({ target: merged, patch: value });
      } else setMember(target, name, value);
    }
  }
  return result;
}
