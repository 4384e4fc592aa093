import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { type Heard, type WritingOptions, writingFixture } from '../testing/writingFixture.ts';

const COLLECTION = '/api/v1/namespaces/default/configmaps';
const A = `${COLLECTION}/a`;
const meta = ({ body }: Heard): JsonObject => body.metadata as JsonObject;
const version = (heard: Heard) => String(meta(heard).resourceVersion);
const merge = { 'content-type': 'application/merge-patch+json' };
const json = { 'content-type': 'application/json-patch+json' };
const apply = { 'content-type': 'application/apply-patch+yaml' };

async function sceneWithA(options: WritingOptions = {}) {
  const fixture = await writingFixture(options);
  const made = await fixture.send('POST', COLLECTION, {
    body: { metadata: { name: 'a', labels: { x: 'y' } }, data: { k: 'v' } },
  });
  return { ...fixture, made };
}

test('PUT replaces the whole object but what the service sets', async () => {
  const { send, made } = await sceneWithA();
  const put = await send('PUT', A, { body: { metadata: { name: 'a', generation: 9 }, data: { other: '1' } } });
  assert.equal(put.status, 200);
  assert.deepEqual(put.body.data, { other: '1' });
  assert.equal(meta(put).labels, undefined);
  assert.equal(meta(put).uid, meta(made).uid);
  assert.equal('generation' in meta(put), false);
});

test('a version in a PUT is a condition, and one that changes nothing is not written', async () => {
  const { send, made } = await sceneWithA();
  const same = { metadata: { name: 'a', labels: { x: 'y' }, resourceVersion: version(made) }, data: { k: 'v' } };
  assert.equal(version(await send('PUT', A, { body: same })), version(made));
  const next = await send('PUT', A, { body: { ...same, data: { k: 'w' } } });
  assert.notEqual(version(next), version(made));
  const stale = await send('PUT', A, { body: { ...same, data: { k: 'x' } } });
  assert.equal(stale.status, 409);
  assert.equal(stale.body.reason, 'Conflict');
});

test('a version that is no number is a conflict, in a new object it is refused, with or without dry run', async () => {
  for (const [follow, put, post, dry] of [
    ['spec', 409, 400, 400],
    ['service', 500, 500, 201],
  ] as const) {
    const { send } = await writingFixture({ follow });
    const object = (name: string, resourceVersion?: string) => ({ body: { metadata: { name, resourceVersion } } });
    await send('POST', COLLECTION, object('a'));
    assert.equal((await send('PUT', A, object('a', 'abc'))).status, put);
    assert.equal((await send('POST', COLLECTION, object('b', '7'))).status, post);
    assert.equal((await send('POST', `${COLLECTION}?dryRun=All`, object('b', '7'))).status, dry);
    assert.equal((await send('POST', COLLECTION, object('b', 'abc'))).status, 201);
  }
});

