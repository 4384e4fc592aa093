import type { Row } from '../../covering/covering.ts';
import type { JsonObject } from '../../harness/json.ts';
import type { Rule } from '../areas/roles.ts';
import type { RowArea, RowSteps } from '../rowArea.ts';
import type { Person, Who } from '../step.ts';
import { accountSubject, bindingBody, bindingPath, give, groupSubject, makeRole, post, userSubject } from './people.ts';
import { makeAccount, makeToken, objectOfRow, requestBy } from './requests.ts';

const USERS = ['users', 'named', 'every-verb', 'every-resource'];
const ACCOUNTS = ['accounts', 'account-named', 'accounts-here'];
const MISSES = [
  'none',
  'other-verb',
  'other-group',
  'other-name',
  'sub',
  'longer-name',
  'users-here',
  'accounts-elsewhere',
];
const MORE = [
  ...['none', 'groups', 'team', 'other-team', 'longer-team', 'users-of-team', 'extra', 'extra-value'],
  ...['extra-other-value', 'extra-other-key', 'extra-no-key', 'extra-in-core', 'groups-and-extra', 'everything'],
];
/** What lets somebody add groups and extra to the user that they act as. */
const ALL = ['groups-and-extra', 'everything'];
const FITTING: Readonly<Record<string, readonly string[]>> = {
  group: ['groups', 'team', ...ALL],
  'two-groups': ['groups', ...ALL],
  'own-group': ['groups', ...ALL],
  extra: ['extra', 'extra-value', ...ALL],
  'two-values': ['extra', ...ALL],
  'two-keys': ['everything'],
  'group-and-extra': ALL,
};
const REQUESTS = [
  'self',
  'get',
  'list',
  'watch',
  'create-dry',
  'merge',
  'delete',
  'secret',
  'path',
  'rights-of-self',
  'table',
];

/** Somebody with some rights to act as others does, as users and accounts, in groups and with extra. */
export const ACTING: RowArea = {
  name: 'acting',
  together: 75,
  crossing: {
    dimensions: {
      may: [...USERS, ...ACCOUNTS, ...MISSES],
      more: MORE,
      as: ['user', 'other-user', 'account', 'account-elsewhere', 'themselves'],
      with: ['nothing', 'group', 'two-groups', 'extra', 'two-values', 'two-keys', 'group-and-extra', 'own-group'],
      request: REQUESTS,
      own: ['none', 'reads'],
    },
    deeply: [['with', 'request']],
    ends: [
      { at: { may: MISSES }, with: [['as']] },
      { at: { as: ['account-elsewhere', 'themselves'] }, with: [['with']] },
      ...Object.entries(FITTING).map(([beside, fitting]) => ({
        at: { with: [beside], more: MORE.filter((more) => !fitting.includes(more)) },
        with: [[]],
      })),
    ],
    never: [
      { may: USERS, as: ['account'] },
      { may: ACCOUNTS, as: ['user', 'other-user'] },
      { may: ['named'], as: ['other-user'] },
    ],
  },
  plain: { may: 'users', more: 'none', as: 'user', with: 'nothing', request: 'self', own: 'none' },
  shared: [
    makeAccount('acted'),
    ...give(
      '{id}-reads',
      [{ verbs: ['get', 'list', 'watch', 'create', 'patch'], apiGroups: [''], resources: ['configmaps'] }],
      [userSubject('{id}-ben'), accountSubject('acted'), groupSubject('{id}-second')],
    ),
    ...give(
      '{id}-more',
      [{ verbs: ['get', 'delete'], apiGroups: [''], resources: ['secrets', 'configmaps'] }],
      [groupSubject('{id}-team')],
    ),
  ],
  steps: stepsOf,
  names: [
    [{ request: REQUESTS }, 'AUTHZ-IMPERSONATE-02'],
    [{ own: ['reads'] }, 'AUTHZ-IMPERSONATE-02'],
    [{ question: ['self'], differs: ['other'] }, 'IDENTITY-ATTRIBUTES-01'],
  ],
  usual: ['AUTHZ-IMPERSONATE-01'],
};

