import { departs } from '../../fixtures/follow.ts';
import type { ApiObject, ManagedFieldsEntry } from '../api/object.ts';
import type { Staged } from '../api/staged.ts';
import { isEmpty } from './fieldSet.ts';
import {
  capUpdates,
  decodeEntries,
  dropIdle,
  encodeEntries,
  entriesInParts,
  entriesReadInParts,
  type Owner,
  type Owners,
  ownerKey,
} from './managers.ts';
import type { FieldDecision, FieldTrace } from './mergeTrace.ts';
import {
  bare,
  blank,
  Comparisons,
  currentOwners,
  ForeignField,
  inVersion,
  type OwnershipContext,
  ownerOf,
  timeOf,
  type Writer,
  withEntries,
} from './ownership.ts';
import { UnidentifiedItem } from './shape.ts';
import { UpdateTrace } from './updateTrace.ts';

/**
 * Records who owns what after a write that is no apply: create, PUT, any other patch, a subresource write. The writer
 * takes over every field that it changed (1/server-side-apply-rules/4).
 *
 * In: the live object, undefined when the write creates one; the object as the writer wants it, defaulted but before
 * admission and before the type's own rules run; both in whichever version, the writer's is used to compare. Out, stage
 * after stage: `next` with `metadata.managedFields`; neither argument is changed. Never throws for what clients send: entries that
 * make no sense are passed over.
 */
export function* recordUpdate(
  live: ApiObject | undefined,
  next: ApiObject,
  writer: Writer,
  context: OwnershipContext,
): Staged<ApiObject> {
  if (live === undefined) {
    const nothing = blank(context, next.apiVersion, next.kind);
    return withEntries(next, yield* recorded(new Map(), nothing, next, writer, context));
  }
  if (context.pauses) yield* warmed(live);
  const known = ownersBefore(live, next, context);
  if (context.pauses) yield;
  if (known === 'untracked') {
    if (ownersOf(live).size > 0) context.note?.(clearing(writer, live));
    return bare(next);
  }
  if (known.size === 0) context.note?.(clearing(writer, live));
  try {
    return withEntries(next, yield* recorded(known, live, next, writer, context));
  } catch (error) {
    // The real service gives up all records where it fails to compare.
    if (error instanceof ForeignField) return bare(next);
    throw error;
  }
}

/**
 * The owners that the write starts from: those of the request when it brings a list that makes sense, none when it
 * clears them (1/server-side-apply-rules/11), else the live ones. An object that nobody has a record of stays so
 * until it is applied.
 */
function ownersBefore(live: ApiObject, next: ApiObject, context: OwnershipContext): Owners | 'untracked' {
  const asked = context.subresource === '' ? askedFor(next.metadata.managedFields, context) : 'live';
  if (asked === 'cleared') {
    return departs(context.follow, 'managed-fields-reset-owner') ? 'untracked' : new Map();
  }
  const owners = asked === 'live' ? ownersOf(live) : asked;
  return owners.size === 0 ? 'untracked' : owners;
}

function askedFor(
  entries: readonly ManagedFieldsEntry[] | null | undefined,
  { follow }: OwnershipContext,
): Owners | 'cleared' | 'live' {
  if (!Array.isArray(entries)) return 'live';
  if (entries.length === 0) return departs(follow, 'managed-fields-empty-list') ? 'cleared' : 'live';
  if (entries.length === 1 && isBlank(entries[0] as ManagedFieldsEntry)) return 'cleared';
  try {
    const owners = decodeEntries(entries);
    return owners.size === 0 ? 'live' : owners;
  } catch {
    return 'live';
  }
}

/** An entry without any content, whether its fields are absent or empty. */
function isBlank(entry: ManagedFieldsEntry): boolean {
  const { manager, operation, apiVersion, time, fieldsType, fieldsV1, subresource } = entry;
  return !manager && !operation && !apiVersion && !time && !fieldsType && !fieldsV1 && !subresource;
}

/** The owners of a stored object; none when its records cannot be read. */
export function ownersOf(object: ApiObject): Owners {
  try {
    return decodeEntries(object.metadata.managedFields);
  } catch {
    return new Map();
  }
}

