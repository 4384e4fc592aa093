import type { Awaitable } from '../api/awaitable.ts';
import { formatGroupResource } from '../api/groupVersion.ts';
import { ApiError, type StatusCause } from '../api/status.ts';
import type { Call } from '../contracts/call.ts';
import type { Entry } from '../contracts/entry.ts';
import { isPending, type Store, UnreadableObject } from '../contracts/store.ts';
import { KeptSelections, type Page, type Selection } from './keptSelections.ts';
import type { ListOptions } from './listOptions.ts';

export interface EntrySelection {
  readonly prefix: string;
  /** The prefix is the whole key of one object. */
  readonly whole: boolean;
  readonly after: string | undefined;
  /** Undefined: the newest state. */
  readonly revision: number | undefined;
  /** 0: all. */
  readonly limit: number;
}

/** What was selected of each store before. */
const keptOf = new WeakMap<Store, KeptSelections>();

/** Entries read at once while few of them are selected grow up to this many. */
const MOST_AT_ONCE = 10_000;

/**
 * Reads the selected entries of a range. Throws ApiError 500 when one of them cannot be read, and what the store
 * throws for its revision.
 */
export function readSelected(call: Call, options: ListOptions, selection: EntrySelection): Awaitable<Page> {
  // One object is found at once.
  if (selection.whole) return readAnew(call, options, selection);
  const { store } = call.services;
  let kept = keptOf.get(store);
  if (!kept) {
    kept = new KeptSelections(store);
    keptOf.set(store, kept);
  }
  const { prefix, whole, after, revision, limit } = selection;
  const named = { prefix, whole, after, revision, limit, name: options.selector };
  const found = kept.find(named);
  if (isPending(found)) return found.then((known) => knownOr(known, kept, named, call, options));
  return knownOr(found, kept, named, call, options);
}

/** The page that is known, where all of it can be read still, else one that is read anew and kept. */
function knownOr(
  known: Page | undefined,
  kept: KeptSelections,
  selection: EntrySelection & Selection,
  call: Call,
  options: ListOptions,
): Awaitable<Page> {
  if (known?.entries.every(isReadable)) return known;
  return readAnew(call, options, selection).then((page) => {
    kept.made(selection, page);
    return page;
  });
}

async function readAnew(call: Call, options: ListOptions, selection: EntrySelection): Promise<Page> {
  const { store } = call.services;
  const { prefix, whole, limit } = selection;
  let { after, revision } = selection;
  const entries: Entry[] = [];
  const faults: StatusCause[] = [];
  let step = limit;
  for (;;) {
    const result = await store.range({ prefix, limit: whole ? 1 : step, after, revision });
    const found = whole ? result.entries.filter((entry) => entry.key === prefix) : result.entries;
    if (options.everything && limit === 0) {
      for (const entry of found) isSelected(entry, options, faults);
      refuseUnreadable(call, prefix, faults);
      return { revision: result.revision, entries: found, last: undefined, remaining: 0 };
    }
    for (let i = 0; i < found.length; i++) {
      const entry = found[i] as Entry;
      if (!isSelected(entry, options, faults)) continue;
      entries.push(entry);
      if (entries.length === limit) {
        refuseUnreadable(call, prefix, faults);
        const remaining = result.remaining + found.length - i - 1;
        return { revision: result.revision, entries, last: entry.key, remaining };
      }
    }
    if (limit === 0 || result.remaining === 0) {
      refuseUnreadable(call, prefix, faults);
      return { revision: result.revision, entries, last: undefined, remaining: 0 };
    }
    after = found[found.length - 1]?.key;
    revision = result.revision;
    step = Math.min(step * 2, MOST_AT_ONCE);
  }
}

/** Also finds out whether an entry that is selected can be read at all. */
function isSelected(entry: Entry, options: ListOptions, faults: StatusCause[]): boolean {
  try {
    if (!options.selects(entry)) return false;
    void entry.object;
    return true;
  } catch (error) {
    if (!(error instanceof UnreadableObject)) throw error;
    faults.push({ reason: 'UnexpectedServerResponse', field: error.key, message: error.message });
    return false;
  }
}

function isReadable(entry: Entry): boolean {
  try {
    void entry.object;
    return true;
  } catch (error) {
    if (!(error instanceof UnreadableObject)) throw error;
    return false;
  }
}

/** A list that holds an object that cannot be read is refused, with every such object named. */
function refuseUnreadable({ endpoint }: Call, prefix: string, faults: readonly StatusCause[]): void {
  if (faults.length === 0) return;
  const { group, resource } = endpoint.type;
  throw new ApiError(
    500,
    'StoreReadError',
    `failed to read one or more ${formatGroupResource({ group, resource })} from the storage`,
    { name: prefix, ...(group ? { group } : {}), kind: resource, causes: [...faults] },
  );
}