test('an empty list that is always written is stored as none, whichever way it came', async () => {
  const { send } = await writingFixture();
  const path = '/api/v1/namespaces/default/limitranges';
  const body = { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l' }, spec: { limits: [] } };
  for (const [method, target, headers] of [
    ['POST', path, {}],
    ['PUT', `${path}/l`, {}],
    ['PATCH', `${path}/l?fieldManager=a&force=true`, apply],
    ['PATCH', `${path}/l`, merge],
  ] as const) {
    const { body: answer } = await send(method, target, { body, headers });
    assert.deepEqual(answer.spec, { limits: null }, method);
  }
});

test('types without unconditional updates want a version', async () => {
  const { send } = await writingFixture();
  const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/l';
  const created = await send('PUT', path, { body: { metadata: { name: 'l', resourceVersion: '7' }, spec: {} } });
  assert.equal(created.status, 201);
  const refused = await send('PUT', path, { body: { metadata: { name: 'l' }, spec: { holderIdentity: 'x' } } });
  assert.equal(refused.status, 422);
  assert.equal((refused.body.details as JsonObject).kind, 'leases');
});

test('PUT on a missing object is a 404 where the type does not create on update', async () => {
  const { send } = await writingFixture();
  assert.equal((await send('PUT', A, { body: { metadata: { name: 'a' } } })).status, 404);
});

test('a PUT that would create needs the permission to create', async () => {
  const { send } = await writingFixture({
    authorizer: { name: 'none', authorize: () => ({ decision: 'noOpinion', reason: '', by: 'none' }) },
  });
  const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/l';
  const refused = await send('PUT', path, { body: { metadata: { name: 'l' }, spec: {} } });
  assert.equal(refused.status, 403);
  assert.match(String(refused.body.message), /cannot create resource "leases"/);
  assert.equal((await send('GET', path)).status, 404);
});

test('the four kinds of patch are told apart by their type alone', async () => {
  const { send } = await sceneWithA();
  for (const type of ['application/json', 'application/yaml', 'garbage', '', 'application/apply-patch+cbor']) {
    const refused = await send('PATCH', A, { headers: { 'content-type': type }, body: {} });
    assert.equal(refused.status, 415, type);
  }
  const merged = await send('PATCH', A, {
    headers: { 'content-type': 'application/merge-patch+json; charset=utf-8' },
    body: { data: { k: null, l: '1' } },
  });
  assert.deepEqual(merged.body.data, { l: '1' });
  const operations = [{ op: 'add', path: '/data/m', value: '2' }];
  assert.deepEqual((await send('PATCH', A, { headers: json, body: operations })).body.data, { l: '1', m: '2' });
  const failing = [
    { op: 'add', path: '/data/n', value: '3' },
    { op: 'test', path: '/data/l', value: 'no' },
  ];
  const failed = await send('PATCH', A, { headers: json, body: failing });
  assert.equal(failed.status, 422);
  assert.deepEqual((await send('GET', A)).body.data, { l: '1', m: '2' });
});

test('a patch cannot rename, retype or revive', async () => {
  const { send } = await sceneWithA();
  const tried = async (body: unknown) => (await send('PATCH', A, { headers: merge, body })).status;
  assert.equal(await tried({ metadata: { name: 'b' } }), 400);
  assert.equal(await tried({ metadata: { namespace: 'kube-system' } }), 400);
  assert.equal(await tried({ kind: 'Secret' }), 422);
  assert.equal(await tried({ metadata: { uid: '1' } }), 422);
  assert.equal(await tried({ metadata: { deletionTimestamp: '2001-01-01T00:00:00Z' } }), 422);
  assert.equal(await tried({ metadata: { creationTimestamp: null } }), 200);
});

test('a version in a patch is a condition even where nothing changes; If-Match is one by the text', async () => {
  const { send, made } = await sceneWithA();
  await send('PATCH', A, { headers: merge, body: { data: { k: 'w' } } });
  const stale = await send('PATCH', A, { headers: merge, body: { metadata: { resourceVersion: version(made) } } });
  assert.equal(stale.status, 409);
  const matching = (tag: string) => send('PATCH', A, { headers: { ...merge, 'if-match': tag }, body: {} });
  assert.equal((await matching(`"${version(made)}"`)).status, 409);
  assert.equal((await matching('*')).status, 200);
  const service = await sceneWithA({ follow: 'service' });
  const ignored = await service.send('PATCH', A, { headers: { ...merge, 'if-match': '"nope"' }, body: {} });
  assert.equal(ignored.status, 200);
});

test('Strict refuses an unknown field in a patch with 400 by the text and 422 as the service does', async () => {
  const body = { extra: 1 };
  for (const [follow, status] of [
    ['spec', 400],
    ['service', 422],
  ] as const) {
    const { send } = await sceneWithA({ follow });
    assert.equal((await send('PATCH', `${A}?fieldValidation=Strict`, { headers: merge, body })).status, status);
  }
});

test('status and object are written apart, and only spec raises the generation', async () => {
  const { send } = await writingFixture();
  const path = '/apis/apps/v1/namespaces/default/deployments';
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
  const made = await send('POST', path, { body: { metadata: { name: 'd' }, spec, status: { replicas: 7 } } });
  assert.equal(meta(made).generation, 1);
  assert.equal((made.body.status as JsonObject).replicas, undefined);
  const status = await send('PATCH', `${path}/d/status`, {
    headers: merge,
    body: { spec: { replicas: 9 }, status: { replicas: 3 } },
  });
  assert.equal((status.body.spec as JsonObject).replicas, 1);
  assert.equal((status.body.status as JsonObject).replicas, 3);
  assert.equal(meta(status).generation, 1);
  const scaled = await send('PATCH', `${path}/d/scale`, { headers: merge, body: { spec: { replicas: 4 } } });
  assert.deepEqual(scaled.body.spec, { replicas: 4 });
  assert.equal((scaled.body.status as JsonObject).selector, 'a=b');
  const after = await send('GET', `${path}/d`);
  assert.equal(meta(after).generation, 2);
  assert.equal((after.body.status as JsonObject).replicas, 3);
  const negative = await send('PATCH', `${path}/d/scale`, { headers: merge, body: { spec: { replicas: -1 } } });
  assert.equal(negative.status, 422);
  assert.equal((negative.body.details as JsonObject).kind, 'Scale');
});

test('apply creates, owns, refuses what others own, and can force', async () => {
  const { send } = await writingFixture();
  const config = (value: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
    data: { k: value },
  });
  const applied = (manager: string, value: string, more = '') =>
    send('PATCH', `${A}?fieldManager=${manager}${more}`, { headers: apply, body: config(value) });
  assert.equal((await applied('one', '1')).status, 201);
  const conflict = await applied('two', '2');
  assert.equal(conflict.status, 409);
  assert.equal(((conflict.body.details as JsonObject).causes as JsonObject[])[0]?.field, '.data.k');
  const forced = await applied('two', '2', '&force=true');
  assert.deepEqual(forced.body.data, { k: '2' });
  assert.deepEqual(
    (meta(forced).managedFields as JsonObject[]).map((entry) => entry.manager),
    ['two'],
  );
  assert.equal(version(await applied('two', '2')), version(forced));
  assert.equal((await send('PATCH', A, { headers: apply, body: config('3') })).status, 422);
  const merged = await send('PATCH', `${A}?force=true`, { headers: merge, body: {} });
  assert.equal(merged.status, 422);
});

