import { REVIEWED_TYPES, WRITES, type Write } from '../../../fixtures/ledger/index.ts';
import {
  allow,
  answerTo,
  type Behaviour,
  check,
  clause,
  clausesOf,
  configMaps,
  deny,
  type Exchange,
  groupOf,
  type JsonObject,
  match,
  must,
  named,
} from '../../harness/index.ts';
import { SUBJECT } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';
import { install, own } from './installed.ts';

const OPERATION: Readonly<Record<Write, string>> = {
  post: 'CREATE',
  put: 'UPDATE',
  json: 'UPDATE',
  merge: 'UPDATE',
  strategic: 'UPDATE',
  apply: 'UPDATE',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};
const dryRun = { dryRun: 'All' };
/** On each object that is changed, so that one is seen to be told whole. */
const KEPT = { 'touchstone/kept': 'kept-label' };

/** What a webhook may do that is no answer; each write meets another one. */
const FAILURES: readonly Behaviour[] = [
  () => ({ status: 500 }),
  () => 'hang-up',
  (review) => answerTo(review, { uid: 'another', allowed: true }),
  () => ({ body: 'allowed' }),
  ({ apiVersion, request: { uid } }) => ({
    status: 502,
    body: { apiVersion, kind: 'AdmissionReview', response: { uid, allowed: true } },
  }),
];

for (const type of REVIEWED_TYPES) {
  check(
    `WEBHOOK-REQUEST-01.2/${type}`,
    `the author writes ${type} in every way, tried and really, and a webhook allows, denies and fails beside one that may fail → it is told all of each, and decides`,
    [
      ...clausesOf('WEBHOOK-REQUEST-01', type),
      ...clausesOf('WEBHOOK-DRYRUN-01', type),
      ...clausesOf('WEBHOOK-CALL-01', ['tried', 'unchanged'], type),
      ...clausesOf('WEBHOOK-CALL-02', WRITES, type),
      ...clausesOf('WEBHOOK-FAILURE-01', type),
      ...clausesOf('WEBHOOK-FAILURE-02', type),
    ],
    [...SUBJECT[type].needs, 'webhook-reachable'],
    async ({ admin, author, services, dialect }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      const [group, version] = [groupOf(kind, dialect), kind.version];
      const rules = [{ apiGroups: [group], apiVersions: [version], operations: ['*'], resources: [kind.plural] }];
      // Objects of the cluster are those of all checks.
      const selected = kind.namespaced ? {} : { objectSelector: own(admin) };
      const [hook, spare] = await install(
        admin,
        services,
        { rules, ...selected },
        { rules, ...selected, failurePolicy: 'Ignore' },
      );
      const namespace = kind.namespaced ? await author.namespace() : undefined;
      for (const [at, write] of writer.writes.entries()) {
        const name = author.space.nameOf(kind, write === 'post' ? 'made' : 'doc');
        const failing = FAILURES[at % FAILURES.length] as Behaviour;
        if (write !== 'post') await writer.given('doc', `old-${write}`, { labels: KEPT });
        const names = [name];
        if (write === 'deletecollection') {
          await writer.given('more', `old-${write}`, { labels: KEPT });
          names.push(author.space.nameOf(kind, 'more'));
        }
        spare?.does(failing);
        const sending = { word: `new-${write}` };
        const send = async (query: JsonObject, behaviour?: Behaviour) => {
          hook?.does(behaviour ?? allow);
          if (hook) hook.reviews.length = 0;
          return writer.send(write, { ...sending, query: query as typeof dryRun });
        };
        const unchanged = async (before: object | undefined) =>
          must(
            'what is stored stays as it was',
            await writer.get(write === 'post' ? 'made' : 'doc'),
            before ? match.body(before as JsonObject) : match.status(404),
          );
        const before = write === 'post' ? undefined : ((await writer.get('doc')).json as object);
        const reviewed = (dry: boolean): void => {
          // Others may be in a collection that is deleted.
          const all = (hook?.reviews ?? []).map((review) => review.request);
          const own = all.filter((each) => JSON.stringify(each).includes(`-${write}"`));
          must('it is asked once of each object', own, match.size(names.length));
          const which = { group, version };
          for (const request of own) {
            must(
              'it is told what is done to what by whom',
              request,
              match.at('operation', OPERATION[write]),
              match.at('kind', match.including({ ...which, kind: kind.kind })),
              match.at('resource', match.including({ ...which, resource: kind.plural })),
              match.at('name', match.oneOf(...names, ...(write === 'deletecollection' ? ['', match.absent] : []))),
              match.at('namespace', namespace ?? match.empty),
              match.at('userInfo.username', author.user),
              match.at('dryRun', dry ? true : match.oneOf(false, match.absent)),
            );
            const says = (member: string, ...words: readonly string[]) => {
              const text = JSON.stringify(request[member] ?? null);
              const missing = words.filter((word) => !text.includes(word));
              must(`with its ${member}, whole`, missing, match.empty);
            };
            if (OPERATION[write] === 'DELETE') must('and no new object', request.object ?? null, match.equal(null));
            else if (write === 'post') says('object', `new-${write}`);
            else says('object', `new-${write}`, KEPT['touchstone/kept']);
            if (write === 'post') must('and no old object', request.oldObject ?? null, match.equal(null));
            else says('oldObject', `old-${write}`, KEPT['touchstone/kept']);
          }
          const old = own.map(({ oldObject }) => (oldObject as JsonObject | null)?.metadata as JsonObject | undefined);
          if (write !== 'post')
            must('of each', old.map((metadata) => metadata?.name).sort(), match.equal(names.sort()));
        };
        await clause(`WEBHOOK-DRYRUN-01/${write}/${type}`, async () => {
          must('a dry run goes on', await send(dryRun), match.success);
          reviewed(true);
          await unchanged(before);
          must('it goes by the answer', await send(dryRun, deny), match.error);
        });
        await clause(`WEBHOOK-CALL-02/${write}/${type}`, async () => {
          must('it is denied', await send({}, deny), match.error);
          await unchanged(before);
        });
        await clause(`WEBHOOK-FAILURE-01/${write}/${type}`, async () => {
          must('what fails denies', await send({}, failing), match.error);
          await unchanged(before);
        });
        let done: Exchange | undefined;
        // Whatever was said of the one says nothing of the other.
        await clause(`WEBHOOK-CALL-01/tried/${write}/${type}`, async () => {
          must('it may be done, as a dry run', await send(dryRun), match.success);
          must('and is denied', await send({}, deny), match.error);
          // Of a collection the first denial may end it.
          must('as it is asked about', (hook?.reviews ?? []).length > 0, match.equal(true));
          await unchanged(before);
          must('it may be done, as a dry run again', await send(dryRun), match.success);
          reviewed(true);
          must('and is denied', await send(dryRun, deny), match.error);
          done = must('what only a dry run was denied is done', await send({}), match.success);
          reviewed(false);
        });
        await clause(`WEBHOOK-FAILURE-02/${write}/${type}`, async () => {
          must('it is done, though one that may fail does', done ?? (await send({})), match.success);
        });
        await clause(`WEBHOOK-REQUEST-01/${write}/${type}`, async () => reviewed(false));
        if (OPERATION[write] === 'UPDATE')
          await clause(`WEBHOOK-CALL-01/unchanged/${write}/${type}`, async () => {
            // Controllers may write others of the namespace meanwhile.
            const own = () => (hook?.reviews ?? []).filter(({ request }) => request.name === name);
            must('what would change nothing is denied', await send({}, deny), match.error);
            must('as it is asked about', own(), match.size(1));
            must('and done', await send({}), match.success);
            must('as it is asked about again', own(), match.size(1));
          });
        for (const each of [hook, spare]) each?.does(allow);
        // Gone already, where it was to be deleted and could be.
        if (write !== 'post') await writer.send('delete');
      }
    },
  );
}

