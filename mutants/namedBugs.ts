import type { Entry } from '../reference/contracts/entry.ts';
import {
  delegate,
  type EventSink,
  type RangeResult,
  RevisionCompacted,
  type Store,
  type StoreEvent,
  type StoreWrite,
} from '../reference/contracts/store.ts';
import type { Defect, Mutant } from './mutant.ts';

/** A bug of a store or a watch that somebody published, made anew behind the store. */
export interface NamedBug extends Mutant {
  readonly source: string;
  /** The traffic that shows it soonest. */
  readonly mix?: string;
}

/** The bugs are about objects of one type, so that the rest of the server works on. */
const AFFECTED = '/core/configmaps/';
const affected = (key: string): boolean => key.startsWith(AFFECTED);

/** Puts something around the store. */
function aroundStore(change: (store: Store) => Partial<Store>): Defect {
  return { store: (store) => ({ ...delegate(store), ...change(store) }) };
}

/** What one watch of the store makes of an event. */
type Teller = (event: StoreEvent, sink: EventSink) => void;
/** Puts something between the store and each of its watches. @param made gets the revision that was last written */
function aroundWatches(made: (about: { readonly after: number; readonly latest: number }) => Teller): Defect {
  return aroundStore((store) => {
    let latest = 0;
    return {
      commit: async (change) => {
        const result = await store.commit(change);
        if (result.committed) latest = result.revision;
        return result;
      },
      watch: (prefix, after, sink) => {
        if (!affected(prefix)) return store.watch(prefix, after, sink);
        const tell = made({ after, latest });
        return store.watch(prefix, after, { ...handedOn(sink), event: (event) => tell(event, sink) });
      },
    };
  });
}
function handedOn(sink: EventSink): EventSink {
  return {
    event: (event) => sink.event(event),
    progress: (revision) => sink.progress?.(revision),
    failed: (error) => sink.failed?.(error),
  };
}
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const isRemoval = ({ type }: StoreEvent): boolean => type === 'delete';

/** What a range shows, changed where it is of the objects that the bug is about and of no revision of its own. */
function aroundRanges(change: (store: Store, result: RangeResult) => RangeResult): Defect {
  return aroundStore((store) => ({
    range: async (query) => {
      const result = await store.range(query);
      return affected(query.prefix) && query.revision === undefined ? change(store, result) : result;
    },
  }));
}

