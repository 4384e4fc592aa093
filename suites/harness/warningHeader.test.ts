import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningsIn } from './warningHeader.ts';

const DATE = '"Thu, 26 Nov 2026 18:27:57 GMT"';

/** Lines of the header, and the texts in them. */
const LINES: Readonly<Record<string, readonly [lines: readonly string[], texts: readonly (string | undefined)[]]>> = {
  'one a line': [
    ['299 - "a, b"', '299 - "c"'],
    ['a, b', 'c'],
  ],
  'several in a line': [['299 - "a", 199 here:6443 "b, c" , 214 - "d"'], ['a', 'b, c', 'd']],
  'with agents and dates': [[`299 host:443 "a" ${DATE},299 host:443 "b" ${DATE}`], ['a', 'b']],
  'with what is escaped': [[String.raw`299 - "say \"a\", or \\"`], ['say "a", or \\']],
  'no text in quotation marks': [['299 - a'], [undefined]],
  'something behind one': [['299 - "a" b'], [undefined]],
  'something behind the first of two': [['299 - "a", b'], ['a', undefined]],
  'none at all': [[], []],
};

for (const [name, [lines, texts]] of Object.entries(LINES)) {
  test(`warnings are read that are ${name}`, () => {
    assert.deepEqual(
      warningsIn(lines).map(({ text }) => text),
      texts,
    );
  });
}
