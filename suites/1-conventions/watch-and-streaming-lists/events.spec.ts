import {
  check,
  configMaps,
  listIn,
  match,
  must,
  named,
  objectIn,
  ought,
  PATCH_TYPES,
  pods,
} from '../../harness/index.ts';

const REMOVED = match.not(match.oneOf('ADDED', 'MODIFIED', 'BOOKMARK'));

check(
  'WATCH-STREAM-01.1',
  'the watcher opens a watch → 200, JSON, in chunks, and documents with type and object',
  ['WATCH-STREAM-01', 'WATCH-STREAM-02'],
  async ({ author, watcher }) => {
    const stream = await watcher.watch(configMaps);
    must('it is open', stream.opening, match.status(200), match.mediaType('application/json'));
    must('it comes in chunks', stream.opening, match.header('transfer-encoding', 'chunked'));
    await author.given(configMaps, named('doc'));
    const event = must('a change is a document', await stream.until(match.event('ADDED', 'doc')));
    must(
      'its object is of the kind',
      event,
      match.eventField('kind', 'ConfigMap'),
      match.eventField('apiVersion', 'v1'),
    );
  },
);

check(
  'WATCH-ADDED-01.1',
  'the author creates → the watcher sees ADDED with the full object',
  ['WATCH-ADDED-01'],
  async ({ author, watcher }) => {
    const stream = await watcher.watch(configMaps);
    const live = await author.given(configMaps, named('doc', { data: { a: '1' } }));
    const event = must('it is announced', await stream.until(match.event('ADDED', 'doc')));
    must('in full', event.object, match.equal(live));
  },
);

check(
  'WATCH-MODIFIED-01.1',
  'the author changes an object → the watcher sees MODIFIED with the full object after it',
  ['WATCH-MODIFIED-01'],
  async ({ author, watcher }) => {
    const first = await author.given(configMaps, named('doc'));
    const stream = await watcher.watch(configMaps, { resourceVersion: first.metadata.resourceVersion });
    const written = await author.prepare((actor) => actor.update(configMaps, { ...first, data: { a: '1' } }));
    const event = must('it is announced', await stream.until(match.event('MODIFIED', 'doc')));
    must('in full, after the change', event.object, match.equal(objectIn(written)));
  },
);

check(
  'WATCH-DELETED-01.1',
  'the author deletes an object → the watcher sees one event of its removal',
  ['WATCH-DELETED-01'],
  async ({ author, watcher }) => {
    const first = await author.given(configMaps, named('doc'));
    const stream = await watcher.watch(configMaps, { resourceVersion: first.metadata.resourceVersion });
    await author.prepare((actor) => actor.delete(configMaps, 'doc'));
    const about = match.eventField('metadata.uid', first.metadata.uid ?? null);
    // The specification does not name the type of this event: any but the three that mean something else is allowed.
    const event = must('it is announced', await stream.until(about));
    must('as a removal', event, match.at('type', REMOVED), match.eventField('metadata.name', 'doc'));
  },
);

check(
  'WATCH-DELETED-02.1',
  'the author deletes what a finalizer holds → MODIFIED first, the removal later',
  ['WATCH-DELETED-02'],
  async ({ author, watcher }) => {
    const first = await author.given(configMaps, {
      metadata: { name: 'held', finalizers: ['touchstone.example/hold'] },
    });
    const stream = await watcher.watch(configMaps, { resourceVersion: first.metadata.resourceVersion });
    await author.prepare((actor) => actor.delete(configMaps, 'held'));
    const going = must('the delete is a change', await stream.until(match.event('MODIFIED', 'held')));
    must('that shows', going, match.eventField('metadata.deletionTimestamp', match.aTimestamp));
    await author.prepare((actor) => actor.patch(configMaps, 'held', 'merge', { metadata: { finalizers: null } }));
    const gone = must(
      'the removal is announced',
      await stream.until(match.both(match.at('type', REMOVED), match.eventField('metadata.name', 'held'))),
    );
    must('by an event of its own', gone, match.at('type', REMOVED));
  },
);

