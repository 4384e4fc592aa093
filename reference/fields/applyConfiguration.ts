import { type GroupVersionKind, parseApiVersion } from '../api/groupVersion.ts';
import { isObject, type Json, type JsonObject } from '../api/json.ts';
import { equalInParts } from '../api/longJson.ts';
import { type ApiObject, asApiObject, asJson, type ManagedFieldsEntry } from '../api/object.ts';
import { isStaged, type Staged } from '../api/staged.ts';
import { ApiError, badRequest, UnfitPatch } from '../api/status.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { Alike } from './alike.ts';
import { statedOutline } from './changeOutline.ts';
import { everyField, sameValue } from './compare.ts';
import { faultsOf, statedFields } from './configFields.ts';
import { type Conflict, OwnershipConflict } from './conflicts.ts';
import { difference, type FieldSet, isEmpty, NO_FIELDS, recursiveDifference, unionAll } from './fieldSet.ts';
import { dropIdle, encodeEntries, entriesInParts, type Owner, type Owners, ownerKey } from './managers.ts';
import { merge, mergeInParts } from './merge.ts';
import { type MergeFacts, MergeTrace } from './mergeTrace.ts';
import { NEVER_OWNED } from './neverOwned.ts';
import {
  bare,
  blank,
  Comparisons,
  currentOwners,
  inVersion,
  type OwnershipContext,
  ownerOf,
  resetSet,
  timeOf,
  type Writer,
  withEntries,
} from './ownership.ts';
import { prune } from './prune.ts';
import { ownersOf, takeOver, takeOverInParts, warmed } from './recordUpdate.ts';
import { UnidentifiedItem } from './shape.ts';

/** Owner of what an object held before anybody kept records of it. */
export const BEFORE_FIRST_APPLY = 'before-first-apply';

export interface ApplyContext extends OwnershipContext {
  /** Kind of the endpoint; the configuration must be of it, in the applier's version. */
  readonly kind: string;
  /**
   * Fills defaults in and brings values into their stored form, as decoding does, null fields of built-in types
   * dropped. The argument may be shared with the live object: it must be left alone.
   */
  readonly complete: (object: ApiObject) => ApiObject | Staged<ApiObject>;
}

export interface Applier extends Writer {
  /** Changes fields of other managers instead of failing (1/server-side-apply-rules/5). */
  readonly force: boolean;
}

export interface Applied {
  /** In the applier's version, with its records; the live object itself when nothing changed. */
  readonly object: ApiObject;
  /** Whether the object is one that `complete` made, which shares nothing with the live one but records. */
  readonly completed: boolean;
  /** False when the object and its records are as before: nothing has to be written. */
  readonly changed: boolean;
  readonly trace: MergeTrace;
}

/**
 * Server-side apply (1/server-side-apply-rules): merges a configuration into the live object, removes what the
 * applier stated last and states no more, and records what it states now.
 *
 * In: the live object in any version, undefined when there is none; the configuration as sent. Neither is changed. The
 * work is staged.
 * @throws OwnershipConflict (409) when others own a field that it changes, unless forced
 * @throws ApiError 400 for another kind or version or with managedFields in the configuration
 * (1/server-side-apply-rules/3); UnfitPatch for a configuration that does not fit the schema
 */
export function* applyConfiguration(
  live: ApiObject | undefined,
  config: JsonObject,
  applier: Applier,
  context: ApplyContext,
): Staged<Applied> {
  const { apiVersion } = applier;
  const schema = context.schemaOf(apiVersion);
  if (schema === undefined) throw new ApiError(500, '', `no schema for ${apiVersion}, Kind=${context.kind}`);
  checkConfig(config, schema, applier, context);
  if (context.pauses) yield;
  const before = live ? inVersion(context, live, apiVersion) : blank(context, apiVersion, context.kind);
  try {
    return yield* applied(live && before, bare(before), config, schema, applier, context);
  } catch (error) {
    if (!(error instanceof UnidentifiedItem)) throw error;
    const fault = faultsOf(schema, asJson(bare(before)), 'allowed') ?? error.message;
    throw new UnfitPatch(`failed to create typed live object (${nameOf(asJson(before), context)}): ${fault}`);
  }
}

