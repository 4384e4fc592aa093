import { claimDirectory } from '../../reference/storage/durable/openDurable.ts';
import type { ImageEntry } from '../../reference/storage/storeImage.ts';
import { configMap } from './scenario.ts';

const FIRST = 1_000;

/** Makes a data directory with so many config maps of one kilobyte, `o-0` and so on, as a server would have left it. */
export async function fillDirectory(path: string, objects: number): Promise<void> {
  const entries = Array.from({ length: objects }, (_, at): ImageEntry => {
    const object = JSON.parse(configMap(`o-${at}`));
    const uid = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
    const metadata = { ...object.metadata, namespace: 'default', uid, creationTimestamp: '2025-01-01T00:00:00Z' };
    const revision = FIRST + 1 + at;
    const key = `/core/configmaps/default/o-${at}`;
    return { key, createRevision: revision, modRevision: revision, object: { ...object, metadata } };
  });
  const directory = await claimDirectory(path, {
    dialect: 'kubernetes',
    image: { revision: FIRST + objects, epoch: 0, entries },
  });
  directory.release();
}