check(
  'WATCH-QUIET-01.1',
  'a write changes nothing, another is refused → the watcher is told neither',
  ['WATCH-QUIET-01'],
  async ({ author, watcher }) => {
    const live = await author.given(configMaps, named('doc', { data: { a: '1' } }));
    const idle = await author.update(configMaps, live);
    // That a write which changes nothing keeps the version is not said; where it gives a new one, that is a change.
    const kept = idle.succeeded ? objectIn(idle) : live;
    const quiet = kept.metadata.resourceVersion === live.metadata.resourceVersion;
    ought('what changes nothing is no change', quiet, match.equal(true));
    const stream = await watcher.watch(configMaps, { resourceVersion: kept.metadata.resourceVersion });
    await author.update(configMaps, kept);
    await author.update(configMaps, { ...kept, data: { a: 1 } });
    await author.get(configMaps, 'doc');
    // A later change fences the quiet: whatever was to be told before it would have come before it.
    await author.given(configMaps, named('fence'));
    const events = must('the fence comes', await stream.upTo(match.event('ADDED', 'fence')));
    const told = events.map(({ object }) => object.metadata.name);
    if (quiet) must('nothing before it', told, match.not(match.containing('doc')));
    else must('no more than the one write', told.filter((name) => name === 'doc').length <= 1, match.equal(true));
  },
);

check(
  'WATCH-ORDER-01.1',
  'the author changes an object often → two watchers see every change once, in order',
  ['WATCH-ORDER-01', 'WATCH-UNIQUE-01', 'WATCH-RELIABLE-01'],
  async ({ author, watcher, rival }) => {
    const live = await author.given(configMaps, named('doc'));
    const { resourceVersion } = live.metadata;
    const streams = [
      await watcher.watch(configMaps, { resourceVersion }),
      await rival.watch(configMaps, { resourceVersion }),
    ];
    const versions: unknown[] = [];
    for (let n = 1; n <= 10; n += 1) {
      const written = await author.prepare((actor) => actor.patch(configMaps, 'doc', 'merge', { data: { n: `${n}` } }));
      versions.push(objectIn(written).metadata.resourceVersion);
    }
    const last = match.both(match.event('MODIFIED', 'doc'), match.eventField('data.n', '10'));
    for (const stream of streams) {
      const events = must('the last change comes', await stream.upTo(last));
      const seen = events
        .filter(({ object }) => object.metadata.name === 'doc')
        .map(({ object }) => object.metadata.resourceVersion);
      must('every change once, in order', seen, match.equal(versions));
    }
  },
);

check(
  'WATCH-RV-03.1',
  'the watcher starts at a version → nothing up to it, everything after it',
  ['WATCH-RV-03'],
  async ({ author, watcher }) => {
    await author.given(configMaps, named('a-before'));
    const { resourceVersion } = listIn(await author.list(configMaps)).metadata;
    await author.given(configMaps, named('b-after'));
    const stream = await watcher.watch(configMaps, { resourceVersion });
    const events = must('what came after is told', await stream.upTo(match.event('ADDED', 'b-after')));
    must(
      'what was before is not',
      events.map(({ object }) => object.metadata.name),
      match.not(match.containing('a-before')),
    );
  },
);

check(
  'WATCH-RV-01.1',
  'the watcher starts without a version → ADDED for what exists, then the changes',
  ['WATCH-RV-01'],
  async ({ author, watcher }) => {
    await author.given(configMaps, named('a'));
    await author.given(configMaps, named('b'));
    const stream = await watcher.watch(configMaps);
    await author.given(configMaps, named('c'));
    const events = must('the change comes', await stream.upTo(match.event('ADDED', 'c')));
    const first = events.slice(0, -1);
    must(
      'what existed came before',
      first.map(({ object }) => object.metadata.name),
      match.containing('a'),
      match.containing('b'),
    );
    must('all as ADDED', first, match.every(match.at('type', 'ADDED')));
  },
);

check(
  'WATCH-RESUME-01.1',
  'the watcher drops a watch and resumes at its last event → exactly what it missed',
  ['WATCH-RESUME-01'],
  async ({ author, watcher }) => {
    const first = await author.given(configMaps, named('a'));
    const dropped = await watcher.watch(configMaps, { resourceVersion: first.metadata.resourceVersion });
    await author.given(configMaps, named('b'));
    const last = must('it sees one', await dropped.until(match.event('ADDED', 'b')));
    dropped.close();
    await author.given(configMaps, named('c'));
    await author.given(configMaps, named('d'));
    const resumed = await watcher.watch(configMaps, { resourceVersion: last.object.metadata.resourceVersion });
    const events = must('it catches up', await resumed.upTo(match.event('ADDED', 'd')));
    must(
      'nothing is missed or repeated',
      events.map(({ object }) => object.metadata.name),
      match.equal(['c', 'd']),
    );
  },
);

