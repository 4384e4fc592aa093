import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import type { ServerOptions, StaticToken } from '../../reference/contracts/serverOptions.ts';
import { VirtualClock } from '../../reference/time.ts';
import {
  type Authority,
  createAuthority,
  createSigningKey,
  exportAuthority,
  type Issued,
  issue,
  readAuthority,
} from '../../reference/transport/certificates.ts';
import type { KeptCredentials } from './keptCredentials.ts';

/** Somebody who may talk to the server, as a kubeconfig or a target file names them. */
export interface Credential {
  readonly name: string;
  readonly token?: string;
  readonly certificate?: Issued;
}
export interface Provisioned {
  /** With a server certificate, and with the credentials made here accepted. */
  readonly options: ServerOptions;
  /** PEM of the authority behind the server certificate; undefined when the certificate was given. */
  readonly ca: string | undefined;
  readonly credentials: readonly Credential[];
}

/** Where credentials outlive the server. */
export interface CredentialKeeper {
  read(): KeptCredentials | undefined;
  keep(credentials: KeptCredentials): void;
}

/** The plain user of a kubeconfig: authenticated, and with no rights of their own. */
export const PLAIN_USER = 'jane';
/** Who the suites need besides the admin: each a plain user. */
const ACTORS = ['author', 'rival', 'watcher', 'stranger'];
const AUTHORITY = 'touchstone-ca';

/**
 * Makes what the flags left out: a server certificate, and somebody to be. Credentials are made only where the
 * flags name no way to authenticate, so that a server given its own users trusts nobody else; the one exception is
 * an embedded server, whose parent is let in beside the certificates under test.
 * Clients judge the server's certificate by the clock of the machine, the server judges theirs by its own.
 * @param now milliseconds since the epoch, of the machine
 * @param keeper gives back what was made for this server before; undefined: nothing outlives the server.
 */
export async function provision(
  options: ServerOptions,
  now: number,
  embedded: boolean,
  keeper?: CredentialKeeper,
): Promise<Provisioned> {
  const kept = keeper && (keeper.read() ?? (await makeKept(keeper, now)));
  const provisioned = await provisionFrom(options, now, embedded, kept);
  return kept ? { ...provisioned, options: withSigningKey(provisioned.options, kept) } : provisioned;
}

async function makeKept(keeper: CredentialKeeper, now: number): Promise<KeptCredentials> {
  const made: KeptCredentials = {
    authority: exportAuthority(makeAuthority(now)),
    serviceAccountKey: createSigningKey(),
    tokens: Object.fromEntries(['admin', ...ACTORS].map((name) => [name, randomToken()])),
  };
  keeper.keep(made);
  return made;
}

/** Where no key for service account tokens was given, or is made from a seed, the kept one signs and checks them. */
function withSigningKey(options: ServerOptions, { serviceAccountKey }: KeptCredentials): ServerOptions {
  const { serviceAccounts } = options.authentication;
  if (serviceAccounts.signingKey || serviceAccounts.keys.length > 0 || options.seed !== undefined) return options;
  const signingKey = createPrivateKey(serviceAccountKey);
  const keys = [createPublicKey(signingKey)];
  const authentication = { ...options.authentication, serviceAccounts: { ...serviceAccounts, signingKey, keys } };
  return { ...options, authentication };
}

async function provisionFrom(
  options: ServerOptions,
  now: number,
  embedded: boolean,
  kept: KeptCredentials | undefined,
): Promise<Provisioned> {
  const authority = kept ? readAuthority(kept.authority) : makeAuthority(now);
  const hosts = [...new Set(['localhost', '127.0.0.1', '::1', options.serving.bindAddress, 'kubernetes'])];
  const tls =
    options.serving.tls ??
    issue(authority, { commonName: 'touchstone', hosts: hosts.filter(isNameable), usage: 'server' }, now);
  const serving = { ...options.serving, tls };
  const ca = options.serving.tls ? undefined : authority.pem;
  const { authentication } = options;
  if (authentication.staticTokens || (authentication.clientCa && !embedded)) {
    const credentials = embedded ? [] : tokenUsers(authentication.staticTokens ?? []);
    return { options: { ...options, serving }, ca, credentials };
  }
  const tokens = embedded
    ? ['admin', ...ACTORS].map((name) => ({ name, token: kept?.tokens[name] ?? randomToken() }))
    : [];
  return {
    options: {
      ...options,
      serving,
      authentication: {
        ...authentication,
        clientCa: authentication.clientCa ?? [authority.pem],
        staticTokens: tokens.map(({ name, token }) => ({
          token,
          username: name,
          uid: `${name}-uid`,
          groups: name === 'admin' ? ['system:masters'] : [],
        })),
      },
    },
    ca,
    credentials: embedded ? tokens : certified(authority, options.clock === 'virtual' ? VirtualClock.START : now),
  };
}

/** An authority that is good by the clock of the machine and by one that stands still. */
const makeAuthority = (now: number): Authority => createAuthority(AUTHORITY, now, Math.min(now, VirtualClock.START));

/** The users of a token file, by their names; further tokens of one user are numbered. */
function tokenUsers(tokens: readonly StaticToken[]): Credential[] {
  const seen = new Map<string, number>();
  return tokens.map(({ username, token }) => {
    const name = username === '' ? 'nameless' : username;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { name: count === 1 ? name : `${name}-${count}`, token };
  });
}

/** An admin and a plain user, each with a certificate that is good from `now` on, on the server's clock. */
function certified(authority: Authority, now: number): Credential[] {
  const admin = { commonName: 'admin', organizations: ['system:masters'], usage: 'client' } as const;
  const plain = { commonName: PLAIN_USER, usage: 'client' } as const;
  return [
    { name: 'admin', certificate: issue(authority, admin, now) },
    { name: PLAIN_USER, certificate: issue(authority, plain, now) },
  ];
}

const randomToken = (): string => randomBytes(24).toString('hex');

/** An address that stands for all of them names no host. */
const isNameable = (host: string): boolean => host !== '0.0.0.0' && host !== '::';
