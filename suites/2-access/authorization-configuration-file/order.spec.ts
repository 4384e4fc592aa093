import {
  type Actor,
  authorizationWebhook,
  check,
  clause,
  clausesOf,
  configMaps,
  grantHere,
  match,
  must,
  on,
  secrets,
  should,
} from '../../harness/index.ts';
import { allowed, asks, attributesIn, byFile, known, NODE, NOWHERE, RBAC } from '../authorizers.ts';
import { forbidden } from '../decisions.ts';

const roleFirst = byFile([RBAC, asks('later')]);
const hookFirst = byFile([asks('earlier'), RBAC]);
/** Named otherwise than by the modes. */
const AGENTS = { type: 'Node', name: 'agents' } as const;
const ROLES = { type: 'RBAC', name: 'roles.of-the-cluster' } as const;

check(
  'AUTHZCONF-FILE-01.1',
  'RBAC stands before a webhook that denies → a role grants, and the webhook is not asked',
  ['AUTHZCONF-FILE-01', 'AUTHZCONF-TYPE-01'],
  { setup: roleFirst },
  async ({ someone, services, admin, dialect }) => {
    const hook = await services.get(authorizationWebhook, 'later');
    const ada = await known({ someone, services }, 'order-granted');
    await grantHere(admin, ada, dialect, [on(configMaps, dialect, 'list', 'get')]);
    must('the role is followed', await should(() => ada.list(configMaps), match.status(200)));
    hook.decide('order-granted', 'deny');
    must('it decides first', await ada.get(configMaps, 'absent'), match.status(404));
    must('what it does not grant is for the webhook', await ada.list(secrets), forbidden);
    const about = hook.asked('order-granted').map((asked) => attributesIn(asked).resource);
    must('which is asked that', about, match.containing('secrets'));
  },
);

check(
  'AUTHZCONF-FILE-01.2',
  'a webhook that denies stands before RBAC → no role helps',
  ['AUTHZCONF-FILE-01', 'AUTHZCONF-TYPE-01'],
  { setup: hookFirst },
  async ({ someone, services, admin, dialect }) => {
    const hook = await services.get(authorizationWebhook, 'earlier');
    hook.decide('order-denied', (asked) => (attributesIn(asked).verb === 'get' ? 'deny' : 'no opinion'));
    const ada = await known({ someone, services }, 'order-denied');
    await grantHere(admin, ada, dialect, [on(configMaps, dialect, 'list', 'get')]);
    must('the role is followed', await should(() => ada.list(configMaps), match.status(200)));
    must('the webhook decides first', await ada.get(configMaps, 'absent'), forbidden);
  },
);

check(
  'AUTHZCONF-TYPE-01.1',
  'Node and RBAC stand in the file → a node reads services by the one, and a user by a role of the other',
  ['AUTHZCONF-TYPE-01'],
  { setup: byFile([NODE, RBAC]) },
  async ({ someone, services, admin, dialect }) => {
    const listServices = (actor: Actor) => actor.request('GET', '/api/v1/services');
    const node = await known({ someone, services }, 'system:node:a', ['system:nodes']);
    must('the node may', await listServices(node), match.status(200));
    const ada = await known({ someone, services }, 'ada');
    must('somebody else may not', await listServices(ada), forbidden);
    await grantHere(admin, ada, dialect, [on(configMaps, dialect, 'list')]);
    must('what a role grants they may', await should(() => ada.list(configMaps), match.status(200)));
  },
);

const named = match.containing(match.aString);
/** The lines of metrics about authorization that name an authorizer. */
const naming = async (admin: Actor, name: string) => {
  const metrics = must('metrics are served', await admin.request('GET', '/metrics'), match.status(200));
  return metrics.text.split('\n').filter((line) => line.includes(`="${name}"`) && /^[a-z_:]*authoriz/.test(line));
};

check(
  'AUTHZCONF-NAME-02.1',
  'a webhook decides → its name stands in the metrics',
  ['AUTHZCONF-NAME-02/webhook'],
  { setup: hookFirst },
  async ({ someone, services, admin }) => {
    (await services.get(authorizationWebhook, 'earlier')).decide('counted', 'allow');
    const ada = await known({ someone, services }, 'counted');
    must('it allows', await ada.request('GET', NOWHERE), allowed);
    must('one of authorization names it', await naming(admin, 'earlier'), named);
  },
);

check(
  'AUTHZCONF-NAME-02.2',
  'a role grants, and a node may by what it is → the names that these authorizers have in the file stand in the metrics',
  clausesOf('AUTHZCONF-NAME-02', ['role', 'node']),
  { setup: byFile([AGENTS, ROLES]) },
  async ({ someone, services, admin, dialect }) => {
    const node = await known({ someone, services }, 'system:node:a', ['system:nodes']);
    must('the node may', await node.request('GET', '/api/v1/services'), match.status(200));
    const ada = await known({ someone, services }, 'ada');
    await grantHere(admin, ada, dialect, [on(configMaps, dialect, 'list')]);
    must('the role is followed', await should(() => ada.list(configMaps), match.status(200)));
    for (const [by, { name }] of [
      ['role', ROLES],
      ['node', AGENTS],
    ] as const) {
      await clause(`AUTHZCONF-NAME-02/${by}`, async () => {
        must('one of authorization names it', await naming(admin, name), named);
      });
    }
  },
);
