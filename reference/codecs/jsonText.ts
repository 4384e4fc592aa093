import type { Json, JsonObject } from '../api/json.ts';
import { atOnce, type Staged } from '../api/staged.ts';

const NEEDS_ESCAPE = /[<>&\u2028\u2029]/;
const ESCAPED_EVERYWHERE = /[<>&\u2028\u2029]/g;
/** Text that stands in JSON as it is: no quote, backslash, control character, surrogate or character escaped above. */
const PLAIN = /^[ !#-%'-;=?-[\]-\u2027\u202a-\ud7ff\ue000-\uffff]*$/;
const ESCAPE: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

let bigIntegers = 0;

/**
 * How many integers that no double holds were written as JSON until now: from a text in which there are none, all numbers
 * are read again as what they were.
 */
export function bigIntegersWritten(): number {
  return bigIntegers;
}

/** Texts of values that many objects share, and which nobody changes. */
const shared = new WeakMap<JsonObject, string>();

/** Has the text of a value kept that many objects share; it must never be changed. */
export function shareText(value: JsonObject): void {
  shared.set(value, stringify(value));
}

/** The text of a value as {@link stringify} writes it, which is made once where it is shared. */
export function sharedText(value: Json[] | JsonObject): string {
  return shared.get(value as JsonObject) ?? stringify(value);
}

/** JSON text of a value as the service writes it: nothing between tokens, `<`, `>` and `&` escaped. */
export function stringify(value: Json): string {
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch {
    // A bigint, or nesting too deep for the native writer.
    return writeDeep(value);
  }
  return NEEDS_ESCAPE.test(text) ? text.replace(ESCAPED_EVERYWHERE, (found) => ESCAPE[found] as string) : text;
}

/** JSON text of a string, quotes included. */
export function quoteString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  const quoted = JSON.stringify(text);
  return NEEDS_ESCAPE.test(quoted) ? quoted.replace(ESCAPED_EVERYWHERE, (found) => ESCAPE[found] as string) : quoted;
}

/** JSON text of a value that has no members. */
export function stringifyScalar(value: null | boolean | number | bigint | string): string {
  if (typeof value === 'string') return quoteString(value);
  if (typeof value === 'bigint') bigIntegers++;
  return Number.isFinite(value) || typeof value !== 'number' ? String(value) : 'null';
}

/** What lies deeper is indented no further: text would grow by the square of what it says. */
const DEEPEST_INDENT = 100;

/** Indents JSON text that has no space between tokens, by two spaces a level. */
export function indentJson(text: string): string {
  let indented = '';
  atOnce(indentInParts(text, (more) => (indented += more)));
  return indented;
}

/** Characters of a text that are indented in one turn. */
const INDENTED_PER_TURN = 512 * 1024;

/** The same piece by piece, with turns for others meanwhile. @param add takes the next piece */
export function* indentInParts(text: string, add: (more: string) => void): Staged<void> {
  let indented = '';
  let depth = 0;
  let from = 0;
  let pause = INDENTED_PER_TURN;
  const line = () => `\n${'  '.repeat(Math.min(depth, DEEPEST_INDENT))}`;
  for (let at = 0; at < text.length; at++) {
    if (at >= pause) {
      pause = at + INDENTED_PER_TURN;
      add(indented);
      indented = '';
      yield;
    }
    const mark = text[at];
    if (mark === '"') {
      for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++;
    } else if (mark === '{' || mark === '[') {
      if (text[at + 1] === '}' || text[at + 1] === ']') at++;
      else {
        depth++;
        indented += `${text.slice(from, at + 1)}${line()}`;
        from = at + 1;
      }
    } else if (mark === '}' || mark === ']') {
      depth--;
      indented += `${text.slice(from, at)}${line()}`;
      from = at;
    } else if (mark === ',') {
      indented += `${text.slice(from, at + 1)}${line()}`;
      from = at + 1;
    } else if (mark === ':') {
      indented += `${text.slice(from, at + 1)} `;
      from = at + 1;
    }
  }
  add(indented + text.slice(from));
}

interface Pending {
  readonly value: Json[] | JsonObject;
  readonly names: readonly string[] | undefined;
  at: number;
}

/**
 * The same text by a stack of its own: for any depth, and for bigints.
 * @param scalar writes what has no members
 */
export function writeDeep(value: Json, scalar = stringifyScalar): string {
  const stack: Pending[] = [];
  let text = '';
  const begin = (next: Json): void => {
    if (typeof next !== 'object' || next === null) text += scalar(next);
    else if (Array.isArray(next)) {
      text += '[';
      stack.push({ value: next, names: undefined, at: 0 });
    } else {
      text += '{';
      stack.push({ value: next, names: Object.keys(next).filter((name) => next[name] !== undefined), at: 0 });
    }
  };
  begin(value);
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const { names } = top;
    const index = top.at++;
    if (index >= (names ? names.length : (top.value as Json[]).length)) {
      text += names ? '}' : ']';
      stack.pop();
      continue;
    }
    if (index > 0) text += ',';
    if (!names) begin((top.value as Json[])[index] ?? null);
    else {
      const name = names[index] as string;
      text += `${quoteString(name)}:`;
      begin((top.value as JsonObject)[name] as Json);
    }
  }
  return text;
}
