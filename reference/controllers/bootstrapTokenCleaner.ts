import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { ApiObject } from '../api/object.ts';
import type { WorkQueue } from '../collections/workQueue.ts';
import type { Client } from '../contracts/client.ts';
import type { Controller, ControllerSite, StoreChange } from '../contracts/controller.ts';
import { readable } from '../contracts/readable.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';
import { bootstrapExpired, parseInstant, secretText } from '../objects/bootstrapSecret.ts';
import type { Clock, Timer } from '../time.ts';

/** Timers further away than this are set anew when they end; a timer's delay has a limit. */
const FARTHEST = 24 * 3600 * 1000;

/** Deletes bootstrap token secrets when their time is over (2/states-and-transitions/t1.2). */
export class BootstrapTokenCleaner implements Controller {
  readonly #client: Client;
  readonly #queue: WorkQueue;
  readonly #clock: Clock;
  readonly #prefix: string;
  readonly #type: string;
  readonly #namespace: string;
  readonly #dialect: Dialect;
  /** Secrets whose time is not over, by key, each with what waits for that. */
  readonly #waiting = new Map<string, { readonly secret: ApiObject; readonly timer: Timer }>();

  constructor(client: Client, queue: WorkQueue, clock: Clock, dialect: Dialect) {
    this.#client = client;
    this.#queue = queue;
    this.#clock = clock;
    this.#dialect = dialect;
    this.#namespace = dialect.systemNamespace;
    this.#prefix = collectionPrefix({ group: '', resource: 'secrets' }, dialect.systemNamespace);
    this.#type = `bootstrap.${dialect.labelDomain}/token`;
  }

  fork({ services: { clock }, client, queue }: ControllerSite): BootstrapTokenCleaner {
    const fork = new BootstrapTokenCleaner(client, queue, clock, this.#dialect);
    for (const [key, { secret }] of this.#waiting) fork.#consider(key, secret);
    return fork;
  }

  changed({ key, entry, deleted }: StoreChange): void {
    if (!key.startsWith(this.#prefix)) return;
    this.#waiting.get(key)?.timer.cancel();
    this.#waiting.delete(key);
    const secret = deleted ? undefined : readable(entry);
    if (secret && secret.type === this.#type) this.#consider(key, secret);
  }
  stop(): void {
    for (const { timer } of this.#waiting.values()) timer.cancel();
    this.#waiting.clear();
  }

  #consider(key: string, secret: ApiObject): void {
    const now = this.#clock.now();
    if (bootstrapExpired(secret, now)) {
      const { name = '', uid } = secret.metadata;
      this.#queue.add(`bootstrap-token-cleaner ${key}`, async () => {
        const type = this.#client.type('', 'secrets');
        if (type) await this.#client.remove({ type, namespace: this.#namespace, name }, uid, 'Background');
      });
      return;
    }
    const expiration = secretText(secret, 'expiration');
    if (expiration === '') return;
    const delay = Math.min(FARTHEST, parseInstant(expiration) - now);
    const timer = this.#clock.after(delay, () => {
      this.#waiting.delete(key);
      this.#consider(key, secret);
    });
    this.#waiting.set(key, { secret, timer });
  }
}
