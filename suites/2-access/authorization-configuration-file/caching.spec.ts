import {
  type Actor,
  authorizationWebhook,
  check,
  configMaps,
  MINUTE,
  match,
  must,
  SECOND,
  should,
} from '../../harness/index.ts';
import { allowed, asks, byFile, known, NOWHERE } from '../authorizers.ts';
import { forbidden } from '../decisions.ts';

const usual = byFile([asks('cached')]);
const given = byFile([asks('cached', { authorizedTTL: '20m', unauthorizedTTL: '10m' })]);
const short = byFile([asks('cached', { authorizedTTL: '1s', unauthorizedTTL: '1s' })]);

const ask = (actor: Actor) => actor.request('GET', NOWHERE);

/** How long which answer is kept, and when it is surely kept still: milliseconds. */
const TIMES = [
  { requirement: 'AUTHZCONF-TTL-01', decision: 'allow', words: 'by default', setup: usual, ttl: 5 * MINUTE },
  { requirement: 'AUTHZCONF-TTL-01', decision: 'allow', words: 'with authorizedTTL', setup: given, ttl: 20 * MINUTE },
  { requirement: 'AUTHZCONF-TTL-02', decision: 'no opinion', words: 'by default', setup: usual, ttl: 30 * SECOND },
  { requirement: 'AUTHZCONF-TTL-02', decision: 'deny', words: 'by default', setup: usual, ttl: 30 * SECOND },
  {
    requirement: 'AUTHZCONF-TTL-02',
    decision: 'no opinion',
    words: 'with unauthorizedTTL',
    setup: given,
    ttl: 10 * MINUTE,
  },
] as const;

for (const { requirement, decision, words, setup, ttl } of TIMES) {
  check(
    `the webhook decides "${decision}", ${words} → that stands for ${ttl / SECOND} seconds, and is asked anew afterwards`,
    [requirement],
    { setup, needs: ['virtual-clock'] },
    async ({ someone, services, clock }) => {
      const [before, after] = decision === 'allow' ? [allowed, forbidden] : [forbidden, allowed];
      const user = `kept-${decision}-${ttl}`;
      const hook = await services.get(authorizationWebhook, 'cached');
      hook.decide(user, decision);
      const ada = await known({ someone, services }, user);
      must('it decides', await ask(ada), before);
      hook.decide(user, decision === 'allow' ? 'deny' : 'allow');
      await clock.advance(ttl - 10 * SECOND);
      must('the answer is kept', await ask(ada), before);
      await clock.advance(11 * SECOND);
      must('and then no longer', await ask(ada), after);
    },
  );
}

for (const [requirement, decision, before, after] of [
  ['AUTHZCONF-TTL-01', 'allow', allowed, forbidden],
  ['AUTHZCONF-TTL-02', 'deny', forbidden, allowed],
] as const) {
  check(
    `the webhook decides "${decision}" where answers are kept for a second, and thinks better of it → that is followed`,
    [requirement],
    { setup: short },
    async ({ someone, services }) => {
      const user = `shortly-${decision}`;
      const hook = await services.get(authorizationWebhook, 'cached');
      hook.decide(user, decision);
      const ada = await known({ someone, services }, user);
      must('it decides', await ask(ada), before);
      hook.decide(user, decision === 'allow' ? 'deny' : 'allow');
      must('the other decision is followed', await should(() => ask(ada), after));
    },
  );
}

check(
  'the webhook has allowed one question and would deny it now → the same question is allowed, and every other denied',
  ['AUTHZCONF-TTL-03'],
  { setup: usual },
  async ({ services, admin }) => {
    const hook = await services.get(authorizationWebhook, 'cached');
    const [here, there] = [await admin.pathOf(configMaps), await admin.elsewhere().pathOf(configMaps)];
    // By impersonation users differ in what is asked about and in nothing else; certificates would leave their marks.
    const as = (user: string, group: string, path: string, method = 'GET') =>
      admin.request(method, path, { headers: { 'impersonate-user': user, 'impersonate-group': group } });
    hook.decide('another', 'deny');
    hook.decide('same', 'allow');
    must('the question is allowed', await as('same', 'staff', `${here}/doc`), match.status(404));
    hook.decide('same', 'deny');
    must('the same one is still', await as('same', 'staff', `${here}/doc`), match.status(404));
    must('another verb', await as('same', 'staff', `${here}/doc`, 'DELETE'), forbidden);
    must('another object', await as('same', 'staff', `${here}/other`), forbidden);
    must('another namespace', await as('same', 'staff', `${there}/doc`), forbidden);
    must('a path', await as('same', 'staff', NOWHERE), forbidden);
    must('another group', await as('same', 'guests', `${here}/doc`), forbidden);
    must('another user', await as('another', 'staff', `${here}/doc`), forbidden);
  },
);
