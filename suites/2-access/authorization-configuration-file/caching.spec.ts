import type { Exchange, Matcher, Services } from '../../harness/index.ts';
import { type Actor, authorizationWebhook, check, configMaps, MINUTE, must, SECOND } from '../../harness/index.ts';
import { allowed, askedByMode, asks, byFile, byModes, known, NOWHERE } from '../authorizers.ts';
import { authorized, forbidden } from '../decisions.ts';

const usual = byFile([asks('cached'), asks('behind')]);
/** Behind a webhook of other times; and a time may be written in several units. */
const given = byFile([
  asks('brief', { authorizedTTL: '1s', unauthorizedTTL: '1s' }),
  asks('cached', { authorizedTTL: '0.2h5.5m149s1000ms', unauthorizedTTL: '0.1h1.5m149s1000ms' }),
]);
/** One of the two times is given, and the other goes by itself. */
const halfGiven = {
  allowing: byFile([asks('cached', { authorizedTTL: '20m', unauthorizedTTL: undefined })]),
  other: byFile([asks('cached', { authorizedTTL: undefined, unauthorizedTTL: '10m' })]),
};
const flagged = byModes('Webhook', askedByMode('cached'));
const short = byFile([asks('cached', { authorizedTTL: '100ms', unauthorizedTTL: '0.1s' })]);

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
  {
    requirement: 'AUTHZCONF-TTL-01',
    decision: 'allow',
    words: 'with unauthorizedTTL alone',
    setup: halfGiven.other,
    ttl: 5 * MINUTE,
  },
  {
    requirement: 'AUTHZCONF-TTL-02',
    decision: 'deny',
    words: 'with authorizedTTL alone',
    setup: halfGiven.allowing,
    ttl: 30 * SECOND,
  },
  { requirement: 'AUTHZCONF-TTL-01', decision: 'allow', words: 'of mode Webhook', setup: flagged, ttl: 5 * MINUTE },
  { requirement: 'AUTHZCONF-TTL-02', decision: 'deny', words: 'of mode Webhook', setup: flagged, ttl: 30 * SECOND },
  {
    requirement: 'AUTHZCONF-TTL-02',
    decision: 'no opinion',
    words: 'of mode Webhook',
    setup: flagged,
    ttl: 30 * SECOND,
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
      const user = `kept-${decision}-${ttl}-${words.length}`;
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
    `the webhook decides "${decision}" where answers are kept for less than a second, and thinks better of it → that is followed before a second is over`,
    [requirement],
    { setup: short },
    async ({ someone, services }) => {
      const user = `shortly-${decision}`;
      const hook = await services.get(authorizationWebhook, 'cached');
      hook.decide(user, decision);
      const ada = await known({ someone, services }, user);
      must('it decides', await ask(ada), before);
      hook.decide(user, decision === 'allow' ? 'deny' : 'allow');
      // Long after the answer has run out: a wait of our own is never too short.
      await new Promise((resolve) => setTimeout(resolve, 600));
      must('the other decision is followed', await ask(ada), after);
    },
  );
}

/** What a webhook decides, what one behind it does, and what comes of it, each time that is asked. */
const KEPT = {
  'AUTHZCONF-TTL-01': [['allow', 'deny', authorized]],
  'AUTHZCONF-TTL-02': [
    ['deny', 'allow', forbidden],
    ['no opinion', 'allow', authorized],
    ['no opinion', 'deny', forbidden],
  ],
} as const;

for (const requirement of ['AUTHZCONF-TTL-01', 'AUTHZCONF-TTL-02'] as const) {
  check(
    `${requirement}.3`,
    `a webhook ${requirement === 'AUTHZCONF-TTL-01' ? 'allows' : 'denies or has no opinion'}, and one behind it decides otherwise → whoever asks again gets the same decision`,
    [requirement, 'AUTHZ-CHAIN-01'],
    { setup: usual },
    async ({ someone, services }) => {
      const hook = await services.get(authorizationWebhook, 'cached');
      const behind = await services.get(authorizationWebhook, 'behind');
      for (const [decision, other, outcome] of KEPT[requirement]) {
        const user = `kept-${decision}-before-${other}`;
        hook.decide(user, decision);
        behind.decide(user, other);
        const ada = await known({ someone, services }, user);
        // What is kept of questions about a path and about an object may be kept apart.
        for (const path of [NOWHERE, '/api/v1/namespaces/default/configmaps/absent'])
          for (const time of ['first', 'second', 'third'])
            must(`${decision} before ${other}, the ${time} time`, await ada.request('GET', path), outcome);
      }
    },
  );
}

