import type { WatchEvent } from '../contracts/answer.ts';
import type { Entry } from '../contracts/entry.ts';
import type { StoreEvent } from '../contracts/store.ts';
import type { ListOptions } from './listOptions.ts';

/**
 * What a watch of a selection says of a change (1/events): an object that enters the selection is ADDED, one that
 * leaves it is DELETED, shown as it last was inside under the version of the change. Undefined when neither its
 * old nor its new state is selected. Throws UnreadableObject.
 */
export function eventFor(change: StoreEvent, { everything, selects }: ListOptions): WatchEvent | undefined {
  const { type, entry } = change;
  // A store that has forgotten the state before a deletion still gives the last one with it.
  const previous = change.previous ?? (type === 'delete' ? entry : undefined);
  const was = previous !== undefined && (everything || selects(previous.object));
  if (type === 'delete') return was ? { type: 'DELETED', entry } : undefined;
  const is = everything || selects(entry.object);
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', entry };
  return was ? { type: 'DELETED', entry: leaving(change, previous as Entry) } : undefined;
}

// One entry for all watches that an object leaves by the same change, so that it is encoded once.
const departed = new WeakMap<StoreEvent, Entry>();

function leaving(change: StoreEvent, previous: Entry): Entry {
  let entry = departed.get(change);
  if (!entry) {
    entry = previous.at(change.revision);
    departed.set(change, entry);
  }
  return entry;
}
