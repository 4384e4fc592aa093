import { clausesOf, type MALFORMED_REVIEWS } from '../../../fixtures/ledger/index.ts';
import type { AuthorizationWebhook, Exchange, Reply, SetupOf, WebhookDecision } from '../../harness/index.ts';
import {
  type AskedAccess,
  authority,
  authorizationWebhook,
  bundleOfAuthorities,
  check,
  clause,
  configMaps,
  grantHere,
  match,
  must,
  on,
  should,
} from '../../harness/index.ts';
import { allowed, asks, attributesIn, byFile, known, NOWHERE, RBAC } from '../authorizers.ts';
import { forbidden } from '../decisions.ts';

/** The old and the new webhook are asked about each request, one after the other. */
const versions = byFile([asks('new'), asks('old', { subjectAccessReviewVersion: 'v1beta1' })]);

for (const [webhook, version, groups] of [
  ['new', 'v1', 'groups'],
  ['old', 'v1beta1', 'group'],
] as const) {
  check(
    `AUTHZCONF-VERSION-01.1/${version}/${version}/${groups}`,
    `reviews are to be in ${version} → the webhook is asked in ${version}, with the groups as ${groups}`,
    ['AUTHZCONF-VERSION-01'],
    { setup: versions },
    async ({ someone, services, dialect }) => {
      const user = `version-${version}`;
      const hook = await services.get(authorizationWebhook, webhook);
      hook.decide(user, 'allow');
      const ada = await known({ someone, services }, user, ['staff']);
      must('it allows', await ada.request('GET', NOWHERE), allowed);
      const asked = hook.asked(user)[0];
      must(
        'it is asked so',
        asked,
        match.at('apiVersion', `authorization.${dialect.apiDomain}/${version}`),
        match.at('kind', 'SubjectAccessReview'),
        match.at(['spec', groups], match.containing('staff')),
      );
    },
  );
}

check(
  'AUTHZCONF-VERSION-01.2',
  'ada asks for a resource and for a path → the webhook is told of user, groups and attributes as they are',
  ['AUTHZCONF-VERSION-01', 'AUTHZCONF-CONNECTION-01'],
  { setup: versions },
  async ({ someone, services }) => {
    const hook = await services.get(authorizationWebhook, 'new');
    hook.decide('told', 'allow');
    const ada = await known({ someone, services }, 'told', ['staff']);
    const namespace = await ada.namespace();
    await ada.patch(configMaps, 'doc', 'merge', {});
    await ada.request('DELETE', NOWHERE);
    const [resource, path] = hook.asked('told') as [AskedAccess, AskedAccess];
    must('its client certificate is that of the file', resource.client, match.equal('server-under-test'));
    const attributes = { verb: 'patch', resource: 'configmaps', namespace, name: 'doc' };
    must('the resource', attributesIn(resource), match.including(attributes));
    must('the core group is empty', attributesIn(resource).group, match.empty);
    must('the path', path.spec.nonResourceAttributes, match.equal({ path: NOWHERE, verb: 'delete' }));
    must('the groups', path.spec.groups, match.sameItems(['staff', 'system:authenticated']));
  },
);

/** A client configuration of several contexts, of which neither the first nor the last is the current one. */
const severalContexts: SetupOf = async (services, dialect) => {
  const [right, wrong] = await Promise.all(['right', 'wrong'].map((name) => services.get(authorizationWebhook, name)));
  const configOf = ({ files }: typeof right & object) =>
    Object.values(files).find((each) => typeof each === 'object') as Readonly<Record<'clusters' | 'users', object[]>>;
  const as = (name: string, [entry]: readonly object[]) => ({ ...entry, name });
  const [ours, others] = [configOf(right as AuthorizationWebhook), configOf(wrong as AuthorizationWebhook)];
  const context = (name: string) => ({ name, context: { cluster: name, user: name } });
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [as('wrong', others.clusters), as('right', ours.clusters)],
    users: [as('wrong', others.users), as('right', ours.users)],
    contexts: ['wrong', 'right', 'wrong-too'].map((name) =>
      name === 'wrong-too' ? { ...context('wrong'), name } : context(name),
    ),
    'current-context': 'right',
  };
  const entry = asks('right', {}, 'right', { kubeConfigFile: '{authorization-several.json}' });
  const { files, ...setup } = await byFile([entry])(services, dialect);
  return { ...setup, files: { ...wrong?.files, ...files, 'authorization-several.json': config } };
};

