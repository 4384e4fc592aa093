import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubeconfigText } from '../../embed/kubeconfig.ts';
import { folderToWrite } from '../files.ts';
import type { Credential } from './credentials.ts';

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
  folderToWrite(directory);
  const caFile = ca === undefined ? undefined : join(directory, 'ca.crt');
  if (caFile && ca !== undefined) writeFileSync(caFile, ca);
  const kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigText({ url: base, ca }, credentials), { mode: 0o600 });
  // An existing file keeps its mode on writing.
  chmodSync(kubeconfig, 0o600);
  return { kubeconfig, ca: caFile };
}
