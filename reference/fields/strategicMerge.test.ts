import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json, JsonObject } from '../api/json.ts';
import { list, names, struct, text, untyped } from '../testing/fieldsFixture.ts';
import { strategicMerge } from './strategicMerge.ts';

const env = struct({ name: text, value: text });
const container = struct({ name: text, image: text, args: list(text), env: list(env) }, 'granular', {
  env: { strategies: ['merge'], mergeKey: 'name' },
});
const schema = struct(
  {
    labels: names(text),
    finalizers: list(text),
    plain: list(text),
    containers: list(container),
    volumes: list(struct({ name: text, disk: struct({ id: text }), memory: struct({ size: text }) })),
    strategy: struct({ type: text, rolling: text }),
    whole: struct({ a: text, b: text }),
    keyless: list(env),
    any: untyped,
  },
  'granular',
  {
    finalizers: { strategies: ['merge'] },
    containers: { strategies: ['merge'], mergeKey: 'name' },
    volumes: { strategies: ['merge', 'retainKeys'], mergeKey: 'name' },
    strategy: { strategies: ['retainKeys'] },
    whole: { strategies: ['replace'] },
    keyless: { strategies: ['merge'] },
  },
);

const merged = (document: JsonObject, patch: Json): JsonObject => {
  const before = structuredClone([document, patch]);
  const result = strategicMerge(document, patch, schema);
  assert.deepEqual([document, patch], before, 'an argument was changed');
  return result;
};
const refused = (document: JsonObject, patch: Json, code: number, message: RegExp) =>
  assert.throws(
    () => merged(document, patch),
    (error) => {
      const { code: found, message: words } = error as { code: number; message: string };
      assert.equal(found, code);
      assert.match(words, message);
      return true;
    },
  );
const order = (document: JsonObject) => (document.containers as JsonObject[]).map(({ name }) => name).join('');
const live: JsonObject = {
  containers: [
    { name: 'a', image: '1' },
    { name: 'b', image: '1', args: ['x'] },
  ],
};

