import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { Fixture, list, names, spec, struct, text, untyped, widget } from '../testing/fieldsFixture.ts';

/** Two managers with different parts of one field: together where it merges, in conflict where it is one value. */
const rows: { field: string; first: JsonObject[string]; second: JsonObject[string]; both?: JsonObject[string] }[] = [
  { field: 'labels', first: { a: '1' }, second: { b: '1' }, both: { a: '1', b: '1' } },
  { field: 'whole', first: { a: '1' }, second: { b: '1' } },
  { field: 'struct', first: { a: '1' }, second: { b: '1' }, both: { a: '1', b: '1' } },
  { field: 'ref', first: { kind: 'k' }, second: { name: 'n' } },
  { field: 'plain', first: ['a'], second: ['b'] },
  { field: 'tags', first: ['a'], second: ['b'], both: ['a', 'b'] },
  { field: 'items', first: [{ name: 'a' }], second: [{ name: 'b' }], both: [{ name: 'a' }, { name: 'b' }] },
  {
    field: 'items',
    first: [{ name: 'a', value: '1' }],
    second: [{ name: 'a', tags: ['t'] }],
    both: [{ name: 'a', value: '1', tags: ['t'] }],
  },
  {
    field: 'ports',
    first: [{ port: 1, name: 'x' }],
    second: [
      { port: 1, protocol: 'UDP' },
      { port: 1, protocol: 'TCP' },
    ],
    both: [
      { port: 1, protocol: 'UDP' },
      { port: 1, name: 'x', protocol: 'TCP' },
    ],
  },
  { field: 'any', first: { m: { x: 1 } }, second: { m: { y: 1 } }, both: { m: { x: 1, y: 1 } } },
  { field: 'any', first: { l: [1] }, second: { l: [2] } },
  { field: 'any', first: { s: 'text' }, second: { s: { now: 'an object' } } },
];

describe('markers (1/merge-annotations-on-fields)', () => {
  for (const { field, first, second, both } of rows) {
    const what = `${field}: ${JSON.stringify(first)} and ${JSON.stringify(second)}`;
    it(`${what} ${both ? 'merge' : 'are one value'}`, () => {
      const fixture = new Fixture();
      fixture.apply('a', { [field]: first });
      if (both === undefined) {
        assert.throws(() => fixture.apply('b', { [field]: second }), { code: 409 });
        fixture.apply('b', { [field]: second }, { force: true });
        assert.deepEqual(fixture.spec[field], second);
        assert.deepEqual(fixture.owners.at(-1), 'b:Apply');
        return;
      }
      fixture.apply('b', { [field]: second });
      assert.deepEqual(fixture.spec[field], both);
      fixture.apply('b', {});
      assert.deepEqual(fixture.spec[field], first);
    });
  }

  it('hold at any depth below one another, and not below an atomic one', () => {
    const inner = struct({ id: text, tags: list(text, 'set') });
    const group = struct({ name: text, members: list(inner, 'map', 'id') });
    const fixture = new Fixture(widget({ ...spec, groups: list(group, 'map', 'name'), frozen: list(group) }));
    fixture.apply('a', { groups: [{ name: 'g', members: [{ id: '1', tags: ['x'] }] }], frozen: [{ name: 'f' }] });
    fixture.apply('b', { groups: [{ name: 'g', members: [{ id: '1', tags: ['y'] }, { id: '2' }] }] });
    assert.deepEqual(fixture.spec.groups, [{ name: 'g', members: [{ id: '1', tags: ['x', 'y'] }, { id: '2' }] }]);
    assert.throws(() => fixture.apply('b', { frozen: [{ name: 'f', members: [] }] }), { code: 409 });
    fixture.apply('a', { groups: [{ name: 'g' }] });
    assert.deepEqual(fixture.spec.groups, [{ name: 'g', members: [{ id: '1', tags: ['y'] }, { id: '2' }] }]);
    fixture.apply('b', {});
    assert.deepEqual(fixture.spec.groups, [{ name: 'g' }]);
  });

  it('make null and empty values of their own', () => {
    const fixture = new Fixture();
    fixture.apply('a', { note: null, labels: {}, tags: null, any: { z: null, e: {} } });
    assert.deepEqual(fixture.fieldsOf('a'), {
      'f:any': { 'f:e': {}, 'f:z': {} },
      'f:labels': {},
      'f:note': {},
      'f:tags': {},
    });
    assert.throws(() => fixture.apply('b', { note: 'n' }), { code: 409 });
  });
});

