import type { Awaitable } from '../api/awaitable.ts';
import type { IncomingRequest } from '../api/request.ts';
import type { Authenticated, Authenticator, Rejection } from '../contracts/authenticator.ts';
import { isPending } from '../contracts/store.ts';
import type { TokenAuthenticator } from '../contracts/tokenAuthenticator.ts';

const INVALID = 'invalid bearer token';
/** Longest token looked at, in characters; anything longer is no token of ours. */
const LONGEST = 64 * 1024;

/**
 * Bearer tokens (2/methods/p1), by every token method in turn: the first success decides. The header's scheme is
 * matched in any case, and what follows the token is not looked at. A WebSocket, which cannot carry the header
 * from a browser, may name the token as a subprotocol.
 */
export class BearerAuthenticator implements Authenticator {
  readonly name = 'bearerToken';
  readonly #methods: readonly TokenAuthenticator[];
  readonly #audiences: readonly string[];
  readonly #protocolPrefix: string;

  /**
   * @param audiences of this server
   * @param apiDomain suffix of the subprotocol's name
   */
  constructor(methods: readonly TokenAuthenticator[], audiences: readonly string[], apiDomain: string) {
    this.#methods = methods;
    this.#audiences = audiences;
    this.#protocolPrefix = `base64url.bearer.authorization.${apiDomain}.`;
  }

  authenticate(request: IncomingRequest): Awaitable<Authenticated | Rejection | undefined> {
    const token = bearerToken(request) ?? this.#protocolToken(request);
    return token === undefined ? undefined : this.review(token, this.#audiences);
  }

  /**
   * Who a token belongs to, as a token review asks it (2/token-review/p1).
   *
   * @param audiences the token must be meant for at least one; those of this server when empty
   * @returns a Rejection with every fault found when nobody knows the token
   */
  review(token: string, audiences: readonly string[]): Awaitable<Authenticated | Rejection> {
    if (token.length > LONGEST) return { rejected: INVALID };
    const wanted = audiences.length > 0 ? audiences : this.#audiences;
    const faults: string[] = [];
    for (let i = 0; i < this.#methods.length; i++) {
      const answer = (this.#methods[i] as TokenAuthenticator).authenticateToken(token, wanted);
      if (isPending(answer)) return this.#reviewFrom(i, answer, token, wanted, faults);
      if (answer && 'user' in answer) return answer;
      if (answer) faults.push(answer.rejected);
    }
    return refusal(faults);
  }

  async #reviewFrom(
    at: number,
    pending: Promise<Authenticated | Rejection | undefined>,
    token: string,
    wanted: readonly string[],
    faults: string[],
  ): Promise<Authenticated | Rejection> {
    let answer = await pending;
    for (let i = at; ; ) {
      if (answer && 'user' in answer) return answer;
      if (answer) faults.push(answer.rejected);
      const method = this.#methods[++i];
      if (!method) return refusal(faults);
      answer = await method.authenticateToken(token, wanted);
    }
  }

  #protocolToken(request: IncomingRequest): string | undefined {
    const header = request.headers['sec-websocket-protocol'];
    if (header === undefined) return undefined;
    for (const offered of [header].flat().join(',').split(',')) {
      const protocol = offered.trim();
      if (!protocol.startsWith(this.#protocolPrefix)) continue;
      const token = Buffer.from(protocol.slice(this.#protocolPrefix.length), 'base64url').toString();
      return token === '' ? undefined : token;
    }
    return undefined;
  }
}

/** The token of the Authorization header; undefined when there is none or it is of another scheme. */
function bearerToken(request: IncomingRequest): string | undefined {
  const header = request.headers.authorization;
  const value = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!value) return undefined;
  const [scheme = '', token = ''] = value.split(' ', 2);
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}

function refusal(faults: readonly string[]): Rejection {
  const all = [...new Set([INVALID, ...faults])];
  return { rejected: all.length === 1 ? INVALID : `[${all.join(', ')}]` };
}
