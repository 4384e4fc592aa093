import { COLLECTIONS, NAMESPACED_COLLECTIONS } from '../../../fixtures/ledger/index.ts';
import type { ApiObject, Query, WatchEvent } from '../../harness/index.ts';
import { apiVersionOf, check, clause, clausesOf, listIn, match, must, valueAt } from '../../harness/index.ts';
import { type Collection, collectionOf, needsOfCollection } from '../collections.ts';

const HOLD = 'touchstone.example/hold';
const KNOWN = ['ADDED', 'MODIFIED', 'BOOKMARK', 'ERROR'];

/** A removal, whose name the text leaves open. */
const removal = (name: string) =>
  match.both(match.eventField('metadata.name', name), {
    allows: 'an event that is neither ADDED, MODIFIED nor BOOKMARK',
    differences: (event: WatchEvent, at: string) =>
      match.equal(false).differences(KNOWN.includes(event.type), `${at}type ${event.type}`),
  });
const named = (collection: Collection, type: string, word: string) => match.event(type, collection.nameOf(word));
const fullIn = (events: readonly WatchEvent[]) => events.map(({ object }) => object);
const namesIn = (events: readonly WatchEvent[]) => events.map(({ object }) => object.metadata.name);

for (const name of COLLECTIONS) {
  check(
    `WATCH-RV-01.2/${name}`,
    `the watcher watches ${name} → every change of what it selects, in full, and nothing else`,
    [
      ...clausesOf('WATCH-RV-01', name),
      ...clausesOf('WATCH-RV-02', name),
      ...clausesOf('WATCH-RV-03', name),
      ...clausesOf('WATCH-ADDED-01', name),
      `WATCH-MODIFIED-01/${name}`,
      ...clausesOf('WATCH-DELETED-01', name),
      `WATCH-DELETED-02/${name}`,
      ...clausesOf('WATCH-FILTER-01', name),
      ...clausesOf('WATCH-FILTER-02', name),
      ...clausesOf('WATCH-FILTER-03', name),
      ...clausesOf('WATCH-RESUME-01', name),
      ...clausesOf('WATCH-RESUME-02', name),
      `WATCH-STREAM-03/${name}`,
    ],
    needsOfCollection(name),
    async ({ author }) => {
      const collection = await collectionOf(author, name);
      const given = [await collection.add('a', { in: 'no' }), await collection.add('bb', { in: 'yes' })];
      const listed = listIn(await collection.list());
      await clause(`WATCH-RV-01/${name}`, async () => {
        const stream = await collection.watch();
        // In which order is not said.
        must('the first comes', await stream.until(match.event('ADDED')));
        must('and the second', await stream.until(match.event('ADDED')));
        must('each once', namesIn(stream.seen), match.sameItems(collection.namesOf(['a', 'bb'])));
        must('in full', fullIn(stream.seen), match.sameItems(given as never[]));
        // A limit is one of lists: a watch has none, or cannot have one.
        const limited = await collection.watch({ limit: 1 });
        must('it is open, or there are none', limited.opening, match.either(match.status(200), match.refusal));
        if (limited.opening.status !== 200) return;
        for (const _ of given) must('with a limit all come', await limited.until(match.event('ADDED')));
        must('each once', namesIn(limited.seen), match.sameItems(collection.namesOf(['a', 'bb'])));
        limited.close();
      });
      await clause(`WATCH-RV-02/${name}`, async () => {
        const stream = await collection.watch({ resourceVersion: '0' });
        // Any state may come first: the two are there in the end.
        must('the state comes', await stream.until(named(collection, 'ADDED', 'bb')));
        const fieldSelector = `metadata.name=${collection.nameOf('bb')}`;
        const one = await collection.watch({ resourceVersion: '0', fieldSelector });
        must('that of one name too', await one.until(named(collection, 'ADDED', 'bb')));
      });
      const since = await collection.watch({ resourceVersion: listed.metadata.resourceVersion });
      const filtered = await collection.watch(
        { resourceVersion: listed.metadata.resourceVersion },
        `${collection.selector},in=yes`,
      );
      const c = await collection.add('c', { in: 'no' });
      await clause([`WATCH-RV-03/${name}`, `WATCH-ADDED-01/${name}`], async () => {
        const events = must('a creation is told', await since.upTo(named(collection, 'ADDED', 'c')));
        must('and nothing before it', namesIn(events), match.equal(collection.namesOf(['c'])));
        must('in full', events[0]?.object, match.equal(c as never));
      });
      await clause(`WATCH-RV-03/${name}`, async () => {
        const { resourceVersion } = listed.metadata;
        const one = await collection.watch({
          resourceVersion,
          fieldSelector: `metadata.name=${collection.nameOf('a')}`,
        });
        await collection.mark('a', 'one');
        const events = must('a change is told', await one.upTo(named(collection, 'MODIFIED', 'a')));
        must('of one object too nothing before it', namesIn(events), match.equal(collection.namesOf(['a'])));
        one.close();
      });
      const changed = await collection.change('c', { labels: { in: 'yes' } });
      await clause(`WATCH-MODIFIED-01/${name}`, async () => {
        const event = must('a change is told', await since.until(named(collection, 'MODIFIED', 'c')));
        must('in full', event.object, match.equal(changed as never));
      });
      await collection.change('c', { labels: { in: 'no' } });
      const marked = await collection.mark('a', 'x');
      await clause(`WATCH-MODIFIED-01/${name}`, async () => {
        const word = match.eventField('metadata.annotations.word', 'x');
        const event = must('so is one of an annotation', await since.until(word));
        must(
          'as a change, in full',
          event,
          match.at('type', 'MODIFIED'),
          match.at('object', match.equal(marked as never)),
        );
      });
      await collection.mark('bb', 'fence');
      await clause(clausesOf('WATCH-FILTER-01', name), async () => {
        const fence = match.both(
          named(collection, 'MODIFIED', 'bb'),
          match.eventField('metadata.annotations.word', 'fence'),
        );
        const events = must('the fence comes', await filtered.upTo(fence));
        must('of what is selected, and no other', namesIn(events), match.equal(collection.namesOf(['c', 'c', 'bb'])));
      });
      await clause(clausesOf('WATCH-FILTER-02', name), async () => {
        const first = filtered.seen.find(({ object }) => object.metadata.name === collection.nameOf('c'));
        must('what begins to match is added', first, match.at('type', 'ADDED'));
      });
      await clause(clausesOf('WATCH-FILTER-03', name), async () => {
        const last = filtered.seen.findLast(({ object }) => object.metadata.name === collection.nameOf('c'));
        must('what ceases to match is removed', KNOWN.includes(last?.type ?? 'ADDED'), match.equal(false));
      });
      await collection.remove('c');
      await clause(`WATCH-DELETED-01/${name}`, async () => {
        const event = must('a removal is told', await since.until(removal(collection.nameOf('c'))));
        must('of that object', event.object.metadata.uid, match.equal(c.metadata.uid ?? ''));
        const { uid = '' } = (await collection.add('hh', { in: 'no', part: 'gone' })).metadata;
        const labelSelector = `${collection.selector},part=gone`;
        await author.prepare(() => author.deleteAll(collection.kind, { labelSelector }));
        const gone = must('of all that is deleted too', await since.until(removal(collection.nameOf('hh'))));
        must('of each object', gone.object.metadata.uid, match.equal(uid));
      });
      await clause(`WATCH-ADDED-01/${name}`, async () => {
        const again = await collection.add('c', { in: 'no' });
        const event = must(
          'its name is created anew',
          await since.until(match.eventField('metadata.uid', again.metadata.uid ?? '')),
        );
        must('as any creation', event.type, match.equal('ADDED'));
        await collection.remove('c');
        must('and it is gone again', await since.until(removal(collection.nameOf('c'))));
      });
      await clause(`WATCH-DELETED-02/${name}`, async () => {
        await collection.add('dd', {}, { finalizers: [HOLD] });
        await collection.remove('dd');
        const deleting = match.both(
          named(collection, 'MODIFIED', 'dd'),
          match.eventField('metadata.deletionTimestamp', match.aTimestamp),
        );
        must('what is held up is changed', await since.until(deleting));
        await collection.change('dd', { finalizers: [] });
        must('and removed later', await since.until(removal(collection.nameOf('dd'))));
      });
      const last = since.seen.at(-1)?.object.metadata.resourceVersion;
      since.close();
      await collection.add('e');
      await collection.mark('e', 'fence');
      await clause(`WATCH-RESUME-01/${name}`, async () => {
        const again = await collection.watch({ resourceVersion: last });
        const events = must('what came since', await again.upTo(named(collection, 'MODIFIED', 'e')));
        must('exactly that', namesIn(events), match.equal(collection.namesOf(['e', 'e'])));
      });
      await clause(`WATCH-RESUME-02/${name}`, async () => {
        // So that the last change before the list is of no object in it.
        await collection.add('gg');
        await collection.remove('gg');
        const from = listIn(await collection.list());
        // The version is that at which the list was built, whatever is selected or shown of it.
        const versions: unknown[] = [];
        for (const query of [{ fieldSelector: 'metadata.name!=touchstone-none' }, { limit: 500 }])
          versions.push(listIn(await collection.list(query)).metadata.resourceVersion);
        const accept = `application/json;as=Table;g=meta.${author.dialect.apiDomain};v=v1, application/json`;
        const table = await collection.list({}, collection.selector, { accept });
        versions.push(valueAt(table.json, ['metadata', 'resourceVersion']));
        const state = new Map(from.items.map((item) => [item.metadata.name, item as ApiObject]));
        await collection.add('ff');
        await collection.remove('e');
        await collection.mark('a', 'last');
        const stream = await collection.watch({ resourceVersion: from.metadata.resourceVersion });
        const events = must('up to now', await stream.upTo(named(collection, 'MODIFIED', 'a')));
        must('nothing is told twice', namesIn(events), match.sameItems(collection.namesOf(['ff', 'e', 'a'])));
        for (const version of versions) {
          const since = await collection.watch({ resourceVersion: String(version) });
          const told = must('so from any list', await since.upTo(named(collection, 'MODIFIED', 'a')));
          must('is nothing missed or repeated', namesIn(told), match.sameItems(collection.namesOf(['ff', 'e', 'a'])));
          since.close();
        }
        for (const { type, object } of events) {
          if (KNOWN.includes(type)) state.set(object.metadata.name, object);
          else state.delete(object.metadata.name);
        }
        const now = listIn(await collection.list()).items;
        must('list and watch give the state', [...state.values()].map(stamp), match.sameItems(now.map(stamp)));
      });
      await clause([`WATCH-STREAM-03/${name}`, ...clausesOf('WATCH-FILTER-01', name)], async () => {
        const fieldSelector = `metadata.name=${collection.nameOf('mm')}`;
        const one = await collection.watch({ fieldSelector });
        // Names that begin or end as its own does.
        for (const almost of ['m', 'mm-too', 'not-mm']) await collection.add(almost);
        const first = await collection.add('mm');
        await collection.mark('ff', 'other');
        await collection.remove('mm');
        must('its end is told', await one.until(removal(collection.nameOf('mm'))));
        const second = await collection.add('mm');
        const again = match.eventField('metadata.uid', second.metadata.uid ?? '');
        must('and another of its name', await one.until(again));
        const uids = one.seen.map(({ object }) => object.metadata.uid ?? '');
        must('and no other', uids, match.equal([first, first, second].map(({ metadata }) => metadata.uid ?? '')));
        one.close();
      });
    },
  );

  check(
    `STREAM-INITIAL-01.2/${name}`,
    `the watcher streams ${name} when it is empty and when it is not → its state, a bookmark where asked, then changes`,
    [
      ...clausesOf('STREAM-INITIAL-01', name),
      ...clausesOf('STREAM-INITIAL-02', ['empty', 'some', 'table'], name),
      ...clausesOf('STREAM-INITIAL-03', name),
      ...clausesOf('WATCH-BOOKMARK-01', name),
      ...clausesOf('WATCH-BOOKMARK-02', name),
    ],
    needsOfCollection(name),
    async ({ author, dialect }) => {
      const collection = await collectionOf(author, name);
      const streaming = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
      const accept = `application/json;as=Table;g=meta.${dialect.apiDomain};v=v1`;
      const given: ApiObject[] = [];
      /** Versions of the bookmarks after initial events, and what was left out of these. */
      const synced: { readonly version: string; readonly left: readonly string[] }[] = [];
      for (const [at, before, fence] of [
        ['empty', [], 'a'],
        ['some', ['a', 'bb'], 'c'],
      ] as const) {
        const gone = at === 'some' ? await collection.add('dd') : undefined;
        if (gone) await collection.remove('dd');
        if (at === 'some') given.push(await collection.add('bb'));
        const marked = await collection.watch({ ...streaming, allowWatchBookmarks: true });
        // To decline them is as not to ask for them.
        const unmarked = await collection.watch(
          at === 'some' ? { ...streaming, allowWatchBookmarks: false } : streaming,
        );
        const fieldSelector = `metadata.name=${collection.nameOf('bb')}`;
        const single = await collection.watch({ ...streaming, allowWatchBookmarks: true, fieldSelector });
        let bookmark: WatchEvent | undefined;
        const first = at === 'some' ? clausesOf('STREAM-INITIAL-01', name) : [];
        await clause([...first, `STREAM-INITIAL-02/${at}/${name}`], async () => {
          const events = must('a bookmark comes', await marked.upTo(match.event('BOOKMARK')));
          bookmark = events.at(-1);
          const initial = events.slice(0, -1);
          must('all that there is comes first, once', namesIn(initial), match.sameItems(collection.namesOf(before)));
          must('in full', fullIn(initial), match.sameItems(given as never[]));
          must(
            'as added',
            initial.every(({ type }) => type === 'ADDED'),
            match.equal(true),
          );
          must('it has a version', bookmark, match.at('object.metadata.resourceVersion', match.aString));
        });
        await clause([...first, `STREAM-INITIAL-02/${at}/${name}`], async () => {
          const events = must('a bookmark comes for one name too', await single.upTo(match.event('BOOKMARK')));
          const one = before.filter((word) => word === 'bb');
          must('after that one alone', namesIn(events.slice(0, -1)), match.equal(collection.namesOf(one)));
          single.close();
        });
        await clause(`STREAM-INITIAL-02/table/${name}`, async () => {
          const tables = await collection.watch({ ...streaming, allowWatchBookmarks: true }, undefined, { accept });
          must('it is open, or there are none', tables.opening, match.status(200, 406));
          if (tables.opening.status !== 200) return;
          const events = must('a bookmark ends Tables too', await tables.upTo(match.event('BOOKMARK')));
          tables.close();
          must('one for each object comes first', events.slice(0, -1), match.size(before.length));
          const version = events.at(-1)?.object.metadata.resourceVersion;
          must('it has a version', version, match.aString);
          if (at === 'some') synced.push({ version: version ?? '', left: [] });
        });
        if (at === 'some')
          await clause(first, async () => {
            const limited = await collection.watch({ ...streaming, allowWatchBookmarks: true, limit: 1 });
            must('it is open, or there are none', limited.opening, match.either(match.status(200), match.refusal));
            if (limited.opening.status !== 200) return;
            const events = must('a bookmark comes with a limit too', await limited.upTo(match.event('BOOKMARK')));
            limited.close();
            must(
              'all that there is comes first',
              namesIn(events.slice(0, -1)),
              match.sameItems(collection.namesOf(before)),
            );
          });
        if (at === 'some')
          await clause(first, async () => {
            const present = listIn(await collection.list()).metadata.resourceVersion ?? '';
            // What was deleted may still be there where an older state is taken, and not in one as of a later version.
            const since = gone?.metadata.resourceVersion ?? '';
            const versions = [...given.map(({ metadata }) => metadata.resourceVersion ?? ''), present, since];
            for (const [index, resourceVersion] of ['', '0', ...versions].entries())
              for (const more of [{}, { fieldSelector }]) {
                const query = { ...streaming, allowWatchBookmarks: true, resourceVersion, ...more };
                const from = await collection.watch(query);
                const events = must('a bookmark ends them', await from.upTo(match.event('BOOKMARK')));
                from.close();
                const isLate = index === 0 || index === 3 || index === 4;
                const initial = events
                  .slice(0, -1)
                  .filter(({ object }) => isLate || object.metadata.uid !== gone?.metadata.uid);
                const bb = collection.nameOf('bb');
                const asked = given.filter((each) => !('fieldSelector' in more) || each.metadata.name === bb);
                // The state is as of that version or a later one, and of any one for 0.
                const then = { 1: [], 2: given.slice(0, 1), 5: given.slice(0, 1) }[index] ?? given;
                const known = asked.filter((each) => namesIn(initial).includes(each.metadata.name));
                const [told, there] = [namesIn(initial), known.map(({ metadata }) => metadata.name)];
                must('none is told that is not there, or twice', told, match.sameItems(there));
                if (index !== 1) must('in full', fullIn(initial), match.sameItems(known as never[]));
                must(
                  `at ${resourceVersion || 'none'} the state has what there was by then`,
                  asked.filter((each) => then.includes(each) && !known.includes(each)),
                  match.empty,
                );
                must('all as added', initial, match.every(match.at('type', 'ADDED')));
                if ('fieldSelector' in more) continue;
                const version = events.at(-1)?.object.metadata.resourceVersion ?? '';
                synced.push({
                  version,
                  left: given.filter((each) => !known.includes(each)).map(({ metadata }) => metadata.name),
                });
              }
          });
        if (at === 'some') {
          await clause(`WATCH-BOOKMARK-02/${name}`, async () => {
            const { metadata, ...type } = bookmark?.object ?? { metadata: {} };
            const kind = { apiVersion: apiVersionOf(collection.kind, dialect), kind: collection.kind.kind };
            must('it is of the kind', type, match.including(kind));
            const content = Object.entries(type).filter(([member, value]) => !(member in kind) && !isEmpty(value));
            must('it has no content', content, match.empty);
            // The annotation by which clients know the end of the initial events is what servers add (see the departures).
            const { resourceVersion, creationTimestamp, annotations, ...rest } = metadata as Record<string, unknown>;
            const others = Object.entries({ ...rest, creationTimestamp }).filter(([, value]) => !isEmpty(value));
            must('and of metadata the version', [others.length, typeof resourceVersion], match.equal([0, 'string']));
            const notes = Object.keys((annotations ?? {}) as object).filter(
              (key) => !key.endsWith('/initial-events-end'),
            );
            must('no annotation but that of the end', notes, match.empty);
          });
        }
        await collection.add(fence);
        await clause(`STREAM-INITIAL-02/${at}/${name}`, async () => {
          must('then changes come', await marked.until(named(collection, 'ADDED', fence)));
          const { resourceVersion } = bookmark?.object.metadata ?? {};
          // A server may want a match for nothing but initial events.
          const declined = { sendInitialEvents: false, resourceVersionMatch: 'NotOlderThan' };
          for (const more of [{}, declined]) {
            const resumed = await collection.watch({ resourceVersion, ...more });
            if (more === declined && resumed.opening.status !== 200) continue;
            const events = must('they come from there too', await resumed.upTo(named(collection, 'ADDED', fence)));
            must('and nothing that it marks as sent', namesIn(events), match.equal(collection.namesOf([fence])));
            resumed.close();
          }
          for (const { version, left } of synced) {
            const resumed = await collection.watch({ resourceVersion: version });
            const events = must('they come from each', await resumed.upTo(named(collection, 'ADDED', fence)));
            must(
              'without what came before it',
              namesIn(events),
              match.sameItems([...left, ...collection.namesOf([fence])]),
            );
            resumed.close();
          }
        });
        await clause(`WATCH-BOOKMARK-01/${at}/${name}`, async () => {
          given.push(await collection.mark(fence, 'fence'));
          const events = must('the fence comes', await unmarked.upTo(named(collection, 'MODIFIED', fence)));
          must(
            'no bookmark was asked for',
            events.filter(({ type }) => type === 'BOOKMARK'),
            match.empty,
          );
        });
        marked.close();
        unmarked.close();
      }
      await clause(`STREAM-INITIAL-03/${name}`, async () => {
        for (const resourceVersionMatch of [undefined, 'Exact']) {
          const stream = await collection.watch({
            sendInitialEvents: true,
            allowWatchBookmarks: true,
            resourceVersionMatch,
          });
          must('it must be NotOlderThan', stream.opening, match.refusal);
        }
      });
    },
  );
}

