import { isObject, type Json, type JsonObject } from '../api/json.ts';

/** An object that a token names, by name and uid. */
export interface TokenObjectReference {
  readonly name: string;
  readonly uid: string;
}
/** What a service account token says; times in seconds since the epoch. */
export interface AccountClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
  readonly expires: number | undefined;
  readonly notBefore: number | undefined;
  readonly id: string;
  readonly namespace: string;
  readonly account: TokenObjectReference;
  readonly secret: TokenObjectReference | undefined;
  readonly pod: TokenObjectReference | undefined;
  readonly node: TokenObjectReference | undefined;
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const number = (value: Json | undefined): number | undefined => (typeof value === 'number' ? value : undefined);

function reference(value: Json | undefined): TokenObjectReference | undefined {
  return isObject(value) && text(value.name) !== '' ? { name: text(value.name), uid: text(value.uid) } : undefined;
}

/**
 * Reads the payload of a bound token.
 *
 * @param privateClaim name of the claim that holds namespace and account: the domain of labels
 * @returns undefined when the payload lacks the account
 */
export function readBoundClaims(payload: JsonObject, privateClaim: string): AccountClaims | undefined {
  const own = payload[privateClaim];
  if (!isObject(own)) return undefined;
  const account = reference(own.serviceaccount);
  if (!account || text(own.namespace) === '') return undefined;
  return {
    ...registered(payload),
    namespace: text(own.namespace),
    account,
    secret: reference(own.secret),
    pod: reference(own.pod),
    node: reference(own.node),
  };
}

/** Reads the payload of a token of the older kind, that stands in a secret and never ends; see readBoundClaims. */
export function readSecretClaims(payload: JsonObject, domain: string): AccountClaims | undefined {
  const claim = (name: string) => text(payload[`${domain}/serviceaccount/${name}`]);
  const namespace = claim('namespace');
  const account = { name: claim('service-account.name'), uid: claim('service-account.uid') };
  const secret = { name: claim('secret.name'), uid: '' };
  if (namespace === '' || account.name === '' || account.uid === '' || secret.name === '') return undefined;
  return { ...registered(payload), namespace, account, secret, pod: undefined, node: undefined };
}

function registered(payload: JsonObject) {
  const { aud } = payload;
  return {
    issuer: text(payload.iss),
    subject: text(payload.sub),
    audiences: Array.isArray(aud) ? aud.map(text) : typeof aud === 'string' ? [aud] : [],
    expires: number(payload.exp),
    notBefore: number(payload.nbf),
    id: text(payload.jti),
  };
}

/** The payload of a token to be issued; `reference` members that are undefined are left out. */
export function writeBoundClaims(
  claims: AccountClaims,
  issued: number,
  privateClaim: string,
  warnAfter?: number,
): JsonObject {
  const own: JsonObject = { namespace: claims.namespace, serviceaccount: { ...claims.account } };
  if (claims.secret) own.secret = { ...claims.secret };
  if (claims.pod) own.pod = { ...claims.pod };
  if (claims.node) own.node = { ...claims.node };
  if (warnAfter !== undefined) own.warnafter = warnAfter;
  return {
    aud: [...claims.audiences],
    ...(claims.expires === undefined ? {} : { exp: claims.expires }),
    iat: issued,
    iss: claims.issuer,
    jti: claims.id,
    [privateClaim]: own,
    ...(claims.notBefore === undefined ? {} : { nbf: claims.notBefore }),
    sub: claims.subject,
  };
}

/** The payload of a token of the older kind, for a secret to hold; see readSecretClaims. */
export function writeSecretClaims(
  claims: Pick<AccountClaims, 'issuer' | 'subject' | 'namespace' | 'account'> & { readonly secret: string },
  domain: string,
): JsonObject {
  const claim = (name: string) => `${domain}/serviceaccount/${name}`;
  return {
    iss: claims.issuer,
    [claim('namespace')]: claims.namespace,
    [claim('secret.name')]: claims.secret,
    [claim('service-account.name')]: claims.account.name,
    [claim('service-account.uid')]: claims.account.uid,
    sub: claims.subject,
  };
}
