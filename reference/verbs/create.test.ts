import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { type Heard, writingFixture } from '../testing/writingFixture.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const meta = ({ body }: Heard): JsonObject => body.metadata as JsonObject;
const causes = ({ body }: Heard): string[] =>
  ((body.details as JsonObject).causes as JsonObject[]).map((cause) => `${cause.field}: ${cause.reason}`);

test('a created object gets what only the service sets, whatever its body says', async () => {
  const { send } = await writingFixture();
  const made = await send('POST', CONFIG_MAPS, {
    body: {
      metadata: {
        name: 'a',
        uid: 'mine',
        creationTimestamp: '2001-01-01T00:00:00Z',
        deletionTimestamp: '2001-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 5,
        selfLink: '/x',
      },
      data: { k: 'v' },
    },
  });
  assert.equal(made.status, 201);
  assert.equal(made.body.kind, 'ConfigMap');
  assert.equal(meta(made).namespace, 'default');
  assert.match(String(meta(made).uid), /^[0-9a-f-]{36}$/);
  assert.equal(meta(made).creationTimestamp, '2025-01-01T00:00:00Z');
  for (const field of ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink']) {
    assert.equal(field in meta(made), false, field);
  }
  const [entry] = meta(made).managedFields as JsonObject[];
  assert.equal(entry?.manager, 'unknown');
  assert.deepEqual(entry?.fieldsV1, { 'f:data': { '.': {}, 'f:k': {} } });
});

test('a name is taken once, and a generated one is tried again before it is refused', async () => {
  const { send } = await writingFixture();
  assert.equal((await send('POST', CONFIG_MAPS, { body: { metadata: { name: 'a' } } })).status, 201);
  const again = await send('POST', CONFIG_MAPS, { body: { metadata: { name: 'a' } } });
  assert.equal(again.status, 409);
  assert.equal(again.body.reason, 'AlreadyExists');
  const both = await send('POST', CONFIG_MAPS, { body: { metadata: { name: 'a', generateName: 'g-' } } });
  assert.equal((both.body.details as JsonObject).retryAfterSeconds, 1);
  const generated = await send('POST', CONFIG_MAPS, { body: { metadata: { generateName: 'g-' } } });
  assert.match(String(meta(generated).name), /^g-[a-z0-9]{5}$/);
});

test('all causes of an invalid object come in one 422', async () => {
  const { send } = await writingFixture();
  const refused = await send('POST', CONFIG_MAPS, {
    body: {
      metadata: { name: 'A', labels: { 'k!': 'a b' }, finalizers: ['plain'] },
      data: { 'bad key': 'x' },
    },
  });
  assert.equal(refused.status, 422);
  assert.deepEqual(causes(refused), [
    'metadata.name: FieldValueInvalid',
    'metadata.labels: FieldValueInvalid',
    'metadata.labels: FieldValueInvalid',
    'metadata.finalizers[0]: FieldValueInvalid',
    'data[bad key]: FieldValueInvalid',
  ]);
});

test('unknown and duplicate fields follow fieldValidation', async () => {
  const { send } = await writingFixture();
  const body = '{"metadata":{"name":"a","nope":1},"data":{"k":"1","k":"2"},"extra":true}';
  const warned = await send('POST', `${CONFIG_MAPS}?dryRun=All`, { body });
  assert.equal(warned.status, 201);
  assert.deepEqual(
    [...warned.warnings].sort(),
    ['duplicate field "data.k"', 'unknown field "extra"', 'unknown field "metadata.nope"'].sort(),
  );
  assert.deepEqual((await send('POST', `${CONFIG_MAPS}?dryRun=All&fieldValidation=Ignore`, { body })).warnings, []);
  const strict = await send('POST', `${CONFIG_MAPS}?fieldValidation=Strict`, { body });
  assert.equal(strict.status, 400);
  for (const fault of ['data.k', 'extra', 'metadata.nope'])
    assert.match(String(strict.body.message), new RegExp(fault));
  assert.equal((await send('POST', `${CONFIG_MAPS}?fieldValidation=strict`, { body })).status, 422);
});

