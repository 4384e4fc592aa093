import assert from 'node:assert/strict';
import test from 'node:test';
import { auditFixture } from '../../testing/auditFixture.ts';
import { collect } from '../../transport/inProcess.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const configMap = (metadata: object, more: object = {}) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata, ...more });

test('an event tells who asked for what, and what came of it, in the form of the service', async () => {
  const fixture = await auditFixture([{ level: 'Metadata' }]);
  try {
    await fixture.ask({
      target: '/api/v1/componentstatuses',
      headers: { 'user-agent': 'curl/7.88.1', 'audit-id': 'given-id', 'x-forwarded-for': '10.0.0.1, no, 10.0.0.2' },
    });
    const [received, complete] = fixture.events();
    assert.deepEqual(Object.keys(complete ?? {}), [
      'kind',
      'apiVersion',
      'level',
      'auditID',
      'stage',
      'requestURI',
      'verb',
      'user',
      'sourceIPs',
      'userAgent',
      'objectRef',
      'responseStatus',
      'requestReceivedTimestamp',
      'stageTimestamp',
      'annotations',
    ]);
    assert.deepEqual(complete, {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'Metadata',
      auditID: 'given-id',
      stage: 'ResponseComplete',
      requestURI: '/api/v1/componentstatuses',
      verb: 'list',
      user: { username: 'admin', uid: 'admin-uid', groups: ['system:masters', 'system:authenticated'] },
      sourceIPs: ['10.0.0.1', '10.0.0.2', '127.0.0.1'],
      userAgent: 'curl/7.88.1',
      objectRef: { resource: 'componentstatuses', apiVersion: 'v1' },
      responseStatus: { metadata: {}, code: 200 },
      requestReceivedTimestamp: '2025-01-01T00:00:00.000000Z',
      stageTimestamp: '2025-01-01T00:00:00.000000Z',
      annotations: {
        'authorization.k8s.io/decision': 'allow',
        'authorization.k8s.io/reason': '',
        'k8s.io/deprecated': 'true',
      },
    });
    assert.equal(received?.stage, 'RequestReceived');
    assert.deepEqual([received?.responseStatus, received?.annotations], [undefined, undefined]);
  } finally {
    await fixture.close();
  }
});

test('the first rule that fits decides the level, and what none fits is left out', async () => {
  const fixture = await auditFixture([
    { level: 'None', users: ['alice'], nonResourceURLs: ['/readyz*'] },
    { level: 'Request', verbs: ['create'], resources: [{ group: '', resources: ['configmaps'] }] },
    { level: 'RequestResponse', resources: [{ group: '', resources: ['configmaps'], resourceNames: ['one'] }] },
    { level: 'Metadata', userGroups: ['devs'], omitStages: ['RequestReceived'] },
  ]);
  try {
    await fixture.ask({ target: '/readyz', token: 'alice-token' });
    await fixture.ask({ target: '/version', token: 'alice-token' });
    await fixture.ask({ target: '/version' });
    await fixture.ask({ method: 'POST', target: CONFIG_MAPS, body: configMap({ name: 'one' }) });
    await fixture.ask({ target: `${CONFIG_MAPS}/one` });
    await fixture.ask({ target: `${CONFIG_MAPS}/two` });
    assert.deepEqual(
      fixture.events().map(({ requestURI, level, stage }) => [requestURI, level, stage]),
      [
        ['/version', 'Metadata', 'ResponseComplete'],
        [CONFIG_MAPS, 'Request', 'RequestReceived'],
        [CONFIG_MAPS, 'Request', 'ResponseComplete'],
        [`${CONFIG_MAPS}/one`, 'RequestResponse', 'RequestReceived'],
        [`${CONFIG_MAPS}/one`, 'RequestResponse', 'ResponseComplete'],
      ],
    );
  } finally {
    await fixture.close();
  }
});

test('bodies are told as JSON whatever their encoding, and complete what the request is about', async () => {
  const fixture = await auditFixture([{ level: 'RequestResponse', omitStages: ['RequestReceived'] }]);
  try {
    await fixture.ask({
      method: 'POST',
      target: CONFIG_MAPS,
      headers: { 'content-type': 'application/yaml', accept: 'application/yaml' },
      body: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\ndata:\n  a: "<b>"\n',
    });
    await fixture.ask({
      method: 'PATCH',
      target: `${CONFIG_MAPS}/one?fieldManager=me`,
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: 'apiVersion: v1\nkind: ConfigMap\ndata:\n  b: c\n',
    });
    await fixture.ask({ method: 'DELETE', target: `${CONFIG_MAPS}/one`, body: '{"propagationPolicy":"Background"}' });
    await fixture.ask({
      target: `${CONFIG_MAPS}/one`,
      headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
    });
    const [created, applied, deleted, gone] = fixture.events();
    assert.deepEqual(created?.requestObject?.data, { a: '<b>' });
    assert.deepEqual(created?.responseObject?.kind, 'ConfigMap');
    assert.equal(created?.objectRef?.name, 'one');
    assert.deepEqual(applied?.requestObject, { apiVersion: 'v1', kind: 'ConfigMap', data: { b: 'c' } });
    assert.deepEqual(applied?.responseObject?.data, { a: '<b>', b: 'c' });
    assert.equal(deleted?.requestObject?.propagationPolicy, 'Background');
    assert.deepEqual([deleted?.responseStatus?.status, deleted?.responseObject?.kind], ['Success', 'Status']);
    assert.deepEqual(gone?.responseStatus, {
      metadata: {},
      status: 'Failure',
      message: 'configmaps "one" not found',
      reason: 'NotFound',
      details: { name: 'one', kind: 'configmaps' },
      code: 404,
    });
  } finally {
    await fixture.close();
  }
});