for (const name of NAMESPACED_COLLECTIONS) {
  check(
    `URL-ALL-01.3/${name}`,
    `the author lists and watches ${name} with objects in two namespaces → those that belong to it`,
    clausesOf('URL-ALL-01', name),
    needsOfCollection(name),
    async ({ author }) => {
      const collection = await collectionOf(author, name);
      const { kind } = collection;
      const { labels } = (await collection.add('bb')).metadata;
      const since = listIn(await collection.list()).metadata.resourceVersion;
      const early = await collection.watch({ resourceVersion: since });
      const byName = { fieldSelector: `metadata.name=${collection.nameOf('other')}` };
      const single = await collection.watch({ resourceVersion: since, ...byName });
      // The second namespace is made when it is first used.
      const other = author.elsewhere();
      const made = await other.given(kind, { metadata: { name: 'other', labels } });
      const seen = collection.everywhere ? ['bb', 'other'] : ['bb'];
      await clause(`URL-ALL-01/list/${name}`, async () => {
        must('what belongs to it', await collection.list(), match.status(200), collection.holds(seen));
        // A list may have a version that changes of other types led to, which those who serve this one have yet to hear of.
        const { resourceVersion } = made.metadata;
        const manners: readonly (readonly [Query, readonly string[], string?])[] = [
          [byName, collection.everywhere ? ['other'] : []],
          // Over all namespaces others have objects of that name too.
          ...(collection.everywhere ? [] : [[byName, [], ''] as const]),
          [{ fieldSelector: 'metadata.name!=nobody' }, seen],
          [{ limit: 500 }, seen],
          [{ resourceVersion, resourceVersionMatch: 'NotOlderThan' }, seen],
          [{ resourceVersion, resourceVersionMatch: 'Exact' }, seen],
        ];
        const asked = manners.map(([query, , selector]) => collection.list(query, selector));
        for (const [at, answer] of (await Promise.all(asked)).entries())
          must('in each manner', answer, match.status(200), collection.holds(manners[at]?.[1] ?? []));
      });
      await clause(`URL-ALL-01/initial/${name}`, async () => {
        const initial = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true };
        const { resourceVersion } = listIn(await collection.list()).metadata;
        for (const [query, words] of [
          [{}, seen],
          [{ resourceVersion }, seen],
          [byName, collection.everywhere ? ['other'] : []],
        ] as const) {
          const stream = await collection.watch({ ...initial, ...query });
          // Whether they may be asked for is a question of its own.
          must('it is opened or refused', stream.opening, match.either(match.refusal, match.status(200)));
          if (stream.opening.status !== 200) continue;
          const events = must('a bookmark ends them', await stream.upTo(match.event('BOOKMARK'))).slice(0, -1);
          stream.close();
          must('what belongs to it', namesIn(events), match.sameItems(collection.namesOf(words)));
        }
      });
      await clause(`URL-ALL-01/watch/${name}`, async () => {
        const stream = await collection.watch();
        const cached = await collection.watch({ resourceVersion: '0' });
        await other.prepare(() => other.patch(kind, 'other', 'merge', { metadata: { annotations: { word: 'x' } } }));
        await collection.mark('bb', 'fence');
        const fence = match.both(
          named(collection, 'MODIFIED', 'bb'),
          match.eventField('metadata.annotations.word', 'fence'),
        );
        const events = must('the fence comes', await stream.upTo(fence));
        must('what belongs to it', [...new Set(namesIn(events))], match.sameItems(seen));
        const changes = events.filter(({ type }) => type === 'MODIFIED');
        must('changes too', namesIn(changes), match.equal(collection.everywhere ? ['other', 'bb'] : ['bb']));
        // It may begin with any state, of what belongs to it.
        const since0 = namesIn(must('and in one from any state', await cached.upTo(fence)));
        must(
          'nothing else',
          since0.filter((each) => !collection.namesOf(seen).includes(each)),
          match.empty,
        );
        cached.close();
        const told = must('one that began before the namespace did too', await early.upTo(fence));
        must(
          'what belongs to it',
          namesIn(told),
          match.equal(collection.everywhere ? ['other', 'other', 'bb'] : ['bb']),
        );
        const own = collection.everywhere ? other : author;
        if (!collection.everywhere) await author.given(kind, { metadata: { name: 'other', labels } });
        const first = must('of one name too', await single.until(match.event('ADDED')));
        must('in its own namespace', first.object.metadata.namespace, match.equal(await own.namespace()));
      });
      if (collection.everywhere) return;
      await clause(clausesOf('URL-ALL-01', 'delete', name), async () => {
        // The name of the second namespace begins with that of the first.
        must(
          'all of one namespace is deleted',
          await author.deleteAll(kind, { labelSelector: collection.selector }),
          match.success,
        );
        must('it is gone', await collection.list(), collection.holds([]));
        must('what belongs to the other stays', await other.get(kind, 'other'), match.status(200));
      });
    },
  );
}

/** What tells a state of an object from every other. */
const stamp = ({ metadata: { name, uid, resourceVersion } }: ApiObject) => `${name} ${uid} ${resourceVersion}`;

/** Whether a member says nothing. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
  return value === undefined || value === null || value === '';
}
