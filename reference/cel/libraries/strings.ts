import type { Environment } from '@marcbachmann/cel-js';
import { Duration } from '@marcbachmann/cel-js/evaluator';
import { RE2JS } from 're2js';
import { parseDuration } from '../durations.ts';
import { FunctionFault } from './faults.ts';
import { formatText } from './formatText.ts';
import { registerAll, registerNamespace } from './register.ts';

/** Positions in texts count letters, not the units of an encoding. */
const lettersOf = (text: string): string[] => [...text];

function find(text: string, part: string, from: number, backwards: boolean): bigint {
  const letters = lettersOf(text);
  const wanted = lettersOf(part);
  const fits = (at: number): boolean => wanted.every((letter, index) => letters[at + index] === letter);
  const last = letters.length - wanted.length;
  if (backwards) {
    for (let at = Math.min(from, last); at >= 0; at--) if (fits(at)) return BigInt(at);
  } else {
    for (let at = from; at <= last; at++) if (fits(at)) return BigInt(at);
  }
  return -1n;
}

function position(value: bigint, length: number): number {
  if (value < 0n || value > BigInt(length)) throw new FunctionFault(`index out of range: ${value}`);
  return Number(value);
}

const ascii = (text: string, letters: RegExp, change: (letter: string) => string): string =>
  text.replace(letters, change);

/** White space as Unicode counts it. */
const SPACE = /^\p{White_Space}+|\p{White_Space}+$/gu;

function split(text: string, separator: string, limit: bigint): string[] {
  if (limit === 0n) return [];
  if (limit === 1n) return [text];
  const parts = separator === '' ? lettersOf(text) : text.split(separator);
  if (limit < 0n || BigInt(parts.length) <= limit) return parts;
  const most = Number(limit);
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
}

function replace(text: string, old: string, by: string, limit: bigint): string {
  if (limit === 0n) return text;
  const parts = split(text, old, limit < 0n ? -1n : limit + 1n);
  if (old === '') {
    const letters = lettersOf(text);
    const most = limit < 0n ? letters.length + 1 : Number(limit);
    return [...letters, ''].map((letter, at) => (at < most ? by + letter : letter)).join('');
  }
  return parts.join(by);
}

const compiled = new Map<string, RE2JS>();

/** A pattern that matches in linear time. Throws FunctionFault. */
export function regex(pattern: string): RE2JS {
  let found = compiled.get(pattern);
  if (!found) {
    try {
      found = RE2JS.compile(pattern);
    } catch (error) {
      throw new FunctionFault(error instanceof Error ? error.message : String(error));
    }
    if (compiled.size > 500) compiled.clear();
    compiled.set(pattern, found);
  }
  return found;
}

/** Throws FunctionFault. */
export function timestamp(text: string): Date {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)) {
    throw new FunctionFault(`parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00": cannot parse`);
  }
  const instant = new Date(text);
  const year = instant.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) throw new FunctionFault(`parsing time ${JSON.stringify(text)}: out of range`);
  return instant;
}

const MOST_NANOS = 2n ** 63n;

/** Throws FunctionFault. */
export function duration(text: string): Duration {
  const nanos = parseDuration(text);
  if (nanos === undefined || nanos < -MOST_NANOS || nanos >= MOST_NANOS)
    throw new FunctionFault(`time: invalid duration ${JSON.stringify(text)}`);
  return new Duration(nanos / 1_000_000_000n, Number(nanos % 1_000_000_000n));
}

const TIMESTAMP = 'google.protobuf.Timestamp';
const DURATION = 'google.protobuf.Duration';

const ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** A text as a literal would have it. */
function quote(text: string): string {
  return `"${[...text].map((letter) => ESCAPES[letter] ?? letter).join('')}"`;
}

/** Texts: those of the service count letters, and match in linear time. */
export function registerStrings(environment: Environment): void {
  registerNamespace(environment, 'strings', 'strings');
  registerAll(environment, {
    'string.matches(string): bool': (text: string, pattern: string) => regex(pattern).matcher(text).find(),
    'matches(string, string): bool': (text: string, pattern: string) => regex(pattern).matcher(text).find(),
    'string.find(string): string': (text: string, pattern: string) => findAll(text, pattern, 1n)[0] ?? '',
    'string.findAll(string): list<string>': (text: string, pattern: string) => findAll(text, pattern, -1n),
    'string.findAll(string, int): list<string>': findAll,
    'string.charAt(int): string': (text: string, at: bigint) => {
      const letters = lettersOf(text);
      return letters[position(at, letters.length)] ?? '';
    },
    'string.indexOf(string): int': (text: string, part: string) => find(text, part, 0, false),
    'string.indexOf(string, int): int': (text: string, part: string, from: bigint) =>
      find(text, part, position(from, lettersOf(text).length), false),
    'string.lastIndexOf(string): int': (text: string, part: string) => find(text, part, text.length, true),
    'string.lastIndexOf(string, int): int': (text: string, part: string, from: bigint) =>
      find(text, part, position(from, lettersOf(text).length), true),
    'string.lowerAscii(): string': (text: string) => ascii(text, /[A-Z]+/g, (part) => part.toLowerCase()),
    'string.upperAscii(): string': (text: string) => ascii(text, /[a-z]+/g, (part) => part.toUpperCase()),
    'string.replace(string, string): string': (text: string, old: string, by: string) => replace(text, old, by, -1n),
    'string.replace(string, string, int): string': replace,
    'string.split(string): list<string>': (text: string, separator: string) => split(text, separator, -1n),
    'string.split(string, int): list<string>': split,
    'string.substring(int): string': (text: string, from: bigint) => {
      const letters = lettersOf(text);
      return letters.slice(position(from, letters.length)).join('');
    },
    'string.substring(int, int): string': (text: string, from: bigint, to: bigint) => {
      const letters = lettersOf(text);
      if (from > to) throw new FunctionFault(`invalid substring range. start: ${from}, end: ${to}`);
      return letters.slice(position(from, letters.length), position(to, letters.length)).join('');
    },
    'string.trim(): string': (text: string) => text.replace(SPACE, ''),
    'strings.quote(string): string': (_: unknown, text: string) => quote(text),
    'string.reverse(): string': (text: string) => lettersOf(text).reverse().join(''),
    'string.format(list): string': (text: string, values: readonly unknown[]) => formatText(text, values),
    'list.join(): string': (list: readonly unknown[]) => joined(list, ''),
    'list.join(string): string': joined,
    [`timestamp(string): ${TIMESTAMP}`]: timestamp,
    [`timestamp(int): ${TIMESTAMP}`]: (seconds: bigint) => new Date(Number(seconds) * 1000),
    [`timestamp(${TIMESTAMP}): ${TIMESTAMP}`]: (instant: Date) => instant,
    [`duration(string): ${DURATION}`]: duration,
    [`duration(${DURATION}): ${DURATION}`]: (length: Duration) => length,
    [`string(${TIMESTAMP}): string`]: (instant: Date) => instant.toISOString().replace('.000Z', 'Z'),
    [`string(${DURATION}): string`]: (length: Duration) => String(length),
  });
}

function findAll(text: string, pattern: string, limit: bigint): string[] {
  const matcher = regex(pattern).matcher(text);
  const found: string[] = [];
  while ((limit < 0n || BigInt(found.length) < limit) && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}

function joined(list: readonly unknown[], separator: string): string {
  for (const item of list) if (typeof item !== 'string') throw new FunctionFault('no such overload');
  return list.join(separator);
}
