import { equalJson, type Json, member } from '../api/json.ts';
import { eachPart, entriesOf, type Staged } from '../api/staged.ts';
import { stringify } from '../codecs/jsonText.ts';
import type { ListSchema, Schema } from '../schema/schema.ts';
import { type FieldSet, LEAF, NO_FIELDS, node, recursiveDifference } from './fieldSet.ts';
import type { PathElement } from './pathElement.ts';
import { fieldSchema, indexItems, itemElement, itemsOf, MAX_NESTING, membersOf, shapeOf, stepOf } from './shape.ts';

/** What differs between two values of one schema, as sets of fields. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}
type Change = keyof Comparison;

export const SAME: Comparison = { added: NO_FIELDS, modified: NO_FIELDS, removed: NO_FIELDS };
const REPLACED: Comparison = { added: NO_FIELDS, modified: LEAF, removed: NO_FIELDS };

/**
 * Compares two values field by field. Records and lists that appear or vanish are in the sets themselves, with all
 * below them; the order of items of sets and keyed lists does not count.
 * @throws UnidentifiedItem when an item has no key
 */
export function compare(schema: Schema, before: Json | undefined, after: Json | undefined): Comparison {
  return compareAt(schema, before, after, 0);
}

/** A comparison without some fields and all below them. */
export function without(comparison: Comparison, fields: FieldSet): Comparison {
  return {
    added: recursiveDifference(comparison.added, fields),
    modified: recursiveDifference(comparison.modified, fields),
    removed: recursiveDifference(comparison.removed, fields),
  };
}

/** Every field of a value, parents included. */
export function everyField(schema: Schema, value: Json): FieldSet {
  return everyFieldAt(schema, value, 0);
}

/** Equality that no nesting can break. */
export function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  try {
    return equalJson(a, b);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return a !== undefined && b !== undefined && stringify(a) === stringify(b);
  }
}

function compareAt(schema: Schema, before: Json | undefined, after: Json | undefined, depth: number): Comparison {
  if (before === after) return SAME;
  if (before === undefined) return { ...SAME, added: everyFieldAt(schema, after as Json, depth) };
  if (after === undefined) return { ...SAME, removed: everyFieldAt(schema, before, depth) };
  if (depth > MAX_NESTING) return sameValue(before, after) ? SAME : REPLACED;
  const was = shapeOf(schema, before);
  const is = shapeOf(schema, after);
  if (was === 'leaf' && is === 'leaf') return sameValue(before, after) ? SAME : REPLACED;
  if (was !== is) return compareKinds(schema, before, after, depth);
  return is === 'record'
    ? compareRecords(schema, before, after, depth)
    : compareItems(schema as ListSchema, before, after, depth);
}

/** An untyped value that was a record and is none now, or the reverse. */
function compareKinds(schema: Schema, before: Json, after: Json, depth: number): Comparison {
  const was = everyFieldAt(schema, before, depth);
  const is = everyFieldAt(schema, after, depth);
  return { added: node(false, is.below), modified: LEAF, removed: node(false, was.below) };
}

function compareRecords(schema: Schema, before: Json, after: Json, depth: number): Comparison {
  const old = membersOf(before);
  const now = membersOf(after);
  const names = Object.keys(now);
  const oldNames = Object.keys(old);
  // Empty and null are values of their own, told apart like scalars.
  if (names.length === 0 && oldNames.length === 0) return (before === null) === (after === null) ? SAME : REPLACED;
  const changes = new Changes();
  for (const name of oldNames) {
    changes.put(stepOf(name), compareAt(fieldSchema(schema, name), member(old, name), member(now, name), depth + 1));
  }
  for (const name of names) {
    if (!Object.hasOwn(old, name)) {
      changes.put(stepOf(name), compareAt(fieldSchema(schema, name), undefined, member(now, name), depth + 1));
    }
  }
  return changes.comparison();
}

function compareItems(list: ListSchema, before: Json, after: Json, depth: number): Comparison {
  const old = itemsOf(before);
  const now = itemsOf(after);
  if (old.length === 0 && now.length === 0) return (before === null) === (after === null) ? SAME : REPLACED;
  const oldItems = indexItems(list, old);
  const items = indexItems(list, now);
  const changes = new Changes();
  for (const [element, was] of oldItems) {
    changes.put(element, compareSameKey(list, was, items.get(element) ?? [], depth + 1));
  }
  for (const [element, is] of items) {
    if (!oldItems.has(element)) changes.put(element, compareSameKey(list, [], is, depth + 1));
  }
  return changes.comparison();
}