check(
  'AUTHZCONF-CONNECTION-01.1',
  'the client configuration has several contexts → the webhook of the current one is asked',
  ['AUTHZCONF-CONNECTION-01'],
  { setup: severalContexts },
  async ({ someone, services }) => {
    (await services.get(authorizationWebhook, 'right')).decide('current', 'allow');
    const wrong = await services.get(authorizationWebhook, 'wrong');
    wrong.decide('current', 'deny');
    const ada = await known({ someone, services }, 'current');
    must('that one decides', await ada.request('GET', NOWHERE), allowed);
    must('no other is asked', wrong.asked('current'), match.size(0));
  },
);

/** A client configuration whose authority has not signed the certificate of the webhook. */
const byAnotherAuthority: SetupOf = async (services, dialect) => {
  const { pem } = await services.get(authority, 'another');
  const { files = {}, ...setup } = await byFile([asks('unsigned'), asks('behind')])(services, dialect);
  const changed = Object.keys(files).filter((name) => /unsigned.*ca\.crt$/.test(name));
  return { ...setup, files: { ...files, ...Object.fromEntries(changed.map((name) => [name, pem])) } };
};

check(
  'AUTHZCONF-CONNECTION-01.2',
  'the webhook shows a certificate of another authority than that of the file → it is not asked, and the next one decides',
  ['AUTHZCONF-CONNECTION-01'],
  { setup: byAnotherAuthority },
  async ({ someone, services }) => {
    const hook = await services.get(authorizationWebhook, 'unsigned');
    hook.decide('unsigned', 'deny');
    (await services.get(authorizationWebhook, 'behind')).decide('unsigned', 'allow');
    const ada = await known({ someone, services }, 'unsigned');
    must('it is not believed', await ada.request('GET', NOWHERE), allowed);
    must('nor told anything', hook.asked('unsigned'), match.size(0));
  },
);

/** A client configuration whose authority is several, that of the webhook among some of its name. */
const bySeveralAuthorities: SetupOf = async (services, dialect) => {
  const { files = {}, ...setup } = await byFile([asks('bundled')])(services, dialect);
  const changed = Object.keys(files).filter((name) => /bundled.*ca\.crt$/.test(name));
  const bundle = await bundleOfAuthorities(services);
  return { ...setup, files: { ...files, ...Object.fromEntries(changed.map((name) => [name, bundle])) } };
};

check(
  'AUTHZCONF-CONNECTION-01.4',
  'certificate-authority holds several authorities, that of the webhook among some of its name → it is asked',
  ['AUTHZCONF-CONNECTION-01'],
  { setup: bySeveralAuthorities },
  async ({ someone, services }) => {
    (await services.get(authorizationWebhook, 'bundled')).decide('bundled', 'allow');
    const ada = await known({ someone, services }, 'bundled');
    must('it decides', await ada.request('GET', NOWHERE), allowed);
  },
);

