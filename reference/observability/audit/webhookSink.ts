import type { AuditWebhookOptions } from '../../contracts/auditOptions.ts';
import { Poster, RemoteFault } from '../../remote/post.ts';
import type { Clock } from '../../time.ts';
import { type AuditEvent, eventText } from './auditEvent.ts';
import type { AuditSink } from './sink.ts';

/** Milliseconds for one attempt. */
const TIMEOUT = 30_000;
const ATTEMPTS = 5;
const GROWTH = 1.5;

/** A remote service that takes events as an EventList, one POST a batch; a fault that may pass is tried again later. */
export class WebhookSink implements AuditSink {
  readonly #poster: Poster;
  readonly #backoff: number;
  readonly #clock: Clock;
  readonly #apiVersion: string;
  #release: (() => void) | undefined;
  #closing = false;

  /** @param apiVersion of the list: `audit.k8s.io/v1` */
  constructor({ remote, backoff }: AuditWebhookOptions, clock: Clock, apiVersion: string) {
    this.#poster = new Poster(remote, remote.url, TIMEOUT);
    this.#backoff = backoff;
    this.#clock = clock;
    this.#apiVersion = apiVersion;
  }

  async take(events: readonly AuditEvent[]): Promise<boolean> {
    const items = events.map(eventText).join(',');
    const lead = JSON.stringify({ kind: 'EventList', apiVersion: this.#apiVersion, metadata: {} }).slice(0, -1);
    const list = `${lead},"items":[${items}]}`;
    for (let attempt = 1, delay = this.#backoff; ; attempt++, delay *= GROWTH) {
      try {
        await this.#poster.post(list);
        return true;
      } catch (error) {
        if (!(error instanceof RemoteFault)) throw error;
        if (!error.passing || attempt === ATTEMPTS || this.#closing) return false;
        await this.#pause(delay);
      }
    }
  }

  hurry(): void {
    this.#closing = true;
    this.#release?.();
  }
  async close(): Promise<void> {
    this.hurry();
    await this.#poster.close();
  }

  #pause(delay: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#clock.after(delay, resolve);
      this.#release = () => {
        timer.cancel();
        resolve();
      };
    });
  }
}
