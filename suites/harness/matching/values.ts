import { isDeepStrictEqual } from 'node:util';
import type { Difference } from '../../../reports/events.ts';
import {
  difference,
  type Expectation,
  isMatcher,
  type Matcher,
  type PlainObject,
  show,
  typeName,
  valueMatcher,
} from './matcher.ts';
import { joinPath, type Path, segments, valueAt } from './paths.ts';

/** Reads a plain value as "equal to it". */
export function expectation(expected: Expectation): Matcher<unknown> {
  return isMatcher(expected) ? expected : equal(expected);
}

/** Deep equality, told path by path. */
export function equal(expected: unknown): Matcher<unknown> {
  return {
    allows: `${typeName(expected)} ${show(expected, 120)}`,
    differences: (value, path) => compare(expected, value, path),
  };
}

function compare(expected: unknown, value: unknown, path: string): Difference[] {
  if (isDeepStrictEqual(expected, value)) return [];
  if (isPlain(expected) && isPlain(value)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(value)]);
    return [...keys].flatMap((key) => compare(own(expected, key), own(value, key), joinPath(path, [key])));
  }
  if (Array.isArray(expected) && Array.isArray(value) && expected.length === value.length) {
    return expected.flatMap((item, index) => compare(item, value[index], joinPath(path, [index])));
  }
  const want = expected === undefined ? 'nothing' : `${typeName(expected)} ${show(expected, 200)}`;
  return [difference(path, want, value)];
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Only the named members, each as expected; others may be there. */
export function including(members: PlainObject): Matcher<unknown> {
  return {
    allows: `an object with ${show(
      Object.fromEntries(Object.entries(members).map(([key, value]) => [key, isMatcher(value) ? value.allows : value])),
      200,
    )}`,
    differences: (value, path) =>
      isPlain(value)
        ? Object.entries(members).flatMap(([key, member]) =>
            expectation(member as Expectation).differences(own(value, key), joinPath(path, [key])),
          )
        : [difference(path, 'an object', value)],
  };
}

/** What lies at `path` below the subject. */
export function at(path: Path, expected: Expectation): Matcher<unknown> {
  const parts = segments(path);
  const inner = expectation(expected);
  return {
    allows: `${joinPath('', parts)} is ${inner.allows}`,
    differences: (value, base) => inner.differences(valueAt(value, parts), joinPath(base, parts)),
  };
}

export const present = valueMatcher('any value', (value) => value !== undefined && value !== null);
export const absent = valueMatcher('nothing', (value) => value === undefined || value === null);
/** Absent, or the zero value a server may write instead of leaving the member out. */
export const empty = valueMatcher('nothing, or an empty value', isEmpty);
/** As this value; where it is empty, absent or empty in any way. */
export const alike = (value: unknown): Matcher<unknown> => (isEmpty(value) ? empty : equal(value));
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isPlain(value) && Object.keys(value).length === 0;
}
export const aString = valueMatcher('a string that is not empty', (value) => typeof value === 'string' && value !== '');
export const aBoolean = valueMatcher('a boolean', (value) => typeof value === 'boolean');
export const anArray = valueMatcher('an array', Array.isArray);
export const anObject = valueMatcher('an object', isPlain);
export const aPositiveInteger = valueMatcher(
  'an integer above zero',
  (value) => typeof value === 'number' && Number.isInteger(value) && value > 0,
);
/** An RFC 3339 instant. */
export const aTimestamp = valueMatcher(
  'an RFC 3339 timestamp',
  (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value),
);
/** What `Retry-After` holds: whole seconds, or a date in the form that HTTP sends. */
export const aDelay = valueMatcher(
  'whole seconds, or an HTTP date',
  (value) => typeof value === 'string' && (/^\d+$/.test(value) || isHttpDate(value)),
);
/** Of the three forms that dates have in HTTP (RFC 9110, 5.6.7) the one that is written. */
function isHttpDate(text: string): boolean {
  const instant = new Date(text);
  return !Number.isNaN(instant.getTime()) && instant.toUTCString() === text;
}

/** Any of several values or matchers. */
export function oneOf(...choices: readonly Expectation[]): Matcher<unknown> {
  const inner = choices.map(expectation);
  const allows = inner.map((choice) => choice.allows).join(', or ');
  return {
    allows,
    differences: (value, path) =>
      inner.some((choice) => choice.differences(value, path).length === 0) ? [] : [difference(path, allows, value)],
  };
}

/** Anything but what another matcher allows. */
export function not(expected: Expectation): Matcher<unknown> {
  const inner = expectation(expected);
  const allows = `anything but ${inner.allows}`;
  return {
    allows,
    differences: (value, path) => (inner.differences(value, path).length > 0 ? [] : [difference(path, allows, value)]),
  };
}

/** A string of a form; say the form in words, since the card shows the words. */
export function text(form: string, pattern: RegExp): Matcher<unknown> {
  return valueMatcher(form, (value) => typeof value === 'string' && pattern.test(value));
}
export function startingWith(prefix: string): Matcher<unknown> {
  return valueMatcher(
    `a string that starts with ${show(prefix)}`,
    (value) => typeof value === 'string' && value.startsWith(prefix),
  );
}

/** An array with at least one item as expected. */
export function containing(expected: Expectation): Matcher<unknown> {
  const inner = expectation(expected);
  const allows = `an array holding ${inner.allows}`;
  return {
    allows,
    differences: (value, path) =>
      Array.isArray(value) && value.some((item) => inner.differences(item, path).length === 0)
        ? []
        : [difference(path, allows, value)],
  };
}
/** Every item of an array (which may be empty) as expected. */
export function every(expected: Expectation): Matcher<unknown> {
  const inner = expectation(expected);
  return {
    allows: `an array in which each item is ${inner.allows}`,
    differences: (value, path) =>
      Array.isArray(value)
        ? value.flatMap((item, index) => inner.differences(item, joinPath(path, [index])))
        : [difference(path, 'an array', value)],
  };
}
export function size(count: number): Matcher<unknown> {
  const allows = `an array of ${count} ${count === 1 ? 'item' : 'items'}`;
  return {
    allows,
    differences: (value, path) =>
      Array.isArray(value) && value.length === count
        ? []
        : [
            Array.isArray(value)
              ? { path, want: allows, got: counted(value), gotType: 'array' }
              : difference(path, allows, value),
          ],
  };
}
/** `3 items: a, b, c`: by their names where they are objects that have some. */
function counted(items: readonly unknown[]): string {
  const named = items.map((item) => valueAt(item, ['metadata', 'name']));
  const all = named.every((name) => typeof name === 'string');
  const told = all ? named.join(', ') : show(items, 200);
  const short = told.length > 200 ? `${told.slice(0, 200)} …` : told;
  return `${items.length} ${items.length === 1 ? 'item' : 'items'}${items.length === 0 ? '' : `: ${short}`}`;
}
/** The same items in any order, each as often. */
export function sameItems(expected: readonly unknown[]): Matcher<unknown> {
  const sorted = (items: readonly unknown[]) => items.map(canonical).sort();
  const allows = `exactly ${show(expected, 200)} in any order`;
  return valueMatcher(allows, (value) => Array.isArray(value) && isDeepStrictEqual(sorted(value), sorted(expected)));
}
/** JSON in which members stand in one order: objects have none. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isPlain(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