test('an apply to a missing object needs the permission to create, and a uid finds nothing', async () => {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  const forbidden = await writingFixture({
    authorizer: { name: 'none', authorize: () => ({ decision: 'noOpinion', reason: '', by: 'none' }) },
  });
  assert.equal((await forbidden.send('PATCH', `${A}?fieldManager=m`, { headers: apply, body })).status, 403);
  const { send } = await writingFixture();
  const withUid = { ...body, metadata: { name: 'a', uid: '1' } };
  assert.equal((await send('PATCH', `${A}?fieldManager=m`, { headers: apply, body: withUid })).status, 409);
});

test('an unknown field in an apply follows field validation by the text', async () => {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, extra: 1 };
  const { send } = await writingFixture();
  const target = (how: string) => `${A}?fieldManager=m&dryRun=All&fieldValidation=${how}`;
  const warned = await send('PATCH', target('Warn'), { headers: apply, body });
  assert.equal(warned.status, 201);
  assert.deepEqual(warned.warnings, ['unknown field "extra"']);
  assert.equal((await send('PATCH', target('Strict'), { headers: apply, body })).status, 400);
  const service = await writingFixture({ follow: 'service' });
  assert.equal((await service.send('PATCH', target('Ignore'), { headers: apply, body })).status, 500);
});

test('writes at the same time lose nothing where no version is a condition', async () => {
  const { send } = await sceneWithA();
  const writes = Array.from({ length: 20 }, (_, i) =>
    send('PATCH', A, { headers: merge, body: { data: { [`n${i}`]: String(i) } } }),
  );
  for (const heard of await Promise.all(writes)) assert.equal(heard.status, 200);
  assert.equal(Object.keys((await send('GET', A)).body.data as JsonObject).length, 21);
});

