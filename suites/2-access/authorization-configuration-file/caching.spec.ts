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
    `${requirement}.1/${decision}/${words}/${ttl / SECOND}`,
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
    `${requirement}.2/${decision}`,
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
  'AUTHZCONF-TTL-03.1',
  'the webhook has allowed one question and would deny it now → the same question is allowed, and every other denied',
  ['AUTHZCONF-TTL-03'],
  { setup: usual },
  async ({ services, admin }) => {
    const hook = await services.get(authorizationWebhook, 'cached');
    const [here, there] = [await admin.pathOf(configMaps), await admin.elsewhere().pathOf(configMaps)];
    // By impersonation users differ in what is asked about and in nothing else; certificates would leave their marks.
    const as = (user: string, groups: readonly string[], path: string, method = 'GET', extra = {}) =>
      admin.request(method, path, { headers: { 'impersonate-user': user, 'impersonate-group': groups, ...extra } });
    const asked = `${here}/doc`;
    hook.decide('another', 'deny');
    hook.decide('same', 'allow');
    must('the question is allowed', await as('same', ['staff'], asked), match.status(404));
    must('so is one about a path', await as('same', ['staff'], NOWHERE), match.status(404));
    hook.decide('same', 'deny');
    must('the same one is still', await as('same', ['staff'], asked), match.status(404));
    must('and that about the path', await as('same', ['staff'], NOWHERE), match.status(404));
    for (const [what, path, method] of [
      ['verb', asked, 'DELETE'],
      ['verb of the same method', here, 'GET'],
      ['object', `${here}/other`, 'GET'],
      ['namespace', `${there}/doc`, 'GET'],
      ['subresource', `${asked}/status`, 'GET'],
      ['resource', asked.replace('configmaps', 'secrets'), 'GET'],
      ['API group', `/apis/apps/v1/namespaces/${await admin.namespace()}/configmaps/doc`, 'GET'],
      ['path', `${NOWHERE}/else`, 'GET'],
      ['method on the path', NOWHERE, 'POST'],
    ] as const)
      must(`another ${what}`, await as('same', ['staff'], path, method), forbidden);
    must('another group', await as('same', ['guests'], asked), forbidden);
    must('one more group', await as('same', ['staff', 'guests'], asked), forbidden);
    must('another user', await as('another', ['staff'], asked), forbidden);
    const scoped = (value: string | readonly string[]) => ({ 'impersonate-extra-scopes': value });
    must('an extra', await as('same', ['staff'], asked, 'GET', scoped('reading')), forbidden);
    hook.decide('scoped', 'allow');
    must('with an extra', await as('scoped', ['staff'], asked, 'GET', scoped('reading')), match.status(404));
    hook.decide('scoped', 'deny');
    must('another value of it', await as('scoped', ['staff'], asked, 'GET', scoped('writing')), forbidden);
    must('one more value', await as('scoped', ['staff'], asked, 'GET', scoped(['reading', 'writing'])), forbidden);
    must('none of it', await as('scoped', ['staff'], asked), forbidden);
  },
);