/** Items under one key. Repeated ones are one value together; nothing below them is told apart. */
function compareSameKey(list: ListSchema, was: readonly Json[], is: readonly Json[], depth: number): Comparison {
  if (was.length <= 1 && is.length <= 1) return compareAt(list.items, was[0], is[0], depth);
  if (was.length > 1 && is.length > 1) return sameValue(was as Json[], is as Json[]) ? SAME : REPLACED;
  if (was.length > 1) {
    return {
      added: is[0] === undefined ? NO_FIELDS : everyFieldAt(list.items, is[0], depth),
      modified: NO_FIELDS,
      removed: LEAF,
    };
  }
  return {
    added: LEAF,
    modified: NO_FIELDS,
    removed: was[0] === undefined ? NO_FIELDS : everyFieldAt(list.items, was[0], depth),
  };
}

function everyFieldAt(schema: Schema, value: Json, depth: number): FieldSet {
  if (depth > MAX_NESTING) return LEAF;
  switch (shapeOf(schema, value)) {
    case 'record': {
      const below = new Map<PathElement, FieldSet>();
      const members = membersOf(value);
      for (const name of Object.keys(members)) {
        below.set(stepOf(name), everyFieldAt(fieldSchema(schema, name), members[name] as Json, depth + 1));
      }
      return node(true, below);
    }
    case 'items': {
      const list = schema as ListSchema;
      const below = new Map<PathElement, FieldSet>();
      for (const item of itemsOf(value)) {
        const element = itemElement(list, item);
        below.set(element, below.has(element) ? LEAF : everyFieldAt(list.items, item, depth + 1));
      }
      return node(true, below);
    }
    default:
      return LEAF;
  }
}

/** What {@link compare} finds, with turns for others meanwhile where the values are large. @throws as it does */
export function* compareInParts(
  schema: Schema,
  before: Json | undefined,
  after: Json | undefined,
  depth = 0,
): Staged<Comparison> {
  const enough = bothEntries(before, after, MOST_AT_ONCE) <= MOST_AT_ONCE;
  if (enough || before === after || depth > MAX_NESTING) return compareAt(schema, before, after, depth);
  if (before === undefined) return { ...SAME, added: yield* everyFieldInParts(schema, after as Json, depth) };
  if (after === undefined) return { ...SAME, removed: yield* everyFieldInParts(schema, before, depth) };
  const shape = shapeOf(schema, after);
  if (shape === 'leaf' || shapeOf(schema, before) !== shape) return compareAt(schema, before, after, depth);
  if (shape === 'record') return yield* recordsInParts(schema, membersOf(before), membersOf(after), depth);
  return yield* itemsInParts(schema as ListSchema, before, after, depth);
}

/** Entries up to which two values are compared in one go. */
const MOST_AT_ONCE = 256;

function bothEntries(before: Json | undefined, after: Json | undefined, enough: number): number {
  const entries = entriesOf(after, enough);
  return entries > enough ? entries : entries + entriesOf(before, enough);
}

/** Records of which one has members at least. */
function* recordsInParts(schema: Schema, old: Members, now: Members, depth: number): Staged<Comparison> {
  const changes = new Changes();
  const names = Object.keys(old);
  for (const name of Object.keys(now)) if (!Object.hasOwn(old, name)) names.push(name);
  yield* eachPart({
    keys: names,
    size: (name, enough) => bothEntries(member(old, name), member(now, name), enough),
    small: (name) =>
      changes.put(stepOf(name), compareAt(fieldSchema(schema, name), member(old, name), member(now, name), depth + 1)),
    *large(name) {
      const inner = fieldSchema(schema, name);
      changes.put(stepOf(name), yield* compareInParts(inner, member(old, name), member(now, name), depth + 1));
    },
  });
  return changes.comparison();
}
type Members = Record<string, Json>;

