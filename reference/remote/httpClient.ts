import type { Agent, buildConnector, interceptors, request } from 'undici';
import { loadHttpClient } from '../ports/network.ts';

/** What an answer has, of all that the library says of it. */
export interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
}
export interface HttpClient {
  readonly Agent: typeof Agent;
  readonly buildConnector: typeof buildConnector;
  readonly interceptors: typeof interceptors;
  request(url: string, options: NonNullable<Parameters<typeof request>[1]>): Promise<HttpAnswer>;
}

/** What a host says to a request with this body and path: status and text, as JSON. */
export type LocalHost = (body: string, path: string) => { readonly code: number; readonly text: string };

const localHosts = new Map<string, LocalHost>();

/**
 * Answers at a name of a host by a function of this process, for servers that reach no network; the name is not looked up.
 * @returns what ends that
 */
export function standAtHost(host: string, answer: LocalHost): () => void {
  localHosts.set(host, answer);
  return () => localHosts.delete(host);
}

let loaded: Promise<HttpClient> | undefined;

/** The HTTP client, loaded with the first question to somebody else: it is large, and most servers ask nobody. */
export function httpClient(): Promise<HttpClient> {
  loaded ??= loadHttpClient().then(({ Agent, buildConnector, interceptors, request }) => ({
    Agent,
    buildConnector,
    interceptors,
    async request(url, options) {
      const { host: name, pathname } = new URL(url);
      const host = localHosts.get(name);
      if (!host) return request(url, options);
      const { code, text } = host(String(options.body ?? ''), pathname);
      return { statusCode: code, headers: { 'content-type': 'application/json' }, body: wholly(text) };
    },
  }));
  return loaded;
}

async function* wholly(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
