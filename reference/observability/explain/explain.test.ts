import assert from 'node:assert/strict';
import test from 'node:test';
import { isObject, type JsonObject } from '../../api/json.ts';
import type { Reply } from '../../contracts/reply.ts';
import { auditFixture } from '../../testing/auditFixture.ts';
import type { InProcessRequest } from '../../transport/inProcess.ts';
import { Explanations } from './explanations.ts';

type Fixture = Awaited<ReturnType<typeof auditFixture>>;
const EVERYTHING = [{ level: 'Metadata', omitStages: ['RequestReceived'] }];
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const ROLES = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';

const explaining = () => auditFixture(EVERYTHING, ['--explain', '--authorization-mode=Node,RBAC']);
const auditIdOf = (reply: Reply) => String(reply.headers['audit-id']);
const bodyOf = (reply: Reply) =>
  (reply.kind === 'whole' ? JSON.parse(Buffer.from(reply.body).toString()) : {}) as JsonObject;

/** What the server says about a request: its decisions of one stage, or all. */
async function why(fixture: Fixture, request: InProcessRequest & { token?: string }, stage?: string) {
  const reply = await fixture.ask(request);
  const told = bodyOf(await fixture.ask({ target: `/debug/explain/${auditIdOf(reply)}` }));
  const decisions = told.decisions as JsonObject[];
  return { reply, told, decisions: decisions.filter((one) => stage === undefined || one.stage === stage) };
}
const applied = (manager: string, data: JsonObject, query = '') => ({
  method: 'PATCH',
  target: `${CONFIG_MAPS}/one?fieldManager=${manager}${query}`,
  headers: { 'content-type': 'application/apply-patch+yaml' },
  body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' }, data }),
});
const fieldsOf = (decision: JsonObject | undefined) => {
  const { merge } = (decision?.details ?? {}) as { merge?: { fields: JsonObject[] } };
  return merge?.fields.map(({ field, outcome, managers }) => [field, outcome, managers]);
};

test('an apply tells what became of each field, also when it is refused', async () => {
  const fixture = await explaining();
  try {
    await fixture.ask(applied('one', { a: '1', b: '1' }));
    const { decisions } = await why(fixture, applied('two', { a: '1' }), 'merge');
    assert.deepEqual(fieldsOf(decisions[0]), [['.data.a', 'shared', ['one']]]);
    const refused = await why(fixture, applied('two', { a: '2' }), 'merge');
    assert.equal(refused.reply.code, 409);
    assert.deepEqual(fieldsOf(refused.decisions[0]), [['.data.a', 'conflict', ['one']]]);
    assert.equal(refused.decisions[0]?.outcome, 'conflict');
    const forced = await why(fixture, applied('two', { a: '2' }, '&force=true'), 'merge');
    assert.deepEqual(fieldsOf(forced.decisions[0]), [['.data.a', 'taken', ['one']]]);
  } finally {
    await fixture.close();
  }
});

test('a patch tells from whom it took a field', async () => {
  const fixture = await explaining();
  try {
    await fixture.ask(applied('one', { a: '1' }));
    const { decisions } = await why(
      fixture,
      {
        method: 'PATCH',
        target: `${CONFIG_MAPS}/one?fieldManager=three`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: '{"data":{"a":"3"}}',
      },
      'merge',
    );
    assert.deepEqual(fieldsOf(decisions[0]), [['.data.a', 'transferred', ['one']]]);
  } finally {
    await fixture.close();
  }
});

