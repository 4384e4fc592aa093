import { type Acting, BESIDE_ONESELF, type ONESELF } from '../../../fixtures/ledger/index.ts';
import type { Actor, Exchange, Identity, Matcher } from '../../harness/index.ts';
import {
  check,
  clause,
  clausesOf,
  configMaps,
  type GrantedRule,
  givenAccount,
  grantEverywhere,
  grantHere,
  match,
  must,
  named,
  on,
  secrets,
  should,
} from '../../harness/index.ts';
import { given, newToken } from '../bootstrap-token-secret/bootstrapTokens.ts';
import { forbidden } from '../decisions.ts';
import { calls, known } from '../known.ts';
import { entitled } from '../persons.ts';
import { rowsOf } from '../rbac-behavior/escalation.ts';
import { whoAmI } from '../whoAmI.ts';

const ADA = { 'impersonate-user': 'touchstone-ada' };
const allowsAda: GrantedRule = {
  verbs: ['impersonate'],
  apiGroups: [''],
  resources: ['users'],
  resourceNames: ['touchstone-ada'],
};

/** What may be impersonated: by which headers, by which rule beside the one for the user, and what shows it. */
const WHOM: Readonly<
  Record<
    string,
    {
      readonly headers: Readonly<Record<string, string>>;
      readonly other: Readonly<Record<string, string>>;
      readonly rule: (domain: string) => GrantedRule;
      /** The user is named too, which takes a right of its own. */
      readonly beside?: boolean;
      readonly shows: readonly [string, match.Expectation];
    }
  >
> = {
  'a user': {
    headers: ADA,
    other: { 'impersonate-user': 'touchstone-eve' },
    rule: () => allowsAda,
    shows: ['status.userInfo.username', 'touchstone-ada'],
  },
  'a group': {
    headers: { ...ADA, 'impersonate-group': 'touchstone-staff' },
    other: { ...ADA, 'impersonate-group': 'touchstone-owners' },
    rule: () => ({ ...allowsAda, resources: ['groups'], resourceNames: ['touchstone-staff'] }),
    beside: true,
    shows: ['status.userInfo.groups', match.containing('touchstone-staff')],
  },
  'a service account': {
    headers: { 'impersonate-user': 'system:serviceaccount:touchstone:robot' },
    other: { 'impersonate-user': 'system:serviceaccount:touchstone:other' },
    rule: () => ({ ...allowsAda, resources: ['serviceaccounts'], resourceNames: ['robot'] }),
    shows: ['status.userInfo.username', 'system:serviceaccount:touchstone:robot'],
  },
  'an extra key': {
    headers: { ...ADA, 'impersonate-extra-scopes': 'reading' },
    other: { ...ADA, 'impersonate-extra-scopes': 'writing' },
    rule: (domain) => ({
      verbs: ['impersonate'],
      apiGroups: [`authentication.${domain}`],
      resources: ['userextras/scopes'],
      resourceNames: ['reading'],
    }),
    beside: true,
    shows: ['status.userInfo.extra.scopes', match.containing('reading')],
  },
};

for (const [whom, { headers, other, rule, beside, shows }] of Object.entries(WHOM)) {
  check(
    `AUTHZ-IMPERSONATE-01.1/${whom}`,
    `the stranger acts as ${whom} → forbidden without the verb impersonate, and with it for the names it is granted for`,
    ['AUTHZ-IMPERSONATE-01'],
    async ({ admin, stranger, dialect }) => {
      const acting = (as: Readonly<Record<string, string>>) => whoAmI(stranger, as);
      must('without it', await acting(headers), forbidden);
      if (beside) {
        await grantEverywhere(admin, stranger, dialect, [allowsAda], 'user');
        must('the user alone may be', await should(() => acting(ADA), match.created));
        must('that does not do', await acting(headers), forbidden);
      }
      await grantEverywhere(admin, stranger, dialect, [rule(dialect.apiDomain)]);
      const granted = must('with it', await should(() => acting(headers), match.created));
      must('that is who they are', granted, match.field(...shows));
      must('and nobody else', await acting(other), forbidden);
    },
  );
}

check(
  'AUTHZ-IMPERSONATE-02.1',
  'the admin acts as somebody without rights → forbidden, whatever the admin may',
  ['AUTHZ-IMPERSONATE-02'],
  async ({ admin }) => {
    must('the admin may', await admin.list(secrets), match.status(200));
    const path = await admin.pathOf(secrets);
    must('that user may not', await admin.request('GET', path, { headers: ADA }), forbidden);
    const masters = { ...ADA, 'impersonate-group': 'system:masters' };
    must('in system:masters they may', await admin.request('GET', path, { headers: masters }), match.status(200));
  },
);

