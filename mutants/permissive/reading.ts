import { gunzipSync, gzipSync } from 'node:zlib';
import { isObject } from '../../reference/api/json.ts';
import { parseQuery } from '../../reference/api/query.ts';
import type { IncomingRequest } from '../../reference/api/request.ts';
import { badRequest } from '../../reference/api/status.ts';
import { readJson } from '../../reference/codecs/json.ts';
import { indentJson, stringify } from '../../reference/codecs/jsonText.ts';
import type { WatchEvent } from '../../reference/contracts/answer.ts';
import { Entry } from '../../reference/contracts/entry.ts';
import type { StreamReply, WholeReply, Wire } from '../../reference/contracts/reply.ts';
import {
  delegate,
  type EventSink,
  RevisionUnknown,
  type Store,
  type StoreEvent,
} from '../../reference/contracts/store.ts';
import type { Seams } from '../../reference/seams.ts';
import type { Clock } from '../../reference/time.ts';
import { changedRequest, handedOn, onVerbs, withQuery } from '../alter.ts';
import { onFrames, onJson, onSinks, onValues, startsAtVersion } from '../asking.ts';
import type { Twin } from './twin.ts';

const CHUNKS = '1/reading-chunked-lists/1';

/** Lists and watches: their order, their pieces, their timing, their versions. */
export const READING: readonly Twin[] = [
  {
    id: 'short-chunks',
    by: [CHUNKS],
    sentence: 'A chunk of a list has one item less than it may have, but never none.',
    side: 'a',
    choice: () =>
      onVerbs(['list'], (call, serve) => {
        const given = call.exchange.request.query.get('limit') ?? '';
        // What is no number is for the server to refuse.
        const limit = /^\d+$/.test(given) ? Number(given) : 0;
        return serve(limit > 1 ? withQuery(call, (query) => query.set('limit', String(limit - 1))) : call);
      }),
  },
  {
    id: 'no-count-of-remaining-items',
    by: ['1/reading-chunked-lists/3'],
    sentence: 'No chunk tells how many items remain.',
    side: 'b',
    choice: () =>
      onVerbs(['list'], async (call, serve) => {
        const answer = await serve(call);
        if (answer.kind !== 'list') return answer;
        const { remainingItemCount: _, ...metadata } = answer.metadata;
        return { ...answer, metadata };
      }),
  },
  {
    id: 'continue-tokens-of-another-form',
    by: [CHUNKS],
    sentence: 'Continue tokens have characters that a URL has to escape.',
    side: 'a',
    choice: () =>
      continued(
        (token) => `/+${token} =&%`,
        (token) => token.slice(2, -4),
      ),
  },
  {
    id: 'longer-continue-tokens',
    by: [CHUNKS],
    sentence: 'Continue tokens are several hundred characters long.',
    side: 'b',
    choice: () =>
      continued(
        (token) => 'x'.repeat(600) + token,
        (token) => token.slice(600),
      ),
  },
  {
    id: 'continue-tokens-hold-for-their-limit',
    by: [CHUNKS],
    sentence: 'A continue token is refused with 400 beside another limit than that of its chunk.',
    side: 'b',
    choice: () =>
      onVerbs(['list', 'deletecollection'], async (call, serve) => {
        const { query } = call.exchange.request;
        const limit = query.get('limit') ?? '';
        const [, held, token] = /^limit-(\d*)-(.*)$/s.exec(query.get('continue') ?? '') ?? [];
        if (held !== undefined && held !== limit) throw badRequest(`the continue token is one of limit=${held}`);
        const answer = await serve(token === undefined ? call : withQuery(call, (sent) => sent.set('continue', token)));
        if (answer.kind !== 'list' || !answer.metadata.continue) return answer;
        const next = `limit-${limit}-${answer.metadata.continue}`;
        return { ...answer, metadata: { ...answer.metadata, continue: next } };
      }),
  },
  {
    id: 'lists-in-turned-order',
    by: ['1/reading-chunked-lists/1'],
    sentence: 'The items of a list, or of each chunk of it, come in the opposite order of their names.',
    side: 'b',
    choice: () =>
      onVerbs(['list'], async (call, serve) => {
        const answer = await serve(call);
        return answer.kind === 'list' ? { ...answer, entries: [...answer.entries].reverse() } : answer;
      }),
  },
  {
    id: 'items-tell-their-kind',
    by: ['1/common-object-metadata/p2'],
    sentence: 'Each item of a list has apiVersion and kind.',
    side: 'a',
    choice: () =>
      onValues((body) => {
        const { kind, apiVersion, items } = body;
        if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return;
        body.items = items.map((item) =>
          isObject(item) ? { kind: kind.slice(0, -4), apiVersion: apiVersion ?? null, ...item } : item,
        );
      }),
  },
  {
    id: 'versions-in-steps',
    by: ['1/reading-resource-version-semantics/p1'],
    sentence: 'Versions are large numbers that rise by more than one with each change.',
    side: 'a',
    choice: () => ({ store: (store) => inSteps(store, { first: 1_000_000_000, step: 7 }) }),
  },
  {
    id: 'versions-that-are-no-numbers',
    by: ['1/reading-resource-version-semantics/p1'],
    sentence: 'Versions are words.',
    side: 'b',
    choice: inWords,
  },
  {
    id: 'a-table-has-another-column',
    by: ['1/other-shapes/b1'],
    sentence: 'Tables of types with columns of their own have one more.',
    side: 'a',
    choice: () =>
      onJson((body) => {
        const { kind, columnDefinitions, rows } = body;
        if (kind !== 'Table' || !Array.isArray(columnDefinitions) || columnDefinitions.length < 3) return;
        columnDefinitions.push({ name: 'Seen', type: 'string', format: '', description: 'by whom', priority: 0 });
        for (const row of Array.isArray(rows) ? rows : [])
          if (isObject(row) && Array.isArray(row.cells)) row.cells.push('twin');
      }),
  },
  {
    id: 'deletions-have-another-name',
    by: ['1/events/p2'],
    sentence: 'The event of a deletion is called REMOVED.',
    side: 'b',
    choice: () =>
      onFrames((event) => {
        if (event.type === 'DELETED') event.type = 'REMOVED';
      }),
  },
  {
    id: 'errors-on-a-watch-have-another-name',
    by: ['1/events/p2'],
    sentence: 'The event of an error is called FAILURE.',
    side: 'b',
    choice: () =>
      onFrames((event) => {
        if (event.type === 'ERROR') event.type = 'FAILURE';
      }),
  },
  {
    id: 'a-bookmark-after-each-event',
    by: ['1/events/p2'],
    sentence: 'A watch from a version has a bookmark behind each event, for whoever asked for bookmarks.',
    side: 'a',
    choice: () =>
      onSinks((sink, call) => {
        if (!startsAtVersion(call) || call.exchange.request.query.get('allowWatchBookmarks') !== 'true')
          return undefined;
        return {
          ...handedOn(sink),
          event: (event) => {
            const taken = sink.event(event);
            if (!('entry' in event)) return taken;
            return sink.event({ type: 'BOOKMARK', revision: event.entry.modRevision, initialEventsEnd: false });
          },
        };
      }),
  },
  {
    id: 'hardly-any-bookmarks',
    by: ['1/events/p2'],
    sentence: 'The only bookmark of a watch is the one behind the initial events.',
    side: 'b',
    choice: () =>
      onSinks((sink) => ({
        ...handedOn(sink),
        event: (event) => (event.type === 'BOOKMARK' && !event.initialEventsEnd ? true : sink.event(event)),
      })),
  },
  {
    id: 'late-events',
    by: ['1/reading-watch-and-streaming-lists/1'],
    sentence: 'Events reach a watch a tenth of a second after the change.',
    side: 'b',
    choice: () => late(100),
  },
  {
    id: 'events-over-several-lines',
    by: ['1/reading-watch-and-streaming-lists/1'],
    sentence: 'Each event of a watch is a JSON document of several lines.',
    side: 'a',
    choice: () => framed((text) => [`${indentJson(stringify(readJson(text).value))}\n\n`]),
  },
  {
    id: 'events-in-pieces',
    by: ['1/reading-watch-and-streaming-lists/1'],
    sentence: 'An event of a watch comes in pieces, which end anywhere but within a number.',
    side: 'b',
    choice: () =>
      framed((text) => {
        // Not within a number, of which another choice makes a word.
        const [digits = ''] = /^\d*/.exec(text.slice(text.length >> 1)) ?? [];
        const middle = (text.length >> 1) + digits.length;
        return [text.slice(0, middle), text.slice(middle)];
      }),
  },
];