/** How a call fails. */
const FAILURES: Readonly<Record<string, Reply>> = {
  'answers 500': { status: 500, body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 500 } },
  'hangs up': 'hang-up',
};
/** Answers that are no answer to the question, though each would allow if it were read with good will. */
const MALFORMED: Readonly<Record<(typeof MALFORMED_REVIEWS)[number], Readonly<Record<string, WebhookDecision>>>> = {
  'no-json': {
    'half a document': { instead: { body: '{"status": {"allowed": true' } },
    'a page': { instead: { body: '<html>allowed</html>', headers: { 'content-type': 'text/html' } } },
    nothing: { instead: { body: '' } },
    'a list': { instead: { body: '[{"status": {"allowed": true}}]' } },
    'the word true': { instead: { body: 'true' } },
  },
  'other-kind': {
    'a config map': { instead: { body: { apiVersion: 'v1', kind: 'ConfigMap', status: { allowed: true } } } },
    'a review of another kind': { status: { allowed: true }, kind: 'SelfSubjectAccessReview' },
    'a review of tokens': { status: { allowed: true }, kind: 'TokenReview' },
  },
  'other-version': {
    'another group': { status: { allowed: true }, apiVersion: 'example.com/v1' },
    'a version that there is not': { status: { allowed: true }, apiVersion: 'example.com/v99' },
  },
  'no-status': { 'no status': { status: undefined }, 'a status of null': { status: null } },
  'wrong-types': {
    'a status that is a text': { status: 'allowed' },
    'a status that is a list': { status: [{ allowed: true }] },
    'allowed as the text true': { status: { allowed: 'true' } },
    'allowed as the text false': { status: { allowed: 'false' } },
    'allowed as a number': { status: { allowed: 1 } },
    'allowed as an object': { status: { allowed: {} } },
    'allowed as a list': { status: { allowed: [true] } },
    'denied as a text': { status: { allowed: true, denied: 'false' } },
  },
};
/** An object that is not there: who may read it finds nothing. */
const ABSENT = '/api/v1/namespaces/default/configmaps/touchstone-absent';
const failing = {
  Deny: byFile([asks('failing', { failurePolicy: 'Deny', timeout: '1s' }), asks('behind'), RBAC]),
  NoOpinion: byFile([asks('failing', { failurePolicy: 'NoOpinion', timeout: '1s' }), asks('behind'), RBAC]),
} as const;
/** With time for an answer from a busy machine: one that is late would not be read, and so not be found malformed. */
const answered = {
  Deny: byFile([asks('failing', { failurePolicy: 'Deny', timeout: '20s' }), asks('behind'), RBAC]),
  NoOpinion: byFile([asks('failing', { failurePolicy: 'NoOpinion', timeout: '20s' }), asks('behind'), RBAC]),
} as const;

for (const [policy, requirement] of [
  ['Deny', 'AUTHZCONF-FAILURE-02'],
  ['NoOpinion', 'AUTHZCONF-FAILURE-03'],
] as const) {
  for (const [what, requirements, reply] of [
    ...Object.entries(FAILURES).map(([words, each]) => [words, [requirement], each] as const),
    ['does not answer in time', [requirement, 'AUTHZCONF-TIMEOUT-02'], 'silence'] as const,
  ]) {
    check(
      `AUTHZCONF-FAILURE-02.1/${policy}/${what}`,
      `a webhook of failure policy ${policy} ${what} → ${policy === 'Deny' ? 'denied' : 'the next one decides'}`,
      requirements,
      { setup: failing[policy] },
      async ({ someone, services }) => {
        const user = `${policy}-${what}`;
        const behind = await services.get(authorizationWebhook, 'behind');
        (await services.get(authorizationWebhook, 'failing')).decide(user, { instead: reply });
        behind.decide(user, 'allow');
        const ada = await known({ someone, services }, user);
        const answers = await Promise.all([
          ...['GET', 'POST'].map((method) => ada.request(method, NOWHERE)),
          ada.request('GET', ABSENT),
        ]);
        for (const answer of answers) must('the policy decides', answer, policy === 'Deny' ? forbidden : allowed);
        if (policy === 'Deny') must('nobody else is asked', behind.asked(user), match.size(0));
      },
    );
  }

  const word = policy === 'Deny' ? 'deny' : 'no-opinion';

  check(
    `${requirement}.2/${policy}`,
    `a webhook of failure policy ${policy} answers what is malformed, in every way → ${policy === 'Deny' ? 'denied' : 'the next one decides'}`,
    [requirement, ...clausesOf('AUTHZCONF-FAILURE-05', word)],
    { setup: answered[policy] },
    async ({ someone, services }) => {
      const hook = await services.get(authorizationWebhook, 'failing');
      const behind = await services.get(authorizationWebhook, 'behind');
      const rows = Object.entries(MALFORMED).flatMap(([name, answers]) =>
        Object.entries(answers).map(([what, answer], index) => ({
          name,
          what,
          answer,
          user: `${word}-${name}-${index}`,
        })),
      );
      // A server may ask again for a while where it got no answer, so all wait together.
      await Promise.all(
        rows.map(({ name, what, answer, user }, index) =>
          clause(`AUTHZCONF-FAILURE-05/${word}/${name}`, async () => {
            hook.decide(user, answer);
            behind.decide(user, 'allow');
            // Questions about paths and about objects by turns.
            const about = index % 2 === 0 ? NOWHERE : ABSENT;
            const ada = await known({ someone, services }, user);
            const seen = await ada.request('GET', about);
            must(`the policy decides after ${what}`, seen, policy === 'Deny' ? forbidden : allowed);
          }),
        ),
      );
    },
  );
}

