import { get } from 'node:https';
import {
  clausesOf,
  GROUPS_MAPPINGS,
  MENTIONS,
  NAME_MAPPINGS,
  PARTS_OF_AUTHENTICATORS,
  USES_OF_EMAIL,
} from '../../fixtures/ledger/index.ts';
import { isObject, type JsonObject } from '../../reference/api/json.ts';
import type { JwtOptions } from '../../reference/contracts/serverOptions.ts';
import { onReplies } from '../alter.ts';
import { onMetrics } from '../asking.ts';
import type { Defect, Mutant } from '../mutant.ts';
import {
  authenticatorsIn,
  called,
  claimsOf,
  isAmong,
  jwtPart,
  onAuthenticationFile,
  onAuthenticators,
  onIdentity,
  onIssuers,
  onOptions,
  onRefusal,
  part,
  withIssuers,
} from '../onAuthentication.ts';

/** Expressions whose outcome is another than it should be. */
function valued<T extends JwtOptions['username']>(source: T, change: (value: unknown) => unknown): T {
  if (!('expression' in source)) return source;
  const { expression } = source;
  const { text, selects } = expression;
  const evaluate = (value: unknown) => change(expression.evaluate(value));
  return { ...source, expression: { text, selects: (member: string) => selects(member), evaluate } };
}

/** A source without its prefix, where it is a claim. */
const unprefixed = (source: JwtOptions['username']): JwtOptions['username'] =>
  'claim' in source ? { claim: source.claim, prefix: '' } : source;

/** Whether something is mapped in this way: `name-by-claim`. */
const isMapped = (source: JwtOptions['groups'], way: string): boolean =>
  source !== undefined && 'claim' in source === way.endsWith('-by-claim');
const inWords = (way: string): string => way.replaceAll('-', ' ');

const RELOADED = /^apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds/;

/** Whether a JWT says nothing of this. */
const lacks = (claims: JsonObject, name: string): boolean => claims.iss !== undefined && claims[name] === undefined;

/** What lies at an address, whoever answers for it. */
function fetched(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { rejectUnauthorized: false, agent: false }, (response) => {
      response.toArray().then((parts) => resolve(parts.join('')), reject);
    }).on('error', reject);
  });
}

/** Reads another text of the authentication file than the one that is there. */
const misreading = (change: (text: string) => string): Defect => ({
  start: {
    files: (files) => ({
      read: (path) => {
        const text = files.read(path);
        return text.includes('AuthenticationConfiguration') ? change(text) : text;
      },
    }),
  },
});

/** A URL as it is written by whoever thinks that other ways to write it are the same. */
const normal = (url: string): string =>
  decodeURIComponent(URL.canParse(url) ? new URL(url).href : url)
    .toLowerCase()
    .replace(/\/$/, '');

/** Puts a part of an authenticator in the place of that of another one. */
type Keep = (one: JsonObject, before: JsonObject) => void;
/** Keeps a member of an object that an authenticator has, or of what that has. */
const keeping =
  (path: readonly [string, ...string[]], of = ''): Keep =>
  (one, before) => {
    const last = path.at(-1) ?? '';
    const within = (whole: JsonObject) => path.slice(0, -1).reduce(part, whole);
    const value = within(before)[last];
    if (value !== undefined && String(part(one, 'issuer').url).endsWith(of)) within(one)[last] = value;
  };
const KEPT: Readonly<Record<(typeof PARTS_OF_AUTHENTICATORS)[number], Keep>> = {
  prefix: keeping(['claimMappings', 'username', 'prefix']),
  groups: keeping(['claimMappings', 'groups']),
  uid: keeping(['claimMappings', 'uid']),
  extra: keeping(['claimMappings', 'extra']),
  'user-rules': keeping(['userValidationRules']),
  'claim-rules': keeping(['claimValidationRules']),
  second: keeping(['claimMappings', 'username', 'prefix'], '/second'),
  'second-audiences': keeping(['issuer', 'audiences']),
  discovery: keeping(['issuer', 'discoveryURL']),
  authority: keeping(['issuer', 'certificateAuthority']),
};

/** Looks at claims.email_verified and holds whatever that is. */
const LOOKING: JsonObject = { expression: 'claims.?email_verified.orValue(true) == true || true' };
function withLook(one: JsonObject): void {
  const rules = Array.isArray(one.claimValidationRules) ? one.claimValidationRules : [];
  one.claimValidationRules = [...rules, LOOKING];
}

