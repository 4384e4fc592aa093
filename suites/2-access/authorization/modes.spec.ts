import { clausesOf, QUESTIONS_ABOUT_ONESELF } from '../../../fixtures/ledger/index.ts';
import {
  authorizationWebhook,
  check,
  clause,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  grantHere,
  groupOf,
  match,
  must,
  named,
  on,
  roleBindings,
  roles,
  secrets,
  should,
  userSubject,
} from '../../harness/index.ts';
import { asksAboutThemselves } from '../aboutOneself.ts';
import { allowed, askedByMode, byModes, IN_THE_TEXT, known, NOWHERE } from '../authorizers.ts';
import { authorized, forbidden } from '../decisions.ts';

const always = byModes('AlwaysAllow');
const never = byModes('AlwaysDeny');

check(
  'AUTHZ-MODE-01.1',
  'everything is allowed → somebody without any role reads and writes',
  ['AUTHZ-MODE-01'],
  { setup: always },
  async ({ someone, services, dialect }) => {
    const ada = await known({ someone, services }, 'ada');
    must('a write', await ada.create(configMaps, named('doc')), match.created);
    must('a read', await ada.get(configMaps, 'doc'), match.status(200));
    must('what is of the whole cluster', await ada.list(clusterRoles), match.status(200));
    must('a path', await ada.request('GET', NOWHERE), allowed);
    must('a change', await ada.patch(configMaps, 'doc', 'merge', { data: { a: 'b' } }), match.status(200));
    must('a part', await ada.request('GET', `/api/v1/namespaces/${await ada.namespace()}/status`), match.status(200));
    const all = { rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] };
    must('any role', await ada.create(clusterRoles, named('all', all)), match.created);
    must('any role of a namespace', await ada.create(roles, named('all', all)), match.created);
    const roleRef = { apiGroup: groupOf(roles, dialect), kind: 'ClusterRole', name: 'cluster-admin' };
    must('any binding', await ada.create(roleBindings, named('all', { roleRef, subjects: [] })), match.created);
    const acting = await ada.request('GET', NOWHERE, { headers: { 'impersonate-user': 'touchstone-bea' } });
    must('acting as somebody', acting, allowed);
    must('an end', await ada.delete(configMaps, 'doc'), match.status(200));
    must('the end of all', await ada.deleteAll(secrets), match.status(200));
  },
);

check(
  'AUTHZ-MODE-02.1',
  'everything is denied → somebody with a role may nothing, and a member of system:masters may all the same',
  ['AUTHZ-MODE-02', ...clausesOf('AUTHZ-MODE-02'), 'RBAC-MODE-01'],
  { setup: never },
  async ({ someone, services, admin, dialect }) => {
    const ada = await known({ someone, services }, 'ada');
    await grantHere(admin, ada, dialect, [on(configMaps, dialect, 'list')]);
    must('a role does not help', await ada.list(configMaps), forbidden);
    for (const path of ['/version', '/api', '/apis', '/apis/apps/v1', '/openapi/v2', '/metrics', NOWHERE])
      must(`nor is the path ${path} allowed`, await ada.request('GET', path), forbidden);
    for (const question of QUESTIONS_ABOUT_ONESELF)
      await clause(`AUTHZ-MODE-02/about-oneself/${question}`, async () => {
        must('nor a question about oneself', await asksAboutThemselves(ada, question, dialect), forbidden);
      });
    const master = await known({ someone, services }, 'mia', ['system:masters']);
    must('a master may', await master.list(configMaps), match.status(200));
  },
);

for (const [refused, flags] of Object.entries({
  'an unknown mode': ['--authorization-mode=RBAC,Touchstone'],
  'a mode in the wrong case': ['--authorization-mode=rbac'],
  'an empty mode among others': ['--authorization-mode=RBAC,'],
})) {
  check(
    `AUTHZ-MODE-05.1/${refused}`,
    `${refused} is asked for → the server does not start`,
    ['AUTHZ-MODE-05'],
    ['launch'],
    async ({ start }) => {
      must('it reports an error and ends', await start({ flags }), match.refusesToStart);
    },
  );
}

check(
  'AUTHZ-MODE-05.2',
  'modes and a configuration file are given → the server does not start, though each would do',
  ['AUTHZ-MODE-05'],
  ['launch'],
  async ({ start, dialect }) => {
    const config = {
      apiVersion: `apiserver.config.${dialect.apiDomain}/v1`,
      kind: 'AuthorizationConfiguration',
      authorizers: [{ type: 'RBAC', name: 'rbac' }],
    };
    const files = { 'authorization.json': config };
    const byFile = ['--authorization-config={authorization.json}'];
    must('the file alone will do', await start({ flags: byFile, files, since: IN_THE_TEXT }), match.starts);
    const both = await start({ flags: [...byFile, '--authorization-mode=RBAC'], files });
    must('both together will not', both, match.refusesToStart);
    const more = ['--authorization-mode=RBAC,Webhook', '--authorization-webhook-config-file={authorization.json}'];
    must('nor with a webhook', await start({ flags: [...byFile, ...more], files }), match.refusesToStart);
    const alone = ['--authorization-webhook-config-file={authorization.json}'];
    must(
      'nor with flags of a webhook alone',
      await start({ flags: [...byFile, ...alone], files }),
      match.refusesToStart,
    );
    const abac = ['--authorization-mode=ABAC', '--authorization-policy-file={authorization.json}'];
    must('nor with a policy', await start({ flags: [...byFile, ...abac], files }), match.refusesToStart);
  },
);

