import { isObject, type Json, member } from '../api/json.ts';
import type { ListSchema, Schema } from '../schema/schema.ts';
import { sameValue } from './compare.ts';
import type { PathElement } from './pathElement.ts';
import { fieldSchema, indexItems, itemElement, itemsOf, MAX_NESTING, membersOf, shapeOf } from './shape.ts';

/** Outlines of more steps or characters are of no use: so large a change is hardly ever made again. */
const MOST_STEPS = 128;
const LONGEST = 4_096;

/**
 * Tells apart what `compare` finds, without making sets of it: values of one schema with the same outline have the same
 * comparison. It names what differs, in the order met, and how; values that are the same have an empty one.
 * @returns undefined where it would be too long
 * @throws UnidentifiedItem when an item has no key
 */
export function changeOutline(schema: Schema, before: Json | undefined, after: Json | undefined): string | undefined {
  const outline = new Outline();
  const text = outline.change(schema, before, after, 0);
  return outline.fits && text.length <= LONGEST ? text : undefined;
}

/**
 * Tells apart what `statedFields` makes of values of one schema.
 * @returns undefined where it would be too long
 * @throws UnidentifiedItem when an item has no key
 */
export function statedOutline(schema: Schema, value: Json): string | undefined {
  const outline = new Outline();
  const text = outline.fields(schema, value, 0);
  return outline.fits && text.length <= LONGEST ? text : undefined;
}

class Outline {
  #steps = 0;

  /** Once it is false, what else is answered says nothing. */
  get fits(): boolean {
    return this.#steps <= MOST_STEPS;
  }

  change(schema: Schema, before: Json | undefined, after: Json | undefined, depth: number): string {
    if (before === after || !this.fits) return '';
    if (before === undefined) return `+${this.fields(schema, after as Json, depth)}`;
    if (after === undefined) return `-${this.fields(schema, before, depth)}`;
    if (depth > MAX_NESTING) return sameValue(before, after) ? '' : '~';
    const was = shapeOf(schema, before);
    const is = shapeOf(schema, after);
    if (was === 'leaf' && is === 'leaf') return sameValue(before, after) ? '' : '~';
    if (was !== is) return `!${this.fields(schema, before, depth)}${this.fields(schema, after, depth)}`;
    return is === 'record'
      ? this.#records(schema, before, after, depth)
      : this.#items(schema as ListSchema, before, after, depth);
  }

  #records(schema: Schema, before: Json, after: Json, depth: number): string {
    const old = membersOf(before);
    const now = membersOf(after);
    let text = '';
    let empty = true;
    for (const name in old) {
      empty = false;
      const change = this.change(fieldSchema(schema, name), old[name], member(now, name), depth + 1);
      if (change !== '') text += this.#step(name) + change;
    }
    for (const name in now) {
      empty = false;
      if (Object.hasOwn(old, name)) continue;
      const change = this.change(fieldSchema(schema, name), undefined, now[name], depth + 1);
      if (change !== '') text += this.#step(name) + change;
    }
    if (empty) return (before === null) === (after === null) ? '' : '~';
    return text === '' ? '' : `{${text}}`;
  }

  #items(list: ListSchema, before: Json, after: Json, depth: number): string {
    const old = itemsOf(before);
    const now = itemsOf(after);
    if (old.length === 0 && now.length === 0) return (before === null) === (after === null) ? '' : '~';
    if (old.length + now.length > MOST_STEPS) {
      this.#steps += old.length + now.length;
      return '';
    }
    const oldItems = indexItems(list, old);
    const items = indexItems(list, now);
    let text = '';
    const put = (element: PathElement, was: readonly Json[], is: readonly Json[]): void => {
      const change = this.#sameKey(list, was, is, depth + 1);
      if (change !== '') text += this.#step(element) + change;
    };
    for (const [element, was] of oldItems) put(element, was, items.get(element) ?? []);
    for (const [element, is] of items) if (!oldItems.has(element)) put(element, [], is);
    return text === '' ? '' : `[${text}]`;
  }

  /** Items under one key; repeated ones are one value together. */
  #sameKey(list: ListSchema, was: readonly Json[], is: readonly Json[], depth: number): string {
    if (was.length <= 1 && is.length <= 1) return this.change(list.items, was[0], is[0], depth);
    if (was.length > 1 && is.length > 1) return sameValue(was as Json[], is as Json[]) ? '' : '~';
    const [one, alone] = was.length > 1 ? ['>', is[0]] : ['<', was[0]];
    return alone === undefined ? `${one};` : `${one}${this.fields(list.items, alone, depth)}`;
  }

  /** Every field of a value; what is empty is told apart from null. */
  fields(schema: Schema, value: Json, depth: number): string {
    if (depth > MAX_NESTING || !this.fits) return ';';
    if (value === null) return '0';
    switch (shapeOf(schema, value)) {
      case 'record': {
        // What is no object has no members, and is not an empty one either.
        if (!isObject(value)) return ';';
        let text = '{';
        for (const name in value) {
          text += this.#step(name) + this.fields(fieldSchema(schema, name), value[name] as Json, depth + 1);
        }
        return `${text}}`;
      }
      case 'items': {
        // As what stands for a list, an empty object is a field of its own.
        if (!Array.isArray(value)) return isObject(value) && Object.keys(value).length === 0 ? '{}' : '?';
        const list = schema as ListSchema;
        let text = '[';
        for (const item of value) {
          if (!this.fits) return ';';
          text += this.#step(itemElement(list, item)) + this.fields(list.items, item, depth + 1);
        }
        return `${text}]`;
      }
      default:
        return ';';
    }
  }

  #step(name: string): string {
    this.#steps++;
    return `${name.length}:${name}`;
  }
}
