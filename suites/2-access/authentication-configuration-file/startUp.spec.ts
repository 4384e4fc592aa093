import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { MENTIONS, USES_OF_EMAIL } from '../../../fixtures/ledger/index.ts';
import { check, clause, clausesOf, type Issuer, issuer, match, must, type SetupOf } from '../../harness/index.ts';
import { accountWithToken, payloadOf } from '../accountTokens.ts';
import { ADA } from '../idTokens.ts';
import { calls, known, refused } from '../known.ts';
import { refusesAll } from '../refusedSetups.ts';
import { whoAmI } from '../whoAmI.ts';
import { type Authenticator, authenticator, type Changes, configuration, withFile, withOne } from './configuration.ts';

/** A server with what `make` makes of a sound configuration of one authenticator. */
const changed =
  (make: (sound: Readonly<Record<string, unknown>>, dialect: Dialect) => object): SetupOf =>
  async (services, dialect) =>
    withFile(make({ ...configuration(dialect, [authenticator(await services.get(issuer), 'one')]) }, dialect));
/** A server with what `make` makes of one sound authenticator. */
const changedOne =
  (make: (sound: Authenticator) => object): SetupOf =>
  async (services, dialect) =>
    withFile(configuration(dialect, [make(authenticator(await services.get(issuer), 'one') as Authenticator)]));
/** A server with these authenticators. */
const withAll =
  (make: (from: Issuer) => readonly object[]): SetupOf =>
  async (services, dialect) =>
    withFile(configuration(dialect, make(await services.get(issuer))));

check(
  'AUTHNCONF-FILE-01.1',
  'the file is of another kind, group or version → the server does not start',
  ['AUTHNCONF-FILE-01'],
  ['launch'],
  async ({ start }) => {
    await refusesAll(start, {
      'another kind': changed((sound) => ({ ...sound, kind: 'AuthorizationConfiguration' })),
      'a version that does not exist': changed((sound, dialect) => ({
        ...sound,
        apiVersion: `apiserver.config.${dialect.apiDomain}/v7`,
      })),
      'another group': changed((sound) => ({ ...sound, apiVersion: 'example.com/v1beta1' })),
      'no version': changed((sound) => ({ ...sound, apiVersion: '' })),
      'no kind': changed((sound) => ({ ...sound, kind: undefined })),
    });
  },
);

const gateOff: SetupOf = async (services, dialect) => {
  const { flags = [], files = {} } = await withOne({})(services, dialect);
  return { flags: ['--feature-gates=StructuredAuthenticationConfiguration=false', ...flags], files };
};

check(
  'AUTHNCONF-FILE-02.1',
  'the gate of the file is switched off → the file is not used',
  ['AUTHNCONF-FILE-02'],
  ['launch'],
  async ({ start, services }) => {
    const server = await start(gateOff);
    // A server may also say at once that it will not use the file: then nothing is used either.
    if (server.failure !== undefined) {
      must('the server refuses the file', server, match.refusesToStart);
      return;
    }
    const from = await services.get(issuer);
    const token = await from.token({ claims: { ...ADA, iss: from.tenant('one') } });
    must('its tokens are not taken', await whoAmI(server.as('ada', { token })), refused);
    must('and stay so', await whoAmI(server.as('ada', { token })), refused);
  },
);

check(
  'AUTHNCONF-JWT-01.1',
  'the file has 64 authenticators, and 65 → the first server starts and the second does not',
  ['AUTHNCONF-JWT-01'],
  ['launch'],
  async ({ start, services }) => {
    const many = (count: number) =>
      withAll((from) => Array.from({ length: count }, (_, index) => authenticator(from, `issuer-${index}`)));
    must('65 are too many', await start(many(65)), match.refusesToStart);
    const most = await start(many(64));
    must('64 are not', most, match.starts);
    const from = await services.get(issuer);
    const token = await from.token({ claims: { ...ADA, iss: from.tenant('issuer-63') } });
    must('the last of them is used', await known(most.as('ada', { token }), calls('issuer-63:ada')));
  },
);

