import {
  CROSSED_MAPPINGS,
  GROUPS_MAPPINGS,
  NAME_MAPPINGS,
  SPARE_CLAIMS,
  USER_ATTRIBUTES,
} from '../../../fixtures/ledger/index.ts';
import type { Claims, ClauseName, Exchange, Matcher, Services } from '../../harness/index.ts';
import { check, clause, clausesOf, issuer, match, must } from '../../harness/index.ts';
import { ADA, nearlyThe } from '../idTokens.ts';
import { calls, inGroups, known, knownBefore, notInGroup, refused, told } from '../known.ts';
import { whoAmI } from '../whoAmI.ts';
import {
  crossedName,
  EXACT,
  exactName,
  justAllowed,
  keysOf,
  type Mapping,
  NAMING_CLAIMS,
  namedBy,
  shared,
} from './configuration.ts';

/** A token of the issuer of this name in the shared configuration. */
async function tokenOf(services: Services, name: string, claims: Claims = {}): Promise<string> {
  const from = await services.get(issuer);
  return from.token({ claims: { ...ADA, iss: from.tenant(name), ...claims } });
}
/** What a token of the issuer `mapped` says, whose claims are all mapped by expressions. */
const MAPPED = { nick: 'queen', teams: ['red', 'blue'], id: '7', tenant: 'acme', roles: ['reader', 'writer'] };

check(
  'AUTHNCONF-USERNAME-01.1',
  'ada shows tokens where the name is a claim with a prefix, without one, and an expression → her names',
  ['AUTHNCONF-USERNAME-01'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    for (const [name, claims, user] of [
      ['plain', {}, 'plain:ada'],
      ['bare', {}, 'ada'],
      ['mapped', MAPPED, 'm:queen'],
    ] as const) {
      const ada = someone('ada', { token: await tokenOf(services, name, claims) });
      must(`by ${name} she is ${user}`, await known(ada, calls(user)));
    }
  },
);

check(
  'AUTHNCONF-USERNAME-01.3',
  'ada shows tokens of issuers that name her by a claim that is often taken → it is her name, with the prefix before it',
  ['AUTHNCONF-USERNAME-01'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const often = Object.fromEntries(NAMING_CLAIMS.map((claim) => [claim, `${claim}-of-ada`]));
    for (const claim of NAMING_CLAIMS) {
      const ada = someone('ada', {
        token: await tokenOf(services, namedBy(claim), { ...often, email_verified: true }),
      });
      must(`by ${claim}`, await known(ada, calls(`${claim}#${claim}-of-ada`)));
      must('and once more', await whoAmI(ada), calls(`${claim}#${claim}-of-ada`));
    }
  },
);

check(
  'AUTHNCONF-USERNAME-04.1',
  'ada shows a token whose name comes to nothing by claim and empty prefix → she is refused',
  ['AUTHNCONF-USERNAME-04'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    await knownBefore(someone('ada', { token: await tokenOf(services, 'bare') }));
    const nobody = someone('ada', { token: await tokenOf(services, 'bare', { sub: '' }) });
    must('nobody is called nothing', await whoAmI(nobody), refused);
  },
);

check(
  'AUTHNCONF-USERNAME-03.1',
  'ada shows a token whose name comes to nothing by expression → she is refused',
  ['AUTHNCONF-USERNAME-03'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    await knownBefore(someone('ada', { token: await tokenOf(services, 'distributed', { nick: 'queen' }) }));
    const nobody = someone('ada', { token: await tokenOf(services, 'distributed', { nick: '' }) });
    must('nobody is called nothing', await whoAmI(nobody), refused);
  },
);