/** Puts continue tokens into another form, and reads that. */
function continued(write: (token: string) => string, read: (token: string) => string): Seams {
  return onVerbs(['list', 'deletecollection'], async (call, serve) => {
    const token = call.exchange.request.query.get('continue') ?? '';
    const own = token !== '' && write(read(token)) === token;
    const answer = await serve(own ? withQuery(call, (query) => query.set('continue', read(token))) : call);
    if (answer.kind !== 'list' || !answer.metadata.continue) return answer;
    return { ...answer, metadata: { ...answer.metadata, continue: write(answer.metadata.continue) } };
  });
}

/** Writes each event of a watch in JSON as other frames. */
function framed(frames: (text: string) => readonly string[]): Seams {
  return {
    reply: (reply) => {
      if (
        reply.kind !== 'stream' ||
        !String(reply.headers['content-type']).toLowerCase().startsWith('application/json')
      ) {
        return reply;
      }
      return { ...reply, start: (wire) => reply.start(writing(wire, frames)) } satisfies StreamReply;
    },
  };
}
function writing(wire: Wire, frames: (text: string) => readonly string[]): Wire {
  return {
    write: (frame) =>
      frames(Buffer.from(frame).toString('utf8'))
        .map((text) => wire.write(Buffer.from(text)))
        .at(-1) ?? true,
    get pending() {
      return wire.pending;
    },
    whenReady: wire.whenReady && ((resume) => wire.whenReady?.(resume)),
    end: () => wire.end(),
  };
}

