import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { isObject, type JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import type { WorkQueue } from '../collections/workQueue.ts';
import type { Client } from '../contracts/client.ts';
import type { Controller, ControllerSite, StoreChange } from '../contracts/controller.ts';
import { serviceAccountUser } from '../contracts/rbacObjects.ts';
import { readable } from '../contracts/readable.ts';
import { collectionPrefix } from '../contracts/storeKeys.ts';
import { writeSecretClaims } from '../objects/accountClaims.ts';

/** Signs the tokens of service accounts. */
export interface AccountTokenKeys {
  /** @returns the claims as a signed token (JWS, compact) */
  sign(claims: JsonObject): Promise<string>;
}

/**
 * Fills the secrets that ask for a token of a service account: the token, the namespace and the certificates to trust
 * the service by. A secret whose account is not there, or is another one than it was made for, is deleted.
 */
export class AccountTokenSecrets implements Controller {
  readonly #client: Client;
  readonly #queue: WorkQueue;
  readonly #dialect: Dialect;
  readonly #keys: AccountTokenKeys;
  readonly #rootCa: string | undefined;
  readonly #secrets = collectionPrefix({ group: '', resource: 'secrets' }, '');
  readonly #accounts = collectionPrefix({ group: '', resource: 'serviceaccounts' }, '');

  /** @param rootCa PEM that goes into the secrets beside the tokens; undefined: none does */
  constructor(
    client: Client,
    queue: WorkQueue,
    { dialect, keys, rootCa }: { dialect: Dialect; keys: AccountTokenKeys; rootCa: string | undefined },
  ) {
    this.#client = client;
    this.#queue = queue;
    this.#dialect = dialect;
    this.#keys = keys;
    this.#rootCa = rootCa;
  }

  fork({ client, queue }: ControllerSite): AccountTokenSecrets {
    return new AccountTokenSecrets(client, queue, { dialect: this.#dialect, keys: this.#keys, rootCa: this.#rootCa });
  }

  changed({ key, entry, deleted }: StoreChange): void {
    // A secret matters when it is there, an account when it is not.
    const object = key.startsWith(deleted ? this.#accounts : this.#secrets) ? readable(entry) : undefined;
    if (!object) return;
    if (!deleted && this.#accountOf(object) !== undefined) this.#consider(object);
    if (deleted) {
      const { namespace = '', name = '' } = object.metadata;
      this.#queue.add(`account-token-secrets ${key}`, () => this.#considerAll(namespace, name));
    }
  }

  /** Name of the account that a secret is for; undefined where it is of another type. */
  #accountOf({ type, metadata }: ApiObject): string | undefined {
    const { labelDomain } = this.#dialect;
    return type === `${labelDomain}/service-account-token`
      ? metadata.annotations?.[`${labelDomain}/service-account.name`]
      : undefined;
  }

  async #considerAll(namespace: string, account: string): Promise<void> {
    const type = this.#client.type('', 'secrets');
    const all = type ? await this.#client.list(type, namespace) : [];
    for (const secret of all) if (this.#accountOf(secret) === account) this.#consider(secret);
  }

  #consider({ metadata: { namespace = '', name = '' } }: ApiObject): void {
    this.#queue.add(`account-token-secret ${namespace}/${name}`, () => this.#sync(namespace, name));
  }

  async #sync(namespace: string, name: string): Promise<void> {
    const secrets = this.#client.type('', 'secrets');
    const accounts = this.#client.type('', 'serviceaccounts');
    if (!secrets || !accounts) return;
    const address = { type: secrets, namespace, name };
    const secret = await this.#client.get(address);
    const accountName = secret && this.#accountOf(secret);
    if (!secret || accountName === undefined || secret.metadata.deletionTimestamp) return;
    const account = await this.#client.get({ type: accounts, namespace, name: accountName });
    const uidKey = `${this.#dialect.labelDomain}/service-account.uid`;
    const madeFor = secret.metadata.annotations?.[uidKey];
    if (!account || (madeFor !== undefined && madeFor !== account.metadata.uid)) {
      await this.#client.remove(address, secret.metadata.uid, 'Background');
      return;
    }
    const uid = account.metadata.uid ?? '';
    const data = isObject(secret.data) ? secret.data : {};
    const wanted: JsonObject = {
      token: data.token || base64(await this.#token(namespace, name, { name: accountName, uid })),
      namespace: base64(namespace),
      ...(this.#rootCa === undefined ? {} : { 'ca.crt': base64(this.#rootCa) }),
    };
    if (madeFor === uid && Object.entries(wanted).every(([key, value]) => data[key] === value)) return;
    await this.#client.change(address, (present) => ({
      ...present,
      metadata: { ...present.metadata, annotations: { ...present.metadata.annotations, [uidKey]: uid } },
      data: { ...(isObject(present.data) ? present.data : {}), ...wanted },
    }));
  }

  #token(namespace: string, secret: string, account: { readonly name: string; readonly uid: string }): Promise<string> {
    const { vendor, labelDomain } = this.#dialect;
    const subject = serviceAccountUser(namespace, account.name);
    const issuer = `${vendor}/serviceaccount`;
    return this.#keys.sign(writeSecretClaims({ issuer, subject, namespace, secret, account }, labelDomain));
  }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