test('a PUT names the version and the uid that it brings', async () => {
  const fixture = await auditFixture([{ level: 'Metadata', verbs: ['update'], omitStages: ['RequestReceived'] }]);
  try {
    await fixture.ask({ method: 'POST', target: CONFIG_MAPS, body: configMap({ name: 'one' }) });
    await fixture.ask({
      method: 'PUT',
      target: `${CONFIG_MAPS}/one`,
      body: configMap({ name: 'one', resourceVersion: '1', uid: 'other' }),
    });
    const [event] = fixture.events();
    assert.deepEqual(event?.objectRef, {
      resource: 'configmaps',
      namespace: 'default',
      name: 'one',
      uid: 'other',
      apiVersion: 'v1',
      resourceVersion: '1',
    });
    assert.equal(event?.requestObject, undefined);
  } finally {
    await fixture.close();
  }
});

test('records of field ownership are left out where the policy says so, in lists too', async () => {
  const fixture = await auditFixture([
    { level: 'RequestResponse', verbs: ['create'], omitManagedFields: false },
    { level: 'RequestResponse', omitManagedFields: true },
  ]);
  try {
    await fixture.ask({ method: 'POST', target: CONFIG_MAPS, body: configMap({ name: 'one' }, { data: { a: 'b' } }) });
    await fixture.ask({ target: CONFIG_MAPS });
    const last = (verb: string) => JSON.stringify(fixture.events().findLast((event) => event.verb === verb));
    assert.match(last('create'), /"managedFields"/);
    assert.match(last('list'), /"items":\[.*"name":"one"/);
    assert.doesNotMatch(last('list'), /"managedFields"/);
  } finally {
    await fixture.close();
  }
});

test('a watch has an event when it starts and one when it ends', async () => {
  const fixture = await auditFixture([{ level: 'RequestResponse' }]);
  try {
    const reply = await fixture.ask({ target: `${CONFIG_MAPS}?watch=true` });
    assert.equal(reply.kind, 'stream');
    if (reply.kind !== 'stream') return;
    const stream = collect(reply);
    const stages = () => fixture.events().map(({ stage, responseObject }) => [stage, responseObject]);
    assert.deepEqual(stages(), [
      ['RequestReceived', undefined],
      ['ResponseStarted', undefined],
    ]);
    fixture.reference.advance(1000);
    stream.stop();
    stream.stop();
    assert.deepEqual(stages().at(-1), ['ResponseComplete', undefined]);
    assert.equal(stages().length, 3);
    assert.equal(fixture.events().at(-1)?.stageTimestamp, '2025-01-01T00:00:01.000000Z');
  } finally {
    await fixture.close();
  }
});

test('whom nobody knows leaves one event without a user, and no token stands in the log', async () => {
  const fixture = await auditFixture([{ level: 'RequestResponse' }]);
  try {
    await fixture.ask({ target: CONFIG_MAPS, token: 'wrong-secret' });
    const events = fixture.events();
    assert.equal(events.length, 1);
    assert.deepEqual([events[0]?.stage, events[0]?.user], ['ResponseStarted', {}]);
    assert.deepEqual(events[0]?.responseStatus, {
      metadata: {},
      status: 'Failure',
      message: 'Unauthorized',
      reason: 'Unauthorized',
      code: 401,
    });
    await fixture.ask({ target: CONFIG_MAPS });
    assert.doesNotMatch(fixture.text(), /wrong-secret|admin-token/);
  } finally {
    await fixture.close();
  }
});

test('who gets a token is told by which one, and the token itself only where the policy asks for answers', async () => {
  const fixture = await auditFixture([{ level: 'Metadata', omitStages: ['RequestReceived'] }]);
  try {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await fixture.ask({ method: 'POST', target: accounts, body: '{"metadata":{"name":"robot"}}' });
    const reply = await fixture.ask({ method: 'POST', target: `${accounts}/robot/token`, body: '{"spec":{}}' });
    const { status } = JSON.parse(reply.kind === 'whole' ? Buffer.from(reply.body).toString() : '{}');
    const annotation = fixture.events().at(-1)?.annotations?.['authentication.kubernetes.io/issued-credential-id'];
    assert.match(annotation ?? '', /^JTI=[0-9a-f-]{36}$/);
    assert.ok(status.token.length > 100 && !fixture.text().includes(status.token));
  } finally {
    await fixture.close();
  }
});

test('an event tells both who asked and whom they acted as', async () => {
  const fixture = await auditFixture([{ level: 'Metadata', omitStages: ['RequestReceived'] }]);
  try {
    await fixture.ask({ target: CONFIG_MAPS, headers: { 'impersonate-user': 'bob', 'impersonate-group': 'ops' } });
    await fixture.ask({ target: CONFIG_MAPS, token: 'alice-token', headers: { 'impersonate-user': 'admin' } });
    const [acted, refused] = fixture.events();
    assert.deepEqual(acted?.impersonatedUser, { username: 'bob', groups: ['ops', 'system:authenticated'] });
    assert.equal(acted?.user.username, 'admin');
    assert.deepEqual(acted?.annotations?.['authorization.k8s.io/decision'], 'forbid');
    assert.deepEqual([refused?.impersonatedUser, refused?.annotations], [undefined, undefined]);
    assert.equal(refused?.responseStatus?.code, 403);
  } finally {
    await fixture.close();
  }
});

test('an event tells the verb by which somebody acts for certain requests only, and the metrics tell its mode', async () => {
  const fixture = await auditFixture([{ level: 'Metadata', omitStages: ['RequestReceived'] }], ['--follow=service']);
  try {
    await fixture.ask({ target: CONFIG_MAPS, headers: { 'impersonate-user': 'bob' } });
    await fixture.ask({
      target: CONFIG_MAPS,
      headers: { 'impersonate-user': 'bob', 'impersonate-group': 'system:masters' },
    });
    const [constrained, plain] = fixture.events();
    assert.deepEqual(constrained?.authenticationMetadata, { impersonationConstraint: 'impersonate:user-info' });
    assert.deepEqual([plain?.impersonatedUser !== undefined, plain?.authenticationMetadata], [true, undefined]);
    assert.match(fixture.text(), /"impersonatedUser":\{[^}]*\},"authenticationMetadata":/);
    const reply = await fixture.ask({ target: '/metrics' });
    const text = reply.kind === 'whole' ? Buffer.from(reply.body).toString() : '';
    const total = 'apiserver_impersonation_attempts_total';
    assert.ok(text.includes(`${total}{decision="allowed",mode="user-info"} 1`));
    assert.ok(text.includes(`${total}{decision="allowed",mode="legacy"} 1`));
    assert.match(text, /apiserver_impersonation_authorization_attempts_duration_seconds_bucket/);
  } finally {
    await fixture.close();
  }
});

