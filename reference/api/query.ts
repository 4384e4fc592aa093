import type { Query } from './request.ts';

const NONE: readonly string[] = [];

/** A request without query parameters: shared, so that the common case allocates nothing. */
export const EMPTY_QUERY: Query = {
  get: () => undefined,
  all: () => NONE,
  has: () => false,
  names: () => NONE,
};

/** Reads the text behind the `?`; percent-encoding and `+` are decoded, broken escapes stay as they are. */
export function parseQuery(text: string): Query {
  if (text === '') return EMPTY_QUERY;
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const others = values.get(name);
    if (others) others.push(value);
    else values.set(name, [value]);
  }
  return {
    get: (name) => values.get(name)?.[0],
    all: (name) => values.get(name) ?? NONE,
    has: (name) => values.has(name),
    names: () => [...values.keys()],
  };
}
