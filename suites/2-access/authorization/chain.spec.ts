import {
  authorizationWebhook,
  check,
  configMaps,
  grantHere,
  match,
  must,
  on,
  secrets,
  should,
} from '../../harness/index.ts';
import { allowed, askedByMode, asks, attributesIn, byFile, byModes, known, NOWHERE, RBAC } from '../authorizers.ts';
import { forbidden } from '../decisions.ts';
import { agentOf, unrestricted } from '../node-authorization/nodes.ts';

const chained = byFile([asks('first'), asks('second'), RBAC]);

for (const [decision, outcome] of [
  ['allow', allowed],
  ['deny', forbidden],
] as const) {
  check(
    `AUTHZ-CHAIN-01.1/${decision}`,
    `the first webhook decides "${decision}" → the second, which would say otherwise, is not asked`,
    ['AUTHZ-CHAIN-01'],
    { setup: chained },
    async ({ someone, services }) => {
      const user = `chain-${decision}`;
      const second = await services.get(authorizationWebhook, 'second');
      (await services.get(authorizationWebhook, 'first')).decide(user, decision);
      second.decide(user, decision === 'allow' ? 'deny' : 'allow');
      const ada = await known({ someone, services }, user);
      must('the first decides', await ada.request('GET', NOWHERE), outcome);
      must('the second is not asked', second.asked(user), match.size(0));
    },
  );
}

check(
  'AUTHZ-CHAIN-02.1',
  'the first webhook has no opinion → the second decides',
  ['AUTHZ-CHAIN-02'],
  { setup: chained },
  async ({ someone, services }) => {
    const [first, second] = await Promise.all(
      ['first', 'second'].map((name) => services.get(authorizationWebhook, name)),
    );
    first?.decide('chain-passed-on', 'no opinion');
    second?.decide('chain-passed-on', 'allow');
    const ada = await known({ someone, services }, 'chain-passed-on');
    must('the second allows', await ada.request('GET', NOWHERE), allowed);
    must('the first was asked before', first?.asked('chain-passed-on').length, match.aPositiveInteger);
  },
);

check(
  'AUTHZ-CHAIN-02.2',
  'both webhooks have no opinion → roles decide, and where these grant nothing the request is denied',
  ['AUTHZ-CHAIN-02'],
  { setup: chained },
  async ({ someone, services, admin, dialect }) => {
    const ada = await known({ someone, services }, 'chain-last');
    await grantHere(admin, ada, dialect, [on(configMaps, dialect, 'list')]);
    must('a role allows', await should(() => ada.list(configMaps), match.status(200)));
    must('nobody allows', await ada.list(secrets), forbidden);
  },
);

check(
  'AUTHZ-CHAIN-02.3',
  'one authorizer knows nodes and one roles → what either has no opinion on the other allows, and nobody allows the rest',
  ['AUTHZ-CHAIN-02'],
  { setup: unrestricted, orElse: ['node-authorizer', 'rbac'] },
  async ({ someone, services, person, admin, dialect, target }) => {
    const agent = await agentOf('a', { someone, services, person, target, admin });
    must('nobody allows a list', await agent.list(configMaps), forbidden);
    await grantHere(admin, agent, dialect, [on(configMaps, dialect, 'list')]);
    must('a role allows it', await should(() => agent.list(configMaps), match.status(200)));
    must('what only the node may', await agent.request('GET', '/api/v1/services'), match.status(200));
    must('nobody allows another', await agent.list(secrets), forbidden);
  },
);

check(
  'AUTHZ-CHAIN-01.2',
  'modes stand as RBAC,Webhook → what a role grants is not asked of the webhook, which would deny it',
  ['AUTHZ-CHAIN-01'],
  { setup: byModes('RBAC,Webhook', askedByMode('mode')) },
  async ({ someone, services, admin, dialect }) => {
    const hook = await services.get(authorizationWebhook, 'mode');
    const ada = await known({ someone, services }, 'mode-granted');
    await grantHere(admin, ada, dialect, [on(configMaps, dialect, 'list', 'get')]);
    must('the role is followed', await should(() => ada.list(configMaps), match.status(200)));
    hook.decide('mode-granted', 'deny');
    must('the role decides', await ada.get(configMaps, 'absent'), match.status(404));
    const got = hook.asked('mode-granted').filter((asked) => attributesIn(asked).verb === 'get');
    must('the webhook is not asked', got, match.size(0));
  },
);

check(
  'AUTHZ-CHAIN-01.3',
  'modes stand as Webhook,RBAC → the webhook denies what a role grants',
  ['AUTHZ-CHAIN-01'],
  { setup: byModes('Webhook,RBAC', askedByMode('mode')) },
  async ({ someone, services, admin, dialect }) => {
    const hook = await services.get(authorizationWebhook, 'mode');
    hook.decide('mode-denied', (asked) => (attributesIn(asked).resource === 'configmaps' ? 'deny' : 'no opinion'));
    const ada = await known({ someone, services }, 'mode-denied');
    await grantHere(admin, ada, dialect, [on(configMaps, dialect, 'list'), on(secrets, dialect, 'list')]);
    must('the role is followed', await should(() => ada.list(secrets), match.status(200)));
    must('the webhook stands before it', await ada.list(configMaps), forbidden);
  },
);
