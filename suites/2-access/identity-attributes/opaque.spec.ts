import { TELLING_METHODS, TOKEN_FORMS } from '../../../fixtures/ledger/index.ts';
import type { Actor, Exchange } from '../../harness/index.ts';
import {
  authority,
  check,
  clause,
  clausesOf,
  type Identity,
  issuer,
  type Matcher,
  match,
  must,
  type SetupOf,
  tokenWebhook,
  unsupported,
} from '../../harness/index.ts';
import { accountWithToken, payloadOf, requestToken, statedToken } from '../accountTokens.ts';
import { authenticator, configuration, FILE, SINCE } from '../authentication-configuration-file/configuration.ts';
import { ADA } from '../idTokens.ts';
import { calls, inGroups, known, knownBefore, refused, told } from '../known.ts';
import { byDefault } from '../webhook-token-flags/setups.ts';
import { whoAmI } from '../whoAmI.ts';

/**
 * Letters that are written in two ways, by one sign and by two, wide and joined ones, signs beyond the first 65,536, and
 * such as nobody sees: who brings text into a normal form, or counts it, makes others of them.
 */
const ODD = '\u00e9 e\u0301 \u212b \uff21 \ufb01 \u0130 \u00df \u{1f600} \u200d\u00ad \u05d0';
/** What somebody is called and belongs to, such as nobody would who expects names of objects. */
const PLAIN = 'Ada: of ALL/x@y#z +<>;"\\=%41';
const NAME = `${PLAIN} ${ODD}`;
const UID = `UID 7/a:B +<>;"\\=%41 ${ODD}`;
const SEEN = ['Staff', 'night shift', 'team:Red/x', 'fourth', 'fifth'];
/** Groups with signs that are escaped, or are escapes, in the texts of subjects, URLs, files, rules and pages. */
const SIGNS = [
  'a+b=c',
  '<b>&amp;',
  'back\\slash',
  '"quoted"',
  "it's",
  '#first',
  'semi;colon',
  '%41%2F',
  '\\u0041',
  '{"a":1}',
  '*',
];
const GROUPS = [...SEEN, ...SIGNS, `odd ${ODD}`, 'caf\u00e9', 'cafe\u0301'];
const EXTRA = {
  'example.com/scopes': ['Read All', 'write', 'a,b', ODD, 'write', ...SIGNS],
  'second.example.com/key': ['K: v'],
};

/** Who somebody is. */
interface Person {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<keyof typeof EXTRA, readonly string[]>>;
}
/** Groups of the service itself, which methods give as any others. */
const OF_THE_SERVICE = ['system:monitoring', 'system:nodes'];
/** Whom each method tells of: somebody with odd attributes, and somebody whose begin as those of the service itself. */
const PEOPLE = ['ada', 'sam'] as const;
type Who = (typeof PEOPLE)[number];
const TOLD: Readonly<Record<Who, Person>> = {
  ada: { name: NAME, uid: UID, groups: GROUPS, extra: EXTRA },
  sam: {
    name: 'system:touchstone',
    uid: 'system:7',
    groups: [...OF_THE_SERVICE, 'system:masters', 'staff'],
    extra: { 'example.com/scopes': ['system:all', 'write'], 'second.example.com/key': ['system:'] },
  },
};

/** What somebody else has, whose attributes differ from others in little. */
const NEAR = { name: ' Bea ', uid: '0042', groups: ['Night', 'night', 'NIGHT', ' at the ends ', 'at the ends', 'a,b'] };
const KEYS = { 'Example.com/Key': ['One'], 'example.com/key': ['two'] };

/** What is longer than columns of tables are, and more than few: what stands last counts as what stands first. */
const END = 'x'.repeat(1_000);
const MANY = Array.from({ length: 120 }, (_, at) => `group-${at}`);
const LONG = { name: `long ${END} name`, uid: `long-${END}-uid`, groups: [...MANY, `long ${END} group`] };

