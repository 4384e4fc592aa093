import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cloneJson, equalityKey, equalJson, type Json } from './json.ts';

test('a copy is equal and shares nothing', () => {
  const value: Json = JSON.parse('{"a":[1,{"b":null}],"__proto__":{"c":[]},"d":"x"}');
  const copy = cloneJson(value) as { a: [number, { b: null }] };
  assert.ok(equalJson(copy as Json, value));
  assert.deepEqual(Object.keys(copy), ['a', '__proto__', 'd']);
  assert.notEqual(copy.a, (value as typeof copy).a);
  assert.notEqual(copy.a[1], (value as typeof copy).a[1]);
});

test('equality looks at types, lengths and names, not at the order of members', () => {
  const pairs: [Json, Json, boolean][] = [
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: [] }, { a: {} }, false],
    [[1, 2], [2, 1], false],
    [10n, 10n, true],
    [null, {}, false],
    [{ toString: 1 }, { a: 1 }, false],
  ];
  for (const [one, other, equal] of pairs) assert.equal(equalJson(one, other), equal);
  assert.equal(equalJson(undefined, undefined), true);
});

test('nesting costs no stack', () => {
  let one: Json = 1;
  let other: Json = 1;
  for (let i = 0; i < 200_000; i++) {
    one = [one];
    other = { a: other };
  }
  assert.ok(equalJson(cloneJson(one), one));
  assert.ok(equalJson(cloneJson(other), other));
});

test('keys of values are equal where the values are', () => {
  const values: Json[] = [
    1,
    1n,
    '1',
    true,
    'true',
    null,
    'null',
    [],
    {},
    [[]],
    [1, 2],
    ['1,2'],
    { a: 1, b: 2 },
    { a: [1] },
  ];
  for (const one of values) {
    for (const other of values) assert.equal(equalityKey(one) === equalityKey(other), equalJson(one, other));
  }
  assert.equal(equalityKey({ a: 1, b: [{ c: 2, d: 3 }] }), equalityKey({ b: [{ d: 3, c: 2 }], a: 1 }));
  assert.equal(equalityKey(-0), equalityKey(0));
});
