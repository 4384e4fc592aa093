import { isObject, type Json, type JsonObject, member } from '../api/json.ts';
import { UnfitPatch } from '../api/status.ts';
import { goText } from './goText.ts';
import { unprocessable } from './jsonPatch.ts';
import { withoutDirectives } from './strategicDirectives.ts';

/** Merges one item of a list of objects; leaves both alone. */
export type MergeItem = (item: JsonObject, patch: JsonObject) => JsonObject;

/** How a list merges under a strategic merge patch. */
export interface ListRule {
  /** False: the patch's list replaces the live one. */
  readonly merges: boolean;
  /** The field that identifies an item; undefined for lists of scalars. */
  readonly mergeKey: string | undefined;
  /** Name of the items' type, for messages. */
  readonly typeName: string;
  readonly mergeItem: MergeItem;
}

/**
 * Merges a patch's list into a live one: items of both by key, scalars as a set. The patch's items stand in its
 * order; live ones keep their order and their place among the patch's items that were live too.
 * @throws ApiError
 */
export function mergeList(live: readonly Json[], patch: readonly Json[], rule: ListRule): Json[] {
  if (live.length === 0 && patch.length === 0) return [];
  const kind = kindOf([...live, ...patch]);
  if (kind === 'scalar') {
    const merged = [...new Set([...live, ...patch])];
    return arrange(merged, patch, live, undefined);
  }
  const { mergeKey } = rule;
  if (mergeKey === undefined) throw new UnfitPatch(`cannot merge lists without merge key for ${rule.typeName}`);
  const { base, additions } = followItemDirectives(live as JsonObject[], patch as JsonObject[], mergeKey);
  const merged = mergeItems(base, additions, mergeKey, rule.mergeItem);
  return arrange(merged, additions, base, mergeKey);
}

/** Puts items in the order of a `$setElementOrder`; those that it leaves out keep their live order and place. */
export function orderList(items: Json[], order: readonly Json[], live: readonly Json[], rule: ListRule): Json[] {
  const keyed = items.some(isObject) ? rule.mergeKey : undefined;
  if (keyed !== undefined) for (const item of order) keyOf(item, keyed);
  return arrange(items, order, live, keyed);
}

/** All items must be of one kind: objects, or scalars of one type. */
function kindOf(items: readonly Json[]): 'object' | 'scalar' {
  let type: string | undefined;
  for (const item of items) {
    if (Array.isArray(item)) throw unprocessable();
    const found = item === null ? 'null' : typeof item;
    if (type !== undefined && found !== type)
      throw new UnfitPatch(`list element types are not identical: ${goText([...items])}`);
    type = found;
  }
  return type === 'object' ? 'object' : 'scalar';
}

/** Takes out live items that the patch deletes; with `$patch: replace` among the items nothing live stays. */
function followItemDirectives(
  live: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
): { readonly base: JsonObject[]; readonly additions: JsonObject[] } {
  const deleted = new Set<Json>();
  let replaces = false;
  const additions: JsonObject[] = [];
  for (const item of patch) {
    const directive = member(item, '$patch');
    if (directive === undefined) additions.push(item);
    else if (directive === 'replace') replaces = true;
    else if (directive === 'delete') deleted.add(keyOf(item, mergeKey));
    else if (directive === 'merge') throw new UnfitPatch('merging lists cannot yet be specified in the patch');
    else throw new UnfitPatch(`unknown patch type: ${goText(directive)} in map: ${goText(item)}`);
  }
  if (replaces) return { base: additions.map((item) => withoutDirectives(item) as JsonObject), additions: [] };
  const base = live.filter((item) => {
    const key = member(item, mergeKey);
    return key === undefined || !deleted.has(key);
  });
  return { base, additions };
}

function keyOf(item: Json, mergeKey: string): Json {
  const key = isObject(item) ? member(item, mergeKey) : undefined;
  if (key === undefined) throw new UnfitPatch(`map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);
  return key;
}

function mergeItems(
  base: readonly JsonObject[],
  additions: readonly JsonObject[],
  mergeKey: string,
  mergeItem: MergeItem,
): JsonObject[] {
  const merged = [...base];
  const places = new Map<Json, number>();
  merged.forEach((item, index) => {
    const key = member(item, mergeKey);
    // Of repeated live items the first is meant.
    if (key !== undefined && !places.has(key)) places.set(key, index);
  });
  for (const addition of additions) {
    const key = keyOf(addition, mergeKey);
    const place = places.get(key);
    if (place === undefined) {
      places.set(key, merged.length);
      merged.push(withoutDirectives(addition) as JsonObject);
    } else merged[place] = mergeItem(merged[place] as JsonObject, addition);
  }
  return merged;
}

/**
 * Sorts the items that `order` names as it does and lets the others in between by their live order: each before the
 * first ordered item that stands behind it in the live list.
 */
function arrange(
  items: readonly Json[],
  order: readonly Json[],
  live: readonly Json[],
  mergeKey: string | undefined,
): Json[] {
  const identity = (item: Json) => (mergeKey !== undefined && isObject(item) ? member(item, mergeKey) : item);
  const ranks = rankBy(order, identity);
  const livePlaces = rankBy(live, identity);
  const ordered: Json[] = [];
  const others: Json[] = [];
  for (const item of items) (ranks.has(identity(item)) ? ordered : others).push(item);
  const rank = (item: Json, places: Map<Json | undefined, number>) => places.get(identity(item)) ?? -1;
  ordered.sort((a, b) => rank(a, ranks) - rank(b, ranks));
  others.sort((a, b) => rank(a, livePlaces) - rank(b, livePlaces));

  const arranged: Json[] = [];
  let next = 0;
  for (const item of ordered) {
    const place = livePlaces.get(identity(item));
    while (next < others.length && place !== undefined) {
      const other = livePlaces.get(identity(others[next] as Json));
      if (other === undefined || other >= place) break;
      arranged.push(others[next++] as Json);
    }
    arranged.push(item);
  }
  return [...arranged, ...others.slice(next)];
}

function rankBy(items: readonly Json[], identity: (item: Json) => Json | undefined): Map<Json | undefined, number> {
  const ranks = new Map<Json | undefined, number>();
  items.forEach((item, index) => {
    const key = identity(item);
    if (!ranks.has(key)) ranks.set(key, index);
  });
  return ranks;
}
