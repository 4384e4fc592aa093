import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import type { Credential } from './credentials.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/**
 * Writes `kubeconfig` (a context for each credential, the first one current) and, where there is one, `ca.crt`
 * into a directory. Readable by their owner alone. Throws what the file system throws.
 */
export function writeKubeconfig(
  directory: string,
  base: string,
  ca: string | undefined,
  credentials: readonly Credential[],
): { readonly kubeconfig: string; readonly ca: string | undefined } {
  mkdirSync(directory, { recursive: true });
  const caFile = ca === undefined ? undefined : join(directory, 'ca.crt');
  if (caFile && ca !== undefined) writeFileSync(caFile, ca);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'touchstone', cluster: { server: base, ...(ca ? { 'certificate-authority-data': base64(ca) } : {}) } },
    ],
    users: credentials.map(({ name, token, certificate }) => ({
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
    contexts: credentials.map(({ name }) => ({ name, context: { cluster: 'touchstone', user: name } })),
    'current-context': credentials[0]?.name ?? '',
  };
  const kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, dump(config), { mode: 0o600 });
  // An existing file keeps its mode on writing.
  chmodSync(kubeconfig, 0o600);
  return { kubeconfig, ca: caFile };
}
