import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { isRecord } from '../json.ts';
import type { Control, Identity } from '../target/target.ts';

/** What a server says on its first line of output once it serves: a JSON object with `ready`. */
export interface Ready {
  readonly base: string;
  /** PEM. */
  readonly ca?: string;
  readonly identities: Readonly<Record<string, Identity>>;
  readonly control?: Control;
  /** Process group of the server, where what was launched only speaks for it. */
  readonly group?: number;
}
export interface Launched {
  readonly ready: Ready;
  /** Tells the process to end, in its own time. */
  tellToEnd(): void;
  /** Ends the process and returns when it is gone. */
  stop(): Promise<void>;
  /** Ends the process at once, as a loss of power would, and returns when it is gone. */
  kill(): Promise<void>;
  /** What it wrote so far beside the ready line, on either stream. */
  said(): string;
  /** Whether another start has taken its place, where there can be one server at a time. */
  readonly replaced?: () => boolean;
  /** The process's exit, whenever it comes: its code, and the last lines it wrote to standard error. */
  readonly exited: Promise<Exit>;
}
/** What a server is to be started with. */
export interface Start {
  /** Beside those that the target has. */
  readonly flags: readonly string[];
  /** Folder of the files that the flags name. */
  readonly files?: string;
  /** Folder in which it keeps its objects, for the next that is started there. */
  readonly data?: string | undefined;
  readonly release?: string | undefined;
  /** In a process of its own, where it might share one. */
  readonly apart?: boolean | undefined;
  /** It is told to end, and looked at then. */
  readonly ended?: boolean | undefined;
  /** Credentials that are known once it is in force. */
  readonly inForce?: Identity | undefined;
}

/** How the servers of a worker are started: as the target was. */
export interface Launcher {
  /** @throws LaunchFailed; UnfitCommand where the command that starts the target cannot do that. */
  start(what: Start): Promise<Launched>;
  /** Has the target of the run be as it was found, where another start has taken its place. */
  restore(): Promise<void>;
}

export interface Exit {
  /** `null` where a signal ended it. */
  readonly code: number | null;
  readonly errors: string;
}
/** A group of its own, so that Ctrl-C at a terminal does not end a server before it was told so by us. */
export const APART = {
  stdio: ['pipe', 'pipe', 'pipe'] as ['pipe', 'pipe', 'pipe'],
  detached: process.platform !== 'win32',
};

/** A server that did not come up; the message is one sentence for a user. */
export class LaunchFailed extends Error {
  override readonly name = 'LaunchFailed';
}

/** The target cannot be started as a check has to have it. The message is a clause that tells why. */
export class UnfitCommand extends Error {
  override readonly name = 'UnfitCommand';
}

/**
 * Starts a server that announces itself with a ready line, and waits for that. The server ends when its standard
 * input closes, so that it cannot outlive us however we end.
 *
 * @param command program and arguments.
 * @throws LaunchFailed when it exits first or says nothing in time.
 */
export async function launch(command: readonly string[], within = 60_000): Promise<Launched> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, APART);
  child.stdin.on('error', () => {});
  const errors: string[] = [];
  const lines: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors.push(text);
    if (errors.length > 200) errors.shift();
  });
  const exited = new Promise<Exit>((resolve) => {
    child.once('error', (error) => resolve({ code: null, errors: error.message }));
    child.once('close', (code) => resolve({ code, errors: errors.join('').trim() }));
  });
  try {
    const ready = await Promise.race([
      firstReadyLine(child, lines),
      exited.then((end) => {
        throw endedEarly(end);
      }),
      deadline(within),
    ]);
    return {
      ready,
      exited,
      said: () => [...lines, ...errors].join('\n'),
      tellToEnd: () => child.stdin.end(),
      stop: () => stop(child, exited),
      kill: () => kill(child, exited, ready.group),
    };
  } catch (error) {
    await stop(child, exited);
    throw error;
  }
}

/** The failure of a server that ended by itself, with its last words. */
export function endedEarly({ code, errors }: Exit): LaunchFailed {
  return new LaunchFailed(`The server ended before it was ready (exit code ${code ?? 'none'})${lastLine(errors)}`);
}

function lastLine(text: string): string {
  const line = text.split('\n').findLast((each) => each.trim() !== '');
  return line ? `: ${line.trim()}` : '.';
}

/** @param others takes the other lines that it writes. */
function firstReadyLine(child: ChildProcess, others: string[]): Promise<Ready> {
  return new Promise((resolve) => {
    if (!child.stdout) return;
    // Lines go on being read after the first, or a talkative server would block on a full pipe.
    createInterface({ input: child.stdout }).on('line', (line) => {
      const ready = readReady(line);
      if (ready) resolve(ready);
      else if (others.length < 200) others.push(line);
    });
  });
}

/** A ready line as data; `undefined` for any other line. Certificates may be given as PEM or as a file's path. */
export function readReady(line: string): Ready | undefined {
  if (!line.startsWith('{')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  return readyOf(value);
}
/** The same of a line that is read already. */
export function readyOf(value: unknown): Ready | undefined {
  if (!isRecord(value) || value.ready !== true || typeof value.base !== 'string') return undefined;
  const identities: Record<string, Identity> = {};
  for (const [name, given] of Object.entries(isRecord(value.identities) ? value.identities : {})) {
    if (!isRecord(given)) continue;
    identities[name] = {
      ...(typeof given.token === 'string' ? { token: given.token } : {}),
      ...(typeof given.certificate === 'string' ? { certificate: pem(given.certificate) } : {}),
      ...(typeof given.key === 'string' ? { key: pem(given.key) } : {}),
    };
  }
  const plain = identities.plain ?? identities.stranger;
  if (plain) identities.plain = plain;
  return {
    base: value.base.replace(/\/$/, ''),
    identities,
    ...(typeof value.ca === 'string' ? { ca: pem(value.ca) } : {}),
    ...(isControl(value.control) ? { control: value.control } : {}),
    ...(typeof value.group === 'number' ? { group: value.group } : {}),
  };
}
function isControl(value: unknown): value is Control {
  return isRecord(value) && typeof value.base === 'string' && typeof value.token === 'string';
}
function pem(textOrPath: string): string {
  if (textOrPath.includes('-----BEGIN') || !existsSync(textOrPath)) return textOrPath;
  return readFileSync(textOrPath, 'utf8');
}

/** Rejects when so many milliseconds have passed. */
export async function deadline(within: number): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, within).unref());
  throw new LaunchFailed(`The server did not say that it is ready within ${within / 1000} seconds.`);
}

/** Closes its input, which asks it to end; then the signals, each with a few seconds' grace. */
async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.pid === undefined) return;
  child.stdin?.end();
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (await endsWithin(exited, signal === 'SIGTERM' ? 1_500 : 3_000)) return;
    child.kill(signal);
  }
  await exited;
}
async function kill(child: ChildProcess, exited: Promise<unknown>, group: number | undefined): Promise<void> {
  if (group === undefined) child.kill('SIGKILL');
  else killGroup(group);
  await exited;
}
/** Kills a group of processes, if there is any left; whoever speaks for them then ends by itself. */
function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
function endsWithin(exited: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds);
    void exited.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
