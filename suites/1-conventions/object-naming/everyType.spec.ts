import { NAMESPACED_TYPES } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  check,
  clause,
  clausesOf,
  listIn,
  match,
  must,
  named,
  namespaces,
  objectIn,
  pathOf,
  queryText,
  should,
  type WatchStream,
} from '../../harness/index.ts';
import { type Writer, writerOf } from '../writing.ts';

const HOLD = 'touchstone.example/hold';
/** What is in a namespace goes in the background, which a server may come back to after a while. */
const WAITING = { within: 50_000 };

/** That an object which finalizers keep in a namespace that is being deleted is shown, and told of, as any other. */
async function mustShow(author: Actor, writer: Writer, labelSelector: string): Promise<void> {
  const { kind } = writer;
  const { dialect } = author;
  const wide = pathOf(kind, dialect, '');
  for (const collection of [await author.pathOf(kind), wide]) {
    for (const query of [{ labelSelector }, { labelSelector, limit: 5 }]) {
      const list = await author.request('GET', collection + queryText(query));
      must('it is listed', list, match.status(200), match.names(['held']));
    }
    const accept = `application/json;as=Table;g=meta.${dialect.apiDomain};v=v1, application/json`;
    const table = await author.request('GET', collection + queryText({ labelSelector }), { headers: { accept } });
    const isTable = match.both(match.field('kind', 'Table'), match.field('rows', match.size(1)));
    must('it is a row', table, match.status(200), match.either(isTable, match.names(['held'])));
    const stream = await author.watchAt(`${author.name} watches ${collection}`, collection, { labelSelector });
    must('a watch begins with it', await stream.until(match.event('ADDED', 'held')));
    const annotations = { seen: collection === wide ? 'everywhere' : 'here' };
    await author.prepare(() => writer.send('merge', { name: 'held', word: 'old', metadata: { annotations } }));
    const changed = match.both(
      match.event('MODIFIED', 'held'),
      match.eventField('metadata.annotations', match.including(annotations)),
    );
    must('and tells of its changes', await stream.until(changed));
    stream.close();
  }
}

check(
  'NAME-UNIQUE-02.3',
  'the author gives objects of every namespaced type one name, and the admin deletes the namespace and makes it again → each is taken, what is held is shown until all go with it, and none is there again',
  [
    ...clausesOf('NAME-UNIQUE-02', 'beside'),
    ...clausesOf('NAME-NAMESPACE-01'),
    ...clausesOf('URL-ALL-01', 'ending', NAMESPACED_TYPES),
    ...clausesOf('WATCH-DELETED-01', 'with-namespace'),
  ],
  ['custom-types'],
  async ({ author, admin }) => {
    const writers: Writer[] = [];
    for (const type of NAMESPACED_TYPES) {
      const writer = await writerOf(author, type);
      writers.push(writer);
      await clause(`NAME-UNIQUE-02/beside/${type}`, async () => {
        must('another kind may have the name', await writer.send('post', { name: 'one' }), match.created);
      });
    }
    // The other way round: what came last comes first.
    const there = author.elsewhere();
    for (const writer of [...writers].reverse()) {
      const { kind, subject } = writer;
      await clause(clausesOf('NAME-UNIQUE-02', 'beside', subject.name), async () => {
        const created = await there.create(kind, { ...writer.content('new'), metadata: { name: 'one' } });
        must('whichever comes first', created, match.created);
      });
    }
    const namespace = await author.namespace();
    const labels = { held: namespace.slice(-8) };
    const watched = new Map<Writer, { readonly uids: readonly string[]; readonly streams: readonly WatchStream[] }>();
    for (const writer of writers) {
      const { kind } = writer;
      const { uid = '', resourceVersion } = (await writer.given('held', 'old', { labels, finalizers: [HOLD] }))
        .metadata;
      const wide = pathOf(kind, author.dialect, '');
      const everywhere = { labelSelector: `held=${labels.held}`, resourceVersion };
      watched.set(writer, {
        uids: [uid, objectIn(await writer.get('one')).metadata.uid ?? ''],
        streams: [
          await author.watch(kind, { resourceVersion }),
          await author.watchAt(`${author.name} watches ${wide}`, wide, everywhere),
        ],
      });
    }
    await admin.prepare((each) => each.delete(namespaces, namespace));
    for (const writer of writers) {
      await clause(`NAME-NAMESPACE-01/${writer.subject.name}`, async () => {
        // At once: what is never there is not waited for, type by type.
        must('what finalizers hold is there', await writer.get('held'), match.status(200));
        const deleting = match.field('metadata.deletionTimestamp', match.aTimestamp);
        const held = await should(() => writer.get('held'), match.both(match.status(200), deleting), WAITING);
        must('what finalizers hold is being deleted', held);
        must('the rest goes', await should(() => writer.get('one'), match.status(404), WAITING));
      });
      await clause(clausesOf('URL-ALL-01', 'ending', writer.subject.name), () =>
        mustShow(author, writer, `held=${labels.held}`),
      );
    }
    for (const writer of writers) {
      await clause(`NAME-NAMESPACE-01/${writer.subject.name}`, async () => {
        must('and stays while it is held', await writer.get('held'), match.status(200));
      });
      await author.prepare(() => writer.send('merge', { name: 'held', metadata: { finalizers: null } }));
    }
    const gone = () => admin.get(namespaces, namespace);
    must('the namespace goes', await should(gone, match.status(404), WAITING));
    for (const writer of writers) {
      const { kind, subject } = writer;
      await clause(`NAME-NAMESPACE-01/${subject.name}`, async () => {
        must('what was in it is gone', await writer.get('one'), match.status(404));
        must('what is in another stays', await there.get(kind, 'one'), match.status(200));
      });
    }
    await admin.given(namespaces, named(namespace));
    for (const writer of writers) {
      const { kind, subject } = writer;
      await clause(clausesOf('WATCH-DELETED-01', 'with-namespace', subject.name), async () => {
        const { uids, streams } = watched.get(writer) ?? { uids: [], streams: [] };
        // What is made when all are gone ends the wait, so that a removal that is never told costs no time.
        const last = (await writer.given('last', 'old', { labels })).metadata.uid ?? '';
        for (const [at, stream] of streams.entries()) {
          const told = must('it goes on', await stream.upTo(match.eventField('metadata.uid', last)));
          const gone = told.filter(({ type }) => !['ADDED', 'MODIFIED', 'BOOKMARK', 'ERROR'].includes(type));
          const own = gone.map(({ object }) => object.metadata.uid ?? '').filter((uid) => uids.includes(uid));
          must('each removal is told once', own, match.sameItems(uids.slice(0, at === 0 ? 2 : 1)));
          stream.close();
        }
      });
      await clause(`NAME-NAMESPACE-01/again/${subject.name}`, async () => {
        const list = must('it is listed', await author.list(kind), match.status(200));
        // What a service puts into every namespace is there.
        const names = listIn(list).items.map(({ metadata }) => metadata.name);
        for (const name of ['one', 'held']) {
          must('nothing of it comes back', names.includes(name), match.equal(false));
          must('by its name neither', await writer.get(name), match.status(404));
          must('which is free', await writer.send('post', { name }), match.created);
        }
      });
    }
  },
);