check(
  'WATCH-RESUME-02.1',
  'the watcher lists and watches from there while others write → nothing is missed, nothing repeated',
  ['WATCH-RESUME-02'],
  async ({ author, watcher }) => {
    const names = Array.from({ length: 12 }, (_, n) => `doc-${n}`);
    const labels = { mine: 'yes' };
    const writing = Promise.all(names.map((name) => author.given(configMaps, { metadata: { name, labels } })));
    const list = listIn(await watcher.list(configMaps, { labelSelector: 'mine=yes' }));
    const stream = await watcher.watch(configMaps, {
      labelSelector: 'mine=yes',
      resourceVersion: list.metadata.resourceVersion,
    });
    await writing;
    await author.given(configMaps, { metadata: { name: 'fence', labels } });
    const events = must('the last comes', await stream.upTo(match.event('ADDED', 'fence')));
    const seen = [
      ...list.items.map(({ metadata }) => metadata.name),
      ...events.map(({ object }) => object.metadata.name),
    ];
    must('each object once', seen, match.sameItems([...names, 'fence']));
  },
);

check(
  'WATCH-FILTER-01.2',
  'the watcher watches pods by a field, which then changes → removed for whom it ceases to match, added for whom it begins to',
  ['WATCH-FILTER-01', 'WATCH-FILTER-02', 'WATCH-FILTER-03'],
  async ({ author, watcher }) => {
    // Nobody takes it for a node, so that nobody else writes its status.
    const { spec } = pods.least(author.dialect) as { spec: object };
    const live = await author.given(pods, named('doc', { spec: { ...spec, schedulerName: 'touchstone-none' } }));
    const { resourceVersion } = live.metadata;
    const by = (fieldSelector: string) => watcher.watch(pods, { resourceVersion, fieldSelector });
    const pending = await by('status.phase=Pending');
    const running = await by('status.phase=Running,metadata.name=doc');
    const others = await by('status.phase!=Running');
    const phase = (value: string) =>
      author.prepare(async (actor) =>
        actor.request('PATCH', await actor.pathOf(pods, 'doc', 'status'), {
          headers: { 'content-type': PATCH_TYPES.merge },
          body: { status: { phase: value } },
        }),
      );
    const removed = match.both(match.at('type', REMOVED), match.eventField('metadata.name', 'doc'));
    await phase('Running');
    for (const stream of [pending, others]) must('it ceases to match', await stream.until(removed));
    must('it begins to match', await running.until(match.event('ADDED', 'doc')));
    await phase('Failed');
    must('it ceases to match', await running.until(removed));
    must('it begins to match again', await others.until(match.event('ADDED', 'doc')));
    must('of one that never did nothing is told', pending.seen.length, match.equal(1));
  },
);

check(
  'WATCH-FILTER-01.1',
  'the watcher watches by label → objects that match, and as they begin and cease to match',
  ['WATCH-FILTER-01', 'WATCH-FILTER-02', 'WATCH-FILTER-03'],
  async ({ author, watcher }) => {
    await author.given(configMaps, named('other'));
    const { resourceVersion } = listIn(await author.list(configMaps)).metadata;
    const stream = await watcher.watch(configMaps, { labelSelector: 'mine=yes', resourceVersion });
    const label = (value: string | null) =>
      author.prepare((actor) => actor.patch(configMaps, 'other', 'merge', { metadata: { labels: { mine: value } } }));
    await author.given(configMaps, named('never'));
    await label('yes');
    must('beginning to match is ADDED', await stream.until(match.event('ADDED', 'other')));
    await label(null);
    const removed = match.both(match.at('type', REMOVED), match.eventField('metadata.name', 'other'));
    must('ceasing to match is a removal', await stream.until(removed));
    must(
      'the rest is not told',
      stream.seen.map(({ object }) => object.metadata.name),
      match.not(match.containing('never')),
    );
  },
);

