import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import type { ManagedFieldsEntry } from '../api/object.ts';
import { Scene, V1 } from '../testing/fieldsFixture.ts';
import { recordUpdate } from './recordUpdate.ts';

const spec = (scene: Scene, fields: JsonObject) => (object: NonNullable<Scene['live']>) => ({
  ...object,
  spec: { ...scene.spec, ...fields },
});

describe('a creation that is no apply', () => {
  it('owns every field, containers and defaults included', () => {
    const scene = new Scene();
    scene.put('maker', {
      size: 1,
      labels: { a: '1' },
      tags: ['x'],
      items: [{ name: 'n', value: 'v' }],
      whole: { z: '1' },
    });
    assert.deepEqual(scene.fieldsOf('maker', 'Update'), {
      '.': {},
      'f:items': { '.': {}, 'k:{"name":"n"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
      'f:labels': { '.': {}, 'f:a': {} },
      'f:size': {},
      'f:tags': { '.': {}, 'v:"x"': {} },
      'f:whole': {},
    });
  });

  it('never owns identity, nor what another endpoint writes', () => {
    const scene = new Scene();
    scene.put('maker', { metadata: { labels: { l: '1' } }, status: { ready: 'yes' }, spec: {} });
    assert.deepEqual(scene.entries[0]?.fieldsV1, {
      'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } },
      'f:spec': {},
    });
  });

  it('passes over records that the request brings', () => {
    const scene = new Scene();
    const forged: ManagedFieldsEntry = {
      manager: 'x',
      operation: 'Apply',
      apiVersion: V1,
      fieldsType: 'FieldsV1',
      fieldsV1: {},
    };
    scene.put('maker', { metadata: { managedFields: [forged] as never }, spec: { note: 'n' } });
    assert.deepEqual(scene.owners, ['maker:Update']);
  });
});

describe('an update', () => {
  it('takes over exactly the fields that it changes', () => {
    const scene = new Scene();
    scene.put('one', { note: 'a', labels: { x: '1', y: '1' } });
    scene.change('two', spec(scene, { labels: { x: '2', y: '1', z: '1' } }));
    assert.deepEqual(scene.fieldsOf('one', 'Update'), { '.': {}, 'f:labels': { '.': {}, 'f:y': {} }, 'f:note': {} });
    assert.deepEqual(scene.fieldsOf('two', 'Update'), { 'f:labels': { 'f:x': {}, 'f:z': {} } });
  });

  it('leaves records and times alone when nothing changes', () => {
    const scene = new Scene();
    scene.put('one', { note: 'a', tags: ['x', 'y'] });
    const before = scene.entries;
    scene.now += 60_000;
    scene.change('two', spec(scene, { tags: ['y', 'x'] }));
    assert.deepEqual(scene.entries, before);
  });

  it('moves the time of its own entry only', () => {
    const scene = new Scene();
    scene.put('one', { note: 'a' });
    scene.now += 1000;
    scene.change('two', spec(scene, { labels: { x: '1' } }));
    scene.now += 1000;
    scene.change('two', spec(scene, { labels: { x: '2' } }));
    assert.deepEqual(
      scene.entries.map(({ manager, time }) => [manager, time]),
      [
        ['one', '2030-01-01T00:00:00Z'],
        ['two', '2030-01-01T00:00:02Z'],
      ],
    );
  });

  it('ends the entry of a manager that owns nothing any more', () => {
    const scene = new Scene();
    scene.put('one', { note: 'a' });
    scene.change('two', (object) => ({ ...object, spec: { labels: { x: '1' } } }));
    scene.change('three', ({ spec: _, ...object }) => object as never);
    assert.deepEqual(scene.owners, []);
    assert.equal(scene.live?.metadata.managedFields, undefined);
  });

  it('keeps entries of one manager apart by subresource', () => {
    const scene = new Scene();
    scene.put('ctl', { note: 'a' });
    scene.change('ctl', (object) => ({ ...object, spec: { note: 'ignored' }, status: { ready: 'yes' } }), {
      subresource: 'status',
      resetFields: [['spec']],
    });
    assert.deepEqual(
      scene.entries.map(({ subresource, fieldsV1 }) => [subresource, fieldsV1]),
      [
        [undefined, { 'f:spec': { '.': {}, 'f:note': {} } }],
        ['status', { 'f:status': { '.': {}, 'f:ready': {} } }],
      ],
    );
  });

  it('owns an item that is repeated as one', () => {
    const scene = new Scene();
    scene.apply('one', { items: [{ name: 'a', value: '1' }] });
    scene.change(
      'two',
      spec(scene, {
        items: [
          { name: 'a', value: '1' },
          { name: 'a', value: '2' },
        ],
      }),
    );
    assert.equal(scene.fieldsOf('one'), undefined);
    assert.deepEqual(scene.fieldsOf('two', 'Update'), { 'f:items': { 'k:{"name":"a"}': {} } });
    scene.change('two', spec(scene, { items: [{ name: 'a', value: '2' }] }));
    assert.deepEqual(scene.fieldsOf('two', 'Update'), {
      'f:items': { 'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
    });
  });

  it('keeps the records as they are when an item has no key', () => {
    const scene = new Scene();
    scene.put('one', { note: 'a' });
    const before = scene.entries;
    scene.change('two', spec(scene, { items: [{ value: 'nameless' }] }));
    assert.deepEqual(scene.entries, before);
  });

  it('changes neither of its arguments', () => {
    const scene = new Scene();
    const live = scene.put('one', { note: 'a' });
    const next = { ...live, spec: { note: 'b' } };
    const copies = structuredClone([live, next]);
    recordUpdate(live, next, { manager: 'two', apiVersion: V1 }, scene.context());
    assert.deepEqual([live, next], copies);
  });
});

describe('more update entries than are kept', () => {
  it('are joined, the oldest of one version first, with the time of the youngest joined', () => {
    const scene = new Scene();
    scene.apply('applier', { note: 'a' });
    for (let i = 0; i < 12; i++) {
      scene.now += 1000;
      scene.change(
        `u${String(i).padStart(2, '0')}`,
        spec(scene, { labels: { ...(scene.spec.labels as object), [`k${i}`]: '1' } }),
      );
    }
    const [applier, ancient, ...rest] = scene.entries;
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
    (object: NonNullable<Scene['live']>) => ({
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
    const scene = new Scene();
    scene.put('one', { note: 'a' });
    scene.change('two', replaced([valid]));
    assert.deepEqual(scene.owners, ['new:Apply']);
  });

  it('are passed over when one does not', () => {
    for (const broken of [
      { ...valid, operation: 'Nope' },
      { ...valid, fieldsType: 'FieldsV9' },
      { ...valid, fieldsV1: { nonsense: {} } },
      {},
    ]) {
      const scene = new Scene();
      scene.put('one', { note: 'a' });
      const before = scene.entries;
      scene.change('two', replaced([broken, valid]));
      assert.deepEqual(scene.entries, before);
    }
  });

  it('clear the records as exactly one empty entry', () => {
    for (const follow of ['spec', 'service'] as const) {
      const scene = new Scene(undefined, follow);
      scene.put('one', { note: 'a' });
      scene.change('two', replaced([{}]));
      assert.deepEqual(scene.owners, [], follow);
      scene.put('one', { note: 'b' });
      assert.deepEqual(scene.owners, [], 'an object without records stays without them until it is applied');
    }
  });

  it('do not clear them as an empty list, except where the service is followed', () => {
    const scene = new Scene();
    scene.put('one', { note: 'a' });
    scene.change('two', replaced([]));
    assert.deepEqual(scene.owners, ['one:Update']);
    const service = new Scene(undefined, 'service');
    service.put('one', { note: 'a' });
    service.change('two', replaced([]));
    assert.deepEqual(service.owners, []);
  });

  it('that clear leave other changes of the request to its writer, except where the service is followed', () => {
    const scene = new Scene();
    scene.put('one', { note: 'a', labels: { x: '1' } });
    scene.change('two', replaced([{}], { note: 'b' }));
    assert.deepEqual(scene.owners, ['two:Update']);
    assert.deepEqual(scene.fieldsOf('two', 'Update'), { 'f:note': {} });
    const service = new Scene(undefined, 'service');
    service.put('one', { note: 'a', labels: { x: '1' } });
    service.change('two', replaced([{}], { note: 'b' }));
    assert.deepEqual(service.owners, []);
  });

  it('count for nothing through a subresource', () => {
    const scene = new Scene();
    scene.put('one', { note: 'a' });
    scene.change('two', replaced([{}]), { subresource: 'status', resetFields: [['spec']] });
    assert.deepEqual(scene.owners, ['one:Update']);
  });
});