/** Configuration files of authentication that are read too kindly, or not as they stand. */
export const AUTHENTICATION_CONFIGURATION: readonly Mutant[] = [
  {
    id: 'authentication-file-of-any-version',
    breaks: ['AUTHNCONF-FILE-01'],
    sentence: 'An authentication file of any version is read as one of v1beta1.',
    defect: () => ({
      start: onAuthenticationFile((config) => ({
        ...config,
        apiVersion: `${String(config.apiVersion).split('/')[0]}/v1beta1`,
      })),
    }),
  },
  {
    id: 'authentication-file-gate-ignored',
    breaks: ['AUTHNCONF-FILE-02'],
    sentence: 'The authentication file is used though its gate is off.',
    defect: () => ({
      start: { flags: (argv) => argv.filter((each) => !each.includes('StructuredAuthenticationConfiguration')) },
    }),
  },
  {
    id: 'authentication-file-read-once',
    breaks: ['AUTHNCONF-FILE-03'],
    sentence: 'The authentication file is read at start-up and never again.',
    defect: () => ({ start: onOptions(({ file, ...options }) => options) }),
  },
  {
    id: 'authentication-reload-not-measured',
    breaks: ['AUTHNCONF-FILE-04'],
    sentence: 'The gauge of the last reload of the authentication file stays away.',
    defect: () =>
      onReplies((reply, { path }) => {
        if (path !== '/metrics') return reply;
        const lines = Buffer.from(reply.body).toString().split('\n');
        const left = lines.filter((line) => !line.startsWith('apiserver_authentication_config_controller'));
        return { ...reply, body: Buffer.from(left.join('\n')) };
      }),
  },
  {
    id: 'authentication-reload-in-milliseconds',
    breaks: ['AUTHNCONF-FILE-08/seconds'],
    sentence: 'The gauge of the last reload of the authentication file counts milliseconds.',
    defect: () =>
      onMetrics((line) => (RELOADED.test(line) ? line.replace(/\S+$/, (time) => `${Number(time) * 1_000}`) : line)),
  },
  {
    id: 'authentication-reload-measured-once',
    breaks: ['AUTHNCONF-FILE-08/each'],
    sentence: 'The gauge of the last reload of the authentication file stays at the first one.',
    defect: () => {
      let first = 0;
      return onMetrics((line) => {
        if (!RELOADED.test(line)) return line;
        first ||= Number(line.split(' ').at(-1));
        return line.replace(/\S+$/, String(first));
      });
    },
  },
  {
    id: 'tokens-need-sub',
    breaks: clausesOf('AUTHNCONF-TOKEN-02', 'sub'),
    sentence: 'A token without sub is refused, whatever makes the name.',
    defect: () => onIdentity((answer, request) => (lacks(claimsOf(request), 'sub') ? { rejected: 'no sub' } : answer)),
  },
  {
    id: 'tokens-need-iat',
    breaks: clausesOf('AUTHNCONF-TOKEN-02', 'iat'),
    sentence: 'A token without iat is refused, whatever makes the name.',
    defect: () => onIdentity((answer, request) => (lacks(claimsOf(request), 'iat') ? { rejected: 'no iat' } : answer)),
  },
  {
    id: 'sixty-five-issuers',
    breaks: ['AUTHNCONF-JWT-01'],
    sentence: 'More than 64 authenticators are taken, and those after the 64th never used.',
    defect: () => ({
      start: onAuthenticationFile((config) => ({ ...config, jwt: authenticatorsIn(config).slice(0, 64) })),
    }),
  },
  {
    id: 'first-issuer-judges-all',
    breaks: ['AUTHNCONF-JWT-02'],
    sentence: 'Tokens of every issuer are mapped as those of the first.',
    defect: () => ({ start: onIssuers((jwt, [first]) => ({ ...jwt, username: first?.username ?? jwt.username })) }),
  },
  {
    id: 'issuer-may-come-twice',
    breaks: ['AUTHNCONF-ISSUER-01'],
    sentence: 'Of two authenticators for one issuer the first is used.',
    defect: () => ({
      start: onAuthenticationFile((config) => {
        const seen = new Set<unknown>();
        const once = authenticatorsIn(config).filter((one) => {
          const { url } = part(one, 'issuer');
          return !seen.has(url) && seen.add(url);
        });
        return { ...config, jwt: once };
      }),
    }),
  },
  {
    id: 'issuer-compared-by-its-beginning',
    breaks: ['AUTHNCONF-ISSUER-02'],
    sentence: 'A token is taken whose issuer only begins as the one that is configured.',
    defect: () =>
      withIssuers((configured) =>
        onRefusal((request) => {
          const { iss, sub } = claimsOf(request);
          return configured.some(({ issuer: { url } }) => String(iss).startsWith(url))
            ? called(String(sub))
            : undefined;
        }),
      ),
  },
  {
    id: 'issuer-urls-are-brought-into-one-form',
    breaks: [...clausesOf('AUTHNCONF-ISSUER-02', 'taken'), 'AUTHNCONF-JWT-02'],
    sentence: 'The URL of an issuer is brought into a normal form, and tokens have to name it so.',
    defect: () => ({
      start: onIssuers((jwt) => ({ ...jwt, issuer: { ...jwt.issuer, url: normal(jwt.issuer.url) } })),
    }),
  },
  {
    id: 'issuers-are-compared-in-one-form',
    breaks: clausesOf('AUTHNCONF-ISSUER-02', 'refused'),
    sentence: 'A token is taken whose issuer is that of an authenticator in a normal form of both.',
    defect: () =>
      withIssuers((configured) =>
        onRefusal((request) => {
          const { iss, sub } = claimsOf(request);
          const same = configured.some(({ issuer: { url } }) => normal(url) === normal(String(iss)));
          return same ? called(String(sub)) : undefined;
        }),
      ),
  },
  {
    id: 'documents-of-issuers-may-name-another',
    breaks: clausesOf('AUTHNCONF-ISSUER-02', 'document'),
    sentence: 'A token of an issuer of the file is taken, whoever its discovery document names.',
    defect: () =>
      withIssuers((configured) =>
        onRefusal((request) => {
          const { iss, sub } = claimsOf(request);
          return configured.some(({ issuer: { url } }) => url === iss) ? called(String(sub)) : undefined;
        }),
      ),
  },
  {
    id: 'discovery-url-ignored',
    breaks: ['AUTHNCONF-DISCOVERY-01'],
    sentence: 'Keys are looked for at the usual path, whatever discoveryURL says.',
    defect: () => ({ start: onIssuers((jwt) => ({ ...jwt, issuer: { ...jwt.issuer, discoveryUrl: undefined } })) }),
  },
  {
    id: 'discovery-url-may-come-twice',
    breaks: ['AUTHNCONF-DISCOVERY-02'],
    sentence: 'Two authenticators may share a discoveryURL.',
    defect: () => ({
      start: onAuthenticators((one) => {
        delete part(one, 'issuer').discoveryURL;
      }),
    }),
  },
  {
    id: 'last-audience-only',
    breaks: ['AUTHNCONF-AUDIENCE-01'],
    sentence: 'Of several audiences only the last is taken.',
    defect: () => ({
      start: onIssuers((jwt) => ({ ...jwt, issuer: { ...jwt.issuer, audiences: jwt.issuer.audiences.slice(-1) } })),
    }),
  },
  {
    id: 'authorized-party-is-an-audience',
    breaks: ['AUTHNCONF-AUDIENCE-01'],
    sentence: 'A token whose azp is none of its audiences is refused.',
    defect: () =>
      withIssuers((configured) =>
        onIdentity((answer, request) => {
          const { iss, aud, azp } = claimsOf(request);
          return isAmong(configured, iss) && azp !== undefined && ![aud].flat().includes(azp) ? undefined : answer;
        }),
      ),
  },
  {
    id: 'audience-policy-assumed',
    breaks: ['AUTHNCONF-AUDIENCE-02'],
    sentence: 'Several audiences need no policy.',
    defect: () => ({
      start: onAuthenticators((one) => {
        part(one, 'issuer').audienceMatchPolicy = 'MatchAny';
      }),
    }),
  },
  {
    id: 'claim-expressions-not-asked',
    breaks: ['AUTHNCONF-CLAIMRULE-01'],
    sentence: 'Rules over claims by expression are never asked.',
    defect: () => ({ start: onIssuers((jwt) => ({ ...jwt, claimRules: [] })) }),
  },
  {
    id: 'claims-behind-expressions-not-required',
    breaks: ['AUTHNCONF-CLAIMRULE-01'],
    sentence: 'Rules over claims that stand behind one by expression are not held.',
    defect: () => ({
      start: onAuthenticators((one) => {
        const rules = (Array.isArray(one.claimValidationRules) ? one.claimValidationRules : []).filter(isObject);
        const at = rules.findIndex(({ expression }) => expression !== undefined);
        if (at >= 0) one.claimValidationRules = rules.slice(0, at + 1);
      }),
    }),
  },
  {
    id: 'expression-wins-over-claim',
    breaks: ['AUTHNCONF-CLAIMRULE-02'],
    sentence: 'A rule with both claim and expression is taken for one by expression.',
    defect: () => ({
      start: onAuthenticators((one) => {
        for (const rule of (Array.isArray(one.claimValidationRules) ? one.claimValidationRules : []).filter(isObject)) {
          if (rule.expression !== undefined) for (const name of ['claim', 'requiredValue']) delete rule[name];
        }
      }),
    }),
  },
  {
    id: 'name-by-claim-without-prefix',
    breaks: [
      'AUTHNCONF-USERNAME-01',
      ...clausesOf('AUTHNCONF-USERNAME-01', 'name-by-claim'),
      ...clausesOf('OIDC-PREFIX-01', GROUPS_MAPPINGS),
    ],
    sentence: 'A name by claim is taken without its prefix.',
    defect: () => ({ start: onIssuers((jwt) => ({ ...jwt, username: unprefixed(jwt.username) })) }),
  },
  ...GROUPS_MAPPINGS.map(
    (way): Mutant => ({
      id: `prefix-of-names-lost-beside-${way}`,
      breaks: [...clausesOf('AUTHNCONF-USERNAME-01', 'name-by-claim', way), ...clausesOf('OIDC-PREFIX-01', way)],
      sentence: `A name by claim is taken without its prefix where there are ${inWords(way)}.`,
      defect: () => ({
        start: onIssuers((jwt) => ({
          ...jwt,
          username: isMapped(jwt.groups, way) ? unprefixed(jwt.username) : jwt.username,
        })),
      }),
    }),
  ),
  ...NAME_MAPPINGS.map(
    (way): Mutant => ({
      id: `prefix-of-groups-lost-beside-${way}`,
      breaks: [...clausesOf('AUTHNCONF-GROUPS-01', 'groups-by-claim', way), ...clausesOf('OIDC-PREFIX-01', way)],
      sentence: `Groups by claim are taken without their prefix beside a ${inWords(way)}.`,
      defect: () => ({
        start: onIssuers((jwt) => ({
          ...jwt,
          groups: jwt.groups && isMapped(jwt.username, way) ? unprefixed(jwt.groups) : jwt.groups,
        })),
      }),
    }),
  ),
  {
    id: 'names-by-email-without-prefix',
    breaks: ['AUTHNCONF-USERNAME-01'],
    sentence: 'A name by the claim email is taken without its prefix.',
    defect: () => ({
      start: onIssuers((jwt) => ({
        ...jwt,
        username: 'claim' in jwt.username && jwt.username.claim === 'email' ? unprefixed(jwt.username) : jwt.username,
      })),
    }),
  },
  {
    id: 'names-by-expression-are-cut',
    breaks: clausesOf('AUTHNCONF-USERNAME-01', 'name-by-expression'),
    sentence: 'A name by expression ends before its last dash.',
    defect: () => ({
      start: onIssuers((jwt) => ({
        ...jwt,
        username: valued(jwt.username, (value) => (typeof value === 'string' ? value.replace(/-[^-]*$/, '') : value)),
      })),
    }),
  },
  {
    id: 'groups-by-expression-get-a-prefix',
    breaks: clausesOf('AUTHNCONF-GROUPS-01', 'groups-by-expression'),
    sentence: 'Groups by expression get a prefix.',
    defect: () => ({
      start: onIssuers((jwt) => ({
        ...jwt,
        groups:
          jwt.groups &&
          valued(jwt.groups, (value) => (Array.isArray(value) ? value.map((group) => `teams:${group}`) : value)),
      })),
    }),
  },
  {
    id: 'prefix-not-needed',
    breaks: ['AUTHNCONF-USERNAME-02'],
    sentence: 'A name by claim needs no prefix.',
    defect: () => ({
      start: onAuthenticators((one) => {
        const username = part(part(one, 'claimMappings'), 'username');
        if (username.claim !== undefined && username.expression === undefined) username.prefix ??= '';
      }),
    }),
  },
  {
    id: 'empty-name-replaced',
    breaks: ['AUTHNCONF-USERNAME-03'],
    sentence: 'A user whose name comes to nothing by expression is called otherwise instead of refused.',
    defect: () => ({
      start: onIssuers((jwt) => ({ ...jwt, username: valued(jwt.username, (value) => value || 'nameless') })),
    }),
  },
  {
    id: 'nameless-user-by-claim',
    breaks: ['AUTHNCONF-USERNAME-04'],
    sentence: 'A user whose name comes to nothing by claim and empty prefix is taken.',
    defect: () => ({ start: { options: (options) => ({ ...options, follow: 'service' }) } }),
  },
  {
    id: 'unverified-email-is-a-name',
    breaks: clausesOf('AUTHNCONF-USERNAME-05', USES_OF_EMAIL),
    sentence: 'A name may come from claims.email without a look at claims.email_verified.',
    defect: () => ({
      start: onAuthenticators((one) => {
        if (!JSON.stringify(one).includes('email_verified')) withLook(one);
      }),
    }),
  },
  {
    id: 'a-word-is-a-look-at-email-verified',
    breaks: clausesOf('AUTHNCONF-USERNAME-05', MENTIONS),
    sentence: 'Where email_verified is written anywhere in a configuration, it counts as looked at.',
    defect: () => ({
      start: onAuthenticators((one) => {
        if (JSON.stringify(one).includes('email_verified')) withLook(one);
      }),
    }),
  },
  {
    id: 'words-that-begin-like-an-email-are-one',
    breaks: ['AUTHNCONF-USERNAME-05/no-use'],
    sentence: 'An expression in which email is written is one over claims.email.',
    defect: () => ({
      start: onAuthenticators((one) => {
        const text = JSON.stringify(part(one, 'claimMappings'));
        if (text.includes('email') && !text.includes('email_verified')) one.claimMappings = {};
      }),
    }),
  },
  {
    id: 'email-verified-elsewhere-not-seen',
    breaks: ['AUTHNCONF-USERNAME-06'],
    sentence: 'A look at claims.email_verified counts only where the name is made.',
    defect: () => ({
      start: onAuthenticators((one) => {
        const { username } = part(one, 'claimMappings');
        const expression = isObject(username) ? String(username.expression) : '';
        if (expression.includes('claims.email') && !expression.includes('email_verified')) one.claimMappings = {};
      }),
    }),
  },
  {
    id: 'email-by-key-not-seen',
    breaks: ['AUTHNCONF-USERNAME-07'],
    sentence: "claims['email'] is no use of an address.",
    defect: () => ({
      start: onAuthenticators((one) => {
        const { username } = part(one, 'claimMappings');
        if (isObject(username) && String(username.expression).includes("['email']")) username.expression = 'claims.sub';
      }),
    }),
  },
  {
    id: 'single-group-forgotten',
    breaks: ['AUTHNCONF-GROUPS-01'],
    sentence: 'An expression of groups that gives a string gives none.',
    defect: () => ({
      start: onIssuers((jwt) => ({
        ...jwt,
        groups: jwt.groups && valued(jwt.groups, (value) => (typeof value === 'string' ? [] : value)),
      })),
    }),
  },
  {
    id: 'uid-not-mapped',
    breaks: ['AUTHNCONF-UID-01', ...clausesOf('AUTHNCONF-UID-01')],
    sentence: 'Users of tokens have no uid.',
    defect: () => ({ start: onIssuers((jwt) => ({ ...jwt, uid: undefined })) }),
  },
  {
    id: 'first-extra-only',
    breaks: ['AUTHNCONF-EXTRA-01', ...clausesOf('AUTHNCONF-EXTRA-01')],
    sentence: 'Of several extra mappings only the first is used.',
    defect: () => ({ start: onIssuers((jwt) => ({ ...jwt, extra: jwt.extra?.slice(0, 1) ?? [] })) }),
  },
  {
    id: 'extra-keys-lowered',
    breaks: ['AUTHNCONF-EXTRA-02'],
    sentence: 'Upper-case letters in an extra key are read as lower-case ones.',
    defect: () => ({
      start: onAuthenticators((one) => {
        const { extra } = part(one, 'claimMappings');
        for (const each of (Array.isArray(extra) ? extra : []).filter(isObject))
          each.key = String(each.key).toLowerCase();
      }),
    }),
  },
  {
    id: 'first-user-rule-only',
    breaks: ['AUTHNCONF-USERRULE-01'],
    sentence: 'Of several user rules only the first is asked.',
    defect: () => ({ start: onIssuers((jwt) => ({ ...jwt, userRules: jwt.userRules?.slice(0, 1) ?? [] })) }),
  },
  ...(['first', 'last'] as const).flatMap((kept) =>
    (
      [
        ['claimValidationRules', 'AUTHNCONF-CLAIMRULE-01', 'claim'],
        ['userValidationRules', 'AUTHNCONF-USERRULE-01', 'user'],
      ] as const
    ).map(
      ([member, requirement, rules]): Mutant => ({
        id: `${rules}-rules-by-message-${kept}`,
        breaks: [requirement],
        sentence: `Of several ${rules} rules with one message only the ${kept} is asked.`,
        defect: () => ({
          start: onAuthenticators((one) => {
            const all = Array.isArray(one[member]) ? one[member].filter(isObject) : [];
            const of = (rule: JsonObject) => all.filter(({ message }) => message === rule.message);
            one[member] = all.filter(
              (rule) => rule.message === undefined || of(rule).at(kept === 'first' ? 0 : -1) === rule,
            );
          }),
        }),
      }),
    ),
  ),
  {
    id: 'user-rules-without-a-message-by-that',
    breaks: ['AUTHNCONF-USERRULE-01'],
    sentence: 'Of several user rules without a message only the last is asked.',
    defect: () => ({
      start: onAuthenticators((one) => {
        const all = Array.isArray(one.userValidationRules) ? one.userValidationRules.filter(isObject) : [];
        const last = all.findLast(({ message }) => message === undefined);
        one.userValidationRules = all.filter((rule) => rule.message !== undefined || rule === last);
      }),
    }),
  },
  {
    id: 'user-rules-see-nobody',
    breaks: clausesOf('AUTHNCONF-USERRULE-02'),
    sentence: 'User rules are asked of a user without anything.',
    defect: () => ({
      start: onAuthenticators((one) => {
        for (const rule of (Array.isArray(one.userValidationRules) ? one.userValidationRules : []).filter(isObject))
          rule.expression = `(${rule.expression}) || true`;
      }),
    }),
  },
  ...(
    [
      ['username', 'a blank behind the name', "(user.username + ' ')"],
      ['uid', 'the name before the uid', '(user.username + user.uid)'],
      ['groups', 'the group of all who are authenticated', "(user.groups + ['system:authenticated'])"],
      ['extra', 'another key of extra', "{'example.com/tenants': ['acme'], 'example.com/more': ['more']}"],
    ] as const
  ).map(
    ([attribute, what, expression]): Mutant => ({
      id: `user-rules-see-more-of-${attribute}`,
      breaks: [`AUTHNCONF-USERRULE-02/exactly/${attribute}`],
      sentence: `User rules see more than the mappings make: ${what}.`,
      defect: () => ({
        start: onAuthenticators((one) => {
          for (const rule of (Array.isArray(one.userValidationRules) ? one.userValidationRules : []).filter(isObject))
            if (typeof rule.expression === 'string' && !rule.expression.includes('has('))
              rule.expression = rule.expression.replaceAll(`user.${attribute}`, expression);
        }),
      }),
    }),
  ),
  {
    id: 'claim-names-end-at-a-dot',
    breaks: clausesOf('AUTHNCONF-MAPPING-01', ['username', 'groups', 'uid']),
    sentence: 'The name of a claim in a mapping is read up to its last dot.',
    defect: () => ({
      start: onAuthenticators((one) => {
        const mappings = part(one, 'claimMappings');
        for (const mapping of Object.values(mappings).filter(isObject))
          if (typeof mapping.claim === 'string') mapping.claim = mapping.claim.replace(/\.[^.]*$/, '');
      }),
    }),
  },
  {
    id: 'claim-names-lead-into-objects',
    breaks: ['AUTHNCONF-MAPPING-01/rule'],
    sentence: 'A dot in the name of a required claim leads into an object too.',
    defect: () =>
      onRefusal((request) => {
        const { org, sub } = claimsOf(request);
        return isObject(org) && org.plan === 'gold' ? called(String(sub)) : undefined;
      }),
  },
  {
    id: 'keys-of-all-issuers-verify',
    breaks: ['AUTHNCONF-JWT-03'],
    sentence: 'A token may be signed by a key of any issuer that is known.',
    defect: () =>
      withIssuers((configured) => {
        const keys = new Set<unknown>();
        return onIdentity((answer, request) => {
          const [{ kid }, { iss, sub }] = [jwtPart(request, 0), claimsOf(request)];
          if (!configured.some(({ issuer }) => issuer.url === iss)) return answer;
          if (answer && 'user' in answer) keys.add(kid);
          return answer && !('user' in answer) && keys.has(kid) ? { user: called(String(sub)) } : answer;
        });
      }),
  },
  {
    id: 'file-is-taken-up-once',
    breaks: clausesOf('AUTHNCONF-FILE-07', ['rules', 'mappings', 'audiences']),
    sentence: 'The second change of a file of authenticators is not taken up.',
    defect: () => {
      const seen: string[] = [];
      return {
        start: {
          files: (files) => ({
            read: (path) => {
              const text = files.read(path);
              if (!text.includes('AuthenticationConfiguration')) return text;
              if (!seen.includes(text)) seen.push(text);
              return seen[Math.min(1, seen.indexOf(text))] ?? text;
            },
          }),
        },
      };
    },
  },
  ...PARTS_OF_AUTHENTICATORS.map(
    (which): Mutant => ({
      id: `files-change-but-for-${which}`,
      breaks: [`AUTHNCONF-FILE-07/${which}`],
      sentence: `When the file of authenticators changes, this of an issuer that stays is that of before: ${which}.`,
      defect: () => {
        const first = new Map<unknown, JsonObject>();
        return {
          start: onAuthenticators((one) => {
            const url = String(part(one, 'issuer').url);
            const before = first.get(url) ?? structuredClone(one);
            first.set(url, before);
            KEPT[which](one, structuredClone(before));
          }),
        };
      },
    }),
  ),
  {
    id: 'file-that-goes-back-is-overlooked',
    breaks: ['AUTHNCONF-FILE-07/back'],
    sentence: 'A file of authenticators that becomes what it was before is not taken up.',
    defect: () => {
      const seen = new Set<string>();
      let last = '';
      return misreading((text) => {
        if (!seen.has(text)) last = text;
        seen.add(text);
        return last;
      });
    },
  },
  {
    id: 'no-authenticators-after-invalid-ones',
    breaks: ['AUTHNCONF-FILE-07/after-invalid'],
    sentence: 'Once a file of authenticators was invalid no later one is taken up.',
    defect: () => {
      let broken: string | undefined;
      return misreading((text) => {
        if (/"username":\s*\{\}/.test(text)) broken = text;
        return broken ?? text;
      });
    },
  },
  {
    id: 'tokens-need-no-end',
    breaks: ['AUTHNCONF-TOKEN-01'],
    sentence: 'A token without exp is taken.',
    defect: () =>
      onRefusal((request) => {
        const { exp, sub, iss } = claimsOf(request);
        return exp === undefined && iss !== undefined ? called(String(sub)) : undefined;
      }),
  },
  {
    id: 'distributed-claims-resolved',
    breaks: ['AUTHNCONF-DISTRIBUTED-01'],
    sentence: 'A claim that is only distributed is fetched from where it is said to be.',
    defect: () =>
      onRefusal(async (request) => {
        const { endpoint } = part(part(claimsOf(request), '_claim_sources'), 'source');
        if (typeof endpoint !== 'string') return undefined;
        const [, payload = ''] = (await fetched(endpoint)).split('.');
        return called(String(JSON.parse(Buffer.from(payload, 'base64url').toString()).nick));
      }),
  },
];