check(
  'AUTHNCONF-GROUPS-01.1',
  'ada shows tokens with groups by claim and by expression → a prefix before each, a list, a single string',
  ['AUTHNCONF-GROUPS-01'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const by = async (name: string, claims: Claims) => someone('ada', { token: await tokenOf(services, name, claims) });
    const claimed = await known(await by('claimed', { teams: ['red', 'blue'], id: '7' }), inGroups('g:red', 'g:blue'));
    must('the claim with its prefix', claimed);
    const other = await known(await by('plain', { teams: ['red', 'blue'] }), inGroups('p:red', 'p:blue'));
    must('that of another issuer with its own', other);
    must('the list of the expression', await known(await by('mapped', MAPPED), inGroups('red', 'blue')));
    const own = ['system:monitoring', 'system:nodes'];
    must('groups as of the service', await known(await by('mapped', { ...MAPPED, teams: own }), inGroups(...own)));
    const single = await by('mapped', { ...MAPPED, teams: 'green' });
    must('the string of the expression', await known(single, inGroups('green')));
  },
);

const uid = (text: string) => match.field('status.userInfo.uid', text);
const extra = (key: string, values: readonly string[]) =>
  match.field(['status', 'userInfo', 'extra', key], match.sameItems(values));
/** What is seen of a user who is mapped so; the token says what begins as its prefix, or as the system's own. */
const CROSSED = { ...MAPPED, nick: 'n:queen', teams: ['red', 'g:red', 'system:monitoring'] };
const CROSSED_AS: Readonly<Record<Mapping, Matcher<Exchange>>> = {
  'name-by-claim': calls('n:n:queen'),
  'name-by-expression': calls('n:queen-x'),
  'groups-by-claim': match.both(
    inGroups('g:red', 'g:g:red', 'g:system:monitoring'),
    notInGroup('red'),
    notInGroup('system:monitoring'),
  ),
  'groups-by-expression': match.both(inGroups('red', 'g:red', 'system:monitoring'), notInGroup('g:g:red')),
  'uid-by-claim': uid('7'),
  'uid-by-expression': uid('7-x'),
};

check(
  'AUTHNCONF-GROUPS-01.3',
  'ada shows tokens where name, groups and uid are each mapped by claim or by expression → each is as it would be by itself',
  [
    ...clausesOf('AUTHNCONF-USERNAME-01'),
    ...clausesOf('AUTHNCONF-GROUPS-01'),
    ...clausesOf('AUTHNCONF-UID-01'),
    ...clausesOf('AUTHNCONF-EXTRA-01'),
    ...clausesOf('OIDC-PREFIX-01', GROUPS_MAPPINGS),
    ...clausesOf('OIDC-PREFIX-01', NAME_MAPPINGS),
  ],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    for (const crossing of CROSSED_MAPPINGS) {
      const [name, groups, by] = crossing.split('/') as [Mapping, Mapping, Mapping];
      const token = await tokenOf(services, crossedName([name, groups, by]), CROSSED);
      const seen = must('she is known', await known(someone('ada', { token }), told));
      const named: readonly ClauseName[] = name === 'name-by-claim' ? [`OIDC-PREFIX-01/file/names/${groups}`] : [];
      await clause([`AUTHNCONF-USERNAME-01/${crossing}`, ...named], async () => {
        must('her name', seen, CROSSED_AS[name]);
      });
      const grouped: readonly ClauseName[] = groups === 'groups-by-claim' ? [`OIDC-PREFIX-01/file/groups/${name}`] : [];
      await clause([`AUTHNCONF-GROUPS-01/${crossing}`, ...grouped], async () => {
        must('her groups', seen, CROSSED_AS[groups]);
      });
      await clause(`AUTHNCONF-UID-01/${crossing}`, async () => {
        must('her uid', seen, CROSSED_AS[by]);
      });
      await clause(`AUTHNCONF-EXTRA-01/${crossing}`, async () => {
        const roles = extra('example.com/roles', ['reader', 'writer']);
        must('what is extra', seen, extra('example.com/tenant', ['acme']), roles);
      });
    }
  },
);

