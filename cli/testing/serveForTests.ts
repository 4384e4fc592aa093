import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from '../../reference/options/loadOptions.ts';
import { createReference, type Reference } from '../../reference/reference.ts';
import { SystemClock } from '../../reference/time.ts';
import { provision } from '../serve/credentials.ts';
import { writeKubeconfig } from '../serve/kubeconfigFile.ts';

/** A reference as `touchstone serve` starts it, in this process, for real clients to talk to. */
export interface Served {
  readonly base: string;
  readonly kubeconfig: string;
  /** PEM. */
  readonly ca: string;
  readonly reference: Reference;
  stop(): Promise<void>;
}

/**
 * Starts one on a free loopback port; its files lie in a temporary directory until it is stopped.
 * @param open lets everybody do everything, without credentials
 * @param flags more flags of the server, in place of those that openness asks for
 */
export async function serveForTests({ open = false, flags = [] as readonly string[] } = {}): Promise<Served> {
  const all = open && flags.length === 0 ? ['--authorization-mode=AlwaysAllow'] : flags;
  const loaded = readOptions(['--secure-port=0', ...all]);
  if ('errors' in loaded) throw new Error(loaded.errors.join('; '));
  const { options, ca = '', credentials } = await provision(loaded.options, new SystemClock().now(), false);
  const anonymous = open ? { enabled: true, paths: undefined } : options.authentication.anonymous;
  const authentication = { ...options.authentication, anonymous };
  const reference = await createReference({ ...options, authentication }, { rootCa: ca });
  const base = `https://127.0.0.1:${(await reference.listen()).secure}`;
  const directory = mkdtempSync(join(tmpdir(), 'touchstone-clients-'));
  const { kubeconfig } = writeKubeconfig(directory, base, ca, credentials);
  return {
    base,
    kubeconfig,
    ca,
    reference,
    async stop() {
      await reference.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
