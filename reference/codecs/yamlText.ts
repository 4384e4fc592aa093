import type { Json, JsonObject } from '../api/json.ts';
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
    const key = yamlString(name, { column: indent, indent, key: true });
    const long = key.length > LONGEST_NAME || name.includes('\n');
    text += long ? `${margin}? ${key}${margin}:` : `${margin}${key}:`;
    text += afterName(value[name] as Json, indent, indent + (long ? 2 : key.length + 2), depth);
  }
  return text;
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
