import type { Entry } from '../contracts/entry.ts';

/** Bytes that a list has at least to be worth it, and at most. */
const LEAST = 16 * 1024;
const MOST = 4 * 1024 * 1024;
/** Bytes of all lists that are known. */
const MOST_IN_ALL = 16 * 1024 * 1024;

/** What stands before and behind the items of a list. */
export type Frame = readonly [head: string, tail: string];

/** A list as it is asked for. */
export interface AskedList {
  /** Tells apart what entries are written as. */
  readonly name: string;
  /** What stands before and behind the entries. */
  readonly frame: Frame;
  readonly entries: readonly Entry[];
}

interface Known {
  readonly entries: readonly Entry[];
  readonly size: number;
  /** That of `body`. */
  frame: Frame;
  /** Undefined until the list is asked for again. */
  body: Uint8Array | undefined;
}

/**
 * Bodies of lists that were asked for again while nothing in them had changed: they need not be put together once more,
 * and where only what stands around the entries is another, as the revision of the list is, the entries are copied in one
 * go. Entries are never changed, so that the same entries are the same bytes. The lists that were asked for least lately go
 * when there are too many bytes of them.
 */
export class KeptLists {
  readonly #known = new Map<string, Known>();
  #bytes = 0;

  /** The body of the same list, where its entries were asked for before; undefined where it has to be made. */
  find(list: AskedList): Uint8Array | undefined {
    const key = keyOf(list);
    const known = this.#known.get(key);
    if (!known?.body || !isSame(known, list)) return undefined;
    this.#known.delete(key);
    this.#known.set(key, known);
    if (!isSameFrame(known.frame, list.frame)) {
      known.body = reframed(known.body, known.frame, list.frame);
      known.frame = list.frame;
    }
    return known.body;
  }

  /** Hears of a body that was made; the second of one list is kept. */
  made(list: AskedList, body: Uint8Array): void {
    const key = keyOf(list);
    const before = this.#known.get(key);
    if (before && isSame(before, list)) {
      before.body = body;
      before.frame = list.frame;
      return;
    }
    if (before) this.#forget(key, before);
    const size = body.byteLength;
    if (size < LEAST || size > MOST) return;
    this.#known.set(key, { entries: list.entries, frame: list.frame, size, body: undefined });
    this.#bytes += size;
    for (const [oldest, known] of this.#known) {
      if (this.#bytes <= MOST_IN_ALL) break;
      this.#forget(oldest, known);
    }
  }

  #forget(key: string, { size }: Known): void {
    this.#known.delete(key);
    this.#bytes -= size;
  }
}

function keyOf({ name, entries }: AskedList): string {
  return `${name} ${entries.length} ${entries[0]?.key}`;
}

function isSame(known: Known, { entries }: AskedList): boolean {
  if (known.entries === entries) return true;
  if (known.entries.length !== entries.length) return false;
  for (let i = 0; i < entries.length; i++) if (known.entries[i] !== entries[i]) return false;
  return true;
}

function isSameFrame([head, tail]: Frame, [otherHead, otherTail]: Frame): boolean {
  return head === otherHead && tail === otherTail;
}

/** The same entries in another frame. */
function reframed(body: Uint8Array, [head, tail]: Frame, [newHead, newTail]: Frame): Uint8Array {
  const entries = body.subarray(Buffer.byteLength(head), body.byteLength - Buffer.byteLength(tail));
  return Buffer.concat([Buffer.from(newHead), entries, Buffer.from(newTail)]);
}
