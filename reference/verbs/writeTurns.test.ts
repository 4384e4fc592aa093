import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Heard, type Sending, writingFixture } from '../testing/writingFixture.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
/** Turns that a write of a large object gives at least: between merge, the records of ownership, mutation, validation, commit and answer, and within some. */
const TURNS = 9;

const entries = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key-${at}`, `v${at}`]));
const configMap = (name: string, count: number) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: entries(count),
});

/** The answer to a request, and how often others could go on before it came. */
async function turnsOf(request: Promise<Heard>): Promise<{ heard: Heard; turns: number }> {
  let turns = 0;
  let over = false;
  const count = (): void => {
    if (over) return;
    turns++;
    setImmediate(count);
  };
  setImmediate(count);
  const heard = await request;
  over = true;
  return { heard, turns };
}

const PATCHES: Readonly<Record<string, Sending>> = {
  'merge patch': { body: { data: { more: 'm' } }, headers: { 'content-type': 'application/merge-patch+json' } },
  'strategic merge patch': {
    body: { data: { more: 's' } },
    headers: { 'content-type': 'application/strategic-merge-patch+json' },
  },
  'JSON patch': {
    body: [{ op: 'add', path: '/data/more', value: 'j' }],
    headers: { 'content-type': 'application/json-patch+json' },
  },
  'merge patch that takes nearly all away': {
    body: { data: null },
    headers: { 'content-type': 'application/merge-patch+json' },
  },
};

test('others have their turn between the stages of a write of a large object, though no header tells its bytes', async () => {
  const { send } = await writingFixture();
  const created = await turnsOf(send('POST', CONFIG_MAPS, { body: configMap('large', 20_000) }));
  assert.equal(created.heard.status, 201);
  assert.ok(created.turns >= TURNS, String(created.turns));
});

test('a small patch of a large object gives others their turn, and one of a small object need not', async () => {
  const { send } = await writingFixture();
  await send('POST', CONFIG_MAPS, { body: configMap('large', 20_000) });
  await send('POST', CONFIG_MAPS, { body: configMap('small', 10) });
  for (const [kind, sending] of Object.entries(PATCHES)) {
    const large = await turnsOf(send('PATCH', `${CONFIG_MAPS}/large`, sending));
    assert.equal(large.heard.status, 200, kind);
    assert.ok(large.turns >= TURNS, `${kind}: ${large.turns}`);
    const small = await turnsOf(send('PATCH', `${CONFIG_MAPS}/small`, sending));
    assert.equal(small.heard.status, 200, kind);
    assert.equal(small.turns, 0, kind);
  }
});

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A definition of widgets whose spec has so many fields, and an object with all of them. */
function widgets(count: number) {
  const names = Array.from({ length: count }, (_, at) => `f${at}`);
  const field = {
    type: 'string',
    pattern: '^[a-z]+$',
    'x-kubernetes-validations': [{ rule: "self != ''" }],
    maxLength: 99,
  };
  const spec = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, field])) };
  return {
    definition: {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
          },
        ],
      },
    },
    object: {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w' },
      spec: Object.fromEntries(names.map((name) => [name, 'abc'.repeat(20)])),
    },
  };
}

test('judging a large definition, and a large object of its type, gives others their turn', async () => {
  const { send, controllers } = await writingFixture();
  const { definition, object } = widgets(9_000);
  const defined = await turnsOf(send('POST', CRDS, { body: definition }));
  assert.equal(defined.heard.status, 201);
  // Patterns and rules take longer than anything else.
  assert.ok(defined.turns >= 4 * TURNS, String(defined.turns));
  await controllers.idle();
  const path = '/apis/example.com/v1/namespaces/default/widgets';
  const made = await turnsOf(send('POST', path, { body: object }));
  assert.equal(made.heard.status, 201);
  assert.ok(made.turns >= TURNS, String(made.turns));
  const wrong = { ...object, metadata: { name: 'wrong' }, spec: { ...object.spec, f1: 'A', f8000: '' } };
  const refused = await send('POST', path, { body: wrong });
  assert.equal(refused.status, 422);
  assert.match(JSON.stringify(refused.body), /spec\.f1.*spec\.f8000/);
});
