import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import type { User } from '../api/identity.ts';
import type { ApiObject } from '../api/object.ts';
import type { Attributes } from '../contracts/authorizer.ts';
import { refusal } from '../contracts/refusal.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { AggregationController } from '../controllers/roleAggregation.ts';
import { SeededRandom } from '../random.ts';
import { MemoryStore } from '../storage/memory.ts';
import { VirtualClock } from '../time.ts';
import { createAuthorization } from './create.ts';
import { reconcileDefaults } from './reconcile.ts';

const group = 'rbac.authorization.k8s.io';
const userOf = (username: string, ...groups: string[]): User => ({ username, uid: '', groups, extra: {} });
const ask = (
  user: User,
  verb: string,
  resource: string,
  more: Partial<Extract<Attributes, { isResource: true }>> = {},
): Attributes => ({
  isResource: true,
  user,
  verb,
  group: '',
  version: 'v1',
  resource,
  subresource: '',
  namespace: '',
  name: '',
  ...more,
});

async function house(follow: 'spec' | 'service' = 'spec', defaults = true) {
  const clock = new VirtualClock();
  const store = new MemoryStore({ clock });
  const dependencies = { store, clock, random: new SeededRandom(1), dialect: kubernetes };
  if (defaults) await reconcileDefaults(dependencies);
  const authorization = createAuthorization(
    { authorizers: [{ type: 'RBAC', name: 'rbac' }] },
    { store, clock, dialect: kubernetes, follow },
  );
  await authorization.start();
  const put = async (resource: string, kind: string, name: string, rest: object, namespace = '') => {
    const key = objectKey({ group, resource }, namespace, name);
    const present = await store.get(key);
    const object = {
      apiVersion: `${group}/v1`,
      kind,
      metadata: { name, ...(namespace ? { namespace } : {}) },
      ...rest,
    };
    await store.commit({ key, expected: present?.modRevision ?? 0, object: object as ApiObject });
  };
  const get = async (resource: string, name: string) =>
    (await store.get(objectKey({ group, resource }, '', name)))?.object;
  return { ...dependencies, authorization, put, get };
}

test('a grant names the binding, the role and the subject; a refusal names nobody', async () => {
  const { authorization, put } = await house();
  await put('roles', 'Role', 'r', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }, 'n');
  await put(
    'rolebindings',
    'RoleBinding',
    'b',
    {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'alice' },
        { kind: 'ServiceAccount', name: 'robot' },
      ],
    },
    'n',
  );
  const alice = userOf('alice');
  const { grant, ...said } = await authorization.authorizer.authorize(ask(alice, 'get', 'pods', { namespace: 'n' }));
  assert.deepEqual(said, {
    decision: 'allow',
    reason: 'RBAC: allowed by RoleBinding "b/n" of Role "r" to User "alice"',
    by: 'rbac',
  });
  assert.deepEqual([grant?.binding.name, grant?.subject.name, grant?.rule.verbs], ['b', 'alice', ['get']]);
  const robot = userOf('system:serviceaccount:n:robot');
  const granted = await authorization.authorizer.authorize(ask(robot, 'get', 'pods', { namespace: 'n' }));
  assert.match(granted.reason, /to ServiceAccount "robot\/n"$/);
  const asked = ask(alice, 'list', 'pods', { namespace: 'n' });
  const verdict = await authorization.authorizer.authorize(asked);
  assert.equal(
    refusal(asked, verdict, 'spec').message,
    'pods is forbidden: User "alice" cannot list resource "pods" in API group "" in the namespace "n"',
  );
  assert.equal(
    (await authorization.authorizer.authorize(ask(alice, 'get', 'pods', { namespace: 'm' }))).decision,
    'noOpinion',
  );
});