check(
  'AUTHNCONF-ISSUER-01.1',
  'an issuer has no url, that of another one, or that of service accounts → the server does not start',
  ['AUTHNCONF-ISSUER-01'],
  ['launch'],
  async ({ start, author }) => {
    // Which issuer the server has is seen from its tokens.
    const { iss } = payloadOf(await accountWithToken(author, 'robot'));
    await refusesAll(start, {
      'no url': withOne({ issuer: { url: undefined } }),
      'an empty url': withOne({ issuer: { url: '' } }),
      'no issuer': changedOne(({ issuer: _, ...rest }) => rest),
      'one url twice': withAll((from) => [authenticator(from, 'one'), authenticator(from, 'one')]),
      'one url thrice, others between': withAll((from) =>
        ['one', 'two', 'one', 'three', 'one'].map((name) => authenticator(from, name)),
      ),
      'the issuer of service accounts': withOne({ issuer: { url: iss } }),
      'the issuer of service accounts behind another one': withAll((from) => [
        authenticator(from, 'one'),
        authenticator(from, 'two', { issuer: { url: iss } }),
      ]),
    });
  },
);

check(
  'AUTHNCONF-DISCOVERY-02.1',
  'a discoveryURL is the url, or that of another authenticator → the server does not start',
  ['AUTHNCONF-DISCOVERY-02'],
  ['launch'],
  async ({ start }) => {
    const same = (from: Issuer) => ({ issuer: { discoveryURL: `${from.url}/documents/shared.json` } });
    await refusesAll(start, {
      'a discoveryURL that equals the url': withAll((from) => [
        authenticator(from, 'one', { issuer: { discoveryURL: from.tenant('one') } }),
      ]),
      'one discoveryURL twice': withAll((from) => [
        authenticator(from, 'one', same(from)),
        authenticator(from, 'two', same(from)),
      ]),
      'a discoveryURL that is no URL': withAll((from) => [
        authenticator(from, 'one', { issuer: { discoveryURL: 'touchstone' } }),
      ]),
    });
  },
);

check(
  'AUTHNCONF-AUDIENCE-02.1',
  'an authenticator has no audiences, or several without a policy → the server does not start',
  ['AUTHNCONF-AUDIENCE-02'],
  ['launch'],
  async ({ start }) => {
    await refusesAll(start, {
      'no audiences': withOne({ issuer: { audiences: undefined } }),
      'an empty list of audiences': withOne({ issuer: { audiences: [] } }),
      'several audiences without a policy': withOne({ issuer: { audiences: ['first', 'second'] } }),
      'three audiences without a policy': withOne({ issuer: { audiences: ['first', 'second', 'third'] } }),
      'several with an empty policy': withOne({ issuer: { audiences: ['first', 'second'], audienceMatchPolicy: '' } }),
      'the second authenticator without a policy': withAll((from) => [
        authenticator(from, 'one'),
        authenticator(from, 'two', { issuer: { audiences: ['first', 'second'] } }),
      ]),
      'a policy that does not exist': withOne({
        issuer: { audiences: ['first', 'second'], audienceMatchPolicy: 'MatchAll' },
      }),
      'a policy in the wrong case': withOne({
        issuer: { audiences: ['first', 'second'], audienceMatchPolicy: 'matchany' },
      }),
    });
  },
);

check(
  'AUTHNCONF-CLAIMRULE-02.1',
  'a rule has both claim and expression, or an expression is no rule → the server does not start',
  ['AUTHNCONF-CLAIMRULE-02'],
  ['launch'],
  async ({ start }) => {
    const rule = (one: object) => withOne({ claimValidationRules: [one] });
    await refusesAll(start, {
      'both claim and expression': rule({ claim: 'hd', requiredValue: 'a', expression: 'true' }),
      'a rule that is no bool': rule({ expression: "'yes'" }),
      'a rule that is no CEL': rule({ expression: 'claims.level >=' }),
      'neither claim nor expression': rule({ message: 'nothing' }),
      'expression and required value': rule({ requiredValue: 'a', expression: 'true' }),
      'a user rule that is no bool': withOne({ userValidationRules: [{ expression: 'user.username' }] }),
      'a user rule without an expression': withOne({ userValidationRules: [{ message: 'nothing' }] }),
    });
  },
);