const ADMIN: Identity = { token: 'admin-beside-opaque-names' };
const LONG_ROW: Identity = { token: 'cleo-with-long-attributes' };
const LONG_OPAQUE: Identity = { token: 'opaque-token-of-cleo' };
/** The tokens of those that methods tell of. */
const ROWS = { ada: 'ada-with-an-opaque-name', sam: 'sam-with-a-name-as-of-the-service' };
const OPAQUE = { ada: 'opaque-token-of-an-opaque-name', sam: 'opaque-token-of-a-name-as-of-the-service' };
const NEAR_ROW: Identity = { token: 'bea-with-an-attribute-like-others' };
const NEAR_OPAQUE: Identity = { token: 'opaque-token-of-bea' };

/**
 * What follows the name of a source in a token, of each form. Of several each is another token: for who reads it in
 * another case, without its padding, or as in a URL they are one.
 */
const FORMS: Readonly<Record<(typeof TOKEN_FORMS)[number], readonly string[]>> = {
  signs: ['!#$%&\'*+-.^_|~/:;?@()[]{}<>=x,"\\`'],
  equals: ['-with-padding==', '-with-padding=', '-with-padding'],
  long: [`-${'l'.repeat(4_000)}`],
  case: ['-in-Its-Case', '-in-its-case'],
  escapes: ['-%41%2Fx', '-A/x', '-%2541%252Fx', '-a+b_c-d', '-a-b/c+d', '-\\u0041', '-&amp;', '-&'],
  parts: ['.two', '.two.three', '.two.three.four', '.two.three.four.five', '.two.', '..three', '..'],
};
/** A column of the file of static tokens. */
const column = (text: string): string => `"${text.replaceAll('"', '""')}"`;
/** The tokens of a source, and who shows each. */
const tokensOf = (source: string): readonly { readonly token: string; readonly name: string }[] =>
  Object.entries(FORMS).flatMap(([form, ends]) =>
    ends.map((end, index) => ({ token: `${source}${end}`, name: `${form}-${index}` })),
  );

/** A server that is told the same of ada by a file, a certificate, an ID token and a webhook. */
const setup: SetupOf = async (services, dialect) => {
  const [from, webhook] = [await services.get(issuer), await byDefault(services, dialect)];
  const mapped = authenticator(from, 'opaque', {
    claimMappings: {
      username: { claim: 'sub', prefix: '' },
      uid: { claim: 'id' },
      groups: { claim: 'teams', prefix: '' },
      extra: Object.keys(EXTRA).map((key) => ({ key, valueExpression: `claims.more['${key}']` })),
    },
  });
  return {
    flags: [
      '--token-auth-file={tokens.csv}',
      '--client-ca-file={ca.crt}',
      `--authentication-config={${FILE}}`,
      ...(webhook.flags ?? []),
    ],
    files: {
      'tokens.csv': [
        `${ADMIN.token},admin,admin-uid,system:masters`,
        ...PEOPLE.map((who) => {
          const { name, uid, groups } = TOLD[who];
          return [ROWS[who], name, uid, groups.join(',')].map(column).join(',');
        }),
        `${NEAR_ROW.token},Bea,${NEAR.uid},"Night,night,NIGHT"`,
        `${LONG_ROW.token},${LONG.name},${LONG.uid},"${LONG.groups.join(',')}"`,
        ...tokensOf('file').map(({ token, name }) => `${column(token)},${name},${name}-uid`),
        '',
      ].join('\n'),
      'ca.crt': (await services.get(authority)).pem,
      [FILE]: configuration(dialect, [mapped]),
      ...webhook.files,
    },
    identities: { admin: ADMIN },
    since: SINCE,
  };
};

/** What an answer says of each attribute of somebody. */
const saysOf = ({ name, uid, groups, extra }: Person): Readonly<Record<string, Matcher<Exchange>>> => ({
  name: calls(name),
  uid: match.field('status.userInfo.uid', uid),
  groups: match.field('status.userInfo.groups', match.sameItems([...groups, 'system:authenticated'])),
  extra: match.both(
    ...Object.entries(extra).map(([key, values]) =>
      match.field(['status', 'userInfo', 'extra', key], match.sameItems(values)),
    ),
  ),
});

