import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Watched {
  /** Whether the process said nothing for too long, so that it was ended. */
  readonly stopped: boolean;
  /** Its exit code; undefined where it was ended or ended by a signal. */
  readonly code: number | undefined;
  /** What it wrote to standard error last. */
  readonly errors: string;
}

/** Characters of standard error that are kept. */
const KEPT = 4_000;

/**
 * Runs a script of Node that sends messages as long as it lives, and ends it when none comes any more: no other process
 * can tell when a loop does not end.
 * @param argv flags of Node, the script and its arguments
 * @param silence milliseconds without a message after which it counts as stopped; where a machine has so much else to do that
 * the process hardly ran meanwhile, {@link PATIENCE} times that
 */
export function watched(argv: readonly string[], silence: number, heard: (message: unknown) => void): Promise<Watched> {
  const child: ChildProcess = spawn(process.execPath, argv, { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
  let errors = '';
  let stopped = false;
  let timer: NodeJS.Timeout;
  const wait = (times = 1, since = ranFor(child.pid)) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const ran = ranFor(child.pid);
      const starved = since !== undefined && ran !== undefined && ran - since < silence / 2;
      if (starved && times < PATIENCE) {
        wait(times + 1, since);
        return;
      }
      stopped = true;
      child.kill('SIGKILL');
    }, silence);
  };
  wait();
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-KEPT);
  });
  child.on('message', (message) => {
    wait();
    heard(message);
  });
  return new Promise((resolve) => {
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ stopped, code: code ?? undefined, errors });
    });
  });
}

/** How many times the silence a process is waited for that hardly had a processor. */
const PATIENCE = 10;
/** Milliseconds of a tick, in which the system tells what a process took. */
const TICK = 10;

/** Milliseconds of processor time that a process had so far; undefined where the system does not tell. */
function ranFor(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return (user + system) * TICK;
  } catch {
    return undefined;
  }
}
