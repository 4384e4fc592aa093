import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { ApiError } from '../api/status.ts';
import { configuration, Scene, V1, widget } from '../testing/fieldsFixture.ts';
import { OwnershipConflict } from './conflicts.ts';

const refusal = (action: () => unknown): ApiError => {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error;
  }
  assert.fail('nothing was refused');
};

describe('an apply without an object (1/server-side-apply-rules/1)', () => {
  it('makes one with defaults, and owns only what it states', () => {
    const scene = new Scene();
    const { changed, object } = scene.apply('a', { note: 'n', labels: { x: '1' } });
    assert.ok(changed);
    assert.deepEqual(object.spec, { size: 1, note: 'n', labels: { x: '1' } });
    assert.deepEqual(scene.fieldsOf('a'), { 'f:labels': { 'f:x': {} }, 'f:note': {} });
    assert.equal(scene.entries[0]?.time, '2030-01-01T00:00:00Z');
  });

  it('leaves no entry when it states nothing that can be owned', () => {
    const scene = new Scene();
    scene.apply('a', { metadata: { name: 'w' } });
    assert.deepEqual(scene.owners, []);
  });
});

describe('an apply over an object', () => {
  it('changes nothing when repeated', () => {
    const scene = new Scene();
    scene.apply('a', { note: 'n', tags: ['x'] });
    const live = scene.live;
    scene.now += 60_000;
    const { changed, object } = scene.apply('a', { note: 'n', tags: ['x'] });
    assert.equal(changed, false);
    assert.equal(object, live);
  });

  it('prefers its values, and adds to what is there (rule 9)', () => {
    const scene = new Scene();
    scene.put('maker', { labels: { a: '1' }, note: 'n' });
    scene.apply('a', { labels: { b: '1' } });
    assert.deepEqual(scene.spec, { labels: { a: '1', b: '1' }, note: 'n', size: 1 });
  });

  it('gives what nobody has a record of to before-first-apply', () => {
    const scene = new Scene();
    scene.put('maker', { note: 'n' });
    scene.live = { ...scene.live!, metadata: { name: 'w', uid: 'u' } };
    scene.apply('a', { labels: { b: '1' } });
    assert.deepEqual(scene.owners, ['a:Apply', 'before-first-apply:Update']);
    assert.deepEqual(scene.fieldsOf('before-first-apply', 'Update'), { '.': {}, 'f:note': {} });
  });

  it('has no time of its own while it only shares', () => {
    const scene = new Scene();
    scene.apply('a', { note: 'n' });
    scene.apply('b', { note: 'n' });
    assert.equal(scene.entries.find(({ manager }) => manager === 'b')?.time, undefined);
    scene.now += 5000;
    scene.apply('b', { note: 'n', labels: { x: '1' } });
    assert.equal(scene.entries.find(({ manager }) => manager === 'b')?.time, '2030-01-01T00:00:05Z');
  });
});

