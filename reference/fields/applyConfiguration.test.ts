import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { ApiError } from '../api/status.ts';
import { configuration, Fixture, V1, widget } from '../testing/fieldsFixture.ts';
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
    const fixture = new Fixture();
    const { changed, object } = fixture.apply('a', { note: 'n', labels: { x: '1' } });
    assert.ok(changed);
    assert.deepEqual(object.spec, { size: 1, note: 'n', labels: { x: '1' } });
    assert.deepEqual(fixture.fieldsOf('a'), { 'f:labels': { 'f:x': {} }, 'f:note': {} });
    assert.equal(fixture.entries[0]?.time, '2030-01-01T00:00:00Z');
  });

  it('leaves no entry when it states nothing that can be owned', () => {
    const fixture = new Fixture();
    fixture.apply('a', { metadata: { name: 'w' } });
    assert.deepEqual(fixture.owners, []);
  });
});

describe('an apply over an object', () => {
  it('changes nothing when repeated', () => {
    const fixture = new Fixture();
    fixture.apply('a', { note: 'n', tags: ['x'] });
    const live = fixture.live;
    fixture.now += 60_000;
    const { changed, object } = fixture.apply('a', { note: 'n', tags: ['x'] });
    assert.equal(changed, false);
    assert.equal(object, live);
  });

  it('prefers its values, and adds to what is there (rule 9)', () => {
    const fixture = new Fixture();
    fixture.put('maker', { labels: { a: '1' }, note: 'n' });
    fixture.apply('a', { labels: { b: '1' } });
    assert.deepEqual(fixture.spec, { labels: { a: '1', b: '1' }, note: 'n', size: 1 });
  });

  it('gives what nobody has a record of to before-first-apply', () => {
    const fixture = new Fixture();
    fixture.put('maker', { note: 'n' });
    fixture.live = { ...fixture.live!, metadata: { name: 'w', uid: 'u' } };
    fixture.apply('a', { labels: { b: '1' } });
    assert.deepEqual(fixture.owners, ['a:Apply', 'before-first-apply:Update']);
    assert.deepEqual(fixture.fieldsOf('before-first-apply', 'Update'), { '.': {}, 'f:note': {} });
  });

  it('has no time of its own while it only shares', () => {
    const fixture = new Fixture();
    fixture.apply('a', { note: 'n' });
    fixture.apply('b', { note: 'n' });
    assert.equal(fixture.entries.find(({ manager }) => manager === 'b')?.time, undefined);
    fixture.now += 5000;
    fixture.apply('b', { note: 'n', labels: { x: '1' } });
    assert.equal(fixture.entries.find(({ manager }) => manager === 'b')?.time, '2030-01-01T00:00:05Z');
  });
});

