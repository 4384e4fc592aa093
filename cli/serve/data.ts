import type { ServerOptions } from '../../reference/contracts/serverOptions.ts';
import { encryptionOf } from '../../reference/openStore.ts';
import type { DataDirectory } from '../../reference/storage/durable/dataDirectory.ts';
import type { StoreImage } from '../../reference/storage/storeImage.ts';
import type { CredentialKeeper } from './credentials.ts';
import { keepCredentials, readCredentials } from './keptCredentials.ts';

/** What a server begins with. */
export interface Data {
  /** Taken for this process; undefined: the server keeps nothing. */
  readonly directory?: DataDirectory;
  /** Where its credentials outlive it. */
  readonly keeper?: CredentialKeeper;
  /** What a store that is not in the directory begins with. */
  readonly image?: StoreImage | undefined;
}

/**
 * Takes the data directory that the options name, before anything is made for the server, and reads the snapshot.
 * @param restore the file of a snapshot; undefined: none
 * @throws Error with one sentence
 */
export async function takeData({ storage, dialect }: ServerOptions, restore: string | undefined): Promise<Data> {
  const { dataDirectory } = storage;
  const image = restore === undefined ? undefined : await readImage(restore, dialect.name);
  if (dataDirectory === undefined) return { image };
  const { claimDirectory } = await import('../../reference/storage/durable/openDurable.ts');
  const transformer = encryptionOf(storage, dialect);
  const directory = await claimDirectory(dataDirectory, { dialect: dialect.name, image, transformer });
  if (image && !directory.isNew) {
    directory.release();
    throw new Error(`${dataDirectory} holds objects already; a snapshot is restored into a new or empty directory`);
  }
  const keeper: CredentialKeeper = {
    read: () => readCredentials(directory.path),
    keep: (credentials) => keepCredentials(directory.path, credentials),
  };
  return { directory, keeper };
}

async function readImage(file: string, dialect: string): Promise<StoreImage> {
  const { readSnapshotFile } = await import('../../reference/storage/snapshot/snapshotFile.ts');
  const snapshot = readSnapshotFile(file);
  if (snapshot.dialect === dialect) return snapshot.image;
  throw new Error(`${file} holds the objects of dialect ${snapshot.dialect}, not of ${dialect}`);
}
