import { StoreUnavailable } from '../../contracts/store.ts';
import { type EtcdConnection, EtcdRefusal } from './connection.ts';
import { int64, RANGE, WATCH, type WatchResponse } from './messages.ts';

/** A key that nothing is kept under. */
const NOTHING = Buffer.from('\0');

/**
 * The revision before which the cluster has forgotten its history; 0: it has all of it. @throws StoreUnavailable
 */
export async function compactedRevision(connection: EtcdConnection): Promise<number> {
  try {
    await connection.read(RANGE, { key: NOTHING, revision: 1 });
    return 0;
  } catch (error) {
    if (!(error instanceof EtcdRefusal)) throw error;
    return announced(connection);
  }
}

/** etcd names that revision only to those who watch from before it. */
function announced(connection: EtcdConnection): Promise<number> {
  const stream = connection.stream(WATCH);
  return new Promise((resolve, reject) => {
    stream.on('data', (response: WatchResponse) => {
      if (!response.canceled) return;
      resolve(int64(response.compactRevision));
      stream.cancel();
    });
    stream.on('error', () => reject(new StoreUnavailable('etcd cannot be reached')));
    stream.write({
      createRequest: {
        key: NOTHING,
        rangeEnd: new Uint8Array(),
        startRevision: 1,
        progressNotify: false,
        prevKv: false,
        fragment: false,
      },
    });
  });
}