test('a decision names the methods that were asked, the authorizers, and the binding and rule that said yes', async () => {
  const fixture = await explaining();
  try {
    const rules = [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps'] }];
    await fixture.ask({
      method: 'POST',
      target: `${ROLES}/roles`,
      body: JSON.stringify({ metadata: { name: 'reader' }, rules }),
    });
    await fixture.ask({
      method: 'POST',
      target: `${ROLES}/rolebindings`,
      body: JSON.stringify({
        metadata: { name: 'readers' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }],
      }),
    });
    const { decisions, told } = await why(fixture, { target: CONFIG_MAPS, token: 'alice-token' });
    assert.deepEqual(
      decisions.slice(0, 6).map(({ stage, by, outcome }) => [stage, by, outcome]),
      [
        ['authentication', 'tokenFile', 'accepted'],
        ['authentication', 'bearerToken', 'accepted'],
        ['authentication', 'union', 'alice'],
        ['authorization', 'masters', 'noOpinion'],
        ['authorization', 'node', 'noOpinion'],
        ['authorization', 'rbac', 'allow'],
      ],
    );
    const { details } = decisions[5] ?? {};
    assert.deepEqual(isObject(details) && details.grant, {
      binding: { kind: 'RoleBinding', namespace: 'default', name: 'readers' },
      role: { kind: 'Role', name: 'reader' },
      subject: { kind: 'User', name: 'alice' },
      rule: { verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps'] },
    });
    assert.deepEqual([told.code, (told.user as JsonObject).username], [200, 'alice']);
    const denied = await why(
      fixture,
      { method: 'DELETE', target: `${CONFIG_MAPS}/x`, token: 'alice-token' },
      'authorization',
    );
    assert.match(String(denied.decisions.at(-1)?.because), /masters, node, rbac have no opinion/);
  } finally {
    await fixture.close();
  }
});

test('whoever nobody knows leaves an account of who refused and why, and no token in it', async () => {
  const fixture = await explaining();
  try {
    const { decisions, reply } = await why(fixture, { target: CONFIG_MAPS, token: 'wrong-secret' }, 'authentication');
    assert.equal(reply.code, 401);
    assert.deepEqual(
      decisions.map(({ by, outcome }) => [by, outcome]),
      [
        ['tokenFile', 'declined'],
        ['serviceAccount', 'declined'],
        ['jwt', 'declined'],
        ['bearerToken', 'refused'],
        ['union', 'refused'],
      ],
    );
    assert.doesNotMatch(JSON.stringify(decisions), /wrong-secret/);
  } finally {
    await fixture.close();
  }
});

test('impersonation tells each permission that it took', async () => {
  const fixture = await explaining();
  try {
    const headers = { 'impersonate-user': 'bob', 'impersonate-group': 'ops' };
    const { decisions } = await why(fixture, { target: '/version', headers });
    assert.deepEqual(
      decisions
        .filter(({ stage }) => stage !== 'authentication')
        .map(({ stage, outcome, details }) => {
          const asked = isObject(details) && isObject(details.asked) ? details.asked : {};
          return [stage, outcome, asked.resource, asked.name];
        })
        .slice(0, 3),
      [
        ['authorization', 'allow', 'users', 'bob'],
        ['authorization', 'allow', 'groups', 'ops'],
        ['impersonation', 'bob', undefined, undefined],
      ],
    );
  } finally {
    await fixture.close();
  }
});

test('the account stands in the audit event too, and without the flag nowhere', async () => {
  const fixture = await explaining();
  try {
    await fixture.ask(applied('one', { a: '1' }));
    const text = fixture.events()[0]?.annotations?.['explain.touchstone.dev/decisions'] ?? '[]';
    const decisions = JSON.parse(text) as JsonObject[];
    assert.deepEqual(fieldsOf(decisions.find(({ stage }) => stage === 'merge')), [['.data.a', 'set', []]]);
  } finally {
    await fixture.close();
  }
  const silent = await auditFixture(EVERYTHING);
  try {
    const reply = await silent.ask(applied('one', { a: '1' }));
    assert.deepEqual(Object.keys(silent.events()[0]?.annotations ?? {}), [
      'authorization.k8s.io/decision',
      'authorization.k8s.io/reason',
    ]);
    assert.equal((await silent.ask({ target: `/debug/explain/${auditIdOf(reply)}` })).code, 404);
  } finally {
    await silent.close();
  }
});

test('accounts are told to nobody who is unknown or not allowed, and in reading only', async () => {
  const fixture = await explaining();
  try {
    const target = `/debug/explain/${auditIdOf(await fixture.ask({ target: '/version' }))}`;
    assert.equal((await fixture.ask({ target })).code, 200);
    assert.equal((await fixture.ask({ target, token: 'alice-token' })).code, 403);
    assert.equal((await fixture.ask({ target, token: '' })).code, 403);
    assert.equal((await fixture.ask({ target, method: 'DELETE' })).code, 405);
    assert.equal((await fixture.ask({ target: '/debug/explain/unheard-of' })).code, 404);
  } finally {
    await fixture.close();
  }
});

test('even a role for everybody opens the accounts to nobody who is unknown', async () => {
  const fixture = await explaining();
  try {
    const group = '/apis/rbac.authorization.k8s.io/v1';
    const role = { metadata: { name: 'open' }, rules: [{ verbs: ['get'], nonResourceURLs: ['/debug/explain/*'] }] };
    await fixture.ask({ method: 'POST', target: `${group}/clusterroles`, body: JSON.stringify(role) });
    const binding = {
      metadata: { name: 'open' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'open' },
      subjects: ['system:unauthenticated', 'system:authenticated'].map((name) => ({ kind: 'Group', name })),
    };
    await fixture.ask({ method: 'POST', target: `${group}/clusterrolebindings`, body: JSON.stringify(binding) });
    const target = `/debug/explain/${auditIdOf(await fixture.ask({ target: '/version' }))}`;
    assert.equal((await fixture.ask({ target, token: 'alice-token' })).code, 200);
    assert.equal((await fixture.ask({ target, token: '' })).code, 403);
  } finally {
    await fixture.close();
  }
});

test('a create tells its defaults, its plugins and its place in the store', async () => {
  const fixture = await explaining();
  try {
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const { decisions } = await why(fixture, {
      method: 'POST',
      target: '/api/v1/namespaces/default/pods',
      body: JSON.stringify(pod),
    });
    const of = (stage: string) => decisions.filter((one) => one.stage === stage);
    assert.match(JSON.stringify(of('decoding')), /"defaulted":\[.*"\.spec\.restartPolicy"/);
    const changed = of('admission').filter(({ outcome }) => outcome === 'changed');
    assert.ok(
      changed.some(({ by }) => by === 'DefaultTolerationSeconds'),
      JSON.stringify(of('admission')),
    );
    assert.deepEqual(
      of('storage').map(({ outcome }) => outcome),
      ['created'],
    );
  } finally {
    await fixture.close();
  }
});

test('only so many accounts are kept', () => {
  const explanations = new Explanations(2);
  for (const id of ['a', 'b', 'a', 'c']) explanations.begin(id, 0);
  assert.deepEqual(
    ['a', 'b', 'c'].map((id) => explanations.get(id)?.auditId),
    ['a', undefined, 'c'],
  );
});
