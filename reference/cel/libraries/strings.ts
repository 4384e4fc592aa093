import type { Environment } from '@marcbachmann/cel-js';
import { Duration } from '@marcbachmann/cel-js/evaluator';
import { RE2JS } from 're2js';
import { parseDuration } from '../durations.ts';
import { ownName } from '../syntax.ts';

/** Thrown by functions; the words reach the author of the expression. */
export class FunctionFault extends Error {}

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

const SPACE = /^[\s\u0085]+|[\s\u0085]+$/g;

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

function timestamp(text: string): Date {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)) {
    throw new FunctionFault(`parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00": cannot parse`);
  }
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime())) throw new FunctionFault(`parsing time ${JSON.stringify(text)}: out of range`);
  return instant;
}

function duration(text: string): Duration {
  const nanos = parseDuration(text);
  if (nanos === undefined) throw new FunctionFault(`time: invalid duration ${JSON.stringify(text)}`);
  return new Duration(nanos / 1_000_000_000n, Number(nanos % 1_000_000_000n));
}

const TIMESTAMP = 'google.protobuf.Timestamp';
const DURATION = 'google.protobuf.Duration';

/** Texts: those of the service count letters, and match in linear time. */
export function registerStrings(environment: Environment): void {
  const own = (signature: string, handler: (...args: never[]) => unknown): void => {
    const named = signature.replace(/(^|\.)(\w+)\(/, (_, dot: string, name: string) => `${dot}${ownName(name)}(`);
    environment.registerFunction(named, handler as never, { async: false });
  };
  own('string.matches(string): bool', (text: string, pattern: string) => regex(pattern).matcher(text).find());
  own('matches(string, string): bool', (text: string, pattern: string) => regex(pattern).matcher(text).find());
  own('string.charAt(int): string', (text: string, at: bigint) => {
    const letters = lettersOf(text);
    return letters[position(at, letters.length)] ?? '';
  });
  own('string.indexOf(string): int', (text: string, part: string) => find(text, part, 0, false));
  own('string.indexOf(string, int): int', (text: string, part: string, from: bigint) =>
    find(text, part, position(from, lettersOf(text).length), false),
  );
  own('string.lastIndexOf(string): int', (text: string, part: string) => find(text, part, text.length, true));
  own('string.lastIndexOf(string, int): int', (text: string, part: string, from: bigint) =>
    find(text, part, position(from, lettersOf(text).length), true),
  );
  own('string.lowerAscii(): string', (text: string) => ascii(text, /[A-Z]+/g, (part) => part.toLowerCase()));
  own('string.upperAscii(): string', (text: string) => ascii(text, /[a-z]+/g, (part) => part.toUpperCase()));
  own('string.replace(string, string): string', (text: string, old: string, by: string) => replace(text, old, by, -1n));
  own('string.replace(string, string, int): string', replace as never);
  own('string.split(string): list<string>', (text: string, separator: string) => split(text, separator, -1n));
  own('string.split(string, int): list<string>', split as never);
  own('string.substring(int): string', (text: string, from: bigint) => {
    const letters = lettersOf(text);
    return letters.slice(position(from, letters.length)).join('');
  });
  own('string.substring(int, int): string', (text: string, from: bigint, to: bigint) => {
    const letters = lettersOf(text);
    if (from > to) throw new FunctionFault(`invalid substring range. start: ${from}, end: ${to}`);
    return letters.slice(position(from, letters.length), position(to, letters.length)).join('');
  });
  own('string.trim(): string', (text: string) => text.replace(SPACE, ''));
  own('string.reverse(): string', (text: string) => lettersOf(text).reverse().join(''));
  own('list.join(): string', (list: unknown[]) => joined(list, ''));
  own('list.join(string): string', (list: unknown[], separator: string) => joined(list, separator));
  own(`timestamp(string): ${TIMESTAMP}`, timestamp as never);
  own(`timestamp(int): ${TIMESTAMP}`, (seconds: bigint) => new Date(Number(seconds) * 1000));
  own(`timestamp(${TIMESTAMP}): ${TIMESTAMP}`, (instant: Date) => instant);
  own(`duration(string): ${DURATION}`, duration as never);
  own(`duration(${DURATION}): ${DURATION}`, (length: Duration) => length);
}

function joined(list: readonly unknown[], separator: string): string {
  for (const item of list) if (typeof item !== 'string') throw new FunctionFault('no such overload');
  return list.join(separator);
}
