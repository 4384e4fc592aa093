import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** Where requests go, and what they show. */
export interface LoadTarget {
  readonly base: string;
  /** Empty where none is shown. */
  readonly token: string;
  /** PEM of a client certificate and its key. */
  readonly client?: { readonly cert: string; readonly key: string };
}

/** A server under load, in a process of its own. */
export interface Served extends LoadTarget {
  /** Milliseconds from process start until it was ready. */
  readonly readyAfter: number;
  /** Resident memory now, in bytes. */
  memory(): Promise<number>;
  /** See {@link processorTime}. */
  processorTime(): number;
  stop(): Promise<void>;
}

interface Ready {
  ready: boolean;
  base: string;
  identities?: { admin?: { token?: string } };
  certificate?: string;
}

/** The reference as it ships, on the machine's clock, with what the flags add. */
export function startReference(flags: readonly string[] = []): Promise<Served> {
  const launch = fileURLToPath(new URL('../cli/launch.mjs', import.meta.url));
  return start([launch, 'serve', '--embedded', '--clock', 'system', ...flags]);
}

/** A reference that tells how long its turns are. */
export interface GaugedServer extends Served {
  /** What was since it was last asked. */
  turns(): Promise<Turns>;
}
export interface Turns {
  /** The longest turn of the event loop, in milliseconds of a processor. */
  readonly longest: number;
  /** What the thread of the server used in all, in milliseconds of a processor. */
  readonly used: number;
  /** Bytes that the server holds now. */
  readonly memory: number;
}

/** The reference as {@link startReference} starts it, with a gauge of its turns in its process. */
export async function startGauged(flags: readonly string[] = []): Promise<GaugedServer> {
  const gauge = fileURLToPath(new URL('./turnGauge.mjs', import.meta.url));
  const launch = fileURLToPath(new URL('../cli/launch.mjs', import.meta.url));
  const { child, ...server } = await start(
    ['--import', gauge, launch, 'serve', '--embedded', '--clock', 'system', ...flags],
    'ipc',
  );
  return {
    ...server,
    async turns() {
      const told = once(child, 'message');
      child.send('tell');
      const [turns] = await told;
      return turns as Turns;
    },
  };
}

/** A bare HTTPS server that answers fixed bytes: what the same machine could do without any of our work. */
export function startBare(answerBytes: number): Promise<Served> {
  return start([fileURLToPath(new URL('./bareServer.mjs', import.meta.url)), String(answerBytes)]);
}

/** A webhook that allows everything but what comes to its path `/hang`, which it never answers. */
export async function startHook(): Promise<Served & { readonly certificate: string }> {
  return start([fileURLToPath(new URL('./hookServer.mjs', import.meta.url))]);
}

async function start(
  argv: readonly string[],
  channel: 'ipc' | 'ignore' = 'ignore',
): Promise<Served & { readonly certificate: string; readonly child: ChildProcess }> {
  const started = performance.now();
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit', channel] });
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it was ready`)));
    createInterface({ input: child.stdout as Readable }).on('line', (line) => {
      if (line.startsWith('{')) resolve(JSON.parse(line) as Ready);
    });
  });
  return {
    child,
    base: ready.base,
    token: ready.identities?.admin?.token ?? '',
    certificate: ready.certificate ?? '',
    readyAfter: performance.now() - started,
    memory: () => residentMemory(child.pid as number),
    processorTime: () => processorTime(child.pid as number),
    stop: () => stop(child),
  };
}

/** @returns bytes that a process of this machine holds in memory. Throws where there is no such process. */
export async function residentMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

/** Ticks in a second, in which Linux tells what a process used. */
const TICKS = 100;

/**
 * @returns milliseconds of a processor that a process of this machine used until now, all its threads together, told in
 *   steps of ten. Throws where there is no such process.
 */
export function processorTime(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program may have blanks; behind it stand the state and then numbers, user and system the 12th and 13th.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.removeAllListeners('exit');
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
