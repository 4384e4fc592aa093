import { NAME_CLAIMS, NAME_PREFIXES, NEARLY_EMAIL, SPARE_CLAIMS } from '../../../fixtures/ledger/index.ts';
import { check, clause, clausesOf, issuer, match, must } from '../../harness/index.ts';
import { ADA, nearlyThe } from '../idTokens.ts';
import { calls, inGroups, known, knownBefore, notInGroup, refused } from '../known.ts';
import { whoAmI } from '../whoAmI.ts';
import { bare, defaults, EMAIL, email, oidc, prefixed, SLASHED, slashed } from './setups.ts';

check(
  'OIDC-ISSUER-01.1',
  'ada shows a token of the issuer → she is known by its claims',
  ['OIDC-ISSUER-01'],
  { setup: defaults },
  async ({ someone, services }) => {
    const ada = someone('ada', { token: await (await services.get(issuer)).token({ claims: ADA }) });
    const named = match.field('status.userInfo.username', match.text('a name that ends in ada', /ada$/));
    must('the user comes from the claim', await known(ada, named));
  },
);

check(
  'OIDC-ISSUER-01.2',
  'the issuer signs by a new key → a token by it is taken, for discovery names the key',
  ['OIDC-ISSUER-01'],
  { setup: defaults },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    await knownBefore(someone('ada', { token: await from.token({ claims: ADA }) }));
    await from.rotate();
    must('ada is known', await known(someone('ada', { token: await from.token({ claims: ADA }) })));
  },
);

check(
  'OIDC-ISSUER-01.3',
  'the issuer URL ends with a slash, and the CA file holds other authorities beside that of the issuer, some of its name → a token that names it so is taken, behind the URL as it stands',
  ['OIDC-ISSUER-01', 'OIDC-USERNAME-02', 'OIDC-CA-01'],
  { setup: slashed },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    const by = async (iss: string) => someone('ada', { token: await from.token({ claims: { ...ADA, iss } }) });
    const url = from.tenant(SLASHED);
    must('she is called so', await known(await by(url), calls(`${url}#ada`)));
    must('without the slash it is another issuer', await whoAmI(await by(url.slice(0, -1))), refused);
  },
);

check(
  'OIDC-USERNAME-01.1',
  'ada shows a token where no claim and no prefix is named → the name is sub behind issuer and #',
  ['OIDC-USERNAME-01', 'OIDC-USERNAME-02'],
  { setup: defaults },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    const ada = someone('ada', { token: await from.token({ claims: { ...ADA, email: 'a@example.com', name: 'A' } }) });
    must('she is called so', await known(ada, calls(`${from.url}#ada`)));
  },
);

check(
  'OIDC-USERNAME-01.2',
  'ada shows a token where the claim email is named → her name is the address, without a prefix',
  ['OIDC-USERNAME-01', 'OIDC-USERNAME-02'],
  { setup: email },
  async ({ someone, services }) => {
    const token = await (await services.get(issuer)).token({ claims: { ...ADA, ...EMAIL } });
    must('she is called so', await known(someone('ada', { token }), calls('ada@example.com')));
  },
);

for (const [title, setup, name, algorithm] of [
  ['a prefix is given → it stands before the name', prefixed, 'corp:queen', 'RS256'],
  ['the prefix is - → the name stands as it is', bare, 'queen', 'ES256'],
] as const) {
  check(
    `OIDC-USERNAME-01.3/${title}`,
    `ada shows a token where another claim is named and ${title}`,
    ['OIDC-USERNAME-01', 'OIDC-USERNAME-03'],
    { setup },
    async ({ someone, services }) => {
      const token = await (await services.get(issuer)).token({ claims: { ...ADA, nick: 'queen' }, algorithm });
      must('she is called so', await known(someone('ada', { token }), calls(name)));
    },
  );
}

check(
  'OIDC-USERNAME-01.4',
  'ada shows tokens without the claim that is named, with others that call her something → she is refused',
  ['OIDC-USERNAME-01', 'AUTHNCONF-TOKEN-01'],
  { setup: prefixed },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    const claims = { ...ADA, email: 'ada@example.com', email_verified: true, name: 'ada', username: 'ada' };
    await knownBefore(someone('ada', { token: await from.token({ claims: { ...claims, nick: 'queen' } }) }));
    must('nothing takes its place', await whoAmI(someone('ada', { token: await from.token({ claims }) })), refused);
  },
);

check(
  'OIDC-ISSUER-01.4',
  'ada shows tokens whose header names no key, and that have no type → she is known',
  ['OIDC-ISSUER-01'],
  { setup: defaults },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    for (const header of [{ kid: undefined }, { typ: undefined }, { kid: undefined, typ: undefined }]) {
      const ada = someone('ada', { token: await from.token({ claims: ADA, header }) });
      must('the key is one that discovery names', await known(ada, calls(`${from.url}#ada`)));
    }
  },
);