describe('the order of merged items', () => {
  const merged = (live: string[], applied: string[]) => {
    const fixture = new Fixture();
    fixture.put('maker', { tags: live, items: live.map((name) => ({ name })) });
    fixture.apply('a', { tags: applied, items: applied.map((name) => ({ name })) });
    assert.deepEqual(
      (fixture.spec.items as { name: string }[]).map(({ name }) => name),
      fixture.spec.tags,
      'sets and keyed lists have one order',
    );
    return (fixture.spec.tags as string[]).join('');
  };

  it('is that of the configuration, live items in between where they stood', () => {
    assert.equal(merged(['a', 'b', 'c', 'd'], ['d', 'c', 'b', 'a']), 'dcba');
    assert.equal(merged(['d', 'c', 'b', 'a'], ['x', 'c', 'y', 'a', 'z']), 'dxcbyaz');
    assert.equal(merged(['a', 'b', 'c'], ['x', 'a']), 'xabc');
    assert.equal(merged(['x', 'a', 'b', 'c'], ['b', 'y', 'c']), 'xabyc');
    assert.equal(merged(['x', 'a', 'b', 'y', 'c'], ['c', 'a', 'b']), 'xycab');
    assert.equal(merged(['a', 'b'], ['y', 'x']), 'abyx');
    assert.equal(merged([], ['b', 'a']), 'ba');
  });
});

describe('items stored twice', () => {
  it('stay while nobody states them, and become one when somebody does', () => {
    const fixture = new Fixture(widget({ ...spec, tags: list(text), items: list(untyped) }));
    fixture.put('maker', {
      tags: ['a', 'b', 'a'],
      items: [{ name: 'x', value: '1' }, { name: 'x', value: '2' }, { name: 'y' }],
    });
    fixture.schema = widget();
    fixture.apply('a', { tags: ['c'], items: [{ name: 'z' }] });
    assert.deepEqual(fixture.spec.tags, ['a', 'b', 'a', 'c']);
    assert.deepEqual(fixture.spec.items, [
      { name: 'x', value: '1' },
      { name: 'x', value: '2' },
      { name: 'y' },
      { name: 'z' },
    ]);
    fixture.apply('b', { tags: ['a'], items: [{ name: 'x', value: '3' }] });
    assert.deepEqual(fixture.spec.tags, ['a', 'b', 'c']);
    assert.deepEqual(fixture.spec.items, [{ name: 'x', value: '3' }, { name: 'y' }, { name: 'z' }]);
  });
});

describe('markers that change (1/merge-annotations-on-fields/p1)', () => {
  const fine = widget();
  const coarse = widget({
    ...spec,
    labels: names(text, 'atomic'),
    items: list(untyped),
    struct: struct({ a: text, b: text }, 'atomic'),
  });
  const parts = { labels: { a: '1' }, items: [{ name: 'a' }], struct: { a: '1' } };
  const others = { labels: { b: '1' }, items: [{ name: 'b' }], struct: { b: '1' } };

  it('to atomic give the whole to every owner of a part', () => {
    const fixture = new Fixture(fine);
    fixture.apply('a', parts);
    fixture.apply('b', others);
    fixture.schema = coarse;
    assert.throws(
      () => fixture.apply('a', parts),
      /conflicts with "b":\n- \.spec\.items\n- \.spec\.labels\n- \.spec\.struct/,
    );
    fixture.change('c', (object) => ({ ...object, metadata: { ...object.metadata, labels: { l: '1' } } }));
    const whole = { 'f:items': {}, 'f:labels': {}, 'f:struct': {} };
    assert.deepEqual([fixture.fieldsOf('a'), fixture.fieldsOf('b')], [whole, whole]);
  });

  it('from atomic leave the parts to nobody, so that they can be taken without a conflict', () => {
    const fixture = new Fixture(coarse);
    fixture.apply('a', parts);
    fixture.schema = fine;
    fixture.apply('b', { labels: { a: '2' }, items: [{ name: 'a', value: '2' }], struct: { a: '2' } });
    assert.deepEqual(fixture.spec.labels, { a: '2' });
    assert.deepEqual(fixture.fieldsOf('a'), { 'f:items': {}, 'f:labels': {}, 'f:struct': {} });
  });
});
