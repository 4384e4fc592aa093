import { clausesOf, NEAR_QUESTIONS, type NearQuestion } from '../../../fixtures/ledger/index.ts';
import type { Actor, Identity, Matcher, Services, SetupOf } from '../../harness/index.ts';
import { authorizationWebhook, check, clause, type Exchange, must, tokenWebhook } from '../../harness/index.ts';
import { asks, byFile, NOWHERE } from '../authorizers.ts';
import { authorized, forbidden } from '../decisions.ts';

/** A webhook that decides, and one that says who somebody is: what it says is all that users differ in. */
const setup: SetupOf = async (services, dialect) => {
  const { flags = [], files = {}, ...others } = await byFile([asks('cached')])(services, dialect);
  const users = (await services.get(tokenWebhook)).setup;
  return { ...others, flags: [...flags, ...users.flags], files: { ...files, ...users.files } };
};

/** Who asks, as the webhook of tokens says; the name is what stands behind that of the row. */
interface Asking {
  readonly name?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  /** What is asked for, where it is not a path of which nothing is. */
  readonly path?: string;
  readonly method?: string;
}
interface Row {
  readonly first: Asking;
  /** What is asked otherwise, each of them for the first time. */
  readonly others: readonly Asking[];
}

/** Signs by which keys of caches join what they are made of; none is one too. */
const SIGNS = ['', ',', ', ', ' ', ';', ':', '|', '/', '-', '.', '=', '&', '+', '","', '\t', '\n'];
/** Those that may stand in a segment of a path. */
const IN_PATHS = ['', '-', '.', ':', ',', ';', '_', '+', '~', '|'];
const LONG = 'x'.repeat(1_000);
const MANY = Array.from({ length: 130 }, (_, at) => `many-${at}`);

/** Questions, and others that would be the same where parts are joined, cut, folded or left out. */
const ROWS: Readonly<Record<NearQuestion, (here: string) => readonly Row[]>> = {
  groups: () => [
    { first: { groups: ['a', 'b'] }, others: SIGNS.map((sign) => ({ groups: [`a${sign}b`] })) },
    { first: { name: '-one', groups: ['a,b', 'c'] }, others: [['a', 'b,c'], ['a', 'b', 'c'], ['a,b,c']].map(grouped) },
    { first: { name: '-some', groups: ['a', 'b'] }, others: [['a', 'a', 'c'], ['b'], ['ab']].map(grouped) },
  ],
  extra: () => [
    {
      first: { extra: { scopes: ['a', 'b'] } },
      others: SIGNS.map((sign) => ({ extra: { scopes: [`a${sign}b`] } })),
    },
    {
      first: { name: '-keys', extra: { one: ['a'], two: ['b'] } },
      others: [
        { extra: { one: ['b'], two: ['a'] } },
        { extra: { one: ['a', 'two', 'b'] } },
        { extra: { one: ['a', 'b'] } },
        { extra: { one: ['a'], two: ['b'], three: ['c'] } },
        { extra: { one: ['a'] } },
        ...SIGNS.map((sign) => ({ extra: { one: [`a${sign}two=b`] } })),
      ],
    },
  ],
  'user-and-groups': () => [
    { first: { groups: ['a'] }, others: SIGNS.map((sign) => ({ name: `${sign}a` })) },
    { first: { name: '-b', groups: ['scopes'] }, others: [{ extra: { scopes: ['a'] } }, { extra: { scopes: [] } }] },
  ],
  uid: () => [{ first: { uid: '1' }, others: [{ uid: '01' }, { uid: '2' }, {}] }],
  case: () => [
    { first: { groups: ['staff'] }, others: [{ groups: ['Staff'] }] },
    { first: { name: '-Ada' }, others: [{ name: '-ada' }] },
    { first: { name: '-extra', extra: { scopes: ['one'] } }, others: [{ extra: { scopes: ['One'] } }] },
  ],
  blanks: () => [
    { first: { groups: ['staff'] }, others: [{ groups: ['staff '] }, { groups: [' staff'] }] },
    { first: { name: '-bea' }, others: [{ name: '-bea ' }] },
    { first: { name: '-extra', extra: { scopes: ['one'] } }, others: [{ extra: { scopes: ['one '] } }] },
  ],
  long: () => [
    { first: { name: `-${LONG}-a` }, others: [{ name: `-${LONG}-b` }] },
    { first: { groups: [`${LONG}-a`] }, others: [{ groups: [`${LONG}-b`] }] },
    { first: { name: '-many', groups: [...MANY, 'a'] }, others: [{ groups: [...MANY, 'b'] }, { groups: MANY }] },
    { first: { name: '-extra', extra: { scopes: [...MANY, 'a'] } }, others: [{ extra: { scopes: [...MANY, 'b'] } }] },
    { first: { name: '-path', path: `/${LONG}/a` }, others: [{ path: `/${LONG}/b` }] },
  ],
  places: (here) => [
    ...IN_PATHS.map((sign, at) => ({
      first: { name: `-${at}`, path: placed(here, `x${sign}doc`) },
      others: [{ path: placed(`${here}${sign}x`, 'doc') }],
    })),
    { first: { name: '-name', path: placed(here, 'doc') }, others: [{ path: placed(here, 'Doc') }] },
    {
      first: { name: '-group', path: `/apis/apps/v1/namespaces/${here}/things/doc` },
      others: [
        { path: `/api/v1/namespaces/${here}/things.apps/doc` },
        { path: `/apis/things/v1/namespaces/${here}/apps/doc` },
        { path: `/apis/app/v1/namespaces/${here}/sthings/doc` },
        { path: `/apis/apps/v1/namespaces/s${here}/thing/doc` },
      ],
    },
    {
      first: { name: '-part', path: `${placed(here, 'log')}/doc` },
      others: [
        { path: `${placed(here, 'doc')}/log` },
        { path: placed(here, 'log') },
        { path: placed(here, 'doc') },
        { path: placed(here, 'logdoc') },
        { path: `/api/v1/namespaces/${here}/configmapsdoc/log` },
      ],
    },
  ],
  paths: () => [
    {
      first: { path: '/touchstone/near' },
      others: [
        { path: '/touchstone/Near' },
        { path: '/touchstone/near/' },
        { path: '/touchstone' },
        { path: '/touchstone/near/by' },
        { path: '/touchstone/near', method: 'HEAD' },
      ],
    },
  ],
};
const grouped = (groups: readonly string[]): Asking => ({ groups });
const placed = (namespace: string, name: string) => `/api/v1/namespaces/${namespace}/configmaps/${name}`;