describe('a conflict (1/server-side-apply-rules/4)', () => {
  it('names the field and its owner, and changes nothing', () => {
    const fixture = new Fixture();
    fixture.apply('a', { note: 'n' });
    const live = fixture.live;
    const error = refusal(() => fixture.apply('b', { note: 'm' }));
    assert.equal(error.code, 409);
    assert.equal(error.message, 'Apply failed with 1 conflict: conflict with "a": .spec.note');
    assert.deepEqual(error.details, {
      causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.spec.note' }],
    });
    assert.equal(fixture.live, live);
  });

  it('lists every field by owner, updates with their version and subresources by name', () => {
    const fixture = new Fixture();
    fixture.put('up', { note: 'n', items: [{ name: 'i', value: '1' }] });
    fixture.apply('a', { labels: { x: '1', y: '1' } });
    fixture.change('st', (object) => ({ ...object, status: { ready: 'no' } }), {
      subresource: 'status',
      resetFields: [],
    });
    const error = refusal(() =>
      fixture.apply(
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
    const fixture = new Fixture();
    fixture.apply('a', { note: 'n' });
    fixture.apply('b', { note: 'n' });
    assert.match(refusal(() => fixture.apply('a', { note: 'm' })).message, /"b"/);
    assert.match(refusal(() => fixture.apply('b', { note: 'm' })).message, /"a"/);
    fixture.apply('b', {});
    fixture.apply('a', { note: 'm' });
    assert.equal(fixture.spec.note, 'm');
  });

  it('is of a manager with itself when it both updates and applies', () => {
    const fixture = new Fixture();
    fixture.put('me', { note: 'n' });
    assert.match(refusal(() => fixture.apply('me', { note: 'm' })).message, /"me" using example\.com\/v1/);
  });

  it('is overcome by force, which takes the field from everybody else (rule 5)', () => {
    const fixture = new Fixture();
    fixture.apply('a', { note: 'n', labels: { x: '1' } });
    fixture.apply('b', { note: 'n' });
    fixture.apply('c', { note: 'm' }, { force: true });
    assert.equal(fixture.spec.note, 'm');
    assert.deepEqual(fixture.fieldsOf('a'), { 'f:labels': { 'f:x': {} } });
    assert.deepEqual(fixture.owners.sort(), ['a:Apply', 'c:Apply']);
  });

  it('does not come from an update, which takes the field without asking', () => {
    const fixture = new Fixture();
    fixture.apply('a', { note: 'n' });
    fixture.change('u', (object) => ({ ...object, spec: { ...fixture.spec, note: 'm' } }));
    assert.deepEqual(fixture.owners, ['u:Update']);
  });
});

describe('a field that is stated no more', () => {
  it('goes when nobody else owns it (rule 8)', () => {
    const fixture = new Fixture();
    fixture.apply('a', { note: 'n', labels: { x: '1', y: '1' }, tags: ['t', 'u'], items: [{ name: 'i', value: '1' }] });
    fixture.apply('a', { labels: { x: '1' }, tags: ['u'] });
    assert.deepEqual(fixture.spec, { size: 1, labels: { x: '1' }, tags: ['u'] });
  });

  it('goes back to its default', () => {
    const fixture = new Fixture();
    fixture.apply('a', { size: 3, note: 'n' });
    const { trace } = fixture.apply('a', { note: 'n' });
    assert.equal(fixture.spec.size, 1);
    assert.deepEqual(
      trace.decisions().find(({ field }) => field === '.spec.size'),
      { field: '.spec.size', outcome: 'reset', managers: [], rule: '1/server-side-apply-rules/8' },
    );
  });

  it('stays when somebody else owns it, and the applier gives it up (rules 6 and 7)', () => {
    const fixture = new Fixture();
    fixture.apply('a', { note: 'n', labels: { x: '1' } });
    fixture.apply('b', { note: 'n' });
    fixture.apply('a', { labels: { x: '1' } });
    assert.equal(fixture.spec.note, 'n');
    assert.deepEqual(fixture.fieldsOf('a'), { 'f:labels': { 'f:x': {} } });
    assert.deepEqual(fixture.fieldsOf('b'), { 'f:note': {} });
  });

  it('stays when it was never the applier that stated it (rule 12)', () => {
    const fixture = new Fixture();
    fixture.put('maker', { note: 'n', items: [{ name: 'i' }] });
    fixture.apply('a', { labels: { x: '1' } });
    fixture.apply('a', {});
    assert.deepEqual(fixture.spec, { note: 'n', items: [{ name: 'i' }], size: 1 });
  });

  it('takes an item with everything in it, but leaves what others own of it', () => {
    const fixture = new Fixture();
    fixture.apply('a', {
      items: [
        { name: 'i', value: '1' },
        { name: 'j', value: '1' },
      ],
    });
    fixture.apply('b', { items: [{ name: 'i', tags: ['t'] }] });
    fixture.apply('a', {});
    assert.deepEqual(fixture.spec.items, [{ name: 'i', tags: ['t'] }]);
  });

  it('leaves a container that somebody else owns, empty', () => {
    const fixture = new Fixture();
    fixture.put('maker', { labels: {} });
    fixture.apply('a', { labels: { x: '1' } });
    fixture.apply('a', {});
    assert.deepEqual(fixture.spec.labels, {});
  });

  it('passes from hand to hand without a gap (rule 13)', () => {
    const fixture = new Fixture();
    fixture.apply('user', { note: 'n', size: 3 });
    fixture.apply('handover', { size: 3 });
    fixture.apply('user', { note: 'n' });
    assert.equal(fixture.spec.size, 3);
    fixture.change('controller', (object) => ({ ...object, spec: { ...fixture.spec, size: 4 } }));
    assert.deepEqual(fixture.owners, ['user:Apply', 'controller:Update']);
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
      const error = refusal(() => new Fixture().apply('a', { metadata: {}, ...config }));
      assert.deepEqual([error.code, error.message], [400, `invalid object type: ${named}`]);
    }
  });

  it('has records (1/server-side-apply-rules/3)', () => {
    for (const managedFields of [[], [{}]]) {
      const error = refusal(() => new Fixture().apply('a', { metadata: { managedFields } }));
      assert.deepEqual([error.code, error.message], [400, 'metadata.managedFields must be nil']);
    }
  });

  it('has fields that the type lacks, items twice, or items without a key', () => {
    const told = (spec: JsonObject) => {
      const error = refusal(() => new Fixture().apply('a', spec));
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
    const fixture = new Fixture();
    fixture.apply('a', { note: 'n', labels: { x: '1', y: '1', z: '1' }, size: 2 });
    fixture.apply('b', { labels: { x: '1', z: '1' } });
    const { trace } = fixture.apply('a', { labels: { x: '1', y: '2', w: '1' } });
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
    const fixture = new Fixture();
    fixture.apply('a', { note: 'n' });
    const error = refusal(() => fixture.apply('b', { note: 'm', size: 1 }));
    assert.ok(error instanceof OwnershipConflict);
    assert.deepEqual(error.trace.decisions(), [
      { field: '.spec.note', outcome: 'conflict', managers: ['a'], rule: '1/server-side-apply-rules/4' },
      { field: '.spec.size', outcome: 'kept', managers: [], rule: '1/server-side-apply-rules/9' },
    ]);
  });
});

describe('versions', () => {
  const both = (fixture: Fixture) => ({
    schemaOf: (version: string) => (version === V1 || version === 'example.com/v2' ? fixture.schema : undefined),
  });

  it('are converted before they are compared, and an applier has one entry over all', () => {
    const fixture = new Fixture();
    fixture.apply('a', { note: 'n', labels: { x: '1' } });
    const error = refusal(() => fixture.apply('b', { note: 'm' }, { more: both(fixture) }));
    assert.match(error.message, /\.spec\.note/);
    fixture.live = {
      ...fixture.live!,
      metadata: {
        ...fixture.live!.metadata,
        managedFields: fixture.entries.map((entry) => ({ ...entry, apiVersion: 'example.com/v2' })),
      },
    };
    fixture.apply('a', { labels: { x: '1' } }, { more: both(fixture) });
    assert.deepEqual(
      fixture.entries.map(({ apiVersion }) => apiVersion),
      [V1],
    );
    assert.equal(fixture.spec.note, undefined);
  });

  it('that are no more take their entries with them', () => {
    const fixture = new Fixture();
    fixture.apply('a', { note: 'n' });
    fixture.live = {
      ...fixture.live!,
      metadata: {
        ...fixture.live!.metadata,
        managedFields: fixture.entries.map((entry) => ({ ...entry, apiVersion: 'example.com/v0' })),
      },
    };
    fixture.apply('b', { note: 'm' });
    assert.deepEqual(fixture.owners, ['b:Apply']);
  });
});

describe('what an apply is given', () => {
  it('is left as it was', () => {
    const fixture = new Fixture();
    fixture.apply('a', { note: 'n', items: [{ name: 'i', value: '1' }], labels: { x: '1' } });
    const live = structuredClone(fixture.live);
    const kept = fixture.live;
    const config = configuration({ items: [{ name: 'j' }], labels: { y: '1' } });
    const sent = structuredClone(config);
    fixture.apply('a', config.spec as JsonObject);
    assert.deepEqual(kept, live);
    assert.deepEqual(config, sent);
  });

  it('may be of any depth', () => {
    const fixture = new Fixture(widget());
    const deep = (levels: number, leaf: JsonObject): JsonObject => {
      let value = leaf;
      for (let i = 0; i < levels; i++) value = { d: value };
      return value;
    };
    fixture.apply('a', { any: deep(5000, { x: 1 }) });
    assert.equal(refusal(() => fixture.apply('b', { any: deep(5000, { x: 2 }) })).code, 409);
    assert.equal(fixture.apply('a', { any: deep(5000, { x: 1 }) }).changed, false);
  });

  it('may have members of any name', () => {
    const fixture = new Fixture();
    const config = JSON.parse('{"labels":{"__proto__":"1","constructor":"2"}}');
    fixture.apply('a', config);
    assert.equal(JSON.stringify(fixture.spec.labels), '{"__proto__":"1","constructor":"2"}');
    fixture.apply('a', JSON.parse('{"labels":{"constructor":"2"}}'));
    assert.equal(JSON.stringify(fixture.spec.labels), '{"constructor":"2"}');
  });
});
