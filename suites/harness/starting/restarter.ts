import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { Connections } from '../client/connections.ts';
import { unsupported } from '../endings.ts';
import { Prober } from '../target/probe.ts';
import type { Restart, Target } from '../target/target.ts';
import { filled, withoutReplaced } from './command.ts';
import { endedEarly, type Launched, type Launcher, LaunchFailed, type Start, UnfitCommand } from './launch.ts';

/** How long a target may take from its restart to its first answer: milliseconds. */
const START_DEADLINE = 90_000;
/** How long nobody may listen after the command has said that the server was started. */
const LISTEN_DEADLINE = 60_000;
/** How long its command may take. */
const COMMAND_DEADLINE = 120_000;

const ENDS = '--restart-command ends the target and starts it at once; --launch lets us end it';

/**
 * Ends the target of the run, which was running already, and starts it again with other flags. There is one server, so
 * each start takes the place of the one before; one worker alone may do so.
 */
export class Restarter implements Launcher {
  readonly #target: Target;
  readonly #restart: Restart;
  #starts = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(target: Target, restart: Restart) {
    this.#target = target;
    this.#restart = restart;
  }

  async start(what: Start): Promise<Launched> {
    const { apart = false, ended = false, release } = what;
    if (apart || ended) throw new UnfitCommand(ENDS);
    if (release !== undefined)
      throw new UnfitCommand('{release} in the command of --launch lets it be another release');
    const started = this.#queue.then(async () => {
      const number = ++this.#starts;
      writeFileSync(this.#restart.mark, '');
      await startAgain(this.#target, this.#restart.command, what);
      return this.#launched(() => this.#starts !== number);
    });
    this.#queue = started.catch(() => {});
    return started;
  }

  restore(): Promise<void> {
    const restored = this.#queue.then(async () => {
      if (!existsSync(this.#restart.mark)) return;
      this.#starts += 1;
      await restoreTarget(this.#target, this.#restart);
    });
    this.#queue = restored.catch(() => {});
    return restored;
  }

  #launched(replaced: () => boolean): Launched {
    const { base, ca, identities } = this.#target;
    return {
      ready: { base, identities, ...(ca === undefined ? {} : { ca }) },
      replaced,
      exited: new Promise(() => {}),
      said: () => unsupported('what the target writes cannot be seen; --launch shows it'),
      tellToEnd: () => unsupported(ENDS),
      kill: () => unsupported(ENDS),
      // The next start ends it.
      stop: async () => {},
    };
  }
}

/** Starts a target again as it was found, where a run has left it with other flags. @throws LaunchFailed */
export async function restoreTarget(target: Target, { command, mark }: Restart): Promise<void> {
  if (!existsSync(mark)) return;
  await startAgain(target, command, { flags: [] });
  rmSync(mark, { force: true });
}

async function startAgain(target: Target, command: string, { flags, files }: Start): Promise<void> {
  await run(filled(withoutReplaced(command, flags), { flags, files: files ?? '' }));
  // A certificate under test is verified by whoever asked for it, and nothing is shown to a server that is not.
  const unknown = flags.some((flag) => flag.startsWith('--tls-cert-file'));
  const connections = new Connections(unknown ? { ...target, insecure: true } : target);
  try {
    const prober = new Prober(target.base, connections);
    const admin = unknown ? {} : (target.identities.admin ?? {});
    const begun = performance.now();
    for (let listens = false; ; ) {
      const { status, failure } = await prober.get(admin, '/readyz');
      listens ||= failure === undefined;
      const waited = performance.now() - begun;
      // The flags under test may keep even our administrator out: a refusal is an answer too.
      if (status === 200 || status === 401 || status === 403) return;
      if (!listens && waited > LISTEN_DEADLINE) {
        throw new LaunchFailed(`The server ended, or never listened, after its restart: ${failure}.`);
      }
      if (waited > START_DEADLINE) {
        const why = failure ?? `/readyz says ${status}`;
        throw new LaunchFailed(`The server was not ready within ${START_DEADLINE / 1000} s of its restart: ${why}.`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } finally {
    await connections.close();
  }
}

/** Runs the command to its end. @throws LaunchFailed where it says that the server did not come up. */
async function run(command: string): Promise<void> {
  // What it starts may go on holding its output, so none is taken but the words of the command itself.
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'ignore', 'pipe'], timeout: COMMAND_DEADLINE });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4_000);
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      errors = error.message;
      resolve(null);
    });
    child.once('exit', resolve);
  });
  child.stderr.destroy();
  if (code !== 0) throw endedEarly({ code, errors: errors.trim() });
}
