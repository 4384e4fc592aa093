import type { Json, JsonObject } from '../api/json.ts';
import { eachPart, entriesOf, type Staged, sortInParts } from '../api/staged.ts';
import type { ObjectSchema, Schema } from '../schema/schema.ts';
import { jsonBySchema, RECURSION_LIMIT, sortedJson } from './jsonBySchema.ts';
import { quoteString, stringify } from './jsonText.ts';

/** The order of names: that of a schema, sorted, or as they stand. */
export type Layout = Schema | 'sorted' | 'plain';

/** Characters that become bytes at a time. */
const PIECE = 64 * 1024;

/** Bytes of a text that comes in pieces. */
export class TextPieces {
  readonly #done: Uint8Array[] = [];
  #open = '';

  add(text: string): void {
    this.#open += text;
    if (this.#open.length > PIECE) this.#close();
  }
  #close(): void {
    this.#done.push(Buffer.from(this.#open));
    this.#open = '';
  }
  /** All that was added. */
  bytes(): Buffer {
    this.#close();
    return Buffer.concat(this.#done);
  }
}

/**
 * Adds the JSON text of a value to `out` piece by piece: the same as `jsonBySchema`, `sortedJson` and `stringify` come to,
 * with turns for others meanwhile.
 */
export function* jsonInParts(out: TextPieces, value: Json, layout: Layout, depth = 0): Staged<void> {
  if (typeof value !== 'object' || value === null || depth > RECURSION_LIMIT) out.add(textOf(value, layout, depth));
  else if (Array.isArray(value)) yield* itemsInParts(out, value, layout, depth);
  else {
    out.add('{');
    yield* membersInParts(out, value, layout, depth);
    out.add('}');
  }
}

function textOf(value: Json, layout: Layout, depth: number): string {
  if (layout === 'plain') return stringify(value);
  return layout === 'sorted' ? sortedJson(value, depth) : jsonBySchema(value, layout, depth);
}

function* itemsInParts(out: TextPieces, items: readonly Json[], layout: Layout, depth: number): Staged<void> {
  const inner = typeof layout === 'string' ? layout : layout.kind === 'list' ? layout.items : 'plain';
  const comma = (at: number): string => (at > 0 ? ',' : '');
  out.add('[');
  yield* eachPart({
    keys: items.keys(),
    size: (at, enough) => entriesOf(items[at], enough),
    small: (at) => out.add(comma(at) + textOf(items[at] as Json, inner, depth + 1)),
    *large(at) {
      out.add(comma(at));
      yield* jsonInParts(out, items[at] as Json, inner, depth + 1);
    },
  });
  out.add(']');
}

/** The members of an object without braces. */
export function* membersInParts(out: TextPieces, value: JsonObject, layout: Layout, depth = 0): Staged<void> {
  const inner = innerOf(layout);
  let first = true;
  const begin = (name: string): string => {
    const text = `${first ? '' : ','}${quoteString(name)}:`;
    first = false;
    return text;
  };
  yield* eachPart({
    keys: yield* namesOf(value, layout),
    size: (name, enough) => entriesOf(value[name], enough),
    small: (name) => out.add(begin(name) + textOf(value[name] as Json, inner(name), depth + 1)),
    *large(name) {
      out.add(begin(name));
      yield* jsonInParts(out, value[name] as Json, inner(name), depth + 1);
    },
  });
}

function innerOf(layout: Layout): (name: string) => Layout {
  if (typeof layout === 'string') return () => layout;
  if (layout.kind === 'map') return () => layout.values;
  if (layout.kind === 'object') return (name) => layout.fields.get(name)?.schema ?? 'plain';
  return () => 'plain';
}

function* namesOf(value: JsonObject, layout: Layout): Staged<readonly string[]> {
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  if (layout === 'sorted' || (layout !== 'plain' && layout.kind === 'map')) return yield* sortInParts(names);
  return layout !== 'plain' && layout.kind === 'object' ? inOrderOf(layout, names) : names;
}

/** The fields of a schema in its order, then the others as they stand. */
function inOrderOf({ fields }: ObjectSchema, names: readonly string[]): readonly string[] {
  const there = new Set(names);
  const known = [...fields.keys()].filter((name) => there.has(name));
  return known.length === names.length ? known : [...known, ...names.filter((name) => !fields.has(name))];
}