describe('strategic merge patch', () => {
  it('merges objects, replaces scalars and plain lists, removes what is null', () => {
    assert.deepEqual(
      merged({ labels: { x: '1', y: '1' }, plain: ['a', 'b'] }, { labels: { x: null, z: '1' }, plain: ['c'] }),
      { labels: { y: '1', z: '1' }, plain: ['c'] },
    );
    assert.deepEqual(merged({ plain: ['a'] }, { plain: null, labels: null }), {});
  });

  it('merges keyed lists by their key and sets as sets, new items first', () => {
    assert.deepEqual(merged(live, { containers: [{ name: 'b', image: '2', args: ['y'] }] }), {
      containers: [
        { name: 'a', image: '1' },
        { name: 'b', image: '2', args: ['y'] },
      ],
    });
    assert.equal(order(merged(live, { containers: [{ name: 'c' }] })), 'cab');
    assert.equal(order(merged(live, { containers: [{ name: 'b' }, { name: 'c' }] })), 'abc');
    assert.deepEqual(merged({ finalizers: ['a', 'b'] }, { finalizers: ['c', 'a'] }).finalizers, ['c', 'a', 'b']);
    assert.deepEqual(
      merged(
        { containers: [{ name: 'a', env: [{ name: 'x', value: '1' }] }] },
        { containers: [{ name: 'a', env: [{ name: 'y' }] }] },
      ),
      { containers: [{ name: 'a', env: [{ name: 'y' }, { name: 'x', value: '1' }] }] },
    );
  });

  it('replaces where the type says so', () => {
    assert.deepEqual(merged({ whole: { a: '1' } }, { whole: { b: '1' } }), { whole: { b: '1' } });
  });

  it('follows $patch in objects', () => {
    assert.deepEqual(merged({ labels: { x: '1' } }, { labels: { $patch: 'replace', y: '1' } }), { labels: { y: '1' } });
    assert.deepEqual(merged({ labels: { x: '1' } }, { labels: { $patch: 'delete' } }), { labels: {} });
    refused({ labels: { x: '1' } }, { labels: { $patch: 'nope', y: '1' } }, 500, /^unknown patch type: nope in map: /);
  });

  it('follows $patch in items', () => {
    assert.equal(order(merged(live, { containers: [{ name: 'a', $patch: 'delete' }, { name: 'c' }] })), 'cb');
    assert.deepEqual(merged(live, { containers: [{ $patch: 'replace' }, { name: 'z' }] }), {
      containers: [{ name: 'z' }],
    });
    refused(live, { containers: [{ name: 'a', $patch: 'merge' }] }, 500, /merging lists cannot yet be specified/);
    refused(live, { containers: [{ $patch: 'delete' }] }, 500, /does not contain declared merge key: name$/);
  });

  it('drops directives where nothing was', () => {
    assert.deepEqual(
      merged(
        {},
        {
          labels: { $patch: 'merge', x: '1', y: null },
          containers: [
            { name: 'a', $patch: 'delete' },
            { name: 'b', image: null },
          ],
        },
      ),
      { labels: { x: '1' }, containers: [{ name: 'b' }] },
    );
  });

  it('takes items out by $deleteFromPrimitiveList, before others join', () => {
    const patch = { '$deleteFromPrimitiveList/finalizers': ['a', 'z'], finalizers: ['d'] };
    assert.deepEqual(merged({ finalizers: ['c', 'a'] }, patch).finalizers, ['d', 'c']);
    assert.deepEqual(merged({}, { '$deleteFromPrimitiveList/finalizers': ['a'] }), {});
  });

  it('sorts by $setElementOrder', () => {
    const sorted = (names: string, items?: JsonObject[]) =>
      order(
        merged(live, {
          '$setElementOrder/containers': [...names].map((name) => ({ name })),
          ...(items ? { containers: items } : {}),
        }),
      );
    assert.equal(sorted('ba'), 'ba');
    assert.equal(sorted('ba', [{ name: 'b', image: '2' }]), 'ba');
    assert.equal(sorted('cab', [{ name: 'c' }]), 'cab');
    assert.equal(sorted('cb', [{ name: 'c' }]), 'cab');
    assert.deepEqual(
      merged({ finalizers: ['a', 'b', 'c'] }, { '$setElementOrder/finalizers': ['c', 'a'] }).finalizers,
      ['b', 'c', 'a'],
    );
    refused(
      live,
      { '$setElementOrder/containers': [{ name: 'a' }], containers: [{ name: 'z', image: 'i' }] },
      500,
      /^The order in patch list:\n\[map\[image:i name:z\]\]\n doesn't match \$setElementOrder list:\n\[map\[name:a\]\]\n$/,
    );
  });

  it('keeps only the fields that $retainKeys names', () => {
    assert.deepEqual(
      merged({ strategy: { type: 'a', rolling: 'x' } }, { strategy: { $retainKeys: ['type'], type: 'b' } }),
      {
        strategy: { type: 'b' },
      },
    );
    assert.deepEqual(
      merged(
        { volumes: [{ name: 'v', disk: { id: '1' } }] },
        { volumes: [{ name: 'v', $retainKeys: ['name', 'memory'], memory: { size: '1' } }] },
      ).volumes,
      [{ name: 'v', memory: { size: '1' } }],
    );
    refused({ strategy: {} }, { strategy: { $retainKeys: 'type' } }, 400, /^invalid patch format of retainKeys$/);
    refused(
      { strategy: {} },
      { strategy: { $retainKeys: [], type: 'b' } },
      400,
      /^invalid patch format of retainKeys$/,
    );
  });

  it('refuses what it cannot merge', () => {
    refused(
      live,
      { containers: [{ image: 'img:x' }] },
      500,
      /^map: map\[image:img:x\] does not contain declared merge key: name$/,
    );
    refused(
      { keyless: [{ name: 'a' }] },
      { keyless: [{ name: 'b' }] },
      500,
      /^cannot merge lists without merge key for/,
    );
    refused({ finalizers: ['a'] }, { finalizers: [['b']] }, 422, /^the server rejected our request/);
    refused({ finalizers: ['a'] }, { finalizers: [1] }, 500, /^list element types are not identical/);
    refused({}, ['x'], 400, /^error decoding patch: /);
  });

  it('merges untyped objects, replaces untyped lists, and bounds its depth', () => {
    assert.deepEqual(merged({ any: { m: { x: 1 }, l: [1] } }, { any: { m: { y: 1 }, l: [2] } }), {
      any: { m: { x: 1, y: 1 }, l: [2] },
    });
    const deep = (levels: number): JsonObject => (levels === 0 ? { x: 1 } : { d: deep(levels - 1) });
    refused({ any: deep(1000) }, { any: deep(1000) }, 400, /max depth/);
  });

  it('takes names that objects inherit for ordinary ones', () => {
    const patched = merged({ any: {} }, JSON.parse('{"any":{"__proto__":{"x":1},"constructor":1}}'));
    assert.equal(JSON.stringify(patched), '{"any":{"__proto__":{"x":1},"constructor":1}}');
  });
});
