import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Json, JsonObject } from '../api/json.ts';
import { list, names, spec as specFields, struct, text, untyped } from '../testing/fieldsFixture.ts';
import { changeOutline, statedOutline } from './changeOutline.ts';
import { type Comparison, compare } from './compare.ts';
import { ComparedFields, comparedFields } from './comparedFields.ts';
import { statedFields } from './configFields.ts';
import {
  difference,
  equalSets,
  type FieldSet,
  intersection,
  LEAF,
  NO_FIELDS,
  paths,
  setOf,
  union,
} from './fieldSet.ts';
import { NEVER_OWNED } from './neverOwned.ts';
import { UnidentifiedItem } from './shape.ts';

const schema = struct(specFields);

/** Few values for each field, odd ones too, so that two of them often have the same outline. */
const odd = (...values: Json[]) => fc.constantFrom<Json>(null, 'x', {}, [], ...values);
const fields = {
  size: odd(1, 2),
  note: odd('1', '2'),
  labels: odd({ a: '1' }, { a: '2' }, { a: '1', b: '1' }, { a: null }),
  whole: odd({ a: '1' }, { a: '2' }),
  struct: odd({ a: '1' }, { b: '1' }, { a: {} }),
  plain: odd(['a'], ['b']),
  tags: odd(['a'], ['a', 'b'], ['a', 'a'], ['b', 'a'], [null]),
  items: odd(
    [{ name: 'a' }],
    [{ name: 'a', value: '1' }],
    [{ name: 'a', tags: ['x'] }, { name: 'b' }],
    [
      { name: 'a', value: '1' },
      { name: 'a', value: '2' },
    ],
    [{ value: '1' }],
  ),
  any: odd('1', ['1'], { a: '1' }, { a: { b: null } }, { a: [] }),
};
const value = fc
  .subarray(Object.keys(fields) as (keyof typeof fields)[], { maxLength: 2 })
  .chain((few) =>
    fc.record(Object.fromEntries(few.map((name) => [name, fields[name]])), { noNullPrototype: true }),
  ) as fc.Arbitrary<JsonObject>;

const told = (set: FieldSet) => [...paths(set)].map((path) => path.join('/')).sort();
const toldOf = ({ added, modified, removed }: Comparison) => [told(added), told(modified), told(removed)];

/** What it comes to, or that an item has no key. */
function outcome<T>(work: () => T): T | 'no key' {
  try {
    return work();
  } catch (error) {
    assert.ok(error instanceof UnidentifiedItem);
    return 'no key';
  }
}

describe('outlines', () => {
  it('of changes tell comparisons apart, whatever the values are', () => {
    const known = new Map<string, unknown>();
    let met = 0;
    fc.assert(
      fc.property(value, value, (before, after) => {
        const outline = outcome(() => changeOutline(schema, before, after));
        const found = outcome(() => toldOf(compare(schema, before, after)));
        if (outline === undefined || outline === 'no key') {
          assert.equal(found, outline);
          return;
        }
        assert.equal(outline === '', JSON.stringify(found) === '[[],[],[]]');
        if (known.has(outline)) met++;
        assert.deepEqual(known.get(outline) ?? found, found, outline);
        known.set(outline, found);
      }),
      { numRuns: 3_000, seed: 5 },
    );
    assert.ok(met > 300, `${met} changes were like another`);
  });

  it('of configurations tell apart what is stated', () => {
    const known = new Map<string, unknown>();
    let met = 0;
    fc.assert(
      fc.property(value, (stated) => {
        const outline = outcome(() => statedOutline(schema, stated));
        const found = outcome(() => told(statedFields(schema, stated)));
        if (outline === undefined || outline === 'no key') {
          assert.equal(found, outline);
          return;
        }
        if (known.has(outline)) met++;
        assert.deepEqual(known.get(outline) ?? found, found, outline);
        known.set(outline, found);
      }),
      { numRuns: 3_000, seed: 5 },
    );
    assert.ok(met > 300, `${met} configurations were like another`);
  });

  it('of names that look like steps are not those of steps', () => {
    const maps = struct({
      m: names(names(text)),
      l: list(struct({ name: text, m: names(text) }), 'map', 'name'),
      any: untyped,
    });
    const outlines = [
      { m: { a: { b: 'x' } } },
      { m: { 'a{1:b;}': {} } },
      { m: { a: {}, b: {} } },
      { m: { 'a{}1:b': {} } },
      { l: [{ name: 'a', m: { b: 'x' } }] },
      { any: { a: 'x', b: 'x' } },
      { any: { 'a;1:b': 'x' } },
    ].map((each) => changeOutline(maps, {}, each));
    assert.equal(new Set(outlines).size, outlines.length, outlines.join('\n'));
  });

  it('are not made of very many steps', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 'x']));
    assert.equal(changeOutline(schema, {}, { labels: many }), undefined);
    assert.equal(statedOutline(schema, { labels: many }), undefined);
    assert.equal(changeOutline(schema, {}, { tags: Object.keys(many) }), undefined);
    assert.equal(changeOutline(schema, { tags: ['a'] }, { tags: Object.keys(many) }), undefined);
    assert.equal(changeOutline(schema, {}, { labels: { ['k'.repeat(5_000)]: 'x' } }), undefined);
    assert.equal(
      comparedFields(schema, {}, { labels: many }, NO_FIELDS).added.below?.get('f:labels')?.below?.size,
      1_000,
    );
  });
});

describe('compared fields', () => {
  const status = setOf(['f:note']);

  it('are the same for changes that are alike, but for what is left out', () => {
    const [one, other] = [
      comparedFields(schema, { size: 1, note: '1' }, { size: 2, note: '2' }, NO_FIELDS),
      comparedFields(schema, { size: 3, note: '1' }, { size: 4, note: '3' }, NO_FIELDS),
    ];
    assert.equal(one, other);
    const without = comparedFields(schema, { size: 1, note: '1' }, { size: 2, note: '2' }, status);
    assert.deepEqual(toldOf(one), [[], ['f:note', 'f:size'], []]);
    assert.deepEqual(toldOf(without), [[], ['f:size'], []]);
    assert.deepEqual(toldOf(comparedFields(schema, { size: 1 }, { size: 1 }, NO_FIELDS)), [[], [], []]);
  });

  it('make of the sets of owners what the operations make of them, kept or not', () => {
    fc.assert(
      fc.property(value, value, fc.array(value, { maxLength: 20 }), (before, after, owners) => {
        const found = outcome(() => compare(schema, before, after));
        if (found === 'no key') return;
        const compared = [new ComparedFields(found, false), new ComparedFields(found, true)];
        for (const owner of [...owners, ...owners]) {
          const fields = outcome(() => statedFields(schema, owner));
          if (fields === 'no key') continue;
          const { added, modified, removed } = found;
          const taken = difference(union(modified, added), NEVER_OWNED);
          for (const one of compared) {
            assert.ok(
              equalSets(one.left(fields), difference(difference(difference(fields, modified), added), removed)),
            );
            assert.ok(equalSets(one.joined(fields), union(fields, taken)));
            assert.ok(equalSets(one.shared(fields), intersection(fields, union(modified, added))));
            assert.ok(equalSets(one.taken, taken));
          }
        }
      }),
    );
    assert.ok(
      equalSets(new ComparedFields({ added: LEAF, modified: NO_FIELDS, removed: NO_FIELDS }, true).taken, LEAF),
    );
  });
});