check(
  'AUTHNCONF-UID-01.1',
  'ada shows tokens with a uid by claim and by expression → her uid',
  ['AUTHNCONF-UID-01'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const claimed = someone('ada', { token: await tokenOf(services, 'claimed', { id: '7' }) });
    must('the claim', await known(claimed, uid('7')));
    const mapped = someone('ada', { token: await tokenOf(services, 'mapped', MAPPED) });
    must('what the expression gives', await known(mapped, uid('7-x')));
  },
);

check(
  'AUTHNCONF-EXTRA-01.1',
  'ada shows a token with extra by expressions → each key with its string or strings',
  ['AUTHNCONF-EXTRA-01'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const ada = someone('ada', { token: await tokenOf(services, 'mapped', MAPPED) });
    const both = [extra('example.com/tenant', ['acme']), extra('example.com/roles', ['reader', 'writer'])];
    must('both keys are there', await known(ada, ...both));
    must('and once more', await whoAmI(ada), match.created, ...both);
  },
);

check(
  'AUTHNCONF-EXTRA-01.2',
  'keys of extra have longer paths, signs of paths, and domains that are almost those of the service, and a policy stands beside one audience → each is added',
  ['AUTHNCONF-EXTRA-01', 'AUTHNCONF-EXTRA-02', 'AUTHNCONF-AUDIENCE-01', 'AUTHNCONF-AUDIENCE-02'],
  { setup: justAllowed, orElse: ['authentication-file'] },
  async ({ someone, services, dialect }) => {
    const ada = someone('ada', { token: await tokenOf(services, 'keyed') });
    const all = keysOf(dialect).map((key) => match.field(['status', 'userInfo', 'extra', key], ['ada']));
    must('all of them are there', await known(ada, ...all));
  },
);

check(
  'AUTHNCONF-USERNAME-01.2',
  'ada shows a token where the prefix of names and groups is - → it stands before them',
  ['AUTHNCONF-USERNAME-01', 'AUTHNCONF-GROUPS-01', 'OIDC-PREFIX-01/file/names', 'OIDC-PREFIX-01/file/groups'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const ada = someone('ada', { token: await tokenOf(services, 'dashed', { nick: 'queen', teams: ['red', '-red'] }) });
    must('she is called so', await known(ada, calls('-queen'), inGroups('-red', '--red'), notInGroup('red')));
  },
);

/** What a sound token of the issuer `ruled` says. */
const RULED = { hd: 'example.com', level: 3, plan: 'gold', zone: 'near', tier: 'first', remark: '' };

check(
  'AUTHNCONF-CLAIMRULE-01.1',
  'ada shows tokens that break a claim rule → each is refused',
  ['AUTHNCONF-CLAIMRULE-01'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    await knownBefore(someone('ada', { token: await tokenOf(services, 'ruled', RULED) }));
    for (const [what, changed] of Object.entries({
      'without the required claim': { hd: undefined },
      'with another value of it': { hd: 'example.org' },
      'for which an expression is false': { level: 2 },
      'for which an expression fails': { level: undefined },
      'for which an expression compares what cannot be': { level: 'high' },
      'without a claim that is required behind an expression': { plan: undefined },
      'with another value of that': { plan: 'silver' },
      'for which the second expression is false': { zone: 'far' },
      'for which the second expression fails': { zone: undefined },
      'without what the last rule requires': { tier: undefined },
      'with another value of what the last rule requires': { tier: 'second' },
      'with a value of a claim that has to be empty': { remark: 'some' },
      'without a claim that has to be there and empty': { remark: undefined },
      'for which an expression is false that has the message of another': { shift: 'night' },
    })) {
      const ada = someone('ada', { token: await tokenOf(services, 'ruled', { ...RULED, ...changed }) });
      must(`a token ${what} is refused`, await whoAmI(ada), refused);
    }
  },
);

check(
  'AUTHNCONF-CLAIMRULE-04.1',
  'ada shows tokens whose claim is almost the required value → each is refused',
  clausesOf('AUTHNCONF-CLAIMRULE-04'),
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    await knownBefore(someone('ada', { token: await tokenOf(services, 'ruled', RULED) }));
    for (const [what, hd] of Object.entries(nearlyThe(RULED.hd))) {
      await clause(`AUTHNCONF-CLAIMRULE-04/${what}`, async () => {
        const ada = someone('ada', { token: await tokenOf(services, 'ruled', { ...RULED, hd }) });
        must(`${JSON.stringify(hd)} is another value`, await whoAmI(ada), refused);
      });
    }
  },
);

