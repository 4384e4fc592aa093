import { dump } from 'js-yaml';

/** Somebody who may talk to a server: with a token, or with a certificate and its key (PEM). */
export interface KubeconfigUser {
  readonly name: string;
  readonly token?: string | undefined;
  readonly certificate?: { readonly certificate: string; readonly key: string } | undefined;
}

/** Where a server is found. */
export interface KubeconfigServer {
  readonly url: string;
  /** PEM of the authority behind its certificate; undefined: none is named. */
  readonly ca?: string | undefined;
  /** The name to ask for in the TLS handshake, where it is not the host of the URL. */
  readonly serverName?: string | undefined;
}

const CLUSTER = 'touchstone';
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The text of a kubeconfig: a context for each user, called as the user is, the first one current. */
export function kubeconfigText({ url, ca, serverName }: KubeconfigServer, users: readonly KubeconfigUser[]): string {
  const cluster = {
    server: url,
    ...(ca ? { 'certificate-authority-data': base64(ca) } : {}),
    ...(serverName ? { 'tls-server-name': serverName } : {}),
    ...(url.startsWith('http:') ? { 'insecure-skip-tls-verify': true } : {}),
  };
  return dump({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: CLUSTER, cluster }],
    users: users.map(({ name, token, certificate }) => ({
      name,
      user: {
        ...(token ? { token } : {}),
        ...(certificate
          ? {
              'client-certificate-data': base64(certificate.certificate),
              'client-key-data': base64(certificate.key),
            }
          : {}),
      },
    })),
    contexts: users.map(({ name }) => ({ name, context: { cluster: CLUSTER, user: name } })),
    'current-context': users[0]?.name ?? '',
  });
}

/** What `KubeConfig.loadFromOptions` of `@kubernetes/client-node` takes. */
export interface ClientNodeOptions {
  readonly clusters: readonly {
    readonly name: string;
    readonly server: string;
    readonly caData?: string;
    readonly tlsServerName?: string;
    readonly skipTLSVerify: boolean;
  }[];
  readonly users: readonly { readonly name: string; readonly token: string }[];
  readonly contexts: readonly { readonly name: string; readonly cluster: string; readonly user: string }[];
  readonly currentContext: string;
}

export function clientNodeOptions(
  { url, ca, serverName }: KubeconfigServer,
  { name, token = '' }: KubeconfigUser,
): ClientNodeOptions {
  const cluster = {
    name: CLUSTER,
    server: url,
    ...(ca ? { caData: base64(ca) } : {}),
    ...(serverName ? { tlsServerName: serverName } : {}),
    skipTLSVerify: url.startsWith('http:'),
  };
  return {
    clusters: [cluster],
    users: [{ name, token }],
    contexts: [{ name, cluster: CLUSTER, user: name }],
    currentContext: name,
  };
}
