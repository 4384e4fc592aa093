import type { Agent } from 'undici';
import type { RemoteService } from '../contracts/remoteService.ts';
import { connectionFault, statusFault } from './faultTexts.ts';
import { httpClient } from './httpClient.ts';

/** Largest answer read, in bytes. */
const LARGEST = 1024 * 1024;

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

/** Sends JSON to a remote service, over connections that are kept. */
export class Poster {
  readonly #remote: RemoteService;
  readonly #url: string;
  readonly #timeout: number;
  #agent: Promise<Agent> | undefined;

  /**
   * @param url of the service, perhaps with more of a query than its configuration says
   * @param timeout milliseconds for one request
   */
  constructor(remote: RemoteService, url: string, timeout: number) {
    this.#remote = remote;
    this.#url = url;
    this.#timeout = timeout;
  }

  /** The text of an answer that is a success. @throws RemoteFault */
  async post(json: string): Promise<string> {
    const { token } = this.#remote;
    const { request } = await httpClient();
    this.#agent ??= this.#open();
    const dispatcher = await this.#agent;
    let code: number;
    let body: string;
    try {
      const answer = await request(this.#url, {
        method: 'POST',
        dispatcher,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, */*',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: json,
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
    return body;
  }

  /** Ends the connections, when what is under way is done. */
  async close(): Promise<void> {
    await (await this.#agent)?.close();
  }

  async #open(): Promise<Agent> {
    const { Agent } = await httpClient();
    const { ca, clientCertificate, serverName, insecure } = this.#remote;
    return new Agent({
      connections: 32,
      connect: {
        ca,
        cert: clientCertificate?.certificate,
        key: clientCertificate?.key,
        servername: serverName,
        rejectUnauthorized: !insecure,
        minVersion: 'TLSv1.2',
        timeout: this.#timeout,
      },
    });
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
