import { CHANGES, OBJECT_WRITES, SUBJECTS } from '../../../fixtures/ledger/index.ts';
import {
  type ApiObject,
  check,
  clause,
  clausesOf,
  type Exchange,
  type JsonObject,
  match,
  must,
  objectIn,
  type Query,
} from '../../harness/index.ts';
import { SUBJECT } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';

const FORGED = {
  uid: '00000000-0000-4000-8000-000000000000',
  creationTimestamp: '2001-01-01T00:00:00Z',
  deletionTimestamp: '2001-01-01T00:00:00Z',
} as const;

const [HOLD, OTHER] = ['touchstone.example/hold', 'touchstone.example/other'];
type Stamps = Readonly<Record<string, string | number | null | undefined>>;
/** What a write of a deleting object says of its deletion: nothing, null, or another time. */
const UNDELETING: Readonly<Record<(typeof CHANGES)[number], readonly (Stamps | undefined)[]>> = {
  // Where it is not told otherwise a PUT repeats what is stored.
  put: [
    { deletionTimestamp: undefined },
    { deletionTimestamp: undefined, deletionGracePeriodSeconds: undefined },
    { deletionTimestamp: null, deletionGracePeriodSeconds: null },
    { deletionTimestamp: FORGED.deletionTimestamp },
  ],
  json: [undefined, { deletionTimestamp: null }, { deletionTimestamp: FORGED.deletionTimestamp }],
  merge: [undefined, { deletionTimestamp: null }, { deletionTimestamp: FORGED.deletionTimestamp }],
  strategic: [undefined, { deletionTimestamp: null }, { deletionTimestamp: FORGED.deletionTimestamp }],
  apply: [undefined, { deletionTimestamp: null }, { deletionTimestamp: FORGED.deletionTimestamp }],
};

/** What is left of a deleting object that says no more that it is one. */
function undeleted({ metadata, ...rest }: ApiObject): JsonObject {
  const { deletionTimestamp: _, deletionGracePeriodSeconds: __, ...left } = metadata;
  return { ...rest, metadata: left } as JsonObject;
}
const AT = '/metadata/deletionTimestamp';
const NEVER = { deletionTimestamp: null, deletionGracePeriodSeconds: null };
/** What only patches can say of a deleting object. */
const REVIVING: Readonly<Record<'json' | 'merge' | 'strategic', readonly ((held: ApiObject) => object)[]>> = {
  json: [
    () => [{ op: 'remove', path: AT }],
    () => [
      { op: 'remove', path: AT },
      { op: 'remove', path: '/metadata/deletionGracePeriodSeconds' },
    ],
    () => [{ op: 'replace', path: AT, value: null }],
    () => [{ op: 'replace', path: AT, value: FORGED.deletionTimestamp }],
    () => [{ op: 'move', from: AT, path: '/metadata/annotations/moved' }],
    () => [{ op: 'copy', from: '/metadata/creationTimestamp', path: AT }],
    (held) => [{ op: 'replace', path: '/metadata', value: undeleted(held).metadata }],
    (held) => [{ op: 'replace', path: '', value: undeleted(held) }],
  ],
  merge: [() => ({ metadata: NEVER })],
  strategic: [
    () => ({ metadata: NEVER }),
    (held) => ({ metadata: { ...(undeleted(held).metadata as JsonObject), $patch: 'replace' } }),
    (held) => ({ ...undeleted(held), $patch: 'replace' }),
  ],
};
const isPatch = (write: string): write is keyof typeof REVIVING => Object.hasOwn(REVIVING, write);

