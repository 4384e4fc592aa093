import {
  bytesInMemory,
  cloneJson,
  isObject,
  type Json,
  type JsonObject,
  member,
  setMember,
} from '../../../api/json.ts';
import { eachPart, entriesOf, isLong, type Staged } from '../../../api/staged.ts';
import { nodesOf, type SchemaNode } from '../schema/schemaNode.ts';

/** Bytes in memory that defaults may add to one object: a list of a million empty items could take a large one each. */
const MOST_ADDED = 64 * 1024 * 1024;

/** An object whose defaults would take too much memory. */
export class DefaultsTooLarge extends Error {
  constructor() {
    super(`the defaults of the object take more than ${MOST_ADDED} bytes`);
    this.name = 'DefaultsTooLarge';
  }
}

/**
 * Drops nulls that the schema allows nowhere and has no default for, and fills absent fields and forbidden nulls that
 * have one, at every depth, in place.
 * @throws DefaultsTooLarge
 */
export function fillDefaults(value: Json, node: SchemaNode): void {
  dropNulls(value, node);
  if (hasDefaults(node)) new Filling().fill(value, node);
}

/** The same, with turns for others meanwhile where the value is large. @throws DefaultsTooLarge */
export function* fillDefaultsInParts(value: Json, node: SchemaNode): Staged<void> {
  yield* nullsDroppedInParts(value, node);
  if (hasDefaults(node)) yield* new Filling().fillInParts(value, node);
}

/** Whether {@link fillDefaults} would leave a value as it is. */
export function hasItsDefaults(value: Json, node: SchemaNode): boolean {
  if (Array.isArray(value)) {
    const { items } = node;
    if (!items) return true;
    const isFilled = (item: Json) => items.default !== undefined && isForbiddenNull(item, items);
    return value.every((item) => !isFilled(item) && hasItsDefaults(item, items));
  }
  if (!isObject(value)) return true;
  if (withDefaults(node).some(([name]) => member(value, name) === undefined)) return false;
  return Object.keys(value).every((name) => {
    const child = childOf(node, name);
    const given = value[name] as Json;
    return !child || (!isForbiddenNull(given, child) && hasItsDefaults(given, child));
  });
}

function isForbiddenNull(value: Json | undefined, node: SchemaNode): boolean {
  return value === null && !node.nullable;
}

/** The schema of a member: of a field, or of the entries of a map. */
function childOf(node: SchemaNode, name: string): SchemaNode | undefined {
  const field = node.properties?.get(name);
  if (field) return field;
  return typeof node.additional === 'object' ? node.additional : undefined;
}

function dropNulls(value: Json, node: SchemaNode): void {
  if (Array.isArray(value)) {
    if (node.items) for (const item of value) dropNulls(item, node.items);
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) dropNullsOf(value, name, node);
  }
}

function dropNullsOf(value: JsonObject, name: string, node: SchemaNode): void {
  const child = childOf(node, name);
  if (!child) return;
  const given = value[name] as Json;
  if (isForbiddenNull(given, child) && child.default === undefined) delete value[name];
  else dropNulls(given, child);
}

function* nullsDroppedInParts(value: Json, node: SchemaNode): Staged<void> {
  if (!isLong(value)) return dropNulls(value, node);
  if (Array.isArray(value)) {
    const { items } = node;
    if (!items) return;
    yield* eachPart({
      keys: value.keys(),
      size: (at, enough) => entriesOf(value[at], enough),
      small: (at) => dropNulls(value[at] as Json, items),
      large: (at) => nullsDroppedInParts(value[at] as Json, items),
    });
  } else if (isObject(value)) {
    yield* eachPart({
      keys: Object.keys(value),
      size: (name, enough) => entriesOf(value[name], enough),
      small: (name) => dropNullsOf(value, name, node),
      *large(name) {
        const child = childOf(node, name);
        if (child) yield* nullsDroppedInParts(value[name] as Json, child);
      },
    });
  }
}

/** One object on the way to its defaults. */
class Filling {
  readonly #sizes = new Map<SchemaNode, number>();
  #left = MOST_ADDED;

