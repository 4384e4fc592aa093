import { onVerbs, onWatchEvents, withQuery } from './alter.ts';
import type { Mutant } from './mutant.ts';

/** Watches that leave out, repeat or misname what happened. */
export const WATCHING: readonly Mutant[] = [
  {
    id: 'watch-drops-delete',
    breaks: ['WATCH-DELETED-01'],
    sentence: 'A watch never tells that an object was deleted.',
    seams: onWatchEvents(() => (event) => (event.type === 'DELETED' ? [] : [event])),
  },
  {
    id: 'watch-names-creation-modified',
    breaks: ['WATCH-ADDED-01'],
    sentence: 'A watch calls the creation of an object MODIFIED.',
    seams: onWatchEvents(() => (event) => [event.type === 'ADDED' ? { ...event, type: 'MODIFIED' } : event]),
  },
  {
    id: 'watch-names-change-added',
    breaks: ['WATCH-MODIFIED-01'],
    sentence: 'A watch calls every change ADDED.',
    seams: onWatchEvents(() => (event) => [event.type === 'MODIFIED' ? { ...event, type: 'ADDED' } : event]),
  },
  {
    id: 'watch-repeats-events',
    breaks: ['WATCH-UNIQUE-01'],
    sentence: 'A watch sends each change twice.',
    seams: onWatchEvents(() => (event) => [event, event]),
  },
  {
    id: 'watch-skips-events',
    breaks: ['WATCH-RELIABLE-01'],
    sentence: 'A watch leaves out every third event.',
    seams: onWatchEvents(() => {
      let seen = 0;
      return (event) => (++seen % 3 === 0 ? [] : [event]);
    }),
  },
  {
    id: 'watch-swaps-neighbours',
    breaks: ['WATCH-ORDER-01'],
    sentence: 'A watch sends events in pairs, each pair in the wrong order.',
    seams: onWatchEvents(() => {
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
    breaks: ['WATCH-BOOKMARK-01'],
    sentence: 'A watch sends a bookmark after each event, asked for or not.',
    seams: onWatchEvents(
      () => (event) =>
        event.type === 'BOOKMARK' || event.type === 'ERROR'
          ? [event]
          : [event, { type: 'BOOKMARK', revision: event.entry.modRevision, initialEventsEnd: false }],
    ),
  },
  {
    id: 'watch-replays-from-version',
    breaks: ['WATCH-RV-03'],
    sentence: 'A watch from a version begins with the present state all the same.',
    seams: onVerbs(['watch'], (call, serve) => serve(withQuery(call, (query) => query.delete('resourceVersion')))),
  },
  {
    id: 'watch-ignores-selector',
    breaks: ['WATCH-FILTER-01'],
    sentence: 'A watch sends the events of all objects, whatever its label selector.',
    seams: onVerbs(['watch'], (call, serve) => serve(withQuery(call, (query) => query.delete('labelSelector')))),
  },
  {
    id: 'initial-events-without-bookmark',
    breaks: ['STREAM-INITIAL-02'],
    sentence: 'No bookmark ends the initial events.',
    seams: onWatchEvents(() => (event) => (event.type === 'BOOKMARK' && event.initialEventsEnd ? [] : [event])),
  },
];
