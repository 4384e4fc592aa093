import type { Matcher } from './matcher.ts';

/** All of them at once. */
export function both<T>(...matchers: readonly Matcher<T>[]): Matcher<T> {
  return {
    allows: matchers.map((matcher) => matcher.allows).join(' and '),
    differences: (subject, path) => matchers.flatMap((matcher) => matcher.differences(subject, path)),
  };
}

/** Any of them: two outcomes that the specification allows. What is told is how far it is from the nearest. */
export function either<T>(...matchers: readonly Matcher<T>[]): Matcher<T> {
  return {
    allows: matchers.map((matcher) => matcher.allows).join(', or '),
    differences: (subject, path) => {
      const each = matchers.map((matcher) => matcher.differences(subject, path));
      return each.reduce((nearest, next) => (next.length < nearest.length ? next : nearest));
    },
  };
}
