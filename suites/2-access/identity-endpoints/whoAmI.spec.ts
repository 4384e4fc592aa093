import { protobufMediaType } from '../../../fixtures/dialects/dialect.ts';
import { OPERATION_TYPES } from '../../../fixtures/ledger/index.ts';
import type { Actor, Exchange, Identity, JsonObject, SetupOf } from '../../harness/index.ts';
import {
  cborBody,
  check,
  clause,
  clausesOf,
  givenAccount,
  isRecord,
  load,
  match,
  must,
  objectInCbor,
  objectInProtobuf,
  protobufBody,
  unsupported,
  valueAt,
} from '../../harness/index.ts';
import { whoAmI } from '../whoAmI.ts';

/** What an answer says of the user. */
function userInfoIn(answer: unknown): Record<string, unknown> | undefined {
  const status = isRecord(answer) ? answer.status : undefined;
  return isRecord(status) && isRecord(status.userInfo) ? status.userInfo : undefined;
}

check(
  'IDENTITY-ATTRIBUTES-01.1',
  'the stranger asks who they are → their name and groups',
  ['IDENTITY-ATTRIBUTES-01', 'IDENTITY-ATTRIBUTES-02'],
  async ({ stranger }) => {
    const answer = await whoAmI(stranger);
    const name = match.field('status.userInfo.username', stranger.user);
    must('it is answered', answer, match.created, match.field('kind', 'SelfSubjectReview'), name);
    must(
      'they are authenticated',
      answer,
      match.field('status.userInfo.groups', match.containing('system:authenticated')),
    );
  },
);

check(
  'IDENTITY-ATTRIBUTES-01.2',
  'somebody with groups and extra asks who they are → all of it, and nothing of anybody else',
  ['IDENTITY-ATTRIBUTES-01', 'IDENTITY-ATTRIBUTES-02'],
  async ({ person }) => {
    const extra = { scopes: ['reading', 'writing'], 'example.com/tenant': ['acme'] };
    const ada = person('ada', { groups: ['staff', 'guests'], extra });
    const answer = await whoAmI(ada);
    must('the name', answer, match.created, match.field('status.userInfo.username', ada.user));
    const groups = match.sameItems(['staff', 'guests', 'system:authenticated']);
    must('the groups', answer, match.field('status.userInfo.groups', groups));
    for (const [key, values] of Object.entries(extra))
      must(`the extra ${key}`, answer, match.field(['status', 'userInfo', 'extra', key], match.sameItems(values)));
    const bea = await whoAmI(person('bea'));
    must('somebody without', bea, match.field('status.userInfo.groups', ['system:authenticated']));
    must('has no extra', bea, match.field('status.userInfo.extra', match.empty));
  },
);

