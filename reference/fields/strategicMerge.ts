import { isObject, type Json, type JsonObject, member, setMember } from '../api/json.ts';
import { shallowCopyInParts } from '../api/longJson.ts';
import { atOnce, Pace, type Staged } from '../api/staged.ts';
import { type ApiError, badRequest, UnfitPatch } from '../api/status.ts';
import type { Field, Schema } from '../schema/schema.ts';
import { goText } from './goText.ts';
import { patchObject } from './mergePatch.ts';
import { fieldSchema, MAX_NESTING } from './shape.ts';
import { withoutDirectives } from './strategicDirectives.ts';
import { type ListRule, type MergeItem, mergeList, orderList } from './strategicList.ts';

const PATCH = '$patch';
const RETAIN_KEYS = '$retainKeys';
const ORDER = '$setElementOrder/';
const DELETE_ITEMS = '$deleteFromPrimitiveList/';

/**
 * Applies a strategic merge patch (1/updating-and-patching/t1.4): a merge patch in which the type says how its lists
 * and structs merge. Directives in the patch say more: `$patch` replaces or deletes, `$retainKeys` keeps only the named
 * fields, `$deleteFromPrimitiveList/x` takes items out of list x, `$setElementOrder/x` sorts it.
 *
 * In: the document in the form of its type, which is left alone; the patch as read; the type. Out: the patched
 * document.
 * @throws ApiError 400 for a patch that is no object or whose directives are malformed, 422 for lists of lists, UnfitPatch for
 * directives that cannot be followed
 */
export function strategicMerge(document: JsonObject, patch: Json, schema: Schema): JsonObject {
  return atOnce(strategicMergeInParts(document, patch, schema));
}

/** The same, with turns for others meanwhile where the document has many members. @throws as it does */
export function* strategicMergeInParts(document: JsonObject, patch: Json, schema: Schema): Staged<JsonObject> {
  return yield* mergeMap(document, patchObject(patch), schema, 0);
}

function* mergeMap(original: JsonObject, patch: JsonObject, schema: Schema, depth: number): Staged<JsonObject> {
  if (depth > MAX_NESTING) throw badRequest('error decoding patch: exceeded max depth');
  const directive = member(patch, PATCH);
  if (directive !== undefined) return directed(directive, patch);
  const merged = yield* retained(original, patch);
  const rest = applyOrders(merged, patch, schema, depth);
  const names = Object.keys(rest);
  // Items leave a list before others join it, whatever order the patch has.
  names.sort((a, b) => Number(b.startsWith(DELETE_ITEMS)) - Number(a.startsWith(DELETE_ITEMS)));
  const pace = new Pace();
  for (const name of names) {
    const value = member(rest, name) as Json;
    if (name.startsWith(DELETE_ITEMS)) deleteItems(merged, name.slice(DELETE_ITEMS.length), value, schema, depth);
    else if (!mergesMaps(merged, name, value)) mergeMember(merged, name, value, schema, depth);
    else {
      const before = member(merged, name) as JsonObject;
      const replaces = fieldOf(schema, name)?.patch?.strategies.includes('replace') ?? false;
      const inner = value as JsonObject;
      setMember(merged, name, replaces ? inner : yield* mergeMap(before, inner, fieldSchema(schema, name), depth + 1));
    }
    if (pace.due()) yield;
  }
  return merged;
}

/** A map with a `$patch`: the patch itself, or nothing. */
function directed(directive: Json, patch: JsonObject): JsonObject {
  if (directive === 'delete') return {};
  if (directive !== 'replace') throw unknownDirective(directive, patch);
  const { [PATCH]: _, ...replacement } = patch;
  return replacement;
}

function unknownDirective(directive: Json, patch: JsonObject): ApiError {
  return new UnfitPatch(`unknown patch type: ${goText(directive)} in map: ${goText(patch)}`);
}

/** A copy of the original with only the fields that `$retainKeys` names, where the patch has one. */
function* retained(original: JsonObject, patch: JsonObject): Staged<JsonObject> {
  const keys = member(patch, RETAIN_KEYS);
  const copy = yield* shallowCopyInParts(original);
  if (keys === undefined) return copy;
  if (!Array.isArray(keys)) throw badRequest('invalid patch format of retainKeys');
  const kept = new Set(keys);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null || name.startsWith('$')) continue;
    if (!kept.has(name)) throw badRequest('invalid patch format of retainKeys');
  }
  for (const name of Object.keys(copy)) if (!kept.has(name)) delete copy[name];
  return copy;
}