check(
  'IDENTITY-OPAQUE-01.1',
  'methods give names, uids, groups and extra with blanks, signs and letters of both cases, and such that begin as those of the service → the user has them as they are',
  clausesOf('IDENTITY-OPAQUE-01', TELLING_METHODS),
  { setup },
  async ({ someone, services }) => {
    const [webhook, from] = [await services.get(tokenWebhook), await services.get(issuer)];
    const signer = await services.get(authority);
    const actorsOf = async (who: Who): Promise<Readonly<Record<string, Actor>>> => {
      const { name, uid, groups, extra } = TOLD[who];
      webhook.answer(OPAQUE[who], { status: { authenticated: true, user: { username: name, uid, groups, extra } } });
      const claims = { ...ADA, sub: name, id: uid, teams: groups, more: extra, iss: from.tenant('opaque') };
      return {
        'token-file': someone(who, { token: ROWS[who] }),
        certificate: someone(who, await signer.client(name, groups)),
        'id-token': someone(who, { token: await from.token({ claims }) }),
        webhook: someone(who, { token: OPAQUE[who] }),
      };
    };
    // Whoever was known once may be kept, and what a server keeps may be less than what it was told.
    const twice = async (actor: Actor) => [await known(actor), await whoAmI(actor)] as const;
    const seen = await Promise.all(
      PEOPLE.map(async (who) => {
        const actors = Object.entries(await actorsOf(who));
        const sightings = await Promise.all(
          actors.map(async ([method, actor]) => [method, await twice(actor)] as const),
        );
        return [who, new Map(sightings)] as const;
      }),
    );
    for (const name of clausesOf('IDENTITY-OPAQUE-01', TELLING_METHODS)) {
      await clause(name, async () => {
        const [, method = '', attribute = ''] = name.split('/');
        for (const [who, byMethod] of seen) {
          const [sightings, says] = [byMethod.get(method), saysOf(TOLD[who])[attribute]];
          if (!sightings || !says) throw new Error(`there is no method ${method} or attribute ${attribute}`);
          const [first, again] = sightings;
          must(`the ${attribute} of ${who} by ${method}`, must('they are known', first), says);
          must(`the ${attribute} of ${who} once more`, must('they are known still', again, match.created), says);
        }
      });
    }
  },
);

/** What an answer says of somebody whose attributes differ from others in little. */
const DIFFERS: Readonly<Record<string, Matcher<Exchange>>> = {
  zeros: match.field('status.userInfo.uid', NEAR.uid),
  blanks: match.both(calls(NEAR.name), inGroups(' at the ends ', 'at the ends')),
  case: inGroups('Night', 'night', 'NIGHT'),
  commas: inGroups('a,b'),
  keys: match.field('status.userInfo.extra', match.including(KEYS)),
};

/** What those who act as somebody can say of them: keys in lower case, as names of headers have none. */
const ACTED = {
  groups: [...SEEN, ...SIGNS, 'staff', 'STAFF', ...OF_THE_SERVICE],
  extra: { 'example.com/scopes': ['Read All', 'write', 'Write', ...SIGNS] },
};

check(
  'IDENTITY-OPAQUE-01.2',
  'the admin acts as somebody whose name, groups and extra have blanks, signs and letters of both cases, or begin as those of the service → the user has them as they are',
  clausesOf('IDENTITY-OPAQUE-01', 'impersonation'),
  async ({ person }) => {
    const { groups, extra } = ACTED;
    const seen = must('they are known', await known(person('ada', { user: PLAIN, groups, extra }), told));
    await clause('IDENTITY-OPAQUE-01/impersonation/name', async () => {
      must('the name', seen, calls(PLAIN));
      const sam = TOLD.sam.name;
      must('one as of the service', await known(person('sam', { user: sam }), calls(sam)));
    });
    await clause('IDENTITY-OPAQUE-01/impersonation/groups', async () => {
      must('each of the groups', seen, inGroups(...SEEN, ...SIGNS, ...OF_THE_SERVICE));
    });
    await clause('IDENTITY-OPAQUE-01/impersonation/extra', async () => {
      for (const [key, values] of Object.entries(extra))
        must('the extra', seen, match.field(['status', 'userInfo', 'extra', key], match.sameItems(values)));
    });
  },
);

