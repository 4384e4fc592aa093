import { startProxy } from '../../proxy/proxy.ts';
import { committing, INSIDE } from '../../proxy/violation.ts';
import { loadViolations, type NamedViolation } from '../../proxy/violationsFile.ts';
import { EXIT } from '../../reports/outcome.ts';
import { readFlags } from '../flags.ts';
import { announce, cannotListen, certificateOf, listenAt, reachBehind, untilStopped } from '../listening.ts';
import { suggestion } from '../nearest.ts';
import { UsageError } from '../usageError.ts';
import { PROXY_FLAGS } from './proxyFlags.ts';

/** `touchstone proxy`: stands in front of a server until it is told to stop. @throws UsageError */
export async function proxy(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, PROXY_FLAGS);
  if (words.length > 0) throw new UsageError(`proxy takes no words, only flags; what is ${JSON.stringify(words[0])}?`);
  const committed = await namedIn(flags.violations, flags.violation);
  const listen = listenAt(flags.listen);
  const tls = certificateOf(flags['tls-cert'], flags['tls-key']);
  const reached = await reachBehind(flags);
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
    }).catch((error: unknown) => {
      throw cannotListen(listen, error);
    });
    await announce(running.base, reached);
    for (const { name, statement } of committed) console.log(`Violation ${name}: ${statement}`);
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