check(
  'AUTHNCONF-CLAIMRULE-03.1',
  'ada shows a token that breaks a rule with a message → the message does not reach her',
  ['AUTHNCONF-CLAIMRULE-03'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    await knownBefore(someone('ada', { token: await tokenOf(services, 'ruled', RULED) }));
    const ada = someone('ada', { token: await tokenOf(services, 'ruled', { ...RULED, level: 1 }) });
    const answer = await whoAmI(ada);
    must('she is refused', answer, refused);
    must('without the words of the rule', answer.text.includes('words-for-the-log-alone'), match.equal(false));
  },
);

check(
  'AUTHNCONF-USERRULE-01.1',
  'ada shows tokens whose user breaks a user rule → each is refused',
  ['AUTHNCONF-USERRULE-01'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const sound = { ...RULED, teams: ['red'] };
    must(
      'a user of whom all rules hold is taken',
      await known(someone('ada', { token: await tokenOf(services, 'ruled', sound) })),
    );
    for (const [what, changed] of Object.entries({
      'name breaks the first': { sub: 'system:ada' },
      'groups break the second': { teams: ['red', 'banned'] },
      'name breaks a later one with the message of the first': { sub: 'nobody' },
      'groups break one without a message': { teams: ['red', 'closed'] },
      'name breaks another one without a message': { sub: 'root' },
    })) {
      const ada = someone('ada', { token: await tokenOf(services, 'ruled', { ...sound, ...changed }) });
      must(`a user whose ${what} is refused`, await whoAmI(ada), refused);
    }
  },
);

/** What a sound token of the issuer `judged` says, of whose user every attribute is judged. */
const JUDGED = { id: 'u-1', teams: ['red'], tenants: ['acme'] };
/** Of each attribute what its rule forbids. */
const BANNED: Readonly<Record<(typeof USER_ATTRIBUTES)[number], Claims>> = {
  username: { sub: 'banned' },
  uid: { id: 'banned' },
  groups: { teams: ['red', 'banned'] },
  extra: { tenants: ['acme', 'banned'] },
};

check(
  'AUTHNCONF-USERRULE-02.1',
  'ada shows tokens of which one attribute of the user breaks its rule → each is refused, and one that breaks none is taken',
  [
    'AUTHNCONF-USERRULE-02/username',
    'AUTHNCONF-USERRULE-02/uid',
    'AUTHNCONF-USERRULE-02/groups',
    'AUTHNCONF-USERRULE-02/extra',
  ],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const sound = await known(
      someone('ada', { token: await tokenOf(services, 'judged', JUDGED) }),
      calls('judged:ada'),
    );
    must('a user who breaks no rule is taken', sound);
    for (const attribute of USER_ATTRIBUTES) {
      await clause(`AUTHNCONF-USERRULE-02/${attribute}`, async () => {
        const token = await tokenOf(services, 'judged', { ...JUDGED, ...BANNED[attribute] });
        must(`the rule of ${attribute} counts`, await whoAmI(someone('ada', { token })), refused);
      });
    }
  },
);