const TEAMS = ['red', 'blue', 'green', 'Red', '5', 'system:monitoring'];

check(
  'OIDC-GROUPS-01.1',
  'ada shows tokens with and without the claim of groups → her groups, and none',
  ['OIDC-GROUPS-01'],
  { setup: prefixed },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    const claims = { ...ADA, nick: 'queen' };
    const teams = await from.token({ claims: { ...claims, teams: TEAMS } });
    must('the claim gives groups', await known(someone('ada', { token: teams }), inGroups(...TEAMS)));
    const none = someone('ada', { token: await from.token({ claims }) });
    must('without it there are none', await known(none, calls('corp:queen'), notInGroup('red')));
    const empty = someone('ada', { token: await from.token({ claims: { ...claims, teams: [] } }) });
    must('nor in an empty list', await known(empty, calls('corp:queen'), notInGroup('red')));
  },
);

check(
  'OIDC-GROUPS-02.1',
  'ada shows tokens whose claim of groups is no array of strings → she is refused',
  ['OIDC-GROUPS-02'],
  { setup: prefixed },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    const claims = { ...ADA, nick: 'queen' };
    await knownBefore(someone('ada', { token: await from.token({ claims: { ...claims, teams: ['red'] } }) }));
    for (const [what, teams] of Object.entries({
      'a string': 'red',
      'an object': { red: true },
      'an array with a number': ['red', 5],
      'an array with nothing in it': ['red', null],
      'an array with a list': ['red', ['blue']],
      'an array with a truth': [true, 'red'],
      'a number': 5,
    })) {
      const ada = someone('ada', { token: await from.token({ claims: { ...claims, teams } }) });
      must(`groups that are ${what} are refused`, await whoAmI(ada), refused);
    }
  },
);

check(
  'OIDC-GROUPS-03.1',
  'ada shows a token where a prefix of groups is given → it stands before each',
  ['OIDC-GROUPS-03'],
  { setup: email },
  async ({ someone, services }) => {
    const claims = { ...ADA, ...EMAIL, teams: TEAMS };
    const ada = someone('ada', { token: await (await services.get(issuer)).token({ claims }) });
    must('each group has it', await known(ada, inGroups(...TEAMS.map((team) => `corp:${team}`)), notInGroup('red')));
  },
);

check(
  'OIDC-CLAIM-01.1',
  'ada shows tokens without one of two required claims, and with another value → she is refused',
  ['OIDC-CLAIM-01'],
  { setup: email },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    const claims = { ...ADA, ...EMAIL };
    await knownBefore(someone('ada', { token: await from.token({ claims }) }));
    for (const [what, changed] of Object.entries({
      'without the first': { hd: undefined },
      'without the second': { plan: undefined },
      'with another value of the first': { hd: 'example.org' },
      'with another value of the second': { plan: 'silver' },
    })) {
      const ada = someone('ada', { token: await from.token({ claims: { ...claims, ...changed } }) });
      must(`a token ${what} is refused`, await whoAmI(ada), refused);
    }
  },
);

check(
  'OIDC-CLAIM-02.1',
  'ada shows tokens whose claim is almost the required value → each is refused',
  clausesOf('OIDC-CLAIM-02'),
  { setup: email },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    const claims = { ...ADA, ...EMAIL };
    must('with the whole of each she is taken', await known(someone('ada', { token: await from.token({ claims }) })));
    for (const [what, changed] of [
      ...Object.entries(nearlyThe(EMAIL.plan)).map(([near, plan]) => [near, { plan }] as const),
      ['up-to-an-equals-sign', { note: 'a=b' }] as const,
    ]) {
      await clause(`OIDC-CLAIM-02/${what}`, async () => {
        const ada = someone('ada', { token: await from.token({ claims: { ...claims, ...changed } }) });
        must(`${JSON.stringify(changed)} is another value`, await whoAmI(ada), refused);
      });
    }
  },
);

const CLAIM_FLAGS: Readonly<Record<(typeof NAME_CLAIMS)[number], readonly string[]>> = {
  sub: [],
  email: ['--oidc-username-claim=email'],
  other: ['--oidc-username-claim=nick'],
};
const PREFIX_FLAGS: Readonly<Record<(typeof NAME_PREFIXES)[number], readonly string[]>> = {
  'none-given': [],
  given: ['--oidc-username-prefix=corp:'],
  dash: ['--oidc-username-prefix=-'],
};
/**
 * The prefix of groups is a flag of its own: it is given beside each of the others, and left out beside each. For it
 * the text gives - no other meaning than that of a prefix.
 */
