import { decodeJwt, type JWTPayload } from 'jose';
import type { Exchange } from '../harness/index.ts';
import {
  type Actor,
  inconclusive,
  isRecord,
  type Kind,
  match,
  must,
  named,
  serviceAccounts,
} from '../harness/index.ts';

/** Asks for a token of a service account through its token subresource. */
export async function requestToken(actor: Actor, account: string, spec: object = {}): Promise<Exchange> {
  const apiVersion = `authentication.${actor.dialect.apiDomain}/v1`;
  const path = await actor.pathOf(serviceAccounts, account, 'token');
  return actor.request('POST', path, {
    words: `${actor.name} asks for a token of service account ${account}`,
    body: { apiVersion, kind: 'TokenRequest', spec },
  });
}

/** A token out of the answer to such a request; that there is one is asserted. */
export function tokenIn(answer: Exchange): string {
  must('a token is made', answer, match.created, match.field('status.token', match.aString));
  return statedToken(answer) ?? '';
}

/** The token that such an answer holds; `undefined` where it holds none. */
export function statedToken({ json }: Exchange): string | undefined {
  const status = isRecord(json) && isRecord(json.status) ? json.status : {};
  return typeof status.token === 'string' ? status.token : undefined;
}

/** How many seconds a token lives, by its own claims; `undefined` where they do not say, or it is no JWT. */
export function lifeOf(token: string): number | undefined {
  try {
    const { iat, exp } = decodeJwt(token);
    return iat === undefined || exp === undefined ? undefined : exp - iat;
  } catch {
    return undefined;
  }
}

/** A new service account of this name in the actor's namespace, and a token of it. */
export async function accountWithToken(actor: Actor, account: string, spec: object = {}): Promise<string> {
  await actor.given(serviceAccounts, named(account));
  return tokenIn(await requestToken(actor, account, spec));
}

/** What a token says, whatever the server chose to write into it: for tokens that others sign again. */
export function payloadOf(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch {
    return inconclusive('the token is no JWT, so that it cannot be signed anew');
  }
}

/** A reference to an object of the core group, as a request for a bound token names it. */
export const boundTo = (kind: Kind, name: string): object => ({
  boundObjectRef: { apiVersion: 'v1', kind: kind.kind, name },
});
