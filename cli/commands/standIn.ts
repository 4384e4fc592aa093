import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority, issue } from '../../reference/transport/certificates.ts';
import { EXIT } from '../../reports/outcome.ts';
import { Connections } from '../../suites/harness/client/connections.ts';
import { filled, subjectOf } from '../../suites/harness/starting/command.ts';
import { Prober } from '../../suites/harness/target/probe.ts';
import { SERVER_PID_FILE } from '../serverFaults.ts';
import { UsageError } from '../usageError.ts';

/** How long a server may take from its start to its first answer. */
const START_DEADLINE = 90_000;

/**
 * `touchstone stand-in COMMAND [server flags]`: starts any server that takes the specification's flags and speaks
 * for it as `serve --embedded` speaks for the reference: one ready line, and the end with our standard input. So
 * whatever can be done with the embedded reference, starting it with other flags among it, can be done with any.
 *
 * `{flags}` in the command stands for the flags; without it they are put at its end. `{data}` stands for a folder, where
 * nobody has filled it in.
 * @returns 0 when it was told to stop; 1 when the server ended before that. Throws UsageError when it never answered.
 */
export async function standIn(argv: readonly string[]): Promise<number> {
  const [template, ...asked] = argv;
  if (!template) throw new UsageError('stand-in takes a command: touchstone stand-in COMMAND [server flags].');
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-stand-in-'));
  const port = await freePort();
  const tokens = { admin: randomBytes(24).toString('hex'), plain: randomBytes(24).toString('hex') };
  const { own, ca } = await ownFlags(folder, port, tokens);
  const given = new Set(asked.map(subjectOf));
  const data = join(folder, 'data');
  mkdirSync(data);
  const flags = [...own.filter((flag) => !given.has(subjectOf(flag))), ...asked];
  const command = filled(template, { flags, data });
  const pidFile = process.env[SERVER_PID_FILE];
  const told = untilToldToStop();
  // Whoever started us may be gone by the time there is something to say.
  process.stdout.on('error', () => {});
  let ready = false;
  let server: ChildProcess | undefined;
  try {
    for (;;) {
      // A process group of its own: whatever the command starts is ended with it.
      server = spawn('/bin/sh', ['-c', command], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
      const ended = watch(server);
      if (pidFile !== undefined) writeFileSync(pidFile, String(server.pid ?? ''));
      const base = `https://127.0.0.1:${port}`;
      // A certificate under test is verified by whoever asked for it, and we do not know by which authority.
      if (!ready) {
        const answered = answers({ base, ca, insecure: given.has('--tls-cert-file'), token: tokens.admin, ended });
        if ((await Promise.race([answered, told])) === 'told') return EXIT.conformant;
      }
      const identities = { admin: { token: tokens.admin }, plain: { token: tokens.plain } };
      if (!ready) console.log(JSON.stringify({ ready: true, base, ca, identities, group: server.pid }));
      ready = true;
      const why = await Promise.race([told, ended.then(() => 'ended' as const)]);
      if (why === 'told') return EXIT.conformant;
      if (pidFile === undefined) return EXIT.notConformant;
      await endGroup(server);
    }
  } finally {
    // As long as it is listened to we would not end.
    process.stdin.destroy();
    if (server) await endGroup(server);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What lets us in: a port, a certificate of an authority we know, and two users. A flag that is asked for wins. */
async function ownFlags(folder: string, port: number, tokens: { readonly admin: string; readonly plain: string }) {
  const now = Date.now();
  const authority = createAuthority('touchstone-ca', now);
  const hosts = ['127.0.0.1', 'localhost'];
  const served = issue(authority, { commonName: 'server', hosts, usage: 'server' }, now);
  const file = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const users = `${tokens.admin},admin,admin-uid,system:masters\n${tokens.plain},stranger,stranger-uid\n`;
  const own = [
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--tls-cert-file=${file('server.crt', served.certificate)}`,
    `--tls-private-key-file=${file('server.key', served.key)}`,
    `--token-auth-file=${file('tokens.csv', users)}`,
    '--authorization-mode=RBAC',
  ];
  return { own, ca: authority.pem };
}

interface Ending {
  readonly code: number | null;
  readonly lastWords: string;
}
/** Passes on what the server writes, as its own words to whoever started it, and waits for its end. */
function watch(server: ChildProcess): Promise<Ending> {
  let said = '';
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4_000);
  });
  // Our own output is for the ready line.
  server.stderr?.pipe(process.stderr, { end: false });
  server.stdout?.pipe(process.stderr, { end: false });
  return new Promise((resolve) => {
    server.once('error', (error) => resolve({ code: null, lastWords: error.message }));
    server.once('exit', (code) => {
      resolve({ code, lastWords: said.trim().split('\n').at(-1) ?? '' });
    });
  });
}

/** Asks until there is an answer. Throws UsageError when the server ends before that, or takes too long. */
async function answers({
  base,
  ca,
  insecure,
  token,
  ended,
}: {
  base: string;
  ca: string;
  insecure: boolean;
  token: string;
  ended: Promise<Ending>;
}) {
  const connections = new Connections({ base, ca, insecure });
  const prober = new Prober(base, connections);
  const deadline = performance.now() + START_DEADLINE;
  let over: Ending | undefined;
  void ended.then((ending) => {
    over = ending;
  });
  try {
    for (;;) {
      const { status, failure } = await prober.get({ token }, '/readyz');
      // The flags under test may keep even our administrator out: a refusal is an answer too.
      if (status === 200 || status === 401 || status === 403) return;
      if (over)
        throw new UsageError(`The command ended before the server answered: ${over.lastWords || `code ${over.code}`}`);
      if (performance.now() > deadline) {
        throw new UsageError(
          `The server was not ready within ${START_DEADLINE / 1000} s: ${failure ?? `/readyz says ${status}`}.`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    await connections.close();
  }
}

function untilToldToStop(): Promise<'told'> {
  return new Promise((resolve) => {
    const stop = () => resolve('told');
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    process.stdin.on('end', stop).on('error', stop).resume();
  });
}

/** How long a server may take to end by itself: milliseconds. */
const GRACE = 2_000;

/** Ends what the command started. The shell may be gone before the server, which may have more to say. */
async function endGroup(server: ChildProcess): Promise<void> {
  const { pid } = server;
  if (pid === undefined) return;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!signalled(pid, signal)) return;
    for (const until = performance.now() + GRACE; performance.now() < until; ) {
      if (!signalled(pid, 0)) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Sends a signal to a process group; 0 only looks for it. @returns false when there is none any more. */
function signalled(group: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
