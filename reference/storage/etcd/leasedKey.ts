import { ChangeFeed } from './changeFeed.ts';
import type { EtcdConnection } from './connection.ts';
import { type Int64, int64, LEASE_GRANT, LEASE_REVOKE, TXN } from './messages.ts';

/** The outcome of an attempt to take a key. */
export interface LeaseAttempt {
  /** What holds the key, where it was taken. */
  readonly lease?: Int64;
  /** The revision at which it was taken, or seen to be another's. */
  readonly revision: number;
}

/** A key that one at a time may have: it goes by itself when its owner is not heard of for a term. */
export class LeasedKey {
  readonly term: number;
  readonly #connection: EtcdConnection;
  readonly #key: Buffer;
  readonly #owner: Buffer;

  /**
   * @param owner for people who look
   * @param term seconds
   */
  constructor(connection: EtcdConnection, key: string, owner: string, term: number) {
    this.#connection = connection;
    this.#key = Buffer.from(key);
    this.#owner = Buffer.from(owner);
    this.term = term;
  }

  /** @throws StoreUnavailable */
  async take(): Promise<LeaseAttempt> {
    const { ID } = await this.#connection.write(LEASE_GRANT, { TTL: this.term });
    const result = await this.#connection.write(TXN, {
      compare: [{ target: 1, key: this.#key, createRevision: 0 }],
      success: [{ requestPut: { key: this.#key, value: this.#owner, lease: ID } }],
      failure: [],
    });
    const revision = int64(result.header.revision);
    if (result.succeeded) return { lease: ID, revision };
    await this.giveBack(ID);
    return { revision };
  }

  async giveBack(ID: Int64): Promise<void> {
    try {
      await this.#connection.write(LEASE_REVOKE, { ID });
    } catch {
      // It runs out by itself.
    }
  }

  /** Calls `free` once when the key may be free, at whatever revision after the one at which it was not. */
  awaitFree(revision: number, free: () => void): { cancel(): void } {
    const end = () => {
      feed.stop();
      free();
    };
    const feed = new ChangeFeed(this.#connection, this.#key.toString(), revision, {
      changes: (events) => {
        if (events.some(({ type }) => type === 1)) end();
      },
      progress: () => {},
      lost: end,
    });
    return { cancel: () => feed.stop() };
  }
}
