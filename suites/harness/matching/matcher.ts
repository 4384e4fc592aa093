import type { Difference } from '../../../reports/events.ts';

/**
 * `match` describes: a matcher says what is allowed and, shown a subject, where it differs. It never throws and
 * never judges; `must` and `ought` do.
 */
export interface Matcher<in T = unknown> {
  /** What is allowed, as a phrase that follows "allowed:". */
  readonly allows: string;
  /** Every difference, with the path below `path` where it lies; empty when the subject is allowed. */
  differences(subject: T, path: string): Difference[];
}

/** A plain value stands for "equal to it". */
export type Expectation = Matcher<unknown> | string | number | boolean | null | readonly unknown[] | PlainObject;
export interface PlainObject {
  readonly [key: string]: unknown;
}

export function isMatcher(value: unknown): value is Matcher<unknown> {
  return typeof value === 'object' && value !== null && 'differences' in value && 'allows' in value;
}

/** `null`, `array` and `missing` are told apart from objects and from `undefined`. */
export function typeName(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** A value on one line, shortened in the middle so that a card stays readable. */
export function show(value: unknown, limit = 400): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  return `${text.slice(0, half)} … (${text.length} characters) … ${text.slice(-half)}`;
}

/** One difference between what is wanted, in words, and what is there. */
export function difference(path: string, want: string, got: unknown): Difference {
  return { path, want, got: show(got), gotType: typeName(got) };
}

/** A matcher out of a phrase and a test on the value alone. */
export function valueMatcher(allows: string, holds: (value: unknown) => boolean): Matcher<unknown> {
  return { allows, differences: (value, path) => (holds(value) ? [] : [difference(path, allows, value)]) };
}
