import {
  CREATED_BY_PUT,
  DRY_RUN_RESULT,
  SUBJECTS,
  type SubjectName,
  WRITES,
  type Write,
} from '../../../fixtures/ledger/index.ts';
import type { ApiObject } from '../../harness/index.ts';
import { type ClauseName, check, clause, clausesOf, match, must, objectIn, unsupported } from '../../harness/index.ts';
import { type Content, SUBJECT } from '../testedTypes.ts';
import { type Sending, writerOf } from '../writing.ts';

const All = { dryRun: 'All' };

/** Ways to delete. */
const DELETING = [
  { propagationPolicy: 'Foreground' },
  { propagationPolicy: 'Background' },
  { propagationPolicy: 'Orphan' },
  { gracePeriodSeconds: 0 },
] as const;
const SELECTING = { fieldSelector: 'metadata.name!=touchstone-none' };

/** What a dry run of a write is judged by. */
const clausesFor = (write: Write, type: SubjectName): ClauseName[] => [
  `${DRY_RUN_RESULT[write]}/${write}/${type}`,
  `DRYRUN-EFFECT-01/${write}/${type}`,
  `DRYRUN-VALUE-01/${write}/${type}`,
];

/** Content that each type refuses: a required field that is missing, a value out of its bounds or of another type. */
const INVALID: Readonly<Record<SubjectName, (content: Content) => Content>> = {
  configmaps: () => ({ data: { word: 7 } }),
  clusterroles: () => ({ rules: 'none' }),
  clusterrolebindings: () => ({ subjects: [{ kind: 'User' }] }),
  validatingwebhookconfigurations: ({ webhooks }) => ({
    webhooks: (webhooks as readonly object[]).map((hook) => ({ ...hook, timeoutSeconds: 31 })),
  }),
  custom: () => ({ count: 'many' }),
};

/** An object without what may differ between a dry run and the real request (1/dry-run/4). */
function lasting({ metadata, ...content }: ApiObject): object {
  const { uid, resourceVersion, creationTimestamp, deletionTimestamp, managedFields, generation, ...rest } = metadata;
  return { ...content, metadata: rest };
}

