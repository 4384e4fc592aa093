import type { StorageOptions } from '../options/serverOptions.ts';
import type { Clock } from '../time.ts';
import type { DataDirectory } from './durable/dataDirectory.ts';
import { MemoryStore } from './memory.ts';
import type { Retention } from './multiVersion.ts';
import type { Awaitable, Store } from './store.ts';
import type { StoreImage } from './storeImage.ts';

/** A store, and what may be done to it from below. */
export interface OpenedStore {
  readonly store: Store;
  /**
   * Makes what is stored under a key unreadable, as damage below the service would: no revision passes and no watcher
   * hears of it. False when nothing is there.
   */
  corrupt(key: string): Awaitable<boolean>;
  /** Lets go of what was taken for the store, when the store is closed. */
  release(): void;
}

export interface StoreRooms {
  readonly clock: Clock;
  /** Name of the dialect whose groups the keys name. */
  readonly dialect: string;
  /** The directory of the options, where it is taken already. */
  readonly directory?: DataDirectory;
  /** What a new store begins with. */
  readonly image?: StoreImage;
}

/**
 * Opens the store that the options ask for: in a data directory, or in memory.
 * @throws DataDirectoryError with one sentence
 */
export async function openStore(options: StorageOptions, rooms: StoreRooms): Promise<OpenedStore> {
  const { clock, dialect, image } = rooms;
  const retention: Retention = { clock, historyWindow: options.historyWindow };
  if (options.dataDirectory === undefined) {
    const store = new MemoryStore(retention, image);
    return { store, corrupt: (key) => store.corrupt(key), release: () => {} };
  }
  // What loads code of the machine is loaded by those who use it.
  const { claimDirectory, openDurable } = await import('./durable/openDurable.ts');
  const directory = rooms.directory ?? (await claimDirectory(options.dataDirectory, { dialect, image }));
  const release = () => {
    if (!rooms.directory) directory.release();
  };
  try {
    const store = openDurable(directory, retention);
    return { store, corrupt: (key) => store.corrupt(key), release };
  } catch (error) {
    release();
    throw error;
  }
}
