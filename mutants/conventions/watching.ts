import { isDeepStrictEqual } from 'node:util';
import { COLLECTIONS, clausesOf, FIELD_SELECTIONS, METADATA_PARTS } from '../../fixtures/ledger/index.ts';
import { isObject } from '../../reference/api/json.ts';
import type { WatchEvent } from '../../reference/contracts/answer.ts';
import { handedOn, onVerbs, onWatchEvents, withQuery } from '../alter.ts';
import { asking, onFrames, onSinks, startsAtVersion } from '../asking.ts';
import type { Mutant } from '../mutant.ts';
import { recommit } from '../oneType.ts';

/** What each change of an object may change beside what it is about. */
const CHANGING = ['resourceVersion', 'generation'];

/**
 * Watches that leave out changes of an object after which all is as before but these members of its metadata. How an
 * object begins to be deleted, and goes on so, is told.
 */
const quietAbout = (members: readonly string[]) =>
  onWatchEvents(() => {
    let before: unknown;
    return (event) => {
      if (!('entry' in event)) return [event];
      const { object } = event.entry;
      const kept = Object.entries(object.metadata).filter(([member]) => !members.includes(member));
      const now = { ...object, metadata: Object.fromEntries(kept) };
      const isSame = isDeepStrictEqual(before, now) && !object.metadata.deletionTimestamp;
      before = now;
      return event.type === 'MODIFIED' && isSame ? [] : [event];
    };
  });