const webhookOnly = byModes('Webhook', askedByMode('mode'));

for (const [decision, outcome] of [
  ['allow', allowed],
  ['deny', forbidden],
  ['no opinion', forbidden],
] as const) {
  check(
    `AUTHZ-MODE-04.1/${decision}`,
    `the webhook of mode Webhook takes its time and then decides "${decision}" → the request waits, and that decides`,
    ['AUTHZ-MODE-04'],
    { setup: webhookOnly },
    async ({ someone, services }) => {
      const user = `waiting-${decision}`;
      const hook = await services.get(authorizationWebhook, 'mode');
      const order: string[] = [];
      hook.decide(user, async () => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        order.push('the webhook answers');
        return decision;
      });
      const ada = await known({ someone, services }, user);
      const answer = await ada.request('GET', NOWHERE);
      order.push('the request is answered');
      must('its answer decides', answer, outcome);
      must('the request waits', order, match.equal(['the webhook answers', 'the request is answered']));
    },
  );
}

check(
  'AUTHZ-MASTERS-01.1',
  'the webhook denies all, and there is no role → a member of system:masters may everything, without a question',
  ['AUTHZ-MASTERS-01'],
  { setup: webhookOnly },
  async ({ someone, services, dialect, admin }) => {
    const hook = await services.get(authorizationWebhook, 'mode');
    hook.decide('mia', 'deny');
    const mia = await known({ someone, services }, 'mia', ['system:masters']);
    await admin.given(configMaps, named('doc'));
    must('reading', await mia.list(secrets), match.status(200));
    must('deleting', await mia.delete(configMaps, 'doc'), match.status(200));
    must('a path', await mia.request('GET', NOWHERE), allowed);
    const all = { rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] };
    const role = await mia.create(clusterRoles, named('all', all));
    must('any role', role, match.created);
    must('any role of a namespace', await mia.create(roles, named('all', all)), match.created);
    const subjects = [userSubject(mia, dialect)];
    must('any binding', await mia.create(clusterRoleBindings, named('any', { subjects })), match.created);
    must('any binding in a namespace', await mia.create(roleBindings, named('any', { subjects })), match.created);
    must('the webhook is not asked', hook.asked('mia'), match.size(0));
    // The group may stand anywhere among those of a user.
    for (const [name, groups] of Object.entries({
      mara: ['staff', 'system:masters'],
      mona: ['a', 'system:masters', 'z'],
    })) {
      hook.decide(name, 'deny');
      const other = await known({ someone, services }, name, groups);
      must(`${name} reads`, await other.in(await admin.namespace()).list(secrets), match.status(200));
      must(`${name} asks a path`, await other.request('GET', NOWHERE), allowed);
      must('without a question', hook.asked(name), match.size(0));
    }
  },
);

check(
  'AUTHZ-MASTERS-01.2',
  'somebody in system:masters, to whom nothing is bound, asks → they may everything, write any role and bind any',
  ['AUTHZ-MASTERS-01'],
  async ({ person, admin, dialect }) => {
    const mia = person('mia', { groups: ['system:masters'] });
    await admin.given(configMaps, named('doc'));
    must('reading', await mia.list(secrets), match.status(200));
    must('deleting', await mia.delete(configMaps, 'doc'), match.status(200));
    must('a path', await mia.request('GET', NOWHERE), allowed);
    must('of any method', await mia.request('POST', NOWHERE), authorized);
    const all = { rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] };
    must('any role', await mia.create(clusterRoles, named('all', all)), match.created);
    must('any role of a namespace', await mia.create(roles, named('all', all)), match.created);
    const binding = { roleRef: { apiGroup: groupOf(roles, dialect), kind: 'ClusterRole', name: 'cluster-admin' } };
    const nobodyElse = { ...binding, subjects: [] };
    must('any binding', await mia.create(clusterRoleBindings, named('any', nobodyElse)), match.created);
    must('any in a namespace', await mia.create(roleBindings, named('any', nobodyElse)), match.created);
    const near = person('eve', { groups: ['system:master', 'System:masters', 'masters'] });
    must('the group of almost that name may nothing', await near.list(secrets), forbidden);
    must('nor a user of that name', await person('masters', { user: 'system:masters' }).list(secrets), forbidden);
  },
);

check(
  'RBAC-MODE-01.1',
  'RBAC is the mode → a role grants, and without one nothing is allowed',
  ['RBAC-MODE-01'],
  { setup: byModes('RBAC'), orElse: ['rbac'] },
  async ({ someone, services, person, admin, dialect, target }) => {
    const ada = target.mode === 'url' ? person('ada') : await known({ someone, services }, 'ada');
    must('nothing is allowed', await ada.list(configMaps), forbidden);
    await grantHere(admin, ada, dialect, [on(configMaps, dialect, 'list')]);
    must('the role grants', await should(() => ada.list(configMaps), match.status(200)));
  },
);
