import { CompactSign } from 'jose';
import type { JsonObject } from '../api/json.ts';
import type { ServiceAccountOptions } from '../contracts/serverOptions.ts';
import { digest } from '../ports/hash.ts';
import { createPublicKey, type KeyObject, makeRsaKey, privateKeyOf } from '../ports/keys.ts';
import type { Random } from '../random.ts';
import { rsaKeyFrom } from './seededKey.ts';

/** A public key that checks tokens, with the id by which tokens name it. */
export interface CheckingKey {
  readonly id: string;
  readonly key: KeyObject;
  /** Signature algorithms that go with the key; anything else is refused, `none` above all. */
  readonly algorithms: readonly string[];
}
export interface SigningKey extends CheckingKey {
  readonly privateKey: KeyObject;
}

/** The keys of service account tokens (2/methods/t1.4): those given, or one pair made when first needed. */
export class AccountKeys {
  readonly #given: readonly CheckingKey[];
  readonly #signing: SigningKey | undefined;
  readonly #random: Random | undefined;
  #made: Promise<SigningKey> | undefined;

  /** @param random where a made key comes from; undefined: true chance */
  constructor(options: Pick<ServiceAccountOptions, 'keys' | 'signingKey'>, random: Random | undefined) {
    this.#given = options.keys.map(checkingKey);
    this.#signing = options.signingKey && signingKey(options.signingKey);
    this.#random = random;
  }

  async signing(): Promise<SigningKey> {
    if (this.#signing) return this.#signing;
    this.#made ??= this.#make();
    return this.#made;
  }
  /** Keys that a token may be signed with, in the order in which they were given. */
  async checking(): Promise<readonly CheckingKey[]> {
    // A key that had to be made verifies what it signed, beside the keys that were given for others.
    if (this.#given.length > 0) return this.#made ? [...this.#given, await this.#made] : this.#given;
    return [await this.signing()];
  }
  /** A compact JWS over a payload. */
  async sign(payload: JsonObject): Promise<string> {
    const { id, privateKey, algorithms } = await this.signing();
    return new CompactSign(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ alg: algorithms[0] as string, kid: id })
      .sign(privateKey);
  }

  async #make(): Promise<SigningKey> {
    if (this.#random) return signingKey(privateKeyOf(rsaKeyFrom(this.#random)));
    const privateKey = await makeRsaKey(2048);
    return signingKey(privateKey);
  }
}

const RSA = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
const BY_CURVE: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };

function checkingKey(key: KeyObject): CheckingKey {
  const spki = key.export({ type: 'spki', format: 'der' });
  const algorithms =
    key.asymmetricKeyType === 'rsa' ? RSA : [BY_CURVE[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? 'ES256'];
  return { id: digest('sha256', spki).toString('base64url'), key, algorithms };
}
function signingKey(privateKey: KeyObject): SigningKey {
  return { ...checkingKey(createPublicKey(privateKey)), privateKey };
}