describe('a conflict (1/server-side-apply-rules/4)', () => {
  it('names the field and its owner, and changes nothing', () => {
    const scene = new Scene();
    scene.apply('a', { note: 'n' });
    const live = scene.live;
    const error = refusal(() => scene.apply('b', { note: 'm' }));
    assert.equal(error.code, 409);
    assert.equal(error.message, 'Apply failed with 1 conflict: conflict with "a": .spec.note');
    assert.deepEqual(error.details, {
      causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.spec.note' }],
    });
    assert.equal(scene.live, live);
  });

  it('lists every field by owner, updates with their version and subresources by name', () => {
    const scene = new Scene();
    scene.put('up', { note: 'n', items: [{ name: 'i', value: '1' }] });
    scene.apply('a', { labels: { x: '1', y: '1' } });
    scene.change('st', (object) => ({ ...object, status: { ready: 'no' } }), {
      subresource: 'status',
      resetFields: [],
    });
    const error = refusal(() =>
      scene.apply(
        'b',
        {
          spec: { note: 'm', labels: { x: '2', y: '2' }, items: [{ name: 'i', value: '2' }] },
          status: { ready: 'yes' },
        },
        { more: { resetFields: [] } },
      ),
    );
    assert.equal(
      error.message,
      [
        'Apply failed with 5 conflicts: conflicts with "a":',
        '- .spec.labels.x',
        '- .spec.labels.y',
        'conflicts with "st" with subresource "status" using example.com/v1:',
        '- .status.ready',
        'conflicts with "up" using example.com/v1:',
        '- .spec.note',
        '- .spec.items[name="i"].value',
      ].join('\n'),
    );
    assert.equal(error.details?.causes?.length, 5);
  });

  it('is not one where both want the same: they share (rule 7)', () => {
    const scene = new Scene();
    scene.apply('a', { note: 'n' });
    scene.apply('b', { note: 'n' });
    assert.match(refusal(() => scene.apply('a', { note: 'm' })).message, /"b"/);
    assert.match(refusal(() => scene.apply('b', { note: 'm' })).message, /"a"/);
    scene.apply('b', {});
    scene.apply('a', { note: 'm' });
    assert.equal(scene.spec.note, 'm');
  });

  it('is of a manager with itself when it both updates and applies', () => {
    const scene = new Scene();
    scene.put('me', { note: 'n' });
    assert.match(refusal(() => scene.apply('me', { note: 'm' })).message, /"me" using example\.com\/v1/);
  });

  it('is overcome by force, which takes the field from everybody else (rule 5)', () => {
    const scene = new Scene();
    scene.apply('a', { note: 'n', labels: { x: '1' } });
    scene.apply('b', { note: 'n' });
    scene.apply('c', { note: 'm' }, { force: true });
    assert.equal(scene.spec.note, 'm');
    assert.deepEqual(scene.fieldsOf('a'), { 'f:labels': { 'f:x': {} } });
    assert.deepEqual(scene.owners.sort(), ['a:Apply', 'c:Apply']);
  });

  it('does not come from an update, which takes the field without asking', () => {
    const scene = new Scene();
    scene.apply('a', { note: 'n' });
    scene.change('u', (object) => ({ ...object, spec: { ...scene.spec, note: 'm' } }));
    assert.deepEqual(scene.owners, ['u:Update']);
  });
});

describe('a field that is stated no more', () => {
  it('goes when nobody else owns it (rule 8)', () => {
    const scene = new Scene();
    scene.apply('a', { note: 'n', labels: { x: '1', y: '1' }, tags: ['t', 'u'], items: [{ name: 'i', value: '1' }] });
    scene.apply('a', { labels: { x: '1' }, tags: ['u'] });
    assert.deepEqual(scene.spec, { size: 1, labels: { x: '1' }, tags: ['u'] });
  });

  it('goes back to its default', () => {
    const scene = new Scene();
    scene.apply('a', { size: 3, note: 'n' });
    const { trace } = scene.apply('a', { note: 'n' });
    assert.equal(scene.spec.size, 1);
    assert.deepEqual(
      trace.decisions().find(({ field }) => field === '.spec.size'),
      { field: '.spec.size', outcome: 'reset', managers: [], rule: '1/server-side-apply-rules/8' },
    );
  });

  it('stays when somebody else owns it, and the applier gives it up (rules 6 and 7)', () => {
    const scene = new Scene();
    scene.apply('a', { note: 'n', labels: { x: '1' } });
    scene.apply('b', { note: 'n' });
    scene.apply('a', { labels: { x: '1' } });
    assert.equal(scene.spec.note, 'n');
    assert.deepEqual(scene.fieldsOf('a'), { 'f:labels': { 'f:x': {} } });
    assert.deepEqual(scene.fieldsOf('b'), { 'f:note': {} });
  });

  it('stays when it was never the applier that stated it (rule 12)', () => {
    const scene = new Scene();
    scene.put('maker', { note: 'n', items: [{ name: 'i' }] });
    scene.apply('a', { labels: { x: '1' } });
    scene.apply('a', {});
    assert.deepEqual(scene.spec, { note: 'n', items: [{ name: 'i' }], size: 1 });
  });

  it('takes an item with everything in it, but leaves what others own of it', () => {
    const scene = new Scene();
    scene.apply('a', {
      items: [
        { name: 'i', value: '1' },
        { name: 'j', value: '1' },
      ],
    });
    scene.apply('b', { items: [{ name: 'i', tags: ['t'] }] });
    scene.apply('a', {});
    assert.deepEqual(scene.spec.items, [{ name: 'i', tags: ['t'] }]);
  });

  it('leaves a container that somebody else owns, empty', () => {
    const scene = new Scene();
    scene.put('maker', { labels: {} });
    scene.apply('a', { labels: { x: '1' } });
    scene.apply('a', {});
    assert.deepEqual(scene.spec.labels, {});
  });

  it('passes from hand to hand without a gap (rule 13)', () => {
    const scene = new Scene();
    scene.apply('user', { note: 'n', size: 3 });
    scene.apply('handover', { size: 3 });
    scene.apply('user', { note: 'n' });
    assert.equal(scene.spec.size, 3);
    scene.change('controller', (object) => ({ ...object, spec: { ...scene.spec, size: 4 } }));
    assert.deepEqual(scene.owners, ['user:Apply', 'controller:Update']);
  });
});

