import type { JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { asApiObject, asJson } from '../api/object.ts';
import type { Staged } from '../api/staged.ts';
import type { ObjectSchema, Schema } from '../schema/schema.ts';
import { statedFields } from './configFields.ts';
import { difference, type FieldSet, intersection, isEmpty, node, union, unionAll } from './fieldSet.ts';
import type { Owner, Owners } from './managers.ts';
import { inVersion, type OwnershipContext } from './ownership.ts';
import type { PathElement } from './pathElement.ts';
import { removeFields } from './remove.ts';
import { isNamed, schemaUnder } from './shape.ts';

/**
 * Takes out of a merged object what the applier stated before and states no more, unless somebody else owns it
 * (1/server-side-apply-rules/8 and /9). What stands below a removed list item or map entry goes with it, owned by
 * nobody or not; what others own stays, with all above it.
 *
 * In: the merged object in the applier's version; every owner, the applier with what it states now; what the applier
 * stated last. Out, stage after stage: the object in the applier's version.
 * @throws UnidentifiedItem
 */
export function* prune(
  merged: ApiObject,
  owners: Owners,
  last: Owner | undefined,
  context: OwnershipContext,
): Staged<ApiObject> {
  if (last === undefined || isEmpty(last.fields)) return merged;
  const schema = context.schemaOf(last.apiVersion);
  if (schema === undefined) return merged;

  const whole = inVersion(context, merged, last.apiVersion);
  const stated = withNamed(schema, last.fields);
  let pruned = cut(schema, whole, stated);
  if (context.pauses) yield;
  for (const [apiVersion, fields] of fieldsByVersion(owners, last.apiVersion)) {
    pruned = yield* giveBack(whole, pruned, apiVersion, fields, context);
  }
  pruned = inVersion(context, pruned, last.apiVersion);
  // Of what is gone now only that goes which the applier had stated, with all below it: the rest was never its.
  const all = namedFields(schema, whole);
  if (context.pauses) yield;
  const gone = difference(all, namedFields(schema, pruned));
  if (context.pauses) yield;
  return inVersion(context, cut(schema, whole, intersection(gone, stated)), merged.apiVersion);
}

/** What the owners own in each version, the given version first: fields cut out in it may be needed to convert. */
function fieldsByVersion(owners: Owners, first: string): [string, FieldSet][] {
  const sets = new Map<string, FieldSet[]>([[first, []]]);
  for (const { apiVersion, fields } of owners.values()) {
    const known = sets.get(apiVersion);
    if (known) known.push(fields);
    else sets.set(apiVersion, [fields]);
  }
  return [...sets].map(([apiVersion, fields]) => [apiVersion, unionAll(fields)]);
}

/** Puts back into a pruned object what the whole one has and somebody owns. */
function* giveBack(
  whole: ApiObject,
  pruned: ApiObject,
  apiVersion: string,
  owned: FieldSet,
  context: OwnershipContext,
): Staged<ApiObject> {
  const schema = context.schemaOf(apiVersion);
  if (schema === undefined) return pruned;
  const all = inVersion(context, whole, apiVersion);
  const kept = namedFields(schema, inVersion(context, pruned, apiVersion));
  if (context.pauses) yield;
  const named = namedFields(schema, all);
  if (context.pauses) yield;
  const rest = difference(named, union(kept, withNamed(schema, owned)));
  if (context.pauses) yield;
  return cut(schema, all, rest);
}

function cut(schema: ObjectSchema, object: ApiObject, fields: FieldSet): ApiObject {
  return asApiObject(removeFields(schema, asJson(object), fields) as JsonObject);
}

/** The fields of an object, with the named ones above them. */
function namedFields(schema: ObjectSchema, object: ApiObject): FieldSet {
  return withNamed(schema, statedFields(schema, asJson(object)));
}

/** A set with the named fields above its fields in it. */
function withNamed(schema: Schema, set: FieldSet): FieldSet {
  if (set.below === undefined) return set;
  let below: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of set.below) {
    const inner = withNamed(schemaUnder(schema, element), child);
    const filled = isNamed(schema, element) && !inner.owned ? node(true, inner.below) : inner;
    if (filled === child) continue;
    below ??= new Map(set.below);
    below.set(element, filled);
  }
  return below ? node(set.owned, below) : set;
}
