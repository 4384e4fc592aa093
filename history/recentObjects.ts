import type { ObjectSight } from './format.ts';

/**
 * Objects that were read lately, by the bytes that they were read from. Most of what a history tells of objects is told
 * again: the answer to a write, the events of every watch and later reads show one state in the same bytes. Such bytes
 * are compared and not read again, and give the very same object.
 */
export class RecentObjects {
  readonly #bytes = new Uint8Array(PLACES * WIDTH);
  readonly #view = new DataView(this.#bytes.buffer);
  readonly #lengths = new Int32Array(PLACES);
  readonly #objects = new Array<ObjectSight | undefined>(PLACES).fill(undefined);

  /** Where an object is kept whose bytes begin here; by its name, namespace and uid, as far as they reach. */
  placeOf(view: DataView, from: number): number {
    const end = Math.min(view.byteLength - 8, from + NAME_BEGINS + TELLING);
    // Two at a time, of which neither waits for the other.
    let even = 0;
    let odd = 0;
    for (let at = from + NAME_BEGINS; at <= end; at += 8) {
      even = Math.imul(even ^ view.getInt32(at, true), MULTIPLIER);
      even ^= even >>> 15;
      odd = Math.imul(odd ^ view.getInt32(at + 4, true), MULTIPLIER);
      odd ^= odd >>> 15;
    }
    return (even ^ (odd >>> 5)) & (PLACES - 1);
  }
  /** How many bytes the object of a place has, where these begin with it; 0 where they do not. */
  lengthAt(place: number, view: DataView, from: number): number {
    const length = this.#lengths[place] as number;
    if (length === 0 || from + length > view.byteLength) return 0;
    const kept = this.#view;
    const base = place * WIDTH;
    // States of one object differ at their ends. Eight bytes at a time; such as are no number are never the same.
    for (let at = length - 8; at > 0; at -= 8) {
      if (kept.getFloat64(base + at, true) !== view.getFloat64(from + at, true)) return 0;
    }
    return kept.getFloat64(base, true) === view.getFloat64(from, true) ? length : 0;
  }
  at(place: number): ObjectSight | undefined {
    return this.#objects[place];
  }
  /** Keeps an object that was read from these bytes, in place of another. */
  keep(place: number, object: ObjectSight, bytes: Uint8Array, from: number, to: number): void {
    if (to - from > WIDTH || to - from < 8) return;
    const base = place * WIDTH - from;
    for (let at = from; at < to; at += 1) this.#bytes[base + at] = bytes[at] as number;
    this.#lengths[place] = to - from;
    this.#objects[place] = object;
  }
}

/** How many objects are kept, a power of two, and of how many bytes at most: 6 MB in all. */
const PLACES = 1 << 14;
const WIDTH = 384;

const NAME_BEGINS = '{"name":"'.length;
/** So many bytes from the name on choose the place. */
const TELLING = 64;
const MULTIPLIER = 0x9e3779b1 | 0;