/** Ways in which an answer can say no. */
const DENIALS: Readonly<Record<string, JsonObject>> = {
  'with nothing else': {},
  'with an empty status': { status: {} },
  'with a status of success': { status: { status: 'Success', code: 200 } },
  'with a reason': { status: { reason: 'Forbidden' } },
  'with a message and a code': { status: { message: 'no', code: 418 } },
  'with the code of a fault': { status: { message: 'no', reason: 'InternalError', code: 500 } },
  'with a warning': { warnings: ['do not'] },
  'with a patch': { patchType: 'JSONPatch', patch: Buffer.from('[]').toString('base64') },
  'with annotations': { auditAnnotations: { why: 'so' } },
};

check(
  'WEBHOOK-CALL-02.3',
  'webhooks of both policies deny in every form → the request fails, and nothing is stored',
  ['WEBHOOK-CALL-02', 'WEBHOOK-FAILURE-02'],
  async ({ admin, author, services }) => {
    const hooks = await install(admin, services, { failurePolicy: 'Fail' }, { failurePolicy: 'Ignore' });
    for (const [at, hook] of hooks.entries())
      for (const [form, response] of Object.entries(DENIALS)) {
        // What no validating webhook answers may be taken for a failure, which Ignore overlooks.
        if (at === 1 && 'patch' in response) continue;
        hook.does((review) => answerTo(review, { allowed: false, ...response }));
        must(`it is denied ${form}`, await author.create(configMaps, named('a')), match.error);
        must('nothing is stored', await author.get(configMaps, 'a'), match.status(404));
        hook.does((review) => answerTo(review, { allowed: true }));
      }
    must('it is allowed at last', await author.create(configMaps, named('a')), match.created);
  },
);
