import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GO, type ReporterSettings } from '../reports/reporter.ts';
import { LANES } from '../suites/harness/running/lanes.ts';
import { MUTANTS_FILE } from '../suites/harness/running/mutants.ts';
import { CHECKS_FOLDER, type CheckSelection, SELECTION } from '../suites/harness/running/selection.ts';
import { TARGET_FILE } from '../suites/harness/target/target.ts';
import { Interruption } from './interruption.ts';
import { writeParts } from './parts.ts';
import { CHECKS_ROOT, PACKAGED, ROOT } from './root.ts';
import { UsageError } from './usageError.ts';

/** Where `playwright.config.ts` is told of the folder with the parts of a run. */
const PARTS = 'TOUCHSTONE_PARTS';

/** What the runner is started with. */
export interface RunnerOptions {
  /** Absent when checks are only listed. */
  readonly targetFile?: string;
  readonly mutantsFile?: string;
  readonly reporter: Omit<ReporterSettings, 'root' | 'held'>;
  readonly selection: CheckSelection;
  /** The only files with checks of the selection, from the folder above `suites/`; absent: any may have some. */
  readonly files?: readonly string[] | undefined;
  /** Folder for what Playwright writes by itself. */
  readonly scratch: string;
  /** Processes that run checks; as the configuration says unless told. */
  readonly workers?: number | undefined;
  /** How many checks each of them runs side by side; one unless told. */
  readonly lanes?: number | undefined;
  /** Milliseconds for each check; as the configuration says unless told. */
  readonly timeout?: number | undefined;
  readonly list?: boolean;
  /** Who hears of Ctrl-C; absent where nobody else has to. */
  readonly interruption?: Interruption | undefined;
  /** Whether checks have begun: before that there is nothing to be cleaned up, and the runner is killed. */
  readonly begun?: () => boolean;
}
/** A runner that has been started, and runs no check before it is told to. */
export interface Runner {
  /** Lets the checks begin, and waits for their end. */
  go(): Promise<RunnerEnd>;
  /** Ends it at once, where there is nothing to be checked after all; nothing where it has ended. */
  giveUp(): void;
}
export interface RunnerEnd {
  readonly code: number | null;
  readonly interrupted: boolean;
  /** What it wrote to standard error. */
  readonly errors: string;
}

/** Runs Playwright Test in processes of their own and waits for their end. @throws UsageError where it is not there */
export function runPlaywright(options: RunnerOptions): Promise<RunnerEnd> {
  return startPlaywright(options, false).then((runner) => runner.go());
}

/**
 * Starts Playwright Test in processes of their own. They are a group of their own too, so that Ctrl-C at a terminal
 * comes to us alone, and we tell them. They end with us, however we end.
 *
 * @param held loads the checks and then waits until it is told to go: what it needs only then can be found out meanwhile
 * @throws UsageError where it is not installed
 */
export async function startPlaywright(options: RunnerOptions, held: boolean): Promise<Runner> {
  const runner = playwrightFolder();
  const checks = await checksFolder();
  const config = join(checks, PACKAGED ? 'playwright.config.js' : 'playwright.config.ts');
  const args = [join(runner, 'cli.js'), 'test', '--pass-with-no-tests', `--config=${config}`];
  if (options.workers !== undefined) args.push(`--workers=${options.workers}`);
  if (options.timeout !== undefined) args.push(`--timeout=${options.timeout}`);
  if (options.list) args.push('--list');
  const sideBySide = (options.lanes ?? 1) > 1;
  // Playwright empties its own folder first.
  const parts = `${options.scratch}-parts`;
  if (sideBySide) {
    const files = options.files ?? filesOfChecks(checks);
    writeParts(parts, checks, files, options.workers ?? 1, PACKAGED ? 'modules' : 'scripts');
  } else {
    // Playwright takes patterns of paths.
    for (const file of options.files ?? []) args.push(`${join(checks, file).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
  }
  const child = spawn(process.execPath, args, {
    // Its reporter reads from us, and ends the run when we are gone.
    stdio: ['pipe', 'inherit', 'pipe'],
    detached: process.platform !== 'win32',
    env: {
      ...environment(options, runner, held),
      ...(sideBySide ? { [PARTS]: parts, [LANES]: String(options.lanes) } : {}),
    },
  });
  child.stdin.on('error', () => {});
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // One that is given up may fail without anybody who waits for it.
  ended.catch(() => {});
  return {
    giveUp: () => {
      if (child.exitCode === null && child.signalCode === null) killGroup(child);
    },
    go: async () => {
      if (held) child.stdin.write(GO);
      const interruption = options.interruption ?? new Interruption(() => '');
      const end = () => (options.begun?.() === false ? killGroup(child) : child.kill('SIGINT'));
      try {
        const code = await interruption.whileRunning(ended, end, () => killGroup(child));
        return { code, interrupted: interruption.happened, errors: errors.join('') };
      } finally {
        if (!options.interruption) interruption.close();
      }
    },
  };
}

/** The folder that the runner loads the checks from: in a checkout, a bundle that is made anew after each change. */
async function checksFolder(): Promise<string> {
  if (PACKAGED) return CHECKS_ROOT;
  const { bundleChecksIfStale } = (await import(pathToFileURL(join(ROOT, 'tools/checksBundle.mjs')).href)) as {
    bundleChecksIfStale(): Promise<string>;
  };
  return bundleChecksIfStale();
}

/** The files of checks in a folder that has `suites/`, from there. */
function filesOfChecks(folder: string): readonly string[] {
  return readdirSync(join(folder, 'suites'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.spec\.[jt]s$/.test(path))
    .map((path) => `suites/${path.replaceAll('\\', '/')}`)
    .sort();
}

/** Ends a process and all that it has started. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has ended by itself meanwhile.
  }
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

function environment(options: RunnerOptions, runner: string, held: boolean): NodeJS.ProcessEnv {
  const reporter: ReporterSettings = { ...options.reporter, root: CHECKS_ROOT, held };
  return {
    ...process.env,
    TOUCHSTONE_REPORTER: JSON.stringify(reporter),
    [CHECKS_FOLDER]: CHECKS_ROOT,
    TOUCHSTONE_PLAYWRIGHT: join(runner, 'index.js'),
    TOUCHSTONE_SCRATCH: options.scratch,
    [SELECTION]: JSON.stringify(options.selection),
    ...(options.targetFile === undefined ? {} : { [TARGET_FILE]: options.targetFile }),
    ...(options.mutantsFile === undefined ? {} : { [MUTANTS_FILE]: options.mutantsFile }),
    // What it loads is JavaScript already.
    PW_DISABLE_TS_ESM: '1',
    // The reporter and the checks print for people by themselves.
    FORCE_COLOR: '0',
  };
}