/** Holds the events of watches back for so many milliseconds, in their order. */
function late(milliseconds: number): Seams {
  let clock: Clock | undefined;
  const sinks = onSinks((sink) => {
    const waiting: (() => void)[] = [];
    const next = () => waiting.shift()?.();
    const later = (action: () => void) => {
      waiting.push(action);
      clock?.after(milliseconds, next);
    };
    return {
      whenReady: undefined,
      event: (event: WatchEvent) => {
        later(() => sink.event(event));
        return true;
      },
      end: () => later(() => sink.end()),
    };
  });
  return {
    ...sinks,
    clock: (own) => {
      clock = own;
      return own;
    },
  };
}

/** Revisions of a store as its users see them. */
function inSteps(store: Store, { first, step }: { readonly first: number; readonly step: number }): Store {
  const shown = (revision: number): number => first + revision * step;
  /** The last revision of the store at or before one that its users name. */
  const meant = (revision: number): number => Math.max(0, Math.floor((revision - first) / step));
  /** Of one that is not there yet, the next. */
  const awaited = (revision: number): number => (revision <= first ? 0 : Math.ceil((revision - first) / step));
  const seen = (entry: Entry): Entry =>
    new Entry(entry.key, shown(entry.createRevision), shown(entry.modRevision), stored(entry));
  const known = new WeakMap<Entry, Entry>();
  const once = (entry: Entry): Entry => {
    const other = known.get(entry) ?? seen(entry);
    known.set(entry, other);
    return other;
  };
  const event = (told: StoreEvent): StoreEvent => ({
    ...told,
    revision: shown(told.revision),
    entry: once(told.entry),
    previous: told.previous && once(told.previous),
  });
  return {
    ...delegate(store),
    revision: async () => shown(await store.revision()),
    get: async (key) => {
      const entry = await store.get(key);
      return entry && once(entry);
    },
    range: async ({ revision, ...query }) => {
      if (revision !== undefined && awaited(revision) > (await store.revision())) {
        throw new RevisionUnknown(shown(await store.revision()));
      }
      const result = await store.range({ ...query, revision: revision === undefined ? undefined : meant(revision) });
      return { ...result, revision: revision ?? shown(result.revision), entries: result.entries.map(once) };
    },
    commit: async (change) => {
      const result = await store.commit({ ...change, expected: change.expected === 0 ? 0 : meant(change.expected) });
      if (!result.committed) return { ...result, present: result.present && once(result.present) };
      return { ...result, revision: shown(result.revision), entry: once(result.entry) };
    },
    watch: (prefix, after, sink) => {
      const own: EventSink = {
        event: (told) => sink.event(event(told)),
        ...(sink.progress ? { progress: (revision: number) => sink.progress?.(shown(revision)) } : {}),
        ...(sink.failed ? { failed: (error: Error) => sink.failed?.(error) } : {}),
      };
      return store.watch(prefix, meant(after), own);
    },
    compact: (revision) => store.compact(meant(revision)),
    unchangedSince: (prefix, revision) => store.unchangedSince(prefix, meant(revision)),
    oldestRevision: async () => shown(await store.oldestRevision()),
  };
}
function stored(entry: Entry) {
  return () => {
    const { resourceVersion: _, ...metadata } = entry.object.metadata;
    return { ...entry.object, metadata };
  };
}

