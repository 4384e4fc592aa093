import {
  type ClauseName,
  clausesOf,
  type NoCredential,
  OPERATIONS,
  PATH_METHODS,
  REFUSING_TYPES,
  type RefusingType,
  STATUS_METHODS,
  type Write,
} from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  check,
  clause,
  type Exchange,
  isRecord,
  issuer,
  type Matcher,
  match,
  must,
  named,
  namespaces,
  PATCH_TYPES,
  type SetupOf,
  secondsFromNow,
  serviceAccounts,
  should,
} from '../../harness/index.ts';
import { SUBJECT } from '../testedTypes.ts';
import { Writer, writerOf } from '../writing.ts';

/** Stands in what is stored, and must not come out. */
const HIDDEN = 'touchstone-hidden';

/** Whose requests are refused, as what clauses of which requirement, and by what answer. */
interface Refused {
  readonly who: Actor;
  readonly clauseOf: (request: string) => ClauseName;
  readonly answer: Matcher<Exchange>;
}

/** Sends every operation on a type as each of these, and judges the answer, what it tells and what is stored then. */
async function refusedOnType(author: Actor, type: RefusingType, all: readonly Refused[]): Promise<void> {
  const owner = await writerOf(author, type);
  const live = await owner.given('doc', HIDDEN);
  for (const { who, clauseOf, answer } of all) {
    const writer = new Writer(who, SUBJECT[type], owner.kind, author);
    const send = async (operation: (typeof OPERATIONS)[number]): Promise<Exchange> => {
      if (operation === 'get') return who.get(owner.kind, 'doc');
      if (operation === 'list') return who.list(owner.kind);
      if (operation === 'watch') return (await who.watch(owner.kind, { timeoutSeconds: 1 })).opening;
      return writer.send(operation);
    };
    for (const operation of OPERATIONS) {
      if (operation === 'strategic' && type === 'custom') continue;
      await clause(clauseOf(`${operation}/${type}`), async () => {
        const refusal = await send(operation);
        must('it is refused', refusal, answer);
        must('nothing is told of what is stored', refusal.text.includes(HIDDEN), match.equal(false));
        if (!isWrite(operation)) return;
        must('what is stored stays as it was', await owner.get('doc'), match.body(live));
        if (operation === 'post') must('nothing is made', await owner.get('made'), match.status(404));
      });
    }
  }
}
const isWrite = (operation: (typeof OPERATIONS)[number]): operation is Write =>
  operation !== 'get' && operation !== 'list' && operation !== 'watch';

/** The same of subresources and of a path outside the API, at which nothing is. */
async function refusedElsewhere(author: Actor, all: readonly Refused[]): Promise<void> {
  await author.given(serviceAccounts, named('robot'));
  const namespace = await author.namespace();
  const status = `${await author.pathOf(namespaces, namespace)}/status`;
  const live = await author.prepare(() => author.request('GET', status));
  const token = await author.pathOf(serviceAccounts, 'robot', 'token');
  const apiVersion = `authentication.${author.dialect.apiDomain}/v1`;
  const label = { metadata: { labels: { sneaked: HIDDEN } } };
  const merge = { headers: { 'content-type': PATCH_TYPES.merge } };
  const changed = isRecord(live.json)
    ? { ...live.json, metadata: { ...(live.json.metadata as object), ...label.metadata } }
    : label;
  const METHODS = {
    get: 'GET',
    head: 'HEAD',
    post: 'POST',
    put: 'PUT',
    merge: 'PATCH',
    delete: 'DELETE',
    options: 'OPTIONS',
  } as const;
  // Whether there is anything is not told to whom nothing may be told.
  const nowhere = [
    '/touchstone/nowhere',
    '/apis/none.touchstone.example/v1/things',
    '/api/v99/configmaps',
    `/api/v1/namespaces/${namespace}/things/one`,
    `${token}/none`,
    `${await author.pathOf(serviceAccounts, 'missing')}`,
  ];
  for (const { who, clauseOf, answer } of all) {
    for (const method of PATH_METHODS) {
      await clause(clauseOf(`${method}/path`), async () => {
        for (const path of nowhere) must('it is refused', await who.request(METHODS[method], path), answer);
      });
    }
    for (const method of STATUS_METHODS) {
      await clause(clauseOf(`${method}/status`), async () => {
        const body = { get: {}, put: { body: changed }, merge: { ...merge, body: label } }[method];
        must('it is refused', await who.request(METHODS[method], status, body), answer);
        const labels = match.field('metadata.labels', match.not(match.including({ sneaked: HIDDEN })));
        must('the namespace stays as it was', await author.request('GET', status), labels);
      });
    }
    await clause(clauseOf('post/token'), async () => {
      const body = { apiVersion, kind: 'TokenRequest', spec: {} };
      const refusal = await who.request('POST', token, { body });
      must('it is refused', refusal, answer);
      must('no token is given', refusal, match.field('status', match.not(match.anObject)));
    });
    await clause(clauseOf('post/review'), async () => {
      const spec = { token: 'touchstone-any' };
      const body = { apiVersion, kind: 'TokenReview', spec };
      must(
        'nobody is told whose a token is',
        await who.request('POST', `/apis/${apiVersion}/tokenreviews`, { body }),
        answer,
      );
    });
  }
}

