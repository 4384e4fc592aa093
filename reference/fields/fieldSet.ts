import { type PathElement, sortSteps } from './pathElement.ts';

/**
 * A set of fields of an object, as a trie over path steps. A field is in the set when its node is `owned`; fields
 * above it need not be. Nodes are immutable and shared between sets, so that what an operation leaves alone stays
 * the same object: an operation that changes nothing gives back its first argument.
 */
export interface FieldSet {
  readonly owned: boolean;
  /** Never empty, and without empty nodes. */
  readonly below: ReadonlyMap<PathElement, FieldSet> | undefined;
}

/** The set without fields; the root of a set is never owned. */
export const NO_FIELDS: FieldSet = { owned: false, below: undefined };
/** A node that is a field and has none below. */
export const LEAF: FieldSet = { owned: true, below: undefined };

/** A node from its parts, in the one form that each content has. */
export function node(owned: boolean, below: ReadonlyMap<PathElement, FieldSet> | undefined): FieldSet {
  if (below === undefined || below.size === 0) return owned ? LEAF : NO_FIELDS;
  return { owned, below };
}

export function isEmpty(set: FieldSet): boolean {
  return !set.owned && set.below === undefined;
}

/** The part of a set below one step; empty when there is none. */
export function under(set: FieldSet, element: PathElement): FieldSet {
  return set.below?.get(element) ?? NO_FIELDS;
}

export function has(set: FieldSet, path: readonly PathElement[]): boolean {
  let at: FieldSet | undefined = set;
  for (const element of path) {
    at = at.below?.get(element);
    if (at === undefined) return false;
  }
  return at.owned;
}

/** A set of the given paths; parents are not added. */
export function setOf(...paths: readonly (readonly PathElement[])[]): FieldSet {
  return unionAll(
    paths.map((path) => path.reduceRight<FieldSet>((below, element) => node(false, new Map([[element, below]])), LEAF)),
  );
}

export function sizeOf(set: FieldSet): number {
  let size = set.owned ? 1 : 0;
  if (set.below) for (const child of set.below.values()) size += sizeOf(child);
  return size;
}

/** Fields of a set and steps on the way to them, the set itself left out; nobody asks how many there are beyond `enough`. */
export function fieldsIn(set: FieldSet, enough: number): number {
  let fields = 0;
  const open: FieldSet[] = [set];
  for (let at = open.pop(); at && fields <= enough; at = open.pop()) {
    if (!at.below) continue;
    fields += at.below.size;
    if (fields <= enough) for (const child of at.below.values()) if (child.below) open.push(child);
  }
  return fields;
}

export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (a.owned !== b.owned || a.below?.size !== b.below?.size) return false;
  if (a.below === undefined || b.below === undefined) return true;
  for (const [element, child] of a.below) {
    const other = b.below.get(element);
    if (other === undefined || !equalSets(child, other)) return false;
  }
  return true;
}

/** Fields in either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmpty(b)) return a;
  if (isEmpty(a)) return b;
  let below: Map<PathElement, FieldSet> | undefined;
  if (b.below) {
    for (const [element, child] of b.below) {
      const mine = a.below?.get(element);
      const joined = mine === undefined ? child : union(mine, child);
      if (joined === mine) continue;
      below ??= new Map(a.below);
      below.set(element, joined);
    }
  }
  const owned = a.owned || b.owned;
  if (below === undefined && owned === a.owned) return a;
  return node(owned, below ?? a.below);
}

/** Fields in any of the sets; the cost is that of walking each once. */
export function unionAll(sets: readonly FieldSet[]): FieldSet {
  const full = sets.filter((set) => !isEmpty(set));
  if (full.length <= 1) return full[0] ?? NO_FIELDS;
  const groups = new Map<PathElement, FieldSet[]>();
  let owned = false;
  for (const set of full) {
    owned ||= set.owned;
    if (!set.below) continue;
    for (const [element, child] of set.below) {
      const group = groups.get(element);
      if (group) group.push(child);
      else groups.set(element, [child]);
    }
  }
  const below = new Map<PathElement, FieldSet>();
  for (const [element, group] of groups) below.set(element, unionAll(group));
  return node(owned, below);
}

/** Fields in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  let below: Map<PathElement, FieldSet> | undefined;
  if (a.below && b.below) {
    const [few, many] = a.below.size <= b.below.size ? [a.below, b.below] : [b.below, a.below];
    for (const [element, child] of few) {
      const other = many.get(element);
      if (other === undefined) continue;
      const shared = intersection(child, other);
      if (isEmpty(shared)) continue;
      below ??= new Map();
      below.set(element, shared);
    }
  }
  return node(a.owned && b.owned, below);
}

/** Fields of `a` that are not in `b`; a field below one in `b` stays. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, false);
}

/** Fields of `a` that are neither in `b` nor below a field in `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, true);
}

function subtract(a: FieldSet, b: FieldSet, deep: boolean): FieldSet {
  if (isEmpty(a) || isEmpty(b)) return a;
  if (deep && b.owned) return NO_FIELDS;
  let below: Map<PathElement, FieldSet> | undefined;
  if (a.below && b.below) {
    // Whichever is smaller leads, so that taking a few fields from a large set costs little.
    const lead = a.below.size <= b.below.size ? a.below : b.below;
    for (const element of lead.keys()) {
      const mine = a.below.get(element);
      const other = b.below.get(element);
      if (mine === undefined || other === undefined) continue;
      const rest = subtract(mine, other, deep);
      if (rest === mine) continue;
      below ??= new Map(a.below);
      if (isEmpty(rest)) below.delete(element);
      else below.set(element, rest);
    }
  }
  const owned = a.owned && !b.owned;
  if (below === undefined && owned === a.owned) return a;
  return node(owned, below ?? a.below);
}

/** Only the fields that have none below them in the set. */
export function leaves(set: FieldSet): FieldSet {
  if (set.below === undefined) return set;
  const below = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.below) {
    const rest = leaves(child);
    if (!isEmpty(rest)) below.set(element, rest);
  }
  return node(false, below);
}

/** The steps below a node in the order in which they are written. */
export function sortedSteps(set: FieldSet): [PathElement, FieldSet][] {
  return set.below ? sortSteps(set.below) : [];
}

/** Every path of the set: at each level first the fields of the level, then what is below them. */
export function* paths(set: FieldSet, above: readonly PathElement[] = []): Generator<readonly PathElement[]> {
  const steps = sortedSteps(set);
  for (const [element, child] of steps) if (child.owned) yield [...above, element];
  for (const [element, child] of steps) if (child.below) yield* paths(child, [...above, element]);
}
