import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { CROSSED_MAPPINGS, type ISSUER_FORMS, USER_ATTRIBUTES } from '../../../fixtures/ledger/index.ts';
import {
  authority,
  bundleOfAuthorities,
  type Identity,
  type Issuer,
  issuer,
  type Setup,
  type SetupOf,
} from '../../harness/index.ts';
import { ADA, CLIENT } from '../idTokens.ts';

/** What the file of the configuration is called in setups. */
export const FILE = 'authentication.json';

/** The first release that has the configuration in the version of the text. */
export const SINCE = 30;

/** A JWT authenticator as the file writes it. */
export interface Authenticator {
  readonly issuer: Readonly<Record<string, unknown>>;
  readonly claimMappings: Readonly<Record<string, unknown>>;
  readonly claimValidationRules?: readonly object[];
  readonly userValidationRules?: readonly object[];
}
/** What a check changes of a sound authenticator; issuer and mappings are changed member by member. */
export interface Changes extends Partial<Authenticator> {
  readonly [member: string]: unknown;
}

/** A sound authenticator for an issuer of this name at `from`, with changes. */
export function authenticator(from: Issuer, name: string, { issuer: more, claimMappings, ...rest }: Changes = {}) {
  return {
    issuer: { url: from.tenant(name), certificateAuthority: from.ca, audiences: [CLIENT], ...more },
    claimMappings: { username: { claim: 'sub', prefix: `${name}:` }, ...claimMappings },
    ...rest,
  };
}

/** The whole configuration. */
export function configuration(dialect: Dialect, jwt: readonly object[], more: object = {}): object {
  const apiVersion = `apiserver.config.${dialect.apiDomain}/v1beta1`;
  return { apiVersion, kind: 'AuthenticationConfiguration', jwt, ...more };
}

/** A server with this configuration; `inForce` is known once it follows it. */
export const withFile = (content: object, inForce?: Identity): Setup => ({
  flags: [`--authentication-config={${FILE}}`],
  files: { [FILE]: content },
  since: SINCE,
  ...(inForce === undefined ? {} : { inForce }),
});

/** A server with one authenticator, changed so. */
export const withOne =
  (changes: Changes, name = 'one'): SetupOf =>
  async (services, dialect) =>
    withFile(configuration(dialect, [authenticator(await services.get(issuer), name, changes)]));

/** Where the discovery of the issuer `elsewhere` lies. */
const ELSEWHERE = '/documents/elsewhere/';

/** Two ways to write the URL of an issuer, which are two issuers: the first is configured. */
export const FORMS: Readonly<Record<(typeof ISSUER_FORMS)[number], readonly [configured: string, other: string]>> = {
  slash: ['https://issuer.example/slash/', 'https://issuer.example/slash'],
  port: ['https://issuer.example:443/port', 'https://issuer.example/port'],
  host: ['https://Issuer.Example/host', 'https://issuer.example/host'],
  path: ['https://issuer.example/Path', 'https://issuer.example/path'],
  escape: ['https://issuer.example/a%2Db', 'https://issuer.example/a-b'],
};
/** The same of an issuer whose discovery document has the other way. */
export const ofAnotherDocument = (url: string): string => url.replace(/example/i, '$&.com');
/** Two issuers that differ in a slash alone; the end of the first, which has it, is found at the usual path. */
export const SLASHED = ['slashed/', 'slashed'] as const;

/** Authenticators for every form, and where their documents lie. */
function formed(from: Issuer): ReturnType<typeof authenticator>[] {
  const [slashed, plain] = SLASHED.map((name) => from.tenant(name)) as [string, string];
  // The text has the well-known path behind the URL, and leaves open whether there are two slashes then.
  from.publish('/slashed/.well-known/openid-configuration', slashed);
  return [
    ...Object.entries(FORMS).map(([form, [url]]) => found(from, form, url, url)),
    authenticator(from, SLASHED[0]),
    found(from, SLASHED[1], plain, plain),
  ];
}
/** An authenticator for the issuer of this URL, whose document lies elsewhere and names that one. */
function found(from: Issuer, name: string, url: string, named: string) {
  const path = `/documents/${name}.json`;
  from.publish(path, named);
  return authenticator(from, name, { issuer: { url, discoveryURL: `${from.url}${path}` } });
}

/** Keys of extra that are just allowed: longer paths, signs of paths, and domains that are almost those of the service. */
export const keysOf = ({ apiDomain, labelDomain }: Dialect): readonly string[] => [
  'example.com/one/two',
  'a/b',
  "sub.example-1.com/a-b.c_d~e!$&'()*+,;=:f",
  'example.com/a%20b',
  `example.com/${apiDomain}`,
  ...new Set([apiDomain, labelDomain].flatMap((domain) => [`my${domain}/key`, `${domain}.example.com/key`])),
];

