import { type ChildProcess, spawn } from 'node:child_process';

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
 * @param silence milliseconds without a message after which it counts as stopped
 */
export function watched(argv: readonly string[], silence: number, heard: (message: unknown) => void): Promise<Watched> {
  const child: ChildProcess = spawn(process.execPath, argv, { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
  let errors = '';
  let stopped = false;
  let timer: NodeJS.Timeout;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
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