check(
  'WATCH-STREAM-03.1',
  'the watcher watches one object by field selector → its events and no others',
  ['WATCH-STREAM-03'],
  async ({ author, watcher }) => {
    const stream = await watcher.watch(configMaps, { fieldSelector: 'metadata.name=mine' });
    await author.given(configMaps, named('other'));
    await author.given(configMaps, named('mine'));
    const events = must('its own is told', await stream.upTo(match.event('ADDED', 'mine')));
    must(
      'no other is',
      events.map(({ object }) => object.metadata.name),
      match.equal(['mine']),
    );
  },
);

check(
  'WATCH-STREAM-03.2',
  'the watcher watches one object by its path → its events and no others',
  ['WATCH-STREAM-03'],
  async ({ author, watcher }) => {
    await author.given(configMaps, named('mine'));
    const path = `${await watcher.pathOf(configMaps, 'mine')}?watch=true`;
    const stream = await watcher.openStream('watcher watches configmaps "mine"', path);
    must('the object as it is comes first', await stream.until(match.event('ADDED', 'mine')));
    for (const other of ['other', 'mine-too', 'min', 'not-mine']) await author.given(configMaps, named(other));
    await author.prepare((actor) => actor.patch(configMaps, 'mine', 'merge', { data: { changed: 'yes' } }));
    must('its change is told', await stream.until(match.event('MODIFIED', 'mine')));
    await author.prepare((actor) => actor.delete(configMaps, 'mine'));
    const { uid = '' } = (await author.given(configMaps, named('mine'))).metadata;
    must('and another of its name', await stream.until(match.eventField('metadata.uid', uid)));
    must(
      'no other is',
      stream.seen.map(({ object }) => object.metadata.name),
      match.every(match.equal('mine')),
    );
  },
);

check(
  'WATCH-BOOKMARK-01.1',
  'the watcher does not allow bookmarks → none is sent',
  ['WATCH-BOOKMARK-01'],
  async ({ author, watcher }) => {
    const stream = await watcher.watch(configMaps);
    await author.given(configMaps, named('a'));
    await author.given(configMaps, named('fence'));
    const events = must('changes come', await stream.upTo(match.event('ADDED', 'fence')));
    must('no bookmark among them', events, match.every(match.at('type', match.not('BOOKMARK'))));
  },
);

check(
  'STREAM-INITIAL-01.1',
  'the watcher asks for initial events → ADDED for each, then a bookmark, then changes',
  ['STREAM-INITIAL-01', 'STREAM-INITIAL-02', 'WATCH-BOOKMARK-02'],
  async ({ author, watcher }) => {
    await author.given(configMaps, { metadata: { name: 'a', labels: { mine: 'yes' } } });
    const query = {
      labelSelector: 'mine=yes',
      sendInitialEvents: true,
      allowWatchBookmarks: true,
      resourceVersionMatch: 'NotOlderThan',
    };
    const stream = await watcher.watch(configMaps, query);
    const events = must('a bookmark closes the state', await stream.upTo(match.event('BOOKMARK')));
    must(
      'the state comes before it',
      events.slice(0, -1).map(({ object }) => object.metadata.name),
      match.equal(['a']),
    );
    const bookmark = events.at(-1);
    must(
      'it is of the kind and carries the version',
      bookmark?.object,
      match.at('kind', 'ConfigMap'),
      match.at('metadata.resourceVersion', match.aString),
    );
    must(
      'and nothing of an object',
      bookmark?.object,
      match.at('data', match.empty),
      match.at('metadata.name', match.empty),
    );
    await author.given(configMaps, { metadata: { name: 'b', labels: { mine: 'yes' } } });
    must('changes follow', await stream.until(match.event('ADDED', 'b')));
  },
);

check(
  'STREAM-INITIAL-03.1',
  'the watcher asks for initial events without NotOlderThan → 4xx',
  ['STREAM-INITIAL-03'],
  async ({ watcher }) => {
    must(
      'the match is required',
      await watcher.list(configMaps, { watch: true, sendInitialEvents: true, timeoutSeconds: 5 }),
      match.refusal,
    );
  },
);
