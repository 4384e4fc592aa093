import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from './json.ts';
import { cloneInParts, equalInParts } from './longJson.ts';
import { atOnce, type Staged } from './staged.ts';

const MANY = 30_000;
const wide = (): Json =>
  Object.fromEntries(Array.from({ length: MANY }, (_, at) => [`k${at}`, at % 7 === 0 ? [at, { a: null }] : `v${at}`]));

function pausesOf(work: Staged<unknown>): number {
  let pauses = 0;
  while (!work.next().done) pauses++;
  return pauses;
}

test('a copy made in parts is equal and shares nothing', () => {
  const value = { list: [wide()], map: wide(), ['__proto__']: 1, last: 5 };
  const copy = atOnce(cloneInParts(value as Json)) as typeof value;
  assert.deepEqual(copy, value);
  assert.notEqual(copy.map, value.map);
  ((copy.map as Record<string, Json>).k0 as Json[]).push('more');
  assert.notDeepEqual(copy, value);
  assert.ok(pausesOf(cloneInParts(value as Json)) >= 2);
});

test('values compared in parts are equal when they are', () => {
  assert.equal(atOnce(equalInParts(wide(), wide())), true);
  assert.ok(pausesOf(equalInParts(wide(), wide())) >= 1);
  const other = (change: (members: Record<string, Json>) => void): Json => {
    const members = wide() as Record<string, Json>;
    change(members);
    return members;
  };
  const changes: ((members: Record<string, Json>) => void)[] = [
    (members) => delete members.k9,
    (members) => Object.assign(members, { more: 1 }),
    (members) => Object.assign(members, { k9: null }),
    (members) => Object.assign(members, { k7: [7, { a: 1 }] }),
    (members) => Object.assign(members, { k7: { 0: 7, 1: { a: null } } }),
    (members) => {
      delete members.k9;
      members.other = 'v9';
    },
  ];
  for (const change of changes) {
    assert.equal(atOnce(equalInParts(wide(), other(change))), false);
    assert.equal(atOnce(equalInParts(other(change), wide())), false);
  }
  for (const [a, b, same] of [
    [null, {}, false],
    [[], {}, false],
    ['', null, false],
    [undefined, undefined, true],
    [5, 5, true],
    [[null], [null], true],
  ] as const) {
    assert.equal(atOnce(equalInParts(a as Json, b as Json)), same);
  }
});