test('a missing role is told', async () => {
  const { authorization, put } = await house();
  await put('clusterrolebindings', 'ClusterRoleBinding', 'b', {
    roleRef: { kind: 'ClusterRole', name: 'none' },
    subjects: [{ kind: 'Group', name: 'g' }],
  });
  const verdict = await authorization.authorizer.authorize(ask(userOf('u', 'g'), 'get', 'pods'));
  assert.equal(verdict.reason, 'RBAC: clusterrole.rbac.authorization.k8s.io "none" not found');
});

test('a namespace on a User is a fault by the text and nothing by the service', async () => {
  for (const [follow, decision] of [
    ['spec', 'noOpinion'],
    ['service', 'allow'],
  ] as const) {
    const { authorization, put } = await house(follow);
    await put('clusterrolebindings', 'ClusterRoleBinding', 'b', {
      roleRef: { kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'User', name: 'u', namespace: 'n' }],
    });
    const verdict = await authorization.authorizer.authorize(ask(userOf('u'), 'get', 'pods'));
    assert.equal(verdict.decision, decision);
    assert.equal(verdict.reason.includes('namespace'), follow === 'spec');
  }
});

test('masters may do everything; anonymous users read health and nothing else', async () => {
  const { authorization } = await house();
  const masters = await authorization.authorizer.authorize(ask(userOf('x', 'system:masters'), 'brew', 'tea'));
  assert.deepEqual([masters.decision, masters.reason], ['allow', '']);
  const anonymous = userOf('system:anonymous', 'system:unauthenticated');
  const path = async (at: string) =>
    (await authorization.authorizer.authorize({ isResource: false, user: anonymous, verb: 'get', path: at })).decision;
  assert.deepEqual(
    [await path('/livez'), await path('/livez/ping'), await path('/api')],
    ['allow', 'noOpinion', 'noOpinion'],
  );
});

test('defaults: what is missing is added at the next start, unless told to leave it alone', async () => {
  const dependencies = await house();
  const binding = await dependencies.get('clusterrolebindings', 'system:discovery');
  await dependencies.put('clusterroles', 'ClusterRole', 'system:basic-user', {
    rules: [{ apiGroups: ['x'], resources: ['y'], verbs: ['z'] }],
  });
  await dependencies.put('clusterrolebindings', 'ClusterRoleBinding', 'system:discovery', {
    roleRef: binding?.roleRef,
    subjects: [{ kind: 'User', name: 'extra' }],
  });
  await dependencies.put('clusterroles', 'ClusterRole', 'view', {
    metadata: { name: 'view', annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } },
    rules: null,
  });
  const before = await dependencies.store.revision();
  await reconcileDefaults(dependencies);
  const rules = (await dependencies.get('clusterroles', 'system:basic-user'))?.rules as unknown[];
  assert.equal(rules.length, 1 + 3, 'its own rule stays, missing ones come apart');
  const subjects = (await dependencies.get('clusterrolebindings', 'system:discovery'))?.subjects;
  assert.deepEqual(
    (subjects as { name: string }[]).map((subject) => subject.name),
    ['extra', 'system:authenticated'],
  );
  assert.equal((await dependencies.get('clusterroles', 'view'))?.aggregationRule, undefined);
  const after = await dependencies.store.revision();
  assert.equal(after, before + 2, 'everything else stayed as it was');
  await reconcileDefaults(dependencies);
  assert.equal(await dependencies.store.revision(), after, 'a second start has nothing to do');
});

