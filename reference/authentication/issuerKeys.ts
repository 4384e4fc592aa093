import type { Agent } from 'undici';
import { isObject, type JsonObject } from '../api/json.ts';
import type { JwtIssuerOptions } from '../contracts/serverOptions.ts';
import { createPublicKey, type KeyObject } from '../ports/keys.ts';
import { httpClient } from '../remote/httpClient.ts';
import type { Clock } from '../time.ts';

const LARGEST = 1024 * 1024;
const MOST_KEYS = 256;
/** Milliseconds for one fetch. */
const TIMEOUT = 10_000;
/** Milliseconds between two fetches, however many tokens name keys that are not known. */
const PAUSE = 1_000;

export interface IssuerKey {
  /** Empty when the issuer gives its keys no ids. */
  readonly id: string;
  readonly key: KeyObject;
}

/** The keys of an issuer (2/oidc-flags/p2), found by its discovery document and fetched again when a new one appears. */
export class IssuerKeys {
  readonly #issuer: JwtIssuerOptions;
  readonly #clock: Clock;
  #agent: Promise<Agent> | undefined;
  #keys: readonly IssuerKey[] | undefined;
  #fetched = Number.NEGATIVE_INFINITY;
  #fetching: Promise<void> | undefined;

  constructor(issuer: JwtIssuerOptions, clock: Clock) {
    this.#issuer = issuer;
    this.#clock = clock;
  }

  /**
   * The keys that a token may be signed with: the one it names, all when it names none. A name that is not known lets
   * the keys be fetched anew, though not for every token.
   */
  async candidates(id: string | undefined): Promise<readonly IssuerKey[]> {
    const fitting = () => (this.#keys ?? []).filter((key) => !id || key.id === id);
    if (this.#keys === undefined || fitting().length === 0) await this.#refresh();
    return fitting();
  }
  async close(): Promise<void> {
    await (await this.#agent)?.close();
  }

  async #open(): Promise<Agent> {
    const { Agent } = await httpClient();
    return new Agent({ connect: { ca: this.#issuer.ca, minVersion: 'TLSv1.2', timeout: TIMEOUT } });
  }

  async #refresh(): Promise<void> {
    if (!this.#fetching) {
      if (this.#keys !== undefined && this.#clock.now() - this.#fetched < PAUSE) return;
      this.#fetched = this.#clock.now();
      this.#fetching = this.#fetch().finally(() => {
        this.#fetching = undefined;
      });
    }
    await this.#fetching;
  }

  /** Leaves the keys as they are when the issuer cannot be reached or answers something else. */
  async #fetch(): Promise<void> {
    try {
      const { url, discoveryUrl } = this.#issuer;
      const document = await this.#json(discoveryUrl ?? `${url.replace(/\/$/, '')}/.well-known/openid-configuration`);
      if (document.issuer !== url || typeof document.jwks_uri !== 'string') return;
      if (!document.jwks_uri.startsWith('https://')) return;
      const { keys } = await this.#json(document.jwks_uri);
      this.#keys = (Array.isArray(keys) ? keys : []).slice(0, MOST_KEYS).filter(isObject).flatMap(readKey);
    } catch {
      // The next token asks again.
    }
  }

  async #json(url: string): Promise<JsonObject> {
    const { request } = await httpClient();
    this.#agent ??= this.#open();
    const answer = await request(url, {
      dispatcher: await this.#agent,
      headersTimeout: TIMEOUT,
      bodyTimeout: TIMEOUT,
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of answer.body as AsyncIterable<Uint8Array>) {
      size += part.length;
      if (size > LARGEST) throw new Error('the answer is too large');
      parts.push(part);
    }
    const value: unknown = JSON.parse(Buffer.concat(parts).toString());
    if (answer.statusCode !== 200 || !isObject(value)) throw new Error('the answer is no document');
    return value;
  }
}

/** One key of a key set; none when it is not for signatures or of an unknown kind. */
function readKey(jwk: JsonObject): IssuerKey[] {
  if (jwk.use !== undefined && jwk.use !== 'sig') return [];
  try {
    return [
      { id: typeof jwk.kid === 'string' ? jwk.kid : '', key: createPublicKey({ key: jwk as never, format: 'jwk' }) },
    ];
  } catch {
    return [];
  }
}
