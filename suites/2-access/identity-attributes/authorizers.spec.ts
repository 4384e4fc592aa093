import {
  authorizationWebhook,
  check,
  configMaps,
  match,
  must,
  type SetupOf,
  tokenWebhook,
} from '../../harness/index.ts';
import { known } from '../known.ts';

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
