import { startProxy } from '../../proxy/proxy.ts';
import { committing, INSIDE } from '../../proxy/violation.ts';
import { loadViolations, type NamedViolation } from '../../proxy/violationsFile.ts';
import { EXIT } from '../../reports/outcome.ts';
import { readNamedFile } from '../files.ts';
import { readFlags } from '../flags.ts';
import { suggestion } from '../nearest.ts';
import { reachTarget } from '../reach.ts';
import { UsageError } from '../usageError.ts';
import { PROXY_FLAGS } from './proxyFlags.ts';

/** `touchstone proxy`: stands in front of a server until it is told to stop. @throws UsageError */
export async function proxy(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, PROXY_FLAGS);
  if (words.length > 0) throw new UsageError(`proxy takes no words, only flags; what is ${JSON.stringify(words[0])}?`);
  const committed = await namedIn(flags.violations, flags.violation);
  const listen = listenAt(flags.listen ?? '127.0.0.1:8080');
  const tls = certificateOf(flags['tls-cert'], flags['tls-key']);
  const none = {
    launch: undefined,
    'restart-command': undefined,
    releases: undefined,
    'plain-token': undefined,
    'plain-token-file': undefined,
    'plain-context': undefined,
    'callback-host': undefined,
    'request-timeout': undefined,
  };
  const reached = await reachTarget({ ...flags, ...none });
  try {
    const { base, ca, insecure = false, identities } = reached.reach;
    const running = await startProxy({
      target: { base, ca, insecure },
      credentials: identities.admin ?? {},
      lend: flags.lend,
      listen,
      ...(tls ? { tls } : {}),
      interceptors: committed.map(committing),
      onError: (error, { request }) =>
        console.error(`${request.method} ${request.target}: ${error instanceof Error ? error.stack : String(error)}`),
    }).catch((error: NodeJS.ErrnoException) => {
      throw new UsageError(`The proxy cannot listen at ${listen.host}:${listen.port}: ${error.code ?? error.message}.`);
    });
    console.log(`Listening at ${running.base}, in front of ${base}`);
    for (const { name, statement } of committed) console.log(`Violation ${name}: ${statement}`);
    console.log('Ctrl-C stops it.');
    await untilStopped();
    await running.close();
    return EXIT.conformant;
  } finally {
    await reached.stop();
  }
}

async function namedIn(file: string | undefined, names: readonly string[]): Promise<readonly NamedViolation[]> {
  if (file === undefined && names.length > 0) throw new UsageError('--violation needs --violations FILE beside it.');
  const chosen = file === undefined ? [] : chooseViolations(await loadViolations(file), names, []);
  for (const violation of chosen) {
    const hook = INSIDE.find((each) => violation[each] !== undefined);
    if (hook !== undefined) {
      throw new UsageError(
        `${violation.name} has ${hook}, which is done inside a server; a proxy stands in front of one.`,
      );
    }
  }
  return chosen;
}

/** Those of some names. @param unnamed what is meant where no name is given. @throws UsageError for one that there is not */
export function chooseViolations(
  all: readonly NamedViolation[],
  names: readonly string[],
  unnamed: readonly NamedViolation[],
): readonly NamedViolation[] {
  const known = all.map(({ name }) => name);
  const missing = names.find((name) => !known.includes(name));
  if (missing !== undefined) throw new UsageError(`There is no violation ${missing}.${suggestion(missing, known)}`);
  return names.length === 0 ? unnamed : all.filter(({ name }) => names.includes(name));
}

function listenAt(text: string): { readonly host: string; readonly port: number } {
  const [, host = '127.0.0.1', port = ''] = /^(?:(.+):)?(\d+)$/.exec(text) ?? [];
  if (port === '' || Number(port) > 65_535) {
    throw new UsageError(`--listen takes a port, or host and port as 127.0.0.1:8080, not ${JSON.stringify(text)}.`);
  }
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

function certificateOf(certificate: string | undefined, key: string | undefined) {
  if ((certificate === undefined) !== (key === undefined)) {
    throw new UsageError('--tls-cert and --tls-key are only of use together.');
  }
  if (certificate === undefined || key === undefined) return undefined;
  return { certificate: readNamedFile(certificate, 'certificate'), key: readNamedFile(key, 'key') };
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
