import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import type { ApiObject } from '../../reference/api/object.ts';
import { createAuthorization } from '../../reference/authorization/create.ts';
import { objectKey } from '../../reference/contracts/storeKeys.ts';
import { MemoryStore } from '../../reference/storage/memory.ts';
import { VirtualClock } from '../../reference/time.ts';
import type { Question } from '../../suites/accessQuestions/question.ts';
import { readAccess } from '../../suites/accessQuestions/reading.ts';
import { type Roles, readRoles } from '../../suites/accessQuestions/roles.ts';

const GROUP = 'rbac.authorization.k8s.io';
type Items = Readonly<Record<string, readonly object[]>>;

const read = (items: Items): Promise<Roles> => readRoles(async (plural) => items[plural] ?? []);
const question = (more: Partial<Question> & { at?: object } = {}): Question => {
  const { at, ...rest } = more;
  const about = { group: '', resource: 'pods', subresource: '', name: '', namespace: 'team', ...at };
  return { user: 'jane', groups: ['devs', 'system:authenticated'], verb: 'get', about, ...rest };
};
const role = (name: string, rule: object, namespace = 'team') => ({ metadata: { name, namespace }, rules: [rule] });
const binding = (name: string, roleName: string, subject: object, namespace = 'team') => ({
  metadata: { name, namespace },
  roleRef: { kind: 'Role', name: roleName },
  subjects: [subject],
});
const jane = { kind: 'User', name: 'jane' };
const readPods = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] };

test('a way names the binding, the subject, the role and the rule', async () => {
  const roles = await read({
    roles: [role('reader', readPods)],
    rolebindings: [binding('readers', 'reader', { kind: 'Group', name: 'devs' })],
  });
  const { ways, misses } = readAccess(question(), roles);
  assert.deepEqual(
    ways.map((way) => [way.binding.name, way.subject.name, way.role.name, way.index]),
    [['readers', 'devs', 'reader', 0]],
  );
  assert.deepEqual(misses, []);
});

test('what all but says yes is told with the one thing that is missing, what the user has first', async () => {
  const account = { kind: 'ServiceAccount', name: 'robot', namespace: 'other' };
  const roles = await read({
    roles: [
      role('writer', { ...readPods, verbs: ['create'] }),
      role('named', { ...readPods, resourceNames: ['one'] }),
      role('logs', { ...readPods, resources: ['pods/log'] }),
      role('apps', { ...readPods, apiGroups: ['apps'] }),
      role('far', { ...readPods, verbs: ['create'], apiGroups: ['apps'] }),
      role('reader', readPods),
      role('elsewhere', readPods, 'other'),
    ],
    rolebindings: [
      binding('robots', 'reader', account),
      binding('writers', 'writer', jane),
      binding('named', 'named', jane),
      binding('logs', 'logs', jane),
      binding('apps', 'apps', jane),
      binding('far', 'far', jane),
      binding('elsewhere', 'elsewhere', jane, 'other'),
      binding('dangling', 'gone', jane),
    ],
  });
  const { ways, misses } = readAccess(question(), roles);
  assert.deepEqual(ways, []);
  assert.deepEqual(
    misses.map(({ what, but }) => `${what}: ${but}`),
    [
      'RoleBinding dangling in namespace team names the user: there is no Role gone',
      'rule 1 of Role writer, by RoleBinding writers in namespace team: it allows create, not get',
      'rule 1 of Role named, by RoleBinding named in namespace team: it covers only what is named one',
      'rule 1 of Role logs, by RoleBinding logs in namespace team: it covers pods/log, not pods',
      'rule 1 of Role apps, by RoleBinding apps in namespace team: it covers apps, not the core group',
      'rule 1 of Role elsewhere, by RoleBinding elsewhere in namespace other: it holds in namespace other only',
      'rule 1 of Role reader, by RoleBinding robots in namespace team: it is given to ServiceAccount robot',
    ],
  );
});