/** Each way to map an attribute of a user. */
const MAPPINGS = {
  'name-by-claim': { username: { claim: 'nick', prefix: 'n:' } },
  'name-by-expression': { username: { expression: "claims.nick + '-x'" } },
  'groups-by-claim': { groups: { claim: 'teams', prefix: 'g:' } },
  'groups-by-expression': { groups: { expression: 'claims.teams' } },
  'uid-by-claim': { uid: { claim: 'id' } },
  'uid-by-expression': { uid: { expression: "claims.id + '-x'" } },
} as const satisfies Readonly<Record<string, Changes['claimMappings']>>;
export type Mapping = keyof typeof MAPPINGS;

/** Claims that issuers often name somebody by. */
export const NAMING_CLAIMS = ['email', 'preferred_username', 'upn', 'name', 'sub', 'oid'] as const;
/** What the issuer is called whose users are named by this claim. */
export const namedBy = (claim: string): string => `named-by-${claim}`;

/** Extra by expressions, of a string and of a list. */
const EXTRA = [
  { key: 'example.com/tenant', valueExpression: 'claims.tenant' },
  { key: 'example.com/roles', valueExpression: 'claims.roles' },
];

/** What the issuer is called whose users have their attributes mapped so, and its authenticator. */
export const crossedName = (ways: readonly Mapping[]): string => `crossed-${ways.join('-')}`;
const CROSSED = Object.fromEntries(
  CROSSED_MAPPINGS.map((crossing) => {
    const ways = crossing.split('/') as Mapping[];
    const mapped = Object.assign({}, ...ways.map((way) => MAPPINGS[way]));
    return [crossedName(ways), { claimMappings: { ...mapped, extra: EXTRA } }];
  }),
);

/** What a token says of a user of whom rules want each attribute to be just what the mappings make of it. */
export const EXACT = { sub: 'ada', id: 'u-1', teams: ['red', 'blue'], tenants: ['acme'] };
type Attribute = (typeof USER_ATTRIBUTES)[number];
/** What the issuer is called for whose users an attribute is judged so, and its authenticator. */
export const exactName = (attribute: Attribute, mapped: 'claims' | 'expressions'): string =>
  `exact-${attribute}-by-${mapped}`;
const tenantsOf = { extra: [{ key: 'example.com/tenants', valueExpression: 'claims.tenants' }] };
const EXACT_MAPPINGS = {
  claims: {
    username: { claim: 'sub', prefix: 'x:' },
    groups: { claim: 'teams', prefix: 'g:' },
    uid: { claim: 'id' },
    ...tenantsOf,
  },
  expressions: {
    username: { expression: "'x:' + claims.sub" },
    groups: { expression: "claims.teams.map(team, 'g:' + team)" },
    uid: { expression: 'claims.id' },
    ...tenantsOf,
  },
};
const EXACT_RULES: Readonly<Record<Attribute, readonly string[]>> = {
  username: ["user.username == 'x:ada'"],
  uid: ["user.uid == 'u-1'"],
  groups: [
    "user.groups.all(group, group.startsWith('g:'))",
    "!('system:authenticated' in user.groups)",
    "size(user.groups) == 2 && 'g:red' in user.groups && 'g:blue' in user.groups",
  ],
  extra: ["size(user.extra) == 1 && user.extra['example.com/tenants'] == ['acme']"],
};
const EXACTLY = Object.fromEntries(
  USER_ATTRIBUTES.flatMap((attribute) =>
    (['claims', 'expressions'] as const).map((mapped): [string, Changes] => [
      exactName(attribute, mapped),
      {
        claimMappings: EXACT_MAPPINGS[mapped],
        userValidationRules: EXACT_RULES[attribute].map((expression) => ({ expression })),
      },
    ]),
  ),
);

