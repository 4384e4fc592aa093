import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { check, type Issuer, issuer, match, must, type SetupOf } from '../../harness/index.ts';
import { ADA } from '../idTokens.ts';
import { calls, known, refused } from '../known.ts';
import { refusesAll } from '../refusedSetups.ts';
import { whoAmI } from '../whoAmI.ts';
import { authenticator, configuration, withFile, withOne } from './configuration.ts';

/** A server with what `make` makes of a sound configuration of one authenticator. */
const changed =
  (make: (sound: Readonly<Record<string, unknown>>, dialect: Dialect) => object): SetupOf =>
  async (services, dialect) =>
    withFile(make({ ...configuration(dialect, [authenticator(await services.get(issuer), 'one')]) }, dialect));
/** A server with these authenticators. */
const withAll =
  (make: (from: Issuer) => readonly object[]): SetupOf =>
  async (services, dialect) =>
    withFile(configuration(dialect, make(await services.get(issuer))));

check(
  'the file is of another kind or version, or has a field that nobody knows → the server does not start',
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
      'an unknown field': changed((sound) => ({ ...sound, jwts: [] })),
      'an unknown field of an authenticator': withOne({ claimMapping: {} }),
    });
  },
);

const gateOff: SetupOf = async (services, dialect) => {
  const { flags = [], files = {} } = await withOne({})(services, dialect);
  return { flags: ['--feature-gates=StructuredAuthenticationConfiguration=false', ...flags], files };
};

check(
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
  'the file has 64 authenticators, and 65 → the first server starts and the second does not',
  ['AUTHNCONF-JWT-01'],
  ['launch'],
  async ({ start, services }) => {
    const many = (count: number) =>
      withAll((from) => Array.from({ length: count }, (_, index) => authenticator(from, `issuer-${index}`)));
    const [most, tooMany] = await Promise.all([start(many(64)), start(many(65))]);
    must('65 are too many', tooMany, match.refusesToStart);
    must('64 are not', most, match.starts);
    const from = await services.get(issuer);
    const token = await from.token({ claims: { ...ADA, iss: from.tenant('issuer-63') } });
    must('the last of them is used', await known(most.as('ada', { token }), calls('issuer-63:ada')));
  },
);

check(
  'an issuer has no url, that of another one, or that of service accounts → the server does not start',
  ['AUTHNCONF-ISSUER-01'],
  ['launch'],
  async ({ start }) => {
    const accounts = 'https://accounts.touchstone.example';
    const ofAccounts: SetupOf = async (services, dialect) => {
      const one = await withOne({ issuer: { url: accounts } })(services, dialect);
      return { ...one, flags: [...(one.flags ?? []), `--service-account-issuer=${accounts}`] };
    };
    await refusesAll(start, {
      'no url': withOne({ issuer: { url: undefined } }),
      'an empty url': withOne({ issuer: { url: '' } }),
      'one url twice': withAll((from) => [authenticator(from, 'one'), authenticator(from, 'one')]),
      'the issuer of service accounts': ofAccounts,
    });
  },
);

check(
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
    });
  },
);

check(
  'an authenticator has no audiences, or several without a policy → the server does not start',
  ['AUTHNCONF-AUDIENCE-02'],
  ['launch'],
  async ({ start }) => {
    await refusesAll(start, {
      'no audiences': withOne({ issuer: { audiences: undefined } }),
      'an empty list of audiences': withOne({ issuer: { audiences: [] } }),
      'several audiences without a policy': withOne({ issuer: { audiences: ['first', 'second'] } }),
      'a policy that does not exist': withOne({
        issuer: { audiences: ['first', 'second'], audienceMatchPolicy: 'MatchAll' },
      }),
    });
  },
);

check(
  'a rule has both claim and expression, or an expression is no rule → the server does not start',
  ['AUTHNCONF-CLAIMRULE-02'],
  ['launch'],
  async ({ start }) => {
    const rule = (one: object) => withOne({ claimValidationRules: [one] });
    await refusesAll(start, {
      'both claim and expression': rule({ claim: 'hd', requiredValue: 'a', expression: 'true' }),
      'a rule that is no bool': rule({ expression: "'yes'" }),
      'a rule that is no CEL': rule({ expression: 'claims.level >=' }),
      'a rule over a variable that is not there': rule({ expression: 'user.username == "ada"' }),
      'a name over a variable that is not there': withOne({
        claimMappings: { username: { expression: 'token.sub' } },
      }),
      'a user rule that is no bool': withOne({ userValidationRules: [{ expression: 'user.username' }] }),
    });
  },
);

check(
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
    });
  },
);

check(
  'an expression takes claims.email and nothing looks whether it is verified → the server does not start',
  ['AUTHNCONF-USERNAME-05'],
  ['launch'],
  async ({ start }) => {
    const username = { expression: 'claims.email' };
    const rule = { expression: 'claims.email_verified == true' };
    const [faulty, sound] = await Promise.all([
      start(withOne({ claimMappings: { username } })),
      start(withOne({ claimMappings: { username }, claimValidationRules: [rule] })),
    ]);
    must('an address that nobody vouches for is no name', faulty, match.refusesToStart);
    must('one that a rule looks at is', sound, match.starts);
  },
);

check(
  'a uid is mapped by both claim and expression → the server does not start',
  ['AUTHNCONF-UID-01'],
  ['launch'],
  async ({ start }) => {
    const uid = { claim: 'id', expression: 'claims.id' };
    await refusesAll(start, { 'both claim and expression of the uid': withOne({ claimMappings: { uid } }) });
  },
);

check(
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
      'a key twice': keys('example.com/tenant', 'example.com/tenant'),
    });
  },
);

check(
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
    `an expression takes claims.email, and ${where} looks whether it is verified → the server starts`,
    ['AUTHNCONF-USERNAME-06'],
    ['launch'],
    async ({ start }) => {
      must('anywhere will do', await start(setup), match.starts);
    },
  );
}

check(
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
