import fc from 'fast-check';
import type { HistoryEntry } from '../../history/format.ts';
import { type Actor, named } from '../harness/actor.ts';
import type { Exchange } from '../harness/client/exchange.ts';
import type { WatchStream } from '../harness/client/watchStream.ts';
import { isRecord } from '../harness/json.ts';
import { configMaps, type Query } from '../harness/kinds.ts';
import { event } from '../harness/match.ts';
import { streamsLists } from '../harness/streamingLists.ts';

/** What a check itself did and saw, as a history. */
function historyOfRun(exchanges: readonly Exchange[], streams: readonly WatchStream[]): HistoryEntry[] {
  const opened = streams.map(({ opening }) => opening);
  const events = streams.flatMap(({ opening, seen }) =>
    seen.map((event): HistoryEntry => ({ type: 'event', number: opening.number, event: JSON.stringify(event) })),
  );
  return [...[...exchanges, ...opened].map(operation), ...events];
}

function operation({ actor, number, at, took, sent, received, text }: Exchange): HistoryEntry {
  return {
    type: 'operation',
    client: actor,
    number,
    start: at,
    end: at + took,
    method: sent.method,
    path: sent.path,
    ...(typeof sent.body === 'string' ? { body: sent.body } : {}),
    ...(received ? { status: received.status, answer: text } : {}),
  };
}

const NAMES = ['a', 'b', 'c'] as const;
const SELECTIONS = [{}, { labelSelector: 'mine=yes' }] as const;
/** How a watch begins: after a list of its own, with a streamed list, or with whatever state the service chooses. */
const BEGINNINGS = ['list', 'stream', 'state'] as const;

/** One thing that a client does. */
export type ClientStep =
  | { readonly act: 'create' | 'change' | 'label' | 'replace' | 'delete' | 'get'; readonly name: string }
  | { readonly act: 'list' | 'walk'; readonly selection: number }
  | { readonly act: 'watch'; readonly selection: number; readonly from: (typeof BEGINNINGS)[number] }
  | { readonly act: 'resume' };
/** What several clients do at the same time, each in its own order. */
export type ClientPlan = readonly (readonly ClientStep[])[];

const name = fc.constantFrom(...NAMES);
const selection = fc.nat({ max: SELECTIONS.length - 1 });
const step: fc.Arbitrary<ClientStep> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant('create'), name }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constantFrom('change', 'label', 'replace', 'delete', 'get'), name }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constantFrom('list', 'walk'), selection }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('watch'), selection, from: fc.constantFrom(...BEGINNINGS) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('resume') }) },
);
// Few runs have to do much each, so that sizes are not left to grow with the number of runs.
const whole = { size: 'max' } as const;
export const plans: fc.Arbitrary<ClientPlan> = fc.array(fc.array(step, { maxLength: 16, ...whole }), {
  minLength: 1,
  maxLength: 3,
  ...whole,
});

/**
 * One plan that is always carried out: each lane reads one object before and after each of its changes, so that an
 * answer from the past does not slip through where chance never reads twice.
 */
export const PLAIN: ClientPlan = NAMES.map((name, lane) => [
  { act: 'create', name },
  { act: 'get', name },
  { act: 'watch', selection: 0, from: BEGINNINGS[lane % BEGINNINGS.length] ?? 'list' },
  { act: 'change', name },
  { act: 'get', name },
  { act: 'label', name },
  { act: 'list', selection: 1 },
  { act: 'get', name },
  { act: 'replace', name },
  { act: 'walk', selection: 0 },
  { act: 'resume' },
  { act: 'delete', name },
  { act: 'get', name },
  { act: 'create', name },
  { act: 'get', name },
]);

/**
 * Carries a plan out in an empty namespace of the actors, a client a lane, and tells what they did and saw. Two watches
 * stand from the beginning to the end, and two begin when all is done, so that every plan has something to compare.
 */
