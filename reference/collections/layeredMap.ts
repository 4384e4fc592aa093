const GONE = Symbol('gone');
type Kept<V> = V | typeof GONE;

/** What several maps have in common: never changed any more. */
interface Layer<K, V> {
  readonly below: Layer<K, V> | undefined;
  readonly entries: ReadonlyMap<K, Kept<V>>;
  /** Keys that were deleted and set again, so that they come last. */
  readonly moved: ReadonlySet<K> | undefined;
  readonly depth: number;
}

/** Layers on each other beyond which a fork makes one of them all, so that a look-up stays short. */
const DEEPEST = 4;

/**
 * A map in the order of insertion that can be forked: the fork has the same entries, takes no time and no memory by
 * how many they are, and neither sees what the other changes from then on. Values are shared; one that is changed in
 * place is first asked for by `own`.
 */
export class LayeredMap<K, V extends NonNullable<unknown>> implements Iterable<[K, V]> {
  #below: Layer<K, V> | undefined;
  /** Made when something is first set: most maps of a fork stay as they are. */
  #own: Map<K, Kept<V>> | undefined;
  #moved: Set<K> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: K): V | undefined {
    const own = this.#own?.get(key);
    if (own !== undefined) return own === GONE ? undefined : (own as V);
    return this.#below && found(this.#below, key);
  }

  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  set(key: K, value: V): this {
    this.#own ??= new Map();
    const before = this.#own.get(key);
    if (before === GONE) {
      // It comes back behind all others.
      this.#own.delete(key);
      this.#moved ??= new Set();
      this.#moved.add(key);
    }
    if (before === GONE || (before === undefined && !(this.#below && found(this.#below, key) !== undefined))) {
      this.#size++;
    }
    this.#own.set(key, value);
    return this;
  }

  delete(key: K): boolean {
    const own = this.#own?.get(key);
    if (own === GONE) return false;
    const lower = this.#below !== undefined && found(this.#below, key) !== undefined;
    if (own === undefined && !lower) return false;
    this.#moved?.delete(key);
    this.#own ??= new Map();
    this.#own.delete(key);
    if (lower) this.#own.set(key, GONE);
    this.#size--;
    return true;
  }

  clear(): void {
    this.#below = undefined;
    this.#own = undefined;
    this.#moved = undefined;
    this.#size = 0;
  }

  /** The value of a key for changing it in place: a copy where other maps have it too. */
  own(key: K, copy: (value: V) => V): V | undefined {
    const own = this.#own?.get(key);
    if (own !== undefined) return own === GONE ? undefined : (own as V);
    const shared = this.#below && found(this.#below, key);
    if (shared === undefined) return undefined;
    const copied = copy(shared);
    this.#own ??= new Map();
    this.#own.set(key, copied);
    return copied;
  }

  /** Another map with the same entries. */
  fork(): LayeredMap<K, V> {
    if (this.#own && this.#own.size > 0) {
      const depth = (this.#below?.depth ?? 0) + 1;
      this.#below =
        depth > DEEPEST
          ? { below: undefined, entries: new Map(this), moved: undefined, depth: 1 }
          : { below: this.#below, entries: this.#own, moved: this.#moved, depth };
      this.#own = undefined;
      this.#moved = undefined;
    }
    const fork = new LayeredMap<K, V>();
    fork.#below = this.#below;
    fork.#size = this.#size;
    return fork;
  }

  entries(): IterableIterator<[K, V]> {
    // Without layers below nothing is marked as gone.
    const own = this.#own ?? new Map<K, Kept<V>>();
    if (!this.#below) return (own as Map<K, V>).entries();
    return across({ below: this.#below, entries: own, moved: this.#moved, depth: 0 });
  }
  [Symbol.iterator](): IterableIterator<[K, V]> {
    return this.entries();
  }
  *keys(): Generator<K> {
    for (const [key] of this.entries()) yield key;
  }
  *values(): Generator<V> {
    for (const [, value] of this.entries()) yield value;
  }
}

function found<K, V extends NonNullable<unknown>>(top: Layer<K, V>, key: K): V | undefined {
  for (let layer: Layer<K, V> | undefined = top; layer; layer = layer.below) {
    const value = layer.entries.get(key);
    if (value !== undefined) return value === GONE ? undefined : (value as V);
  }
  return undefined;
}

/** The entries of a layer and those below it: in the place where a key was first set, unless it went meanwhile. */
function* across<K, V extends NonNullable<unknown>>({ below, entries, moved }: Layer<K, V>): Generator<[K, V]> {
  if (below) {
    for (const entry of across(below)) {
      const above = entries.get(entry[0]);
      if (above === undefined) yield entry;
      else if (above !== GONE && !moved?.has(entry[0])) yield [entry[0], above as V];
    }
  }
  for (const [key, value] of entries) {
    if (value === GONE) continue;
    if (moved?.has(key) || !below || found(below, key) === undefined) yield [key, value as V];
  }
}