const TEAM = '{id}-team';
const SCOPES = 'userextras/scopes';
const GROUP = 'authentication.{domain}';
const impersonate = (resources: readonly string[], more: Partial<Rule> = {}): Rule => ({
  verbs: ['impersonate'],
  apiGroups: [''],
  resources,
  ...more,
});
const USERS_RULE = impersonate(['users']);
const MAY: Readonly<Record<string, readonly Rule[]>> = {
  users: [USERS_RULE],
  named: [impersonate(['users'], { resourceNames: ['{id}-x', '{id}-ben'] })],
  'every-verb': [{ ...USERS_RULE, verbs: ['*'] }],
  'every-resource': [impersonate(['*'])],
  accounts: [impersonate(['serviceaccounts'])],
  'account-named': [impersonate(['serviceaccounts'], { resourceNames: ['acted'] })],
  'other-verb': [{ ...impersonate(['users', 'serviceaccounts']), verbs: ['get', 'use', 'impersonat*', 'create'] }],
  'other-group': [impersonate(['users', 'serviceaccounts'], { apiGroups: [GROUP, 'authorization.{domain}'] })],
  'other-name': [impersonate(['users', 'serviceaccounts'], { resourceNames: ['{id}-cem', '*', 'acte'] })],
  'longer-name': [impersonate(['users', 'serviceaccounts'], { resourceNames: ['{id}-benx', 'actedx', '{id}-BEN'] })],
  sub: [impersonate(['users/{id}-ben', 'serviceaccounts/acted', 'user', 'serviceaccounts/impersonate'])],
};
const EXTRA = impersonate([SCOPES], { apiGroups: [GROUP] });
const MORE_RULES: Readonly<Record<string, readonly Rule[]>> = {
  groups: [impersonate(['groups'])],
  team: [impersonate(['groups'], { resourceNames: [TEAM] })],
  'other-team': [impersonate(['groups'], { resourceNames: ['{id}-other', '*'] })],
  'longer-team': [impersonate(['groups'], { resourceNames: ['{id}-teams', '{id}-tea', '{id}-TEAM'] })],
  'users-of-team': [impersonate(['users', 'serviceaccounts'], { resourceNames: [TEAM] })],
  extra: [EXTRA],
  'extra-value': [{ ...EXTRA, resourceNames: ['view'] }],
  'extra-other-value': [{ ...EXTRA, resourceNames: ['views', '*', 'edit'] }],
  'extra-other-key': [{ ...EXTRA, resources: ['userextras/scope', 'userextras/other'] }],
  'extra-no-key': [{ ...EXTRA, resources: ['userextras', 'scopes'] }],
  'extra-in-core': [impersonate([SCOPES])],
  'groups-and-extra': [impersonate(['groups']), EXTRA],
  everything: [impersonate(['groups']), { ...EXTRA, resources: ['*'] }],
};

function stepsOf(row: Row, at: string): RowSteps {
  const { may = '', more = '', request = '' } = row;
  const name = `{id}-i${at}`;
  const account = `i${at}`;
  const subjects = [accountSubject(account)];
  const own: Rule[] =
    row.own === 'reads' ? [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps', 'secrets'] }] : [];
  const within =
    may === 'accounts-here' ? '{ns}' : may === 'accounts-elsewhere' ? '{ns2}' : may === 'users-here' ? '{ns}' : '';
  const inside = may === 'users-here' ? USERS_RULE : impersonate(['serviceaccounts']);
  const rules = [...(MAY[may] ?? []), ...(MORE_RULES[more] ?? []), ...own];
  const bound: readonly JsonObject[] = subjects;
  const as: Who = { token: `<<token-${at}.status.token>>`, acting: actingOf(row, account) };
  return {
    prepare: [
      makeAccount(account),
      makeToken(account, `token-${at}`),
      objectOfRow(`{id}-${at}`),
      ...give(name, rules, bound),
      ...(within === ''
        ? []
        : [
            makeRole('ClusterRole', `${name}-in`, [inside]),
            post(
              bindingPath('RoleBinding', within),
              bindingBody('RoleBinding', name, { kind: 'ClusterRole', name: `${name}-in` }, bound),
            ),
          ]),
    ],
    ask: [{ ...requestBy(request, as, `{id}-${at}`), question: request }],
    change: [],
    again: [],
  };
}

function actingOf({ as = '', with: beside = '' }: Row, own: string): Person {
  const user: Readonly<Record<string, string>> = {
    user: '{id}-ben',
    'other-user': '{id}-cem',
    account: 'system:serviceaccount:{ns}:acted',
    'account-elsewhere': 'system:serviceaccount:{ns2}:acted',
    themselves: `system:serviceaccount:{ns}:${own}`,
  };
  const more: Readonly<Record<string, Omit<Person, 'user'>>> = {
    group: { groups: [TEAM] },
    'two-groups': { groups: [TEAM, '{id}-second'] },
    extra: { extra: { scopes: ['view'] } },
    'two-values': { extra: { scopes: ['view', 'edit'] } },
    'two-keys': { extra: { scopes: ['view'], other: ['view'] } },
    'group-and-extra': { groups: [TEAM], extra: { scopes: ['view'] } },
    'own-group': { groups: ['system:serviceaccounts:{ns}'] },
  };
  return { user: user[as] ?? '', ...more[beside] };
}