interface Manner {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly metadata?: JsonObject;
}
const ASKED = { resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' } };
/** What each operation is asked, and what of its result is the same however it is posted. */
const OPERATIONS = {
  selfsubjectreviews: ['authentication', 'SelfSubjectReview', undefined, ['userInfo.username']],
  tokenreviews: ['authentication', 'TokenReview', { token: 'known-to-nobody' }, ['authenticated', 'user.username']],
  selfsubjectaccessreviews: ['authorization', 'SelfSubjectAccessReview', ASKED, ['allowed']],
  selfsubjectrulesreviews: ['authorization', 'SelfSubjectRulesReview', { namespace: 'default' }, []],
  subjectaccessreviews: ['authorization', 'SubjectAccessReview', { ...ASKED, groups: ['system:masters'] }, ['allowed']],
  localsubjectaccessreviews: ['authorization', 'LocalSubjectAccessReview', { ...ASKED, user: 'somebody' }, ['allowed']],
} as const;
/** What is said of each manner of posting: query, headers and metadata. */
const MANNERS = {
  plain: {},
  again: {},
  'dry-run': { query: '?dryRun=All' },
  strict: { query: '?fieldValidation=Strict' },
  managed: { query: '?fieldManager=touchstone' },
  pretty: { query: '?pretty=true' },
  // JSON is YAML.
  yaml: { headers: { 'content-type': 'application/yaml', accept: 'application/yaml' } },
  named: { metadata: { name: 'one' } },
  'named-again': { metadata: { name: 'one' } },
  generated: { metadata: { generateName: 'one-' } },
} as const;

check(
  'VIRTUAL-TYPE-01.1',
  'the stranger and the admin post reviews of each kind, plain, again, named once and again, with every parameter and in YAML → the same result in status, and it is not there to be read',
  clausesOf('VIRTUAL-TYPE-01'),
  async ({ stranger, admin, dialect, target }) => {
    for (const plural of OPERATION_TYPES) {
      const [group, kind, spec, told] = OPERATIONS[plural];
      const apiVersion = `${group}.${dialect.apiDomain}/v1`;
      const within = plural.startsWith('local') ? '/namespaces/default' : '';
      const path = `/apis/${apiVersion}${within}/${plural}`;
      const who = plural.startsWith('self') ? stranger : admin;
      let first: unknown;
      for (const [manner, how] of Object.entries(MANNERS)) {
        const { query = '', headers = {}, metadata = {} }: Manner = how;
        // A review of rights may be refused for a name.
        if ('metadata' in how && group === 'authorization') continue;
        await clause(clausesOf('VIRTUAL-TYPE-01', manner, plural), async () => {
          // Whether it is served at all is judged elsewhere.
          if (!target.served.includes(`${apiVersion}/${plural}`)) unsupported(`discovery does not name ${plural}`);
          const body = { apiVersion, kind, metadata: within ? { namespace: 'default' } : metadata, spec };
          const answer = await who.request('POST', path + query, { headers, body });
          must(`it is answered, ${manner}`, answer, match.created);
          const result = manner === 'yaml' ? load(answer.text) : answer.json;
          first ??= result;
          must('with its result', result, match.at('status', match.anObject));
          if (kind === 'SelfSubjectRulesReview')
            must('of rules', result, match.at('status.resourceRules', match.anArray));
          for (const member of told) {
            const expected = match.alike(valueAt(first, ['status', ...member.split('.')]));
            must(`which is the same ${member}`, result, match.at(`status.${member}`, expected));
          }
        });
      }
      if (plural === 'selfsubjectreviews') {
        await clause('VIRTUAL-TYPE-01/named-otherwise/selfsubjectreviews', async () => {
          if (!target.served.includes(`${apiVersion}/${plural}`)) unsupported(`discovery does not name ${plural}`);
          const body = { apiVersion, kind, ...MANNERS.named };
          for (const other of [admin, stranger]) {
            const answer = await other.request('POST', path, { body });
            must('it has the result of who asks', answer, match.created);
            must('whoever asked under its name', answer, match.field('status.userInfo.username', other.user));
          }
        });
      }
      await clause(`VIRTUAL-TYPE-01/unkept/${plural}`, async () => {
        if (!target.served.includes(`${apiVersion}/${plural}`)) unsupported(`discovery does not name ${plural}`);
        must('it is never kept', await admin.request('GET', path), match.status(404, 405));
        must('nor under its name', await admin.request('GET', `${path}/one`), match.status(404, 405));
      });
    }
  },
);

/** Whoever asks who they are in other encodings: somebody with groups and extra, and an account, which has a uid too. */
async function askersOf({
  person,
  someone,
  admin,
}: {
  readonly person: (name: string, acts: Identity['acts']) => Actor;
  readonly someone: (name: string, identity: Identity) => Actor;
  readonly admin: Actor;
}): Promise<{ readonly actor: Actor; readonly info: Record<string, unknown> }[]> {
  const extra = { 'example.com/tenant': ['acme', 'corp'] };
  const askers = [
    person('ada', { groups: ['staff', 'guests'], extra }),
    someone('robot', await givenAccount(admin, 'robot')),
  ];
  const known = askers.map(async (actor) => {
    const info = userInfoIn((await whoAmI(actor)).json) ?? {};
    must('it is answered in JSON', info, match.at('username', actor.user));
    return { actor, info };
  });
  return Promise.all(known);
}

check(
  'WHOAMI-ENCODING-01.1',
  'somebody with groups and extra, and an account, ask who they are in other encodings → as in JSON',
  clausesOf('WHOAMI-ENCODING-01', ['yaml', 'protobuf']),
  ['service-account-tokens'],
  async ({ person, someone, admin, dialect }) => {
    const apiVersion = `authentication.${dialect.apiDomain}/v1`;
    const path = `/apis/${apiVersion}/selfsubjectreviews`;
    const review = { apiVersion, kind: 'SelfSubjectReview' };
    const protobuf = protobufMediaType(dialect);
    const bodies = {
      yaml: ['application/yaml', `apiVersion: ${apiVersion}\nkind: SelfSubjectReview\n`],
      protobuf: [protobuf, protobufBody(apiVersion, review.kind, {})],
    } as const;
    for (const { actor, info } of await askersOf({ person, someone, admin })) {
      const ask = (headers: Readonly<Record<string, string>>, body: object | string | Uint8Array = review) =>
        actor.request('POST', path, { headers, body });
      const same = match.field('status.userInfo', match.including(info));
      for (const [encoding, [type, body]] of Object.entries(bodies)) {
        await clause(`WHOAMI-ENCODING-01/taken/${encoding}`, async () => {
          const answer = await ask({ 'content-type': type, accept: 'application/json' }, body);
          must('it is taken', answer, match.created, same);
        });
      }
      await clause('WHOAMI-ENCODING-01/answered/yaml', async () => {
        const answer = await ask({ accept: 'application/yaml' });
        must('it is YAML', answer, match.created, match.mediaType('application/yaml'));
        must('it says the same', userInfoIn(load(answer.text)), match.equal(info));
      });
      await clause('WHOAMI-ENCODING-01/answered/protobuf', async () => {
        const answer = await ask({ accept: protobuf });
        must('it is Protobuf', answer, match.created, match.mediaType(protobuf));
        const seen = userInfoIn(objectInProtobuf(answer.received?.bytes ?? new Uint8Array()));
        const extra = isRecord(seen?.extra) ? seen.extra : {};
        const lists = Object.entries(extra).map(([key, value]) => [key, isRecord(value) ? value.items : value]);
        const told = lists.length > 0 ? { ...seen, extra: Object.fromEntries(lists) } : seen;
        // Protobuf does not tell what is empty from what is not there.
        const members = [...new Set([...Object.keys(info), ...Object.keys(told ?? {})])];
        for (const member of members)
          must(`it says the same ${member}`, told, match.at(member, match.alike(info[member])));
      });
    }
  },
);

check(
  'WHOAMI-ENCODING-01.2',
  'somebody with groups and extra, and an account, ask who they are in CBOR → as in JSON',
  clausesOf('WHOAMI-ENCODING-01', 'cbor'),
  ['cbor', 'service-account-tokens'],
  async ({ person, someone, admin, dialect }) => {
    const apiVersion = `authentication.${dialect.apiDomain}/v1`;
    const path = `/apis/${apiVersion}/selfsubjectreviews`;
    const review = { apiVersion, kind: 'SelfSubjectReview' };
    for (const { actor, info } of await askersOf({ person, someone, admin })) {
      await clause('WHOAMI-ENCODING-01/taken/cbor', async () => {
        const headers = { 'content-type': 'application/cbor', accept: 'application/json' };
        const answer = await actor.request('POST', path, { headers, body: cborBody(review) });
        must('it is taken', answer, match.created, match.field('status.userInfo', match.including(info)));
      });
      await clause('WHOAMI-ENCODING-01/answered/cbor', async () => {
        const answer = await actor.request('POST', path, { headers: { accept: 'application/cbor' }, body: review });
        must('it is CBOR', answer, match.created, match.mediaType('application/cbor'));
        const seen = userInfoIn(objectInCbor(answer.received?.bytes ?? new Uint8Array()));
        must('it says the same', seen, match.equal(info));
      });
    }
  },
);

/** What the answer to a review of a token says of the user. */
function reviewedUserIn(answer: unknown): Record<string, unknown> | undefined {
  const status = isRecord(answer) ? answer.status : undefined;
  return isRecord(status) && isRecord(status.user) ? status.user : undefined;
}

/**
 * Texts that are numbers, truths, nothing or times where they stand in YAML without quotes, or that somebody may take for
 * them: who writes them by a rule of their own makes others of them.
 */
const LOOKALIKES = [
  ...['1234', '0042', '0', '-7', '+7', '1.0', '.5', '1e3', '0x1F', '0o17', '0b11', '1_000', '12:30:45', '.inf', '.nan'],
  ...['true', 'True', 'false', 'yes', 'No', 'on', 'y', 'null', 'Null', '~', '2030-01-01', '2030-01-01T00:00:00Z'],
  ...['<<', '=', '- item', 'key: value', '# remark', '[]', '{}', '9007199254740993', '18446744073709551616'],
] as const;
const LIKE_ADMIN: Identity = { token: 'admin-beside-lookalikes' };
const likeToken = (place: number): string => `somebody-like-a-value-${place}`;
const inQuotes = (text: string): string => `"${text}"`;

/** Somebody for each text, whose name, uid and first group it is, and one who is in a group of each. */
const lookalikes =
  (...more: readonly string[]): SetupOf =>
  () => ({
    flags: ['--token-auth-file={tokens.csv}', ...more],
    files: {
      'tokens.csv': [
        `${LIKE_ADMIN.token},admin,admin-uid,system:masters`,
        ...LOOKALIKES.map((text, place) => [likeToken(place), text, text, text].map(inQuotes).join(',')),
        [likeToken(LOOKALIKES.length), 'all', 'all', LOOKALIKES.join(',')].map(inQuotes).join(','),
        '',
      ].join('\n'),
    },
    identities: { admin: LIKE_ADMIN },
  });

const withLookalikes = lookalikes();
const withLookalikesInCbor = lookalikes('--feature-gates=CBORServingAndStorage=true');

for (const [encoding, needs, setup] of [
  ['yaml', [], withLookalikes],
  ['protobuf', [], withLookalikes],
  ['cbor', ['cbor'], withLookalikesInCbor],
] as const) {
  check(
    `WHOAMI-ENCODING-01.3/${encoding}`,
    `somebody whose name, uid and group look like numbers, truths, nothing and times asks who they are in ${encoding}, and the admin whose their token is → all are texts, as in JSON`,
    [`WHOAMI-ENCODING-01/answered/${encoding}`, 'TOKENREVIEW-SERVED-01/token-file'],
    { needs, setup },
    async ({ someone, admin, dialect }) => {
      const accept = encoding === 'protobuf' ? protobufMediaType(dialect) : `application/${encoding}`;
      const apiVersion = `authentication.${dialect.apiDomain}/v1`;
      const read = ({ text, received }: Exchange) => {
        const bytes = received?.bytes ?? new Uint8Array();
        return { yaml: () => load(text), protobuf: () => objectInProtobuf(bytes), cbor: () => objectInCbor(bytes) }[
          encoding
        ]();
      };
      const judge = (
        answer: Exchange,
        user: (answer: unknown) => Record<string, unknown> | undefined,
        place: number,
      ) => {
        must(`it is ${encoding}`, answer, match.created, match.mediaType(accept));
        const text = LOOKALIKES[place] ?? 'all';
        const { username, uid, groups } = user(read(answer)) ?? {};
        must('the name', username, match.equal(text));
        must('the uid', uid, match.equal(text));
        const own = place === LOOKALIKES.length ? LOOKALIKES : [text];
        must('the groups', groups, match.sameItems([...own, 'system:authenticated']));
      };
      const places = [...LOOKALIKES.keys(), LOOKALIKES.length];
      await clause(`WHOAMI-ENCODING-01/answered/${encoding}`, async () => {
        for (const place of places)
          judge(await whoAmI(someone(`like-${place}`, { token: likeToken(place) }), { accept }), userInfoIn, place);
      });
      await clause('TOKENREVIEW-SERVED-01/token-file', async () => {
        for (const place of places) {
          const body = { apiVersion, kind: 'TokenReview', spec: { token: likeToken(place) } };
          const path = `/apis/${apiVersion}/tokenreviews`;
          judge(await admin.request('POST', path, { headers: { accept }, body }), reviewedUserIn, place);
        }
      });
    },
  );
}

check(
  'IDENTITY-BEARER-01.1',
  'nobody shows a good token otherwise than as a bearer token, and an empty one → they are nobody',
  ['IDENTITY-BEARER-01'],
  ['service-account-tokens'],
  async ({ nobody, admin, dialect }) => {
    const apiVersion = `authentication.${dialect.apiDomain}/v1`;
    const path = `/apis/${apiVersion}/selfsubjectreviews`;
    const body = { apiVersion, kind: 'SelfSubjectReview' };
    const { token = '' } = await givenAccount(admin, 'robot');
    const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
    // Refused, or taken as anonymous: who is anonymous may be let ask or be forbidden to.
    const anonymous = match.field('status.userInfo.username', 'system:anonymous');
    for (const [what, headers, query] of [
      ['an empty token', { authorization: 'Bearer ' }, ''],
      ...['Token', 'Basic', 'Digest', 'JWT', 'ApiKey', 'BearerToken', 'Bearer:'].map(
        (scheme) => [`the scheme ${scheme}`, { authorization: `${scheme} ${token}` }, ''] as const,
      ),
      ['the password of Basic', basic(`robot:${token}`), ''],
      ['the password of nobody', basic(`:${token}`), ''],
      ['the name of Basic', basic(`${token}:`), ''],
      ['all that Basic says', basic(token), ''],
      ['no scheme', { authorization: token }, ''],
      ['another header', { 'x-auth-token': token, cookie: `token=${token}` }, ''],
      ['headers of proxies', { 'proxy-authorization': `Bearer ${token}`, 'x-forwarded-access-token': token }, ''],
      [
        'other headers and cookies',
        { 'x-access-token': token, cookie: `access_token=${token}; Authorization=${token}` },
        '',
      ],
      ['the query', {}, `?access_token=${token}&token=${token}`],
      ['other words of the query', {}, `?authorization=Bearer%20${token}&bearer_token=${token}&id_token=${token}`],
    ] as const) {
      const answer = await nobody.request('POST', `${path}${query}`, { headers, body });
      must(`by ${what} nobody is authenticated`, answer, match.either(match.status(401, 403), anonymous));
    }
  },
);

/** Who a posted status says that somebody is. */
const EVE = { username: 'eve', uid: 'sneaked', groups: ['system:nobodies'] };
const SNEAKED = 'example.com/sneaked';

check(
  'WHOAMI-REQUEST-01.1',
  'the admin and the stranger post reviews in every way, some with a status that says that they are somebody else → it is not believed, and nothing but apiVersion and kind is needed',
  clausesOf('WHOAMI-REQUEST-01'),
  async ({ admin, stranger, dialect }) => {
    const apiVersion = `authentication.${dialect.apiDomain}/v1`;
    const path = `/apis/${apiVersion}/selfsubjectreviews`;
    const kind = 'SelfSubjectReview';
    const protobuf = protobufMediaType(dialect);
    const userInfo = { ...EVE, extra: { [SNEAKED]: ['yes'] } };
    const bodyOf = (type: string, withStatus: boolean): object | string | Uint8Array => {
      const inProtobuf = { userInfo: { ...EVE, extra: { [SNEAKED]: { items: ['yes'] } } } };
      if (type === protobuf) return protobufBody(apiVersion, kind, withStatus ? { status: inProtobuf } : {});
      const body = { apiVersion, kind, ...(withStatus ? { status: { userInfo } } : {}) };
      // What is JSON is YAML too.
      return type === 'application/yaml' ? JSON.stringify(body) : body;
    };
    for (const actor of [admin, stranger]) {
      for (const [manner, type, query] of [
        ['json', 'application/json', ''],
        ['yaml', 'application/yaml', ''],
        ['protobuf', protobuf, ''],
        ['dry-run', 'application/json', '?dryRun=All'],
        ['dry-run-in-yaml', 'application/yaml', '?dryRun=All'],
        ['dry-run-in-protobuf', protobuf, '?dryRun=All'],
        ['strict', 'application/json', '?fieldValidation=Strict'],
        ['unchecked', 'application/json', '?fieldValidation=Ignore'],
      ] as const) {
        const post = (withStatus: boolean) => {
          const headers = { 'content-type': type, accept: 'application/json' };
          return actor.request('POST', path + query, { headers, body: bodyOf(type, withStatus) });
        };
        const named = match.both(match.created, match.field('status.userInfo.username', actor.user));
        await clause(`WHOAMI-REQUEST-01/alone/${manner}`, async () => {
          must('nothing but apiVersion and kind is needed', await post(false), named);
        });
        await clause(`WHOAMI-REQUEST-01/with-status/${manner}`, async () => {
          // No field can be set: a server may refuse the body, or pass the status over.
          const themselves = match.both(
            named,
            match.field('status.userInfo.groups', match.not(match.containing('system:nobodies'))),
            match.field('status.userInfo.uid', match.not(EVE.uid)),
            match.field(['status', 'userInfo', 'extra', SNEAKED], match.absent),
          );
          must('they are who they are', await post(true), match.either(themselves, match.refusal));
        });
      }
    }
  },
);

check(
  'WHOAMI-REQUEST-02.1',
  'the stranger, who has no binding of their own, asks who they are → they may',
  ['WHOAMI-REQUEST-02'],
  async ({ stranger }) => {
    must('it is answered', await whoAmI(stranger), match.created);
  },
);

check(
  'WHOAMI-REQUEST-02.2',
  'a service account without any binding asks who it is → it may',
  ['WHOAMI-REQUEST-02'],
  ['service-account-tokens'],
  async ({ admin, someone }) => {
    const robot = await givenAccount(admin, 'robot');
    const named = match.field('status.userInfo.username', robot.user ?? '');
    must('it is answered', await whoAmI(someone('robot', robot)), match.created, named);
  },
);

check(
  'WHOAMI-REQUEST-03.1',
  'somebody with groups and extra, and an account, ask who they are as a dry run → the same as otherwise',
  ['WHOAMI-REQUEST-03'],
  ['service-account-tokens'],
  async ({ admin, someone, person, dialect }) => {
    const ada = person('ada', { groups: ['staff'], extra: { 'example.com/tenant': ['acme'] } });
    // An account has a uid too.
    const robot = someone('robot', await givenAccount(admin, 'robot'));
    const apiVersion = `authentication.${dialect.apiDomain}/v1`;
    for (const actor of [ada, robot]) {
      const info = userInfoIn((await whoAmI(actor)).json) ?? {};
      must('they are known', info, match.at('username', actor.user));
      const body = { apiVersion, kind: 'SelfSubjectReview' };
      const dry = await actor.request('POST', `/apis/${apiVersion}/selfsubjectreviews?dryRun=All`, { body });
      must('it says the same', dry, match.created, match.field('status.userInfo', match.including(info)));
    }
  },
);
