import { compactVerify, decodeProtectedHeader } from 'jose';
import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { User } from '../api/identity.ts';
import { isObject, type JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import type { Authenticated, Rejection } from '../contracts/authenticator.ts';
import { serviceAccountUser } from '../contracts/rbacObjects.ts';
import type { ServiceAccountOptions } from '../contracts/serverOptions.ts';
import type { Store } from '../contracts/store.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { sharedAudiences, type TokenAuthenticator } from '../contracts/tokenAuthenticator.ts';
import {
  type AccountClaims,
  readBoundClaims,
  readSecretClaims,
  type TokenObjectReference,
} from '../objects/accountClaims.ts';
import { secretText } from '../objects/bootstrapSecret.ts';
import { sameBytes } from '../ports/hash.ts';
import type { Clock } from '../time.ts';
import type { AccountKeys, CheckingKey } from './accountKeys.ts';

/** Issuer of the older tokens, that stand in secrets. */
const SECRET_ISSUER = /^[a-z]+\/serviceaccount$/;
/** Clocks may differ by so much, in milliseconds. */
const LEEWAY = 60_000;
const INVALIDATED: Rejection = { rejected: 'service account token has been invalidated' };

export interface AccountTokenDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly keys: AccountKeys;
  /** Audiences of this server. */
  readonly audiences: readonly string[];
}

/**
 * Service account tokens (2/methods/t1.4): JWTs signed with one of the keys of the server, good until they expire or
 * the account, or the secret or pod that they are bound to, is deleted.
 */
export class ServiceAccountAuthenticator implements TokenAuthenticator {
  readonly name = 'serviceAccount';
  readonly #options: ServiceAccountOptions;
  readonly #dependencies: AccountTokenDependencies;
  readonly #secretIssuer: string;

  constructor(options: ServiceAccountOptions, dependencies: AccountTokenDependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
    this.#secretIssuer = `${dependencies.dialect.vendor}/serviceaccount`;
  }

  authenticateToken(
    token: string,
    audiences: readonly string[],
  ): Promise<Authenticated | Rejection | undefined> | undefined {
    const issuer = issuerOf(token);
    if (issuer === undefined) return undefined;
    const older = issuer === this.#secretIssuer && SECRET_ISSUER.test(issuer);
    return older || this.#options.issuers.includes(issuer) ? this.#check(token, older, audiences) : undefined;
  }

