import type { Dialect } from '../fixtures/dialects/dialect.ts';
import { Alone } from './contracts/election.ts';
import type { StorageOptions } from './contracts/serverOptions.ts';
import type { OpenedStore } from './contracts/store.ts';
import { readBuiltinTypes } from './resources/typeLines.ts';
import type { DataDirectory } from './storage/durable/dataDirectory.ts';
import { Encryption } from './storage/encryption/encryption.ts';
import type { FindSchema } from './storage/etcd/keptForms.ts';
import { KeyLayout } from './storage/etcd/keyLayout.ts';
import { MemoryStore } from './storage/memory.ts';
import type { Retention } from './storage/multiVersion.ts';
import type { StoreImage } from './storage/storeImage.ts';
import type { Clock } from './time.ts';

export interface StoreDependencies {
  readonly clock: Clock;
  readonly dialect: Dialect;
  /** What objects are kept encrypted by; nothing unless told. */
  readonly encryption?: Encryption | undefined;
  /** What built-in kinds look like, for objects that the real service wrote. */
  readonly schemaOf?: FindSchema;
  /** The directory of the options, where it is taken already. */
  readonly directory?: DataDirectory | undefined;
  /** What a new store begins with. */
  readonly image?: StoreImage | undefined;
}

const PREFIX = '/registry';

/** How keys lie in etcd, where the options name one, and what encryption binds objects to in any store. */
function layoutOf({ etcd }: StorageOptions, dialect: Dialect): KeyLayout {
  return new KeyLayout(etcd?.prefix ?? PREFIX, readBuiltinTypes(dialect));
}

/** What the options have objects encrypted by; undefined: nothing. */
export function encryptionOf(options: StorageOptions, dialect: Dialect): Encryption | undefined {
  const { encryption } = options;
  if (!encryption) return undefined;
  const layout = layoutOf(options, dialect);
  return new Encryption(encryption.rules, (key) => layout.toEtcd(key) ?? key);
}

/**
 * Opens the store that the options ask for: in etcd, in a data directory, or in memory.
 * @throws DataDirectoryError with one sentence, StoreUnavailable
 */
export async function openStore(options: StorageOptions, dependencies: StoreDependencies): Promise<OpenedStore> {
  const { clock, dialect, image, encryption, schemaOf } = dependencies;
  const retention: Retention = { clock, historyWindow: options.historyWindow };
  const transformer = encryption ? { transformer: encryption } : {};
  // What loads code of the machine, or of a network, is loaded by those who use it.
  if (options.etcd) {
    const { openEtcd } = await import('./storage/etcd/openEtcd.ts');
    const layout = layoutOf(options, dialect);
    return openEtcd(options.etcd, { ...retention, ...transformer, ...(schemaOf ? { schemaOf } : {}), layout, image });
  }
  if (options.dataDirectory === undefined) {
    return inMemory(retention, image);
  }
  const { claimDirectory, openDurable } = await import('./storage/durable/openDurable.ts');
  const claim = { dialect: dialect.name, image, ...transformer };
  const directory = dependencies.directory ?? (await claimDirectory(options.dataDirectory, claim));
  const release = () => {
    if (!dependencies.directory) directory.release();
  };
  try {
    const store = openDurable(directory, { ...retention, ...transformer });
    return { store, corrupt: (key) => store.corrupt(key), election: new Alone(), fork: undefined, release };
  } catch (error) {
    release();
    throw error;
  }
}

function inMemory(retention: Retention, from: StoreImage | MemoryStore | undefined): OpenedStore {
  const store = new MemoryStore(retention, from);
  return {
    store,
    corrupt: (key) => store.corrupt(key),
    election: new Alone(),
    fork: (clock) => ({ ...inMemory({ ...retention, clock }, store), revision: store.revision() }),
    release: () => {},
  };
}