for (const type of SUBJECTS) {
  check(
    `META-UID-01.1/${type}`,
    `the author writes ${type} in every way with a uid and times of their own, and while it is deleted with none → those of the service stay`,
    [
      ...clausesOf('META-UID-01', OBJECT_WRITES, type),
      ...clausesOf('META-CREATED-01', OBJECT_WRITES, type),
      ...clausesOf('META-DELETION-01', type),
    ],
    SUBJECT[type].needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      const live = await writer.given('doc');
      for (const write of writer.writes.filter((each) => !each.startsWith('delete'))) {
        for (const member of ['uid', 'creationTimestamp', 'deletionTimestamp'] as const) {
          const id = {
            uid: 'META-UID-01',
            creationTimestamp: 'META-CREATED-01',
            deletionTimestamp: 'META-DELETION-01',
          } as const;
          await clause(`${id[member]}/${write}/${type}`, async () => {
            const name = write === 'post' ? `made-${member.toLowerCase()}` : 'doc';
            const word = `${write}-${member.toLowerCase()}`;
            const written = await writer.send(write, { name, word, metadata: { [member]: FORGED[member] } });
            // Whether such a write is refused or the member overlooked is not said.
            must('it is refused or overlooked', written, match.either(match.refusal, match.success));
            const read = await writer.get(name);
            const usual = member === 'deletionTimestamp' ? match.absent : match.equal(live.metadata[member] ?? '');
            const own =
              write === 'post' && member !== 'deletionTimestamp'
                ? match.both(match.aString, match.not(FORGED[member]))
                : usual;
            if (written.succeeded)
              must('the answer has that of the service', written, match.field(`metadata.${member}`, own));
            if (read.status !== 404) must('so has what is stored', read, match.field(`metadata.${member}`, own));
            else must('what is refused is not created', [write, written.succeeded], match.equal(['post', false]));
          });
        }
      }
      for (const write of CHANGES.filter((each) => writer.writes.includes(each))) {
        await clause(`META-DELETION-01/deleting/${write}/${type}`, async () => {
          const name = `held-${write}`;
          await writer.given(name, 'old', { finalizers: [HOLD, OTHER], annotations: { kept: 'yes' } });
          await author.prepare(() => writer.send('delete', { name }));
          const { deletionTimestamp = '' } = objectIn(await writer.get(name)).metadata;
          const deleting = match.field('metadata.deletionTimestamp', deletionTimestamp);
          const stays = async (send: (query: Query) => Promise<Exchange>) => {
            for (const query of [{ dryRun: 'All' }, {}]) {
              const written = await send(query);
              must('it is refused or overlooked', written, match.either(match.refusal, match.success));
              if (written.succeeded) must('the answer says that it is deleted', written, deleting);
              must('it stays deleting', await writer.get(name), match.status(200), deleting);
            }
          };
          for (const [place, stamps] of UNDELETING[write].entries()) {
            // One of its finalizers goes with the first of them.
            const metadata = { finalizers: [HOLD], ...stamps } as JsonObject;
            await stays((query) => writer.send(write, { name, word: `${write}-${place}`, metadata, query }));
          }
          if (!isPatch(write)) return;
          for (const body of REVIVING[write]) {
            await stays(async (query) =>
              author.patch(writer.kind, name, write, body(objectIn(await writer.get(name))), query),
            );
          }
        });
      }
    },
  );

  check(
    `META-TYPE-02.1/${type}`,
    `the author writes whole ${type} with a kind and an apiVersion of another type → 4xx, and nothing changes`,
    clausesOf('META-TYPE-02', type),
    SUBJECT[type].needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      const live = await writer.given('doc');
      for (const write of ['post', 'put', 'apply'] as const) {
        await clause(`META-TYPE-02/${write}/${type}`, async () => {
          for (const content of [{ kind: 'Secret' }, { apiVersion: 'v7' }]) {
            must('it is of another type', await writer.send(write, { content }), match.refusal);
          }
          if (write === 'post') must('nothing is created', await writer.get('made'), match.status(404));
          must('nothing changes', await writer.get('doc'), match.body(live));
        });
      }
    },
  );

  check(
    `NAME-PATH-01.1/${type}`,
    `the author gives ${type} another name in the body than in the path → 4xx, and nothing changes`,
    clausesOf('NAME-PATH-01', type),
    SUBJECT[type].needs,
    async ({ author, space }) => {
      const writer = await writerOf(author, type);
      const live = await writer.given('doc');
      const name = space.nameOf(writer.kind, 'other');
      space.note(writer.kind, name);
      for (const write of writer.writes.filter((each) => each !== 'post' && !each.startsWith('delete'))) {
        await clause(`NAME-PATH-01/${write}/${type}`, async () => {
          const renamed = await writer.send(write, { renamed: name });
          must('a name cannot be changed', renamed, match.refusal);
          must('it is where it was', await writer.get('doc'), match.body(live));
          must('and nowhere else', await writer.get('other'), match.status(404));
        });
      }
    },
  );

  check(
    `NAME-UNIQUE-01.1/${type}`,
    `the author creates ${type} under a name in use, and again after a delete → refused, and then another object`,
    [
      ...clausesOf('NAME-UNIQUE-01', 'post', type),
      ...clausesOf('NAME-REUSE-01', ['post', 'apply'], type),
      ...clausesOf('APPLY-CREATE-01', type),
      ...clausesOf('DELETE-OPTIONS-01', 'former', type),
    ],
    SUBJECT[type].needs,
    async ({ author, dialect }) => {
      const writer = await writerOf(author, type);
      const live = await writer.given('doc');
      await clause(clausesOf('NAME-UNIQUE-01', 'post', type), async () => {
        must('the name is in use', await writer.send('post', { name: 'doc' }), match.nameInUse);
        must('the first stays as it was', await writer.get('doc'), match.body(live));
      });
      for (const write of ['post', 'apply'] as const) {
        const created = clausesOf('NAME-REUSE-01', write, type);
        const clauses = write === 'post' ? created : [...created, ...clausesOf('APPLY-CREATE-01', type)];
        await clause(clauses, async () => {
          const name = `again-by-${write}`;
          await writer.given(name);
          const former = { name, word: 'former', query: { fieldManager: 'touchstone-former' } };
          await author.prepare(() => writer.send('apply', former));
          const old = objectIn(await writer.get(name));
          await author.prepare(() => writer.send('delete', { name }));
          const preconditions = { uid: old.metadata.uid ?? '' };
          const again = await writer.send(write, { name });
          const another = match.field('metadata.uid', match.not(old.metadata.uid ?? null));
          must('the name is free', again, match.created, another);
          const records = JSON.stringify(objectIn(again).metadata.managedFields ?? []);
          must('nobody owns what is gone', records.includes('touchstone-former'), match.equal(false));
          await clause(clausesOf('DELETE-OPTIONS-01', 'former', type), async () => {
            const { resourceVersion } = old.metadata;
            for (const former of [preconditions, { resourceVersion }, { ...preconditions, resourceVersion }])
              must(
                'it is not the one',
                await writer.send('delete', { name, options: { preconditions: former } }),
                match.refusal,
              );
            must('it is there', await writer.get(name), match.body(objectIn(again)));
            // A version has passed though its content has come back.
            for (const since of ['yes', null])
              await author.prepare(() => writer.send('merge', { name, metadata: { labels: { since } } }));
            const passed = { resourceVersion: objectIn(again).metadata.resourceVersion };
            const refused = await writer.send('delete', { name, options: { preconditions: passed } });
            must('nor is a version that has passed', refused, match.refusal);
            must('it stays', await writer.get(name), match.status(200));
          });
          if (write === 'post') return;
          const accept = {
            yaml: 'application/yaml',
            table: `application/json;as=Table;g=meta.${dialect.apiDomain};v=v1, application/json`,
          };
          for (const [word, accepted] of Object.entries(accept)) {
            author.space.note(writer.kind, author.space.nameOf(writer.kind, `applied-for-${word}`));
            const sending = { name: `applied-for-${word}`, headers: { accept: accepted } };
            const tried = await writer.send('apply', { ...sending, query: { dryRun: 'All' } });
            const done = await writer.send('apply', sending);
            // By which of the two codes is open, though not that a dry run is answered as what it tries.
            must('it is created in every form', done, match.status(200, 201));
            must('a dry run is answered so too', tried, match.status(done.status));
            must('it is there', await writer.get(sending.name), match.status(200));
          }
        });
      }
    },
  );
}
