import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importPKCS8,
  importSPKI,
  type JWK,
  SignJWT,
} from 'jose';
import { rsaPair } from './rsaKeys.ts';
import type { ServiceKind, Services } from './services.ts';
import { openTlsServer, type Reply, type TlsServer } from './tlsServer.ts';

/** Where the documents of OIDC discovery lie below an issuer's URL. */
export const WELL_KNOWN = '/.well-known/openid-configuration';
const KEYS = '/keys';

/** A key pair of an issuer, for one algorithm. */
export interface IssuerKey {
  readonly id: string;
  readonly algorithm: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/**
 * An OpenID Connect issuer of the harness: discovery and keys over TLS, and tokens by its keys. Below its URL there
 * are as many further issuers with the same keys as anybody asks for: see {@link Issuer.tenant}.
 */
export class Issuer {
  readonly url: string;
  /** PEM of the authority that signed its certificate. */
  readonly ca: string;
  readonly #server: TlsServer;
  readonly #scripted: Map<string, Reply>;
  readonly #keys: Map<string, Promise<IssuerKey>>;

  constructor(server: TlsServer, scripted: Map<string, Reply>, keys: Map<string, Promise<IssuerKey>>) {
    this.#server = server;
    this.url = server.base;
    this.ca = server.ca;
    this.#scripted = scripted;
    this.#keys = keys;
  }

  /** The URL of a further issuer: its discovery names this URL, and the same keys. */
  tenant(name: string): string {
    return `${this.url}/${name}`;
  }
  /** From now on this path is answered so. */
  answer(path: string, reply: Reply): void {
    this.#scripted.set(path, reply);
  }
  /** From now on there is a discovery document at this path, that of the issuer with this URL. */
  publish(path: string, issuerUrl: string): void {
    this.answer(path, { body: discovery(issuerUrl, `${this.url}${KEYS}`) });
  }
  /** The key that signs by an algorithm, such as `RS256`; made when it is first asked for, and published from then on. */
  key(algorithm = 'RS256'): Promise<IssuerKey> {
    const made = this.#keys.get(algorithm) ?? newKey(algorithm);
    this.#keys.set(algorithm, made);
    return made;
  }
  /** Another key takes the place of the one for this algorithm, which is published no longer. */
  async rotate(algorithm = 'RS256'): Promise<void> {
    this.#keys.set(algorithm, newKey(algorithm));
    await this.key(algorithm);
  }
  /** A token of this issuer by one of its keys: valid for a while unless the claims say otherwise. */
  async token(token: IdToken): Promise<string> {
    return signed({ iss: this.url, ...token.claims }, await this.key(token.algorithm), token.header);
  }
  /** PEM of the public key for an algorithm, as everybody can make it of what is published. */
  async publicKey(algorithm = 'RS256'): Promise<string> {
    return exportSPKI((await this.key(algorithm)).publicKey);
  }
  close(): Promise<void> {
    return this.#server.close();
  }
}

export const issuer: ServiceKind<Issuer> = async (services: Services) => {
  const scripted = new Map<string, Reply>();
  const keys = new Map<string, Promise<IssuerKey>>();
  const server: TlsServer = await openTlsServer(services, async ({ path }) => {
    const reply = scripted.get(path);
    if (reply !== undefined) return reply;
    if (path === KEYS) return { body: { keys: await Promise.all([...keys.values()].map(published)) } };
    if (!path.endsWith(WELL_KNOWN)) return { status: 404 };
    return { body: discovery(`${server.base}${path.slice(0, -WELL_KNOWN.length)}`, `${server.base}${KEYS}`) };
  });
  const opened = new Issuer(server, scripted, keys);
  await opened.key();
  return opened;
};

/** A discovery document: who the issuer is, and where its keys are. */
function discovery(issuerUrl: string, keysUrl: string): object {
  return {
    issuer: issuerUrl,
    jwks_uri: keysUrl,
    authorization_endpoint: `${issuerUrl}/authorize`,
    token_endpoint: `${issuerUrl}/token`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
}

let made = 0;
async function newKey(algorithm: string): Promise<IssuerKey> {
  made += 1;
  return { ...(await pairFor(algorithm)), algorithm, id: `key-${made}` };
}
async function pairFor(algorithm: string): Promise<Pick<IssuerKey, 'privateKey' | 'publicKey'>> {
  if (!/^[RP]S/.test(algorithm)) return generateKeyPair(algorithm, { extractable: true });
  const { privateKey, publicKey } = rsaPair();
  const [own, everybodys] = await Promise.all([
    importPKCS8(String(privateKey.export({ type: 'pkcs8', format: 'pem' })), algorithm, { extractable: true }),
    importSPKI(String(publicKey.export({ type: 'spki', format: 'pem' })), algorithm, { extractable: true }),
  ]);
  return { privateKey: own, publicKey: everybodys };
}
async function published(key: Promise<IssuerKey>): Promise<JWK> {
  const { id, publicKey, algorithm } = await key;
  return { ...(await exportJWK(publicKey)), kid: id, use: 'sig', alg: algorithm };
}

/** What a token says. Times are seconds since the epoch; a member that is `undefined` is left out. */
export type Claims = Readonly<Record<string, unknown>>;

/** A token to be made, with what it has in its claims and beside what is usual in its header. */
export interface IdToken {
  readonly claims: Claims;
  /** `RS256` unless told. */
  readonly algorithm?: string;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** How long a token is good that does not say so: seconds. */
const LIFE = 3_600;

/** Seconds since the epoch, so many from now. */
export function secondsFromNow(seconds: number): number {
  return Math.floor(Date.now() / 1_000) + seconds;
}

/** Claims as a token carries them: with the times of one that is made now and good for an hour. */
export function timed(claims: Claims): Record<string, unknown> {
  const whole = { iat: secondsFromNow(0), exp: secondsFromNow(LIFE), ...claims };
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
}

/** A compact JWT by a key. */
export function signed(claims: Claims, key: IssuerKey, header: IdToken['header'] = {}): Promise<string> {
  const whole = { typ: 'JWT', kid: key.id, ...header, alg: key.algorithm };
  // A header that says it must be understood is refused by the library unless it is told that it is.
  const crit = Object.fromEntries(((whole as { crit?: readonly string[] }).crit ?? []).map((name) => [name, true]));
  return new SignJWT(timed(claims)).setProtectedHeader(whole).sign(key.privateKey, { crit });
}

/** Tokens that an issuer makes wrong in a way that a verifier has to see. Each is for these claims. */
export const FORGERIES: Readonly<Record<string, (from: Issuer, claims: Claims, stranger: Issuer) => Promise<string>>> =
  {
    'is signed by a key of somebody else, with an id of its own': (from, claims, stranger) =>
      stranger.token({ claims: { iss: from.url, ...claims } }),
    'has a critical header that nobody knows': (from, claims) =>
      from.token({ claims, header: { crit: ['touchstone'], touchstone: true } }),
    'has expired': (from, claims) => from.token({ claims: { ...claims, exp: secondsFromNow(-600) } }),
    'is not valid yet': (from, claims) =>
      from.token({ claims: { ...claims, nbf: secondsFromNow(3_000), exp: secondsFromNow(6_000) } }),
  };

const _encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