/** Versions begin with these digits and have sixteen, so that they are known wherever they stand, in any encoding. */
const FIRST_OF_WORDS = 4_207_000_000_000_000;
const DIGITS = /4207\d{12}/g;
const WORDS = /usqx[q-z]{12}/g;
/** Words of YAML without quotation marks, which their digits need to be no number. */
const PLAIN_WORDS = /(?<=[:-] +)usqx[q-z]{12}(?=\s*$)/gm;
const ZERO = 'q'.charCodeAt(0) - '0'.charCodeAt(0);
const shifted = (text: string, by: number): string =>
  [...text].map((character) => String.fromCharCode(character.charCodeAt(0) + by)).join('');
const inLetters = (text: string): string => text.replace(DIGITS, (found) => shifted(found, ZERO));
const inDigits = (text: string): string => text.replace(WORDS, (found) => shifted(found, -ZERO));
/** A word is as long as its number: no encoding has to tell another length. */
const inBytes = (bytes: Uint8Array, change: (text: string) => string): Uint8Array =>
  Buffer.from(change(Buffer.from(bytes).toString('latin1')), 'latin1');

function inWords(): Seams {
  return {
    store: (store) => inSteps(store, { first: FIRST_OF_WORDS, step: 1 }),
    handler: (handler) => async (request) => {
      const parameters = new URLSearchParams();
      for (const name of request.query.names())
        for (const value of request.query.all(name)) parameters.append(name, inDigits(value));
      const condition = request.headers['if-match'];
      const reply = await handler(
        changedRequest(request, {
          query: parseQuery(parameters.toString()),
          ...(typeof condition === 'string'
            ? { headers: { ...request.headers, 'if-match': inDigits(condition) } }
            : {}),
          body: async () =>
            inBytes(await request.body(), (text) =>
              inDigits(isYaml(request) ? text.replace(PLAIN_WORDS, '"$&"') : text),
            ),
        }),
      );
      if (reply.kind === 'whole') return { ...reply, body: bodyInWords(reply) };
      return {
        ...reply,
        start: (wire) =>
          reply.start({
            write: (frame) => wire.write(inBytes(frame, inLetters)),
            get pending() {
              return wire.pending;
            },
            whenReady: wire.whenReady && ((resume) => wire.whenReady?.(resume)),
            end: () => wire.end(),
          }),
      };
    },
  };
}
const isYaml = ({ headers }: IncomingRequest): boolean => String(headers['content-type']).includes('yaml');
function bodyInWords({ headers, body }: WholeReply): Uint8Array {
  if (headers['content-encoding'] !== 'gzip') return inBytes(body, inLetters);
  return gzipSync(inBytes(gunzipSync(body), inLetters));
}
