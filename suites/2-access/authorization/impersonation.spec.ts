import {
  check,
  configMaps,
  grantEverywhere,
  grantHere,
  match,
  must,
  on,
  type Rule,
  secrets,
  should,
} from '../../harness/vocabulary.ts';
import { forbidden } from '../decisions.ts';
import { whoAmI } from '../whoAmI.ts';

const ADA = { 'impersonate-user': 'touchstone-ada' };
const allowsAda: Rule = {
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
      readonly rule: (domain: string) => Rule;
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
    `the stranger acts as ${whom} → forbidden without the verb impersonate, and with it for the names it is granted for`,
    ['AUTHZ-IMPERSONATE-01'],
    async ({ admin, stranger, dialect }) => {
      const acting = (as: Readonly<Record<string, string>>) => whoAmI(stranger, as);
      must('without it', await acting(headers), forbidden);
      if (beside) {
        await grantEverywhere(admin, stranger, dialect, [allowsAda], 'user');
        must('the user alone may be', await should(() => acting(ADA), match.status(201)));
        must('that does not do', await acting(headers), forbidden);
      }
      await grantEverywhere(admin, stranger, dialect, [rule(dialect.apiDomain)]);
      const granted = must('with it', await should(() => acting(headers), match.status(201)));
      must('that is who they are', granted, match.field(...shows));
      must('and nobody else', await acting(other), forbidden);
    },
  );
}

check(
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

check(
  'the stranger acts as the admin of something → what that one may is allowed, and what only the stranger may is not',
  ['AUTHZ-IMPERSONATE-02'],
  ['rbac', 'plain-identity'],
  async ({ admin, stranger, dialect }) => {
    await grantHere(admin, stranger, dialect, [on(configMaps, dialect, 'list')]);
    await grantEverywhere(admin, stranger, dialect, [allowsAda], 'acting');
    must('the stranger may', await should(() => stranger.list(configMaps), match.status(200)));
    must('and may act', await should(() => whoAmI(stranger, ADA), match.status(201)));
    const acting = await stranger.request('GET', await stranger.pathOf(configMaps), { headers: ADA });
    must('but not as that one', acting, forbidden);
  },
);
