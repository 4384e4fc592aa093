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
  const parameters = new URLSearchParams(text);
  return {
    get: (name) => parameters.get(name) ?? undefined,
    all: (name) => parameters.getAll(name),
    has: (name) => parameters.has(name),
    names: () => [...new Set(parameters.keys())],
  };
}