export const NAMED_BUGS: readonly NamedBug[] = [
  {
    id: 'etcd-18089',
    source: 'https://github.com/etcd-io/etcd/issues/18089',
    breaks: [],
    sentence: 'A watch of the past leaves out removals.',
    defect: () =>
      aroundWatches(({ latest }) => (event, sink) => {
        if (!isRemoval(event) || event.revision > latest) sink.event(event);
      }),
    mix: 'watches',
  },
  {
    id: 'etcd-19179',
    source: 'https://github.com/etcd-io/etcd/issues/19179',
    breaks: [],
    sentence: 'A watch leaves out what it would tell first, where that is a removal.',
    defect: () =>
      aroundWatches(() => {
        let first = true;
        return (event, sink) => {
          if (!first || !isRemoval(event)) sink.event(event);
          first = false;
        };
      }),
    mix: 'watches',
  },
  {
    id: 'etcd-17247',
    source: 'https://github.com/etcd-io/etcd/issues/17247',
    breaks: [],
    sentence: 'Now and then a watch tells an event twice.',
    defect: () =>
      aroundWatches(() => {
        let count = 0;
        return (event, sink) => {
          sink.event(event);
          count += 1;
          if (count % 20 === 0) sink.event(event);
        };
      }),
  },
  {
    id: 'etcd-20655',
    source: 'https://github.com/etcd-io/etcd/issues/20655',
    breaks: [],
    sentence: 'When watches begin shortly after one another, some lose what is written just then.',
    defect: () => {
      let begun = 0;
      return aroundWatches(({ latest }) => {
        begun += 1;
        let lost = begun % 3 > 0;
        return (event, sink) => {
          if (lost && event.revision > latest) lost = false;
          else sink.event(event);
        };
      });
    },
    mix: 'watches',
  },
  {
    id: 'etcd-15402',
    source: 'https://github.com/etcd-io/etcd/issues/15402',
    breaks: [],
    sentence: 'Some watches starve: after a while nothing more comes, and nothing says so.',
    defect: () => {
      let begun = 0;
      return aroundWatches(() => {
        begun += 1;
        const starves = begun % 2 === 0;
        let count = 0;
        return (event, sink) => {
          count += 1;
          if (!starves || count <= 30) sink.event(event);
        };
      });
    },
  },
  {
    id: 'etcd-13766',
    source: 'https://github.com/etcd-io/etcd/issues/13766',
    breaks: [],
    sentence: 'A member acknowledges a write that it did not apply: its reads go on showing what was there before.',
    defect: () => {
      const missed = new Map<string, Entry>();
      let count = 0;
      return aroundStore((store) => ({
        get: async (key) => missed.get(key) ?? store.get(key),
        commit: async (change) => {
          const before = missed.get(change.key);
          const present = await store.get(change.key);
          const based = before && before.modRevision === change.expected ? present?.modRevision : undefined;
          const result = await store.commit({ ...change, expected: based ?? change.expected });
          missed.delete(change.key);
          if (!result.committed || !change.object || !present || !affected(change.key)) return result;
          count += 1;
          if (count % 4 === 0) missed.set(change.key, present);
          return result;
        },
      }));
    },
  },
  {
    id: 'etcd-15247',
    source: 'https://github.com/etcd-io/etcd/issues/15247',
    breaks: [],
    sentence: 'A lease is revoked that was renewed: what hangs on it is removed, and nobody asked for that.',
    defect: () =>
      aroundStore((store) => {
        const written: { readonly key: string; readonly revision: number }[] = [];
        return {
          commit: async (change) => {
            const result = await store.commit(change);
            if (!result.committed || !affected(change.key)) return result;
            if (change.object) written.push({ key: change.key, revision: result.revision });
            if (written.length < 30) return result;
            const [oldest] = written.splice(0, 30).slice(-8);
            if (oldest) await store.commit({ key: oldest.key, expected: oldest.revision, object: null });
            return result;
          },
        };
      }),
  },
  {
    id: 'kubernetes-97294',
    source: 'https://github.com/kubernetes/kubernetes/issues/97294',
    breaks: [],
    sentence: 'A server whose cache lags answers lists with what was there some time ago.',
    defect: () =>
      aroundStore((store) => {
        let count = 0;
        return {
          range: async (query) => {
            const now = await store.range(query);
            count += 1;
            if (!affected(query.prefix) || query.revision !== undefined || count % 3 > 0) return now;
            const revision = Math.max(await store.oldestRevision(), now.revision - 6);
            return store.range({ ...query, revision });
          },
        };
      }),
    mix: 'lists',
  },
  {
    id: 'kubernetes-59848',
    source: 'https://github.com/kubernetes/kubernetes/issues/59848',
    breaks: [],
    sentence: 'Reads of one object go back in time, as those of a client that came to a server that lags.',
    defect: () => {
      const lagging = new Map<string, Entry>();
      let count = 0;
      return {
        verbs: (table) => ({
          ...table,
          get: async (call) => {
            const answer = await table.get(call);
            if (answer.kind !== 'entry' || !affected(answer.entry.key)) return answer;
            const { key } = answer.entry;
            const before = lagging.get(key);
            count += 1;
            if (!before || count % 4 === 0) lagging.set(key, answer.entry);
            return before && count % 2 === 0 ? { ...answer, entry: before } : answer;
          },
        }),
      };
    },
  },
  {
    id: 'kubernetes-123072',
    source: 'https://github.com/kubernetes/kubernetes/issues/123072',
    breaks: [],
    sentence: 'The cache of watches loses removals, for every watch alike.',
    defect: () =>
      aroundWatches(() => (event, sink) => {
        if (!isRemoval(event) || event.revision % 3 > 0) sink.event(event);
      }),
  },
  {
    id: 'kubernetes-49956',
    source: 'https://github.com/kubernetes/kubernetes/pull/49992',
    breaks: [],
    sentence: 'A watch begins one version too late.',
    defect: () =>
      aroundWatches(({ after }) => (event, sink) => {
        if (event.revision > after + 1) sink.event(event);
      }),
    mix: 'watches',
  },
  {
    id: 'kubernetes-24004',
    source: 'https://github.com/kubernetes/kubernetes/issues/24004',
    breaks: [],
    sentence: 'A watch from a version tells the change of that version once more.',
    defect: () =>
      aroundStore((store) => ({
        watch: (prefix, after, sink) => store.watch(prefix, affected(prefix) ? Math.max(1, after - 1) : after, sink),
      })),
    mix: 'watches',
  },
  {
    id: 'kubernetes-104171',
    source: 'https://github.com/kubernetes/kubernetes/issues/104171',
    breaks: [],
    sentence: 'A watch from a version that history no longer has is answered 200, and what came since is left out.',
    defect: () =>
      aroundStore((store) => {
        let latest = 0;
        return {
          commit: async (change: StoreWrite) => {
            const result = await store.commit(change);
            if (!result.committed) return result;
            latest = result.revision;
            if (latest % 10 === 0) await store.compact(latest - 5);
            return result;
          },
          watch: (prefix, after, sink) => {
            try {
              return store.watch(prefix, after, sink);
            } catch (error) {
              if (!(error instanceof RevisionCompacted) || !affected(prefix)) throw error;
              return store.watch(prefix, latest, sink);
            }
          },
        };
      }),
    mix: 'watches',
  },
  {
    id: 'kine-391',
    source: 'https://github.com/k3s-io/kine/issues/391',
    breaks: [],
    sentence: 'A list comes at the present version without what was created at it.',
    defect: () =>
      aroundRanges((_, result) => {
        const entries = result.entries.filter(
          ({ createRevision, modRevision }) => createRevision < modRevision || modRevision + 2 < result.revision,
        );
        return { ...result, entries };
      }),
    mix: 'lists',
  },
  {
    id: 'kine-731',
    source: 'https://github.com/k3s-io/kine/issues/731',
    breaks: [],
    sentence: 'Progress is announced before the events that it includes have been sent.',
    defect: () =>
      aroundWatches(() => {
        let held: StoreEvent | undefined;
        return (event, sink) => {
          const before = held;
          held = event;
          if (before) sink.event(before);
          sink.progress?.(event.revision);
        };
      }),
  },
  {
    id: 'tilt-apiserver-53',
    source: 'https://github.com/tilt-dev/tilt-apiserver/pull/53',
    breaks: [],
    sentence: 'Two writers that read the same version both succeed, and what the first wrote is lost.',
    defect: () =>
      aroundStore((store) => ({
        commit: async (change) => {
          // Others come between the look and the write, as they do where those are two statements of a database.
          if (affected(change.key)) for (let turns = 0; turns < 50; turns += 1) await nextTurn();
          const result = await store.commit(change);
          if (result.committed || !change.object || !result.present || change.expected === 0) return result;
          return affected(change.key) ? store.commit({ ...change, expected: result.present.modRevision }) : result;
        },
      })),
    mix: 'contended',
  },
];
