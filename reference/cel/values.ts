import { Optional } from '@marcbachmann/cel-js';
import { Duration } from '@marcbachmann/cel-js/evaluator';
import { isObject, type Json, type JsonObject, setMember } from '../api/json.ts';
import type { DeclaredType } from './declaredType.ts';
import { parseDuration } from './durations.ts';
import { Struct } from './libraries/structs.ts';
import { Message } from './message.ts';
import type { TypeRegistry } from './typeRegistry.ts';

const MOST = 2n ** 63n;

/**
 * JSON as a value of a declared type: whole numbers become integers, objects with known fields their fields, other
 * objects maps. A value that is not of its type is taken as it is, and fails where the expression uses it.
 */
export function toValue(json: Json, type: DeclaredType, types: TypeRegistry): unknown {
  if (json === null) return null;
  switch (type.kind) {
    case 'int':
      return typeof json === 'number' && Number.isInteger(json) ? BigInt(json) : json;
    case 'double':
      return typeof json === 'bigint' ? Number(json) : json;
    case 'timestamp':
      return typeof json === 'string' ? timestampOf(json) : json;
    case 'duration':
      return typeof json === 'string' ? durationOf(json) : json;
    case 'bytes':
      return typeof json === 'string' ? new Uint8Array(Buffer.from(json, 'base64')) : json;
    case 'list':
      return Array.isArray(json) ? json.map((item) => toValue(item, type.items, types)) : dynamic(json);
    case 'map': {
      if (!isObject(json)) return dynamic(json);
      const map = new Map<string, unknown>();
      for (const [name, value] of Object.entries(json)) map.set(name, toValue(value, type.values, types));
      return map;
    }
    case 'object': {
      if (!isObject(json)) return dynamic(json);
      const message = new (types.classOf(type))();
      for (const [name, field] of type.fields) {
        const value = Object.hasOwn(json, field.source) ? json[field.source] : undefined;
        if (value !== undefined) message[name] = toValue(value, field.type, types);
      }
      return message;
    }
    case 'string':
    case 'bool':
      return json;
    default:
      return dynamic(json);
  }
}

/** JSON of which nothing is known. */
export function dynamic(json: Json): unknown {
  if (typeof json === 'number') return Number.isInteger(json) ? BigInt(json) : json;
  if (typeof json === 'bigint') return json >= -MOST && json < MOST ? json : Number(json);
  if (Array.isArray(json)) return json.map(dynamic);
  return isObject(json) ? new JsonMap(json) : json;
}

/** A JSON object as a map, whose members become values when they are asked for: an expression reads few of many. */
class JsonMap extends Map<string, unknown> {
  readonly #json: JsonObject;
  #names: readonly string[] | undefined;

  constructor(json: JsonObject) {
    super();
    this.#json = json;
  }

  get #keys(): readonly string[] {
    this.#names ??= Object.keys(this.#json);
    return this.#names;
  }
  override get size(): number {
    return this.#keys.length;
  }
  override has(name: string): boolean {
    return Object.hasOwn(this.#json, name);
  }
  override get(name: string): unknown {
    const json = this.has(name) ? this.#json[name] : undefined;
    if (typeof json !== 'object' || json === null) return json === undefined ? undefined : dynamic(json);
    // What has members itself is made once.
    const known = super.get(name);
    if (known !== undefined) return known;
    const value = dynamic(json);
    super.set(name, value);
    return value;
  }
  override keys(): MapIterator<string> {
    return this.#keys.values() as MapIterator<string>;
  }
  override *values(): MapIterator<unknown> {
    for (const name of this.#keys) yield this.get(name);
  }
  override *entries(): MapIterator<[string, unknown]> {
    for (const name of this.#keys) yield [name, this.get(name)];
  }
  override [Symbol.iterator](): MapIterator<[string, unknown]> {
    return this.entries();
  }
  override forEach(visit: (value: unknown, name: string, map: Map<string, unknown>) => void): void {
    for (const [name, value] of this) visit(value, name, this);
  }
}
// What evaluates expressions tells types by constructors.
Object.defineProperty(JsonMap.prototype, 'constructor', { value: Map });

function timestampOf(text: string): unknown {
  const instant = new Date(text.length === 10 ? `${text}T00:00:00Z` : text);
  return Number.isNaN(instant.getTime()) ? text : instant;
}

function durationOf(text: string): unknown {
  const nanos = parseDuration(text);
  if (nanos === undefined) return text;
  return new Duration(nanos / 1_000_000_000n, Number(nanos % 1_000_000_000n));
}

/**
 * The value of an expression as JSON: the other way round of {@link toValue}. Throws Error for a value that JSON has
 * no form for.
 */
export function jsonOf(value: unknown): Json {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(jsonOf);
  if (value instanceof Struct) return objectFrom(value.fields);
  if (value instanceof Map) return objectFrom(value);
  if (value instanceof Date) return value.toISOString().replace(/\.000Z$/, 'Z');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Optional) return value.hasValue() ? jsonOf(value.value()) : null;
  if (value instanceof Duration) return value.toString();
  if (value instanceof Message) return objectFrom(new Map(Object.entries(value)));
  throw new Error('a value has no form in JSON');
}

function objectFrom(members: ReadonlyMap<unknown, unknown>): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of members) {
    if (typeof name !== 'string') throw new Error('the keys of an object are texts');
    if (value !== undefined) setMember(object, name, jsonOf(value));
  }
  return object;
}