check(
  'AUTHZCONF-FAILURE-05.1',
  'a webhook answers that it allows and denies at once → nobody is allowed by that',
  ['AUTHZCONF-FAILURE-05/no-opinion/wrong-types'],
  { setup: answered.NoOpinion },
  async ({ someone, services }) => {
    (await services.get(authorizationWebhook, 'failing')).decide('both', { status: { allowed: true, denied: true } });
    const ada = await known({ someone, services }, 'both');
    must('it does not allow', await ada.request('GET', NOWHERE), forbidden);
  },
);

const differing = byFile([
  asks('failing', { failurePolicy: 'NoOpinion', timeout: '1s' }),
  asks('behind', { failurePolicy: 'Deny', timeout: '20s' }),
  asks('last', { failurePolicy: 'NoOpinion', timeout: '1s' }),
]);

check(
  'AUTHZCONF-FAILURE-02.3',
  'webhooks of either failure policy stand one behind the other and fail by turns → each is followed by its own policy',
  ['AUTHZCONF-FAILURE-02', 'AUTHZCONF-FAILURE-03'],
  { setup: differing },
  async ({ someone, services }) => {
    const hooks = await Promise.all(
      ['failing', 'behind', 'last'].map((name) => services.get(authorizationWebhook, name)),
    );
    const fails = { instead: { status: 500, body: {} } } as const;
    const rows = [
      ['the-first-fails', [fails, 'allow', 'allow'], allowed],
      ['the-second-fails', ['no opinion', fails, 'allow'], forbidden],
      ['the-third-fails', ['no opinion', 'no opinion', fails], forbidden],
      ['two-fail', [fails, fails, 'allow'], forbidden],
      ['the-outer-ones-fail', [fails, 'allow', fails], allowed],
    ] as const;
    // A server may ask again for a while where a call failed, so all wait together.
    const answers = await Promise.all(
      rows.map(async ([user, scripts]) => {
        for (const [index, script] of scripts.entries()) hooks[index]?.decide(user, script);
        return (await known({ someone, services }, user)).request('GET', NOWHERE);
      }),
    );
    for (const [at, [user, , outcome]] of rows.entries())
      must(user.replaceAll('-', ' '), answers[at] as Exchange, outcome);
    must('behind a denial nobody is asked', hooks[2]?.asked('the-second-fails') ?? [], match.size(0));
  },
);

check(
  'AUTHZCONF-TIMEOUT-02.1',
  'a webhook takes longer than another one may, and not as long as it may itself → it decides',
  ['AUTHZCONF-TIMEOUT-02'],
  { setup: differing },
  async ({ someone, services }) => {
    (await services.get(authorizationWebhook, 'behind')).decide('in-its-time', async () => {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      return 'allow' as const;
    });
    const ada = await known({ someone, services }, 'in-its-time');
    must('its answer counts', await ada.request('GET', NOWHERE), allowed);
  },
);

/** How a timeout may be written, and how long the webhook takes to answer: milliseconds. */
const WRITTEN_TIMEOUTS = [
  ...['500ms', '0.5s', '0m0.25s250ms', '500000us'].map((timeout) => ({ timeout, takes: 3_000, inTime: false })),
  ...['500ms19s', '19s500ms', '0h0.25m', '20000ms'].map((timeout) => ({ timeout, takes: 1_500, inTime: true })),
  // Beyond what is said, and within the whole second above; and the other way round.
  { timeout: '1ms', takes: 500, inTime: false },
  { timeout: '1.9s', takes: 1_300, inTime: true },
] as const;
/** One webhook, asked about the user of each row with the timeout of the row, and one behind it. */
const writtenTimeouts = byFile([
  ...WRITTEN_TIMEOUTS.map(({ timeout }, at) =>
    asks(
      'lasting',
      { timeout, matchConditions: [{ expression: `request.user.startsWith('takes-${at}-')` }] },
      `lasting-${at}`,
    ),
  ),
  asks('behind'),
]);