test('a patch is judged by its kind: what it may say of itself, and what becomes of numbers', async () => {
  const path = '/apis/apps/v1/namespaces/default/deployments';
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const strategic = 'application/strategic-merge-patch+json';
  const merged = 'application/merge-patch+json';
  const rows: readonly (readonly [
    type: string,
    body: unknown,
    status: number,
    field?: string | undefined,
    query?: string,
  ])[] = [
    [strategic, { kind: 'Other', apiVersion: 'v9' }, 200],
    [merged, { kind: 'Other' }, 422, 'patch'],
    [strategic, { $patch: 'replace', metadata: { name: 'd' } }, 422, 'spec.selector'],
    [strategic, { spec: { replicas: 4_294_967_297 } }, 200],
    [strategic, { spec: { replicas: 2_147_483_648 } }, 422, 'spec.replicas'],
    [strategic, { spec: { replicas: 1.5 } }, 422, 'patch'],
    [merged, { spec: { replicas: 2_147_483_648 } }, 422, 'patch'],
    [merged, 'null', 400],
    [strategic, 'null', 200],
    ['application/apply-patch+yaml', { spec: { replicas: 2_147_483_648 } }, 422, 'spec.replicas', '&force=true'],
    ['application/apply-patch+yaml', { spec: { replicas: 4_294_967_297 } }, 200, undefined, '&force=true'],
    ['application/json-patch+json', [{ op: 'test', path: '/kind', value: 'Deployment', by: 'me' }], 422, 'patch'],
  ];
  for (const [type, body, status, field, more = ''] of rows) {
    const { send } = await writingFixture({ follow: 'service' });
    await send('POST', path, {
      body: { metadata: { name: 'd' }, spec: { replicas: 1, selector: { matchLabels: { a: 'b' } }, template } },
    });
    const typed = type.includes('apply') ? { apiVersion: 'apps/v1', kind: 'Deployment', ...(body as object) } : body;
    const heard = await send('PATCH', `${path}/d?fieldManager=m&fieldValidation=Strict${more}`, {
      headers: { 'content-type': type },
      body: typed,
    });
    const words = `${type} ${JSON.stringify(body)}: ${JSON.stringify(heard.body)}`;
    assert.equal(heard.status, status, words);
    const { causes = [] } = (heard.body.details ?? {}) as { causes?: { field: string }[] };
    if (field)
      assert.ok(
        causes.some((cause) => cause.field === field),
        words,
      );
  }
});

test('entries that make no sense are not written into managedFields: the live ones stay', async () => {
  const { send, made } = await sceneWithA();
  const entry = { manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} };
  for (const [name, value] of [
    ['apiVersion', null],
    ['apiVersion', ''],
    ['operation', 'Other'],
    ['operation', null],
    ['fieldsType', 'FieldsV2'],
    ['fieldsType', null],
    ['fieldsV1', { name: {} }],
  ] as const) {
    const body = { metadata: { managedFields: [{ ...entry, [name]: value }] } };
    const patched = await send('PATCH', A, { headers: merge, body });
    assert.equal(patched.status, 200, JSON.stringify(patched.body));
    assert.deepEqual(meta(patched).managedFields, meta(made).managedFields, `${name} ${value}`);
  }
});

const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
const UNFIT: readonly [what: string, headers: Readonly<Record<string, string>>, body: JsonObject, service: RegExp][] = [
  ['a number where a text is meant', apply, { data: { k: 1 } }, /^failed to create typed patch object .*\.data\.k: /],
  ['a list where a map is meant', apply, { data: ['v'] }, /^failed to create typed patch object .*\.data: /],
  ['a text that is no base64', apply, { binaryData: { k: '!' } }, /^failed to convert new object /],
  ['an unknown directive', strategic, { data: { $patch: 'nope' } }, /^unknown patch type: nope/],
  [
    'an order that names other items',
    strategic,
    { metadata: { finalizers: ['a.io/x'], '$setElementOrder/finalizers': ['a.io/y'] } },
    /^The order in patch list:/,
  ],
];

for (const [what, headers, patched, service] of UNFIT) {
  test(`${what} is a 422 by the text and a 500 of the service`, async () => {
    for (const follow of ['spec', 'service'] as const) {
      const { send, made } = await sceneWithA({ follow });
      const body = headers === apply ? { apiVersion: 'v1', kind: 'ConfigMap', ...patched } : patched;
      const answer = await send('PATCH', `${A}?fieldManager=m`, { headers, body });
      if (follow === 'service') {
        assert.equal(answer.status, 500);
        assert.match(String(answer.body.message), service);
      } else {
        assert.deepEqual([answer.status, answer.body.reason], [422, 'Invalid']);
        const [cause] = (answer.body.details as { causes: JsonObject[] }).causes;
        assert.deepEqual([cause?.field, cause?.reason], ['patch', 'FieldValueInvalid']);
      }
      assert.equal(version(await send('GET', A)), version(made));
    }
  });
}
