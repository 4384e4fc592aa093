import { Entry } from '../contracts/entry.ts';
import type { Change, CommitResult, Store } from '../contracts/store.ts';
import type { Mutant } from './mutant.ts';

const CONFIG_MAPS = '/core/configmaps/';

/** Answers a write of a config map at once, and stores it when the next one comes. */
function oneBehind(store: Store): Store {
  let held: Change | undefined;
  const commit = async (change: Change): Promise<CommitResult> => {
    if (!change.key.startsWith(CONFIG_MAPS)) return store.commit(change);
    const { key, expected, object } = change;
    const before = held;
    held = undefined;
    if (before) await store.commit(before);
    const present = await store.get(key);
    if (object === null || (present?.modRevision ?? 0) !== expected) return store.commit(change);
    held = change;
    const revision = (await store.revision()) + 1;
    return { committed: true, revision, entry: new Entry(key, present?.createRevision ?? revision, revision, object) };
  };
  // The methods of a store reach its private parts, so they keep it as their own.
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'commit') return commit;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Mutants that lose what they stored. */
export const STORING: readonly Mutant[] = [
  {
    id: 'store-ends-with-the-server',
    breaks: ['STORE-PERSIST-01'],
    sentence: 'Objects are kept in memory, whatever directory is named.',
    seams: {},
    start: { flags: (argv) => argv.filter((flag) => !flag.startsWith('--data-dir')) },
  },
  {
    id: 'store-acknowledges-first',
    breaks: ['STORE-CRASH-01'],
    sentence: 'The last config map that was written is answered before it is stored.',
    seams: { store: oneBehind },
  },
];
