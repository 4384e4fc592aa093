import { formatDuration } from '../api/duration.ts';
import type { JsonObject } from '../api/json.ts';
import type { RemoteService } from '../contracts/remoteService.ts';
import type { Clock } from '../time.ts';
import { Poster, RemoteFault } from './post.ts';
import { isUnreadable, readReviewBody } from './reviewBody.ts';

const ATTEMPTS = 5;
const FIRST_DELAY = 500;
const GROWTH = 1.5;

/** Who answers review objects. */
export interface Reviews {
  /** The review as it comes back, of the same version and kind as the one sent. Throws RemoteFault. */
  ask(review: JsonObject): Promise<JsonObject>;
}

/** Puts review objects to a remote service, one POST each; a fault that may pass is tried again. */
export class ReviewClient implements Reviews {
  readonly #clock: Clock;
  readonly #poster: Poster;

  /** @param timeout milliseconds for one attempt */
  constructor(remote: RemoteService, clock: Clock, timeout: number) {
    this.#clock = clock;
    // The remote service is told how long its caller will wait.
    const url = new URL(remote.url);
    url.searchParams.set('timeout', formatDuration(timeout));
    this.#poster = new Poster(remote, url.href, timeout);
  }

  async ask(review: JsonObject): Promise<JsonObject> {
    for (let attempt = 1, delay = FIRST_DELAY; ; attempt++, delay *= GROWTH) {
      try {
        return await this.#once(review);
      } catch (error) {
        if (!(error instanceof RemoteFault) || !error.passing || attempt === ATTEMPTS) throw error;
        await new Promise<void>((resolve) => this.#clock.after(delay, resolve));
      }
    }
  }
  close(): Promise<void> {
    return this.#poster.close();
  }

  async #once(review: JsonObject): Promise<JsonObject> {
    const value = readAnswer(await this.#poster.post(JSON.stringify(review)));
    if (value.apiVersion !== review.apiVersion || value.kind !== review.kind) {
      throw new RemoteFault(
        `the remote service answered another kind or version than ${review.kind} ${review.apiVersion}`,
      );
    }
    return value;
  }
}

function readAnswer(body: string): JsonObject {
  try {
    return readReviewBody(body);
  } catch (error) {
    if (isUnreadable(error)) throw new RemoteFault(error.message);
    throw error;
  }
}