/** Requests that the admin may send, and somebody without rights may not. */
const NOT_THEIRS: readonly (readonly [method: string, path: string])[] = [
  ['HEAD', '/api/v1/namespaces/{here}/configmaps/one'],
  ['GET', '/api/v1/namespaces/{here}/configmaps?watch=true&timeoutSeconds=1'],
  ['GET', '/api/v1/secrets'],
  ['POST', '/api/v1/namespaces/{here}/configmaps'],
  ['PUT', '/api/v1/namespaces/{here}/configmaps/one'],
  ['PATCH', '/api/v1/namespaces/{here}/configmaps/one'],
  ['DELETE', '/api/v1/namespaces/{here}/configmaps/one'],
  ['DELETE', '/api/v1/namespaces/{here}/configmaps'],
  ['POST', '/api/v1/namespaces/{here}/serviceaccounts/default/token'],
  ['GET', '/metrics'],
  ['GET', '/touchstone/nowhere'],
  ['POST', '/touchstone/nowhere'],
];

check(
  'AUTHZ-IMPERSONATE-02.3',
  'the admin acts as somebody without rights, by every verb, on parts and on paths → forbidden, and nothing changes',
  ['AUTHZ-IMPERSONATE-02'],
  async ({ admin }) => {
    const live = await admin.given(configMaps, named('one', { data: { by: 'admin' } }));
    const here = await admin.namespace();
    for (const [method, path] of NOT_THEIRS) {
      const to = path.replace('{here}', here);
      const patching = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
      const body = /^P/.test(method) ? { body: { data: { by: 'ada' } } } : {};
      const answer = await admin.request(method, to, { headers: { ...ADA, ...patching }, ...body });
      must(`${method} ${path}`, answer, match.status(403));
    }
    must('it is as it was', await admin.get(configMaps, 'one'), match.body(live));
  },
);

check(
  'AUTHZ-IMPERSONATE-02.2',
  'the stranger acts as the admin of something → what that one may is allowed, and what only the stranger may is not',
  ['AUTHZ-IMPERSONATE-02'],
  ['rbac'],
  async ({ admin, stranger, dialect }) => {
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'list')]);
    await grantEverywhere(admin, stranger, dialect, [allowsAda], 'acting');
    must('the stranger may', await should(() => stranger.list(configMaps), match.status(200)));
    must('and may act', await should(() => whoAmI(stranger, ADA), match.created));
    const acting = await stranger.request('GET', await stranger.pathOf(configMaps), { headers: ADA });
    must('but not as that one', acting, forbidden);
  },
);

const may = (resource: string, ...resourceNames: readonly string[]): GrantedRule => ({
  verbs: ['impersonate'],
  apiGroups: [''],
  resources: [resource],
  ...(resourceNames.length === 0 ? {} : { resourceNames }),
});
const mayExtra = (domain: string, key: string, ...resourceNames: readonly string[]): GrantedRule => ({
  ...may(`userextras/${key}`, ...resourceNames),
  apiGroups: [`authentication.${domain}`],
});

/** Rights to act as somebody, and whom somebody with just these tries to be. */
const TRIED: Readonly<
  Record<
    string,
    {
      readonly rules: (domain: string) => readonly GrantedRule[];
      readonly may?: Readonly<Record<string, NonNullable<Identity['acts']>>>;
      readonly mayNot: Readonly<Partial<Record<Acting, Readonly<Record<string, NonNullable<Identity['acts']>>>>>>;
    }
  >
