/**
 * JSON as this server holds it. An integer outside the range a double holds exactly is a bigint, so that no
 * digit is ever lost; every other number is a number.
 */
export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

/** True for a JSON object: neither null, nor an array, nor a scalar. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether two JSON values are equal; the order of object members does not count. Values may be nested as deep as
 * they like.
 */
export function equalJson(a: Json | undefined, b: Json | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  // Pairs of containers that are still to be compared.
  const left: (Json[] | JsonObject)[] = [a];
  const right: (Json[] | JsonObject)[] = [b];
  for (let one = left.pop(), other = right.pop(); one && other; one = left.pop(), other = right.pop()) {
    if (!sameMembers(one, other, left, right)) return false;
  }
  return true;
}

/**
 * Containers inside containers that a value may have, whatever encoding it comes in and whoever made it: everything
 * that was taken can then be written out in every encoding.
 */
export const MAX_DEPTH = 1_000;

/** Whether a value has more containers inside containers than {@link MAX_DEPTH}. */
export function isTooDeep(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  let level: (Json[] | JsonObject)[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_DEPTH) return true;
    const next: (Json[] | JsonObject)[] = [];
    for (const one of level) {
      for (const inner of Array.isArray(one) ? one : Object.values(one)) {
        if (typeof inner === 'object' && inner !== null) next.push(inner);
      }
    }
    level = next;
  }
  return false;
}

/**
 * About how many bytes a value takes in memory; it may be nested as deep as it likes.
 * @param enough bytes beyond which nobody asks how many more there are
 */
export function bytesInMemory(value: Json, enough: number = Number.POSITIVE_INFINITY): number {
  if (typeof value !== 'object' || value === null) return scalarBytes(value);
  let bytes = 0;
  const open: (Json[] | JsonObject)[] = [value];
  for (let at = open.pop(); at !== undefined && bytes <= enough; at = open.pop()) {
    if (Array.isArray(at)) {
      bytes += 32 + 8 * at.length;
      for (let i = 0; i < at.length && bytes <= enough; i++) {
        const item = at[i] as Json;
        if (typeof item === 'object' && item !== null) open.push(item);
        else bytes += scalarBytes(item);
      }
    } else {
      bytes += 32;
      for (const name in at) {
        bytes += 16 + name.length;
        if (bytes > enough) break;
        const member = at[name] as Json;
        if (typeof member === 'object' && member !== null) open.push(member);
        else bytes += scalarBytes(member);
      }
    }
  }
  return bytes;
}

function scalarBytes(value: Json): number {
  return typeof value === 'string' ? 16 + value.length : 8;
}

/**
 * A text that two values share exactly when they are equal: a key for sets and maps, so that many values are compared
 * in one pass. Values may be nested as deep as a stack allows.
 */
export function equalityKey(value: Json): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return Object.is(value, -0) ? '0' : String(value);
    case 'bigint':
      return `${value}n`;
    case 'boolean':
      return String(value);
  }
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map(equalityKey).join()}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${equalityKey(value[name] as Json)}`).join()}}`;
}

/** The indexes of values that stand in the list before, found in one pass. */
export function repeatedAt(values: readonly Json[]): ReadonlySet<number> {
  const met = new Set<string>();
  const repeated = new Set<number>();
  for (const [index, value] of values.entries()) {
    const key = equalityKey(value);
    if (met.has(key)) repeated.add(index);
    else met.add(key);
  }
  return repeated;
}

/** Compares the scalars of two containers, and puts the containers in them aside. */
function sameMembers(
  one: Json[] | JsonObject,
  other: Json[] | JsonObject,
  left: (Json[] | JsonObject)[],
  right: (Json[] | JsonObject)[],
): boolean {
  if (one === other) return true;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    for (let i = 0; i < one.length; i++) if (!sameMember(one[i], other[i], left, right)) return false;
    return true;
  }
  // Counted and not listed: names are enumerated without a copy of them.
  let names = 0;
  for (const name in one) {
    if (!Object.hasOwn(other, name)) return false;
    if (!sameMember(one[name], other[name], left, right)) return false;
    names++;
  }
  for (const _ in other) names--;
  return names === 0;
}

function sameMember(
  x: Json | undefined,
  y: Json | undefined,
  left: (Json[] | JsonObject)[],
  right: (Json[] | JsonObject)[],
): boolean {
  if (x === y) return true;
  if (typeof x !== 'object' || typeof y !== 'object' || x === null || y === null) return false;
  left.push(x);
  right.push(y);
  return true;
}

/** Whether two objects are equal but for members of some names. */
export function equalBut(a: JsonObject, b: JsonObject, names: readonly string[]): boolean {
  if (a === b) return true;
  let members = 0;
  for (const name in a) {
    if (names.includes(name)) continue;
    if (!Object.hasOwn(b, name) || !equalJson(a[name], b[name])) return false;
    members++;
  }
  for (const name in b) if (!names.includes(name)) members--;
  return members === 0;
}

/** The names of an object in their order; they mostly stand in it already. */
export function sortedNames(object: Readonly<Record<string, unknown>>): string[] {
  const names = Object.keys(object);
  for (let i = 1; i < names.length; i++) if ((names[i - 1] as string) > (names[i] as string)) return names.sort();
  return names;
}

/** A copy that shares nothing with the original, which may be nested as deep as it likes. */
export function cloneJson<T extends Json>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const copy = flatCopy(value);
  // Containers that are copied themselves, but whose members still are the original's.
  const open = [copy];
  for (let at = open.pop(); at; at = open.pop()) {
    for (const name of Object.keys(at)) {
      const inner = (at as JsonObject)[name] as Json;
      if (typeof inner !== 'object' || inner === null) continue;
      const own = flatCopy(inner);
      setMember(at as JsonObject, name, own);
      open.push(own);
    }
  }
  return copy as T;
}

function flatCopy(value: Json[] | JsonObject): Json[] | JsonObject {
  // Spreading defines members and sets none, so that one called `__proto__` stays one.
  return Array.isArray(value) ? value.slice() : { ...value };
}

/**
 * Sets a member whose name came from outside. A member called `__proto__` becomes an ordinary own member
 * instead of changing the prototype.
 */
export function setMember(object: JsonObject, name: string, value: Json): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else object[name] = value;
}

/** A member by a name that came from outside; inherited properties such as `constructor` are not members. */
export function member(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
