import { equalJson, isObject, type Json, type JsonObject, member } from '../../../api/json.ts';
import type { SchemaNode } from '../schema/schemaNode.ts';

/**
 * A value and the one that stood in its place before, as far as that can be told: fields and entries by name, items
 * of keyed lists by their keys, other items not at all.
 */
export class Correlation {
  readonly #node: SchemaNode;
  readonly #value: Json;
  readonly #old: Json;
  #equal: boolean | undefined;
  #items: ReadonlyMap<string, Json> | undefined;

  constructor(node: SchemaNode, value: Json, old: Json) {
    this.#node = node;
    this.#value = value;
    this.#old = old;
  }

  get old(): Json {
    return this.#old;
  }

  /** Whether nothing changed here; compared once. */
  get unchanged(): boolean {
    this.#equal ??= equalJson(this.#value, this.#old);
    return this.#equal;
  }

  /** The correlation of a field or entry; undefined where there was none. */
  field(name: string, node: SchemaNode): Correlation | undefined {
    if (!isObject(this.#old) || !isObject(this.#value)) return undefined;
    const old = member(this.#old, name);
    const value = member(this.#value, name);
    return old === undefined || value === undefined ? undefined : new Correlation(node, value, old);
  }

  /** The correlation of an item of a list. */
  item(index: number): Correlation | undefined {
    const { items, listType, listKeys } = this.#node;
    if (!items || listType !== 'map' || !Array.isArray(this.#value)) return undefined;
    const value = this.#value[index];
    if (!isObject(value)) return undefined;
    this.#items ??= Array.isArray(this.#old) ? indexed(this.#old, listKeys, items) : new Map();
    const old = this.#items.get(keyOf(value, listKeys, items));
    return old === undefined ? undefined : new Correlation(items, value, old);
  }
}

/** What identifies an item of a keyed list: its key fields, or their defaults. */
function keyOf(item: JsonObject, keys: readonly string[], items: SchemaNode): string {
  const parts = keys.map((key) => {
    const value = member(item, key) ?? items.properties?.get(key)?.default ?? null;
    return typeof value === 'bigint' ? [String(value)] : value;
  });
  return JSON.stringify(parts, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

/** The first item of each key counts. */
function indexed(list: readonly Json[], keys: readonly string[], items: SchemaNode): Map<string, Json> {
  const found = new Map<string, Json>();
  for (const item of list) {
    if (!isObject(item)) continue;
    const key = keyOf(item, keys, items);
    if (!found.has(key)) found.set(key, item);
  }
  return found;
}