> = {
  'one user': {
    rules: () => [may('users', 'ada')],
    may: { 'that user': { user: 'ada' } },
    mayNot: {
      'other-user': {
        'another user': { user: 'eve' },
        'a user whose name begins so': { user: 'adam' },
        'the user in upper case': { user: 'Ada' },
        'nobody known': { user: 'system:anonymous' },
      },
      group: {
        'that user in a group': { user: 'ada', groups: ['staff'] },
        'that user in the group of masters': { user: 'ada', groups: ['system:masters'] },
      },
      extra: { 'that user with an extra': { user: 'ada', extra: { scopes: ['reading'] } } },
      account: { 'an account of that name': { user: 'system:serviceaccount:default:ada' } },
      'own-group': {
        'that user in a group that they are in themselves': { user: 'ada', groups: ['system:serviceaccounts'] },
        'that user in another one of theirs': { user: 'ada', groups: ['system:serviceaccounts:{here}'] },
      },
      themselves: {
        'who they are': { user: 'system:serviceaccount:{here}:robot' },
        'who they are, in a group of theirs': {
          user: 'system:serviceaccount:{here}:robot',
          groups: ['system:serviceaccounts'],
        },
      },
    },
  },
  'one user and one group': {
    rules: () => [may('users', 'ada'), may('groups', 'staff')],
    may: { both: { user: 'ada', groups: ['staff'] }, 'the group twice': { user: 'ada', groups: ['staff', 'staff'] } },
    mayNot: {
      'second-group': {
        'a second group behind it': { user: 'ada', groups: ['staff', 'system:masters'] },
        'a second group before it': { user: 'ada', groups: ['system:masters', 'staff'] },
        'a third group': { user: 'ada', groups: ['staff', 'staff', 'owners'] },
        'two groups in one value': { user: 'ada', groups: ['staff,system:masters'] },
      },
      'other-user': { 'a user that is called like the group': { user: 'staff' } },
    },
  },
  'one user and two groups': {
    rules: () => [may('users', 'ada'), may('groups', 'staff', 'guests')],
    may: { 'both groups': { user: 'ada', groups: ['staff', 'guests'] } },
    mayNot: { 'second-group': { 'both and another': { user: 'ada', groups: ['staff', 'guests', 'owners'] } } },
  },
  'one user and one value of an extra key': {
    rules: (domain) => [may('users', 'ada'), mayExtra(domain, 'scopes', 'reading')],
    may: { both: { user: 'ada', extra: { scopes: ['reading'] } } },
    mayNot: {
      'second-value': {
        'a second value behind it': { user: 'ada', extra: { scopes: ['reading', 'writing'] } },
        'a second value before it': { user: 'ada', extra: { scopes: ['writing', 'reading'] } },
      },
      'other-key': { 'that value of another key': { user: 'ada', extra: { notes: ['reading'] } } },
      'second-key': {
        'a second key': { user: 'ada', extra: { scopes: ['reading'], notes: ['any'] } },
        'a second key of a later letter': { user: 'ada', extra: { scopes: ['reading'], zones: ['any'] } },
      },
      group: { 'a group that is called like the value': { user: 'ada', groups: ['reading'] } },
    },
  },
  'one user and two extra keys': {
    rules: (domain) => [may('users', 'ada'), mayExtra(domain, 'scopes'), mayExtra(domain, 'notes')],
    may: { 'both keys': { user: 'ada', extra: { scopes: ['reading', 'writing'], notes: ['any'] } } },
    mayNot: {
      'second-key': { 'a third key': { user: 'ada', extra: { scopes: ['reading'], notes: ['any'], more: ['any'] } } },
    },
  },
  'every user': {
    rules: () => [may('users')],
    may: { somebody: { user: 'eve' } },
    mayNot: {
      account: { 'a service account': { user: 'system:serviceaccount:default:robot' } },
      group: { 'a group': { user: 'eve', groups: ['staff'] } },
    },
  },
  'groups alone': {
    rules: () => [may('groups')],
    mayNot: { 'other-user': { 'a user in one': { user: 'ada', groups: ['staff'] } } },
  },
  'users of another API group': {
    rules: (domain) => [{ ...may('users'), apiGroups: [`authentication.${domain}`] }],
    mayNot: { 'other-group-of-api': { 'a user': { user: 'ada' } } },
  },
  'another verb on users': {
    rules: () => [{ ...may('users', 'ada'), verbs: ['get', 'create', 'imperson*', 'escalate', 'bind'] }],
    mayNot: { 'other-verb': { 'a user': { user: 'ada' } } },
  },
  'a name with a star': {
    rules: () => [may('users', 'ad*'), may('groups', 's*')],
    mayNot: { star: { 'a user whose name begins so': { user: 'ada' } } },
  },
  'every verb on everything': {
    rules: () => [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    may: {
      anybody: { user: 'eve', groups: ['staff', 'guests'], extra: { scopes: ['reading'] } },
      'an account': { user: 'system:serviceaccount:default:robot' },
    },
    mayNot: {},
  },
};

const uidOf = (uid: match.Expectation): Matcher<Exchange> => match.field('status.userInfo.uid', uid);

/** The answer is that of who was named, in each group and with each value. */
const isThey = ({ user, groups = [], extra = {} }: NonNullable<Identity['acts']>): Matcher<Exchange> =>
  match.both(
    match.created,
    match.field('status.userInfo.username', user ?? ''),
    ...groups.map((group) => match.field('status.userInfo.groups', match.containing(group))),
    ...Object.entries(extra).map(([key, values]) =>
      match.field(['status', 'userInfo', 'extra', key], match.sameItems(values)),
    ),
  );

for (const [what, { rules, may: good = {}, mayNot }] of Object.entries(TRIED)) {
  check(
    `AUTHZ-IMPERSONATE-01.2/${what}`,
    `somebody may impersonate ${what} → that and nothing beside`,
    clausesOf('AUTHZ-IMPERSONATE-01', [
      ...rowsOf(mayNot).map(([name]) => name),
      ...(Object.keys(good).length > 0 ? ['granted'] : []),
    ]),
    ['impersonation', 'service-account-tokens'],
    async ({ admin, someone, dialect }) => {
      const robot = await givenAccount(admin, 'robot');
      const here = await admin.namespace();
      const inPlace = (acts: Identity['acts']) => JSON.parse(JSON.stringify(acts).replaceAll('{here}', here));
      const acting = (name: string, acts: Identity['acts']) => whoAmI(someone(name, { ...robot, acts: inPlace(acts) }));
      const tried = rowsOf(mayNot).flatMap(([name, all]) =>
        Object.entries(all).map(([words, acts]) => ({ name, words, acts })),
      );
      for (const [words, acts] of Object.entries(good))
        must(`without a right, ${words}`, await acting('robot', acts), forbidden);
      await entitled(admin, someone('robot', robot), { everywhere: rules(dialect.apiDomain) });
      for (const [words, acts] of Object.entries(good))
        await clause('AUTHZ-IMPERSONATE-01/granted', async () =>
          must(words, await should(() => acting('robot', acts), isThey(acts))),
        );
      for (const { name, words, acts } of tried)
        await clause(`AUTHZ-IMPERSONATE-01/${name}`, async () => must(words, await acting('robot', acts), forbidden));
    },
  );
}

check(
  'IDENTITY-ATTRIBUTES-01.4',
  'an account acts as a user → a review tells of neither its uid nor its groups nor its extra',
  ['IDENTITY-ATTRIBUTES-01', 'AUTHZ-IMPERSONATE-02'],
  ['impersonation', 'service-account-tokens', 'rbac'],
  async ({ admin, someone }) => {
    const identity = await givenAccount(admin, 'robot');
    const robot = someone('robot', identity);
    await entitled(admin, robot, { everywhere: [may('users', 'ada')] });
    const { json } = must('it is known', await whoAmI(robot), match.created, uidOf(match.aString));
    const own = (json as { status: { userInfo: { uid: string; groups: string[]; extra?: object } } }).status.userInfo;
    const acting = someone('robot', { ...identity, acts: { user: 'ada' } });
    const seen = must('it may', await should(() => whoAmI(acting), isThey({ user: 'ada' })));
    must('the uid is another', seen, uidOf(match.not(own.uid)));
    const groups = own.groups.filter((group) => group !== 'system:authenticated');
    for (const group of groups)
      must(`not in ${group}`, seen, match.field('status.userInfo.groups', match.not(match.containing(group))));
    for (const key of Object.keys(own.extra ?? {}))
      must(`without ${key}`, seen, match.field(['status', 'userInfo', 'extra', key], match.absent));
    const themselves = match.field('status.userInfo', match.including(own));
    must('it is who it was afterwards', await whoAmI(robot), themselves);
  },
);

check(
  'AUTHZ-IMPERSONATE-01.3',
  'somebody may impersonate the accounts of one namespace → those, and none of another',
  ['AUTHZ-IMPERSONATE-01/other-namespace'],
  ['impersonation', 'service-account-tokens'],
  async ({ admin, someone }) => {
    const robot = await givenAccount(admin, 'robot');
    const acting = (user: string) => whoAmI(someone('robot', { ...robot, acts: { user } }));
    const [here, there] = [await admin.namespace(), await admin.elsewhere().namespace()];
    await entitled(admin, someone('robot', robot), { here: [may('serviceaccounts', 'one')] });
    const user = `system:serviceaccount:${here}:one`;
    must('one of that namespace', await should(() => acting(user), isThey({ user })));
    must('another of it', await acting(`system:serviceaccount:${here}:other`), forbidden);
    must('one of that name elsewhere', await acting(`system:serviceaccount:${there}:one`), forbidden);
    must('a user of that name', await acting('one'), forbidden);
  },
);

check(
  'AUTHZ-IMPERSONATE-01.4',
  'somebody who may impersonate nobody names a group, an extra or a uid without a user → they do not come by it',
  ['AUTHZ-IMPERSONATE-01'],
  ['impersonation', 'service-account-tokens'],
  async ({ admin, someone }) => {
    const robot = await givenAccount(admin, 'robot');
    for (const [what, acts] of Object.entries({
      'a group': { groups: ['system:masters'] },
      'an extra': { extra: { scopes: ['reading'] } },
      'a uid': { uid: 'touchstone-uid' },
    })) {
      // What becomes of such headers is not in the text: they may be refused, or be passed over.
      const eve = someone('eve', { ...robot, acts });
      const themselves = match.both(
        match.field('status.userInfo.groups', match.not(match.containing('system:masters'))),
        match.field('status.userInfo.extra.scopes', match.absent),
        match.field('status.userInfo.uid', match.not('touchstone-uid')),
      );
      must(`not ${what}`, await whoAmI(eve), match.either(match.error, themselves));
      must(`nor what ${what} may`, await eve.list(secrets), match.error);
    }
  },
);

check(
  'AUTHZ-IMPERSONATE-01.5',
  'somebody who may impersonate a user names a uid too → refused, or they do not come by it',
  ['AUTHZ-IMPERSONATE-01'],
  ['impersonation', 'service-account-tokens'],
  async ({ admin, someone }) => {
    const robot = await givenAccount(admin, 'robot');
    await entitled(admin, someone('robot', robot), { everywhere: [may('users', 'ada')] });
    const acting = await whoAmI(someone('robot', { ...robot, acts: { user: 'ada', uid: 'touchstone-uid' } }));
    must('no uid', acting, match.either(forbidden, match.field('status.userInfo.uid', match.not('touchstone-uid'))));
  },
);

/** Somebody who may act as themselves and has no other right, with a group that they are in. */
interface Self {
  readonly identity: Identity;
  readonly ownGroup: string;
  /** What lets them act under their own name. */
  readonly rule: GrantedRule;
}
const SELVES: Readonly<Record<(typeof ONESELF)[number], (admin: Actor) => Promise<Self>>> = {
  'as-an-account': async (admin) => ({
    identity: await givenAccount(admin, 'robot'),
    ownGroup: 'system:serviceaccounts',
    rule: may('serviceaccounts', 'robot'),
  }),
  // The user of a bootstrap token is no account, and has groups.
  'as-a-user': async (admin) => {
    const token = newToken();
    await given(admin, token);
    const user = `system:bootstrap:${token.id}`;
    return { identity: { token: token.text, user }, ownGroup: 'system:bootstrappers', rule: may('users', user) };
  },
};

for (const [who, needs] of [
  ['as-an-account', 'service-account-tokens'],
  ['as-a-user', 'bootstrap-tokens'],
] as const) {
  check(
    `AUTHZ-IMPERSONATE-01.7/${who}`,
    `${who === 'as-an-account' ? 'an account' : 'a user'} acts under their own name, alone and with groups and extra → forbidden, and with a right to the name, all but that alone`,
    clausesOf('AUTHZ-IMPERSONATE-01', 'oneself', who),
    [needs, 'impersonation'],
    async ({ admin, someone, dialect }) => {
      const { identity, ownGroup, rule } = await SELVES[who](admin);
      const { user = '' } = identity;
      const actings: Readonly<Record<(typeof BESIDE_ONESELF)[number], Identity['acts']>> = {
        name: { user },
        'group-of-theirs': { user, groups: [ownGroup] },
        'any-group': { user, groups: ['staff'] },
        masters: { user, groups: ['system:masters'] },
        'any-extra': { user, extra: { scopes: ['reading'] } },
      };
      const acting = (beside: (typeof BESIDE_ONESELF)[number]) =>
        whoAmI(someone('self', { ...identity, acts: actings[beside] }));
      must('they are known', await known(someone('self', identity), calls(user)));
      const areForbidden = async (when: string, all: readonly (typeof BESIDE_ONESELF)[number][]) => {
        for (const beside of all)
          await clause(`AUTHZ-IMPERSONATE-01/oneself/${who}/${beside}`, async () => {
            must(`${beside} ${when}`, await acting(beside), forbidden);
          });
      };
      await areForbidden('without a right', BESIDE_ONESELF);
      await grantEverywhere(admin, someone('self', identity), dialect, [rule]);
      await clause(`AUTHZ-IMPERSONATE-01/oneself/${who}/name`, async () =>
        must('the name with it', await should(() => acting('name'), isThey({ user }))),
      );
      await areForbidden('with a right to the name', ['group-of-theirs', 'any-group', 'masters', 'any-extra']);
    },
  );
}
