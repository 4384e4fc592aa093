import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { JsonObject } from '../../api/json.ts';
import { asJson } from '../../api/object.ts';
import type { Entry } from '../../contracts/entry.ts';
import { CONFIGMAPS, configMap, type HookFixture, hookFixture } from '../../testing/webhookFixture.ts';

describe('validating webhooks', () => {
  let fixture: HookFixture;
  before(async () => {
    fixture = await hookFixture();
  });
  after(() => fixture.close());
  afterEach(async () => {
    const all = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    await fixture.send('DELETE', all);
    fixture.hooks.asked.length = 0;
    fixture.hooks.scripts.clear();
  });
  const create = (name: string, more: JsonObject = {}, query = '') =>
    fixture.send('POST', `${CONFIGMAPS}${query}`, { body: configMap(name, more) });

  test('a review carries who asks what of which object, and the answer goes by it', async () => {
    await fixture.configure('Validating', 'w', [{ path: 'one' }]);
    assert.equal((await create('reviewed', { data: { a: 'b' } }, '?fieldManager=me')).status, 201);
    const [{ review, request }] = fixture.hooks.asked as [(typeof fixture.hooks.asked)[0]];
    assert.equal(review.apiVersion, 'admission.k8s.io/v1');
    assert.equal(review.kind, 'AdmissionReview');
    const { uid, object, ...rest } = request;
    assert.match(String(uid), /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, {
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
      requestResource: { group: '', version: 'v1', resource: 'configmaps' },
      name: 'reviewed',
      namespace: 'default',
      operation: 'CREATE',
      userInfo: { username: 'admin', groups: ['system:masters'] },
      oldObject: null,
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'me' },
    });
    assert.deepEqual((object as JsonObject).data, { a: 'b' });
    assert.deepEqual(Object.keys(request).slice(0, 3), ['uid', 'kind', 'resource']);
  });

  test('a refusal has the words, code, reason and details of the hook, and at least a 400', async () => {
    const status = { code: 409, reason: 'Busy', message: 'later', details: { name: 'x', retryAfterSeconds: 3 } };
    fixture.hooks.scripts.set('one', { response: { allowed: false, status } });
    await fixture.configure('Validating', 'w', [{ path: 'one' }]);
    const refused = await create('refused');
    assert.deepEqual(refused.body, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'admission webhook "one.example.com" denied the request: later',
      reason: 'Busy',
      details: { name: 'x', retryAfterSeconds: 3 },
      code: 409,
    });
    fixture.hooks.scripts.set('one', { response: { allowed: false, status: { code: 200, status: 'Success' } } });
    const plain = await create('refused');
    assert.equal(plain.status, 400);
    assert.equal(plain.body.status, 'Failure');
    assert.equal(plain.body.reason, undefined);
    assert.match(String(plain.body.message), /denied the request without explanation$/);
    fixture.hooks.scripts.set('one', { response: { allowed: false, status: { reason: 'Tired' } } });
    assert.match(String((await create('refused')).body.message), /denied the request: Tired$/);
  });

  test('all hooks are asked at once, and of several refusals that of the first hook counts', async () => {
    fixture.hooks.scripts.set('slow', 'hang');
    for (const path of ['first', 'second']) {
      fixture.hooks.scripts.set(path, { response: { allowed: false, status: { message: path }, warnings: [path] } });
    }
    await fixture.configure('Validating', 'b', [{ path: 'second' }, { path: 'slow', failurePolicy: 'Ignore' }]);
    await fixture.configure('Validating', 'a', [{ path: 'first' }]);
    const refused = create('several');
    while (fixture.hooks.asked.length < 3) await new Promise((resolve) => setImmediate(resolve));
    fixture.clock.advance(10_000);
    const { body, warnings } = await refused;
    assert.match(String(body.message), /"first.example.com" denied the request: first$/);
    assert.deepEqual(warnings, ['first', 'second']);
  });

  test('updates and deletions show the old object, a deletion no new one', async () => {
    await create('changing', { data: { a: '1' } });
    await fixture.configure('Validating', 'w', [{ path: 'one' }]);
    const patch = { headers: { 'content-type': 'application/merge-patch+json' }, body: { data: { a: '2' } } };
    assert.equal((await fixture.send('PATCH', `${CONFIGMAPS}/changing`, patch)).status, 200);
    assert.equal((await fixture.send('DELETE', `${CONFIGMAPS}/changing`)).status, 200);
    const [update, deletion] = fixture.hooks.asked.map((one) => one.request) as [JsonObject, JsonObject];
    assert.equal(update.operation, 'UPDATE');
    assert.equal((update.options as JsonObject).kind, 'UpdateOptions');
    assert.deepEqual(
      [update.object, update.oldObject].map((object) => (object as JsonObject).data),
      [{ a: '2' }, { a: '1' }],
    );
    assert.equal(deletion.operation, 'DELETE');
    assert.equal(deletion.object, null);
    assert.deepEqual((deletion.oldObject as JsonObject).data, { a: '2' });
    assert.equal((deletion.options as JsonObject).kind, 'DeleteOptions');
  });

  test('a dry run reaches hooks without side effects only', async () => {
    await fixture.configure('Validating', 'w', [{ path: 'one', sideEffects: 'NoneOnDryRun' }]);
    assert.equal((await create('dry', {}, '?dryRun=All')).status, 201);
    assert.equal(fixture.hooks.asked[0]?.request.dryRun, true);
    // A configuration of an older version may say so; it cannot be written any more.
    const key = '/admissionregistration.k8s.io/validatingwebhookconfigurations/w';
    const entry = fixture.store.get(key) as Entry;
    const { resourceVersion: _, ...metadata } = entry.object.metadata;
    const [hook = {}] = asJson(entry.object).webhooks as JsonObject[];
    const object = { ...entry.object, metadata, webhooks: [{ ...hook, sideEffects: 'Unknown' }] };
    fixture.store.commit({ key, expected: entry.modRevision, object });
    const refused = await create('dry', {}, '?dryRun=All');
    assert.equal(refused.status, 400);
    assert.equal(refused.body.reason, 'BadRequest');
    assert.equal(refused.body.message, 'admission webhook "one.example.com" does not support dry run');
    assert.equal(fixture.hooks.asked.length, 1);
    assert.equal((await create('wet')).status, 201);
  });

  test('a changed configuration counts at once, and a removed one no longer', async () => {
    await fixture.configure('Validating', 'w', [{ path: 'before' }]);
    await create('a1');
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/w';
    const body = [{ op: 'replace', path: '/webhooks/0/clientConfig/url', value: `${fixture.hooks.url}/after` }];
    await fixture.send('PATCH', path, { headers: { 'content-type': 'application/json-patch+json' }, body });
    await create('a2');
    await fixture.send('DELETE', path);
    await create('a3');
    assert.deepEqual(
      fixture.hooks.asked.map(({ hook, request }) => [hook, request.name]),
      [
        ['before', 'a1'],
        ['after', 'a2'],
      ],
    );
  });

  test('hooks never see requests about webhook configurations', async () => {
    fixture.hooks.scripts.set('wall', { response: { allowed: false } });
    const everything = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] };
    await fixture.configure('Validating', 'wall', [{ path: 'wall', rules: [everything] }]);
    await fixture.configure('Validating', 'other', [{ path: 'one' }]);
    assert.deepEqual(fixture.hooks.asked, []);
    assert.equal((await create('walled')).status, 400);
  });

  test('conditions choose requests; one that fails refuses, or skips the hook, by the failure policy', async () => {
    const conditions = (expression: string) => [{ name: 'c', expression }];
    fixture.hooks.scripts.set('no', { response: { allowed: false } });
    await fixture.configure('Validating', 'w', [
      { path: 'yes', matchConditions: conditions('request.operation == "CREATE" && object.metadata.name == "here"') },
      { path: 'no', matchConditions: conditions('false') },
      { path: 'open', failurePolicy: 'Ignore', matchConditions: conditions('object.data.x == "y"') },
    ]);
    assert.equal((await create('here')).status, 201);
    assert.deepEqual(
      fixture.hooks.asked.map(({ hook }) => hook),
      ['yes'],
    );
    await fixture.configure('Validating', 'x', [{ path: 'shut', matchConditions: conditions('object.data.x == "y"') }]);
    const refused = await create('there');
    assert.equal(refused.status, 403);
    assert.equal(
      refused.body.message,
      `configmaps "there" is forbidden: expression 'object.data.x == "y"' resulted in error: no such key: data`,
    );
  });

  test('the object selector looks at the old object and the new one, the namespace selector at its namespace', async () => {
    await fixture.configure('Validating', 'w', [
      { path: 'labelled', objectSelector: { matchLabels: { app: 'x' } } },
      { path: 'elsewhere', namespaceSelector: { matchLabels: { team: 'other' } } },
      { path: 'here', namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } } },
    ]);
    await create('labels', { metadata: { labels: { app: 'x' } } });
    const patch = {
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { metadata: { labels: { app: 'y' } } },
    };
    await fixture.send('PATCH', `${CONFIGMAPS}/labels`, patch);
    await fixture.send('DELETE', `${CONFIGMAPS}/labels`);
    assert.deepEqual(
      fixture.hooks.asked.map(({ hook, request }) => `${hook} ${request.operation}`),
      ['labelled CREATE', 'here CREATE', 'labelled UPDATE', 'here UPDATE', 'here DELETE'],
    );
  });

  test('a request through another version is shown in the version of the rule, unless only that version is meant', async () => {
    const rules = [
      { apiGroups: ['autoscaling'], apiVersions: ['v1'], operations: ['*'], resources: ['horizontalpodautoscalers'] },
    ];
    await fixture.configure('Validating', 'w', [
      { path: 'equivalent', rules },
      { path: 'exact', rules, matchPolicy: 'Exact' },
    ]);
    const body = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, maxReplicas: 5 },
    };
    const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
    assert.equal((await fixture.send('POST', path, { body })).status, 201);
    assert.equal(fixture.hooks.asked.length, 1);
    const { kind, requestKind, resource, requestResource, object } = (fixture.hooks.asked[0]?.request ??
      {}) as JsonObject;
    assert.deepEqual(
      [kind, requestKind, resource, requestResource].map((one) => (one as JsonObject).version),
      ['v1', 'v2', 'v1', 'v2'],
    );
    assert.equal((object as JsonObject).apiVersion, 'autoscaling/v1');
  });

  test('a deletion of many asks about each without a name', async () => {
    for (const name of ['m1', 'm2']) await create(name, { metadata: { labels: { many: 'yes' } } });
    await fixture.configure('Validating', 'w', [{ path: 'one' }]);
    await fixture.send('DELETE', `${CONFIGMAPS}?labelSelector=many%3Dyes`);
    assert.deepEqual(
      fixture.hooks.asked.map(({ request }) => [
        request.name,
        (request.oldObject as { metadata: JsonObject }).metadata.name,
      ]),
      [
        [undefined, 'm1'],
        [undefined, 'm2'],
      ],
    );
  });

  test('a connection to a pod is asked about with its options, which no selector can match', async () => {
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec };
    await fixture.send('POST', '/api/v1/namespaces/default/pods', { body });
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CONNECT'], resources: ['pods/exec'] }];
    fixture.hooks.scripts.set('one', { response: { allowed: false, status: { code: 403, message: 'no shells' } } });
    await fixture.configure('Validating', 'w', [
      { path: 'one', rules },
      { path: 'two', rules, objectSelector: { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] } },
    ]);
    const refused = await fixture.send('POST', '/api/v1/namespaces/default/pods/p/exec?command=sh&tty=true');
    assert.equal(refused.body.message, 'admission webhook "one.example.com" denied the request: no shells');
    assert.equal(fixture.hooks.asked.length, 1);
    const { uid: _, userInfo: __, ...request } = fixture.hooks.asked[0]?.request ?? {};
    const kind = { group: '', version: 'v1', kind: 'PodExecOptions' };
    const resource = { group: '', version: 'v1', resource: 'pods' };
    assert.deepEqual(request, {
      kind,
      resource,
      subResource: 'exec',
      requestKind: kind,
      requestResource: resource,
      requestSubResource: 'exec',
      name: 'p',
      namespace: 'default',
      operation: 'CONNECT',
      object: { kind: 'PodExecOptions', apiVersion: 'v1', tty: true, command: ['sh'] },
      oldObject: null,
      dryRun: false,
      options: null,
    });
  });
});