/** Where expressions stand: a configuration with this one there. */
const EXPRESSIONS: Readonly<Record<string, (expression: string) => SetupOf>> = {
  'a claim rule': (expression) => withOne({ claimValidationRules: [{ expression }] }),
  'the name': (expression) => withOne({ claimMappings: { username: { expression } } }),
  'the groups': (expression) => withOne({ claimMappings: { groups: { expression } } }),
  'the uid': (expression) => withOne({ claimMappings: { uid: { expression } } }),
  'an extra': (expression) =>
    withOne({ claimMappings: { extra: [{ key: 'example.com/tenant', valueExpression: expression }] } }),
  'a user rule': (expression) => withOne({ userValidationRules: [{ expression }] }),
  'the second authenticator': (expression) =>
    withAll((from) => [
      authenticator(from, 'one'),
      authenticator(from, 'two', { claimValidationRules: [{ expression }] }),
    ]),
};

for (const [where, setup] of Object.entries(EXPRESSIONS)) {
  check(
    `AUTHNCONF-CLAIMRULE-02.2/${where}`,
    `the expression of ${where} is no CEL, or names a variable that is not there → the server does not start`,
    ['AUTHNCONF-CLAIMRULE-02'],
    ['launch'],
    async ({ start }) => {
      const strange = where === 'a user rule' ? "claims.sub == 'ada'" : "user.username == 'ada'";
      await refusesAll(start, {
        'what is no CEL': setup('claims.sub =='),
        'a function that there is not': setup('touchstone(claims)'),
        'a variable that is not there': setup("token.sub == 'ada'"),
        'the variable of other expressions': setup(strange),
        'the variable of webhooks': setup("request.user == 'ada'"),
      });
    },
  );
}

check(
  'AUTHNCONF-USERNAME-02.1',
  'the name is mapped by nothing, by both, or by a claim without a prefix → the server does not start',
  ['AUTHNCONF-USERNAME-02'],
  ['launch'],
  async ({ start }) => {
    const mapped = (username: object | undefined) => withOne({ claimMappings: { username } });
    await refusesAll(start, {
      'no mapping of the name': mapped(undefined),
      'an empty mapping of the name': mapped({}),
      'claim and expression': mapped({ claim: 'sub', prefix: '', expression: 'claims.sub' }),
      'a claim without a prefix': mapped({ claim: 'sub' }),
      'a prefix without a claim': mapped({ prefix: 'x:' }),
      'a prefix beside an expression': mapped({ prefix: 'x:', expression: 'claims.sub' }),
      'no mapping at all': changedOne(({ claimMappings: _, ...rest }) => rest),
    });
  },
);

/** Expressions over claims.email, and where email_verified may stand beside them. */
const MAIL = { claimMappings: { username: { expression: 'claims.email' } } };
const VERIFIED: Readonly<Record<string, Changes>> = {
  'in a claim rule': { ...MAIL, claimValidationRules: [{ expression: 'claims.email_verified == true' }] },
  'in one of several rules': {
    ...MAIL,
    claimValidationRules: [
      { claim: 'hd', requiredValue: 'example.com' },
      { expression: "claims.sub != 'nobody' && claims.email_verified == true" },
    ],
  },
  'in the expression of the name': {
    claimMappings: { username: { expression: "claims.email_verified ? claims.email : ''" } },
  },
  'in an extra': {
    claimMappings: {
      ...MAIL.claimMappings,
      extra: [{ key: 'example.com/verified', valueExpression: "claims.email_verified ? 'yes' : 'no'" }],
    },
  },
};

check(
  'AUTHNCONF-USERNAME-05.1',
  'an expression takes claims.email and nothing looks whether it is verified → the server does not start; where something does, it starts',
  ['AUTHNCONF-USERNAME-05'],
  ['launch'],
  async ({ start }) => {
    await refusesAll(start, {
      'an address that nobody vouches for': withOne(MAIL),
      'one that is lower-cased': withOne({ claimMappings: { username: { expression: 'claims.email.lowerAscii()' } } }),
      'one that is part of the name': withOne({
        claimMappings: { username: { expression: "'mail:' + claims.email" } },
      }),
      'one beside a rule about something else': withOne({
        ...MAIL,
        claimValidationRules: [{ expression: 'claims.level > 1' }],
      }),
    });
    const tried = Object.entries(VERIFIED).map(
      async ([where, changes]) => [where, await start(withOne(changes))] as const,
    );
    for (const [where, server] of await Promise.all(tried)) must(`it is verified ${where}`, server, match.starts);
  },
);

