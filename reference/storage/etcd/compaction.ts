import type { Clock, Timer } from '../../time.ts';
import type { EtcdConnection } from './connection.ts';
import { int64, type KeyValue, TXN } from './messages.ts';

/** The key by which servers agree on compactions: its version counts them, its value is the revision of the last. */
const KEY = Buffer.from('compact_rev_key');

/**
 * Forgets history as the real service does: each interval, the servers of one etcd race to raise the version of one
 * key, and the one that wins forgets all that lies before the revision which it saw an interval ago. So what was
 * replaced stays readable for one interval at least, and for two at most.
 */
export class Compaction {
  readonly #connection: EtcdConnection;
  readonly #compact: (revision: number) => Promise<void>;
  readonly #timer: Timer | undefined;
  /** Version of the key when it was seen last, and the revision of the cluster at that time. */
  #version = 0;
  #revision = 0;
  #running: Promise<void> | undefined;

  /**
   * @param interval milliseconds; 0: history is kept until somebody else forgets it
   * @param compact forgets history up to a revision
   */
  constructor(
    connection: EtcdConnection,
    clock: Clock,
    interval: number,
    compact: (revision: number) => Promise<void>,
  ) {
    this.#connection = connection;
    this.#compact = compact;
    this.#timer = interval > 0 ? clock.every(interval, () => this.#tick()) : undefined;
  }

  stop(): void {
    this.#timer?.cancel();
  }

  /** One race; a cluster that is away is asked again at the next interval. */
  #tick(): void {
    this.#running ??= this.#run()
      .catch(() => {})
      .finally(() => {
        this.#running = undefined;
      });
  }

  async #run(): Promise<void> {
    const result = await this.#connection.write(TXN, {
      compare: [{ target: 0, key: KEY, version: this.#version }],
      success: [{ requestPut: { key: KEY, value: Buffer.from(String(this.#revision)) } }],
      failure: [{ requestRange: { key: KEY } }],
    });
    const before = this.#revision;
    this.#revision = int64(result.header.revision);
    if (!result.succeeded) {
      const [present] = result.responses[0]?.responseRange?.kvs ?? [];
      this.#version = present ? int64((present as KeyValue).version) : 0;
      return;
    }
    this.#version++;
    if (before > 0) await this.#compact(before);
  }
}
