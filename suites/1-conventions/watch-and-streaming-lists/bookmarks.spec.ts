import { type Actor, check, configMaps, MINUTE, match, must, named, should, unsupported } from '../../harness/index.ts';

const labels = { mine: 'yes' };
const mine = { labelSelector: 'mine=yes' };
const add = (author: Actor, name: string) => author.given(configMaps, { metadata: { name, labels } });
const streaming = { ...mine, sendInitialEvents: true, allowWatchBookmarks: true, resourceVersionMatch: 'NotOlderThan' };

check(
  'WATCH-BOOKMARK-03.1',
  'the watcher starts anew at the bookmark after the initial events → exactly what came since',
  ['WATCH-BOOKMARK-03'],
  async ({ author, watcher }) => {
    await add(author, 'a');
    const first = await watcher.watch(configMaps, streaming);
    const events = must('a bookmark comes', await first.upTo(match.event('BOOKMARK')));
    const before = events.slice(0, -1).map(({ object }) => object.metadata.name);
    must('all up to it was sent', before, match.equal(['a']));
    await add(author, 'b');
    await add(author, 'c');
    const { resourceVersion } = events.at(-1)?.object.metadata ?? {};
    const second = await watcher.watch(configMaps, { ...mine, resourceVersion });
    const since = must('the last comes', await second.upTo(match.event('ADDED', 'c')));
    const names = since.map(({ object }) => object.metadata.name);
    must('nothing is missed or repeated', names, match.equal(['b', 'c']));
  },
);

check(
  'WATCH-BOOKMARK-03.2',
  'the watcher starts anew at a bookmark that came by itself → exactly what came since',
  ['WATCH-BOOKMARK-03'],
  ['virtual-clock'],
  async ({ author, watcher, clock }) => {
    const { metadata } = await add(author, 'a');
    const query = { ...mine, resourceVersion: metadata.resourceVersion };
    const first = await watcher.watch(configMaps, { ...query, allowWatchBookmarks: true });
    await add(author, 'b');
    must('a change comes', await first.until(match.event('ADDED', 'b')));
    // Nobody is promised a bookmark: where none comes in minutes there is nothing to look at.
    const marked = await should(
      async () => {
        await clock.advance(MINUTE / 2);
        return first.seen.filter(({ type }) => type === 'BOOKMARK');
      },
      match.not(match.size(0)),
    );
    const bookmark = marked.subject.at(-1);
    if (!bookmark) unsupported('no bookmark came by itself');
    await add(author, 'c');
    const { resourceVersion } = bookmark.object.metadata;
    const second = await watcher.watch(configMaps, { ...mine, resourceVersion });
    const since = must('the last comes', await second.upTo(match.event('ADDED', 'c')));
    const names = since.map(({ object }) => object.metadata.name);
    must('nothing is missed or repeated', names, match.equal(['c']));
  },
);

check(
  'WATCH-BOOKMARK-04.1',
  'the watcher allows bookmarks → whether any comes or none, the changes do',
  ['WATCH-BOOKMARK-04'],
  async ({ author, watcher }) => {
    const { metadata } = await author.given(configMaps, named('a'));
    const query = { resourceVersion: metadata.resourceVersion, allowWatchBookmarks: true };
    const stream = await watcher.watch(configMaps, query);
    await author.given(configMaps, named('fence'));
    const events = must('the change comes', await stream.upTo(match.event('ADDED', 'fence')));
    const bookmarks = events.filter(({ type }) => type === 'BOOKMARK');
    const version = match.at('object.metadata.resourceVersion', match.aString);
    must('a bookmark carries its version', bookmarks, match.every(version));
  },
);
