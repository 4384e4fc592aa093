import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isRecord } from '../json.ts';
import { APART, deadline, type Exit, endedEarly, type Launched, type Ready, readyOf } from './launch.ts';

/** How many servers one process starts before another takes its place: what they leave behind stays bounded. */
const SERVERS_A_PROCESS = 250;

/** Milliseconds that a server gets until it is ready, unless told. */
export const LAUNCHING = 60_000;

/** Starts servers that share a process. */
export interface Hosting {
  /**
   * Starts a server and waits until it is ready. It cannot be killed: that would end its neighbours too.
   * @throws LaunchFailed when it does not come up, or not within so many milliseconds.
   */
  launch(flags: readonly string[], within?: number): Promise<Launched>;
  /** Ends the servers that are left. */
  close(): Promise<void>;
}

/**
 * Starts servers in a process that they share, so that each costs a fraction of what it does in one of its own. They
 * end with us, however we end.
 */
export class Host implements Hosting {
  readonly #command: readonly string[];
  #process: HostProcess | undefined;
  readonly #retired: HostProcess[] = [];

  /** @param command program and arguments of the process; see `touchstone serve --hosting` for what it is told. */
  constructor(command: readonly string[]) {
    this.#command = command;
  }

  launch(flags: readonly string[], within = LAUNCHING): Promise<Launched> {
    if (this.#process && (this.#process.started >= SERVERS_A_PROCESS || this.#process.gone)) {
      this.#process.retire();
      this.#retired.push(this.#process);
      this.#process = undefined;
    }
    this.#process ??= new HostProcess(this.#command);
    return this.#process.launch(flags, within);
  }

  async close(): Promise<void> {
    const all = [...this.#retired, ...(this.#process ? [this.#process] : [])];
    await Promise.all(all.map((each) => each.close()));
  }
}

class HostProcess {
  readonly #child: ChildProcess;
  readonly #servers = new Map<string, HostedServer>();
  readonly #exited: Promise<void>;
  #retired = false;
  gone = false;
  started = 0;

  constructor([program = '', ...args]: readonly string[]) {
    this.#child = spawn(program, args, APART);
    this.#child.stdin?.on('error', () => {});
    const errors: string[] = [];
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors.push(text);
      if (errors.length > 200) errors.shift();
    });
    if (this.#child.stdout) createInterface({ input: this.#child.stdout }).on('line', (line) => this.#read(line));
    this.#exited = new Promise((resolve) => {
      const end = (code: number | null) => {
        this.gone = true;
        for (const server of this.#servers.values()) server.end(code, errors.join(''));
        this.#servers.clear();
        resolve();
      };
      this.#child.once('error', (error) => {
        errors.push(error.message);
        end(null);
      });
      this.#child.once('close', end);
    });
  }

  async launch(flags: readonly string[], within: number): Promise<Launched> {
    const name = String(this.started++);
    const server = new HostedServer();
    this.#servers.set(name, server);
    this.#tell({ start: name, flags });
    const tellToEnd = () => this.#tell({ end: name });
    const stop = async () => {
      tellToEnd();
      await server.exited;
    };
    const failed = server.exited.then((end) => {
      throw endedEarly(end);
    });
    // Of interest only while it is waited for.
    failed.catch(() => {});
    try {
      const ready = await Promise.race([server.ready, failed, deadline(within)]);
      const { exited } = server;
      return { ready, exited, said: () => server.said.join('\n'), tellToEnd, stop, kill: notAlone };
    } catch (error) {
      tellToEnd();
      throw error;
    }
  }

  /** Starts no more, and ends with the last server that it has. */
  retire(): void {
    this.#retired = true;
    if (this.#servers.size === 0) this.#child.stdin?.end();
  }
  async close(): Promise<void> {
    this.#child.stdin?.end();
    const patience = setTimeout(() => this.#child.kill('SIGKILL'), 5_000);
    await this.#exited;
    clearTimeout(patience);
  }

  #tell(request: object): void {
    if (!this.gone) this.#child.stdin?.write(`${JSON.stringify(request)}\n`);
  }
  #read(line: string): void {
    const answer = answerOf(line);
    const server = answer && this.#servers.get(answer.server);
    if (!answer || !server) return;
    const ready = readyOf(answer);
    if (ready) server.begin(ready);
    if (typeof answer.said === 'string') server.said.push(answer.said);
    if (typeof answer.ended === 'number') {
      this.#servers.delete(answer.server);
      server.end(answer.ended, server.said.join('\n'));
      if (this.#retired) this.retire();
    }
  }
}

/** What becomes of killing a server that has neighbours. */
export async function notAlone(): Promise<never> {
  throw new Error('a server that is to be killed needs a process of its own');
}

/** What one server told of itself so far. */
export class HostedServer {
  readonly said: string[] = [];
  begin!: (ready: Ready) => void;
  readonly ready = new Promise<Ready>((resolve) => {
    this.begin = resolve;
  });
  #ended!: (exit: Exit) => void;
  readonly exited = new Promise<Exit>((resolve) => {
    this.#ended = resolve;
  });
  end(code: number | null, errors: string): void {
    this.#ended({ code, errors });
  }
}

/** A line about a server, as a host writes it; `undefined` for any other. */
export function answerOf(line: string): (Record<string, unknown> & { readonly server: string }) | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) && typeof value.server === 'string' ? { ...value, server: value.server } : undefined;
  } catch {
    // Something else that the process wrote.
    return undefined;
  }
}