describe('a configuration that cannot be merged', () => {
  it('is of another kind or version', () => {
    const cases: [JsonObject, string][] = [
      [{ kind: 'Widget', apiVersion: 'v1' }, '/v1, Kind=Widget'],
      [{ kind: 'Other', apiVersion: V1 }, 'example.com/v1, Kind=Other'],
      [{ kind: '', apiVersion: '' }, '/, Kind='],
    ];
    for (const [config, named] of cases) {
      const error = refusal(() => new Scene().apply('a', { metadata: {}, ...config }));
      assert.deepEqual([error.code, error.message], [400, `invalid object type: ${named}`]);
    }
  });

  it('has records (1/server-side-apply-rules/3)', () => {
    for (const managedFields of [[], [{}]]) {
      const error = refusal(() => new Scene().apply('a', { metadata: { managedFields } }));
      assert.deepEqual([error.code, error.message], [400, 'metadata.managedFields must be nil']);
    }
  });

  it('has fields that the type lacks, items twice, or items without a key', () => {
    const told = (spec: JsonObject) => {
      const error = refusal(() => new Scene().apply('a', spec));
      assert.deepEqual([error.code, error.reason], [500, '']);
      return error.message.replace('failed to create typed patch object (/w; example.com/v1, Kind=Widget): ', '');
    };
    assert.equal(told({ nope: 1 }), '.spec.nope: field not declared in schema');
    assert.equal(told({ items: [{ name: 'a', x: 1 }] }), '.spec.items[name="a"].x: field not declared in schema');
    assert.equal(told({ tags: ['a', 'b', 'a'] }), '.spec.tags: duplicate entries for key [="a"]');
    assert.equal(
      told({ ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] }),
      '.spec.ports: duplicate entries for key [port=1,protocol="TCP"]',
    );
    assert.match(told({ items: [{ value: 'x' }] }), /^\.spec\.items: element 0: .*omits all key fields \["name"\]/);
    assert.match(
      told({ labels: 'x', struct: [] }),
      /^errors:\n {2}\.spec\.labels: expected map, .*\n {2}\.spec\.struct: /,
    );
  });
});