/** Watches that leave out, repeat or misname what happened. */
export const WATCHING: readonly Mutant[] = [
  {
    id: 'watch-drops-delete',
    breaks: [...clausesOf('WATCH-DELETED-01')],
    sentence: 'A watch never tells that an object was deleted.',
    defect: () => onWatchEvents(() => (event) => (event.type === 'DELETED' ? [] : [event])),
  },
  {
    id: 'watch-names-creation-modified',
    breaks: [...clausesOf('WATCH-ADDED-01')],
    sentence: 'A watch calls the creation of an object MODIFIED.',
    defect: () => onWatchEvents(() => (event) => [event.type === 'ADDED' ? { ...event, type: 'MODIFIED' } : event]),
  },
  {
    id: 'watch-names-change-added',
    breaks: [...clausesOf('WATCH-MODIFIED-01')],
    sentence: 'A watch calls every change ADDED.',
    defect: () => onWatchEvents(() => (event) => [event.type === 'MODIFIED' ? { ...event, type: 'ADDED' } : event]),
  },
  {
    id: 'changes-of-metadata-alone-are-not-told',
    breaks: clausesOf('WATCH-MODIFIED-01', METADATA_PARTS),
    sentence: 'A watch does not tell of changes of labels, annotations, owners and managedFields alone.',
    defect: () => quietAbout([...CHANGING, 'labels', 'annotations', 'ownerReferences', 'managedFields']),
  },
  {
    id: 'changes-of-ownership-alone-are-not-told',
    breaks: clausesOf('WATCH-MODIFIED-01', 'ownership'),
    sentence: 'A watch does not tell of changes of managedFields alone.',
    defect: () => quietAbout([...CHANGING, 'managedFields']),
  },
  {
    id: 'deleting-objects-are-told-bare',
    breaks: [...clausesOf('WATCH-DELETED-02', 'held'), ...clausesOf('WATCH-MODIFIED-01', 'freed')],
    sentence: 'A watch shows objects that are being deleted without the records of who wrote them.',
    defect: () =>
      onFrames(({ object }) => {
        if (isObject(object) && isObject(object.metadata) && object.metadata.deletionTimestamp)
          delete object.metadata.managedFields;
      }),
  },
  {
    id: 'watch-repeats-events',
    breaks: ['WATCH-UNIQUE-01'],
    sentence: 'A watch sends each change twice.',
    defect: () => onWatchEvents(() => (event) => [event, event]),
  },
  {
    id: 'watch-skips-events',
    breaks: ['WATCH-RELIABLE-01'],
    sentence: 'A watch leaves out every third event.',
    defect: () =>
      onWatchEvents(() => {
        let seen = 0;
        return (event) => (++seen % 3 === 0 ? [] : [event]);
      }),
  },
  {
    id: 'watch-swaps-neighbours',
    breaks: ['WATCH-ORDER-01'],
    sentence: 'A watch sends events in pairs, each pair in the wrong order.',
    defect: () =>
      onWatchEvents(() => {
        let held: Parameters<ReturnType<Parameters<typeof onWatchEvents>[0]>>[0] | undefined;
        return (event) => {
          if (!held) {
            held = event;
            return [];
          }
          const pair = [event, held];
          held = undefined;
          return pair;
        };
      }),
  },
  {
    id: 'watch-bookmarks-unasked',
    breaks: [...clausesOf('WATCH-BOOKMARK-01')],
    sentence: 'A watch sends a bookmark after each event, asked for or not.',
    defect: () =>
      onWatchEvents(
        () => (event) =>
          event.type === 'BOOKMARK' || event.type === 'ERROR'
            ? [event]
            : [event, { type: 'BOOKMARK', revision: event.entry.modRevision, initialEventsEnd: false }],
      ),
  },
  {
    id: 'watch-ignores-selector',
    breaks: [...clausesOf('WATCH-FILTER-01')],
    sentence: 'A watch sends the events of all objects, whatever its label selector.',
    defect: () => onVerbs(['watch'], (call, serve) => serve(withQuery(call, (query) => query.delete('labelSelector')))),
  },
  {
    id: 'initial-events-without-bookmark',
    breaks: [...clausesOf('STREAM-INITIAL-02')],
    sentence: 'No bookmark ends the initial events.',
    defect: () => onWatchEvents(() => (event) => (event.type === 'BOOKMARK' && event.initialEventsEnd ? [] : [event])),
  },
  {
    id: 'initial-tables-without-bookmark',
    breaks: clausesOf('STREAM-INITIAL-02', 'table'),
    sentence: 'No bookmark ends the initial events of a watch of Tables.',
    defect: () =>
      onSinks((sink, { exchange: { request } }) => {
        if (!String(request.headers.accept).includes('as=Table')) return undefined;
        const isEnd = (event: WatchEvent) => event.type === 'BOOKMARK' && event.initialEventsEnd;
        return { ...handedOn(sink), event: (event) => (isEnd(event) ? true : sink.event(event)) };
      }),
  },
  {
    id: 'limits-cut-initial-events',
    breaks: [...clausesOf('WATCH-RV-01', COLLECTIONS), ...clausesOf('STREAM-INITIAL-01', COLLECTIONS)],
    sentence: 'A watch with a limit begins with no more objects than that.',
    defect: () =>
      onSinks((sink, call) => {
        const limit = Number(call.exchange.request.query.get('limit'));
        if (!limit || startsAtVersion(call)) return undefined;
        const present = call.services.store.revision() as number;
        let sent = 0;
        const isCut = (event: WatchEvent) => 'entry' in event && event.entry.modRevision <= present && ++sent > limit;
        return { ...handedOn(sink), event: (event) => (isCut(event) ? true : sink.event(event)) };
      }),
  },
  {
    id: 'initial-events-end-at-the-newest-object',
    breaks: [...clausesOf('STREAM-INITIAL-02', ['deleted', 'left']), ...clausesOf('STREAM-INITIAL-05')],
    sentence: 'The bookmark after the initial events has the version of the newest object that was sent.',
    defect: () =>
      onWatchEvents(() => {
        let newest = 0;
        return (event) => {
          if ('entry' in event) newest = Math.max(newest, event.entry.modRevision);
          if (event.type !== 'BOOKMARK' || !event.initialEventsEnd || newest === 0) return [event];
          return [{ ...event, revision: newest }];
        };
      }),
  },
  {
    id: 'initial-events-are-newer-than-the-version',
    breaks: clausesOf('STREAM-INITIAL-01', COLLECTIONS),
    sentence: 'Initial events at a given version leave out what is not newer than that.',
    defect: () =>
      onSinks((sink, { exchange: { request } }) => {
        const from = Number(request.query.get('resourceVersion'));
        if (request.query.get('sendInitialEvents') !== 'true' || !from) return undefined;
        return {
          ...handedOn(sink),
          event: (event) => ('entry' in event && event.entry.modRevision <= from ? true : sink.event(event)),
        };
      }),
  },
  {
    id: 'watch-begins-without-state',
    breaks: [...clausesOf('WATCH-RV-01'), ...clausesOf('WATCH-RV-02'), ...clausesOf('STREAM-INITIAL-01')],
    sentence: 'A watch that should begin with what exists begins with the next change.',
    defect: () =>
      onSinks((sink, call) => {
        if (startsAtVersion(call)) return undefined;
        const present = call.services.store.revision() as number;
        return {
          ...handedOn(sink),
          event: (event) => ('entry' in event && event.entry.modRevision <= present ? true : sink.event(event)),
        };
      }),
  },
  {
    id: 'watch-events-lack-kind',
    breaks: ['WATCH-STREAM-01'],
    sentence: 'Objects in watch events have no kind.',
    defect: () =>
      onFrames((event) => {
        if (isObject(event.object)) event.object.kind = '';
      }),
  },
  {
    id: 'watch-announces-its-length',
    breaks: ['WATCH-STREAM-02'],
    sentence: 'A watch says how long it will be, and is not sent in chunks.',
    defect: () => ({
      reply: (reply) =>
        reply.kind === 'stream' ? { ...reply, headers: { ...reply.headers, 'content-length': '1000000' } } : reply,
    }),
  },
  {
    id: 'watch-ignores-field-selector',
    breaks: ['WATCH-STREAM-03'],
    sentence: 'A watch sends the events of all objects, whatever its field selector.',
    defect: () => asking(['watch'], (query) => query.delete('fieldSelector')),
  },
  {
    id: 'watch-of-one-goes-by-the-beginning-of-its-name',
    breaks: clausesOf('WATCH-STREAM-03'),
    sentence: 'A watch of one object sends the events of those whose names begin as its name does.',
    defect: () =>
      onVerbs(['watch'], async (call, serve) => {
        const given = call.exchange.request.query.get('fieldSelector') ?? '';
        const [, name] = /^metadata\.name=(.+)$/.exec(given) ?? [];
        if (name === undefined) return serve(call);
        const answer = await serve(withQuery(call, (query) => query.delete('fieldSelector')));
        if (answer.kind !== 'watch') return answer;
        const isMeant = (event: WatchEvent) =>
          !('entry' in event) || (event.entry.object.metadata.name ?? '').startsWith(name);
        return {
          ...answer,
          open: (sink) =>
            answer.open({ ...handedOn(sink), event: (event) => (isMeant(event) ? sink.event(event) : true) }),
        };
      }),
  },
  {
    id: 'watch-of-one-ends-with-it',
    breaks: clausesOf('WATCH-STREAM-03'),
    sentence: 'A watch of one object says nothing after it was removed.',
    defect: () =>
      onSinks((sink, { exchange }) => {
        if (!exchange.request.query.has('fieldSelector')) return undefined;
        let removed = false;
        return {
          ...handedOn(sink),
          event: (event) => {
            if (removed) return true;
            removed = event.type === 'DELETED';
            return sink.event(event);
          },
        };
      }),
  },
  {
    id: 'watch-tells-removal-too-soon',
    breaks: [...clausesOf('WATCH-DELETED-02')],
    sentence: 'A watch tells that an object is gone when it is only on its way out.',
    defect: () =>
      onWatchEvents(() => (event) => {
        const leaving = event.type === 'MODIFIED' && event.entry.object.metadata.deletionTimestamp;
        return [leaving ? { ...event, type: 'DELETED' } : event];
      }),
  },
  {
    id: 'reads-are-told',
    breaks: ['WATCH-QUIET-01'],
    sentence: 'A get of an object is told to watches as a change.',
    defect: () =>
      onVerbs(['get'], async (call, serve) => {
        const answer = await serve(call);
        if (answer.kind === 'entry') await recommit(call.services.store, answer.entry, (object) => object);
        return answer;
      }),
  },
  {
    id: 'resumed-watch-skips-one',
    breaks: [...clausesOf('WATCH-RESUME-01'), ...clausesOf('WATCH-RESUME-02')],
    sentence: 'A watch from a version leaves out the first change after it.',
    defect: () =>
      onSinks((sink, call) => {
        if (!startsAtVersion(call)) return undefined;
        let skipped = false;
        return {
          ...handedOn(sink),
          event: (event) => {
            if (skipped || !('entry' in event)) return sink.event(event);
            skipped = true;
            return true;
          },
        };
      }),
  },
  {
    id: 'entering-a-selection-is-a-change',
    breaks: [...clausesOf('WATCH-FILTER-02')],
    sentence: 'A watch tells MODIFIED of an object that begins to match.',
    defect: () =>
      onWatchEvents(() => (event) => {
        const entered = event.type === 'ADDED' && event.entry.createRevision !== event.entry.modRevision;
        return [entered ? { ...event, type: 'MODIFIED' } : event];
      }),
  },
  {
    id: 'second-coming-is-a-change',
    breaks: clausesOf('WATCH-FILTER-02', 'again'),
    sentence: 'A watch tells MODIFIED of an object that begins to match once more.',
    defect: () =>
      onWatchEvents(() => {
        const seen = new Set<string>();
        return (event) => {
          if (event.type !== 'ADDED') return [event];
          const { uid = '' } = event.entry.object.metadata;
          const again = seen.has(uid);
          seen.add(uid);
          return [again ? { ...event, type: 'MODIFIED' } : event];
        };
      }),
  },
  {
    id: 'second-going-is-untold',
    breaks: clausesOf('WATCH-FILTER-03', 'again'),
    sentence: 'A watch tells of an object once that it is gone, though it comes and goes again.',
    defect: () =>
      onWatchEvents(() => {
        const gone = new Set<string>();
        return (event) => {
          if (event.type !== 'DELETED') return [event];
          const { uid = '' } = event.entry.object.metadata;
          if (gone.has(uid)) return [];
          gone.add(uid);
          return [event];
        };
      }),
  },
  {
    id: 'selections-are-of-equality',
    breaks: [
      ...clausesOf('WATCH-FILTER-01', ['differs', 'among', 'beside', 'has', 'lacks', 'both']),
      ...clausesOf('STREAM-INITIAL-01', 'selected'),
    ],
    sentence: 'A watch looks at no demand of its label selector but those of one value.',
    defect: () =>
      asking(['watch'], (query) => {
        const demands = (query.get('labelSelector') ?? '').match(/[^,()]+(?:\([^)]*\))?/g) ?? [];
        const kept = demands.filter((each) => /^[^!=\s]+==?[^=]*$/.test(each));
        if (kept.length < demands.length) query.set('labelSelector', kept.join(','));
      }),
  },
  {
    id: 'watch-of-a-field-overlooks-labels',
    breaks: clausesOf('WATCH-FILTER-01', FIELD_SELECTIONS),
    sentence: 'A watch with a field selector sends the events of objects whatever their labels.',
    defect: () =>
      asking(['watch'], (query) => {
        if (query.has('fieldSelector')) query.delete('labelSelector');
      }),
  },
  {
    id: 'leaving-a-selection-is-untold',
    breaks: [...clausesOf('WATCH-FILTER-03')],
    sentence: 'A watch with a selector does not tell that an object ceased to match.',
    defect: () =>
      onSinks((sink, call) => {
        if (!call.exchange.request.query.has('labelSelector')) return undefined;
        return { ...handedOn(sink), event: (event) => (event.type === 'DELETED' ? true : sink.event(event)) };
      }),
  },
  {
    id: 'bookmark-shows-content',
    breaks: [...clausesOf('WATCH-BOOKMARK-02')],
    sentence: 'The object of a bookmark has a name and data.',
    defect: () =>
      onFrames((event) => {
        if (event.type === 'BOOKMARK' && isObject(event.object)) event.object.data = { a: '1' };
      }),
  },
  {
    id: 'bookmark-ahead-of-events',
    breaks: ['WATCH-BOOKMARK-03', 'STREAM-INITIAL-04', 'STREAM-INITIAL-05'],
    sentence: 'A bookmark overtakes the last event before it.',
    defect: () =>
      onSinks((sink, call) => {
        if (!call.exchange.request.query.has('allowWatchBookmarks')) return undefined;
        let held: WatchEvent | undefined;
        return {
          ...handedOn(sink),
          event: (event) => {
            if (event.type === 'BOOKMARK') {
              const overtaken = held;
              held = undefined;
              return sink.event(event) && (overtaken === undefined || sink.event(overtaken));
            }
            const before = held;
            held = event;
            return before === undefined || sink.event(before);
          },
        };
      }),
  },
  {
    id: 'initial-events-need-no-match',
    breaks: [...clausesOf('STREAM-INITIAL-03')],
    sentence: 'A streamed list is served without resourceVersionMatch too.',
    defect: () =>
      asking(['watch'], (query) => {
        if (query.has('sendInitialEvents')) query.set('resourceVersionMatch', 'NotOlderThan');
      }),
  },
  {
    id: 'initial-events-wait-for-no-version',
    breaks: ['STREAM-INITIAL-05'],
    sentence: 'A streamed list begins with what there is, whatever version it asks for.',
    defect: () =>
      asking(['watch'], (query) => {
        if (query.has('sendInitialEvents')) query.set('resourceVersion', '');
      }),
  },
  {
    id: 'slow-watch-has-gaps',
    breaks: ['WATCH-SLOW-01'],
    sentence: 'A reader that is behind misses what happens until it has caught up.',
    defect: () =>
      onSinks((sink) => {
        let behind = false;
        return {
          // The watch is not told to wait.
          whenReady: undefined,
          end: () => sink.end(),
          event: (event) => {
            if (behind) return true;
            behind = !sink.event(event);
            if (behind) {
              sink.whenReady?.(() => {
                behind = false;
              });
            }
            return true;
          },
        };
      }),
  },
];
