import { chmodSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../../reports/outcome.ts';
import { folderToWrite, reasonOf } from '../files.ts';
import { readFlags } from '../flags.ts';
import { suggestion } from '../nearest.ts';
import { ROOT, suiteVersion } from '../root.ts';
import { UsageError } from '../usageError.ts';
import { ENVTEST_FLAGS } from './envtestFlags.ts';

/** Flags that the real kube-apiserver has no more, so that envtest does not give them. */
const HELP = `Usage: kube-apiserver [flags]

Stands in for the kube-apiserver of envtest; touchstone serve --help tells its flags.

      --secure-port
      --service-account-issuer`;

/**
 * `touchstone envtest use`: writes launchers that envtest starts as kube-apiserver and etcd, and prints their folder.
 * @returns 0. Throws UsageError.
 */
export function envtest(argv: readonly string[]): number {
  const { flags, words } = readFlags(argv, ENVTEST_FLAGS);
  const [word, ...more] = words;
  if (word !== 'use' || more.length > 0) {
    throw new UsageError(`envtest takes one word: touchstone envtest use.${suggestion(word ?? '', ['use'])}`);
  }
  const { release, dir } = flags;
  if (release !== undefined && !/^1\.\d{1,2}(\.\d+)?$/.test(release)) {
    throw new UsageError(`--release takes a release such as 1.31, not ${JSON.stringify(release)}.`);
  }
  const minor = release?.split('.').slice(0, 2).join('.');
  const folder = folderToWrite(dir ?? join(cache(), `${suiteVersion()}-${minor ?? 'default'}`));
  const asked = minor === undefined ? '' : ` --release=${minor}`;
  const node = quoted(process.execPath);
  write(folder, 'etcd', `exec ${node} ${quoted(join(ROOT, 'cli/envtestEtcd.mjs'))} "$@"`);
  write(
    folder,
    'kube-apiserver',
    [
      `case "$1" in --help|-h) cat <<'HELP'\n${HELP}\nHELP\nexit 0 ;; esac`,
      `exec ${node} ${quoted(join(ROOT, 'cli/launch.mjs'))} serve --envtest${asked} "$@"`,
    ].join('\n'),
  );
  console.log(folder);
  return EXIT.conformant;
}

function cache(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'touchstone/envtest');
}

function write(folder: string, name: string, script: string): void {
  try {
    writeFileSync(join(folder, name), `#!/bin/sh\n# Written by touchstone envtest use.\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  } catch (error) {
    throw new UsageError(`The launchers cannot be written to ${folder}: ${reasonOf(error)}.`);
  }
}

/** A word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
