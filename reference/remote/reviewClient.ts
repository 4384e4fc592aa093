import { Agent, request } from 'undici';
import type { JsonObject } from '../api/json.ts';
import type { RemoteService } from '../options/clientConfig.ts';
import { formatDuration } from '../options/duration.ts';
import type { Clock } from '../time.ts';
import { connectionFault, statusFault } from './faultTexts.ts';
import { isUnreadable, readReviewBody } from './reviewBody.ts';

/** Largest answer read, in bytes. */
const LARGEST = 1024 * 1024;
const ATTEMPTS = 5;
const FIRST_DELAY = 500;
const GROWTH = 1.5;

/** The remote service could not be asked, or its answer is none. The message holds nothing that was sent. */
export class RemoteFault extends Error {
  /** Whether the same question may find an answer a little later. */
  readonly passing: boolean;
  constructor(message: string, passing = false) {
    super(message);
    this.name = 'RemoteFault';
    this.passing = passing;
  }
}

/** Puts review objects to a remote service, one POST each; a fault that may pass is tried again. */
export class ReviewClient {
  readonly #remote: RemoteService;
  readonly #clock: Clock;
  readonly #timeout: number;
  readonly #agent: Agent;
  readonly #url: string;

  /** @param timeout milliseconds for one attempt */
  constructor(remote: RemoteService, clock: Clock, timeout: number) {
    this.#remote = remote;
    this.#clock = clock;
    this.#timeout = timeout;
    // The remote service is told how long its caller will wait.
    const url = new URL(remote.url);
    url.searchParams.set('timeout', formatDuration(timeout));
    this.#url = url.href;
    this.#agent = new Agent({
      connections: 32,
      connect: {
        ca: remote.ca,
        cert: remote.clientCertificate?.certificate,
        key: remote.clientCertificate?.key,
        servername: remote.serverName,
        rejectUnauthorized: !remote.insecure,
        minVersion: 'TLSv1.2',
        timeout,
      },
    });
  }

  /** The review as it comes back, of the same version and kind as the one sent. Throws RemoteFault. */
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
    return this.#agent.close();
  }

  async #once(review: JsonObject): Promise<JsonObject> {
    const { token } = this.#remote;
    let code: number;
    let body: string;
    try {
      const answer = await request(this.#url, {
        method: 'POST',
        dispatcher: this.#agent,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, */*',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(review),
        headersTimeout: this.#timeout,
        bodyTimeout: this.#timeout,
        signal: AbortSignal.timeout(this.#timeout),
      });
      code = answer.statusCode;
      body = await wholeBody(answer.body);
    } catch (error) {
      if (error instanceof RemoteFault) throw error;
      const { code: name = '' } = error as NodeJS.ErrnoException;
      throw new RemoteFault(
        `Post ${JSON.stringify(this.#url)}: ${connectionFault(error as Error)}`,
        name === 'ECONNRESET',
      );
    }
    if (code < 200 || code > 299) {
      const passing = code === 500 || code === 429;
      throw new RemoteFault(statusFault(code, body.trim()), passing);
    }
    const value = readAnswer(body);
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

async function wholeBody(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > LARGEST) throw new RemoteFault('the answer of the remote service is too large');
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString();
}
