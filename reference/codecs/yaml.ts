import {
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from 'js-yaml';
import { isObject, isTooDeep, type Json, type JsonObject, MAX_DEPTH, setMember } from '../api/json.ts';
import { atOnce, eachPart, entriesOf, isLong, LARGE_BODY, madeWide, type Staged, sortInParts } from '../api/staged.ts';
import { JsonSyntaxError, MAX_DUPLICATES, type ReadJson, readJson } from './json.ts';
import { resolvePlain, resolveTagged, YamlValueError } from './yamlScalar.ts';

/** What reading YAML found. */
export interface ReadYaml {
  /** Members of objects in the order of their names. */
  readonly value: Json;
  /** One text a key that stood twice: `line 6: key "k" already set in map`. */
  readonly duplicates: readonly string[];
  /** Whether further documents follow that hold anything; they are not read. */
  readonly more: boolean;
}

/** Text that is not YAML, or says what JSON cannot. */
export class YamlSyntaxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'YamlSyntaxError';
  }
}

/** Nodes that aliases may add to a document before it counts as an attack, and characters of names and texts. */
const ALIAS_BUDGET = 400_000;
const ALIASED_LETTERS = 8 * 1024 * 1024;

/**
 * Reads the first document of a YAML text as JSON. Of duplicate keys the last counts; aliases are copied in, so
 * that no two places share a value.
 * @throws YamlSyntaxError
 */
export function readYaml(text: string): ReadYaml {
  return atOnce(readYamlInParts(text));
}

/** The same with turns for others meanwhile, where the text is long: between parsing it and what is made of that, and within. */
export function* readYamlInParts(text: string): Staged<ReadYaml> {
  const json = asJsonText(text);
  if (json) {
    if (text.length > LARGE_BODY) yield;
    return { value: yield* inOrderOfNames(json.value), duplicates: [], more: false };
  }
  try {
    const events = parseEvents(text, { maxDepth: MAX_DEPTH + 2 });
    if (text.length > LARGE_BODY) yield;
    return yield* new Builder(text, events).build();
  } catch (error) {
    if (error instanceof YamlValueError || error instanceof JsonSyntaxError) throw new YamlSyntaxError(error.message);
    if (error instanceof YAMLException) throw new YamlSyntaxError(wordsOf(error));
    if (error instanceof RangeError) throw new YamlSyntaxError(TOO_DEEP);
    throw error;
  }
}

/** What the two do not read alike: other characters and their numbers, the sign of nothing, and numbers of many digits. */
const NOT_ALIKE = /[^\n\r\t -~]|\\u|[\s:,[]-0(?![.\d])|\d{16}/;

/**
 * Reads JSON, which most configurations are, as the YAML that it is too, in a fraction of the time; undefined where the
 * text is none or YAML would read it otherwise.
 */
function asJsonText(text: string): { readonly value: Json } | undefined {
  if (!/^\s*\{/.test(text) || NOT_ALIKE.test(text)) return undefined;
  let read: ReadJson;
  try {
    read = readJson(text);
  } catch {
    return undefined;
  }
  if (read.duplicates.length > 0 || read.numberTexts.size > 0) return undefined;
  return { value: read.value };
}

/** The value with the members of its objects in the order of their names; parts that are so already are kept. */
function* inOrderOfNames(value: Json): Staged<Json> {
  if (!isLong(value)) return smallInOrder(value);
  if (Array.isArray(value)) {
    yield* eachPart({
      keys: value.keys(),
      size: (at, enough) => entriesOf(value[at], enough),
      small: (at) => {
        value[at] = smallInOrder(value[at] as Json);
      },
      *large(at) {
        value[at] = yield* inOrderOfNames(value[at] as Json);
      },
    });
    return value;
  }
  const object = value as JsonObject;
  const names = Object.keys(object);
  const sorted = names.every((name, at) => at === 0 || (names[at - 1] as string) < name);
  const ordered: JsonObject = sorted ? object : {};
  madeWide(ordered);
  yield* eachPart({
    keys: sorted ? names : yield* sortInParts(names),
    size: (name, enough) => entriesOf(object[name], enough),
    small: (name) => {
      const inner = object[name] as Json;
      if (!sorted || typeof inner === 'object') setMember(ordered, name, smallInOrder(inner));
    },
    *large(name) {
      setMember(ordered, name, yield* inOrderOfNames(object[name] as Json));
    },
  });
  return ordered;
}

function smallInOrder(value: Json): Json {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) if (typeof item === 'object') value[index] = smallInOrder(item);
    return value;
  }
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  for (const name of names) {
    const inner = value[name] as Json;
    if (typeof inner === 'object') setMember(value, name, smallInOrder(inner));
  }
  if (names.every((name, at) => at === 0 || (names[at - 1] as string) < name)) return value;
  const ordered: JsonObject = {};
  for (const name of names.sort()) setMember(ordered, name, value[name] as Json);
  return ordered;
}

