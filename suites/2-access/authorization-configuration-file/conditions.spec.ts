import { clausesOf, SEEN_BY_CONDITIONS, SENT_VERSIONS } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  authorizationWebhook,
  check,
  clause,
  type Identity,
  match,
  must,
  type Services,
} from '../../harness/index.ts';
import { allowed, asks, byFile, known, NOWHERE } from '../authorizers.ts';
import { authorized, forbidden } from '../decisions.ts';

/** The conditions look at what a request carries; the user's name says which of them are to be false, and which to err. */
const CONDITIONS = [
  "!request.user.contains('false')",
  // Asking for an attribute of a resource errs where the request is about a path.
  "!request.user.contains('error') || request.resourceAttributes.verb == 'get'",
  "has(request.nonResourceAttributes) && request.nonResourceAttributes.verb == 'get' || 'staff' in request.groups",
].map((expression) => ({ expression }));

/** What a condition sees of a request: one that is true for what is asked first, and false for what is asked then. */
const SEEN: Readonly<
  Record<
    (typeof SEEN_BY_CONDITIONS)[number],
    {
      readonly expression: string;
      readonly is: string;
      readonly not: string;
      readonly groups?: readonly string[];
      /** As whom somebody asks for the one and for the other. */
      readonly acts?: readonly [NonNullable<Identity['acts']>, NonNullable<Identity['acts']>];
    }
  >
> = {
  namespace: {
    expression: "request.resourceAttributes.namespace == 'default'",
    is: '/api/v1/namespaces/default/configmaps',
    not: '/api/v1/namespaces/touchstone-other/configmaps',
  },
  name: {
    expression: "request.resourceAttributes.name == 'one'",
    is: '/api/v1/namespaces/default/configmaps/one',
    not: '/api/v1/namespaces/default/configmaps/two',
  },
  'api-group': {
    expression: "request.resourceAttributes.group == 'touchstone.example'",
    is: '/apis/touchstone.example/v1/namespaces/default/things',
    not: '/api/v1/namespaces/default/things',
  },
  'core-group': {
    expression: "request.resourceAttributes.group == ''",
    is: '/api/v1/namespaces/default/things',
    not: '/apis/touchstone.example/v1/namespaces/default/things',
  },
  resource: {
    expression: "request.resourceAttributes.resource == 'secrets'",
    is: '/api/v1/namespaces/default/secrets',
    not: '/api/v1/namespaces/default/configmaps',
  },
  subresource: {
    expression: "request.resourceAttributes.subresource == 'log'",
    is: '/api/v1/namespaces/default/pods/one/log',
    not: '/api/v1/namespaces/default/pods/one',
  },
  path: {
    expression: "request.nonResourceAttributes.path == '/touchstone/seen'",
    is: '/touchstone/seen',
    not: '/touchstone/other',
  },
  groups: {
    expression:
      "('first' in request.groups && 'last' in request.groups) && !request.nonResourceAttributes.path.endsWith('/none')",
    is: '/touchstone/seen',
    not: '/touchstone/none',
    groups: ['first', 'second', 'last'],
  },
  verb: {
    expression: "request.resourceAttributes.verb == 'list'",
    is: '/api/v1/namespaces/default/configmaps',
    not: '/api/v1/namespaces/default/configmaps/one',
  },
  uid: {
    expression: "request.uid == '0042'",
    is: '/touchstone/seen',
    not: '/touchstone/seen',
    acts: [{ uid: '0042' }, { uid: '42' }],
  },
  extra: {
    expression: "'scopes' in request.extra && 'last' in request.extra['scopes']",
    is: '/touchstone/seen',
    not: '/touchstone/seen',
    acts: [{ extra: { scopes: ['first', 'last'] } }, { extra: { scopes: ['first', 'another'], last: ['last'] } }],
  },
};
/** Those that somebody has of whom they act as, and the others. */
const ACTED = SEEN_BY_CONDITIONS.filter((field) => SEEN[field].acts !== undefined);
const ASKED = SEEN_BY_CONDITIONS.filter((field) => SEEN[field].acts === undefined);
/** What somebody is called at whom conditions look before a review is sent in a version. */
const looking = (field: string, version: string) => `sees-${field}-in-${version}`;
/** Sixty-four conditions, of which most are true of everybody. */
const MOST = Array.from({ length: 64 - SEEN_BY_CONDITIONS.length }, (_, at) => ({
  expression: `request.user != 'nobody-${at}'`,
}));
const seeing = byFile([
  ...SENT_VERSIONS.map((version) =>
    asks(`conditional-${version}`, {
      subjectAccessReviewVersion: version,
      matchConditions: [
        ...MOST,
        ...SEEN_BY_CONDITIONS.map((field) => ({
          expression: `request.user != '${looking(field, version)}' || (${SEEN[field].expression})`,
        })),
      ],
    }),
  ),
  asks('behind'),
]);

interface Asking {
  readonly someone: (name: string, identity: Identity) => Actor;
  readonly services: Services;
}

/** Judges that a webhook which is sent reviews in this version is asked where a condition on this is true, and else is not. */
async function sees(
  { someone, services }: Asking,
  field: (typeof SEEN_BY_CONDITIONS)[number],
  version: (typeof SENT_VERSIONS)[number],
): Promise<void> {
  const hook = await services.get(authorizationWebhook, `conditional-${version}`);
  const { is, not, groups = [], acts } = SEEN[field];
  const user = looking(field, version);
  hook.decide(user, 'deny');
  (await services.get(authorizationWebhook, 'behind')).decide(user, 'allow');
  const actor = acts
    ? await known({ someone, services }, 'touchstone-acting', ['system:masters'])
    : await known({ someone, services }, user, groups);
  const [one, other] = (acts ?? []).map((as) => someone(user, { ...actor.identity, acts: { user, ...as } }));
  must('it is asked and decides', await (one ?? actor).request('GET', is), forbidden);
  must('it is skipped', await (other ?? actor).request('GET', not), authorized);
  must('it was asked once', hook.asked(user), match.size(1));
}

