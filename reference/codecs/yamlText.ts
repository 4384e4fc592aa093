import type { Json, JsonObject } from '../api/json.ts';
import { eachPart, entriesOf, isLong, type Staged, sortInParts } from '../api/staged.ts';
import { TextPieces } from './jsonInParts.ts';
import { stringify } from './jsonText.ts';
import { type ScalarPosition, yamlString } from './yamlStyle.ts';

/** Names longer than this do not stand on one line with their value. */
const LONGEST_NAME = 128;
/** Deeper values stand in flow style on one line, which is JSON. */
const DEEPEST = 100;

/**
 * YAML text of a value as the service writes it: names in order, items of lists level with the name of the list
 * (1/media-types-and-negotiation/2).
 */
export function yamlText(value: Json): string {
  if (isEmpty(value)) return `${leaf(value, { column: 0, indent: 2, key: false })}\n`;
  return `${block(value as Json[] | JsonObject, 0, 0).replace(/^\n/, '')}\n`;
}

/** The bytes of the text; staged where making them is long work. */
export function yamlOf(value: Json): Uint8Array | Staged<Uint8Array> {
  return isLong(value) ? yamlInParts(value) : Buffer.from(yamlText(value));
}

/** The bytes of the same text, made with turns for others. */
export function* yamlInParts(value: Json): Staged<Uint8Array> {
  const out = new TextPieces();
  if (isEmpty(value)) out.add(leaf(value, { column: 0, indent: 2, key: false }));
  else yield* blockInParts(out, value as Json[] | JsonObject, 0, 0, '');
  out.add('\n');
  return out.bytes();
}

/** @param first what stands before the first member or item, in place of a line feed and the indent */
function* blockInParts(
  out: TextPieces,
  value: Json[] | JsonObject,
  indent: number,
  depth: number,
  first: string,
): Staged<void> {
  const margin = `\n${' '.repeat(indent)}`;
  let before = first;
  const begin = (): string => {
    const now = before;
    before = margin;
    return now;
  };
  const size = (inner: Json | undefined, enough: number) => (depth > DEEPEST ? 0 : entriesOf(inner, enough));
  if (Array.isArray(value)) {
    yield* eachPart({
      keys: value.keys(),
      size: (at, enough) => size(value[at], enough),
      small: (at) => out.add(`${begin()}- ${afterDash(value[at] as Json, indent, depth)}`),
      *large(at) {
        out.add(`${begin()}- `);
        yield* blockInParts(out, value[at] as Json[] | JsonObject, indent + 2, depth + 1, '');
      },
    });
    return;
  }
  const known = Object.keys(value).filter((name) => value[name] !== undefined);
  yield* eachPart({
    keys: yield* sortInParts(known, compareNames),
    size: (name, enough) => size(value[name], enough),
    small: (name) => {
      const { text, column } = keyOf(name, indent, begin(), margin);
      out.add(text + afterName(value[name] as Json, indent, column, depth));
    },
    *large(name) {
      const inner = value[name] as Json[] | JsonObject;
      out.add(keyOf(name, indent, begin(), margin).text);
      const deeper = Array.isArray(inner) ? indent : indent + 2;
      yield* blockInParts(out, inner, deeper, depth + 1, `\n${' '.repeat(deeper)}`);
    },
  });
}

function isEmpty(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : names(value).length === 0;
}

/** A value without members. */
function leaf(value: Json, place: ScalarPosition): string {
  if (typeof value === 'string') return yamlString(value, place);
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? '[]' : '{}';
}

/** Members or items, each on a line that begins with a line feed and the indent. */
function block(value: Json[] | JsonObject, indent: number, depth: number): string {
  const margin = `\n${' '.repeat(indent)}`;
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${margin}- ${afterDash(item, indent, depth)}`;
    return text;
  }
  for (const name of names(value)) {
    const key = keyOf(name, indent, margin, margin);
    text += key.text + afterName(value[name] as Json, indent, key.column, depth);
  }
  return text;
}

/** A name up to its colon, and the column where its value begins. */
function keyOf(name: string, indent: number, before: string, margin: string): { text: string; column: number } {
  const key = yamlString(name, { column: indent, indent, key: true });
  if (key.length <= LONGEST_NAME && !name.includes('\n')) {
    return { text: `${before}${key}:`, column: indent + key.length + 2 };
  }
  return { text: `${before}? ${key}${margin}:`, column: indent + 2 };
}

function afterName(value: Json, indent: number, column: number, depth: number): string {
  if (isEmpty(value)) return ` ${leaf(value, { column, indent: indent + 2, key: false })}`;
  if (depth > DEEPEST) return ` ${flow(value)}`;
  return block(value as Json[] | JsonObject, Array.isArray(value) ? indent : indent + 2, depth + 1);
}

/** An item of a list begins on the line of its dash. */
function afterDash(item: Json, indent: number, depth: number): string {
  if (isEmpty(item)) return leaf(item, { column: indent + 2, indent: indent + 2, key: false });
  if (depth > DEEPEST) return flow(item);
  return block(item as Json[] | JsonObject, indent + 2, depth + 1).slice(indent + 3);
}

function flow(value: Json): string {
  return stringify(value);
}

function names(object: JsonObject): string[] {
  return Object.keys(object)
    .filter((name) => object[name] !== undefined)
    .sort(compareNames);
}

const LETTER = /\p{L}/u;
const DIGITS = /^\d+/;

/** Letters come after all else, and numbers inside names count by their value. */
function compareNames(a: string, b: string): number {
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i++;
  if (i === a.length || i === b.length) return a.length - b.length;
  const left = a[i] as string;
  const right = b[i] as string;
  const leftIsLetter = LETTER.test(left);
  if (leftIsLetter !== LETTER.test(right)) return leftIsLetter ? 1 : -1;
  if (!leftIsLetter) {
    const leftDigits = DIGITS.exec(a.slice(i))?.[0] ?? '';
    const rightDigits = DIGITS.exec(b.slice(i))?.[0] ?? '';
    const difference = Number(leftDigits) - Number(rightDigits) || leftDigits.length - rightDigits.length;
    if (difference !== 0) return difference;
  }
  return left < right ? -1 : 1;
}
