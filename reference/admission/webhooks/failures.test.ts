import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { JsonObject } from '../../api/json.ts';
import {
  CONFIGMAPS,
  configMap,
  type HookFixture,
  hookFixture,
  hookServer,
  type Script,
} from '../../testing/webhookFixture.ts';

const ANSWER = 'received invalid webhook response';
const CALL = 'failed to call webhook';

describe('webhooks that fail', () => {
  let fixture: HookFixture;
  const services = new Map<string, { host: string; port: number }>();
  before(async () => {
    fixture = await hookFixture({ services });
  });
  after(() => fixture.close());
  afterEach(async () => {
    for (const kind of ['validating', 'mutating']) {
      await fixture.send('DELETE', `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`);
    }
    fixture.hooks.asked.length = 0;
    fixture.hooks.scripts.clear();
    services.clear();
  });
  const create = (name = 'x') => fixture.send('POST', `${CONFIGMAPS}?dryRun=All`, { body: configMap(name) });
  /** The failure as the client is told, without the words that all failures have. */
  const fault = async () => {
    const { status, body } = await create();
    assert.equal(status, 500, JSON.stringify(body));
    assert.equal(body.reason, 'InternalError');
    const message = String(body.message);
    assert.deepEqual(body.details, { causes: [{ message: message.replace('Internal error occurred: ', '') }] });
    return message.replace('Internal error occurred: failed calling webhook "one.example.com": ', '');
  };
  const ca = () => Buffer.from(fixture.hooks.ca).toString('base64');

  test('answers that are none say why', async () => {
    await fixture.configure('Validating', 'w', [{ path: 'one' }]);
    const cases: readonly [Script, string][] = [
      [
        { status: 500, text: 'broken' },
        `${CALL}: an error on the server ("broken") has prevented the request from succeeding`,
      ],
      [{ status: 404, text: '' }, `${CALL}: the server could not find the requested resource`],
      [{ status: 503, text: '{"kind":"Status","status":"Failure","message":"gone fishing"}' }, `${CALL}: gone fishing`],
      [
        { status: 204, text: '' },
        `${CALL}: 0-length response with status code: 204 and content type: application/json`,
      ],
      [
        { status: 200, text: '', headers: { 'content-type': 'text/plain' } },
        `${CALL}: 0-length response with status code: 200 and content type: text/plain`,
      ],
      [
        { status: 200, text: 'no json' },
        `${CALL}: couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
      ],
      [{ status: 200, text: '{}' }, `${ANSWER}: webhook response was absent`],
      [{ envelope: { kind: 'Status' } }, `${CALL}: converting (v1.Status) to (v1.AdmissionReview): unknown conversion`],
      [
        { envelope: { apiVersion: 'admission.k8s.io/v1beta1' } },
        `${CALL}: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion`,
      ],
      [{ envelope: { apiVersion: 'v1' } }, `${CALL}: no kind "AdmissionReview" is registered for version "v1"`],
      [
        { envelope: { kind: null, apiVersion: null } },
        `${ANSWER}: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=`,
      ],
      [{ response: { patch: 'e30=' } }, `${ANSWER}: validating webhook may not return response.patch`],
      [{ response: { patchType: 'JSONPatch' } }, `${ANSWER}: validating webhook may not return response.patchType`],
      [
        { response: { allowed: 'yes' } },
        `${CALL}: json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool`,
      ],
    ];
    for (const [script, why] of cases) {
      fixture.hooks.scripts.set('one', script);
      assert.equal(await fault(), why);
    }
    fixture.hooks.scripts.set('one', { response: { uid: 'other' } });
    assert.match(
      await fault(),
      /^received invalid webhook response: expected response.uid="[0-9a-f-]{36}", got "other"$/,
    );
    fixture.hooks.scripts.set('one', 'hang up');
    assert.match(await fault(), /^failed to call webhook: Post "https:.*\/one\?timeout=10s": EOF$/);
  });

  test('under Ignore a failure lets the request pass without a word', async () => {
    await fixture.configure('Validating', 'w', [{ path: 'one', failurePolicy: 'Ignore' }]);
    await fixture.configure('Mutating', 'w', [{ path: 'one', failurePolicy: 'Ignore' }]);
    for (const script of [{ status: 500, text: '' }, 'hang up', { response: { uid: '' } }] as const) {
      fixture.hooks.scripts.set('one', script);
      assert.deepEqual([(await create()).status, (await create()).warnings], [201, []]);
    }
    assert.equal(fixture.hooks.asked.length, 12);
  });

  test('the beta version of a review is asked where it comes first, and its answer is looked at less closely', async () => {
    await fixture.configure('Validating', 'w', [{ path: 'one', admissionReviewVersions: ['v7', 'v1beta1', 'v1'] }]);
    fixture.hooks.scripts.set('one', { response: { uid: 'other' }, envelope: { kind: null, apiVersion: null } });
    assert.equal((await create()).status, 201);
    assert.equal(fixture.hooks.asked[0]?.review.apiVersion, 'admission.k8s.io/v1beta1');
  });

  test('what was stored without a known review version makes calls fail under failurePolicy (WEBHOOK-REVIEW-02)', async () => {
    for (const [failurePolicy, status] of [
      ['Fail', 500],
      ['Ignore', 201],
    ] as const) {
      await fixture.configure('Validating', failurePolicy.toLowerCase(), [{ path: 'one', failurePolicy }]);
      // As another server may have left it: no request would be let through with it.
      const [entry] = (await fixture.store.range({ prefix: '/admissionregistration.k8s.io/validating' })).entries;
      assert.ok(entry);
      const webhooks = (entry.object.webhooks as JsonObject[]).map((hook) => ({
        ...hook,
        admissionReviewVersions: ['v7', 'v8'],
      }));
      const { resourceVersion: _, ...metadata } = entry.object.metadata;
      const object = { ...entry.object, metadata, webhooks };
      await fixture.store.commit({ key: entry.key, expected: entry.modRevision, object });
      assert.equal((await create(failurePolicy.toLowerCase())).status, status);
      await fixture.send('DELETE', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations');
    }
    assert.equal(fixture.hooks.asked.length, 0, 'the webhook is not called in a version it does not know');
  });

  test('a hook that takes longer than its time is given up, and holds up nobody else', async () => {
    fixture.hooks.scripts.set('one', ({ name }) => (name === 'hangs' ? 'hang' : {}));
    await fixture.configure('Validating', 'w', [{ path: 'one', timeoutSeconds: 2 }]);
    const waiting = create('hangs');
    while (fixture.hooks.asked.length < 1) await new Promise((resolve) => setImmediate(resolve));
    fixture.clock.advance(1_999);
    assert.equal((await create('quick')).status, 201);
    fixture.clock.advance(1);
    const { body } = await waiting;
    assert.equal(
      body.message,
      `Internal error occurred: failed calling webhook "one.example.com": failed to call webhook: Post "${fixture.hooks.url}/one?timeout=2s": context deadline exceeded`,
    );
  });

  test('a hook that asks for patience is asked again', async () => {
    let calls = 0;
    fixture.hooks.scripts.set(
      'one',
      (): Script => (++calls < 3 ? { status: 429, text: '', headers: { 'retry-after': '0' } } : {}),
    );
    await fixture.configure('Validating', 'w', [{ path: 'one' }]);
    const answer = create();
    while (calls < 3) {
      await new Promise((resolve) => setImmediate(resolve));
      fixture.clock.advance(0);
    }
    assert.equal((await answer).status, 201);
  });

  test('a certificate of another authority, or of another host, is not trusted', async () => {
    const other = await hookServer(['elsewhere.example.com']);
    try {
      const post = (url: string) => `${CALL}: Post "${url}?timeout=10s"`;
      await fixture.configure('Validating', 'w', [
        { path: 'one', clientConfig: { url: `${other.url}/one`, caBundle: ca() } },
      ]);
      const unknown = 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
      assert.equal(await fault(), `${post(`${other.url}/one`)}: ${unknown}`);
      await fixture.send('DELETE', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/w');
      await fixture.configure('Validating', 'w', [
        { path: 'one', clientConfig: { url: `${other.url}/one`, caBundle: Buffer.from(other.ca).toString('base64') } },
      ]);
      assert.equal(
        await fault(),
        `${post(`${other.url}/one`)}: tls: failed to verify certificate: x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs`,
      );
      await fixture.send('DELETE', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/w');
      await fixture.configure('Validating', 'w', [{ path: 'one', clientConfig: { url: `${fixture.hooks.url}/one` } }]);
      assert.equal(await fault(), `${post(`${fixture.hooks.url}/one`)}: ${unknown}`);
    } finally {
      await other.close();
    }
  });

  test('a port that nobody listens at refuses', async () => {
    const gone = await hookServer();
    await gone.close();
    await fixture.configure('Validating', 'w', [
      { path: 'one', clientConfig: { url: `${gone.url}/one/`, caBundle: ca() } },
    ]);
    assert.equal(
      await fault(),
      `${CALL}: Post "${gone.url}/one?timeout=10s": dial tcp 127.0.0.1:${gone.port}: connect: connection refused`,
    );
  });

  test('a service is where the operator says, or refused as the service would', async () => {
    const service = { namespace: 'tools', name: 'hook', path: '/one' };
    const store = (kind: string, name: string, more: JsonObject = {}) =>
      fixture.send('POST', kind, { body: { apiVersion: 'v1', metadata: { name }, ...more } });
    await store('/api/v1/namespaces', 'tools', { kind: 'Namespace' });
    await fixture.configure('Validating', 'w', [{ path: 'one', clientConfig: { service, caBundle: ca() } }]);
    const post = `${CALL}: Post "https://hook.tools.svc:443/one?timeout=10s"`;
    assert.equal(await fault(), `${post}: service "hook" not found`);
    const spec: JsonObject = { ports: [{ port: 8443 }] };
    const { status } = await store('/api/v1/namespaces/tools/services', 'hook', { kind: 'Service', spec });
    assert.equal(status, 201);
    assert.equal(await fault(), `${post}: no service port 443 found for service "hook"`);
    services.set('tools/hook', { host: '127.0.0.1', port: fixture.hooks.port });
    assert.equal((await create()).status, 201);
    assert.equal(fixture.hooks.asked.length, 1);
  });
});