check(
  'IDENTITY-OPAQUE-02.2',
  'the admin acts as somebody in groups that differ in case alone → the user is in each of them',
  ['IDENTITY-OPAQUE-02/case/impersonation'],
  async ({ person }) => {
    const seen = must('they are known', await known(person('ada', { user: PLAIN, groups: ACTED.groups }), told));
    must('each of the groups', seen, inGroups('Staff', 'staff', 'STAFF'));
  },
);

check(
  'IDENTITY-OPAQUE-02.3',
  'methods give more than a hundred groups, and names, uids and groups of a thousand characters → the user has all of them, whole',
  [
    ...clausesOf('IDENTITY-OPAQUE-02', ['long', 'many'], TELLING_METHODS),
    ...clausesOf('IDENTITY-OPAQUE-01', 'groups', TELLING_METHODS),
    ...clausesOf('IDENTITY-OPAQUE-01', 'name', ['token-file', 'id-token', 'webhook']),
  ],
  { setup },
  async ({ someone, services }) => {
    const user = { username: LONG.name, uid: LONG.uid, groups: LONG.groups };
    (await services.get(tokenWebhook)).answer(LONG_OPAQUE.token ?? '', { status: { authenticated: true, user } });
    const from = await services.get(issuer);
    const mapped = { sub: LONG.name, id: LONG.uid, teams: LONG.groups, more: EXTRA, iss: from.tenant('opaque') };
    const actors: Readonly<Record<string, Actor>> = {
      'token-file': someone('cleo', LONG_ROW),
      // A common name has 64 characters at most, and so has an organization.
      certificate: someone('cleo', await (await services.get(authority)).client('Cleo', MANY)),
      'id-token': someone('cleo', { token: await from.token({ claims: { ...ADA, ...mapped } }) }),
      webhook: someone('cleo', LONG_OPAQUE),
    };
    await Promise.all(
      Object.entries(actors).map(async ([method, actor]) => {
        const seen = await known(actor, told);
        await clause([`IDENTITY-OPAQUE-02/many/${method}`, `IDENTITY-OPAQUE-01/${method}/groups`], async () => {
          must('each of the groups', must('she is known', seen), inGroups(...MANY));
        });
        if (method === 'certificate') return;
        await clause([`IDENTITY-OPAQUE-02/long/${method}`, `IDENTITY-OPAQUE-01/${method}/name`], async () => {
          const uid = match.field('status.userInfo.uid', LONG.uid);
          must('name, uid and group', must('she is known', seen), calls(LONG.name), uid, inGroups(...LONG.groups));
        });
      }),
    );
  },
);

check(
  'IDENTITY-OPAQUE-02.4',
  'the admin acts as somebody of a long name in more than a hundred groups → the user has all of them, whole',
  clausesOf('IDENTITY-OPAQUE-02', ['long', 'many'], 'impersonation'),
  async ({ person }) => {
    const seen = must('they are known', await known(person('cleo', { user: LONG.name, groups: LONG.groups }), told));
    await clause('IDENTITY-OPAQUE-02/many/impersonation', async () => {
      must('each of the groups', seen, inGroups(...MANY));
    });
    await clause('IDENTITY-OPAQUE-02/long/impersonation', async () => {
      must('name and group', seen, calls(LONG.name), inGroups(...LONG.groups));
    });
  },
);

