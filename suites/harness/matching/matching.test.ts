import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as match from '../match.ts';
import type { Matcher } from './matcher.ts';

const holds = (matcher: Matcher<unknown>, value: unknown) => matcher.differences(value, 'x').length === 0;

describe('matchers', () => {
  it('tell a difference by path, with what is wanted, what is there and its type', () => {
    const [first, ...more] = match.equal({ a: { b: [1, 2] }, c: 1 }).differences({ a: { b: [1, '2'] }, c: 1 }, 'body');
    assert.deepEqual(first, { path: 'body.a.b[1]', want: 'integer 2', got: '"2"', gotType: 'string' });
    assert.deepEqual(more, []);
  });
  it('tell members that are missing from members that are too many', () => {
    const differences = match.equal({ a: 1 }).differences({ b: 1 }, '');
    assert.deepEqual(
      differences.map(({ path, want, gotType }) => [path, want, gotType]),
      [
        ['a', 'integer 1', 'missing'],
        ['b', 'nothing', 'integer'],
      ],
    );
  });
  it('write keys that are no words in brackets', () => {
    const [difference] = match.at(['metadata', 'labels', 'a.b/c'], 'x').differences({}, '');
    assert.equal(difference?.path, 'metadata.labels["a.b/c"]');
  });
  it('do not take an inherited member for one of the value', () => {
    assert.ok(!holds(match.at('constructor', match.present), {}));
    assert.ok(!holds(match.at('__proto__', match.present), JSON.parse('{}')));
  });
  it('allow exactly what they say', () => {
    const table: readonly (readonly [Matcher<unknown>, readonly unknown[], readonly unknown[]])[] = [
      [match.absent, [undefined, null], ['', 0, []]],
      [match.empty, [undefined, null, '', 0, [], {}], ['a', 1, [0], { a: 1 }]],
      [match.aString, ['a'], ['', 1, undefined]],
      [match.aTimestamp, ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.123456+01:00'], ['2026-01-31', '', 5]],
      [
        match.aDelay,
        ['0', '1', '120', 'Sat, 31 Jan 2026 12:00:00 GMT'],
        ['', '1s', '1.5', '-1', '+1', '1 ', '2026-01-31T12:00:00Z', 'soon', 1, undefined],
      ],
      [match.oneOf('a', match.absent), ['a', undefined], ['b']],
      [match.not('a'), ['b', undefined], ['a']],
      [match.including({ a: match.aString }), [{ a: 'x', b: 1 }], [{ b: 1 }, 'a', null]],
      [match.containing(match.including({ a: 1 })), [[{ a: 1, b: 2 }, 3]], [[{ a: 2 }], [], 'a']],
      [match.every('a'), [['a', 'a'], []], [['a', 'b'], undefined]],
      [match.size(2), [[1, 2]], [[1], 'ab']],
      [match.sameItems([{ a: 1, b: 2 }]), [[{ b: 2, a: 1 }]], [[{ a: 1 }]]],
      [match.sameItems([1, 2, 2]), [[2, 1, 2]], [[1, 2], [1, 1, 2], undefined]],
      [match.either(match.equal(1), match.equal(2)), [1, 2], [3]],
      [match.both(match.startingWith('a'), match.text('ending in b', /b$/)), ['ab'], ['a', 'b']],
    ];
    for (const [matcher, allowed, refused] of table) {
      for (const value of allowed)
        assert.ok(holds(matcher, value), `${matcher.allows} should allow ${JSON.stringify(value)}`);
      for (const value of refused)
        assert.ok(!holds(matcher, value), `${matcher.allows} should not allow ${JSON.stringify(value)}`);
    }
  });
});
