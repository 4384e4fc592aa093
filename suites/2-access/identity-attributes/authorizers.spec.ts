import {
  authorizationWebhook,
  check,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  groupOf,
  match,
  must,
  named,
  on,
  type SetupOf,
  should,
  tokenWebhook,
} from '../../harness/index.ts';
import { known } from '../known.ts';
import { entitled } from '../persons.ts';

/** A server whose users come from one webhook, and whose decisions are asked of another. */
const setup: SetupOf = async (services) => {
  const users = (await services.get(tokenWebhook)).setup;
  const { configFile, files } = await services.get(authorizationWebhook);
  return {
    flags: [...users.flags, '--authorization-mode=RBAC,Webhook', `--authorization-webhook-config-file=${configFile}`],
    files: { ...users.files, ...files },
  };
};
const USER = {
  username: 'touchstone-attributed',
  uid: '0042',
  groups: ['staff', 'Staff', 'operators', 'a,b', ' at the ends '],
  extra: { 'example.com/tenant': ['acme', 'corp', 'a,b'], 'Example.com/Key': ['One'], 'example.com/key': ['two'] },
};
const TOKEN = 'opaque-token-with-attributes';

check(
  'IDENTITY-ATTRIBUTES-03.1',
  'somebody asks for objects and for a path that is none → the authorizer is told who they are, and for what they ask',
  ['IDENTITY-ATTRIBUTES-03'],
  { setup },
  async ({ someone, services }) => {
    (await services.get(tokenWebhook)).answer(TOKEN, { status: { authenticated: true, user: USER } });
    const authorizer = await services.get(authorizationWebhook);
    const ada = someone('ada', { token: TOKEN });
    must('the token is taken', await known(ada));
    authorizer.decide(USER.username, 'no opinion');
    await ada.in('default').list(configMaps);
    await ada.request('GET', '/touchstone/nowhere');
    const [resource, path] = authorizer.asked(USER.username).map(({ spec }) => spec);
    for (const [what, spec] of [
      ['of objects', resource],
      ['of a path', path],
    ] as const) {
      must(`${what}: the name`, spec, match.at('user', USER.username));
      must(`${what}: the uid`, spec, match.at('uid', USER.uid));
      const groups = match.both(...USER.groups.map((group) => match.containing(group)));
      // The older of the two versions of the review calls them by the singular.
      must(`${what}: the groups`, spec, match.either(match.at('groups', groups), match.at('group', groups)));
      must(`${what}: the extra`, spec, match.at('extra', match.including(USER.extra)));
    }
    const list = match.including({ verb: 'list', resource: 'configmaps', namespace: 'default' });
    must('it is a request for a resource', resource, match.at('resourceAttributes', list));
    must('and for no path', resource, match.at('nonResourceAttributes', match.absent));
    const get = match.including({ verb: 'get', path: '/touchstone/nowhere' });
    must('the other is none for a resource', path, match.at('nonResourceAttributes', get));
    must('but for a path', path, match.at('resourceAttributes', match.absent));
  },
);

check(
  'IDENTITY-ATTRIBUTES-03.2',
  'roles are bound to a name and to a group with signs and letters of both cases → who has them may read objects by the one and a path by the other, and who has almost them may not',
  ['IDENTITY-ATTRIBUTES-03'],
  ['rbac'],
  async ({ admin, dialect, person }) => {
    const { prefix } = admin.space;
    const [user, group] = [`${prefix} Ada/x@y`, `${prefix}:Night Shift`];
    const path = `/touchstone/${prefix}/nowhere`;
    const ada = person('ada', { user, groups: ['staff', group] });
    const near = person('near', { user: user.toLowerCase(), groups: ['staff', group.toLowerCase()] });
    await entitled(admin, ada, { here: [on(configMaps, dialect, 'list')] });
    const role = await admin.given(
      clusterRoles,
      named('by-group', { rules: [{ verbs: ['get'], nonResourceURLs: [path] }] }),
    );
    const apiGroup = groupOf(clusterRoles, dialect);
    await admin.given(clusterRoleBindings, {
      metadata: { name: 'by-group' },
      roleRef: { apiGroup, kind: 'ClusterRole', name: role.metadata.name },
      subjects: [{ kind: 'Group', name: group, apiGroup }],
    });
    const here = await admin.namespace();
    const forbidden = match.status(403);
    must('objects, by the name', await should(() => ada.in(here).list(configMaps), match.status(200)));
    // Nothing is at the path: what says so has let them come that far.
    must('a path, by the group', await should(() => ada.request('GET', path), match.status(200, 404)));
    must('no objects by a name in another case', await near.in(here).list(configMaps), forbidden);
    must('no path by a group in another case', await near.request('GET', path), forbidden);
    must('no path of which nothing is said', await ada.request('GET', `${path}/else`), forbidden);
  },
);
