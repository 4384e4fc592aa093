import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ListAnswer, WatchAnswer } from '../contracts/answer.ts';
import type { Entry } from '../contracts/entry.ts';
import { delegate, type Store } from '../contracts/store.ts';
import { type Fixture, Reader, readingFixture } from '../testing/readingFixture.ts';
import { list } from './list.ts';
import { watch } from './watch.ts';

/** An object as the model knows it. */
interface Known {
  readonly label: string;
  readonly version: number;
}
type State = ReadonlyMap<string, Known>;
type Pause = () => Promise<void>;

/** All states there were, by the revision that began them. */
class Model {
  readonly states: { revision: number; state: State }[];
  constructor(revision: number) {
    this.states = [{ revision, state: new Map() }];
  }
  get last(): State {
    return this.states[this.states.length - 1]?.state as State;
  }
  at(revision: number): State {
    return this.states.findLast((one) => one.revision <= revision)?.state as State;
  }
  write(revision: number, change: (state: Map<string, Known>) => void): void {
    const state = new Map(this.last);
    change(state);
    this.states.push({ revision, state });
  }
}

const PLACES = ['m/a', 'm/b', 'm/c', 'n/a', 'n/b', 'n/c', 'n/d', 'n/e'] as const;
const SELECTORS = ['', 'x', 'y'] as const;
const NAMESPACES = ['', 'n'] as const;
const write = fc.record({
  place: fc.constantFrom(...PLACES),
  act: fc.constantFrom('put', 'put', 'put', 'remove'),
  label: fc.constantFrom('x', 'y', 'z'),
});
const view = fc.record({ label: fc.constantFrom(...SELECTORS), namespace: fc.constantFrom(...NAMESPACES) });
type Write = typeof write extends fc.Arbitrary<infer W> ? W : never;
type View = typeof view extends fc.Arbitrary<infer V> ? V : never;

/** What of a state a view shows, in the order of a list, as `ns/name version`. */
function shown(state: State, { label, namespace }: View): string[] {
  return [...state]
    .filter(([place, known]) => place.startsWith(namespace && `${namespace}/`) && (!label || known.label === label))
    .map(([place, known]) => `${place} ${known.version}`)
    .sort();
}
function told(entry: Entry): string {
  const { namespace, name } = entry.object.metadata;
  return `${namespace}/${name} ${entry.modRevision}`;
}
function queryOf({ label }: View): string {
  return label ? `labelSelector=app%3D${label}` : '';
}

/** A store that takes its time, so that others come in between wherever a read asks it more than once. */
function unhurried(store: Store, pause: Pause): Store {
  return {
    ...delegate(store),
    revision: async () => {
      await pause();
      return store.revision();
    },
    get: async (key) => {
      await pause();
      return store.get(key);
    },
    range: async (query) => {
      await pause();
      return store.range(query);
    },
  };
}

async function writer(fixture: Fixture, model: Model, writes: readonly Write[], pause: Pause): Promise<void> {
  for (const { place, act, label } of writes) {
    await pause();
    const [namespace, name] = place.split('/') as [string, string];
    if (act === 'put') {
      const version = fixture.put(namespace, name, { labels: { app: label } });
      model.write(version, (state) => state.set(place, { label, version }));
    } else if (model.last.has(place)) {
      model.write(fixture.remove(namespace, name), (state) => state.delete(place));
    }
  }
}

async function read(fixture: Fixture, view: View, query: string): Promise<ListAnswer> {
  const call = fixture.call('list', [queryOf(view), query].filter(Boolean).join('&'), { namespace: view.namespace });
  return (await list(call)) as ListAnswer;
}

/** Reads whole lists; each must be a state there was, and not an earlier one than the last. */
async function lister(fixture: Fixture, model: Model, view: View, times: number, pause: Pause): Promise<void> {
  let before = 0;
  for (let i = 0; i < times; i++) {
    await pause();
    const known = fixture.store.revision();
    const answer = await read(fixture, view, '');
    const version = Number(answer.metadata.resourceVersion);
    assert.deepEqual(answer.entries.map(told), shown(model.at(version), view));
    assert.ok(version >= known && version >= before);
    before = version;
    const exact = await read(fixture, view, `resourceVersion=${version}&resourceVersionMatch=Exact`);
    assert.deepEqual(exact.entries.map(told), answer.entries.map(told));
  }
}

