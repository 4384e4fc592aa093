import { afterThisTurn } from '../time.ts';
import type { Json, JsonObject } from './json.ts';

/** Work in stages, each of one go; between them others may have their turn. It comes to a value, or throws. */
export type Staged<T> = Generator<undefined, T, undefined>;

/** For whom work is done, such as a request. */
export interface Waiting {
  /** Whether nobody waits for it any more. */
  readonly gone?: boolean | undefined;
}

/** Ends long work for which nobody waits any more. */
export class GivenUp extends Error {
  constructor() {
    super('nobody waits for this work any more');
    this.name = 'GivenUp';
  }
}

/**
 * Does staged work: with turns for others where it is long, else in one go. Short work is told so itself too and pauses
 * nowhere, since many pauses cost more than a small write has to spare. Throws or rejects with what the work throws, and
 * with GivenUp as {@link inTurns} does.
 */
export function paced<T>(work: Staged<T>, long: boolean, waiting?: Waiting): T | Promise<T> {
  return long ? inTurns(work, waiting) : atOnce(work);
}

/** Whether something is staged work, and not its value already. */
export function isStaged<T>(value: T | Staged<T>): value is Staged<T> {
  return typeof (value as { next?: unknown }).next === 'function';
}

/** Does all stages in one go. Throws what the work throws. */
export function atOnce<T>(work: Staged<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/**
 * Does stage after stage, and lets others have their turn in between. Rejects with what the work throws, and with GivenUp
 * when nobody waits for it after a turn of others.
 */
export async function inTurns<T>(work: Staged<T>, waiting?: Waiting): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await othersTurn(waiting);
  }
}

/**
 * Does staged work that is mostly short: at once where it pauses nowhere, else with turns for others. Throws or rejects
 * as {@link inTurns} does.
 */
export function mostlyAtOnce<T>(work: Staged<T>, waiting?: Waiting): T | Promise<T> {
  const step = work.next();
  return step.done ? step.value : othersTurn(waiting).then(() => inTurns(work, waiting));
}

/**
 * Resolves when all that waits for the process has had its turn: requests that have come meanwhile too. What waits for
 * the network comes behind the first turn where that is asked for by something that came from there itself. Rejects with
 * GivenUp where nobody waits for what comes next.
 */
export function othersTurn(waiting?: Waiting): Promise<void> {
  return new Promise((resolve, reject) =>
    afterThisTurn(() =>
      afterThisTurn(() => {
        if (waiting?.gone) reject(new GivenUp());
        else resolve();
      }),
    ),
  );
}

/** Bytes of a body beyond which reading it and what follows is long work: see {@link inTurns}. */
export const LARGE_BODY = 256 * 1024;

/** Entries, at whatever depth, that one turn of long work passes. */
const PER_TURN = 16_384;
/** Entries of a part up to which it is done in one go. */
const SMALL_PART = 256;

/** Counts what long work passes, whatever it is about, where its parts do not stand in one container. */
export class Pace {
  #passed = 0;

  /** Whether others are to have their turn now that so many more entries, or work that takes as long, were passed. */
  due(entries = 1): boolean {
    this.#passed += entries;
    if (this.#passed < PER_TURN) return false;
    this.#passed = 0;
    return true;
  }
}

/** The parts of something large that are worked through one after the other. */
export interface Parts<Key> {
  readonly keys: Iterable<Key>;
  /** Entries in a part at whatever depth; nobody asks how many there are beyond `enough`. */
  readonly size: (key: Key, enough: number) => number;
  /** Does a small part in one go. */
  readonly small: (key: Key) => void;
  /** Does a large one, which has parts of its own. */
  readonly large: (key: Key) => Staged<void>;
}

/**
 * Works through the parts of something, with a pause whenever a turn has passed enough entries: how a pass over an object
 * of three megabytes lets others have their turn within itself. Throws what the parts throw.
 */
export function* eachPart<Key>({ keys, size, small, large }: Parts<Key>): Staged<void> {
  let passed = 0;
  for (const key of keys) {
    const entries = size(key, SMALL_PART);
    if (entries > SMALL_PART) {
      // A part may be far larger than a small one, and be done in one go all the same.
      passed += size(key, PER_TURN);
      yield* large(key);
    } else {
      passed += 1 + entries;
      small(key);
    }
    if (passed < PER_TURN) continue;
    passed = 0;
    yield;
  }
}

/**
 * Sorts texts, with turns for others where they are many: what `sort` makes of them, in a list of its own where they were
 * not in order.
 */
export function* sortInParts(texts: readonly string[], compare: Compare = byUnits): Staged<readonly string[]> {
  if (texts.length <= PER_TURN) return [...texts].sort(compare === byUnits ? undefined : compare);
  let runs: (readonly string[])[] = [];
  for (let at = 0; at < texts.length; at += PER_TURN) {
    runs.push(texts.slice(at, at + PER_TURN).sort(compare === byUnits ? undefined : compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly string[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [left, right] = [runs[at] as readonly string[], runs[at + 1]];
      merged.push(right ? yield* mergedRuns(left, right, compare) : left);
    }
    runs = merged;
  }
  return runs[0] as readonly string[];
}

type Compare = (a: string, b: string) => number;
const byUnits: Compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

function* mergedRuns(left: readonly string[], right: readonly string[], compare: Compare): Staged<readonly string[]> {
  // Names mostly are in order already.
  if (compare(left.at(-1) as string, right[0] as string) <= 0) return left.concat(right);
  const merged: string[] = [];
  let [at, other] = [0, 0];
  while (at < left.length && other < right.length) {
    const [one, two] = [left[at] as string, right[other] as string];
    const first = compare(one, two) <= 0;
    merged.push(first ? one : two);
    if (first) at++;
    else other++;
    if (merged.length % PER_TURN === 0) yield;
  }
  return merged.concat(left.slice(at), right.slice(other));
}

/** Whether a value has so many entries that a pass over it is long work. */
export function isLong(value: Json): boolean {
  return entriesOf(value, PER_TURN) > PER_TURN;
}

/**
 * Containers that were found to have too many entries to count: to ask an object with hundreds of thousands of names how
 * many they are takes as long as a pass over it, and every stage and every level above it asks.
 */
const wide = new WeakSet<object>();

/** Entries of a value at whatever depth, the value itself left out; nobody asks how many there are beyond `enough`. */
export function entriesOf(value: Json | undefined, enough: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  let entries = 0;
  const open: (Json[] | JsonObject)[] = [value];
  for (let at = open.pop(); at; at = open.pop()) {
    if (wide.has(at)) return enough + 1;
    if (Array.isArray(at)) {
      entries += at.length;
      if (entries > enough) return entries;
      for (const item of at) if (typeof item === 'object' && item !== null) open.push(item);
      continue;
    }
    const names = Object.keys(at);
    entries += names.length;
    if (names.length > PER_TURN) wide.add(at);
    if (entries > enough) return entries;
    for (const name of names) {
      const inner = at[name];
      if (typeof inner === 'object' && inner !== null) open.push(inner);
    }
  }
  return entries;
}

/** Whether a container is known to be large, by itself or by what is in it. */
export function isWide(value: object): boolean {
  return wide.has(value);
}

/** Makes a container known as large where staged work made it, so that nobody counts what is in it. */
export function madeWide(value: object): void {
  wide.add(value);
}