function checkConfig(config: JsonObject, schema: ObjectSchema, applier: Applier, context: ApplyContext): void {
  const { apiVersion, kind, metadata } = config;
  if ((apiVersion ?? '') !== applier.apiVersion || (kind ?? '') !== context.kind) {
    throw badRequest(`invalid object type: ${formatKind(kindOf(config))}`);
  }
  if (isObject(metadata) && metadata.managedFields !== undefined && metadata.managedFields !== null) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const fault = faultsOf(schema, config, 'refused');
  if (fault) {
    throw new UnfitPatch(`failed to create typed patch object (${nameOf(config, context)}): ${fault}`);
  }
}

function kindOf({ apiVersion, kind }: JsonObject): GroupVersionKind {
  const text = typeof apiVersion === 'string' ? apiVersion : '';
  return { ...(parseApiVersion(text) ?? { group: '', version: text }), kind: typeof kind === 'string' ? kind : '' };
}

function formatKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** Namespace and name as stated, and the kind. */
function nameOf(object: JsonObject, context: ApplyContext): string {
  const metadata = isObject(object.metadata) ? object.metadata : {};
  const part = (value: unknown) => (typeof value === 'string' ? value : '');
  const gvk = kindOf({ ...object, kind: context.kind });
  return `${part(metadata.namespace)}/${part(metadata.name)}; ${formatKind(gvk)}`;
}

function* applied(
  live: ApiObject | undefined,
  before: ApiObject,
  config: JsonObject,
  schema: ObjectSchema,
  applier: Applier,
  context: ApplyContext,
): Staged<Applied> {
  const owners = currentOwners(context, yield* ownersBefore(live, before, applier, context));
  const key = ownerKey(ownerOf(applier, 'Apply', context, undefined, NO_FIELDS));
  const last = owners.get(key);
  const others = [...owners.values()].filter((owner) => owner !== last);

  if (context.pauses) yield;
  const { stated, owned } = statedBy(config, schema, resetSet(context));
  const mine = ownerOf(applier, 'Apply', context, last?.time, stated);
  owners.set(key, mine);
  if (context.pauses) yield;
  const merged = context.pauses
    ? yield* mergeInParts(schema, asJson(before), config)
    : merge(schema, asJson(before), config);
  const together = asApiObject(merged as JsonObject);
  if (context.pauses) yield;
  const settled = bare(statesAllOf(last, mine, owned) ? together : yield* prune(together, owners, last, context));
  if (context.pauses) yield;

  const comparisons = new Comparisons(context, before, settled);
  if (context.pauses) yield* comparisons.inParts(applier.apiVersion);
  if (context.pauses) yield;
  const conflicts = conflictsOf(others, comparisons);
  const facts: MergeFacts = {
    manager: applier.manager,
    stated: owned,
    last: last?.fields ?? NO_FIELDS,
    comparison: comparisons.in(applier.apiVersion),
    others,
    forced: applier.force,
    conflicting: unionAll(conflicts.map(({ fields }) => fields)),
    present: undefined,
  };
  if (conflicts.length > 0 && !applier.force) {
    throw new OwnershipConflict(conflicts, new MergeTrace(facts));
  }

  if (context.pauses) yield;
  const equal = context.pauses
    ? yield* equalInParts(asJson(before), asJson(settled))
    : sameValue(asJson(before), asJson(settled));
  const moved = !equal;
  if (context.pauses) yield;
  for (const owner of others) {
    const compared = context.pauses ? yield* comparisons.inParts(owner.apiVersion) : comparisons.in(owner.apiVersion);
    const fields = compared.left(owner.fields);
    if (context.pauses) yield;
    if (fields !== owner.fields) owners.set(ownerKey(owner), { ...owner, fields });
  }
  // The time tells when the manager last changed the object, so that sharing what is there does not move it.
  owners.set(key, { ...mine, time: moved ? timeOf(context) : last?.time, fields: facts.stated });
  dropIdle(owners);

  const completing = moved ? context.complete(settled) : before;
  const complete = moved ? bare(isStaged(completing) ? yield* completing : completing) : before;
  if (context.pauses) yield;
  const trace = new MergeTrace({ ...facts, present: () => everyField(schema, asJson(complete)) });
  const entries = context.pauses ? yield* entriesInParts([...owners.values()]) : encodeEntries(owners.values());
  if (context.pauses) yield;
  if (
    live &&
    (yield* sameEntries(live.metadata.managedFields, entries, context)) &&
    (!moved || (yield* same(asJson(before), asJson(complete), context)))
  ) {
    return { object: live, completed: false, changed: false, trace };
  }
  return { object: withEntries(complete, entries), completed: moved, changed: true, trace };
}

