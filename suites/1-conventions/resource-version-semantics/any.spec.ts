import { type Actor, check, configMaps, listIn, match, must } from '../../harness/index.ts';

const labels = { mine: 'yes' };
const mine = { labelSelector: 'mine=yes' };

/** Every state that the collection has had, oldest first, as the names of objects with what they say. */
const STATES = [[], ['a0'], ['a0', 'b0'], ['a1', 'b0']];
async function history(author: Actor) {
  await author.given(configMaps, { metadata: { name: 'a', labels }, data: { n: '0' } });
  await author.given(configMaps, { metadata: { name: 'b', labels }, data: { n: '0' } });
  await author.prepare((actor) => actor.patch(configMaps, 'a', 'merge', { data: { n: '1' } }));
}
/** "Any" may be old, but it is never a mixture: half of one state and half of another was never there. */
async function oneOfThem(author: Actor, query: Readonly<Record<string, string | number>>) {
  const list = must('it is answered', await author.list(configMaps, { ...mine, ...query }), match.status(200));
  const { items } = listIn(list);
  const shown = items.map(({ metadata, data }) => `${metadata.name}${(data as { n?: string } | undefined)?.n}`).sort();
  must('it shows a state that was', shown, match.oneOf(...STATES));
}

check(
  'LIST-RV-02.1',
  'the author lists at version 0 what is in one namespace and not in another → a state that the collection has or had',
  ['LIST-RV-02'],
  async ({ author }) => {
    await history(author);
    await author.elsewhere().given(configMaps, { metadata: { name: 'there', labels } });
    for (const by of [author, author.elsewhere()]) await by.prepare((actor) => actor.list(configMaps, mine));
    await oneOfThem(author, { resourceVersion: '0' });
  },
);

check(
  'LIST-RV-13.1',
  'the author lists not older than 0 → a state that the collection has or had, with a limit and without',
  ['LIST-RV-13'],
  async ({ author }) => {
    await history(author);
    const query = { resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' };
    await oneOfThem(author, query);
    await oneOfThem(author, { ...query, limit: 9 });
  },
);

check(
  'LIST-RV-15.1',
  'the author lists not older than a version, with a limit → a chunk that is at least as new, or 410',
  ['LIST-RV-15'],
  async ({ author }) => {
    await history(author);
    const { metadata } = await author.given(configMaps, { metadata: { name: 'first', labels } });
    const query = {
      ...mine,
      limit: 9,
      resourceVersionMatch: 'NotOlderThan',
      resourceVersion: metadata.resourceVersion,
    };
    const all = match.both(match.status(200), match.names(match.sameItems(['first', 'a', 'b'])));
    must('the write is in it', await author.list(configMaps, query), match.either(all, match.status(410)));
    const chunk = await author.list(configMaps, { ...query, limit: 1 });
    const one = match.both(match.status(200), match.field('items', match.size(1)));
    must('the limit holds', chunk, match.either(one, match.status(410)));
  },
);

check(
  'LIST-RV-16.1',
  'the author lists with a match nobody knows → refused or ignored',
  ['LIST-RV-16'],
  async ({ author }) => {
    await history(author);
    const query = { ...mine, resourceVersion: '0', resourceVersionMatch: 'Newest' };
    must(
      'it is no fault of the service',
      await author.list(configMaps, query),
      match.either(match.success, match.refusal),
    );
  },
);

check(
  'WATCH-RV-02.1',
  'the watcher starts at version 0 → ADDED for a state that was, then every change since',
  ['WATCH-RV-02'],
  async ({ author, watcher }) => {
    await author.given(configMaps, { metadata: { name: 'a', labels } });
    await author.given(configMaps, { metadata: { name: 'b', labels } });
    const stream = await watcher.watch(configMaps, { ...mine, resourceVersion: '0' });
    await author.given(configMaps, { metadata: { name: 'fence', labels } });
    const events = must('the last comes', await stream.upTo(match.event('ADDED', 'fence')));
    must('all of it as ADDED', events, match.every(match.at('type', 'ADDED')));
    // However old the state at the start was, what it lacks follows as a change.
    const names = events.map(({ object }) => object.metadata.name);
    must('each object once', names, match.sameItems(['a', 'b', 'fence']));
  },
);
