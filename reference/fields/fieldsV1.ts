import { isObject, type Json, type JsonObject, setMember } from '../api/json.ts';
import { eachPart, entriesOf, isLong, madeWide, type Staged } from '../api/staged.ts';
import { shareText } from '../codecs/jsonText.ts';
import { type FieldSet, fieldsIn, isEmpty, LEAF, NO_FIELDS, node, sortedSteps, union } from './fieldSet.ts';
import { type PathElement, readElement, SELF } from './pathElement.ts';

/** Sets by the JSON that they were read from, and the reverse: stored entries are immutable and mostly unchanged. */
const decoded = new WeakMap<JsonObject, FieldSet>();
const encoded = new WeakMap<FieldSet, JsonObject>();

/**
 * Writes a set as `fieldsV1`: steps as member names, fields without others below as empty objects, `.` first for a
 * field that has some. The order is canonical, so that equal sets give equal bytes. The result is shared and frozen.
 */
export function encodeFields(set: FieldSet): JsonObject {
  const known = encoded.get(set);
  if (known) return known;
  // Objects that look alike have the same sets, which are one value for all of them.
  const text = textOf(set);
  const alike = text === undefined ? undefined : written.get(text);
  if (alike) {
    encoded.set(set, alike);
    return alike;
  }
  const json = frozen(set);
  encoded.set(set, json);
  if (text !== undefined) {
    if (written.size >= REMEMBERED) written.clear();
    written.set(text, json);
    decoded.set(json, set);
    shareText(json);
  }
  return json;
}

/** Sets that were written lately, by their text. */
const written = new Map<string, JsonObject>();
/** So many before it starts anew, none with more characters, and none with more steps in one place. */
const REMEMBERED = 1_000;
const LONGEST = 4_096;
const MOST_STEPS = 128;

/** Tells sets apart: the steps in their order, with what is below them. Undefined for sets that are too large. */
function textOf(set: FieldSet): string | undefined {
  if (set.below && set.below.size > MOST_STEPS) return undefined;
  let text = set.owned && set.below ? '.' : '';
  for (const [element, child] of sortedSteps(set)) {
    text += `${element.length}:${element}`;
    if (child.below) {
      const below = textOf(child);
      if (below === undefined) return undefined;
      text += `{${below}}`;
    }
    if (text.length > LONGEST) return undefined;
  }
  return text;
}

function frozen(set: FieldSet): JsonObject {
  const json: JsonObject = {};
  if (set.owned && set.below) json[SELF] = NOTHING_BELOW;
  for (const [element, child] of sortedSteps(set))
    setMember(json, element, child.below ? frozen(child) : NOTHING_BELOW);
  return Object.freeze(json);
}
const NOTHING_BELOW: JsonObject = Object.freeze({});

/** What {@link encodeFields} writes, with turns for others meanwhile where the set is large. */
export function* encodeInParts(set: FieldSet): Staged<JsonObject> {
  const known = encoded.get(set);
  if (known) return known;
  if (fieldsIn(set, MOST_STEPS) <= MOST_STEPS) return encodeFields(set);
  const json = yield* frozenInParts(set);
  encoded.set(set, json);
  return json;
}

function* frozenInParts(set: FieldSet): Staged<JsonObject> {
  const json: JsonObject = {};
  madeWide(json);
  if (set.owned && set.below) json[SELF] = NOTHING_BELOW;
  yield* eachPart({
    keys: sortedSteps(set),
    size: ([, child], enough) => fieldsIn(child, enough),
    small: ([element, child]) => setMember(json, element, child.below ? frozen(child) : NOTHING_BELOW),
    *large([element, child]) {
      setMember(json, element, yield* frozenInParts(child));
    },
  });
  return Object.freeze(json);
}

/** What {@link decodeFields} reads, with turns for others meanwhile where there is much to read. @throws as it does */
export function* decodeInParts(fields: Json | undefined): Staged<FieldSet> {
  if (!isObject(fields) || decoded.has(fields) || !isLong(fields)) return decodeFields(fields);
  const set = node(false, (yield* levelInParts(fields)).below);
  decoded.set(fields, set);
  return set;
}

function* levelInParts(fields: JsonObject): Staged<FieldSet> {
  const level = new Level();
  yield* eachPart({
    keys: Object.keys(fields),
    size: (name, enough) => entriesOf(fields[name], enough),
    small: (name) => level.put(name, fields[name] as Json, decodeLevel),
    *large(name) {
      const child = yield* levelInParts(fields[name] as JsonObject);
      level.put(name, fields[name] as Json, () => child);
    },
  });
  return level.set();
}

/**
 * Reads `fieldsV1`. Steps of unknown kind are passed over with all below them.
 * @throws Error when a member name is no step, or a value no object
 */
export function decodeFields(fields: Json | undefined): FieldSet {
  if (fields === undefined || fields === null) return NO_FIELDS;
  if (!isObject(fields)) throw new Error('expected an object of fields');
  const known = decoded.get(fields);
  if (known) return known;
  const set = node(false, decodeLevel(fields).below);
  decoded.set(fields, set);
  // Entries written elsewhere may have other orders or doubles; only canonical ones are handed back as they are.
  if (!isEmpty(set) && sameLayout(fields, set)) encoded.set(set, fields);
  return set;
}

function decodeLevel(fields: JsonObject): FieldSet {
  const level = new Level();
  for (const name of Object.keys(fields)) level.put(name, fields[name] as Json, decodeLevel);
  return level.set();
}

/** One level of a set that is read, step by step. */
class Level {
  #owned = false;
  #below: Map<PathElement, FieldSet> | undefined;

  put(name: string, value: Json, read: (below: JsonObject) => FieldSet): void {
    if (name === SELF) {
      this.#owned = true;
      return;
    }
    const element = readElement(name);
    if (element === undefined) return;
    if (value !== null && !isObject(value)) throw new Error(`expected an object below ${name}`);
    const child = value === null ? LEAF : read(value);
    this.#below ??= new Map();
    const before = this.#below.get(element);
    this.#below.set(element, before ? union(before, child) : child);
  }
  /** What has nothing below it stands for itself, with or without a dot. */
  set(): FieldSet {
    return this.#below === undefined ? LEAF : node(this.#owned, this.#below);
  }
}

function sameLayout(fields: JsonObject, set: FieldSet): boolean {
  const names = Object.keys(fields);
  const steps = sortedSteps(set);
  const first = set.owned && set.below ? 1 : 0;
  if (names.length !== steps.length + first || (first === 1 && names[0] !== SELF)) return false;
  for (let i = 0; i < steps.length; i++) {
    const [element, child] = steps[i] as [PathElement, FieldSet];
    const name = names[i + first];
    if (name !== element) return false;
    const value = fields[name];
    if (!isObject(value)) return false;
    if (child.below ? !sameLayout(value, child) : Object.keys(value).length > 0) return false;
  }
  return true;
}
