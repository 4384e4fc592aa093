import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ReporterSettings } from '../reports/reporter.ts';
import { MUTANTS_FILE } from '../suites/harness/mutants.ts';
import { CHECKS_FOLDER, type CheckSelection, SELECTION } from '../suites/harness/selection.ts';
import { TARGET_FILE } from '../suites/harness/target.ts';
import { CHECKS_ROOT, PACKAGED, ROOT } from './root.ts';
import { UsageError } from './usageError.ts';

/** What the runner is started with. */
export interface RunnerOptions {
  /** Absent when checks are only listed. */
  readonly targetFile?: string;
  readonly mutantsFile?: string;
  readonly reporter: Omit<ReporterSettings, 'root'>;
  readonly selection: CheckSelection;
  /** The only files with checks of the selection, from the folder above `suites/`; absent: any may have some. */
  readonly files?: readonly string[] | undefined;
  /** Folder for what Playwright writes by itself. */
  readonly scratch: string;
  readonly workers?: number | undefined;
  readonly shard?: string | undefined;
  /** Milliseconds for each check; as the configuration says unless told. */
  readonly timeout?: number | undefined;
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
  const runner = playwrightFolder();
  const config = join(CHECKS_ROOT, PACKAGED ? 'playwright.config.js' : 'playwright.config.ts');
  const args = [join(runner, 'cli.js'), 'test', '--pass-with-no-tests', `--config=${config}`];
  if (options.workers !== undefined) args.push(`--workers=${options.workers}`);
  if (options.shard !== undefined) args.push(`--shard=${options.shard}`);
  if (options.timeout !== undefined) args.push(`--timeout=${options.timeout}`);
  if (options.list) args.push('--list');
  // Playwright takes patterns of paths.
  for (const file of options.files ?? [])
    args.push(`${join(CHECKS_ROOT, file).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: environment(options, runner),
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

/** Where Playwright Test is: beside us, or in the folder of the caller. @throws UsageError where it is in neither */
function playwrightFolder(): string {
  for (const folder of [ROOT, process.cwd()]) {
    try {
      return dirname(createRequire(join(folder, 'package.json')).resolve('@playwright/test/package.json'));
    } catch {
      // Not there.
    }
  }
  throw new UsageError(
    'The checks are run by Playwright Test, which is not installed: npm install --save-dev @playwright/test.',
  );
}

function environment(options: RunnerOptions, runner: string): NodeJS.ProcessEnv {
  const reporter: ReporterSettings = { ...options.reporter, root: CHECKS_ROOT };
  return {
    ...process.env,
    TOUCHSTONE_REPORTER: JSON.stringify(reporter),
    [CHECKS_FOLDER]: CHECKS_ROOT,
    TOUCHSTONE_PLAYWRIGHT: join(runner, 'index.js'),
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