/** Reads the records of a stored object with turns for others meanwhile, so that they are known from then on. */
export function* warmed(object: ApiObject): Staged<void> {
  try {
    yield* entriesReadInParts(object.metadata.managedFields);
  } catch {
    // Whoever reads them next meets the same and says what comes of it.
  }
}

/** The account of a write that resets the records (1/server-side-apply-rules/11). */
function clearing({ manager }: Writer, live: ApiObject): FieldTrace {
  const managers = [...new Set([...ownersOf(live).values()].map((owner) => owner.manager))];
  const field = '.metadata.managedFields';
  const decision: FieldDecision = { field, outcome: 'cleared', managers, rule: '1/server-side-apply-rules/11' };
  return { manager, decisions: () => [decision] };
}

function* recorded(
  known: Owners,
  live: ApiObject,
  next: ApiObject,
  writer: Writer,
  context: OwnershipContext,
): Staged<ManagedFieldsEntry[]> {
  try {
    const owners = context.pauses
      ? yield* takeOverInParts(known, live, next, writer, context)
      : takeOver(known, live, next, writer, context);
    capUpdates(owners);
    if (!context.pauses) return encodeEntries(owners.values());
    yield;
    return yield* entriesInParts([...owners.values()]);
  } catch (error) {
    // A list item that nothing identifies: nobody can tell what changed, so that the records stay as they are.
    if (error instanceof UnidentifiedItem) return encodeEntries(known.values());
    throw error;
  }
}

/**
 * The owners after an update: changed and removed fields leave their owners, changed and added ones come to the
 * writer, beside what it owned before.
 * @throws UnidentifiedItem
 */
export function takeOver(
  known: Owners,
  live: ApiObject,
  next: ApiObject,
  writer: Writer,
  context: OwnershipContext,
): Owners {
  const comparisons = comparisonsOf(live, next, writer, context);
  const owners = currentOwners(context, known);
  context.note?.(new UpdateTrace(writer.manager, [...owners.values()], comparisons.in(writer.apiVersion)));
  for (const [key, owner] of owners) leave(owners, key, owner, comparisons);
  return taken(owners, comparisons, writer, context);
}

/** The same with turns for others meanwhile. @throws UnidentifiedItem */
export function* takeOverInParts(
  known: Owners,
  live: ApiObject,
  next: ApiObject,
  writer: Writer,
  context: OwnershipContext,
): Staged<Owners> {
  const comparisons = comparisonsOf(live, next, writer, context);
  const owners = currentOwners(context, known);
  yield;
  yield* comparisons.inParts(writer.apiVersion);
  yield;
  context.note?.(new UpdateTrace(writer.manager, [...owners.values()], comparisons.in(writer.apiVersion)));
  for (const [key, owner] of owners) {
    yield* comparisons.inParts(owner.apiVersion);
    yield;
    leave(owners, key, owner, comparisons);
  }
  return taken(owners, comparisons, writer, context);
}

function comparisonsOf(live: ApiObject, next: ApiObject, { apiVersion }: Writer, context: OwnershipContext) {
  const before = inVersion(context, bare(live), apiVersion);
  return new Comparisons(context, before, inVersion(context, bare(next), apiVersion));
}

/** Takes from an owner what was changed; in place. */
function leave(owners: Owners, key: string, owner: Owner, comparisons: Comparisons): void {
  const fields = comparisons.in(owner.apiVersion).left(owner.fields);
  if (fields !== owner.fields) owners.set(key, { ...owner, fields });
}

/** Gives the writer what it changed; in place. */
function taken(owners: Owners, comparisons: Comparisons, writer: Writer, context: OwnershipContext): Owners {
  dropIdle(owners);
  const compared = comparisons.in(writer.apiVersion);
  if (isEmpty(compared.taken)) return owners;
  const taking = ownerOf(writer, 'Update', context, timeOf(context), compared.taken);
  const key = ownerKey(taking);
  const mine = owners.get(key);
  owners.set(key, mine ? { ...taking, fields: compared.joined(mine.fields) } : taking);
  return owners;
}
