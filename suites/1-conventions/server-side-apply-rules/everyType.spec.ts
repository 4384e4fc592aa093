import { EVERY_TYPE, type OtherType, type SubjectName, UPDATES } from '../../../fixtures/ledger/index.ts';
import type { Actor, Exchange, JsonObject, Query } from '../../harness/index.ts';
import { apiVersionOf, check, clause, clausesOf, match, must, objectIn } from '../../harness/index.ts';
import { tested } from '../testedTypes.ts';
import { type Writer, writerOf } from '../writing.ts';
import { managed, owned } from './owned.ts';

/** The field that holds the word of an object, where one value takes the place of another and its owners can be read. */
const FIELD: Readonly<Record<SubjectName | OtherType, string | undefined>> = {
  configmaps: 'data.word',
  clusterroles: 'rules',
  clusterrolebindings: 'subjects',
  validatingwebhookconfigurations: undefined,
  custom: 'spec.word',
  secrets: 'data.word',
  serviceaccounts: undefined,
  services: 'spec.selector',
  leases: 'spec.holderIdentity',
  roles: 'rules',
  rolebindings: 'subjects',
  namespaces: undefined,
  'custom-cluster': 'spec.word',
};
const LABEL = 'metadata.labels.part';
/** Keys of labels and annotations as they may be written. */
const KEYS = ['bare', 'touchstone.example/bare', 'touchstone.example/Bare.and_more', 'Bare-1.2_3'];
/** Maps in which a field may have any name, or nearly, and such names. */
const FREE_MAPS: Partial<
  Readonly<Record<SubjectName | OtherType, readonly [member: string, keys: readonly string[]]>>
> = {
  configmaps: ['data', ['.a', 'a.b', 'A_b', '-a', 'f.a']],
  secrets: ['data', ['.a', 'a.b', 'A_b', '-a', 'f.a']],
  custom: ['spec', ['a/b', 'a~b', 'a.b', 'f:a', 'k:{"a":1}', 'a"b', 'a b', 'ä', '.', '0', '%2F', 'a,b=c']],
  'custom-cluster': ['spec', ['a/b', 'a~1b', 'v:"a"', 'a\\b', 'i:0', '日本']],
};
/** What clears the records. */
const CLEARED = [{}];

/** The content of a word without the word; what is left cannot be left out. */
function withoutWord(writer: Writer): JsonObject {
  const { data, rules, subjects, webhooks, imagePullSecrets, spec, ...rest } = writer.content('x') as JsonObject;
  const { selector, ...service } = (spec ?? {}) as JsonObject;
  return writer.subject.name === 'services' ? { ...rest, spec: service } : rest;
}
/** Whether the content of an object holds a word, as it is or in base64. */
const shows = (word: string): match.Matcher<Exchange> => ({
  allows: `an object that holds ${word}`,
  differences: (exchange, at) => match.equal(true).differences(holds(exchange, word), at),
});
const hides = (word: string): match.Matcher<Exchange> => ({
  allows: `an object that does not hold ${word}`,
  differences: (exchange, at) => match.equal(false).differences(holds(exchange, word), at),
});
function holds(exchange: Exchange, word: string): boolean {
  const { metadata, ...content } = objectIn(exchange);
  const text = JSON.stringify(content);
  const forms = [`"${word}"`, `-${word}"`, `/${word}"`, `"${Buffer.from(word).toString('base64')}"`];
  return forms.some((form) => text.includes(form));
}