test('aggregates gather by label, in order, and again when something changes', async () => {
  const dependencies = await house();
  const controller = new AggregationController(dependencies.store, dependencies.clock, kubernetes);
  await controller.start();
  const view = (await dependencies.get('clusterroles', 'view')) as ApiObject;
  const edit = (await dependencies.get('clusterroles', 'edit')) as ApiObject;
  assert.equal((view.rules as unknown[]).length, 12);
  assert.ok((edit.rules as unknown[]).length > (view.rules as unknown[]).length, 'edit gathers view as well');
  assert.deepEqual(
    view.metadata.managedFields?.map(({ manager, operation }) => [manager, operation]),
    [
      ['clusterrole-aggregation-controller', 'Apply'],
      ['kube-apiserver', 'Update'],
    ],
  );
  await dependencies.put('clusterroles', 'ClusterRole', 'more', {
    metadata: { name: 'more', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
    rules: [{ apiGroups: ['x'], resources: ['y'], verbs: ['get'] }],
  });
  await new Promise((resolve) => setImmediate(resolve));
  const rules = (await dependencies.get('clusterroles', 'view'))?.rules as { apiGroups: string[] }[];
  assert.deepEqual(rules[0]?.apiGroups, ['x'], 'roles come in the order of their names');
  controller.stop();
});

test('an aggregate that loses its rule while another one is filled keeps what was written', async () => {
  const dependencies = await house();
  const labels = { part: 'some' };
  const rule = (verb: string) => ({ apiGroups: ['x'], resources: ['y'], verbs: [verb] });
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: labels }] };
  const names = ['one', 'two'];
  for (const name of names)
    await dependencies.put('clusterroles', 'ClusterRole', name, { metadata: { name }, aggregationRule, rules: null });
  let filled = 1;
  const store = new Proxy(dependencies.store, {
    get(target, member) {
      const value = Reflect.get(target, member, target);
      if (typeof value !== 'function') return value;
      if (member !== 'commit') return value.bind(target);
      return async (change: Parameters<typeof target.commit>[0]) => {
        const result = await target.commit(change);
        const [, other] = change.key.endsWith('/one') ? names : names.toReversed();
        if (filled++ === 0 && other !== undefined)
          await dependencies.put('clusterroles', 'ClusterRole', other, {
            metadata: { name: other },
            rules: [rule('get')],
          });
        await new Promise((resolve) => setImmediate(resolve));
        return result;
      };
    },
  });
  const controller = new AggregationController(store, dependencies.clock, kubernetes);
  await controller.start();
  filled = 0;
  await dependencies.put('clusterroles', 'ClusterRole', 'gathered', {
    metadata: { name: 'gathered', labels },
    rules: [rule('list')],
  });
  await new Promise((resolve) => setImmediate(resolve));
  await controller.idle();
  const verbs = await Promise.all(
    names.map(async (name) => (await dependencies.get('clusterroles', name))?.rules as { verbs: string[] }[]),
  );
  assert.deepEqual(verbs.map((rules) => rules.flatMap((each) => each.verbs)).sort(), [['get'], ['list']]);
  controller.stop();
});

test('many aggregates of many roles are filled in turns, and a change that concerns none fills none', async () => {
  const dependencies = await house('spec', false);
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { part: 'some' } }] };
  const rules = [{ apiGroups: ['x'], resources: ['y'], verbs: ['get'] }];
  const put = (name: string, rest: { labels?: Record<string, string>; [member: string]: unknown }) => {
    const { labels, ...more } = rest;
    return dependencies.put('clusterroles', 'ClusterRole', name, { metadata: { name, labels }, ...more });
  };
  const COUNT = 200;
  for (let at = 0; at < COUNT; at++) await put(`all-${at}`, { aggregationRule, rules: null });
  for (let at = 0; at < COUNT; at++) await put(`other-${at}`, { rules });
  const controller = new AggregationController(dependencies.store, dependencies.clock, kubernetes);
  await controller.start();
  await put('other-0', { rules, labels: { part: 'none' } });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(controller.busy, false, 'nobody gathers it');
  await put('part', { rules, labels: { part: 'some' } });
  let turns = 0;
  for (; turns === 0 || controller.busy; turns++) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(turns > 2, 'others have their turn meanwhile');
  for (const name of ['all-0', `all-${COUNT - 1}`])
    assert.deepEqual((await dependencies.get('clusterroles', name))?.rules, rules);
  controller.stop();
});