export async function carryOut(
  plan: ClientPlan,
  actors: readonly [Actor, ...Actor[]],
): Promise<readonly HistoryEntry[]> {
  const [author] = actors;
  const diary = new Diary();
  const observer = new Client(author, diary);
  for (const selection of [1, 0]) await observer.take({ act: 'watch', selection, from: 'list' });
  await Promise.all(
    plan.map(async (lane, at) => {
      const client = new Client(actors[at % actors.length] ?? author, diary);
      for (const each of lane) await client.take(each);
    }),
  );
  await diary.note(author.create(configMaps, { metadata: { name: 'mark', labels: { mine: 'yes' } } }));
  await observer.take({ act: 'resume' });
  await observer.take({ act: 'watch', selection: 0, from: 'stream' });
  // Everything that was announced before the fence has come when the fence comes.
  await diary.note(author.create(configMaps, { metadata: { name: 'fence', labels: { mine: 'yes' } } }));
  await Promise.all(diary.streams.map((stream) => stream.until(event('ADDED', 'fence'), { within: 3_000 })));
  for (const stream of diary.streams) stream.close();
  return historyOfRun(diary.exchanges, diary.streams);
}

class Diary {
  readonly exchanges: Exchange[] = [];
  readonly streams: WatchStream[] = [];

  async note(exchange: Promise<Exchange>): Promise<Exchange> {
    const whole = await exchange;
    this.exchanges.push(whole);
    return whole;
  }
}

class Client {
  readonly #actor: Actor;
  readonly #diary: Diary;
  #watching: { readonly stream: WatchStream; readonly query: Query } | undefined;
  #count = 0;

  constructor(actor: Actor, diary: Diary) {
    this.#actor = actor;
    this.#diary = diary;
  }

  async take(step: ClientStep): Promise<void> {
    if ('name' in step) return this.#touch(step.act, step.name);
    if (step.act === 'resume') return this.#resume();
    const query = SELECTIONS[step.selection] ?? {};
    if (step.act === 'watch') return this.#watch(query, step.from);
    if (step.act === 'walk') return this.#walk(query);
    await this.#note(this.#actor.list(configMaps, query));
  }

  async #touch(act: string, name: string): Promise<void> {
    const actor = this.#actor;
    this.#count += 1;
    const data = { by: `${actor.name}-${this.#count}` };
    if (act === 'create') await this.#note(actor.create(configMaps, named(name, { data })));
    else if (act === 'get') await this.#note(actor.get(configMaps, name));
    else if (act === 'delete') await this.#note(actor.delete(configMaps, name));
    else if (act === 'change') await this.#note(actor.patch(configMaps, name, 'merge', { data }));
    else if (act === 'label') {
      const labels = { mine: this.#count % 2 === 0 ? null : 'yes' };
      await this.#note(actor.patch(configMaps, name, 'merge', { metadata: { labels } }));
    } else {
      const read = await this.#note(actor.get(configMaps, name));
      if (read.status === 200 && isRecord(read.json)) {
        await this.#note(actor.update(configMaps, { ...read.json, data }));
      }
    }
  }

  async #walk(query: Query): Promise<void> {
    let token: string | undefined;
    do {
      const page = await this.#note(this.#actor.list(configMaps, { ...query, limit: 1, continue: token }));
      token = metadataOf(page).continue;
    } while (token);
  }

  async #watch(query: Query, from: (typeof BEGINNINGS)[number]): Promise<void> {
    if (from === 'state') return this.#open(query, {});
    if (from === 'stream' && streamsLists(this.#actor.target.release)) {
      const streamed = { sendInitialEvents: true, allowWatchBookmarks: true, resourceVersionMatch: 'NotOlderThan' };
      return this.#open(query, streamed);
    }
    const list = await this.#note(this.#actor.list(configMaps, query));
    return this.#open(query, { resourceVersion: metadataOf(list).resourceVersion });
  }
  /** Watches once more what the last watch watched, from the first place that it passed. */
  async #resume(): Promise<void> {
    const last = this.#watching?.stream.seen.find(({ type }) => type === 'MODIFIED' || type === 'BOOKMARK');
    if (!this.#watching || !last) return;
    await this.#open(this.#watching.query, { resourceVersion: last.object.metadata.resourceVersion });
  }
  async #open(query: Query, beginning: Query): Promise<void> {
    const stream = await this.#actor.watch(configMaps, { ...query, ...beginning });
    this.#diary.streams.push(stream);
    this.#watching = { stream, query };
  }
  #note(exchange: Promise<Exchange>): Promise<Exchange> {
    return this.#diary.note(exchange);
  }
}

function metadataOf({ json }: Exchange): { readonly continue?: string; readonly resourceVersion?: string } {
  return isRecord(json) && isRecord(json.metadata) ? json.metadata : {};
}
