import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Json, JsonObject } from '../../api/json.ts';
import { CONFIGMAPS, configMap, type HookFixture, hookFixture, type Script } from '../../testing/webhookFixture.ts';

const patching = (operations: Json, more: JsonObject = {}): Script => ({
  response: {
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
    ...more,
  },
});
const setting = (key: string, value: string) => patching([{ op: 'add', path: `/data/${key}`, value }]);

describe('mutating webhooks', () => {
  let fixture: HookFixture;
  /** What plugins of the server itself do to the object, before the hooks. */
  let own: (object: JsonObject) => void = () => {};
  before(async () => {
    fixture = await hookFixture({
      admission: [
        {
          name: 'own',
          mutate: ({ object, endpoint }) => {
            if (object && endpoint.type.resource === 'configmaps') own(object as unknown as JsonObject);
          },
        },
      ],
    });
  });
  after(() => fixture.close());
  afterEach(async () => {
    for (const kind of ['validating', 'mutating']) {
      await fixture.send('DELETE', `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`);
    }
    fixture.hooks.asked.length = 0;
    fixture.hooks.scripts.clear();
    own = () => {};
  });
  const create = (name: string, more: JsonObject = { data: { a: 'b' } }, query = '') =>
    fixture.send('POST', `${CONFIGMAPS}${query}`, { body: configMap(name, more) });
  const called = () => fixture.hooks.asked.map(({ hook }) => hook);

  test('patches are applied in order, each to what those before made; validating hooks see the outcome', async () => {
    fixture.hooks.scripts.set('one', setting('one', '1'));
    fixture.hooks.scripts.set('two', ({ object }) => {
      const { one = '' } = (object as { data: Record<string, string> }).data;
      return setting('two', `${one}+1`);
    });
    await fixture.configure('Validating', 'v', [{ path: 'judge' }]);
    await fixture.configure('Mutating', 'b', [{ path: 'two' }]);
    await fixture.configure('Mutating', 'a', [{ path: 'one' }]);
    const { body } = await create('patched');
    const data = { a: 'b', one: '1', two: '1+1' };
    assert.deepEqual(body.data, data);
    assert.deepEqual(called(), ['one', 'two', 'judge']);
    assert.deepEqual(((fixture.hooks.asked.at(-1)?.request.object ?? {}) as JsonObject).data, data);
    // The hooks' fields belong to nobody who writes.
    const [entry] = (body.metadata as unknown as { managedFields: { fieldsV1: JsonObject }[] }).managedFields;
    assert.deepEqual(entry?.fieldsV1, { 'f:data': { '.': {}, 'f:a': {} } });
  });

  test('the first refusal ends the round', async () => {
    fixture.hooks.scripts.set('one', { response: { allowed: false, status: { message: 'no' } } });
    await fixture.configure('Mutating', 'w', [{ path: 'one' }, { path: 'two' }]);
    assert.match(String((await create('refused')).body.message), /"one.example.com" denied the request: no$/);
    assert.deepEqual(called(), ['one']);
  });

  test('hooks that ask for it run again after a change by others, and no hook more than twice', async () => {
    let count = 0;
    fixture.hooks.scripts.set('again', () => setting('again', String(++count)));
    fixture.hooks.scripts.set('late', setting('late', '1'));
    await fixture.configure('Mutating', 'w', [
      { path: 'again', reinvocationPolicy: 'IfNeeded' },
      { path: 'never' },
      { path: 'late', reinvocationPolicy: 'IfNeeded' },
    ]);
    const { body } = await create('again');
    assert.deepEqual(called(), ['again', 'never', 'late', 'again', 'late']);
    assert.deepEqual(body.data, { a: 'b', again: '2', late: '1' });
  });

  test('without a change nothing runs twice', async () => {
    fixture.hooks.scripts.set('one', patching([{ op: 'replace', path: '/data/a', value: 'b' }]));
    await fixture.configure('Mutating', 'w', [{ path: 'one', reinvocationPolicy: 'IfNeeded' }, { path: 'two' }]);
    assert.equal((await create('same')).status, 201);
    assert.deepEqual(called(), ['one', 'two']);
  });

  test("after a hook's change the server's own plugins run again, and what they change calls hooks again", async () => {
    let runs = 0;
    own = (object) => {
      object.data = { ...(object.data as JsonObject), runs: String(++runs) };
    };
    fixture.hooks.scripts.set('one', setting('one', '1'));
    await fixture.configure('Mutating', 'w', [{ path: 'one', reinvocationPolicy: 'IfNeeded' }]);
    const { body } = await create('runs');
    assert.deepEqual(body.data, { a: 'b', one: '1', runs: '2' });
    assert.equal(runs, 2);
  });

  test('selectors look at the object as the patches before left it', async () => {
    fixture.hooks.scripts.set('one', patching([{ op: 'add', path: '/metadata/labels', value: { app: 'x' } }]));
    await fixture.configure('Mutating', 'w', [
      { path: 'one' },
      { path: 'two', objectSelector: { matchLabels: { app: 'x' } } },
    ]);
    await create('labels');
    assert.deepEqual(called(), ['one', 'two']);
  });

  test('what comes of a patch is read like a body: defaults are filled, unknown fields dropped', async () => {
    fixture.hooks.scripts.set('one', patching([{ op: 'add', path: '/unheard', value: 1 }]));
    await fixture.configure('Mutating', 'w', [{ path: 'one' }]);
    const { status, body } = await create('unknown');
    assert.equal(status, 201);
    assert.equal(body.unheard, undefined);
  });

  test('a patch that cannot be read, applied or used fails the request, whatever the failure policy', async () => {
    await create('there');
    await fixture.configure('Mutating', 'w', [{ path: 'one', failurePolicy: 'Ignore' }]);
    const cases: readonly [Json, RegExp][] = [
      [[{ op: 'remove', path: '/data/none' }], /^Internal error occurred: /],
      [{ op: 'add' }, /^Internal error occurred: error decoding patch: /],
      [[{ op: 'add', path: '/data', value: 7 }], /^Internal error occurred: .*cannot unmarshal number/],
      [[{ op: 'replace', path: '/kind', value: 'Secret' }], /^Internal error occurred: /],
    ];
    for (const [operations, words] of cases) {
      fixture.hooks.scripts.set('one', patching(operations));
      const failed = await create('bad');
      assert.equal(failed.status, 500, JSON.stringify(failed.body));
      assert.match(String(failed.body.message), words);
    }
    fixture.hooks.scripts.set('one', patching([{ op: 'add', path: '/data/x', value: 'y' }]));
    const deletion = await fixture.send('DELETE', `${CONFIGMAPS}/there`);
    assert.equal(deletion.status, 500);
    assert.match(
      String(deletion.body.message),
      /admission webhook "one.example.com" attempted to modify the object, which is not supported for this operation$/,
    );
  });

  test('patch and patch type belong together, and there is one type', async () => {
    await fixture.configure('Mutating', 'w', [{ path: 'one' }]);
    const fails = async (response: JsonObject, why: string) => {
      fixture.hooks.scripts.set('one', { response });
      const message = `Internal error occurred: failed calling webhook "one.example.com": ${why}`;
      assert.equal((await create('bad')).body.message, message);
    };
    const patch = Buffer.from('[{"op":"remove","path":"/data"}]').toString('base64');
    const invalid = 'received invalid webhook response: webhook returned';
    await fails({ patch }, `${invalid} response.patch but not response.patchType`);
    await fails({ patchType: 'JSONPatch' }, `${invalid} response.patchType but not response.patch`);
    await fails({ patch, patchType: 'MergePatch' }, 'unsupported patch type "MergePatch"');
  });

  test('field owners that a hook breaks stay as they were, with a warning', async () => {
    fixture.hooks.scripts.set(
      'one',
      patching([{ op: 'add', path: '/metadata/managedFields', value: [{ manager: 'x' }] }]),
    );
    await fixture.configure('Mutating', 'w', [{ path: 'one' }]);
    const { body, warnings } = await create('owners');
    const { managedFields } = body.metadata as unknown as { managedFields: JsonObject[] };
    assert.deepEqual(managedFields[0]?.fieldsV1, { 'f:data': { '.': {}, 'f:a': {} } });
    assert.match(warnings[0] ?? '', /^\.metadata\.managedFields was in an invalid state after admission;/);
  });

  test('a patch in another version comes back in the version that is stored', async () => {
    const rules = [
      { apiGroups: ['autoscaling'], apiVersions: ['v1'], operations: ['*'], resources: ['horizontalpodautoscalers'] },
    ];
    fixture.hooks.scripts.set('one', patching([{ op: 'replace', path: '/spec/maxReplicas', value: 9 }]));
    await fixture.configure('Mutating', 'w', [{ path: 'one', rules }]);
    const body = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, maxReplicas: 5 },
    };
    const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
    const { body: stored } = await fixture.send('POST', path, { body });
    assert.equal(stored.apiVersion, 'autoscaling/v2');
    assert.equal((stored.spec as JsonObject).maxReplicas, 9);
  });
});
