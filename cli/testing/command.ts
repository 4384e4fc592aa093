import { spawn } from 'node:child_process';
import { builtModule, keptListing } from './built.ts';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

/**
 * Runs the command as a process of its own, since tests of exit codes and of what is printed are about the process.
 * It is not waited for synchronously: the servers of a test live in the same thread as the test.
 * @param interruptWhen asked again and again of what was printed; as soon as it is true the process is sent SIGINT, once.
 */
export async function touchstone(
  args: readonly string[],
  { interruptWhen }: { interruptWhen?: (out: string) => boolean } = {},
): Promise<Ended> {
  const script = `process.exitCode = await (await import('${await builtModule('main.js')}')).main(process.argv.slice(1));`;
  const command = ['--input-type=module', '--eval', script, '--', ...args];
  const env = { ...process.env, TOUCHSTONE_LISTING: keptListing() };
  const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const timer = setInterval(() => {
    if (!interruptWhen?.(out)) return;
    clearInterval(timer);
    child.kill('SIGINT');
  }, 10);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(timer);
      resolve({ code, out, errors });
    });
  });
}