const ELSEWHERE = ['path', 'status', 'token', 'review'] as const;
/** Each part of the table: the words of its clauses, and what judges them. */
const PARTS = [
  ...REFUSING_TYPES.map((type) => ({
    title: `every operation on ${type}`,
    words: [type],
    needs: SUBJECT[type].needs,
    judge: (author: Actor, all: readonly Refused[]) => refusedOnType(author, type, all),
  })),
  { title: 'subresources and a path outside the API', words: ELSEWHERE, needs: [], judge: refusedElsewhere },
];

/** A server may read keys and see changes in the background: so long it may take. */
const PATIENCE = { within: 20_000 };

/** Whoever is authenticated is told who they are, or that they may not ask or there is no such question, before release 1.28. */
const KNOWN = match.either(match.created, match.status(403, 404));

/** Asks who they are until the answer is of this status. */
function asked(who: Actor, answer: match.Matcher<Exchange>) {
  const apiVersion = `authentication.${who.dialect.apiDomain}/v1`;
  const body = { apiVersion, kind: 'SelfSubjectReview' };
  const ask = () => who.request('POST', `/apis/${apiVersion}/selfsubjectreviews`, { body });
  return should(ask, answer, PATIENCE);
}

/** A token of a new account of the namespace. */
async function tokenOf(author: Actor, account: string): Promise<string> {
  await author.given(serviceAccounts, named(account));
  const path = await author.pathOf(serviceAccounts, account, 'token');
  const apiVersion = `authentication.${author.dialect.apiDomain}/v1`;
  const body = { apiVersion, kind: 'TokenRequest', spec: {} };
  const { json } = await author.prepare(() => author.request('POST', path, { body }));
  return isRecord(json) && isRecord(json.status) ? String(json.status.token) : '';
}

const unauthenticated = (who: Actor, as: NoCredential): Refused => ({
  who,
  clauseOf: (request) => `ERROR-UNAUTHENTICATED-01/${as}/${request}`,
  answer: match.status(401),
});

const expired: SetupOf = async (services) => {
  const { url, ca } = await services.get(issuer);
  return {
    flags: [`--oidc-issuer-url=${url}`, '--oidc-client-id=touchstone', '--oidc-ca-file={issuer.crt}'],
    files: { 'issuer.crt': ca },
  };
};

for (const { title, words, needs, judge } of PARTS) {
  check(
    `ERROR-UNAUTHENTICATED-01.1/${title}`,
    `eve shows a token that nobody knows, and nobody shows none, for ${title} → refused, and nothing happens`,
    [...clausesOf('ERROR-UNAUTHENTICATED-01', 'unknown', words), ...clausesOf('ERROR-FORBIDDEN-01', 'nobody', words)],
    needs,
    async ({ author, nobody, someone }) => {
      // Whether there are anonymous users is for the operator to say.
      const answer = match.status(401, 403);
      const clauseOf = (request: string): ClauseName => `ERROR-FORBIDDEN-01/nobody/${request}`;
      const eve = someone('eve', { token: 'touchstone-no-such-token' });
      await judge(author, [unauthenticated(eve, 'unknown'), { who: nobody, clauseOf, answer }]);
    },
  );

  check(
    `ERROR-FORBIDDEN-01.1/${title}`,
    `the stranger asks without rights for ${title} → 403, and nothing happens`,
    clausesOf('ERROR-FORBIDDEN-01', 'denied', words),
    [...needs, 'rbac'],
    async ({ author, stranger }) => {
      const clauseOf = (request: string): ClauseName => `ERROR-FORBIDDEN-01/denied/${request}`;
      await judge(author, [{ who: stranger, clauseOf, answer: match.status(403) }]);
    },
  );

  check(
    `ERROR-UNAUTHENTICATED-01.2/${title}`,
    `a deleted account shows its token for ${title} → 401, and nothing happens`,
    clausesOf('ERROR-UNAUTHENTICATED-01', 'revoked', words),
    [...needs, 'service-account-tokens'],
    async ({ author, someone }) => {
      const gone = someone('gone', { token: await tokenOf(author, 'gone') });
      must('the token is good', await asked(gone, KNOWN));
      await author.prepare(() => author.delete(serviceAccounts, 'gone'));
      must('it is revoked', await asked(gone, match.status(401)));
      await judge(author, [unauthenticated(gone, 'revoked')]);
    },
  );

  check(
    `ERROR-UNAUTHENTICATED-01.3/${title}`,
    `ada shows a token past its end for ${title} → 401, and nothing happens`,
    clausesOf('ERROR-UNAUTHENTICATED-01', 'expired', words),
    { needs, setup: expired },
    async ({ author, someone, services }) => {
      const from = await services.get(issuer);
      const claims = { sub: 'ada', aud: 'touchstone' };
      must('a token is good', await asked(someone('ada', { token: await from.token({ claims }) }), KNOWN));
      const exp = secondsFromNow(-60);
      const late = someone('ada', { token: await from.token({ claims: { ...claims, exp, iat: exp - 60 } }) });
      await judge(author, [unauthenticated(late, 'expired')]);
    },
  );
}
