import type { ClientDuplexStream } from '@grpc/grpc-js';
import type { Election, Reign } from '../../contracts/election.ts';
import { SystemClock } from '../../time.ts';
import type { EtcdConnection } from './connection.ts';
import type { LeasedKey } from './leasedKey.ts';
import { type Int64, int64, LEASE_KEEP_ALIVE } from './messages.ts';

/** Parts of a term between signs of life, and without an answer until the office is given up: before etcd takes it. */
const SIGN = 0.2;
const SILENCE = 0.7;
/** Milliseconds before one who failed to stand stands again. */
const AGAIN = 500;

/** Terms pass in real time, whatever the clock of the server says. */
const REAL = new SystemClock();

interface KeepAlive {
  readonly stream: ClientDuplexStream<{ ID: Int64 }, { TTL: Int64 }>;
  /** When the last sign was given, and when the last one that was answered. */
  given: number;
  heard: number;
}

/**
 * An election by a lease of etcd: the one who creates the key leads as long as it keeps the lease alive. One who cannot
 * reach etcd stops to lead before the lease can run out; the others see the key go and try at once.
 */
export class LeaseElection implements Election {
  readonly #connection: EtcdConnection;
  readonly #key: LeasedKey;
  #running = true;
  #campaign: Promise<void> | undefined;
  /** Ends what the campaign waits for: the end of a reign, one's own or another's. */
  #wake: () => void = () => {};

  constructor(connection: EtcdConnection, key: LeasedKey) {
    this.#connection = connection;
    this.#key = key;
  }

  start(lead: () => Promise<Reign>): Promise<void> {
    return new Promise((resolve, reject) => {
      let known = false;
      const settle = () => {
        known = true;
        resolve();
      };
      // A server that cannot begin does not go on to stand.
      const fail = (error: unknown) => {
        if (!known) this.#running = false;
        reject(error);
      };
      this.#campaign = this.#run(lead, settle, fail);
    });
  }

  async stop(): Promise<void> {
    this.#running = false;
    this.#wake();
    await this.#campaign;
  }

  async #run(lead: () => Promise<Reign>, known: () => void, failed: (error: unknown) => void): Promise<void> {
    while (this.#running) {
      try {
        const { lease, revision } = await this.#key.take();
        // Whoever stopped it meanwhile waits for it, and wakes it no more.
        if (!this.#running) {
          if (lease !== undefined) await this.#key.giveBack(lease);
        } else if (lease === undefined) {
          known();
          await this.#vacancy(revision);
        } else await this.#reign(lease, lead, known, failed);
      } catch {
        await this.#pause(AGAIN);
      }
    }
    known();
  }

  async #reign(
    lease: Int64,
    lead: () => Promise<Reign>,
    known: () => void,
    failed: (error: unknown) => void,
  ): Promise<void> {
    const begun = REAL.now();
    let reign: Reign | undefined;
    try {
      const leading = lead();
      const lost = this.#hold(lease, begun);
      try {
        reign = await leading;
        known();
      } catch (error) {
        failed(error);
        throw error;
      }
      await lost;
    } finally {
      this.#wake();
      await reign?.stop();
      await this.#key.giveBack(lease);
    }
    if (this.#running) await this.#pause(AGAIN);
  }

  /** Keeps a lease alive; resolves when it is lost, or when this server shall lead no more. */
  #hold(lease: Int64, begun: number): Promise<void> {
    let alive: KeepAlive = this.#keepAlive(lease, begun);
    return new Promise((resolve) => {
      const end = () => {
        timer.cancel();
        alive.stream.cancel();
        resolve();
      };
      this.#wake = end;
      const term = this.#key.term * 1_000;
      const timer = REAL.every(term * SIGN, () => {
        if (REAL.now() - alive.heard > term * SILENCE) {
          end();
          return;
        }
        // A stream that broke off is opened at another member.
        if (alive.stream.destroyed) alive = this.#keepAlive(lease, alive.heard);
        else {
          alive.given = REAL.now();
          alive.stream.write({ ID: lease });
        }
      });
    });
  }

  #keepAlive(lease: Int64, heard: number): KeepAlive {
    const stream = this.#connection.stream(LEASE_KEEP_ALIVE);
    const alive: KeepAlive = { stream, given: REAL.now(), heard };
    stream.on('data', ({ TTL }: { TTL: Int64 }) => {
      if (int64(TTL) > 0) alive.heard = alive.given;
      else this.#wake();
    });
    stream.on('error', () => stream.destroy());
    stream.on('end', () => stream.destroy());
    stream.write({ ID: lease });
    return alive;
  }

  /** Resolves when the office may be free. */
  #vacancy(seen: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#key.awaitFree(seen, resolve);
      this.#wake = () => {
        waiting.cancel();
        resolve();
      };
    });
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = REAL.after(milliseconds, resolve);
      this.#wake = () => {
        timer.cancel();
        resolve();
      };
    });
  }
}