for (const type of EVERY_TYPE) {
  check(
    `APPLY-CONFLICT-01.2/${type}`,
    `the author and the rival apply ${type} → conflicts, shared fields, force and what is given up are as for every type`,
    [
      `APPLY-CONFLICT-01/${type}`,
      `APPLY-CONFLICT-01/zero/${type}`,
      `APPLY-CONFLICT-01/over-zero/${type}`,
      ...clausesOf('APPLY-FORCE-01', type),
      ...clausesOf('APPLY-FORCE-04', type),
      `APPLY-RESOLVE-02/${type}`,
      `APPLY-RESOLVE-02/merge/${type}`,
      ...clausesOf('APPLY-SHARE-02', type),
      ...clausesOf('APPLY-REMOVE-01', type),
    ],
    tested(type).needs,
    async ({ author, rival }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      const field = FIELD[type];
      const rest = withoutWord(writer);
      // Each has a label of their own too.
      const apply = (actor: Actor, word: string, part: string, query: Query = {}) => {
        const metadata = { name: 'doc', labels: { part, [actor.name]: 'yes' } };
        return actor.apply(kind, { ...writer.content(word), metadata }, query);
      };
      const live = objectIn(await author.prepare((each) => apply(each, 'one', 'a')));
      for (const [id, query] of [
        ['APPLY-CONFLICT-01', {}],
        ['APPLY-FORCE-04', { force: false }],
      ] as const) {
        await clause(`${id}/${type}`, async () => {
          must('the label is not theirs', await apply(rival, 'one', 'b', query), match.refusal);
          // What differs here is an item of its own, or nothing.
          if (type !== 'serviceaccounts' && type !== 'namespaces')
            must('nor is the content', await apply(rival, 'two', 'a', query), match.refusal);
          must('nothing changes', await writer.get('doc'), match.body(live));
        });
      }
      await clause(`APPLY-CONFLICT-01/zero/${type}`, async () => {
        must('nor may it be emptied', await apply(rival, 'one', ''), match.refusal);
        must('nothing changes', await writer.get('doc'), match.body(live));
      });
      await clause(`APPLY-CONFLICT-01/over-zero/${type}`, async () => {
        const labelled = (part: string): JsonObject => ({
          ...writer.content('one'),
          metadata: { name: 'blank', labels: { part } },
        });
        const blank = objectIn(await author.prepare((each) => each.apply(kind, labelled(''))));
        must('an empty one is theirs as well', await rival.apply(kind, labelled('b')), match.refusal);
        must('and stays empty', await writer.get('blank'), match.body(blank));
      });
      await clause(`APPLY-RESOLVE-02/${type}`, async () => {
        const shared = await apply(rival, 'one', 'a');
        const both = ['author Apply', 'rival Apply'];
        must('the label is shared', shared, match.status(200), owned(LABEL, ...both));
        if (field) must('and the content', shared, owned(field, ...both));
        // There is no conflict, so that force has nothing to settle: of who shares already and of who begins to.
        const again = await apply(rival, 'one', 'a', { force: true });
        must('so by force', again, match.status(200), owned(LABEL, ...both));
        if (field) must('and the content', again, owned(field, ...both));
        const third = await apply(author, 'one', 'a', { force: true, fieldManager: 'third' });
        must('a third shares too', third, match.status(200), owned(LABEL, ...both, 'third Apply'));
        if (field) must('and the content', third, owned(field, ...both, 'third Apply'));
        await author.prepare((each) =>
          each.apply(kind, { ...rest, metadata: { name: 'doc' } }, { fieldManager: 'third' }),
        );
      });
      await clause(`APPLY-SHARE-02/${type}`, async () => {
        const given = await rival.apply(kind, { ...rest, metadata: { name: 'doc' } });
        must('the label stays', given, match.status(200), match.field(LABEL, 'a'), owned(LABEL, 'author Apply'));
        if (type !== 'namespaces') must('and the content', given, shows('one'));
        if (field) must('which is whose it was', given, owned(field, 'author Apply'));
      });
      const labelled = { metadata: { labels: { both: 'yes' } } };
      await author.prepare((each) => each.patch(kind, 'doc', 'merge', labelled, { fieldManager: 'updater' }));
      await clause(`APPLY-RESOLVE-02/merge/${type}`, async () => {
        const both = await rival.apply(kind, { ...rest, metadata: { name: 'doc', labels: { both: 'yes' } } });
        const owners = owned('metadata.labels.both', 'updater Update', 'rival Apply');
        must('what an updater has is shared too', both, match.status(200), owners);
      });
      await clause(`APPLY-SHARE-02/${type}`, async () => {
        const left = await rival.apply(kind, { ...rest, metadata: { name: 'doc' } });
        const theirs = owned('metadata.labels.both', 'updater Update');
        must('what an updater has stays too', left, match.field('metadata.labels.both', 'yes'), theirs);
      });
      await clause(`APPLY-FORCE-01/${type}`, async () => {
        const forced = await apply(rival, 'two', 'b', { force: true });
        must('the label is theirs', forced, match.status(200), match.field(LABEL, 'b'), owned(LABEL, 'rival Apply'));
        if (type !== 'namespaces') must('and so is the content', forced, shows('two'));
        if (field) must('alone', forced, owned(field, 'rival Apply'));
        must('what it leaves out stays', forced, owned('metadata.labels.author', 'author Apply'));
        must('so it is stored', await writer.get('doc'), match.body(objectIn(forced)));
        // Of who wrote it otherwise than by an apply it is taken as well.
        const change = { metadata: { labels: { part: 'c' } } };
        await author.prepare((each) => each.patch(kind, 'doc', 'merge', change, { fieldManager: 'updater' }));
        const taken = await apply(rival, 'two', 'b', { force: true });
        must('from an update too', taken, match.status(200), match.field(LABEL, 'b'), owned(LABEL, 'rival Apply'));
      });
      await clause(`APPLY-REMOVE-01/${type}`, async () => {
        await author.prepare((each) => each.apply(kind, { ...rest, metadata: { name: 'doc' } }));
        if (type !== 'namespaces') must('what the rival owns stays', await writer.get('doc'), shows('two'));
        const without = await rival.apply(kind, { ...rest, metadata: { name: 'doc' } });
        must('what nobody applies goes', without, match.status(200), match.field(LABEL, match.absent), hides('two'));
        // Without any labels or annotations at all; objects of the cluster have those of the run in all other requests.
        const path = `${await author.pathOf(kind, 'doc')}?fieldManager=bare`;
        const bare = (metadata: JsonObject) =>
          author.request('PATCH', path, {
            headers: { 'content-type': 'application/apply-patch+yaml' },
            body: {
              apiVersion: apiVersionOf(kind, author.dialect),
              kind: kind.kind,
              metadata: { name: author.space.nameOf(kind, 'doc'), ...metadata },
            },
          });
        const maps = ['labels', 'annotations'] as const;
        const all = Object.fromEntries(KEYS.map((key) => [key, 'yes']));
        const [last = ''] = KEYS;
        const applied: readonly (readonly [JsonObject, readonly string[]])[] = [
          [{ labels: all, annotations: all }, KEYS],
          [{ labels: { [last]: 'yes' }, annotations: { [last]: 'yes' } }, [last]],
          [{}, []],
        ];
        for (const [metadata, kept] of applied) {
          const answer = must('it is applied', await bare(metadata), match.status(200));
          for (const map of maps)
            for (const key of KEYS) {
              const value = kept.includes(key) ? 'yes' : match.absent;
              must('what is applied is there, and no other', answer, match.field(['metadata', map, key], value));
            }
        }
        const map = FREE_MAPS[type];
        if (!map) return;
        const [member, [first = '', ...others]] = map;
        const value = Buffer.from('yes').toString('base64');
        const free = (...names: readonly string[]) => {
          const content = { [member]: Object.fromEntries(names.map((name) => [name, value])) };
          return author.apply(kind, { ...content, metadata: { name: 'free' } });
        };
        must('any name is taken', await free(first, ...others), match.success);
        const less = must('all but one are left out', await free(first), match.status(200));
        must('that one is there', less, match.field([member, first], value));
        for (const key of others) must('and no other', less, match.field([member, key], match.absent));
        const back = must('they come again', await free(...others), match.status(200));
        must('without the one', back, match.field([member, first], match.absent));
        must('so it is stored', await writer.get('free'), match.body(objectIn(back)));
      });
    },
  );

  check(
    `APPLY-RESOLVE-02.2/${type}`,
    `the rival applies over ${type} what the author wrote by a POST, a PUT and each patch → other values conflict, and the same are shared`,
    [...clausesOf('APPLY-RESOLVE-02', UPDATES, type), ...clausesOf('APPLY-CONFLICT-03', type)],
    tested(type).needs,
    async ({ author, rival }) => {
      const writer = await writerOf(author, type);
      const field = FIELD[type];
      const apply = (word: string, part = word, name = 'doc') =>
        rival.apply(writer.kind, { ...writer.content(word), metadata: { name, labels: { part } } });
      for (const write of UPDATES) {
        if (!writer.writes.includes(write)) continue;
        const metadata = { labels: { part: write } };
        const query = { fieldManager: 'writer' };
        await author.prepare(() => writer.send(write, { name: 'doc', word: write, metadata, query }));
        await clause(`APPLY-CONFLICT-03/${write}/${type}`, async () => {
          const live = objectIn(await writer.get('doc'));
          must('another value conflicts', await apply('other'), match.refusal);
          must('nothing changes', await writer.get('doc'), match.body(live));
        });
        await clause(`APPLY-CONFLICT-03/zero/${write}/${type}`, async () => {
          const live = objectIn(await writer.get('doc'));
          must('so does an empty one', await apply(write, ''), match.refusal);
          must('nothing changes', await writer.get('doc'), match.body(live));
        });
        await clause(`APPLY-RESOLVE-02/${write}/${type}`, async () => {
          const shared = await apply(write);
          const both = ['writer Update', 'rival Apply'];
          must('the label is shared', shared, match.status(200), owned(LABEL, ...both));
          if (field) must('and the content', shared, owned(field, ...both));
        });
        await clause(`APPLY-CONFLICT-03/over-zero/${write}/${type}`, async () => {
          const name = write === 'post' ? 'blank' : 'doc';
          const emptied = { name, word: write, metadata: { labels: { part: '' } }, query };
          const live = objectIn(await author.prepare(() => writer.send(write, emptied)));
          must('what was emptied conflicts', await apply(write, 'other', name), match.refusal);
          must('and stays empty', await writer.get(name), match.body(live));
        });
      }
    },
  );

  check(
    `APPLY-UPDATE-01.4/${type}`,
    `the author writes over ${type} that the rival applied, and clears the records → no conflict, and nobody owns anything`,
    [
      ...clausesOf('APPLY-UPDATE-01', type),
      ...clausesOf('APPLY-UPDATE-03', type),
      ...clausesOf('APPLY-CLEAR-01', type),
      ...clausesOf('APPLY-CLEAR-03', type),
    ],
    tested(type).needs,
    async ({ author, rival }) => {
      const writer = await writerOf(author, type);
      const apply = (word: string) =>
        rival.prepare((each) => {
          const metadata = { name: 'doc', labels: { part: word } };
          return each.apply(writer.kind, { ...writer.content(word), metadata }, { force: true });
        });
      for (const write of writer.writes) {
        if (write === 'post' || write === 'apply' || write === 'delete' || write === 'deletecollection') continue;
        await apply('one');
        await clause(`APPLY-UPDATE-01/${write}/${type}`, async () => {
          const sending = { word: write, metadata: { labels: { part: write } }, query: { fieldManager: 'writer' } };
          const written = await writer.send(write, sending);
          must('it is stored', written, match.status(200), match.field(LABEL, write));
          if (type !== 'namespaces') must('as it was sent', written, shows(write));
          must('the label is theirs alone', written, owned(LABEL, 'writer Update'));
          const field = FIELD[type];
          if (field) must('and so is the content', written, owned(field, 'writer Update'));
          if (write !== 'json') return;
          await apply('one');
          const replace = [{ op: 'replace', path: '/metadata/labels/part', value: 'direct' }];
          const direct = await author.patch(writer.kind, 'doc', 'json', replace, { fieldManager: 'writer' });
          must('a single label too', direct, match.status(200), match.field(LABEL, 'direct'));
        });
        await apply('one');
        await clause(`APPLY-UPDATE-03/${write}/${type}`, async () => {
          const sending = { word: 'own', metadata: { labels: { part: 'own' } }, query: { fieldManager: rival.name } };
          const written = await writer.send(write, sending);
          must('the label is no longer applied', written, match.status(200), owned(LABEL, 'rival Update'));
        });
        await apply('one');
        await clause(`APPLY-CLEAR-03/${write}/${type}`, async () => {
          const metadata = { labels: { part: 'beside' }, managedFields: CLEARED };
          const cleared = await writer.send(write, { word: 'one', metadata, query: { fieldManager: 'writer' } });
          must('it is stored', cleared, match.status(200), match.field(LABEL, 'beside'));
          must('the change is theirs', cleared, managed('writer Update'), owned(LABEL, 'writer Update'));
          const field = FIELD[type];
          if (field) must('and nothing else', cleared, owned(field));
        });
        await apply('one');
        await clause(`APPLY-CLEAR-01/${write}/${type}`, async () => {
          const cleared = await writer.send(write, { word: 'one', metadata: { managedFields: CLEARED } });
          must('nobody owns anything', cleared, match.status(200), managed());
          must('so it is stored', await writer.get('doc'), managed());
        });
      }
    },
  );
}
