import { CHANGED_ALONE, clausesOf } from '../../../fixtures/ledger/index.ts';
import type { Actor, AuthorizationWebhook, Identity } from '../../harness/index.ts';
import {
  authorizationWebhook,
  check,
  clause,
  match,
  must,
  type Services,
  type SetupOf,
  type Started,
  should,
} from '../../harness/index.ts';
import {
  type AuthorizerEntry,
  allowed,
  asks,
  byFile,
  CONFIG,
  configured,
  known,
  NOWHERE,
  RBAC,
} from '../authorizers.ts';
import { forbidden } from '../decisions.ts';

/** A file that has changed is read again within a minute; milliseconds, with some for doing it. */
const A_MINUTE = 70_000;

const FAILURE_COUNTED = match.text(
  'a count of failures',
  /^[a-z_]*authorization_config[a-z_]*\{.*status="failure".*[1-9]/m,
);

/** Starts with one webhook, and has what it takes to ask the other one. */
const changing: SetupOf = async (services, dialect) => {
  const { files: later } = await configured([asks('after')], services, dialect);
  const setup = await byFile([asks('before'), RBAC])(services, dialect);
  return { ...setup, files: { ...setup.files, ...later } };
};

check(
  'AUTHZCONF-FILE-02.1',
  'the file changes three times while the server runs → the new authorizers decide within a minute each time',
  ['AUTHZCONF-FILE-02', 'AUTHZCONF-FILE-02/back', 'AUTHZCONF-FILE-02/third'],
  ['launch'],
  async ({ start, services, dialect }, info) => {
    info.setTimeout(4 * A_MINUTE);
    (await services.get(authorizationWebhook, 'before')).decide('changing', 'allow');
    (await services.get(authorizationWebhook, 'after')).decide('changing', 'deny');
    (await services.get(authorizationWebhook, 'after')).decide('skipped-at-first', 'allow');
    const server = await start(changing);
    const ada = await known(at(server, services), 'changing');
    must('the first decides', await ada.request('GET', NOWHERE), allowed);
    const bea = await known(at(server, services), 'skipped-at-first');
    const without = { matchConditions: [{ expression: "request.user != 'skipped-at-first'" }] };
    server.write(CONFIG, (await configured([asks('after', without), RBAC], services, dialect)).config);
    const followed = await should(() => ada.request('GET', NOWHERE), forbidden, { within: A_MINUTE });
    must('the other one decides', followed);
    must('where it is asked', await bea.request('GET', NOWHERE), forbidden);
    await clause('AUTHZCONF-FILE-02/back', async () => {
      server.write(CONFIG, (await configured([asks('before'), RBAC], services, dialect)).config);
      const again = await should(() => ada.request('POST', NOWHERE), allowed, { within: A_MINUTE });
      must('the first decides again', again);
    });
    await clause('AUTHZCONF-FILE-02/third', async () => {
      must('somebody is allowed nothing by either', await bea.request('POST', NOWHERE), forbidden);
      server.write(CONFIG, (await configured([asks('after'), RBAC], services, dialect)).config);
      const third = await should(() => bea.request('PUT', NOWHERE), allowed, { within: A_MINUTE });
      must('the other one decides without its condition', third);
    });
  },
);

check(
  'AUTHZCONF-FILE-02.2',
  'authorizers that were there change places and conditions while the server runs → all of that is taken up',
  ['AUTHZCONF-FILE-02'],
  ['launch'],
  async ({ start, services, dialect }, info) => {
    info.setTimeout(2 * A_MINUTE);
    const [before, after] = [
      await services.get(authorizationWebhook, 'before'),
      await services.get(authorizationWebhook, 'after'),
    ];
    before.decide('moved', 'allow');
    after.decide('moved', 'deny');
    before.decide('skipped', 'allow');
    after.decide('sent', 'allow');
    const about = (who: string) => ({ matchConditions: [{ expression: `request.user != '${who}'` }] });
    const server = await start(byFile([asks('before', about('skipped')), asks('after', about('other')), RBAC]));
    const [moved, skipped, sent] = await Promise.all(
      ['moved', 'skipped', 'sent'].map((user) => known(at(server, services), user)),
    );
    const ask = (actor: Actor | undefined, method: string) => (actor as Actor).request(method, NOWHERE);
    must('the first decides', await ask(moved, 'GET'), allowed);
    must('its condition holds', await ask(skipped, 'GET'), forbidden);
    must('so does that of the second', await ask(sent, 'GET'), allowed);
    const later = [asks('after', about('sent')), asks('before'), RBAC];
    server.write(CONFIG, (await configured(later, services, dialect)).config);
    must('the second is first', await should(() => ask(moved, 'POST'), forbidden, { within: A_MINUTE }));
    must('a condition is gone', await ask(skipped, 'POST'), allowed);
    must('another is there', await ask(sent, 'POST'), forbidden);
  },
);

/** Lets a webhook be asked about everybody but these. */
const aboutAllBut = (who: string) => ({ matchConditions: [{ expression: `request.user != '${who}'` }] });
const NOBODY = aboutAllBut('nobody');
const ALL_BUT_ONE = aboutAllBut('alone-condition');

/** Not allowed; with which status who is denied for a failure is refused is judged elsewhere. */
const refused = match.status(403, 500);

/** Authorizers one after another, each of which is what was before but for one thing, and what becomes of somebody by it. */
const ALONE: Readonly<
  Record<
    (typeof CHANGED_ALONE)[number],
    {
      readonly entries: readonly AuthorizerEntry[];
      readonly decisions: Readonly<Record<string, Parameters<AuthorizationWebhook['decide']>[1]>>;
      readonly becomes: 'allowed' | 'forbidden';
    }
  >
> = {
  order: {
    entries: [asks('after'), asks('before', NOBODY), RBAC],
    decisions: { before: 'allow', after: 'deny' },
    becomes: 'forbidden',
  },
  condition: {
    entries: [asks('after'), asks('before', ALL_BUT_ONE), RBAC],
    decisions: { before: 'allow' },
    becomes: 'forbidden',
  },
  connection: {
    entries: [asks('other', {}, 'after'), asks('before', ALL_BUT_ONE), RBAC],
    decisions: { after: 'deny', other: 'allow' },
    becomes: 'allowed',
  },
  fewer: {
    entries: [asks('before', ALL_BUT_ONE), RBAC],
    decisions: { other: 'allow' },
    becomes: 'forbidden',
  },
  more: {
    entries: [asks('before', ALL_BUT_ONE), asks('after'), RBAC],
    decisions: { after: 'allow' },
    becomes: 'allowed',
  },
  policy: {
    entries: [asks('before', { ...ALL_BUT_ONE, failurePolicy: 'Deny' }), asks('after'), RBAC],
    decisions: { before: { instead: { body: '<html>denied</html>' } }, after: 'allow' },
    becomes: 'forbidden',
  },
  version: {
    entries: [
      asks('before', { ...ALL_BUT_ONE, failurePolicy: 'Deny', subjectAccessReviewVersion: 'v1beta1' }),
      asks('after'),
      RBAC,
    ],
    decisions: { before: ({ apiVersion }) => (String(apiVersion).endsWith('/v1') ? 'allow' : 'deny') },
    becomes: 'forbidden',
  },
};

check(
  'AUTHZCONF-FILE-02.3',
  'the file changes in one thing after another while the server runs, such as the order of what is in it → each decides',
  clausesOf('AUTHZCONF-FILE-02', 'alone'),
  ['launch'],
  async ({ start, services, dialect }, info) => {
    info.setTimeout(CHANGED_ALONE.length * A_MINUTE);
    const all = ['before', 'after', 'other'];
    const { files } = await configured(
      all.map((name) => asks(name)),
      services,
      dialect,
    );
    const server = await start(async (...of) => {
      const setup = await byFile([asks('before', NOBODY), asks('after'), RBAC])(...of);
      return { ...setup, files: { ...files, ...setup.files } };
    });
    for (const thing of CHANGED_ALONE)
      await clause(`AUTHZCONF-FILE-02/alone/${thing}`, async () => {
        const { entries, decisions, becomes } = ALONE[thing];
        for (const [name, decision] of Object.entries(decisions))
          (await services.get(authorizationWebhook, name)).decide(`alone-${thing}`, decision);
        const ada = await known(at(server, services), `alone-${thing}`);
        // What was decided may be kept for a while, so each question is another one.
        let count = 0;
        const ask = () => ada.request('GET', `${NOWHERE}/${count++}`);
        const [was, is] = becomes === 'allowed' ? [refused, allowed] : [allowed, refused];
        must('the file before decides', await ask(), was);
        server.write(CONFIG, (await configured(entries, services, dialect)).config);
        must('the one with another thing does', await should(ask, is, { within: A_MINUTE }));
      });
  },
);

check(
  'AUTHZCONF-FILE-03.1',
  'the file becomes invalid while the server runs → the last valid one stays in use, until there is another',
  ['AUTHZCONF-FILE-03', 'AUTHZCONF-FILE-02/after-invalid'],
  ['launch'],
  async ({ start, services, dialect }, info) => {
    info.setTimeout(2 * A_MINUTE);
    (await services.get(authorizationWebhook, 'after')).decide('staying', 'deny');
    (await services.get(authorizationWebhook, 'before')).decide('staying', 'allow');
    const server = await start(changing);
    const admin = server.as('admin');
    const ada = await known(at(server, services), 'staying');
    must('the first decides', await ada.request('GET', NOWHERE), allowed);
    const { config } = await configured([asks('after', { timeout: '31s' }), RBAC], services, dialect);
    server.write(CONFIG, config);
    // Whether the server has looked cannot be told for sure: where it counts such failures we wait for that, and a
    // server that has not looked yet passes.
    await should(async () => (await admin.request('GET', '/metrics')).text, FAILURE_COUNTED, { within: 3_000 });
    must('the first decides still', await ada.request('DELETE', NOWHERE), allowed);
    await clause('AUTHZCONF-FILE-02/after-invalid', async () => {
      server.write(CONFIG, (await configured([asks('after'), RBAC], services, dialect)).config);
      const mended = await should(() => ada.request('PATCH', NOWHERE), forbidden, { within: A_MINUTE });
      must('the next valid one is taken up', mended);
    });
  },
);

/** Where {@link known} finds somebody at a server that the check started. */
function at(server: Started, services: Services) {
  return { services, someone: (name: string, identity: Identity) => server.as(name, identity) };
}