type Decision = 'allow' | 'deny';

/** Looks at what becomes of one question, and of others, once the webhook has decided otherwise. */
const askedAnew =
  (first: Decision, then: Decision, kept: Matcher<Exchange>, anew: Matcher<Exchange>) =>
  async ({ services, admin }: { readonly services: Services; readonly admin: Actor }) => {
    const hook = await services.get(authorizationWebhook, 'cached');
    const [here, there] = [await admin.pathOf(configMaps), await admin.elsewhere().pathOf(configMaps)];
    // By impersonation users differ in what is asked about and in nothing else; certificates would leave their marks.
    const as = (name: string, groups: readonly string[], path: string, method = 'GET', extra = {}) => {
      const headers = { 'impersonate-user': `${name}-${first}`, 'impersonate-group': groups, ...extra };
      return admin.request(method, path, { headers });
    };
    const decide = (name: string, decision: Decision) => hook.decide(`${name}-${first}`, decision);
    const asked = `${here}/doc`;
    decide('another', then);
    decide('same', first);
    must('the question is decided', await as('same', ['staff'], asked), kept);
    must('so is one about a path', await as('same', ['staff'], NOWHERE), kept);
    must('and one about a collection', await as('same', ['staff'], here, 'DELETE'), kept);
    decide('same', then);
    must('the same one is so still', await as('same', ['staff'], asked), kept);
    must('and that about the path', await as('same', ['staff'], NOWHERE), kept);
    for (const [what, path, method] of [
      ['verb', asked, 'DELETE'],
      ['verb of the same method', here, 'GET'],
      ['verb, watch', `${here}?watch=true&timeoutSeconds=1`, 'GET'],
      ['object', `${here}/other`, 'GET'],
      ['object of a longer name', `${asked}s`, 'GET'],
      ['namespace', `${there}/doc`, 'GET'],
      ['collection', there, 'DELETE'],
      ['subresource', `${asked}/status`, 'GET'],
      ['resource', asked.replace('configmaps', 'secrets'), 'GET'],
      ['API group', `/apis/apps/v1/namespaces/${await admin.namespace()}/configmaps/doc`, 'GET'],
      ['path', `${NOWHERE}/else`, 'GET'],
      ['method on the path', NOWHERE, 'POST'],
    ] as const)
      must(`another ${what}`, await as('same', ['staff'], path, method), anew);
    must('another group', await as('same', ['guests'], asked), anew);
    must('one more group', await as('same', ['staff', 'guests'], asked), anew);
    must('another user', await as('another', ['staff'], asked), anew);
    const scoped = (value: string | readonly string[]) => ({ 'impersonate-extra-scopes': value });
    must('an extra', await as('same', ['staff'], asked, 'GET', scoped('reading')), anew);
    decide('scoped', first);
    must('with an extra', await as('scoped', ['staff'], asked, 'GET', scoped('reading')), kept);
    decide('scoped', then);
    must('another value of it', await as('scoped', ['staff'], asked, 'GET', scoped('writing')), anew);
    must('one more value', await as('scoped', ['staff'], asked, 'GET', scoped(['reading', 'writing'])), anew);
    const other = { 'impersonate-extra-places': 'reading' };
    must('another key of it', await as('scoped', ['staff'], asked, 'GET', other), anew);
    must('none of it', await as('scoped', ['staff'], asked), anew);
  };

check(
  'AUTHZCONF-TTL-03.1',
  'the webhook has allowed one question and would deny it now → the same question is allowed, and every other denied',
  ['AUTHZCONF-TTL-03/allow'],
  { setup: usual },
  askedAnew('allow', 'deny', authorized, forbidden),
);

check(
  'AUTHZCONF-TTL-03.2',
  'the webhook has denied one question and would allow it now → the same question is denied, and every other allowed',
  ['AUTHZCONF-TTL-03/deny'],
  { setup: usual },
  askedAnew('deny', 'allow', forbidden, authorized),
);
