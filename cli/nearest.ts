import { nearest } from '../reference/collections/nearest.ts';

/** ` Did you mean X?`, or nothing. */
export function suggestion(typed: string, words: readonly string[]): string {
  const word = nearest(typed, words);
  return word === undefined ? '' : ` Did you mean ${word}?`;
}
