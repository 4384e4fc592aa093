import { type Actor, check, configMaps, listIn, MINUTE, match, must, named, objectIn } from '../../harness/index.ts';

/** Twice the retention and a minute: a server may forget in strides, and still keeps to its five minutes. */
const LONG = 11 * MINUTE;
/** Well within the retention. */
const SHORT = 4 * MINUTE;

/** A version of the collection that a change has left behind. */
async function replacedVersion(author: Actor) {
  await author.given(configMaps, named('doc'));
  const { resourceVersion } = listIn(await author.list(configMaps)).metadata;
  await author.prepare((actor) => actor.patch(configMaps, 'doc', 'merge', { data: { a: '1' } }));
  return resourceVersion;
}

check(
  'LIST-RV-19.1',
  'the author lists exactly at a version long gone → 410',
  ['LIST-RV-19'],
  async ({ author, clock }) => {
    const resourceVersion = await replacedVersion(author);
    await clock.advance(LONG);
    const list = await author.list(configMaps, { resourceVersion, resourceVersionMatch: 'Exact' });
    must('that state is gone', list, match.status(410));
  },
);

check(
  'WATCH-RV-05.1',
  'the watcher starts at a version long gone → 410',
  ['WATCH-RV-05'],
  async ({ author, watcher, clock }) => {
    const resourceVersion = await replacedVersion(author);
    await clock.advance(LONG);
    const stream = await watcher.watch(configMaps, { resourceVersion });
    if (stream.opening.status !== 200) must('it is gone', stream.opening, match.status(410));
    else {
      const first = must('the first event tells', await stream.until(match.eventField('code', 410)));
      must('of an error', first, match.at('type', match.not(match.oneOf('ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'))));
      must('nothing came before it', stream.seen.length, match.equal(1));
    }
  },
);

check(
  'WATCH-RV-06.1',
  'the watcher starts at a version of four minutes ago → the changes since',
  ['WATCH-RV-06'],
  async ({ author, watcher, clock }) => {
    const resourceVersion = await replacedVersion(author);
    await clock.advance(SHORT);
    const stream = await watcher.watch(configMaps, { resourceVersion });
    must('it is still kept', stream.opening, match.status(200));
    must('and told', await stream.until(match.event('MODIFIED', 'doc')));
  },
);

check(
  'WATCH-RV-06.2',
  'the watcher starts at a version that hundreds of changes have followed within the minute → all of them',
  ['WATCH-RV-06'],
  async ({ author, watcher }) => {
    const { metadata } = await author.given(configMaps, named('doc'));
    const changes = Array.from({ length: 600 }, (_, at) => ({ data: { change: String(at) } }));
    for (let at = 0; at < changes.length; at += 20)
      await Promise.all(
        changes
          .slice(at, at + 20)
          .map((patch) => author.prepare((each) => each.patch(configMaps, 'doc', 'merge', patch))),
      );
    const last = objectIn(await watcher.get(configMaps, 'doc')).metadata.resourceVersion ?? '';
    const stream = await watcher.watch(configMaps, { resourceVersion: metadata.resourceVersion ?? '' });
    must('it is still kept', stream.opening, match.status(200));
    const isLast = match.eventField('metadata.resourceVersion', last);
    must('it comes to the last', await stream.until(isLast, { within: MINUTE }));
    const own = stream.seen.filter(
      ({ object }) => (object as { metadata?: { name?: string } }).metadata?.name === 'doc',
    );
    must('by every change', own, match.size(changes.length));
  },
);
