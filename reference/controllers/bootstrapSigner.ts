import { CompactSign } from 'jose';
import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { departs, type Follow } from '../../fixtures/follow.ts';
import { isObject, type JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import type { WorkQueue } from '../collections/workQueue.ts';
import type { Client } from '../contracts/client.ts';
import type { Controller, ControllerSite, StoreChange } from '../contracts/controller.ts';
import { collectionPrefix, objectKey } from '../contracts/storeKeys.ts';
import { bootstrapExpired, secretText } from '../objects/bootstrapSecret.ts';
import type { Clock } from '../time.ts';

const CONFIG = 'cluster-info';
const SIGNED_KEY = 'kubeconfig';
const SIGNATURE_PREFIX = 'jws-kubeconfig-';

/**
 * Signs the public cluster-info config map with every bootstrap token meant for it (2/bootstrap-token-secret/p3): a
 * detached HS256 JWS for each, so that a client that has a token can trust what it reads without being known.
 */
export class BootstrapSigner implements Controller {
  readonly #client: Client;
  readonly #queue: WorkQueue;
  readonly #clock: Clock;
  readonly #dialect: Dialect;
  readonly #follow: Follow;
  readonly #secrets: string;
  readonly #config: string;

  constructor(
    client: Client,
    queue: WorkQueue,
    { clock, dialect, follow }: { readonly clock: Clock; readonly dialect: Dialect; readonly follow: Follow },
  ) {
    this.#client = client;
    this.#queue = queue;
    this.#clock = clock;
    this.#dialect = dialect;
    this.#follow = follow;
    this.#secrets = collectionPrefix({ group: '', resource: 'secrets' }, dialect.systemNamespace);
    this.#config = objectKey({ group: '', resource: 'configmaps' }, dialect.publicNamespace, CONFIG);
  }

  fork({ services: { clock }, client, queue }: ControllerSite): BootstrapSigner {
    return new BootstrapSigner(client, queue, { clock, dialect: this.#dialect, follow: this.#follow });
  }

  changed({ key }: StoreChange): void {
    if (key !== this.#config && !key.startsWith(`${this.#secrets}bootstrap-token-`)) return;
    this.#queue.add('bootstrap-signer', () => this.#sign());
  }

  async #sign(): Promise<void> {
    const configmaps = this.#client.type('', 'configmaps');
    const secrets = this.#client.type('', 'secrets');
    if (!configmaps || !secrets) return;
    const address = { type: configmaps, namespace: this.#dialect.publicNamespace, name: CONFIG };
    const config = await this.#client.get(address);
    const text = isObject(config?.data) ? config.data[SIGNED_KEY] : undefined;
    if (typeof text !== 'string') return;
    const signatures: JsonObject = {};
    for (const secret of await this.#client.list(secrets, this.#dialect.systemNamespace)) {
      const token = this.#signingToken(secret);
      if (token) signatures[`${SIGNATURE_PREFIX}${token.id}`] = await detachedSignature(text, token);
    }
    await this.#client.change(address, (present) => {
      const data = isObject(present.data) ? present.data : {};
      // Somebody changed the text meanwhile: that change brings us back.
      if (data[SIGNED_KEY] !== text) return undefined;
      const kept = Object.entries(data).filter(([key]) => !key.startsWith(SIGNATURE_PREFIX));
      return { ...present, data: { ...Object.fromEntries(kept), ...signatures } };
    });
  }

  /** The token of a secret, if it is one that may sign now. */
  #signingToken(secret: ApiObject): Token | undefined {
    if (secret.type !== `bootstrap.${this.#dialect.labelDomain}/token`) return undefined;
    const id = secretText(secret, 'token-id');
    const key = secretText(secret, 'token-secret');
    const good =
      id !== '' &&
      key !== '' &&
      secret.metadata.name === `bootstrap-token-${id}` &&
      secretText(secret, 'usage-bootstrap-signing') === 'true' &&
      !bootstrapExpired(secret, this.#clock.now());
    const shared = departs(this.#follow, 'cluster-info-key') ? key : `${id}.${key}`;
    return good ? { id, shared } : undefined;
  }
}

interface Token {
  readonly id: string;
  /** The shared key: the whole token. */
  readonly shared: string;
}

/** A compact JWS whose payload is left out between its two periods. */
async function detachedSignature(payload: string, { id, shared }: Token): Promise<string> {
  const whole = await new CompactSign(Buffer.from(payload))
    .setProtectedHeader({ alg: 'HS256', kid: id })
    .sign(Buffer.from(shared));
  const [header, , signature] = whole.split('.');
  return `${header}..${signature}`;
}
