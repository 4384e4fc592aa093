import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { ReporterSettings } from '../reports/reporter.ts';
import { MUTANTS_FILE } from '../suites/harness/mutants.ts';
import { type CheckSelection, SELECTION } from '../suites/harness/selection.ts';
import { TARGET_FILE } from '../suites/harness/target.ts';
import { ROOT } from './root.ts';

/** What the runner is started with. */
export interface RunnerOptions {
  /** Absent when checks are only listed. */
  readonly targetFile?: string;
  readonly mutantsFile?: string;
  readonly reporter: ReporterSettings;
  readonly selection: CheckSelection;
  /** Folder for what Playwright writes by itself. */
  readonly scratch: string;
  readonly workers?: number | undefined;
  readonly shard?: string | undefined;
  readonly list?: boolean;
}
export interface RunnerEnd {
  readonly code: number | null;
  readonly interrupted: boolean;
  /** What it wrote to standard error. */
  readonly errors: string;
}

/**
 * Runs Playwright Test in a process of its own and waits for its end. Ctrl-C goes to it too, as to every process of
 * the terminal, and it ends in order; a second one ends it at once.
 */
export async function runPlaywright(options: RunnerOptions): Promise<RunnerEnd> {
  const args = [join(ROOT, 'node_modules/@playwright/test/cli.js'), 'test', '--pass-with-no-tests'];
  if (options.workers !== undefined) args.push(`--workers=${options.workers}`);
  if (options.shard !== undefined) args.push(`--shard=${options.shard}`);
  if (options.list) args.push('--list');
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'pipe'],
    env: environment(options),
  });
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const watched = watchSignals(child);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, interrupted: watched.end(), errors: errors.join('') };
}

function environment(options: RunnerOptions): NodeJS.ProcessEnv {
  return {
    ...process.env,
    TOUCHSTONE_REPORTER: JSON.stringify(options.reporter),
    TOUCHSTONE_SCRATCH: options.scratch,
    [SELECTION]: JSON.stringify(options.selection),
    ...(options.targetFile === undefined ? {} : { [TARGET_FILE]: options.targetFile }),
    ...(options.mutantsFile === undefined ? {} : { [MUTANTS_FILE]: options.mutantsFile }),
    // The reporter and the checks print for people by themselves.
    FORCE_COLOR: '0',
  };
}

/** Stays alive through signals while the child ends, so that we can still clean up and report. */
function watchSignals(child: ChildProcess): { end(): boolean } {
  let times = 0;
  const onInterrupt = () => {
    times += 1;
    if (times > 1) child.kill('SIGKILL');
    // Playwright takes SIGINT as the order to stop; from a terminal it has already had it.
    else if (!process.stdin.isTTY) child.kill('SIGINT');
  };
  const onTerminate = () => {
    times += 1;
    child.kill(times > 1 ? 'SIGKILL' : 'SIGINT');
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  return {
    end: () => {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
      return times > 0;
    },
  };
}
