import { resolvePlain } from './yamlScalar.ts';

/*
 * Libraries fold and quote by rules of their own; the bytes of the service are to be met, so its rules stand here:
 * plain where that reads back as the same text, else single quotes, else double quotes; several lines as a block.
 */

/** Lines are folded at the first space behind this column. */
const WIDTH = 80;
const TIMESTAMP = /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt ][ \t]*\d{1,2}:\d{2}:\d{2}.*)?$/;
const SEXAGESIMAL = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
/** As the name of a member it stands for the members of another map. */
const MERGE = '<<';
const BREAKS = /[\n\r\u0085\u2028\u2029]/;
/** What is written as it is: no control character but the line feed, nothing beyond the basic plane. */
const UNPRINTABLE = /[^\n\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

/** Where a scalar begins, and how its further lines are indented. */
export interface ScalarPosition {
  readonly column: number;
  readonly indent: number;
  /** Names of members stand on one line. */
  readonly key: boolean;
}

/** Text as a YAML scalar in block context. */
export function yamlString(text: string, place: ScalarPosition): string {
  const wanted = text.includes('\n') ? 'literal' : ambiguous(text) ? 'double' : 'plain';
  if (wanted === 'literal' && !place.key && blockAllowed(text)) return literal(text, place.indent);
  if (wanted === 'plain') {
    if (plainAllowed(text) && (text !== '' || !place.key)) return fold(text, place, false);
    if (singleAllowed(text))
      return `'${fold(text.replaceAll("'", "''"), { ...place, column: place.column + 1 }, true)}'`;
  }
  return doubleQuoted(text, place);
}

/** Whether text that stands plain would be read as something else than this text. */
function ambiguous(text: string): boolean {
  if (text === MERGE || TIMESTAMP.test(text) || SEXAGESIMAL.test(text)) return true;
  try {
    return typeof resolvePlain(text) !== 'string';
  } catch {
    return true;
  }
}

function plainAllowed(text: string): boolean {
  if (/^ | $/.test(text) || BREAKS.test(text) || UNPRINTABLE.test(text)) return false;
  if (/^(---|\.\.\.)/.test(text) || /^[#,[\]{}&*!|>'"%@`]/.test(text)) return false;
  return !/^[?-]( |$)/.test(text) && !/:( |$)/.test(text) && !/ #/.test(text);
}

function singleAllowed(text: string): boolean {
  return !UNPRINTABLE.test(text) && !/ [\n\r\u0085\u2028\u2029]|[\n\r\u0085\u2028\u2029] /.test(text);
}

function blockAllowed(text: string): boolean {
  return !UNPRINTABLE.test(text) && !/ [\n\r\u0085\u2028\u2029]| $/.test(text);
}

function literal(text: string, indent: number): string {
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  const lines = text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n');
  const margin = ' '.repeat(indent);
  return `|${hint}${chomp}\n${lines.map((line) => (line === '' ? '' : margin + line)).join('\n')}`;
}

/** Breaks a text of one line at spaces that lie behind the width. A space next to another stays. */
function fold(text: string, { column, indent, key }: ScalarPosition, quoted: boolean): string {
  if (key || column + text.length <= WIDTH) return text;
  let folded = '';
  let at = column;
  for (let i = 0; i < text.length; i++) {
    const space = text[i] === ' ' && text[i - 1] !== ' ' && text[i + 1] !== ' ';
    const inside = !quoted || (i > 0 && i < text.length - 1);
    if (space && inside && at > WIDTH) {
      folded += `\n${' '.repeat(indent)}`;
      at = indent;
    } else {
      folded += text[i];
      at++;
    }
  }
  return folded;
}

const SHORT: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\u001b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\u0085': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

function doubleQuoted(text: string, { column, indent, key }: ScalarPosition): string {
  let quoted = '"';
  let at = column + 1;
  const characters = [...text];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] as string;
    const inside = i > 0 && i < characters.length - 1;
    if (character === ' ' && !key && inside && at > WIDTH && characters[i - 1] !== ' ') {
      const mark = characters[i + 1] === ' ' ? '\\' : '';
      quoted += `\n${' '.repeat(indent)}${mark}`;
      at = indent + mark.length;
      continue;
    }
    const written = SHORT[character] ?? (UNPRINTABLE.test(character) ? escaped(character) : character);
    quoted += written;
    at += written.length;
  }
  return `${quoted}"`;
}

function escaped(character: string): string {
  const code = character.codePointAt(0) as number;
  const digits = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}
