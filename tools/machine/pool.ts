import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TargetFile } from '../../suites/harness/target/target.ts';
import { TARGET_FILE } from '../../suites/harness/target/target.ts';
import { ALIVE_EVERY, type CheckTold, type FromJudge, isPass, type Job, type JudgeSettings } from './job.ts';

/** What became of a job. */
export interface JobDone {
  readonly checks: readonly CheckTold[];
  /** Numbers of what was met while the server started, in the reference that keeps it. */
  readonly met: readonly number[];
  /** Why the server is no more, where it ended by itself, did not start, or never came back. */
  readonly died?: string;
}
interface OneDone extends JobDone {
  readonly spoiled: boolean;
  readonly started: boolean;
}

/** How long nothing may be heard of a process, before it counts as one that never comes back. */
const SILENCE = 15 * ALIVE_EVERY;
/** And until a process has loaded the checks. */
const LOADING = 300_000;
/** Jobs of one process: what mutants leave behind in it stays bounded. */
const JOBS_A_PROCESS = 60;

/** Processes that put checks to mutants, side by side. */
export class JudgePool {
  readonly #parts: PoolParts;
  readonly #idle: Judge[] = [];
  readonly #all = new Set<Judge>();
  #numbers = 0;

  constructor(parts: PoolParts) {
    this.#parts = parts;
  }

  /** The ids of all checks. */
  static async checks(parts: PoolParts): Promise<string[]> {
    const judge = new Judge(parts, 0);
    try {
      return await judge.checks();
    } finally {
      judge.end();
    }
  }

  /** Does all jobs, so many at a time, and tells of each as it is done. Ends early when `enough` says so. */
  async run<T extends Job>(
    jobs: Iterator<T>,
    workers: number,
    done: (job: T, result: JobDone) => void,
    enough: () => boolean = () => false,
  ): Promise<void> {
    const work = async () => {
      while (!enough()) {
        const next = jobs.next();
        if (next.done) return;
        done(next.value, await this.do(next.value));
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
  }

  /** Does one job, beside all others that are being done. */
  async do(job: Job): Promise<JobDone> {
    const checks: CheckTold[] = [];
    const met = new Set<number>();
    const began = performance.now();
    for (;;) {
      const judge = this.#idle.pop() ?? this.#begin();
      const left = job.checks.slice(checks.length);
      const patience = began + job.patience - performance.now();
      const result = await judge.do({ ...job, checks: left, patience });
      const fresh = judge.jobs === 1;
      const { died, spoiled, started } = result;
      if (judge.gone || spoiled || (died !== undefined && started) || judge.jobs >= JOBS_A_PROCESS) this.#end(judge);
      else this.#idle.push(judge);
      // It may have died of what the one before it left behind.
      if (died !== undefined && started && !fresh) continue;
      checks.push(...result.checks);
      for (const number of result.met) met.add(number);
      if (died !== undefined) return { checks, met: [...met], died };
      if (isEnough(job, checks) || checks.length >= job.checks.length || !spoiled) return { checks, met: [...met] };
    }
  }
  #begin(): Judge {
    const judge = new Judge(this.#parts, this.#numbers++);
    this.#all.add(judge);
    return judge;
  }
  #end(judge: Judge): void {
    judge.end();
    this.#all.delete(judge);
  }

  close(): void {
    for (const judge of this.#all) judge.end();
  }
}

/** Whether the last check is the one after which the job wants no other. */
function isEnough({ until }: Job, checks: readonly CheckTold[]): boolean {
  const last = checks.at(-1);
  if (last === undefined || until === 'end') return false;
  return until === 'failure' ? last.outcome === 'fail' : !isPass(last);
}

export interface PoolParts extends JudgeSettings {
  /** Path of the bundle with the checks. */
  readonly judge: string;
  readonly file: TargetFile;
  readonly scratch: string;
}

class Judge {
  readonly #child: ChildProcess;
  #hear: (message: FromJudge) => void = () => {};
  #lost: () => void = () => {};
  readonly #errors: string[] = [];
  jobs = 0;
  gone = false;

  constructor({ bundle, mutants, root, judge, file, scratch }: PoolParts, number: number) {
    // Checks of one process take turns at what they share by a lock beside this file.
    const folder = join(scratch, String(number));
    mkdirSync(folder, { recursive: true });
    const target = join(folder, 'target.json');
    writeFileSync(target, JSON.stringify(file), { mode: 0o600 });
    this.#child = fork(judge, [], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: ['--enable-source-maps', '--no-flush-bytecode', '--max-old-space-size=1500'],
      env: { ...process.env, [TARGET_FILE]: target },
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors.push(text);
      if (this.#errors.length > 50) this.#errors.shift();
    });
    this.#child.on('message', (message: FromJudge) => this.#hear(message));
    this.#child.once('exit', () => {
      this.gone = true;
      this.#lost();
    });
    const settings: JudgeSettings = { bundle, mutants, root };
    this.#child.send(settings);
  }

  checks(): Promise<string[]> {
    return new Promise((resolve, reject) => {
      this.#lost = () => reject(new Error(`the checks do not load: ${this.#errors.join('').trim()}`));
      this.#hear = (message) => {
        if (message.type === 'ready') resolve(message.checks.map(({ id }) => id));
      };
    });
  }

  do(job: Job): Promise<OneDone> {
    this.jobs++;
    const checks: CheckTold[] = [];
    let met: readonly number[] = [];
    let doing = 'starting';
    return new Promise((resolve) => {
      let patience: NodeJS.Timeout | undefined;
      const finish = (died: string | undefined, spoiled = false, started = true) => {
        clearTimeout(patience);
        this.#lost = () => {};
        this.#hear = () => {};
        resolve({ checks, met, spoiled, started, ...(died === undefined ? {} : { died }) });
      };
      const wait = (milliseconds = SILENCE) => {
        clearTimeout(patience);
        patience = setTimeout(() => {
          this.end();
          finish(`it never comes back, while ${doing}`);
        }, milliseconds);
      };
      this.#lost = () => finish(`its process ended, while ${doing}: ${this.#errors.join('').trim().slice(-300)}`);
      this.#hear = (message) => {
        wait();
        if (message.type === 'begun') met = message.met;
        else if (message.type === 'checking') doing = message.check;
        else if (message.type === 'checked') checks.push(message);
        else if (message.type === 'over') finish(message.died, message.spoiled, message.started);
      };
      wait(this.jobs === 1 ? LOADING : SILENCE);
      if (this.gone) this.#lost();
      else this.#child.send(job);
    });
  }

  end(): void {
    this.gone = true;
    this.#child.kill('SIGKILL');
  }
}