  fill(value: Json, node: SchemaNode): void {
    if (Array.isArray(value)) {
      const { items } = node;
      if (!items) return;
      for (const index of value.keys()) this.#fillItem(value, index, items);
    } else if (isObject(value)) {
      this.#fillAbsent(value, node);
      for (const name of Object.keys(value)) this.#fillMember(value, name, node);
    }
  }

  *fillInParts(value: Json, node: SchemaNode): Staged<void> {
    if (!isLong(value)) return this.fill(value, node);
    if (Array.isArray(value)) {
      const { items } = node;
      if (!items) return;
      const more = entriesFilledIn(items);
      yield* eachPart({
        keys: value.keys(),
        size: (at, enough) => more + entriesOf(value[at], enough),
        small: (at) => this.#fillItem(value, at, items),
        large: (at) => this.#itemOf(value, at, items),
      });
    } else if (isObject(value)) {
      this.#fillAbsent(value, node);
      yield* eachPart({
        keys: Object.keys(value),
        size: (name, enough) => entriesOf(value[name], enough),
        small: (name) => this.#fillMember(value, name, node),
        large: (name) => this.#partOf(value, name, node),
      });
    }
  }

  *#itemOf(list: Json[], index: number, items: SchemaNode): Staged<void> {
    if (isLong(list[index] as Json)) yield* this.fillInParts(list[index] as Json, items);
    else this.#fillItem(list, index, items);
  }

  *#partOf(object: JsonObject, name: string, node: SchemaNode): Staged<void> {
    const child = childOf(node, name);
    if (child) yield* this.fillInParts(object[name] as Json, child);
  }

  #fillItem(list: Json[], index: number, items: SchemaNode): void {
    if (isForbiddenNull(list[index], items) && items.default !== undefined) {
      list[index] = this.#copy(items, items.default);
    }
    this.fill(list[index] as Json, items);
  }

  #fillAbsent(object: JsonObject, node: SchemaNode): void {
    for (const [name, field] of withDefaults(node)) {
      const given = member(object, name);
      if (given === undefined || isForbiddenNull(given, field)) {
        setMember(object, name, this.#copy(field, field.default));
      }
    }
  }

  #fillMember(object: JsonObject, name: string, node: SchemaNode): void {
    const child = childOf(node, name);
    if (!child) return;
    if (isForbiddenNull(object[name], child) && child.default !== undefined) {
      setMember(object, name, this.#copy(child, child.default));
    }
    this.fill(object[name] as Json, child);
  }

  #copy(node: SchemaNode, value: Json): Json {
    let size = this.#sizes.get(node);
    if (size === undefined) {
      size = bytesInMemory(value);
      this.#sizes.set(node, size);
    }
    this.#left -= size;
    if (this.#left < 0) throw new DefaultsTooLarge();
    return cloneJson(value);
  }
}

const filled = new WeakMap<SchemaNode, readonly (readonly [string, SchemaNode & { readonly default: Json }])[]>();

/** The fields that have a default of their own; a schema may have many others. */
function withDefaults(node: SchemaNode) {
  let fields = filled.get(node);
  if (!fields) {
    fields = [...(node.properties ?? [])].flatMap(([name, field]) => {
      return field.default === undefined ? [] : [[name, field as SchemaNode & { readonly default: Json }] as const];
    });
    filled.set(node, fields);
  }
  return fields;
}

/** Entries that are filled into an object of a schema that has none of its fields. */
function entriesFilledIn(node: SchemaNode): number {
  return withDefaults(node).reduce((sum, [, field]) => sum + 1 + entriesOf(field.default, MOST_COUNTED), 0);
}
const MOST_COUNTED = 100_000;

const known = new WeakMap<SchemaNode, boolean>();

function hasDefaults(node: SchemaNode): boolean {
  let answer = known.get(node);
  if (answer === undefined) {
    answer = [...nodesOf(node)].some((one) => one.default !== undefined);
    known.set(node, answer);
  }
  return answer;
}