test('a fault of the service itself is a Panic that says nothing of the inside', async () => {
  const verbs = { verbs: (table: object) => ({ ...table, list: () => Promise.reject(new Error('inside-secret')) }) };
  const fixture = await auditFixture([{ level: 'Metadata' }], [], { seams: verbs as never });
  try {
    await fixture.ask({ target: CONFIG_MAPS });
    assert.deepEqual(
      fixture.events().map(({ stage }) => stage),
      ['RequestReceived', 'Panic'],
    );
    assert.doesNotMatch(fixture.text(), /inside-secret/);
  } finally {
    await fixture.close();
  }
});

test('events that are too large lose their objects and are marked', async () => {
  const fixture = await auditFixture(
    [{ level: 'RequestResponse', verbs: ['create'], omitStages: ['RequestReceived'] }],
    ['--audit-log-truncate-enabled', '--audit-log-truncate-max-event-size=2000'],
  );
  try {
    await fixture.ask({ method: 'POST', target: CONFIG_MAPS, body: configMap({ name: 'small' }) });
    const data = { a: 'x'.repeat(2000) };
    await fixture.ask({ method: 'POST', target: CONFIG_MAPS, body: configMap({ name: 'large' }, { data }) });
    const [small, large] = fixture.events();
    assert.ok(small?.requestObject && small.responseObject);
    assert.deepEqual([large?.requestObject, large?.responseObject], [undefined, undefined]);
    assert.equal(large?.annotations?.['audit.k8s.io/truncated'], 'true');
  } finally {
    await fixture.close();
  }
});

test('the older form of the log is a line of pairs', async () => {
  const fixture = await auditFixture([{ level: 'Metadata' }], ['--audit-log-format=legacy']);
  try {
    await fixture.ask({ target: `${CONFIG_MAPS}?limit=1`, headers: { 'user-agent': 'x "y"', 'audit-id': 'i' } });
    const lines = fixture.text().split('\n');
    assert.equal(
      lines[1],
      '2025-01-01T00:00:00.000000Z AUDIT: id="i" stage="ResponseComplete" ip="127.0.0.1" method="list" user="admin" ' +
        'groups="\\"system:masters\\",\\"system:authenticated\\"" as="<self>" asgroups="<lookup>" ' +
        `user-agent="x \\"y\\"" namespace="default" uri="${CONFIG_MAPS}?limit=1" response="200"`,
    );
    assert.match(lines[0] ?? '', /stage="RequestReceived".* response="<deferred>"$/);
  } finally {
    await fixture.close();
  }
});