const TOO_DEEP = `yaml: exceeded max depth of ${MAX_DEPTH}`;

interface Pair {
  readonly value: Json;
  readonly merged: boolean;
}
interface Open {
  /** Where the collection begins in the text. */
  readonly start: number;
  readonly list: Json[] | undefined;
  readonly pairs: Map<string, Pair> | undefined;
  readonly anchor: string | undefined;
  /** The key whose value comes next; undefined when a key comes next. */
  key: string | undefined;
  /** How a message shows that key. */
  shown: string;
  merges: boolean;
}

/** Parts of a document that are looked at in one turn. */
const EVENTS_PER_TURN = 16_384;

class Builder {
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #open: Open[] = [];
  readonly #anchors = new Map<string, Json>();
  readonly #duplicates: string[] = [];
  #root: Json = null;
  #aliased = 0;
  #aliasedLetters = 0;
  #lineAt = 0;
  #line = 1;

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
  }

  *build(): Staged<ReadYaml> {
    let end = this.#events.length;
    for (let at = 1; at < end; at++) {
      if (at % EVENTS_PER_TURN === 0) yield;
      const event = this.#events[at] as Event;
      if (event.type === EVENT_ID.POP) {
        if (this.#open.length === 0) end = at;
        else if ((this.#open.at(-1)?.pairs?.size ?? 0) > EVENTS_PER_TURN) yield* this.#closeInParts();
        else this.#close();
      } else if (event.type === EVENT_ID.SCALAR) this.#scalar(event);
      else if (event.type === EVENT_ID.ALIAS) {
        const name = this.#text.slice(event.anchorStart, event.anchorEnd);
        const value = this.#anchors.get(name);
        if (value === undefined) throw new YamlSyntaxError(`yaml: unknown anchor '${name}' referenced`);
        this.#place(this.#copy(value), event.anchorStart, undefined);
      } else if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING) {
        const sequence = event.type === EVENT_ID.SEQUENCE;
        if (this.#open.length >= MAX_DEPTH) throw new YamlSyntaxError(TOO_DEEP);
        this.#open.push({
          start: event.start,
          list: sequence ? [] : undefined,
          pairs: sequence ? undefined : new Map(),
          anchor: event.anchorStart < 0 ? undefined : this.#text.slice(event.anchorStart, event.anchorEnd),
          key: undefined,
          shown: '',
          merges: false,
        });
      }
    }
    if (this.#aliased > 0 && isTooDeep(this.#root)) throw new YamlSyntaxError(TOO_DEEP);
    return { value: this.#root, duplicates: this.#duplicates, more: this.#events.slice(end).some(holdsSomething) };
  }

  #scalar(event: ScalarEvent): void {
    const text = getScalarValue(this.#text, event);
    const anchor = event.anchorStart < 0 ? undefined : this.#text.slice(event.anchorStart, event.anchorEnd);
    const tag = event.tagStart < 0 ? undefined : this.#text.slice(event.tagStart, event.tagEnd);
    const plain = event.style === SCALAR_STYLE.PLAIN;
    const value = tag ? resolveTagged(tag, text) : plain ? resolvePlain(text) : text;
    const top = this.#open.at(-1);
    if (plain && text === '<<' && !tag && top?.pairs && top.key === undefined) {
      top.key = '<<';
      top.merges = true;
    } else this.#place(value, event.valueStart, anchor);
  }

  #close(): void {
    const { list, pairs, anchor, start } = this.#open.pop() as Open;
    this.#place(list ?? objectOf(pairs as Map<string, Pair>), start, anchor);
  }

  *#closeInParts(): Staged<void> {
    const { pairs, anchor, start } = this.#open.pop() as Open;
    const held = pairs as Map<string, Pair>;
    const object: JsonObject = {};
    madeWide(object);
    yield* eachPart({
      keys: yield* sortInParts([...held.keys()]),
      size: () => 0,
      small: (name) => setMember(object, name, (held.get(name) as Pair).value),
      *large() {},
    });
    this.#place(object, start, anchor);
  }

  /** Puts a finished value where it belongs: as the root, an item, a key or the value of a key. */
  #place(value: Json, start: number, anchor: string | undefined): void {
    if (anchor !== undefined) this.#anchors.set(anchor, value);
    const top = this.#open.at(-1);
    if (!top) {
      this.#root = value;
      return;
    }
    if (top.list) {
      top.list.push(value);
      return;
    }
    const pairs = top.pairs as Map<string, Pair>;
    if (top.key === undefined) {
      top.key = keyOf(value);
      top.shown = typeof value === 'string' ? JSON.stringify(value) : top.key;
      return;
    }
    if (top.merges) this.#mergeKeys(pairs, value);
    else {
      const before = pairs.get(top.key);
      if (before && !before.merged && this.#duplicates.length < MAX_DUPLICATES) {
        this.#duplicates.push(`line ${this.#lineOf(start)}: key ${top.shown} already set in map`);
      }
      pairs.set(top.key, { value, merged: false });
    }
    top.key = undefined;
    top.merges = false;
  }

  /** `<<`: members of other maps, for which the map's own members take precedence. */
  #mergeKeys(pairs: Map<string, Pair>, value: Json): void {
    for (const source of Array.isArray(value) ? value : [value]) {
      if (!isObject(source)) throw new YamlSyntaxError('yaml: map merge requires map or sequence of maps as the value');
      for (const name of Object.keys(source)) {
        if (!pairs.has(name)) pairs.set(name, { value: this.#copy(source[name] as Json), merged: true });
      }
    }
  }

  #copy(value: Json): Json {
    if (typeof value === 'string') this.#aliasedLetters += value.length;
    if (++this.#aliased > ALIAS_BUDGET || this.#aliasedLetters > ALIASED_LETTERS) {
      throw new YamlSyntaxError('yaml: document contains excessive aliasing');
    }
    if (Array.isArray(value)) return value.map((item) => this.#copy(item));
    if (!isObject(value)) return value;
    const copy: JsonObject = {};
    for (const name of Object.keys(value)) {
      this.#aliasedLetters += name.length;
      setMember(copy, name, this.#copy(value[name] as Json));
    }
    return copy;
  }

  /** Line of a place, counted from 1. Places are asked for in rising order, mostly. */
  #lineOf(position: number): number {
    if (position < this.#lineAt) {
      this.#lineAt = 0;
      this.#line = 1;
    }
    for (; this.#lineAt < position; this.#lineAt++) if (this.#text.charCodeAt(this.#lineAt) === 0x0a) this.#line++;
    return this.#line;
  }
}

/** Whether an event belongs to a document that is more than nothing between two markers. */
function holdsSomething(event: Event): boolean {
  if (event.type === EVENT_ID.SCALAR) return event.valueEnd > event.valueStart;
  return event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.ALIAS;
}

function objectOf(pairs: Map<string, Pair>): JsonObject {
  const object: JsonObject = {};
  for (const name of [...pairs.keys()].sort()) setMember(object, name, (pairs.get(name) as Pair).value);
  return object;
}

function keyOf(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  throw new YamlSyntaxError(`error converting YAML to JSON: yaml: unsupported map key ${JSON.stringify(value)}`);
}

/** What the service says where the parser found the text to break off from YAML. */
function wordsOf(error: YAMLException): string {
  const line = error.mark?.line ?? 0;
  const where = line > 0 ? `line ${line}: ` : '';
  return `yaml: ${where}${WORDS.find(([pattern]) => pattern.test(error.reason))?.[1] ?? error.reason}`;
}
const WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /^(deficient indentation|unexpected end of the stream within a flow collection)/,
    "did not find expected ',' or ']'",
  ],
  [/^bad indentation of a mapping entry/, 'mapping values are not allowed in this context'],
  [/within a (double|single) quoted scalar/, 'found unexpected end of stream'],
  [/^end of the stream or a document separator is expected/, 'did not find expected <document start>'],
  [/^nesting exceeded/, `exceeded max depth of ${MAX_DEPTH}`],
];