describe('the account of a merge', () => {
  it('tells each field, what became of it, for whom and by which rule', () => {
    const scene = new Scene();
    scene.apply('a', { note: 'n', labels: { x: '1', y: '1', z: '1' }, size: 2 });
    scene.apply('b', { labels: { x: '1', z: '1' } });
    const { trace } = scene.apply('a', { labels: { x: '1', y: '2', w: '1' } });
    assert.deepEqual(
      trace.decisions().map(({ field, outcome, managers }) => [field, outcome, managers]),
      [
        ['.spec.labels.w', 'set', []],
        ['.spec.labels.x', 'shared', ['b']],
        ['.spec.labels.y', 'set', []],
        ['.spec.note', 'removed', []],
        ['.spec.size', 'reset', []],
        ['.spec.labels.z', 'givenUp', ['b']],
      ],
    );
  });

  it('comes with a refusal too', () => {
    const scene = new Scene();
    scene.apply('a', { note: 'n' });
    const error = refusal(() => scene.apply('b', { note: 'm', size: 1 }));
    assert.ok(error instanceof OwnershipConflict);
    assert.deepEqual(error.trace.decisions(), [
      { field: '.spec.note', outcome: 'conflict', managers: ['a'], rule: '1/server-side-apply-rules/4' },
      { field: '.spec.size', outcome: 'kept', managers: [], rule: '1/server-side-apply-rules/9' },
    ]);
  });
});

describe('versions', () => {
  const both = (scene: Scene) => ({
    schemaOf: (version: string) => (version === V1 || version === 'example.com/v2' ? scene.schema : undefined),
  });

  it('are converted before they are compared, and an applier has one entry over all', () => {
    const scene = new Scene();
    scene.apply('a', { note: 'n', labels: { x: '1' } });
    const error = refusal(() => scene.apply('b', { note: 'm' }, { more: both(scene) }));
    assert.match(error.message, /\.spec\.note/);
    scene.live = {
      ...scene.live!,
      metadata: {
        ...scene.live!.metadata,
        managedFields: scene.entries.map((entry) => ({ ...entry, apiVersion: 'example.com/v2' })),
      },
    };
    scene.apply('a', { labels: { x: '1' } }, { more: both(scene) });
    assert.deepEqual(
      scene.entries.map(({ apiVersion }) => apiVersion),
      [V1],
    );
    assert.equal(scene.spec.note, undefined);
  });

  it('that are no more take their entries with them', () => {
    const scene = new Scene();
    scene.apply('a', { note: 'n' });
    scene.live = {
      ...scene.live!,
      metadata: {
        ...scene.live!.metadata,
        managedFields: scene.entries.map((entry) => ({ ...entry, apiVersion: 'example.com/v0' })),
      },
    };
    scene.apply('b', { note: 'm' });
    assert.deepEqual(scene.owners, ['b:Apply']);
  });
});

describe('what an apply is given', () => {
  it('is left as it was', () => {
    const scene = new Scene();
    scene.apply('a', { note: 'n', items: [{ name: 'i', value: '1' }], labels: { x: '1' } });
    const live = structuredClone(scene.live);
    const kept = scene.live;
    const config = configuration({ items: [{ name: 'j' }], labels: { y: '1' } });
    const sent = structuredClone(config);
    scene.apply('a', config.spec as JsonObject);
    assert.deepEqual(kept, live);
    assert.deepEqual(config, sent);
  });

  it('may be of any depth', () => {
    const scene = new Scene(widget());
    const deep = (levels: number, leaf: JsonObject): JsonObject => {
      let value = leaf;
      for (let i = 0; i < levels; i++) value = { d: value };
      return value;
    };
    scene.apply('a', { any: deep(5000, { x: 1 }) });
    assert.equal(refusal(() => scene.apply('b', { any: deep(5000, { x: 2 }) })).code, 409);
    assert.equal(scene.apply('a', { any: deep(5000, { x: 1 }) }).changed, false);
  });

  it('may have members of any name', () => {
    const scene = new Scene();
    const config = JSON.parse('{"labels":{"__proto__":"1","constructor":"2"}}');
    scene.apply('a', config);
    assert.equal(JSON.stringify(scene.spec.labels), '{"__proto__":"1","constructor":"2"}');
    scene.apply('a', JSON.parse('{"labels":{"constructor":"2"}}'));
    assert.equal(JSON.stringify(scene.spec.labels), '{"constructor":"2"}');
  });
});
