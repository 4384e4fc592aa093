import type { Json } from '../api/json.ts';
import type { Schema } from '../schema/schema.ts';
import { Alike } from './alike.ts';
import { changeOutline } from './changeOutline.ts';
import { type Comparison, compare, SAME, without } from './compare.ts';
import { difference, type FieldSet, intersection, union } from './fieldSet.ts';
import { NEVER_OWNED } from './neverOwned.ts';

/** Sets that are kept of what was made of them with one comparison. */
const MOST_SETS = 16;

/**
 * What differs between two states of an object, and what comes of the fields of owners by it. Where the comparison is kept
 * for others that are alike, so is what it makes of sets: objects that look alike have the same ones.
 */
export class ComparedFields implements Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
  readonly #left: Map<FieldSet, FieldSet> | undefined;
  readonly #joined: Map<FieldSet, FieldSet> | undefined;
  readonly #shared: Map<FieldSet, FieldSet> | undefined;
  #changed: FieldSet | undefined;
  #taken: FieldSet | undefined;

  constructor({ added, modified, removed }: Comparison, kept: boolean) {
    this.added = added;
    this.modified = modified;
    this.removed = removed;
    this.#left = kept ? new Map() : undefined;
    this.#joined = kept ? new Map() : undefined;
    this.#shared = kept ? new Map() : undefined;
  }

  /** What was changed or added. */
  get changed(): FieldSet {
    this.#changed ??= union(this.modified, this.added);
    return this.#changed;
  }

  /** What comes to whoever made the change. */
  get taken(): FieldSet {
    this.#taken ??= difference(this.changed, NEVER_OWNED);
    return this.#taken;
  }

  /** What an owner that did not make the change has left of its fields. */
  left(fields: FieldSet): FieldSet {
    return kept(this.#left, fields, () =>
      difference(difference(difference(fields, this.modified), this.added), this.removed),
    );
  }

  /** The fields of whoever made the change, with those that it takes. */
  joined(fields: FieldSet): FieldSet {
    return kept(this.#joined, fields, () => union(fields, this.taken));
  }

  /** Which fields of an owner were changed or added. */
  shared(fields: FieldSet): FieldSet {
    return kept(this.#shared, fields, () => intersection(fields, this.changed));
  }
}

function kept(known: Map<FieldSet, FieldSet> | undefined, of: FieldSet, make: () => FieldSet): FieldSet {
  if (!known) return make();
  const before = known.get(of);
  if (before) return before;
  const made = make();
  if (known.size >= MOST_SETS) known.clear();
  known.set(of, made);
  return made;
}

export const NOTHING_DIFFERS = new ComparedFields(SAME, false);

const alike = new Alike<ComparedFields>();

/**
 * Compares two values field by field, as `compare` does. Changes that are alike are one comparison.
 * @param leftOut fields that nobody looks at, with all below them
 * @throws UnidentifiedItem when an item has no key
 */
export function comparedFields(
  schema: Schema,
  before: Json | undefined,
  after: Json | undefined,
  leftOut: FieldSet,
): ComparedFields {
  const outline = changeOutline(schema, before, after);
  if (outline === '') return NOTHING_DIFFERS;
  return alike.of(
    schema,
    leftOut,
    outline,
    (kept) => new ComparedFields(without(compare(schema, before, after), leftOut), kept),
  );
}