check(
  'AUTHZCONF-TIMEOUT-02.2',
  'timeouts are below a second, of several units and of parts of one, and webhooks take longer or not → they decide where they are in time',
  ['AUTHZCONF-TIMEOUT-02'],
  { setup: writtenTimeouts },
  async ({ someone, services }) => {
    const hook = await services.get(authorizationWebhook, 'lasting');
    const behind = await services.get(authorizationWebhook, 'behind');
    const seen = await Promise.all(
      WRITTEN_TIMEOUTS.map(async ({ takes }, at) => {
        let times = 0;
        const ask = async () => {
          const user = `takes-${at}-${times++}`;
          behind.decide(user, 'allow');
          hook.decide(user, async () => {
            await new Promise((resolve) => setTimeout(resolve, takes));
            return 'deny' as const;
          });
          return (await known({ someone, services }, user)).request('GET', NOWHERE);
        };
        // On a busy machine an answer may be late, and a timer too: what comes twice of three times counts.
        const [first, second] = [await ask(), await ask()];
        return first.status === second.status ? second : ask();
      }),
    );
    for (const [at, { timeout, takes, inTime }] of WRITTEN_TIMEOUTS.entries())
      must(
        `${takes} ms are ${inTime ? 'within' : 'beyond'} ${timeout}`,
        seen[at] as Exchange,
        inTime ? forbidden : allowed,
      );
  },
);

for (const [policy, requirement] of [
  ['NoOpinion', 'AUTHZCONF-FAILURE-03'],
  ['Deny', 'AUTHZCONF-FAILURE-02'],
] as const) {
  check(
    `AUTHZCONF-FAILURE-03.3/${policy}`,
    `calls fail in every way under ${policy}, and the webhook decides the same questions then → no failure is kept, and that decides`,
    [requirement],
    { setup: failing[policy] },
    async ({ someone, services }) => {
      const hook = await services.get(authorizationWebhook, 'failing');
      const behind = await services.get(authorizationWebhook, 'behind');
      const [at, then] = policy === 'Deny' ? ([forbidden, allowed] as const) : ([allowed, forbidden] as const);
      const fails = {
        ...FAILURES,
        'does not answer': 'silence',
        'is a page': { body: '<html>allowed</html>' },
      } as const;
      const seen = await Promise.all(
        Object.entries(fails).map(async ([what, instead]) => {
          const user = `failing-at-first-${policy}-${what}`;
          hook.decide(user, { instead });
          behind.decide(user, policy === 'Deny' ? 'deny' : 'allow');
          const ada = await known({ someone, services }, user);
          const first = await ada.request('GET', NOWHERE);
          hook.decide(user, policy === 'Deny' ? 'allow' : 'deny');
          return [what, first, await should(() => ada.request('GET', NOWHERE), then)] as const;
        }),
      );
      for (const [what, first, later] of seen) {
        must(`the policy decides where it ${what}`, first, at);
        must('it is asked again', later);
      }
    },
  );
}

check(
  'AUTHZCONF-FAILURE-04.1',
  'a webhook of failure policy NoOpinion fails and nobody behind it allows → denied, but for what a role grants',
  ['AUTHZCONF-FAILURE-04', 'AUTHZCONF-FAILURE-03'],
  { setup: failing.NoOpinion },
  async ({ someone, services, admin, dialect }) => {
    const user = 'failing-then-roles';
    (await services.get(authorizationWebhook, 'failing')).decide(user, { instead: 'hang-up' });
    const ada = await known({ someone, services }, user);
    await grantHere(admin, ada, dialect, [on(configMaps, dialect, 'list')]);
    must('a role behind it grants', await should(() => ada.list(configMaps), match.status(200)));
    must('what nobody grants is denied', await ada.request('GET', NOWHERE), forbidden);
  },
);