/** Bodies of a deployment's or a config map's, and their faults as strict validation names them. */
const FAULTS: readonly (readonly [path: string, body: string, faults: string])[] = [
  [
    DEPLOYMENTS,
    '{"metadata":{"name":"a"},"spec":{"odd":1,"twice":1,"twice":2,"paused":true,"paused":false,"template":{"spec":{"containers":[{"odd":1,"image":"i","image":"j"}]}}}}',
    'unknown field "spec.odd", unknown field "spec.twice", duplicate field "spec.paused", unknown field "spec.template.spec.containers[0].odd", duplicate field "spec.template.spec.containers[0].image"',
  ],
  [
    CONFIG_MAPS,
    '{"data":{"k":"1","k":"2"},"9":1,"5":1}',
    'duplicate field "data.k", unknown field "9", unknown field "5"',
  ],
  [CONFIG_MAPS, '{"odd":{"k":"1","k":"2"}}', 'unknown field "odd"'],
  [CONFIG_MAPS, '{"odd":[{"k":"1","k":"2"}],"data":{},"data":{}}', 'unknown field "odd", duplicate field "data"'],
  [CONFIG_MAPS, '{"kind":"ConfigMap","kind":"ConfigMap"}', 'duplicate field "kind"'],
];

test('faults of field validation stand in the order of the body, for an error and for warnings', async () => {
  const { send } = await writingFixture();
  for (const [path, body, faults] of FAULTS) {
    const strict = await send('POST', `${path}?fieldValidation=Strict`, { body });
    assert.equal(String(strict.body.message).replace(/^.*strict decoding error: /, ''), faults, body);
    const warned = await send('POST', `${path}?fieldValidation=Warn`, { body });
    assert.equal([...warned.warnings].join(', '), faults, body);
    assert.deepEqual((await send('POST', `${path}?fieldValidation=Ignore`, { body })).warnings, []);
  }
});

test('kind and version of the body must be those of the path', async () => {
  const { send } = await writingFixture();
  for (const type of [{ kind: 'Secret' }, { apiVersion: 'v2' }, { apiVersion: 'a/b/c' }, { Kind: 'Secret' }]) {
    const refused = await send('POST', CONFIG_MAPS, { body: { ...type, metadata: { name: 'a' } } });
    assert.equal(refused.status, 400, JSON.stringify(type));
  }
});

test('names such as __proto__ are data like any other', async () => {
  const { send } = await writingFixture();
  const made = await send('POST', CONFIG_MAPS, {
    body: '{"metadata":{"name":"a","labels":{"constructor":"x"}},"data":{"__proto__":"p","constructor":"c"}}',
  });
  assert.equal(made.status, 201);
  assert.deepEqual(Object.entries(made.body.data as JsonObject).sort(), [
    ['__proto__', 'p'],
    ['constructor', 'c'],
  ]);
});

test('a dry run leaves nothing behind', async () => {
  const { send, store } = await writingFixture();
  const before = store.revision();
  const dry = await send('POST', `${CONFIG_MAPS}?dryRun=All`, { body: { metadata: { name: 'a' } } });
  assert.equal(dry.status, 201);
  assert.equal('resourceVersion' in meta(dry), false);
  assert.equal(store.revision(), before);
  assert.equal((await send('GET', `${CONFIG_MAPS}/a`)).status, 404);
});

test('by the text an empty dryRun is a dry run, the service refuses it', async () => {
  const text = await writingFixture();
  assert.equal((await text.send('POST', `${CONFIG_MAPS}?dryRun`, { body: { metadata: { name: 'a' } } })).status, 201);
  assert.equal((await text.send('GET', `${CONFIG_MAPS}/a`)).status, 404);
  const service = await writingFixture({ follow: 'service' });
  const refused = await service.send('POST', `${CONFIG_MAPS}?dryRun=`, { body: { metadata: { name: 'a' } } });
  assert.equal(refused.status, 422);
  assert.equal((refused.body.details as JsonObject).kind, 'CreateOptions');
});

test('owners that are named twice are merged with a warning, incomplete ones are refused', async () => {
  const { send } = await writingFixture();
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '11111111-2222-3333-4444-555555555555' };
  const merged = await send('POST', `${CONFIG_MAPS}?dryRun=All`, {
    body: { metadata: { name: 'a', ownerReferences: [owner, owner] } },
  });
  assert.equal((meta(merged).ownerReferences as unknown[]).length, 1);
  assert.match(merged.warnings[0] ?? '', /duplicate entries/);
  const empty = await send('POST', CONFIG_MAPS, { body: { metadata: { name: 'a', ownerReferences: [{}] } } });
  assert.deepEqual(
    causes(empty),
    ['apiVersion', 'kind', 'name', 'uid'].map((field) => `metadata.ownerReferences.${field}: FieldValueInvalid`),
  );
  const two = await send('POST', CONFIG_MAPS, {
    body: {
      metadata: {
        name: 'a',
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, uid: '2', controller: true },
        ],
      },
    },
  });
  assert.deepEqual(causes(two), ['metadata.ownerReferences: FieldValueInvalid']);
});
