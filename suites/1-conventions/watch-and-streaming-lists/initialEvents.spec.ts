import { COLLECTIONS } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  check,
  clause,
  clausesOf,
  configMaps,
  futureVersion,
  listIn,
  match,
  must,
  objectIn,
} from '../../harness/index.ts';
import { collectionOf, needsOfCollection } from '../collections.ts';

const labels = { mine: 'yes' };
const mine = { labelSelector: 'mine=yes' };
const streaming = { ...mine, sendInitialEvents: true, allowWatchBookmarks: true, resourceVersionMatch: 'NotOlderThan' };
const add = (author: Actor, name: string) => author.given(configMaps, { metadata: { name, labels } });

for (const [title, resourceVersion] of [
  ['without a version', undefined],
  ['with an empty version', ''],
] as const) {
  check(
    `STREAM-INITIAL-04.1/${title}`,
    `the watcher streams a list ${title} right after writes → all of them before the bookmark`,
    ['STREAM-INITIAL-04'],
    async ({ author, watcher }) => {
      for (const n of [1, 2, 3]) {
        await add(author, `doc-${n}`);
        const stream = await watcher.watch(configMaps, { ...streaming, resourceVersion });
        const events = must('a bookmark closes the state', await stream.upTo(match.event('BOOKMARK')));
        const names = events.slice(0, -1).map(({ object }) => object.metadata.name);
        const written = Array.from({ length: n }, (_, at) => `doc-${at + 1}`);
        must('the last write is in it', names, match.sameItems(written));
        stream.close();
      }
    },
  );
}

check(
  'STREAM-INITIAL-05.1',
  'the watcher streams a list from the version of a write → state and bookmark are not older',
  ['STREAM-INITIAL-05'],
  async ({ author, watcher }) => {
    await add(author, 'older');
    await add(author, 'doc');
    const written = await author.prepare((actor) => actor.patch(configMaps, 'doc', 'merge', { data: { a: '1' } }));
    const { resourceVersion } = objectIn(written).metadata;
    const stream = await watcher.watch(configMaps, { ...streaming, resourceVersion });
    const events = must('a bookmark closes the state', await stream.upTo(match.event('BOOKMARK')));
    const of = (name: string) => events.find(({ object }) => object.metadata.name === name);
    must('the write is in the state', of('doc'), match.at('object.data.a', '1'));
    must('and what is older than it', of('older'), match.at('type', 'ADDED'));
    // Versions cannot be compared: that a watch from the bookmark does not tell the write again shows the same.
    const bookmark = events.at(-1)?.object.metadata.resourceVersion;
    const later = await watcher.watch(configMaps, { ...mine, resourceVersion: bookmark });
    await add(author, 'fence');
    const since = must('the next change comes', await later.upTo(match.event('ADDED', 'fence')));
    must('and nothing before it', since, match.size(1));
  },
);

check(
  'STREAM-INITIAL-05.2',
  'the watcher streams a list from version 0 → a state that there was, and a bookmark that closes it',
  ['STREAM-INITIAL-05', 'STREAM-INITIAL-02'],
  async ({ author, watcher }) => {
    await add(author, 'doc');
    const stream = await watcher.watch(configMaps, { ...streaming, resourceVersion: '0' });
    const events = must('a bookmark closes the state', await stream.upTo(match.event('BOOKMARK')));
    const bookmark = events.at(-1)?.object.metadata.resourceVersion;
    must('it has a version', bookmark, match.aString);
    // Any state may be shown: what is missing in it comes later.
    if (events.length === 1) must('what there is comes later', await stream.until(match.event('ADDED', 'doc')));
    const names = stream.seen.filter(({ type }) => type === 'ADDED').map(({ object }) => object.metadata.name);
    must('once', names, match.equal(['doc']));
  },
);

for (const name of COLLECTIONS) {
  check(
    `STREAM-INITIAL-05.3/${name}`,
    `the watcher streams ${name} from a version to come → no bookmark closes the state`,
    ['STREAM-INITIAL-05'],
    needsOfCollection(name),
    async ({ author }) => {
      const collection = await collectionOf(author, name);
      const { metadata } = await collection.add('doc');
      const query = { ...streaming, resourceVersion: futureVersion(metadata.resourceVersion), timeoutSeconds: 1 };
      // Each may take as long as the service waits, so all wait together.
      const streams = await Promise.all(
        [
          { labelSelector: undefined },
          { labelSelector: collection.selector },
          { fieldSelector: `metadata.name=${metadata.name}` },
          { labelSelector: 'touchstone/none=such' },
        ].map((selected) => collection.watch({ ...query, ...selected })),
      );
      await collection.mark('doc', 'between');
      for (const stream of streams) {
        // Refusing at once, an error event and waiting until the time is up are all allowed.
        if (stream.opening.status === 200) must('it ends in time', await stream.end());
        const types = stream.seen.map(({ type }) => type);
        must('it is not synced to that version', types, match.not(match.containing('BOOKMARK')));
      }
    },
  );
}

for (const name of COLLECTIONS) {
  check(
    `STREAM-INITIAL-02.1/${name}`,
    `the watcher streams ${name} once an object was deleted or has left the selector → what follows the bookmark is news`,
    [
      ...clausesOf('STREAM-INITIAL-02', ['deleted', 'left'], name),
      ...clausesOf('STREAM-INITIAL-05', ['deleted', 'left'], name),
    ],
    needsOfCollection(name),
    async ({ author }) => {
      const collection = await collectionOf(author, name);
      const selector = `${collection.selector},side=in`;
      const state = { sendInitialEvents: true, allowWatchBookmarks: true, resourceVersionMatch: 'NotOlderThan' };
      await collection.add('a', { side: 'in' });
      for (const [way, word, fence] of [
        ['deleted', 'bb', 'dd'],
        ['left', 'c', 'e'],
      ] as const) {
        await collection.add(word, { side: 'in' });
        // The last that happens leaves no object that has its version and is in the state.
        if (way === 'deleted') await collection.remove(word);
        else await collection.change(word, { labels: { side: 'out' } });
        const { resourceVersion: present } = listIn(await collection.list({}, selector)).metadata;
        const synced: { readonly id: 'STREAM-INITIAL-02' | 'STREAM-INITIAL-05'; readonly version: string }[] = [];
        for (const [id, resourceVersion] of [
          ['STREAM-INITIAL-02', undefined],
          ['STREAM-INITIAL-02', ''],
          ['STREAM-INITIAL-05', present],
        ] as const)
          await clause(`${id}/${way}/${name}`, async () => {
            const stream = await collection.watch({ ...state, resourceVersion }, selector);
            const events = must('a bookmark closes the state', await stream.upTo(match.event('BOOKMARK')));
            stream.close();
            const names = events.slice(0, -1).map(({ object }) => object.metadata.name);
            must('without it', names, match.not(match.containing(collection.nameOf(word))));
            synced.push({ id, version: events.at(-1)?.object.metadata.resourceVersion ?? '' });
          });
        await collection.add(fence, { side: 'in' });
        for (const { id, version } of synced)
          await clause(`${id}/${way}/${name}`, async () => {
            const resumed = await collection.watch({ resourceVersion: version }, selector);
            const next = match.event('ADDED', collection.nameOf(fence));
            const since = must('the next change comes', await resumed.upTo(next));
            resumed.close();
            must('and nothing before it', since, match.size(1));
          });
      }
    },
  );
}
