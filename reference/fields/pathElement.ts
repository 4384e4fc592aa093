import { byteOrder } from '../api/byteOrder.ts';
import { isObject, type Json, type JsonObject, member, setMember } from '../api/json.ts';
import { readJson } from '../codecs/json.ts';
import { quoteString, stringify } from '../codecs/jsonText.ts';

/**
 * One step of a path into an object, as `fieldsV1` writes it: `f:` and a field name, `k:` and the key fields of a
 * list item as JSON, `v:` and a set item as JSON, `i:` and an index. The text is canonical, so that two steps are
 * the same exactly when their texts are.
 */
export type PathElement = string;

/** Stands in a set for the field itself, beside the fields below it. */
export const SELF = '.';

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** The item of a keyed list: key fields and their values, whatever order they come in. */
export function keyElement(fields: readonly (readonly [string, Json])[]): PathElement {
  if (fields.length === 1) {
    const [name, value] = fields[0] as readonly [string, Json];
    return `k:{${quoteString(name)}:${stringify(value)}}`;
  }
  const sorted = [...fields].sort(([a], [b]) => compareText(a, b));
  return `k:{${sorted.map(([name, value]) => `${quoteString(name)}:${stringify(value)}`).join(',')}}`;
}

/** The item of a set, identified by its value. */
export function valueElement(value: Json): PathElement {
  return `v:${stringify(value)}`;
}

/** The field name of an `f:` step; undefined for the other kinds. */
export function fieldName(element: PathElement): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined;
}

/**
 * Reads one step from outside and makes it canonical. Undefined when its kind is unknown: a later release may know
 * it, so it is passed over.
 * @throws Error when it cannot be a step at all
 */
export function readElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new Error('key must be 2 characters long:');
  if (text[1] !== ':') throw new Error(`missing colon: ${text}`);
  const rest = text.slice(2);
  switch (text[0]) {
    case 'f':
      return text;
    case 'v':
      return valueElement(readJson(rest).value);
    case 'k': {
      const key = readJson(rest).value;
      if (!isObject(key)) throw new Error(`expected an object of key fields: ${text}`);
      return keyElement(Object.entries(key));
    }
    case 'i':
      if (!/^[+-]?\d{1,18}$/.test(rest)) throw new Error(`invalid index: ${text}`);
      return `i:${BigInt(rest.replace('+', ''))}`;
    default:
      return undefined;
  }
}

/** A step for people, as messages of conflicts write it: `.name`, `[name="web"]`, `[="value"]`, `[3]`. */
export function describeElement(element: PathElement): string {
  const rest = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${rest}`;
    case 'k': {
      const pairs = Object.entries(keyFields(rest)).map(([name, value]) => `${name}=${stringify(value)}`);
      return `[${pairs.join(',')}]`;
    }
    case 'v':
      return `[=${rest}]`;
    default:
      return `[${rest}]`;
  }
}

/** A whole path for people: `.spec.containers[name="web"].image`. */
export function describePath(path: readonly PathElement[]): string {
  return path.map(describeElement).join('');
}

const KIND_ORDER = 'fkvi';

/** A step with what it sorts by, read once: sets of thousands of items are sorted often. */
interface Ranked<T> {
  readonly kind: number;
  readonly value: Json;
  readonly step: T;
}

/**
 * Puts steps in the order in which sets are written: fields by name, then keyed items, set items and indexes by
 * value.
 */
export function sortSteps<T extends readonly [PathElement, ...unknown[]]>(unsorted: Iterable<T>): T[] {
  const steps = [...unsorted];
  if (steps.length < 2) return steps;
  // Most are fields whose names sort as they stand.
  if (steps.every(([element]) => element.startsWith('f:') && byteOrder(element) === element)) {
    return steps.sort(([a], [b]) => (a < b ? -1 : 1));
  }
  const ranked: Ranked<T>[] = [];
  for (const step of steps) {
    const [element] = step;
    const kind = KIND_ORDER.indexOf(element[0] as string);
    ranked.push({ kind, value: kind === 0 ? byteOrder(element) : readJson(element.slice(2)).value, step });
  }
  ranked.sort((a, b) => a.kind - b.kind || compareRanked(a.value, b.value, a.kind));
  return ranked.map(({ step }) => step);
}

function compareRanked(a: Json, b: Json, kind: number): number {
  if (kind === 0) return a === b ? 0 : (a as string) < (b as string) ? -1 : 1;
  return kind === 1 ? compareKeys(a as JsonObject, b as JsonObject) : compareValues(a, b);
}

function keyFields(text: string): JsonObject {
  return readJson(text).value as JsonObject;
}

function compareKeys(a: JsonObject, b: JsonObject): number {
  const names = Object.keys(a);
  const others = Object.keys(b);
  for (let i = 0; i < names.length && i < others.length; i++) {
    const name = names[i] as string;
    const order = compareText(name, others[i] as string);
    if (order !== 0) return order;
    const difference = compareValues(member(a, name) as Json, member(b, name) as Json);
    if (difference !== 0) return difference;
  }
  return names.length - others.length;
}

/** Numbers by size, then texts, booleans, lists, objects and null. */
function compareValues(a: Json, b: Json): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a === 'object' && a !== null) return compareText(stringify(a), stringify(b));
  if (a === b) return 0;
  return (a as number) < (b as number) ? -1 : 1;
}

function rankOf(value: Json): number {
  if (typeof value === 'number' || typeof value === 'bigint') return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  if (value === null) return 5;
  return Array.isArray(value) ? 3 : 4;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return byteOrder(a) < byteOrder(b) ? -1 : 1;
}

/** A JSON object built from pairs whose names come from outside. */
export function objectOf(pairs: Iterable<readonly [string, Json]>): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of pairs) setMember(object, name, value);
  return object;
}
