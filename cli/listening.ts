import { Connections } from '../suites/harness/client/connections.ts';
import { Prober } from '../suites/harness/target/probe.ts';
import { readNamedFile } from './files.ts';
import { type Reached, reachTarget, type TargetFlags } from './reach.ts';
import { TARGET_FLAGS } from './targetFlags.ts';
import { UsageError } from './usageError.ts';

const { target, kubeconfig, context, token, ca, insecure, dialect } = TARGET_FLAGS;

/** Flags of whatever listens in front of a server. */
export const IN_FRONT_FLAGS = {
  target: { ...target, help: 'stand in front of the server at this address' },
  kubeconfig: { ...kubeconfig, help: 'stand in front of the server of a context of this file' },
  context,
  token,
  'token-file': TARGET_FLAGS['token-file'],
  'client-cert': TARGET_FLAGS['client-cert'],
  'client-key': TARGET_FLAGS['client-key'],
  ca,
  insecure,
  dialect: { ...dialect, help: 'of the built-in reference, where no other server is named' },
  listen: { value: '[HOST:]PORT', help: 'where to listen; 127.0.0.1:8080 unless told' },
  'tls-cert': { value: 'FILE', help: 'listen with this certificate; plain HTTP unless told' },
  'tls-key': { value: 'FILE', help: 'its key' },
  lend: { help: 'send requests that show no credentials with those of the flags' },
} as const;

type InFront = Pick<TargetFlags, Exclude<keyof typeof IN_FRONT_FLAGS, 'listen' | 'tls-cert' | 'tls-key' | 'lend'>>;

/** Reaches the server that something is to stand in front of; the built-in reference where none is named. */
export function reachBehind(flags: InFront): Promise<Reached> {
  const none = {
    launch: undefined,
    'restart-command': undefined,
    'authentication-config': undefined,
    releases: undefined,
    'plain-token': undefined,
    'plain-token-file': undefined,
    'plain-context': undefined,
    'callback-host': undefined,
    'request-timeout': undefined,
  };
  return reachTarget({ ...flags, ...none });
}

/**
 * Tells where something listens and in front of what. A server that is started only later is as good, so that one that
 * does not answer yet is said on standard error, and no more.
 */
export async function announce(listening: string, { reach }: Reached): Promise<void> {
  if (reach.mode !== 'url') {
    console.log(`Listening at ${listening}, in front of the built-in reference (${reach.base}), as no server is named`);
    return;
  }
  console.log(`Listening at ${listening}, in front of ${reach.base}`);
  const connections = new Connections({ ...reach, insecure: reach.insecure ?? false, patience: SOON });
  try {
    const { failure } = await new Prober(reach.base, connections).once({}, 'GET', '/version');
    if (failure !== undefined) console.error(`Nobody answers at ${reach.base} yet: ${failure}.`);
  } finally {
    await connections.close();
  }
}
/** Milliseconds for which a server is given the time to say that it is there. */
const SOON = 3_000;

/** Where to listen. Throws UsageError. */
export function listenAt(text = '127.0.0.1:8080'): { readonly host: string; readonly port: number } {
  const [, host = '127.0.0.1', port = ''] = /^(?:(.+):)?(\d+)$/.exec(text) ?? [];
  if (port === '' || Number(port) > 65_535) {
    throw new UsageError(`--listen takes a port, or host and port as 127.0.0.1:8080, not ${JSON.stringify(text)}.`);
  }
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

/** With which certificate; undefined for plain HTTP. Throws UsageError. */
export function certificateOf(certificate: string | undefined, key: string | undefined) {
  if ((certificate === undefined) !== (key === undefined)) {
    throw new UsageError('--tls-cert and --tls-key are only of use together.');
  }
  if (certificate === undefined || key === undefined) return undefined;
  return { certificate: readNamedFile(certificate, 'certificate'), key: readNamedFile(key, 'key') };
}

/** @returns a UsageError that says why nothing can listen there */
export function cannotListen(
  { host, port }: { readonly host: string; readonly port: number },
  error: unknown,
): UsageError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new UsageError(`The proxy cannot listen at ${host}:${port}: ${code ?? message}.`);
}

/** Until Ctrl-C, or a signal of the same meaning; says so when it is heard, since who reads that may send one at once. */
export function untilStopped(): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  console.log('Ctrl-C stops it.');
  return stopped;
}