/** Reads a list in chunks; together they must be one state, the one of the first. */
async function paginator(fixture: Fixture, model: Model, view: View, limit: number, pause: Pause): Promise<void> {
  let page = await read(fixture, view, `limit=${limit}`);
  const version = page.metadata.resourceVersion;
  const whole = shown(model.at(Number(version)), view);
  const seen = page.entries.map(told);
  while (page.metadata.continue) {
    const left = view.label ? undefined : whole.length - seen.length;
    assert.equal(page.metadata.remainingItemCount, left);
    await pause();
    page = await read(fixture, view, `limit=${limit}&continue=${page.metadata.continue}`);
    assert.equal(page.metadata.resourceVersion, version);
    assert.ok(page.entries.length <= limit);
    seen.push(...page.entries.map(told));
  }
  assert.deepEqual(seen, whole);
}

/** Watches, from nothing or from a list, and must at the end hold what the view shows. */
async function watcher(fixture: Fixture, view: View, from: 'state' | 'list', pause: Pause): Promise<Replica> {
  const replica = new Replica();
  await pause();
  let version = '';
  if (from === 'list') {
    const answer = await read(fixture, view, '');
    version = answer.metadata.resourceVersion ?? '';
    for (const entry of answer.entries) replica.objects.set(placeOf(entry), entry.modRevision);
    replica.version = Number(version);
    await pause();
  }
  const query = [queryOf(view), version && `resourceVersion=${version}`].filter(Boolean).join('&');
  const answer = (await watch(fixture.call('watch', query, { namespace: view.namespace }))) as WatchAnswer;
  await pause();
  replica.follow(new Reader(answer), from === 'state');
  return replica;
}

function placeOf(entry: Entry): string {
  return `${entry.object.metadata.namespace}/${entry.object.metadata.name}`;
}

/** What a client knows that applies every event. */
class Replica {
  readonly objects = new Map<string, number>();
  version = 0;
  #reader: Reader | undefined;
  #initial = false;

  follow(reader: Reader, initial: boolean): void {
    this.#reader = reader;
    this.#initial = initial;
  }
  /** Applies all events: none may come twice, out of order, or for an object that is not as the event says. */
  finish(): string[] {
    let synthetic = this.#initial;
    for (const event of this.#reader?.events ?? []) {
      assert.ok(event.type === 'ADDED' || event.type === 'MODIFIED' || event.type === 'DELETED', event.type);
      const place = placeOf(event.entry);
      const { modRevision } = event.entry;
      assert.equal(this.objects.has(place), event.type !== 'ADDED', `${event.type} ${place}`);
      // What existed comes in the order of names; everything after it in the order of versions.
      if (synthetic && event.type !== 'ADDED') synthetic = false;
      if (!synthetic) assert.ok(modRevision > this.version, `${modRevision} after ${this.version}`);
      this.version = Math.max(this.version, modRevision);
      if (event.type === 'DELETED') this.objects.delete(place);
      else this.objects.set(place, modRevision);
    }
    return [...this.objects].map(([place, version]) => `${place} ${version}`).sort();
  }
}

describe('writers, listers, paginators and watchers at once', () => {
  it('lists are states, chunks are one state, and watches end at the last state', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.array(write, { maxLength: 15 }), { minLength: 1, maxLength: 2 }),
        fc.array(fc.tuple(view, fc.integer({ min: 1, max: 3 })), { maxLength: 2 }),
        fc.array(fc.tuple(view, fc.integer({ min: 1, max: 4 })), { maxLength: 2 }),
        fc.array(fc.tuple(view, fc.constantFrom('state' as const, 'list' as const)), { maxLength: 3 }),
        async (scheduler, writers, listers, paginators, watchers) => {
          const pause: Pause = () => scheduler.schedule(Promise.resolve());
          const fixture = readingFixture({ around: (store) => unhurried(store, pause) });
          const model = new Model(fixture.store.revision());
          const replicas: { replica: Replica; view: View }[] = [];
          const running = [
            ...writers.map((writes) => writer(fixture, model, writes, pause)),
            ...listers.map(([view, times]) => lister(fixture, model, view, times, pause)),
            ...paginators.map(([view, limit]) => paginator(fixture, model, view, limit, pause)),
            ...watchers.map(async ([view, from]) => {
              replicas.push({ replica: await watcher(fixture, view, from, pause), view });
            }),
          ];
          await scheduler.waitFor(Promise.all(running));
          for (const { replica, view } of replicas) assert.deepEqual(replica.finish(), shown(model.last, view));
        },
      ),
      { numRuns: 200 },
    );
  });
});