/** What a configuration states, but for the fields that nobody owns through an endpoint; and what of it can be owned. */
interface Stated {
  readonly stated: FieldSet;
  readonly owned: FieldSet;
}
const alike = new Alike<Stated>();

function statedBy(config: JsonObject, schema: ObjectSchema, reset: FieldSet): Stated {
  return alike.of(schema, reset, statedOutline(schema, config), () => {
    const stated = recursiveDifference(statedFields(schema, config), reset);
    return { stated, owned: difference(stated, NEVER_OWNED) };
  });
}

/** The live owners; an object that nobody has a record of belongs to whoever was there before the first apply. */
function* ownersBefore(
  live: ApiObject | undefined,
  before: ApiObject,
  writer: Writer,
  context: ApplyContext,
): Staged<Owners> {
  if (live === undefined) return new Map();
  if (context.pauses) yield* warmed(live);
  const owners = ownersOf(live);
  if (owners.size > 0) return owners;
  const nothing = blank(context, before.apiVersion, before.kind);
  const untold = { ...context, note: undefined };
  const first = { manager: BEFORE_FIRST_APPLY, apiVersion: writer.apiVersion };
  return context.pauses
    ? yield* takeOverInParts(new Map(), nothing, before, first, untold)
    : takeOver(new Map(), nothing, before, first, untold);
}

/** Whether an applier states all that it stated last: then nothing can have to go. */
function statesAllOf(last: Owner | undefined, now: Owner, owned: FieldSet): boolean {
  if (last === undefined || last.apiVersion !== now.apiVersion) return false;
  return last.fields === owned || isEmpty(difference(last.fields, now.fields));
}

function conflictsOf(others: readonly Owner[], comparisons: Comparisons): Conflict[] {
  const conflicts: Conflict[] = [];
  for (const owner of others) {
    const fields = comparisons.in(owner.apiVersion).shared(owner.fields);
    if (!isEmpty(fields)) conflicts.push({ owner, fields });
  }
  return conflicts;
}

/** Equality, with turns for others meanwhile where the context pauses. */
function* same(a: Json | undefined, b: Json | undefined, { pauses }: OwnershipContext): Staged<boolean> {
  return pauses ? yield* equalInParts(a, b) : sameValue(a, b);
}

/** Whether entries say the same but for their times. */
function* sameEntries(
  before: readonly ManagedFieldsEntry[] | undefined,
  after: readonly ManagedFieldsEntry[],
  context: OwnershipContext,
): Staged<boolean> {
  if ((before?.length ?? 0) !== after.length) return false;
  // Mostly they stand where they stood; names are made where one does not.
  let known: Map<string, ManagedFieldsEntry> | undefined;
  for (let i = 0; i < after.length; i++) {
    const entry = after[i] as ManagedFieldsEntry;
    let was = before?.[i];
    if (!was || !isOfSame(was, entry)) {
      known ??= new Map((before ?? []).map((one) => [entryKey(one), one]));
      was = known.get(entryKey(entry));
    }
    if (was?.fieldsV1 === undefined) return false;
    if (was.fieldsV1 !== entry.fieldsV1 && !(yield* same(was.fieldsV1, entry.fieldsV1, context))) return false;
  }
  return true;
}

function isOfSame(a: ManagedFieldsEntry, b: ManagedFieldsEntry): boolean {
  return (
    a.manager === b.manager &&
    a.operation === b.operation &&
    a.apiVersion === b.apiVersion &&
    a.subresource === b.subresource
  );
}

function entryKey({ manager, operation, apiVersion, subresource }: ManagedFieldsEntry): string {
  return `${operation} ${apiVersion} ${subresource ?? ''} ${manager ?? ''}`;
}
