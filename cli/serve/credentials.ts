import { randomBytes } from 'node:crypto';
import type { ServerOptions } from '../../reference/options/serverOptions.ts';
import { createAuthority, type Issued, issue } from '../../reference/transport/certificates.ts';

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

/** The plain user of a kubeconfig: authenticated, and with no rights of their own. */
export const PLAIN_USER = 'jane';
/** Who the suites need besides the admin: each a plain user. */
const ACTORS = ['author', 'rival', 'watcher', 'stranger'];

/**
 * Makes what the flags left out: a server certificate, and somebody to be. Credentials are made only where the
 * flags name no way to authenticate, so that a server given its own users trusts nobody else; the one exception is
 * an embedded server, whose parent is let in beside the certificates under test.
 * @param now milliseconds since the epoch, of the machine: clients judge certificates by it.
 */
export async function provision(options: ServerOptions, now: number, embedded: boolean): Promise<Provisioned> {
  const authority = await createAuthority('touchstone-ca', now);
  const hosts = [...new Set(['localhost', '127.0.0.1', '::1', options.serving.bindAddress, 'kubernetes'])];
  const tls =
    options.serving.tls ??
    (await issue(authority, { commonName: 'touchstone', hosts: hosts.filter(isNameable), usage: 'server' }, now));
  const serving = { ...options.serving, tls };
  const ca = options.serving.tls ? undefined : authority.pem;
  const { authentication } = options;
  if (authentication.staticTokens || (authentication.clientCa && !embedded)) {
    return { options: { ...options, serving }, ca, credentials: [] };
  }
  const admin = await issue(
    authority,
    { commonName: 'admin', organizations: ['system:masters'], usage: 'client' },
    now,
  );
  const plain = await issue(authority, { commonName: PLAIN_USER, usage: 'client' }, now);
  const tokens = embedded ? ['admin', ...ACTORS].map((name) => ({ name, token: randomBytes(24).toString('hex') })) : [];
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
    credentials: embedded
      ? tokens
      : [
          { name: 'admin', certificate: admin },
          { name: PLAIN_USER, certificate: plain },
        ],
  };
}

/** An address that stands for all of them names no host. */
const isNameable = (host: string): boolean => host !== '0.0.0.0' && host !== '::';
