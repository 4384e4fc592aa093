import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import type { ManagedFieldsEntry } from '../api/object.ts';
import { atOnce } from '../api/staged.ts';
import { Fixture, V1 } from '../testing/fieldsFixture.ts';
import { recordUpdate } from './recordUpdate.ts';

const spec = (fixture: Fixture, fields: JsonObject) => (object: NonNullable<Fixture['live']>) => ({
  ...object,
  spec: { ...fixture.spec, ...fields },
});

describe('a creation that is no apply', () => {
  it('owns every field, containers and defaults included', () => {
    const fixture = new Fixture();
    fixture.put('maker', {
      size: 1,
      labels: { a: '1' },
      tags: ['x'],
      items: [{ name: 'n', value: 'v' }],
      whole: { z: '1' },
    });
    assert.deepEqual(fixture.fieldsOf('maker', 'Update'), {
      '.': {},
      'f:items': { '.': {}, 'k:{"name":"n"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
      'f:labels': { '.': {}, 'f:a': {} },
      'f:size': {},
      'f:tags': { '.': {}, 'v:"x"': {} },
      'f:whole': {},
    });
  });

  it('never owns identity, nor what another endpoint writes', () => {
    const fixture = new Fixture();
    fixture.put('maker', { metadata: { labels: { l: '1' } }, status: { ready: 'yes' }, spec: {} });
    assert.deepEqual(fixture.entries[0]?.fieldsV1, {
      'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } },
      'f:spec': {},
    });
  });

  it('passes over records that the request brings', () => {
    const fixture = new Fixture();
    const forged: ManagedFieldsEntry = {
      manager: 'x',
      operation: 'Apply',
      apiVersion: V1,
      fieldsType: 'FieldsV1',
      fieldsV1: {},
    };
    fixture.put('maker', { metadata: { managedFields: [forged] as never }, spec: { note: 'n' } });
    assert.deepEqual(fixture.owners, ['maker:Update']);
  });
});

describe('an update', () => {
  it('takes over exactly the fields that it changes', () => {
    const fixture = new Fixture();
    fixture.put('one', { note: 'a', labels: { x: '1', y: '1' } });
    fixture.change('two', spec(fixture, { labels: { x: '2', y: '1', z: '1' } }));
    assert.deepEqual(fixture.fieldsOf('one', 'Update'), { '.': {}, 'f:labels': { '.': {}, 'f:y': {} }, 'f:note': {} });
    assert.deepEqual(fixture.fieldsOf('two', 'Update'), { 'f:labels': { 'f:x': {}, 'f:z': {} } });
  });

  it('leaves records and times alone when nothing changes', () => {
    const fixture = new Fixture();
    fixture.put('one', { note: 'a', tags: ['x', 'y'] });
    const before = fixture.entries;
    fixture.now += 60_000;
    fixture.change('two', spec(fixture, { tags: ['y', 'x'] }));
    assert.deepEqual(fixture.entries, before);
  });

  it('moves the time of its own entry only', () => {
    const fixture = new Fixture();
    fixture.put('one', { note: 'a' });
    fixture.now += 1000;
    fixture.change('two', spec(fixture, { labels: { x: '1' } }));
    fixture.now += 1000;
    fixture.change('two', spec(fixture, { labels: { x: '2' } }));
    assert.deepEqual(
      fixture.entries.map(({ manager, time }) => [manager, time]),
      [
        ['one', '2030-01-01T00:00:00Z'],
        ['two', '2030-01-01T00:00:02Z'],
      ],
    );
  });

  it('ends the entry of a manager that owns nothing any more', () => {
    const fixture = new Fixture();
    fixture.put('one', { note: 'a' });
    fixture.change('two', (object) => ({ ...object, spec: { labels: { x: '1' } } }));
    fixture.change('three', ({ spec: _, ...object }) => object as never);
    assert.deepEqual(fixture.owners, []);
    assert.equal(fixture.live?.metadata.managedFields, undefined);
  });

  it('keeps entries of one manager apart by subresource', () => {
    const fixture = new Fixture();
    fixture.put('ctl', { note: 'a' });
    fixture.change('ctl', (object) => ({ ...object, spec: { note: 'ignored' }, status: { ready: 'yes' } }), {
      subresource: 'status',
      resetFields: [['spec']],
    });
    assert.deepEqual(
      fixture.entries.map(({ subresource, fieldsV1 }) => [subresource, fieldsV1]),
      [
        [undefined, { 'f:spec': { '.': {}, 'f:note': {} } }],
        ['status', { 'f:status': { '.': {}, 'f:ready': {} } }],
      ],
    );
  });

  it('owns an item that is repeated as one', () => {
    const fixture = new Fixture();
    fixture.apply('one', { items: [{ name: 'a', value: '1' }] });
    fixture.change(
      'two',
      spec(fixture, {
        items: [
          { name: 'a', value: '1' },
          { name: 'a', value: '2' },
        ],
      }),
    );
    assert.equal(fixture.fieldsOf('one'), undefined);
    assert.deepEqual(fixture.fieldsOf('two', 'Update'), { 'f:items': { 'k:{"name":"a"}': {} } });
    fixture.change('two', spec(fixture, { items: [{ name: 'a', value: '2' }] }));
    assert.deepEqual(fixture.fieldsOf('two', 'Update'), {
      'f:items': { 'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
    });
  });

  it('keeps the records as they are when an item has no key', () => {
    const fixture = new Fixture();
    fixture.put('one', { note: 'a' });
    const before = fixture.entries;
    fixture.change('two', spec(fixture, { items: [{ value: 'nameless' }] }));
    assert.deepEqual(fixture.entries, before);
  });

  it('changes neither of its arguments', () => {
    const fixture = new Fixture();
    const live = fixture.put('one', { note: 'a' });
    const next = { ...live, spec: { note: 'b' } };
    const copies = structuredClone([live, next]);
    atOnce(recordUpdate(live, next, { manager: 'two', apiVersion: V1 }, fixture.context()));
    assert.deepEqual([live, next], copies);
  });
});

describe('more update entries than are kept', () => {
  it('are joined, the oldest of one version first, with the time of the youngest joined', () => {
    const fixture = new Fixture();
    fixture.apply('applier', { note: 'a' });
    for (let i = 0; i < 12; i++) {
      fixture.now += 1000;
      fixture.change(
        `u${String(i).padStart(2, '0')}`,
        spec(fixture, { labels: { ...(fixture.spec.labels as object), [`k${i}`]: '1' } }),
      );
    }
    const [applier, ancient, ...rest] = fixture.entries;
    assert.equal(applier?.manager, 'applier');
    assert.equal(ancient?.manager, 'ancient-changes');
    assert.deepEqual(ancient?.fieldsV1, { 'f:spec': { 'f:labels': { '.': {}, 'f:k0': {}, 'f:k1': {}, 'f:k2': {} } } });
    assert.equal(ancient?.time, '2030-01-01T00:00:03Z');
    assert.deepEqual(
      rest.map(({ manager }) => manager),
      ['u03', 'u04', 'u05', 'u06', 'u07', 'u08', 'u09', 'u10', 'u11'],
    );
  });
});

describe('managedFields in an update', () => {
  const replaced =
    (entries: unknown, more: JsonObject = {}) =>
    (object: NonNullable<Fixture['live']>) => ({
      ...object,
      metadata: { ...object.metadata, managedFields: entries as never },
      spec: { ...(object.spec as JsonObject), ...more },
    });
  const valid = {
    manager: 'new',
    operation: 'Apply',
    apiVersion: V1,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:note': {} } },
  };

  it('replace the records when every entry makes sense', () => {
    const fixture = new Fixture();
    fixture.put('one', { note: 'a' });
    fixture.change('two', replaced([valid]));
    assert.deepEqual(fixture.owners, ['new:Apply']);
  });

  it('are passed over when one does not', () => {
    for (const broken of [
      { ...valid, operation: 'Nope' },
      { ...valid, fieldsType: 'FieldsV9' },
      { ...valid, fieldsV1: { nonsense: {} } },
      {},
    ]) {
      const fixture = new Fixture();
      fixture.put('one', { note: 'a' });
      const before = fixture.entries;
      fixture.change('two', replaced([broken, valid]));
      assert.deepEqual(fixture.entries, before);
    }
  });

  it('clear the records as exactly one empty entry', () => {
    for (const follow of ['spec', 'service'] as const) {
      const fixture = new Fixture(undefined, follow);
      fixture.put('one', { note: 'a' });
      fixture.change('two', replaced([{}]));
      assert.deepEqual(fixture.owners, [], follow);
      fixture.put('one', { note: 'b' });
      assert.deepEqual(fixture.owners, [], 'an object without records stays without them until it is applied');
    }
  });

  it('do not clear them as an empty list, except where the service is followed', () => {
    const fixture = new Fixture();
    fixture.put('one', { note: 'a' });
    fixture.change('two', replaced([]));
    assert.deepEqual(fixture.owners, ['one:Update']);
    const service = new Fixture(undefined, 'service');
    service.put('one', { note: 'a' });
    service.change('two', replaced([]));
    assert.deepEqual(service.owners, []);
  });

  it('that clear leave other changes of the request to its writer, except where the service is followed', () => {
    const fixture = new Fixture();
    fixture.put('one', { note: 'a', labels: { x: '1' } });
    fixture.change('two', replaced([{}], { note: 'b' }));
    assert.deepEqual(fixture.owners, ['two:Update']);
    assert.deepEqual(fixture.fieldsOf('two', 'Update'), { 'f:note': {} });
    const service = new Fixture(undefined, 'service');
    service.put('one', { note: 'a', labels: { x: '1' } });
    service.change('two', replaced([{}], { note: 'b' }));
    assert.deepEqual(service.owners, []);
  });

  it('count for nothing through a subresource', () => {
    const fixture = new Fixture();
    fixture.put('one', { note: 'a' });
    fixture.change('two', replaced([{}]), { subresource: 'status', resetFields: [['spec']] });
    assert.deepEqual(fixture.owners, ['one:Update']);
  });
});