/** The authenticators of the one server that most checks share, each for an issuer of its name. */
const SHARED: Readonly<Record<string, Changes>> = {
  plain: { claimMappings: { groups: { claim: 'teams', prefix: 'p:' } } },
  bare: { claimMappings: { username: { claim: 'sub', prefix: '' } } },
  mapped: {
    claimMappings: {
      username: { expression: "'m:' + claims.nick" },
      groups: { expression: 'claims.teams' },
      uid: { expression: "claims.id + '-x'" },
      extra: EXTRA,
    },
  },
  claimed: { claimMappings: { groups: { claim: 'teams', prefix: 'g:' }, uid: { claim: 'id' } } },
  ruled: {
    claimValidationRules: [
      { claim: 'hd', requiredValue: 'example.com' },
      { expression: 'claims.level >= 3', message: 'words-for-the-log-alone' },
      { claim: 'plan', requiredValue: 'gold' },
      { expression: "claims.zone != 'far'" },
      { claim: 'tier', requiredValue: 'first' },
      { claim: 'remark', requiredValue: '' },
      { expression: "!has(claims.shift) || claims.shift != 'night'", message: 'words-for-the-log-alone' },
    ],
    // Of several rules with one message, and of several without, each is one of its own.
    userValidationRules: [
      { expression: "!user.username.startsWith('ruled:system')", message: 'reserved' },
      { expression: "!has(user.groups) || user.groups.all(group, group != 'banned')", message: 'banned' },
      { expression: "user.username != 'ruled:nobody'", message: 'reserved' },
      { expression: "!has(user.groups) || !('closed' in user.groups)" },
      { expression: "user.username != 'ruled:root'" },
    ],
    claimMappings: { groups: { claim: 'teams', prefix: '' } },
  },
  signs: {
    claimMappings: {
      username: { claim: 'https://example.com/name', prefix: '' },
      groups: { claim: 'org.teams', prefix: '' },
      uid: { claim: 'org.id' },
    },
    claimValidationRules: [{ claim: 'org.plan', requiredValue: 'gold' }],
  },
  judged: {
    claimMappings: {
      groups: { claim: 'teams', prefix: 'g:' },
      uid: { claim: 'id' },
      extra: [{ key: 'example.com/tenants', valueExpression: 'claims.tenants' }],
    },
    userValidationRules: [
      { expression: "user.username != 'judged:banned'" },
      { expression: "user.uid != 'banned'" },
      { expression: "user.groups.all(group, group != 'g:banned')" },
      { expression: "!('banned' in user.extra['example.com/tenants'])" },
    ],
  },
  // Whatever stands before names by flags, here - is a prefix as others are.
  dashed: {
    claimMappings: { username: { claim: 'nick', prefix: '-' }, groups: { claim: 'teams', prefix: '-' } },
  },
  ...Object.fromEntries(
    NAMING_CLAIMS.map((claim) => [namedBy(claim), { claimMappings: { username: { claim, prefix: `${claim}#` } } }]),
  ),
  several: { issuer: { audiences: ['first', 'second', 'third'], audienceMatchPolicy: 'MatchAny' } },
  elsewhere: {},
  distributed: { claimMappings: { username: { expression: 'claims.nick' } } },
  ...CROSSED,
  ...EXACTLY,
};

export const shared: SetupOf = async (services, dialect) => {
  const from = await services.get(issuer);
  const discoveryURL = `${from.url}${ELSEWHERE}`;
  const jwt = Object.entries(SHARED).map(([name, changes]) =>
    authenticator(from, name, name === 'elsewhere' ? { issuer: { discoveryURL } } : changes),
  );
  const several = await bundleOfAuthorities(services);
  jwt.push(authenticator(from, 'several-authorities', { issuer: { certificateAuthority: several } }));
  const stranger = await services.get(issuer, 'stranger');
  jwt.push(authenticator(stranger, 'abroad'), ...formed(from));
  from.publish(ELSEWHERE, from.tenant('elsewhere'));
  from.answer('/elsewhere/.well-known/openid-configuration', { status: 404 });
  const token = await from.token({ claims: { ...ADA, iss: from.tenant('plain') } });
  return withFile(configuration(dialect, jwt), { token });
};

/**
 * A server with issuers that cannot be found, and others beside them. One that runs already need not take up a file
 * with any of these, so it is started with it.
 */
export const unfound: SetupOf = async (services, dialect) => {
  const from = await services.get(issuer);
  const another = (await services.get(authority, 'another')).pem;
  from.publish('/names-another/.well-known/openid-configuration', from.tenant('somebody-else'));
  return withFile(
    configuration(dialect, [
      authenticator(from, 'plain'),
      authenticator(from, 'names-another'),
      authenticator(from, 'other-authority', { issuer: { certificateAuthority: another } }),
      authenticator(from, 'without-authority', { issuer: { certificateAuthority: undefined } }),
      ...Object.entries(FORMS).flatMap(([form, [url, other]]) => [
        found(from, `${form}-beside`, url, url),
        found(from, `${form}-of-another`, ofAnotherDocument(url), ofAnotherDocument(other)),
      ]),
    ]),
  );
};

/** A server with what is just allowed: by itself, as one that refuses it does not start. */
export const justAllowed: SetupOf = async (services, dialect) => {
  const from = await services.get(issuer);
  const extra = keysOf(dialect).map((key) => ({ key, valueExpression: 'claims.sub' }));
  return withFile(
    configuration(dialect, [
      authenticator(from, 'keyed', { claimMappings: { extra }, issuer: { audienceMatchPolicy: 'MatchAny' } }),
    ]),
  );
};
