import type { Schema } from '../schema/schema.ts';
import type { FieldSet } from './fieldSet.ts';

/** Characters of outlines that are kept before it starts anew. */
const MOST_CHARACTERS = 512 * 1024;

/**
 * What was made lately of values of a schema without some fields, by the outlines of the values: those with the same outline
 * come to the same. What is made is shared and never changed.
 */
export class Alike<T> {
  #made = new WeakMap<Schema, WeakMap<FieldSet, Map<string, T>>>();
  #characters = 0;

  /** @param outline undefined where there is none: it is made anew each time */
  of(schema: Schema, leftOut: FieldSet, outline: string | undefined, make: (kept: boolean) => T): T {
    if (outline === undefined) return make(false);
    const known = this.#made.get(schema)?.get(leftOut)?.get(outline);
    if (known !== undefined) return known;
    const made = make(true);
    this.#keep(schema, leftOut, outline, made);
    return made;
  }

  #keep(schema: Schema, leftOut: FieldSet, outline: string, made: T): void {
    this.#characters += outline.length;
    if (this.#characters > MOST_CHARACTERS) {
      this.#made = new WeakMap();
      this.#characters = outline.length;
    }
    let ofSchema = this.#made.get(schema);
    if (!ofSchema) {
      ofSchema = new WeakMap();
      this.#made.set(schema, ofSchema);
    }
    const alike = ofSchema.get(leftOut);
    if (alike) alike.set(outline, made);
    else ofSchema.set(leftOut, new Map([[outline, made]]));
  }
}