for (const type of SUBJECTS) {
  check(
    `DRYRUN-CREATE-01.1/${type}`,
    `the author writes ${type} in every way as a dry run and then really → the same answer, and only the second has an effect`,
    [
      ...clausesOf('DRYRUN-CREATE-01', type),
      ...clausesOf('DRYRUN-UPDATE-01', WRITES, type),
      ...clausesOf('DRYRUN-PATCH-01', type),
      ...clausesOf('DRYRUN-APPLY-01', 'apply', type),
      ...clausesOf('DRYRUN-DELETE-01', type),
      ...clausesOf('DRYRUN-EFFECT-01', WRITES, type),
      ...clausesOf('DRYRUN-VALUE-01', type),
    ],
    SUBJECT[type].needs,
    async ({ author, watcher, space }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      const query = kind.namespaced ? {} : { labelSelector: space.selector };
      const fence = await writer.given('fence');
      for (const name of ['gone', 'doc']) await writer.given(name, 'old', { finalizers: ['touchstone.example/hold'] });
      const { resourceVersion } = objectIn(await writer.get('doc')).metadata;
      const stream = await watcher.watch(kind, { ...query, resourceVersion });
      const nothingElse = async (word: string) => {
        await author.patch(kind, 'fence', 'merge', { metadata: { annotations: { word } } });
        const reached = match.both(
          match.event('MODIFIED', fence.metadata.name),
          match.eventField('metadata.annotations.word', word),
        );
        const events = must('the fence is told', await stream.upTo(reached));
        const own = ['doc', 'gone', 'made'].map((name) => space.nameOf(kind, name));
        const others = events.filter(({ object }) => own.includes(object.metadata.name));
        must('a dry run sends no event', others, match.empty);
      };
      // Others may put objects into the namespace too.
      const stored = async () => [
        (await writer.get('doc')).json,
        (await writer.get('gone')).json,
        (await writer.get('made')).status,
      ];
      for (const write of writer.writes) {
        await clause(clausesFor(write, type), async () => {
          const before = await stored();
          const name = { post: 'made', delete: 'gone' }[write as string] ?? 'doc';
          const sending: Sending = { name, word: `by-${write}` };
          const dry = await writer.send(write, { ...sending, query: All });
          must('a dry run is accepted', dry, match.success);
          if (write === 'post') {
            const generated = await author.create(
              kind,
              { ...writer.content('new'), metadata: { generateName: 'tried-' } },
              All,
            );
            const begins = match.startingWith(space.nameOf(kind, 'tried-'));
            must('a name is generated', generated, match.success, match.field('metadata.name', begins));
            const none = await writer.get(objectIn(generated).metadata.name);
            must('under which nothing is stored', none, match.status(404));
          }
          const selected = write === 'deletecollection' ? [SELECTING] : [];
          for (const more of write.startsWith('delete') ? [...DELETING, ...selected] : []) {
            const tried = await writer.send(write, { ...sending, query: { ...All, ...more } });
            must('so it is in every way to delete', tried, match.success);
          }
          must('what is stored stays as it was', await stored(), match.equal(before as never));
          await nothingElse(write);
          const real = await writer.send(write, sending);
          must('the real request succeeds', real, match.success);
          must('the dry run was answered with its status', dry, match.status(real.status));
          if (!write.startsWith('delete')) {
            must(
              'and with the object as it is stored',
              lasting(objectIn(dry)),
              match.equal(lasting(objectIn(real)) as never),
            );
          }
          const settled = write.startsWith('delete') ? match.present : match.absent;
          const held = await writer.get(name);
          must('and the real one did what it should', held, match.field('metadata.deletionTimestamp', settled));
          // What the real request is told by is read off, so that the next dry run has none.
          const word = `after-${write}`;
          const marked = await author.patch(kind, 'fence', 'merge', { metadata: { annotations: { word } } });
          // A collection goes with its fence.
          if (marked.succeeded) await stream.until(match.eventField('metadata.annotations.word', word));
        });
      }
    },
  );

  check(
    `DRYRUN-VALUE-02.1/${type}`,
    `the author writes ${type} in every way with an empty dryRun → each is accepted`,
    clausesOf('DRYRUN-VALUE-02', type),
    SUBJECT[type].needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      await writer.given('doc');
      for (const write of writer.writes) {
        await clause(`DRYRUN-VALUE-02/${write}/${type}`, async () => {
          // Whether it is a dry run is left open, so each write starts from an object that is there.
          if (!(await writer.get('doc')).succeeded) await writer.given('doc');
          must('no value is a value too', await writer.send(write, { query: { dryRun: '' } }), match.success);
        });
      }
    },
  );

  check(
    `DRYRUN-STAGES-01.1/${type}`,
    `the author sends ${type} as a dry run what would be refused → refused with the same status`,
    clausesOf('DRYRUN-STAGES-01', WRITES, type),
    SUBJECT[type].needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      const live = await writer.given('doc');
      await writer.given('taken');
      const version = { resourceVersion: `${live.metadata.resourceVersion}0` };
      for (const write of writer.writes) {
        await clause(`DRYRUN-STAGES-01/${write}/${type}`, async () => {
          const wrong: Sending[] = write.startsWith('delete')
            ? [{ query: { propagationPolicy: 'Sideways' } }, { query: { gracePeriodSeconds: 'soon' } }]
            : [{ metadata: { labels: { word: 7 } } }, { content: INVALID[type](writer.content('new')) }];
          if (write === 'deletecollection') wrong.push({ query: { labelSelector: 'part in (' } });
          else if (write === 'delete') {
            const uid = '00000000-0000-0000-0000-000000000000';
            for (const preconditions of [{ uid }, version, { uid: live.metadata.uid, ...version }])
              wrong.push({ options: { preconditions } });
            wrong.push({ name: 'missing' });
          } else wrong.push(write === 'post' ? { name: 'taken' } : { metadata: version });
          if (write === 'json' || write === 'merge' || write === 'strategic') wrong.push({ name: 'missing' });
          for (const sending of wrong) {
            const real = await writer.send(write, sending);
            // Which status an apply of a wrong type is refused with is not shown.
            must('the real one is refused', real, match.either(match.refusal, match.status(500)));
            const dry = await writer.send(write, { ...sending, query: { ...sending.query, ...All } });
            must('so is the dry run', dry, match.status(real.status));
          }
          must('nothing changed', await writer.get('doc'), match.body(live));
        });
      }
    },
  );
}

for (const type of CREATED_BY_PUT) {
  check(
    `DRYRUN-UPDATE-01.2/${type}`,
    `the author creates ${type} by a PUT as a dry run and then really → the same answer, and only the second has an effect`,
    [`DRYRUN-UPDATE-01/creating/${type}`, `DRYRUN-EFFECT-01/creating/${type}`],
    async ({ author, watcher }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      const { resourceVersion } = (await writer.given('before')).metadata;
      for (const name of ['in-json', 'in-yaml']) {
        await clause([`DRYRUN-UPDATE-01/creating/${type}`, `DRYRUN-EFFECT-01/creating/${type}`], async () => {
          author.space.note(kind, author.space.nameOf(kind, name));
          const path = await author.pathOf(kind, name);
          const body = await author.fill(kind, { ...writer.content('new'), metadata: { name } });
          const headers = { 'content-type': `application/${name.slice(3)}` };
          const put = (query: string) => author.request('PUT', path + query, { headers, body });
          const dry = await put('?dryRun=All');
          must('nothing is created', await writer.get(name), match.status(404));
          const fieldSelector = `metadata.name=${author.space.nameOf(kind, name)}`;
          const stream = await watcher.watch(kind, { fieldSelector, resourceVersion });
          const real = await put('');
          must('the dry run was answered with its status', dry, match.status(real.status));
          if (!real.succeeded) unsupported(`a PUT creates no ${kind.plural}`);
          must('it is created', dry, match.created);
          must('as it is stored', lasting(objectIn(dry)), match.equal(lasting(objectIn(real)) as never));
          const { uid = '' } = objectIn(real).metadata;
          const events = must('the real one is told', await stream.upTo(match.eventField('metadata.uid', uid)));
          must('and nothing before it', events, match.size(1));
          stream.close();
        });
      }
    },
  );
}
