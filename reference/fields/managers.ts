import { byteOrder } from '../api/byteOrder.ts';
import type { Json, JsonObject } from '../api/json.ts';
import type { ManagedFieldsEntry } from '../api/object.ts';
import type { Staged } from '../api/staged.ts';
import { quoteString } from '../codecs/jsonText.ts';
import { type FieldSet, isEmpty, union } from './fieldSet.ts';
import { decodeFields, decodeInParts, encodeFields, encodeInParts } from './fieldsV1.ts';

/** How a manager came to own fields; `Apply` owners have stated them, `Update` owners have changed them. */
export type ManagedFieldsOperation = 'Apply' | 'Update';

/** One manager's share of an object: an entry of `metadata.managedFields`, with its fields as a set. */
export interface Owner {
  readonly manager: string;
  readonly operation: ManagedFieldsOperation;
  readonly apiVersion: string;
  /** Empty for writes to the object itself. */
  readonly subresource: string;
  /** When the manager last changed the object, as an entry writes it; undefined when it never did. */
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** Owners by `ownerKey`. */
export type Owners = Map<string, Owner>;

/**
 * What tells owners apart: manager, operation, subresource, and the version too for updates. A manager that applies
 * in another version replaces what it applied before.
 */
export function ownerKey(owner: Omit<Owner, 'fields' | 'time'>): string {
  const { operation, subresource } = owner;
  const version = operation === 'Update' ? `,"apiVersion":${quoteString(owner.apiVersion)}` : '';
  const through = subresource ? `,"subresource":${quoteString(subresource)}` : '';
  return `{"manager":${quoteString(owner.manager)},"operation":"${operation}"${version}${through}}`;
}

/**
 * Reads `metadata.managedFields`.
 * @throws Error when an entry is broken: the whole list is then no list
 */
export function decodeEntries(entries: readonly ManagedFieldsEntry[] | undefined): Owners {
  const owners: Owners = new Map();
  if (!entries) return owners;
  for (let index = 0; index < entries.length; index++) {
    const owner = decodeEntry(entries[index] as ManagedFieldsEntry, index);
    owners.set(ownerKey(owner), owner);
  }
  return owners;
}

function decodeEntry(entry: ManagedFieldsEntry, index: number): Owner {
  if (!entry.apiVersion) throw new Error(`missing apiVersion in managed fields entry ${index}`);
  if (!entry.fieldsType) throw new Error(`missing fieldsType in managed fields entry ${index}`);
  if (entry.fieldsType !== 'FieldsV1') {
    throw new Error(`invalid fieldsType ${quoteString(String(entry.fieldsType))} in managed fields entry ${index}`);
  }
  if (entry.operation !== 'Apply' && entry.operation !== 'Update') {
    throw new Error(`invalid operation in managed fields entry ${index}`);
  }
  return {
    manager: entry.manager ?? '',
    operation: entry.operation,
    apiVersion: entry.apiVersion,
    subresource: entry.subresource ?? '',
    time: entry.time ?? undefined,
    fields: decodeFields(entry.fieldsV1 as Json | undefined),
  };
}

/** What {@link decodeEntries} reads, with turns for others meanwhile where there is much to read. @throws as it does */
export function* entriesReadInParts(entries: readonly ManagedFieldsEntry[] | undefined): Staged<Owners> {
  for (const entry of entries ?? []) yield* decodeInParts(entry.fieldsV1 as Json | undefined);
  return decodeEntries(entries);
}

/** What {@link encodeEntries} writes, with turns for others meanwhile where there is much to write. */
export function* entriesInParts(owners: readonly Owner[]): Staged<ManagedFieldsEntry[]> {
  for (const owner of owners) yield* encodeInParts(owner.fields);
  return encodeEntries(owners);
}

/** Writes owners as entries: Apply before Update, then by time, manager, version and subresource. */
export function encodeEntries(owners: Iterable<Owner>): ManagedFieldsEntry[] {
  return inOrder([...owners]).map((owner) => {
    const entry: ManagedFieldsEntry = {};
    if (owner.manager) entry.manager = owner.manager;
    entry.operation = owner.operation;
    entry.apiVersion = owner.apiVersion;
    if (owner.time !== undefined) entry.time = owner.time;
    entry.fieldsType = 'FieldsV1';
    entry.fieldsV1 = encodeFields(owner.fields) as JsonObject;
    if (owner.subresource) entry.subresource = owner.subresource;
    return entry;
  });
}

/** Owners mostly come in order. */
function inOrder(owners: Owner[]): Owner[] {
  for (let i = 1; i < owners.length; i++)
    if (compareOwners(owners[i - 1] as Owner, owners[i] as Owner) > 0) return owners.sort(compareOwners);
  return owners;
}

function compareOwners(a: Owner, b: Owner): number {
  return (
    compareText(a.operation, b.operation) ||
    (a.time === b.time ? 0 : secondsOf(a.time) - secondsOf(b.time)) ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

/** Whole seconds since the epoch; entries without a time count as the epoch. */
export function secondsOf(time: string | undefined): number {
  const milliseconds = time === undefined ? 0 : Date.parse(time);
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return byteOrder(a) < byteOrder(b) ? -1 : 1;
}

/** Update entries that an object keeps; older ones are joined. */
export const MAX_UPDATE_OWNERS = 10;
/** The manager of the fields of joined entries. */
export const OLD_UPDATES = 'ancient-changes';

/**
 * Joins the oldest update entries of each version into one, until no more than MAX_UPDATE_OWNERS are left. The joined
 * entry has the time of the youngest in it. Changes `owners`.
 */
export function capUpdates(owners: Owners): void {
  if (owners.size <= MAX_UPDATE_OWNERS) return;
  const updates = [...owners].filter(([, owner]) => owner.operation === 'Update');
  let left = updates.length;
  if (left <= MAX_UPDATE_OWNERS) return;
  updates.sort(([keyA, a], [keyB, b]) => secondsOf(a.time) - secondsOf(b.time) || compareText(keyA, keyB));
  const firstOfVersion = new Map<string, string>();
  for (const [key, owner] of updates) {
    if (left <= MAX_UPDATE_OWNERS) return;
    const { apiVersion } = owner;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, key);
      continue;
    }
    const joined = { manager: OLD_UPDATES, operation: 'Update' as const, apiVersion, subresource: '' };
    const joinedKey = ownerKey(joined);
    const before = owners.get(joinedKey) ?? (owners.get(first) as Owner);
    if (!owners.has(joinedKey)) owners.delete(first);
    owners.delete(key);
    owners.set(joinedKey, { ...joined, time: owner.time, fields: union(before.fields, owner.fields) });
    left--;
  }
}

/** Takes out owners that own nothing. Changes `owners`. */
export function dropIdle(owners: Owners): void {
  for (const [key, owner] of owners) if (isEmpty(owner.fields)) owners.delete(key);
}