const SAID = 'claims.email_verified must be true';
/** What names email_verified beside a name from claims.email, and does not look at it. */
const MENTIONED: Readonly<Record<(typeof MENTIONS)[number], Changes>> = {
  message: { claimValidationRules: [{ expression: "claims.sub != 'nobody'", message: SAID }] },
  'user-message': { userValidationRules: [{ expression: "user.username != 'nobody'", message: SAID }] },
  text: { claimValidationRules: [{ expression: "claims.sub != 'claims.email_verified'" }] },
  comment: { claimValidationRules: [{ expression: "claims.sub != 'nobody' // claims.email_verified" }] },
  'longer-name': { claimValidationRules: [{ expression: 'claims.email_verified_by == true' }] },
  part: { claimValidationRules: [{ expression: 'claims.sender.email_verified == true' }] },
  rule: { claimValidationRules: [{ claim: 'email_verified_by', requiredValue: 'true' }] },
  key: {
    claimMappings: {
      ...MAIL.claimMappings,
      extra: [{ key: 'example.com/email_verified', valueExpression: 'claims.id' }],
    },
  },
};
const namedBy = (expression: string): Changes => ({ claimMappings: { username: { expression } } });
const USED: Readonly<Record<(typeof USES_OF_EMAIL)[number], SetupOf>> = {
  optional: withOne(namedBy("claims.?email.orValue('nobody')")),
  present: withOne(namedBy('has(claims.email) ? claims.email : claims.sub')),
  called: withOne(namedBy('string(claims.email)')),
  'second-authenticator': withAll((from) => [authenticator(from, 'one'), authenticator(from, 'two', MAIL)]),
};
/** What is not the claim `email`, though it begins or ends so. */
const NO_USES = ['claims.email_address', "'claims.email:' + claims.sub", 'claims.sender.email'];

check(
  'AUTHNCONF-USERNAME-05.2',
  'an expression takes claims.email in any way, and something mentions email_verified and does not look at it → the server does not start; without claims.email it starts',
  clausesOf('AUTHNCONF-USERNAME-05'),
  ['launch'],
  async ({ start }) => {
    await Promise.all([
      ...MENTIONS.map((mention) =>
        clause(`AUTHNCONF-USERNAME-05/${mention}`, async () => {
          must('nothing looks at it', await start(withOne({ ...MAIL, ...MENTIONED[mention] })), match.refusesToStart);
        }),
      ),
      ...USES_OF_EMAIL.map((use) =>
        clause(`AUTHNCONF-USERNAME-05/${use}`, async () => {
          must('it takes the address', await start(USED[use]), match.refusesToStart);
        }),
      ),
      clause('AUTHNCONF-USERNAME-05/no-use', async () => {
        const all = withAll((from) => NO_USES.map((each, at) => authenticator(from, `issuer-${at}`, namedBy(each))));
        must('none of them takes the address', await start(all), match.starts);
      }),
    ]);
  },
);

check(
  'AUTHNCONF-GROUPS-01.2',
  'groups are mapped by both claim and expression, or by a claim without a prefix → the server does not start',
  ['AUTHNCONF-GROUPS-01'],
  ['launch'],
  async ({ start }) => {
    const groups = (mapping: object) => withOne({ claimMappings: { groups: mapping } });
    await refusesAll(start, {
      'claim and expression of the groups': groups({ claim: 'teams', prefix: '', expression: 'claims.teams' }),
      'a claim of groups without a prefix': groups({ claim: 'teams' }),
      'groups by an expression with a prefix': groups({ expression: 'claims.teams', prefix: 'g:' }),
    });
  },
);

check(
  'AUTHNCONF-UID-01.2',
  'a uid is mapped by both claim and expression → the server does not start',
  ['AUTHNCONF-UID-01'],
  ['launch'],
  async ({ start }) => {
    const uid = { claim: 'id', expression: 'claims.id' };
    await refusesAll(start, { 'both claim and expression of the uid': withOne({ claimMappings: { uid } }) });
  },
);