  async #check(
    token: string,
    older: boolean,
    wanted: readonly string[],
  ): Promise<Authenticated | Rejection | undefined> {
    const payload = await verified(token, await this.#dependencies.keys.checking());
    if (!payload) return undefined;
    const domain = this.#dependencies.dialect.labelDomain;
    const claims = older ? readSecretClaims(payload, domain) : readBoundClaims(payload, domain);
    if (!claims || claims.subject !== serviceAccountUser(claims.namespace, claims.account.name)) {
      return { rejected: 'token could not be validated due to missing claims' };
    }
    const meant = claims.audiences.length > 0 ? claims.audiences : this.#dependencies.audiences;
    const shared = sharedAudiences(wanted, meant);
    if (shared.length === 0) {
      return { rejected: `token audiences ${quoted(meant)} is invalid for the target audiences ${quoted(wanted)}` };
    }
    const fault =
      this.#expired(claims) ?? (await (older ? this.#secretAlive(claims, token) : this.#boundAlive(claims)));
    return fault ?? { user: this.#userOf(claims), audiences: shared };
  }

  #expired({ expires, notBefore }: AccountClaims): Rejection | undefined {
    const now = this.#dependencies.clock.now();
    if (expires !== undefined && now - LEEWAY > expires * 1000) {
      return { rejected: 'service account token has expired' };
    }
    if (notBefore !== undefined && now + LEEWAY < notBefore * 1000) {
      return { rejected: 'service account token is not valid yet' };
    }
    return undefined;
  }

  async #boundAlive(claims: AccountClaims): Promise<Rejection | undefined> {
    const { namespace, account, secret, pod, node } = claims;
    return (
      (await this.#alive('serviceaccounts', namespace, account, 'service account', 'claim')) ??
      (secret && (await this.#alive('secrets', namespace, secret, 'secret', 'service account secret ref claim'))) ??
      (pod && (await this.#alive('pods', namespace, pod, 'pod', 'service account pod ref claim'))) ??
      (node && !pod ? await this.#alive('nodes', '', node, 'node', 'service account node ref claim') : undefined)
    );
  }

  /** An older token lives as long as its secret holds it, unless look-ups are off. */
  async #secretAlive(claims: AccountClaims, token: string): Promise<Rejection | undefined> {
    if (!this.#options.lookup) return undefined;
    const secret = await this.#object('secrets', claims.namespace, claims.secret?.name ?? '');
    if (!secret || this.#deleted(secret) || !sameText(secretText(secret, 'token'), token)) return INVALIDATED;
    return this.#alive('serviceaccounts', claims.namespace, claims.account, 'service account', 'claim');
  }

  async #alive(
    resource: string,
    namespace: string,
    { name, uid }: TokenObjectReference,
    what: string,
    where: string,
  ): Promise<Rejection | undefined> {
    const object = await this.#object(resource, namespace, name);
    if (!object || this.#deleted(object)) return INVALIDATED;
    const present = object.metadata.uid ?? '';
    return present === uid ? undefined : { rejected: `${what} UID (${present}) does not match ${where} (${uid})` };
  }
  async #object(resource: string, namespace: string, name: string): Promise<ApiObject | undefined> {
    return (await this.#dependencies.store.get(objectKey({ group: '', resource }, namespace, name)))?.object;
  }
  /** An object on its way out still counts for a minute, so that what runs may end in order. */
  #deleted(object: ApiObject): boolean {
    const { deletionTimestamp } = object.metadata;
    return (
      Boolean(deletionTimestamp) && Date.parse(deletionTimestamp as string) < this.#dependencies.clock.now() - LEEWAY
    );
  }

  #userOf({ namespace, account, pod, node, id }: AccountClaims): User {
    const prefix = `authentication.${this.#dependencies.dialect.labelDomain}`;
    const extra: Record<string, string[]> = {};
    if (id !== '') extra[`${prefix}/credential-id`] = [`JTI=${id}`];
    if (node) {
      extra[`${prefix}/node-name`] = [node.name];
      if (node.uid) extra[`${prefix}/node-uid`] = [node.uid];
    }
    if (pod) {
      extra[`${prefix}/pod-name`] = [pod.name];
      extra[`${prefix}/pod-uid`] = [pod.uid];
    }
    return {
      username: serviceAccountUser(namespace, account.name),
      uid: account.uid,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
      extra,
    };
  }
}

/** The issuer that a token claims, before anything about it is proved; undefined when it is no JWT. */
export function issuerOf(token: string): string | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  try {
    const payload: unknown = JSON.parse(Buffer.from(parts[1] as string, 'base64url').toString());
    return isObject(payload) && typeof payload.iss === 'string' ? payload.iss : undefined;
  } catch {
    return undefined;
  }
}

/** The payload, if one of the keys signed it: those that the header names first, else any. */
async function verified(token: string, keys: readonly CheckingKey[]): Promise<JsonObject | undefined> {
  let named: string | undefined;
  try {
    named = decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
  const candidates = keys.filter((key) => key.id === named);
  for (const { key, algorithms } of candidates.length > 0 ? candidates : keys) {
    try {
      const { payload } = await compactVerify(token, key, { algorithms: [...algorithms] });
      const value: unknown = JSON.parse(Buffer.from(payload).toString());
      return isObject(value) ? value : undefined;
    } catch {
      // Another key may fit.
    }
  }
  return undefined;
}

const quoted = (values: readonly string[]) => `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;

function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return sameBytes(left, right);
}