type Decision = 'allow' | 'deny';
const DECISIONS = [
  ['allow', 'deny', authorized, forbidden],
  ['deny', 'allow', forbidden, authorized],
] as const satisfies readonly (readonly [Decision, Decision, Matcher<Exchange>, Matcher<Exchange>])[];

check(
  'AUTHZCONF-TTL-03.3',
  'the webhook has decided a question and would decide otherwise now → each other question is decided so, however near to the first',
  clausesOf('AUTHZCONF-TTL-03', 'near'),
  { setup },
  async ({ admin, someone, services }) => {
    const here = await admin.namespace();
    await Promise.all(
      NEAR_QUESTIONS.map((near) =>
        clause(`AUTHZCONF-TTL-03/near/${near}`, async () => {
          for (const [first, then, kept, anew] of DECISIONS) {
            for (const [at, row] of ROWS[near](here).entries()) {
              const user = `near-${near}-${first}-${at}`;
              const ask = await asking({ services, someone, user });
              must('the question is decided', await ask(row.first, first), kept);
              for (const other of row.others) {
                const asked = { ...row.first, uid: '', groups: [], extra: {}, ...other };
                must(JSON.stringify(other), await ask(asked, then), anew);
              }
            }
          }
        }),
      ),
    );
  },
);

/** Asks as somebody whom a token of their own makes known, once the webhook decides so about them. */
async function asking({
  services,
  someone,
  user,
}: {
  readonly services: Services;
  readonly someone: (name: string, identity: Identity) => Actor;
  readonly user: string;
}) {
  const [tokens, decisions] = [await services.get(tokenWebhook), await services.get(authorizationWebhook, 'cached')];
  let count = 0;
  return async ({ name = '', path = NOWHERE, method = 'GET', ...rest }: Asking, decision: Decision) => {
    const [username, token] = [`${user}${name}`, `token-${user}-${count++}`];
    tokens.answer(token, { status: { authenticated: true, user: { username, ...rest } } });
    decisions.decide(username, decision);
    return someone(username.slice(0, 60), { token }).request(method, path);
  };
}