/** Merges and sorts the lists that have a `$setElementOrder`, in `merged`; gives back what is left of the patch. */
function applyOrders(merged: JsonObject, patch: JsonObject, schema: Schema, depth: number): JsonObject {
  const { [RETAIN_KEYS]: _, ...rest } = patch;
  for (const name of Object.keys(patch)) {
    if (!name.startsWith(ORDER)) continue;
    delete rest[name];
    const listName = name.slice(ORDER.length);
    const before = listOrNone(member(merged, listName));
    const patched = listOrNone(member(patch, listName));
    const order = listOrNone(member(patch, name)) ?? [];
    const list = listRule(schema, listName, depth);
    checkOrder(patched ?? [], order, list.mergeKey);
    if (before === undefined && patched === undefined) continue;
    delete rest[listName];
    let items = before ?? [];
    if (patched !== undefined) {
      if (before === undefined) items = withoutDirectives(patched) as Json[];
      else items = list.merges ? mergeList(before, patched, list) : [...patched];
    }
    setMember(merged, listName, orderList(items, order, before ?? [], list));
  }
  return rest;
}

function listOrNone(value: Json | undefined): Json[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return value;
  throw new UnfitPatch(`expected a []interface {}, but received a ${typeof value === 'string' ? 'string' : 'map'}`);
}

/** Every item of the patch must be in the order, in the same order. */
function checkOrder(patched: readonly Json[], order: readonly Json[], mergeKey: string | undefined): void {
  if (patched.length === 0 || order.length === 0) return;
  const identity = (item: Json) => (mergeKey !== undefined && isObject(item) ? member(item, mergeKey) : item);
  const left = patched.filter((item) => !(isObject(item) && member(item, PATCH) === 'delete'));
  let found = 0;
  for (const item of order) if (found < left.length && identity(left[found] as Json) === identity(item)) found++;
  if (found < left.length) {
    throw new UnfitPatch(
      `The order in patch list:\n${goText(patched as Json[])}\n doesn't match $setElementOrder list:\n${goText(order as Json[])}\n`,
    );
  }
}

/** How a list of the type merges; the items of lists of objects merge like the objects they are. */
function listRule(schema: Schema, name: string, depth: number): ListRule {
  const field = fieldOf(schema, name);
  const list = fieldSchema(schema, name);
  const items = list.kind === 'list' ? list.items : list;
  const mergeItem: MergeItem = (item, patch) => atOnce(mergeMap(item, patch, items, depth + 1));
  const merges = field?.patch?.strategies.includes('merge') ?? false;
  const typeName = items.kind === 'object' ? (items.name?.split('.').at(-1) ?? '') : '';
  return { merges, mergeKey: field?.patch?.mergeKey, typeName, mergeItem };
}

function fieldOf(schema: Schema, name: string): Field | undefined {
  return schema.kind === 'object' ? schema.fields.get(name) : undefined;
}

function deleteItems(merged: JsonObject, name: string, value: Json, schema: Schema, depth: number): void {
  const before = member(merged, name);
  if (value === null) delete merged[name];
  else if (Array.isArray(before) && Array.isArray(value)) {
    const rule = listRule(schema, name, depth);
    if (value.some(isObject)) setMember(merged, name, mergeList(before, value, rule));
    else {
      const gone = new Set(value);
      setMember(
        merged,
        name,
        before.filter((item) => !gone.has(item)),
      );
    }
  }
}

/** Whether a member of both is an object, so that its members merge in turn. */
function mergesMaps(merged: JsonObject, name: string, value: Json): boolean {
  return isObject(value) && isObject(member(merged, name));
}

function mergeMember(merged: JsonObject, name: string, value: Json, schema: Schema, depth: number): void {
  if (value === null) {
    delete merged[name];
    return;
  }
  const before = member(merged, name);
  if (Array.isArray(before) && Array.isArray(value)) {
    const rule = listRule(schema, name, depth);
    setMember(merged, name, rule.merges ? mergeList(before, value, rule) : value);
  } else setMember(merged, name, isScalar(value) ? value : withoutDirectives(value));
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object';
}