check(
  'IDENTITY-OPAQUE-02.1',
  'methods give attributes that differ from others in case, blanks, zeros and commas alone → the user has them as they are',
  clausesOf('IDENTITY-OPAQUE-02', Object.keys(DIFFERS), TELLING_METHODS),
  { setup },
  async ({ someone, services }) => {
    const user = { username: NEAR.name, uid: NEAR.uid, groups: NEAR.groups, extra: KEYS };
    (await services.get(tokenWebhook)).answer(NEAR_OPAQUE.token ?? '', { status: { authenticated: true, user } });
    const from = await services.get(issuer);
    const mapped = { sub: NEAR.name, id: NEAR.uid, teams: NEAR.groups, more: EXTRA, iss: from.tenant('opaque') };
    const actors: Readonly<Record<string, Actor>> = {
      'token-file': someone('bea', NEAR_ROW),
      certificate: someone('bea', await (await services.get(authority)).client('Bea', NEAR.groups)),
      'id-token': someone('bea', { token: await from.token({ claims: { ...ADA, ...mapped } }) }),
      webhook: someone('bea', NEAR_OPAQUE),
    };
    const seen = new Map(
      await Promise.all(
        Object.entries(actors).map(async ([method, actor]) => [method, await known(actor, told)] as const),
      ),
    );
    for (const name of clausesOf('IDENTITY-OPAQUE-02', Object.keys(DIFFERS), TELLING_METHODS)) {
      await clause(name, async () => {
        const [, difference = '', method = ''] = name.split('/');
        const [sighting, says] = [seen.get(method), DIFFERS[difference]];
        if (!sighting || !says) throw new Error(`there is no method ${method} or difference ${difference}`);
        must(`${difference} by ${method}`, must('they are known', sighting), says);
      });
    }
  },
);

check(
  'IDENTITY-BEARER-02.1',
  'somebody shows tokens with signs, padding, thousands of characters, parts and escapes, and ones that differ in case → each is whose it is',
  clausesOf('IDENTITY-BEARER-02', TELLING_METHODS),
  { setup },
  async ({ someone, services }) => {
    const webhook = await services.get(tokenWebhook);
    for (const { token, name } of tokensOf('hook'))
      webhook.answer(token, { status: { authenticated: true, user: { username: name } } });
    for (const [method, source] of [
      ['token-file', 'file'],
      ['webhook', 'hook'],
    ] as const) {
      for (const form of TOKEN_FORMS) {
        await clause(`IDENTITY-BEARER-02/${form}/${method}`, async () => {
          for (const { token, name } of tokensOf(source).filter((each) => each.name.startsWith(`${form}-`)))
            must(`${name} is known`, await known(someone(name, { token }), calls(name)));
        });
      }
    }
  },
);

/** Audiences beside that of the server, by which a token comes to some thousand characters. */
const MANY_AUDIENCES = Array.from({ length: 40 }, (_, at) => `https://audience-${at}.example.com/${'long/'.repeat(8)}`);

check(
  'IDENTITY-BEARER-02.2',
  'a service account shows a token of some thousand characters, and its own in another case → the one is taken, the others are refused',
  clausesOf('IDENTITY-BEARER-02', 'account'),
  ['service-account-tokens'],
  async ({ author, someone }) => {
    const token = await accountWithToken(author, 'robot');
    await knownBefore(someone('robot', { token }));
    await clause('IDENTITY-BEARER-02/long/account', async () => {
      const own = [payloadOf(token).aud ?? []].flat();
      if (own.length === 0) unsupported('its tokens name no audience, so that none can be asked for beside others');
      const long = statedToken(await requestToken(author, 'robot', { audiences: [...own, ...MANY_AUDIENCES] }));
      if (long === undefined || long.length < 2_000) unsupported('it makes no token for so many audiences');
      must('the long one is taken', await known(someone('long', { token: long })));
    });
    await clause('IDENTITY-BEARER-02/case/account', async () => {
      for (const other of [token.toLowerCase(), token.toUpperCase()])
        must('in another case it is another', await whoAmI(someone('eve', { token: other })), refused);
    });
  },
);