check(
  'AUTHNCONF-EXTRA-02.1',
  'an extra key is not of the form that keys have, or is given twice → the server does not start',
  ['AUTHNCONF-EXTRA-02'],
  ['launch'],
  async ({ start, dialect }) => {
    const keys = (...all: readonly string[]) =>
      withOne({ claimMappings: { extra: all.map((key) => ({ key, valueExpression: 'claims.id' })) } });
    await refusesAll(start, {
      'a key without a domain': keys('tenant'),
      'a key without a path': keys('example.com/'),
      'a key with upper-case letters': keys('example.com/Tenant'),
      'a key in a domain of the service': keys(`authentication.${dialect.apiDomain}/tenant`),
      'a key in the domain of the service itself': keys(`${dialect.apiDomain}/tenant`),
      'a key in the domain of its labels': keys(`${dialect.labelDomain}/tenant`),
      'a key below the domain of its labels': keys(`sub.${dialect.labelDomain}/tenant`),
      'a key of the service behind a sound one': keys('example.com/tenant', `${dialect.apiDomain}/tenant`),
      'a key without what is before the slash': keys('/tenant'),
      'no key': keys(''),
      'a domain that begins with a hyphen': keys('-e.com/tenant'),
      'a domain that ends with a dot': keys('example.com./tenant'),
      'a domain with an underscore': keys('ex_ample.com/tenant'),
      'a domain with upper-case letters': keys('Example.com/tenant'),
      'a path with a space': keys('example.com/a b'),
      'a path with a hash': keys('example.com/a#b'),
      'a path with a question mark': keys('example.com/a?b'),
      'a key twice among others': keys('example.com/a', 'example.com/b', 'example.com/a'),
      'a key twice': keys('example.com/tenant', 'example.com/tenant'),
    });
  },
);

check(
  'AUTHNCONF-FILE-06.1',
  'the file is of a version before the one of the text → the server does not start',
  ['AUTHNCONF-FILE-06'],
  ['launch'],
  async ({ start }) => {
    const older = changed((sound, dialect) => ({
      ...sound,
      apiVersion: `apiserver.config.${dialect.apiDomain}/v1alpha1`,
    }));
    must('it is refused', await start(older), match.refusesToStart);
  },
);

const USES = { username: { expression: 'claims.email' } };
const LOOK = 'claims.email_verified';

for (const [where, setup] of Object.entries<SetupOf>({
  'the expression of groups': withOne({
    claimMappings: { ...USES, groups: { expression: `${LOOK} ? ['staff'] : []` } },
  }),
  'the expression of the uid': withOne({ claimMappings: { ...USES, uid: { expression: `${LOOK} ? 'a' : 'b'` } } }),
  'an extra': withOne({
    claimMappings: { ...USES, extra: [{ key: 'example.com/a', valueExpression: `string(${LOOK})` }] },
  }),
  'a claim rule by value': withOne({
    claimMappings: USES,
    claimValidationRules: [{ claim: 'email_verified', requiredValue: 'true' }],
  }),
  'another authenticator': withAll((from) => [
    authenticator(from, 'one', { claimMappings: USES }),
    authenticator(from, 'two', { claimValidationRules: [{ expression: `${LOOK} == true` }] }),
  ]),
})) {
  check(
    `AUTHNCONF-USERNAME-06.1/${where}`,
    `an expression takes claims.email, and ${where} looks whether it is verified → the server starts`,
    ['AUTHNCONF-USERNAME-06'],
    ['launch'],
    async ({ start }) => {
      must('anywhere will do', await start(setup), match.starts);
    },
  );
}

check(
  'AUTHNCONF-USERNAME-07.1',
  "an expression takes claims['email'] → the server starts only where something looks whether it is verified",
  ['AUTHNCONF-USERNAME-07'],
  ['launch'],
  async ({ start }) => {
    const username = { expression: "claims['email']" };
    const rule = { expression: "claims['email_verified'] == true" };
    const [faulty, sound] = await Promise.all([
      start(withOne({ claimMappings: { username } })),
      start(withOne({ claimMappings: { username }, claimValidationRules: [rule] })),
    ]);
    must('an address that nobody vouches for is no name', faulty, match.refusesToStart);
    must('one that a rule looks at is', sound, match.starts);
  },
);