const word = (...words: string[]) => fc.constantFrom(...words);
const some = (...words: string[]) => fc.subarray(words, { minLength: 1 });
const ruleArbitrary = fc.oneof(
  fc.record({
    verbs: some('get', 'list', '*'),
    apiGroups: some('', 'apps', '*'),
    resources: some('pods', 'pods/log', '*/log', '*', 'deployments'),
    resourceNames: fc.subarray(['one', 'two']),
  }),
  fc.record({ verbs: some('get', '*'), nonResourceURLs: some('/a', '/a/*', '/b*', '*') }),
);
const subjectArbitrary = fc.oneof(
  fc.record({ kind: fc.constant('User'), name: word('jane', 'system:serviceaccount:team:robot') }),
  fc.record({ kind: fc.constant('Group'), name: word('devs', 'ops') }),
  fc.record({ kind: fc.constant('ServiceAccount'), name: word('robot'), namespace: word('team', 'other') }),
);
const placed = (namespaced: boolean) =>
  namespaced ? { name: word('a', 'b'), namespace: word('team', 'other') } : { name: word('a', 'b') };
const roleArbitrary = (namespaced: boolean) =>
  fc.record({
    metadata: fc.record(placed(namespaced)),
    rules: fc.array(ruleArbitrary, { minLength: 1, maxLength: 3 }),
  });
const bindingArbitrary = (namespaced: boolean) =>
  fc.record({
    metadata: fc.record(placed(namespaced)),
    roleRef: fc.record({ kind: namespaced ? word('Role', 'ClusterRole') : word('ClusterRole'), name: word('a', 'b') }),
    subjects: fc.array(subjectArbitrary, { maxLength: 3 }),
  });
const unique = <T extends { metadata: object }>(items: fc.Arbitrary<T>) =>
  fc.uniqueArray(items, { minLength: 1, maxLength: 4, selector: ({ metadata }) => JSON.stringify(metadata) });
const itemsArbitrary = fc.record({
  clusterroles: unique(roleArbitrary(false)),
  roles: unique(roleArbitrary(true)),
  clusterrolebindings: unique(bindingArbitrary(false)),
  rolebindings: unique(bindingArbitrary(true)),
});
const questionArbitrary = fc.record({
  user: word('jane', 'system:serviceaccount:team:robot', 'system:serviceaccount:other:robot'),
  groups: fc.subarray(['devs', 'ops']),
  verb: word('get', 'list', 'create'),
  about: fc.oneof(
    fc.record({ path: word('/a', '/a/b', '/bc', '/') }),
    fc.record({
      group: word('', 'apps'),
      resource: word('pods', 'deployments'),
      subresource: word('', 'log'),
      name: word('', 'one', 'three'),
      namespace: word('', 'team', 'other'),
    }),
  ),
});

test('for any roles and any question our reading agrees with the reference', async () => {
  let yes = 0;
  await fc.assert(
    fc.asyncProperty(itemsArbitrary, questionArbitrary, async (items, asked) => {
      const clock = new VirtualClock();
      const store = new MemoryStore({ clock });
      for (const [resource, objects] of Object.entries(items)) {
        for (const object of objects) {
          const { name, namespace = '' } = object.metadata as { name: string; namespace?: string };
          const key = objectKey({ group: GROUP, resource }, namespace, name);
          const stored = { apiVersion: `${GROUP}/v1`, kind: '', ...object } as unknown as ApiObject;
          await store.commit({ key, expected: 0, object: stored });
        }
      }
      const options = { authorizers: [{ type: 'RBAC' as const, name: 'rbac' }] };
      const authorization = createAuthorization(options, { store, clock, dialect: kubernetes, follow: 'spec' });
      await authorization.start();
      const user = { username: asked.user, uid: '', groups: asked.groups, extra: {} };
      const { verb, about } = asked;
      const verdict = await authorization.authorizer.authorize(
        'path' in about
          ? { isResource: false, user, verb, path: about.path }
          : { isResource: true, user, verb, version: 'v1', ...about },
      );
      authorization.stop();
      const { ways } = readAccess(asked, await read(items));
      if (ways.length > 0) yes += 1;
      assert.equal(ways.length > 0, verdict.decision === 'allow');
    }),
    { numRuns: 500 },
  );
  assert.ok(yes > 10, `only ${yes} of the questions were answered with yes`);
});