const GROUP_PREFIXES = ['teams:', '', '-'] as const;
const prefixOfGroups = (claim: (typeof NAME_CLAIMS)[number], prefix: (typeof NAME_PREFIXES)[number]): string =>
  GROUP_PREFIXES[(NAME_CLAIMS.indexOf(claim) + NAME_PREFIXES.indexOf(prefix)) % GROUP_PREFIXES.length] ?? '';
/** What a token says by each claim. */
const CALLED = { sub: 'ada', email: 'ada@example.com', other: 'queen' };

for (const claim of NAME_CLAIMS) {
  for (const prefix of NAME_PREFIXES) {
    check(
      `OIDC-USERNAME-04.1/${claim}/${prefix}`,
      `ada shows a token where names are made of ${claim}, prefix ${prefix} → her name, behind what the flags say, and her groups behind their own`,
      [`OIDC-USERNAME-04/${claim}/${prefix}`, `OIDC-GROUPS-03/${claim}/${prefix}`],
      {
        setup: oidc(
          ...CLAIM_FLAGS[claim],
          ...PREFIX_FLAGS[prefix],
          '--oidc-groups-claim=teams',
          ...(prefixOfGroups(claim, prefix) === '' ? [] : [`--oidc-groups-prefix=${prefixOfGroups(claim, prefix)}`]),
        ),
      },
      async ({ someone, services }) => {
        const from = await services.get(issuer);
        const teams = ['red', 'blue'];
        const claims = { ...ADA, email: CALLED.email, email_verified: true, nick: CALLED.other, teams };
        const ada = someone('ada', { token: await from.token({ claims }) });
        const byDefault = claim === 'email' ? '' : `${from.url}#`;
        const before = { 'none-given': byDefault, given: 'corp:', dash: '' }[prefix];
        await clause(`OIDC-USERNAME-04/${claim}/${prefix}`, async () =>
          must('she is called so', await known(ada, calls(`${before}${CALLED[claim]}`))),
        );
        await clause(`OIDC-GROUPS-03/${claim}/${prefix}`, async () => {
          const own = match.sameItems([
            ...teams.map((team) => `${prefixOfGroups(claim, prefix)}${team}`),
            'system:authenticated',
          ]);
          must('her groups are these', await whoAmI(ada), match.field('status.userInfo.groups', own));
        });
      },
    );
  }
}

/** What such a claim is called. */
const NEAR_EMAIL: Readonly<Record<(typeof NEARLY_EMAIL)[number], string>> = {
  'email-longer': 'emailAddress',
  'email-behind-a-word': 'work_email',
  'email-in-capitals': 'Email',
};

for (const near of NEARLY_EMAIL) {
  const claim = NEAR_EMAIL[near];
  check(
    `OIDC-USERNAME-04.2/${near}`,
    `ada shows a token where names are made of ${claim}, and no prefix is given → her name, behind the issuer URL and #`,
    [`OIDC-USERNAME-04/${near}/none-given`, 'OIDC-USERNAME-02'],
    { setup: oidc(`--oidc-username-claim=${claim}`) },
    async ({ someone, services }) => {
      const from = await services.get(issuer);
      const claims = { ...ADA, email: 'eve@example.com', email_verified: true, [claim]: CALLED.email };
      const ada = someone('ada', { token: await from.token({ claims }) });
      must('she is called so', await known(ada, calls(`${from.url}#${CALLED.email}`)));
    },
  );
}

for (const [part, setup, claims, seen] of [
  ['names', prefixed, (value: string) => ({ nick: value }), calls],
  ['groups', email, (value: string) => ({ ...EMAIL, teams: ['red', value] }), inGroups],
] as const) {
  check(
    `OIDC-PREFIX-01.2/${part}`,
    `ada shows tokens with ${part} that begin with the prefix, or with system: → the prefix stands before them`,
    [`OIDC-PREFIX-01/flags/${part}`],
    { setup },
    async ({ someone, services }) => {
      const from = await services.get(issuer);
      for (const value of ['corp:queen', 'system:masters']) {
        const ada = someone('ada', { token: await from.token({ claims: { ...ADA, ...claims(value) } }) });
        must(`${value} has it`, await known(ada, seen(`corp:${value}`), notInGroup(value)));
      }
    },
  );
}

check(
  'AUTHNCONF-TOKEN-02.2',
  'ada shows tokens that say nothing but what they have to, by flags → she is taken',
  clausesOf('AUTHNCONF-TOKEN-02', 'flags'),
  { setup: prefixed },
  async ({ someone, services }) => {
    const from = await services.get(issuer);
    for (const spare of SPARE_CLAIMS) {
      await clause(`AUTHNCONF-TOKEN-02/${spare}/flags`, async () => {
        const token = await from.token({ claims: { ...ADA, nick: 'queen', [spare]: undefined } });
        must(`without ${spare} she is known`, await known(someone('ada', { token }), calls('corp:queen')));
      });
    }
  },
);