/** The same of several, in each version. */
async function seesAll(asking: Asking, fields: readonly (typeof SEEN_BY_CONDITIONS)[number][]): Promise<void> {
  await Promise.all(
    fields.flatMap((field) =>
      SENT_VERSIONS.map((version) =>
        clause(`AUTHZCONF-CONDITION-02/sees/${field}/${version}`, () => sees(asking, field, version)),
      ),
    ),
  );
}

check(
  'AUTHZCONF-CONDITION-02.3',
  'conditions look at what is asked for, and are as many as there may be → the webhook is asked where all are true, and of nothing else, in whichever version',
  clausesOf('AUTHZCONF-CONDITION-02', 'sees', ASKED),
  { setup: seeing },
  ({ someone, services }) => seesAll({ someone, services }, ASKED),
);

check(
  'AUTHZCONF-CONDITION-02.5',
  'conditions look at uid and extra, and are as many as there may be → the webhook is asked where all are true, and of nothing else, in whichever version',
  clausesOf('AUTHZCONF-CONDITION-02', 'sees', ACTED),
  { setup: seeing, needs: ['impersonation'] },
  ({ someone, services }) => seesAll({ someone, services }, ACTED),
);

/** One service that two authorizers ask, each under a condition of its own, and one behind them. */
const askedByTwo = byFile([
  asks('conditional', { matchConditions: [{ expression: "'first' in request.groups" }] }, 'first'),
  asks('conditional', { matchConditions: [{ expression: "'second' in request.groups" }] }, 'second'),
  asks('behind'),
]);

check(
  'AUTHZCONF-CONDITION-02.4',
  'two authorizers ask one service, under a condition of its own each → it is asked where either is true, and skipped where none is',
  ['AUTHZCONF-CONDITION-02'],
  { setup: askedByTwo },
  async ({ someone, services }) => {
    const hook = await services.get(authorizationWebhook, 'conditional');
    const behind = await services.get(authorizationWebhook, 'behind');
    for (const group of ['first', 'second', 'third']) {
      const user = `asked-by-two-${group}`;
      hook.decide(user, 'deny');
      behind.decide(user, 'allow');
      const ada = await known({ someone, services }, user, [group]);
      must(`of group ${group}`, await ada.request('GET', NOWHERE), group === 'third' ? allowed : forbidden);
    }
  },
);

const conditional = {
  Deny: byFile([asks('conditional', { matchConditions: CONDITIONS, failurePolicy: 'Deny' }), asks('behind')]),
  NoOpinion: byFile([asks('conditional', { matchConditions: CONDITIONS, failurePolicy: 'NoOpinion' }), asks('behind')]),
} as const;

for (const policy of ['Deny', 'NoOpinion'] as const) {
  const setup = conditional[policy];

  check(
    `AUTHZCONF-CONDITION-02.1/${policy}`,
    `all conditions are true, under ${policy} → the webhook is asked and decides`,
    ['AUTHZCONF-CONDITION-02'],
    { setup },
    async ({ someone, services }) => {
      const hook = await services.get(authorizationWebhook, 'conditional');
      const user = `true-${policy}`;
      hook.decide(user, 'allow');
      const ada = await known({ someone, services }, user);
      must('it allows', await ada.request('GET', NOWHERE), allowed);
      must('it was asked', hook.asked(user).length, match.aPositiveInteger);
      const bea = await known({ someone, services }, `${user}-delete`, ['staff']);
      hook.decide(bea.user, 'allow');
      must('another way of being true', await bea.request('DELETE', NOWHERE), allowed);
    },
  );

  for (const [words, user, method] of [
    ['one condition is false', `false-${policy}`, 'GET'],
    ['one condition is false and another errs', `false-error-${policy}`, 'GET'],
    ['the last condition is false', `last-${policy}`, 'DELETE'],
    ['the last condition is false and one before it errs', `error-last-${policy}`, 'DELETE'],
  ] as const) {
    check(
      `AUTHZCONF-CONDITION-02.2/${words}/${policy}`,
      `${words}, under ${policy} → the webhook is skipped and the next one decides`,
      ['AUTHZCONF-CONDITION-02'],
      { setup },
      async ({ someone, services }) => {
        const hook = await services.get(authorizationWebhook, 'conditional');
        hook.decide(user, 'deny');
        (await services.get(authorizationWebhook, 'behind')).decide(user, 'allow');
        const ada = await known({ someone, services }, user);
        must('the next one allows', await ada.request(method, NOWHERE), allowed);
        must('it is not asked', hook.asked(user), match.size(0));
      },
    );
  }

  check(
    `AUTHZCONF-CONDITION-03.1/${policy}`,
    `one condition errs and none is false, under ${policy} → ${policy === 'Deny' ? 'denied' : 'the webhook is skipped'}`,
    ['AUTHZCONF-CONDITION-03'],
    { setup },
    async ({ someone, services }) => {
      const user = `error-${policy}`;
      const hook = await services.get(authorizationWebhook, 'conditional');
      hook.decide(user, policy === 'Deny' ? 'allow' : 'deny');
      (await services.get(authorizationWebhook, 'behind')).decide(user, 'allow');
      const ada = await known({ someone, services }, user);
      const answer = await ada.request('GET', NOWHERE);
      must('the failure policy decides', answer, policy === 'Deny' ? forbidden : allowed);
      must('the webhook is not asked', hook.asked(user), match.size(0));
    },
  );
}