check(
  'AUTHNCONF-USERRULE-02.2',
  'ada shows tokens for which rules want each attribute of the user to be just what the mappings make → she is taken, and not with anything more or else',
  clausesOf('AUTHNCONF-USERRULE-02', 'exactly'),
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const other = { sub: 'adam', id: 'u-11', teams: ['red', 'blue', 'green'], tenants: ['acme', 'corp'] };
    const fewer = { sub: 'ad', id: 'u-', teams: ['red'], tenants: [] };
    const claim = { username: 'sub', uid: 'id', groups: 'teams', extra: 'tenants' } as const;
    for (const attribute of USER_ATTRIBUTES) {
      await clause(`AUTHNCONF-USERRULE-02/exactly/${attribute}`, async () => {
        for (const mapped of ['claims', 'expressions'] as const) {
          const by = async (claims: Claims) =>
            someone('ada', { token: await tokenOf(services, exactName(attribute, mapped), { ...EXACT, ...claims }) });
          must(`by ${mapped} her ${attribute} is just that`, await known(await by({})));
          for (const { [claim[attribute]]: value } of [other, fewer])
            must(`${attribute} of another is not`, await whoAmI(await by({ [claim[attribute]]: value })), refused);
        }
      });
    }
  },
);

check(
  'AUTHNCONF-MAPPING-01.1',
  'ada shows a token whose claims have dots and slashes in their names → they are found, and not their parts',
  clausesOf('AUTHNCONF-MAPPING-01'),
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const named = { 'https://example.com/name': 'queen', 'org.teams': ['red'], 'org.id': '7', 'org.plan': 'gold' };
    const parts = { org: { teams: ['blue'], id: '8', plan: 'silver' }, 'https://example': { 'com/name': 'king' } };
    const by = async (claims: Claims) => someone('ada', { token: await tokenOf(services, 'signs', claims) });
    const seen = must('she is known', await known(await by({ ...named, ...parts })));
    await clause('AUTHNCONF-MAPPING-01/username', async () => void must('her name', seen, calls('queen')));
    await clause('AUTHNCONF-MAPPING-01/groups', async () => void must('her group', seen, inGroups('red')));
    await clause('AUTHNCONF-MAPPING-01/uid', async () => {
      must('her uid', seen, match.field('status.userInfo.uid', '7'));
    });
    await clause('AUTHNCONF-MAPPING-01/rule', async () => {
      const elsewhere = { ...named, 'org.plan': undefined, org: { plan: 'gold' } };
      must('a part of the name is another claim', await whoAmI(await by(elsewhere)), refused);
    });
  },
);

check(
  'OIDC-PREFIX-01.1',
  'ada shows a token whose name and groups begin with the prefix of the file, or with system: → the prefix stands before them',
  ['OIDC-PREFIX-01/file/names', 'OIDC-PREFIX-01/file/groups'],
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    const by = async (claims: Claims) =>
      known(someone('ada', { token: await tokenOf(services, 'claimed', { id: '7', ...claims }) }));
    await clause('OIDC-PREFIX-01/file/names', async () => {
      for (const sub of ['claimed:ada', 'system:admin'])
        must(`${sub} has it`, must('she is known', await by({ sub })), calls(`claimed:${sub}`));
    });
    await clause('OIDC-PREFIX-01/file/groups', async () => {
      const teams = ['g:red', 'system:masters'];
      const seen = must('she is known', await by({ teams }));
      must('each group has it', seen, inGroups('g:g:red', 'g:system:masters'), notInGroup('system:masters'));
    });
  },
);

check(
  'AUTHNCONF-TOKEN-02.1',
  'ada shows tokens that say nothing but what they have to, by the file → she is taken',
  clausesOf('AUTHNCONF-TOKEN-02', ['claim', 'expression']),
  { setup: shared, orElse: ['authentication-file'] },
  async ({ someone, services }) => {
    for (const [mapping, name, claims, user] of [
      [
        'claim',
        'signs',
        { 'https://example.com/name': 'queen', 'org.plan': 'gold', 'org.id': '7', 'org.teams': [] },
        'queen',
      ],
      ['expression', 'distributed', { nick: 'queen' }, 'queen'],
    ] as const) {
      for (const spare of SPARE_CLAIMS) {
        await clause(`AUTHNCONF-TOKEN-02/${spare}/${mapping}`, async () => {
          const token = await tokenOf(services, name, { ...claims, [spare]: undefined });
          must(`without ${spare} she is known`, await known(someone('ada', { token }), calls(user)));
        });
      }
    }
  },
);