/** Lists of which one has items at least. */
function* itemsInParts(list: ListSchema, before: Json, after: Json, depth: number): Staged<Comparison> {
  const old = yield* indexInParts(list, itemsOf(before));
  const now = yield* indexInParts(list, itemsOf(after));
  const changes = new Changes();
  const elements = [...old.keys()];
  for (const element of now.keys()) if (!old.has(element)) elements.push(element);
  const sized = (items: readonly Json[] | undefined, enough: number): number =>
    items === undefined || items.length === 0
      ? 0
      : entriesOf(items.length === 1 ? items[0] : (items as Json[]), enough);
  yield* eachPart({
    keys: elements,
    size: (element, enough) => sized(old.get(element), enough) + sized(now.get(element), enough),
    small: (element) =>
      changes.put(element, compareSameKey(list, old.get(element) ?? [], now.get(element) ?? [], depth + 1)),
    *large(element) {
      const was = old.get(element) ?? [];
      const is = now.get(element) ?? [];
      const alone = was.length <= 1 && is.length <= 1;
      changes.put(
        element,
        alone ? yield* compareInParts(list.items, was[0], is[0], depth + 1) : compareSameKey(list, was, is, depth + 1),
      );
    },
  });
  return changes.comparison();
}

function* indexInParts(list: ListSchema, items: readonly Json[]): Staged<Map<PathElement, Json[]>> {
  const index = new Map<PathElement, Json[]>();
  for (let at = 0; at < items.length; at += ITEMS_PER_TURN) {
    if (at > 0) yield;
    for (const [element, same] of indexItems(list, items.slice(at, at + ITEMS_PER_TURN))) {
      const before = index.get(element);
      if (before) for (const item of same) before.push(item);
      else index.set(element, same);
    }
  }
  return index;
}
/** Items of a list that are indexed in one turn. */
const ITEMS_PER_TURN = 8_192;

/** What {@link everyField} finds, with turns for others meanwhile where the value is large. @throws as it does */
export function* everyFieldInParts(schema: Schema, value: Json, depth = 0): Staged<FieldSet> {
  const shape = depth > MAX_NESTING ? 'leaf' : shapeOf(schema, value);
  if (shape === 'leaf') return LEAF;
  const below = new Map<PathElement, FieldSet>();
  if (shape === 'record') {
    const members = membersOf(value);
    yield* eachPart({
      keys: Object.keys(members),
      size: (name, enough) => entriesOf(members[name], enough),
      small: (name) => {
        below.set(stepOf(name), everyFieldAt(fieldSchema(schema, name), members[name] as Json, depth + 1));
      },
      *large(name) {
        const inner = fieldSchema(schema, name);
        below.set(stepOf(name), yield* everyFieldInParts(inner, members[name] as Json, depth + 1));
      },
    });
    return node(true, below);
  }
  const list = schema as ListSchema;
  yield* eachPart({
    keys: itemsOf(value),
    size: entriesOf,
    small: (item) => {
      const element = itemElement(list, item);
      below.set(element, below.has(element) ? LEAF : everyFieldAt(list.items, item, depth + 1));
    },
    *large(item) {
      const element = itemElement(list, item);
      below.set(element, below.has(element) ? LEAF : yield* everyFieldInParts(list.items, item, depth + 1));
    },
  });
  return node(true, below);
}

/** Gathers the changes of the fields of one level; makes maps only for what changed. */
class Changes {
  #added: Map<PathElement, FieldSet> | undefined;
  #modified: Map<PathElement, FieldSet> | undefined;
  #removed: Map<PathElement, FieldSet> | undefined;

  put(element: PathElement, below: Comparison): void {
    if (below === SAME) return;
    if (below.added !== NO_FIELDS) this.#added = grown(this.#added, element, below.added);
    if (below.modified !== NO_FIELDS) this.#modified = grown(this.#modified, element, below.modified);
    if (below.removed !== NO_FIELDS) this.#removed = grown(this.#removed, element, below.removed);
  }
  comparison(): Comparison {
    if (!this.#added && !this.#modified && !this.#removed) return SAME;
    return {
      added: node(false, this.#added),
      modified: node(false, this.#modified),
      removed: node(false, this.#removed),
    } satisfies Record<Change, FieldSet>;
  }
}

function grown(
  map: Map<PathElement, FieldSet> | undefined,
  element: PathElement,
  set: FieldSet,
): Map<PathElement, FieldSet> {
  return (map ?? new Map<PathElement, FieldSet>()).set(element, set);
}
