/** A growing column of numbers, for histories of which a table of objects would not fit into memory. */
export class NumberColumn {
  #values = new Float64Array(16);
  length = 0;

  push(value: number): number {
    if (this.length === this.#values.length) {
      const more = new Float64Array(this.length * 2);
      more.set(this.#values);
      this.#values = more;
    }
    this.#values[this.length] = value;
    this.length += 1;
    return this.length - 1;
  }
  at(row: number): number {
    return this.#values[row] as number;
  }
  /** The column as it is now. */
  values(): Float64Array {
    return this.#values.subarray(0, this.length);
  }
  set(row: number, value: number): void {
    this.#values[row] = value;
  }
  lower(row: number, value: number): boolean {
    if (value >= (this.#values[row] as number)) return false;
    this.#values[row] = value;
    return true;
  }
  raise(row: number, value: number): boolean {
    if (value <= (this.#values[row] as number)) return false;
    this.#values[row] = value;
    return true;
  }
}

/** Gives each text a whole number, the same one each time. */
export class Names {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  get size(): number {
    return this.#texts.length;
  }
  of(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }
  find(text: string): number | undefined {
    return this.#numbers.get(text);
  }
  text(number: number): string {
    return this.#texts[number] ?? '';
  }
}

/** Finds the row of a pair of numbers: open addressing, without an object for an entry. */
export class PairIndex {
  #first = new Float64Array(64);
  #second = new Float64Array(64);
  #rows = new Int32Array(64).fill(-1);
  #size = 0;

  /** The row of a pair; -1 where it has none. */
  find(first: number, second: number): number {
    return this.#rows[this.#slot(first, second)] as number;
  }
  set(first: number, second: number, row: number): void {
    if (this.#size * 2 >= this.#rows.length) this.#grow();
    const slot = this.#slot(first, second);
    if (this.#rows[slot] === -1) this.#size += 1;
    this.#first[slot] = first;
    this.#second[slot] = second;
    this.#rows[slot] = row;
  }
  #slot(first: number, second: number): number {
    const mask = this.#rows.length - 1;
    let slot = mix(first, second) & mask;
    while (this.#rows[slot] !== -1 && (this.#first[slot] !== first || this.#second[slot] !== second)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
  #grow(): void {
    const [first, second, rows] = [this.#first, this.#second, this.#rows];
    this.#first = new Float64Array(rows.length * 2);
    this.#second = new Float64Array(rows.length * 2);
    this.#rows = new Int32Array(rows.length * 2).fill(-1);
    this.#size = 0;
    for (let at = 0; at < rows.length; at += 1) {
      if (rows[at] !== -1) this.set(first[at] as number, second[at] as number, rows[at] as number);
    }
  }
}

/** Spreads two numbers over 32 bits; sums of it tell sets apart. */
export function mix(first: number, second: number): number {
  let mixed =
    Math.imul((first | 0) ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul((second | 0) ^ (second / 0x100000000), 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/**
 * The places of numbers in the order of these, equal ones as they stand. What histories tell is in order for long
 * stretches, but that some things are told a little late: those are moved to where they belong, and the stretches that
 * come of that are merged, so that what is nearly in order costs little more than one look.
 */
export function orderOf(values: Float64Array): Uint32Array<ArrayBuffer> {
  const length = values.length;
  let order = new Uint32Array(length);
  let bounds: number[] = [0];
  let begin = 0;
  for (let at = 0; at < length; at += 1) {
    const value = values[at] as number;
    let to = at;
    const least = Math.max(begin, at - LATE);
    while (to > least && (values[order[to - 1] as number] as number) > value) to -= 1;
    if (to === least && to > begin && (values[order[to - 1] as number] as number) > value) {
      begin = at;
      bounds.push(at);
      to = at;
    }
    for (let moved = at; moved > to; moved -= 1) order[moved] = order[moved - 1] as number;
    order[to] = at;
  }
  bounds.push(length);
  let spare = new Uint32Array(bounds.length > 2 ? length : 0);
  while (bounds.length > 2) {
    const merged: number[] = [0];
    for (let run = 0; run + 1 < bounds.length; run += 2) {
      const [from = 0, middle = 0, to = middle] = bounds.slice(run, run + 3);
      merge(values, order, spare, from, middle, to);
      merged.push(to);
    }
    bounds = merged;
    [order, spare] = [spare, order];
  }
  return order;
}
/** By how many places something is moved forward at most. */
const LATE = 16;

function merge(
  values: Float64Array,
  source: Uint32Array,
  target: Uint32Array,
  from: number,
  middle: number,
  to: number,
): void {
  let left = from;
  let right = middle;
  for (let at = from; at < to; at += 1) {
    const takeLeft =
      right >= to ||
      (left < middle && (values[source[left] as number] as number) <= (values[source[right] as number] as number));
    target[at] = source[takeLeft ? left : right] as number;
    if (takeLeft) left += 1;
    else right += 1;
  }
}

/** The first index at which a rising column is above a bound. */
export function firstAbove(values: Float64Array, bound: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) > bound) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** What tells a uid apart in sums of sets. */
export function sumOfUid(uid: number): number {
  return mix(uid, 0);
}

/** 52 bits of a text, which stand for it where a mistake among 2^52 does no harm. */
export function hashOf(text: string): number {
  let first = 0x811c9dc5;
  let second = 0x1b873593;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ code, 0x85ebca6b) ^ (second >>> 13);
  }
  return (first >>> 0) * 0x100000 + ((second ^ (second >>> 15)) & 0xfffff);
}
