import type { Entry } from '../contracts/entry.ts';

/** How many entries that were created, and how many that were changed or read again, have their objects. */
const CREATED = 32;
const IN_USE = 1024;

/**
 * The entries of a store in memory whose objects are there to be read; those of others are read from their JSON when
 * somebody asks. Most of what is created is not soon read: it is let go of so early that it is still among what the
 * engine collects for next to nothing.
 */
export class ReadEntries {
  readonly #created = new Turns(CREATED);
  readonly #inUse = new Turns(IN_USE);

  created(entry: Entry): void {
    this.#created.add(entry)?.pack(this.inUse);
  }

  /** Notes that an entry was made of one that was there, or that its object was read again. */
  readonly inUse = (entry: Entry): void => {
    this.#inUse.add(entry)?.pack(this.inUse);
  };
}

/** The last entries of so many; adding one answers the one whose place it takes. */
class Turns {
  readonly #most: number;
  readonly #entries: Entry[] = [];
  #next = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(entry: Entry): Entry | undefined {
    const at = this.#next;
    const before = this.#entries[at];
    this.#entries[at] = entry;
    this.#next = (at + 1) % this.#most;
    return before;
  }
}
