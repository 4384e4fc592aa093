import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { Expectation } from '../../fixtures/expectations/expectation.ts';
import { serviceExpectations } from '../../fixtures/expectations/service.ts';
import { isHistoryFile } from '../../history/format.ts';
import { counted } from '../../reports/counted.ts';
import { parseEvents, type RunEvent, type RunFinished } from '../../reports/events.ts';
import { updatedExpectations } from '../../reports/expectations.ts';
import { markdown } from '../../reports/markdown.ts';
import { EXIT } from '../../reports/outcome.ts';
import { annotations } from '../../reports/pipeline.ts';
import { EVENTS_FILE, REPORT_FILES, writeReports } from '../../reports/render.ts';
import { type RunResult, resultOf } from '../../reports/results.ts';
import { LEARN_FOLDER, storiesOfRun } from '../../reports/storyOfCheck.ts';
import { terminalSummary } from '../../reports/terminal.ts';
import { verdictOfRun } from '../../reports/verdictOfRun.ts';
import type { CheckSelection } from '../../suites/harness/running/selection.ts';
import { RUN_LABEL } from '../../suites/harness/space.ts';
import { Host } from '../../suites/harness/starting/host.ts';
import { restoreTarget } from '../../suites/harness/starting/restarter.ts';
import { restoreFile } from '../../suites/harness/starting/rewriter.ts';
import { shareHost } from '../../suites/harness/starting/sharedHost.ts';
import { detect } from '../../suites/harness/target/detect.ts';
import { lacksSecondIdentity, withSecondIdentity } from '../../suites/harness/target/secondIdentity.ts';
import { sweep } from '../../suites/harness/target/sweep.ts';
import type { Hosted, RunSettings, Target, TargetFile } from '../../suites/harness/target/target.ts';
import { drawRun } from '../drawHistory.ts';
import { readExpectations, unknownIds, writeExpectations } from '../expectationsFile.ts';
import { firstLine, folderToWrite, lastLine, readNamedFile, reasonOf } from '../files.ts';
import { duration, type Flags, type FlagTable, readFlags, wholeNumber } from '../flags.ts';
import { type HeaderParts, runHeader } from '../header.ts';
import { Interrupted, Interruption } from '../interruption.ts';
import { learnSite, writeSite } from '../learnSite.ts';
import type { ListedCheck } from '../listChecks.ts';
import { chosenOf, listChecks, refuseUnknown, tellChecks } from '../listChecks.ts';
import { type Runner, type RunnerOptions, runPlaywright, startPlaywright } from '../playwright.ts';
import type { Reached } from '../reach.ts';
import { reachTarget } from '../reach.ts';
import { tellRights, whyPointless } from '../rightsText.ts';
import { suiteVersion } from '../root.ts';
import { askReference } from '../secondRun.ts';
import { isCheckId, selectionOf } from '../selectionOf.ts';
import { SCRATCH_STORES } from '../serve/scratchStore.ts';
import { digestOfParts, partOf, readDurations, readShard, type Shard } from '../shard.ts';
import { type SideBySide, sideBySide } from '../sideBySide.ts';
import { TARGET_FLAGS } from '../targetFlags.ts';
import { UsageError } from '../usageError.ts';

/** Names the expectations that come with Touchstone, made of the table of departures. */
const REAL_SERVICE = 'service';

/** Milliseconds for a check that has the target started again, several times perhaps, each in up to a minute. */
const RESTARTS_A_CHECK = 900_000;

export const RUN_FLAGS = {
  ...TARGET_FLAGS,
  only: { value: 'ID', help: 'only checks of this requirement, area, folder or check id', many: true },
  profile: { value: 'NAME', help: 'only checks of this profile', many: true },
  'last-failed': { help: 'only what did not hold, or could not be told, in the last run in --output' },
  list: { help: 'name the checks, run none' },
  'dry-run': { help: 'look at the target and say what would run, run none' },
  strict: { help: 'a broken recommendation fails too' },
  expectations: {
    value: 'FILE',
    help: `what is already known of this server; "${REAL_SERVICE}" for the departures of the real service`,
  },
  'update-expectations': { help: 'write what fails now into that file' },
  choose: { value: 'NAME', help: 'what the built-in reference chooses otherwise; twins --list', many: true },
  storage: { value: 'NAME', help: 'what the built-in reference keeps its objects in: memory, lmdb, etcd' },
  'etcd-servers': { value: 'URL,…', help: 'the etcd for --storage etcd' },
  violations: { value: 'FILE', help: 'a file of violations, some or all of which the built-in reference commits' },
  violation: { value: 'NAME', help: 'which one; all: every one of the file at once', many: true },
  seed: { value: 'TEXT', help: 'repeat the choices of an earlier run' },
  workers: {
    value: 'N',
    help: 'checks at a time; half the processors unless told, more for the built-in reference, fewer for few checks',
  },
  shard: { value: 'I/N', help: 'only the I-th of N parts' },
  durations: { value: 'DIR', help: 'reports of an earlier run, so that parts take as long as each other' },
  retries: { value: 'N', help: 'try what fails so often again; what then holds is flaky' },
  'suite-version': { value: 'VERSION', help: 'refuse to run when these suites are of another version' },
  'check-timeout': { value: 'DURATION', help: 'how long one check may take; 2m unless told' },
  timeout: { value: 'DURATION', help: 'how long all checks may take together' },
  'max-failures': { value: 'N', help: 'stop after so many failures' },
  output: { value: 'DIR', help: 'where the reports go; reports/out unless told' },
  history: { help: 'keep every operation and event in history-*.ndjson there' },
  'no-reference': { help: 'do not ask the built-in reference what it does in the checks that fail' },
  quiet: { help: 'no progress, only what fails and the summary' },
} as const satisfies FlagTable;
/** What its flags are about, with the first of each group. */
export const RUN_GROUPS = {
  'Whom to test': 'target',
  'Which checks': 'only',
  'What is known already': 'strict',
  'How to run': 'storage',
  'What comes of it': 'output',
} as const satisfies Readonly<Record<string, keyof typeof RUN_FLAGS>>;
type RunFlags = Flags<typeof RUN_FLAGS>;

/** `touchstone run`. @returns the exit code of the contract in docs/reading-a-report.md. Throws UsageError. */
export async function run(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, RUN_FLAGS);
  if (words.length > 0) throw new UsageError(`run takes no words, only flags; what is ${JSON.stringify(words[0])}?`);
  const plan = planOf(flags);
  const selection = flags['last-failed'] ? lastFailed(flags, plan.output) : selectionOf(flags.only, flags.profile);
  const scratch = mkdtempSync(join(tmpdir(), 'touchstone-run-'));
  const { id } = plan.settings;
  const interruption = new Interruption(() => `What may be left on the target carries the label ${RUN_LABEL}=${id}.`);
  try {
    const expectations = readKnown(flags);
    // Asking the checks for their names costs seconds, so it is done only where a name has to be looked up.
    const listed =
      flags.list || flags['dry-run'] || plan.shard || [...selection.only, ...namesIn(expectations)].some(isCheckId)
        ? await listChecks(selection, scratch, interruption)
        : undefined;
    if (listed) refuseUnknown(selection, listed);
    if (flags.list) return tellChecks(listed?.chosen ?? []);
    const part = plan.shard && listed ? inPart(listed.chosen, plan.shard, flags) : undefined;
    const wanted = part ? { ...selection, ids: part.ids } : selection;
    const of = { flags, selection: wanted, scratch, interruption, ...plan };
    // The checks are loaded while the target comes up and is looked at.
    const runner = flags['dry-run'] ? undefined : await startPlaywright(firstRun(of), true);
    try {
      return await onTarget(flags, interruption, async (reached) => {
        const found = await interruption.during(detect(reached.reach));
        for (const line of tellRights(found)) console.log(line);
        if (!runner) return tellPlan(found, listed?.chosen ?? []);
        const pointless = whyPointless(found);
        if (pointless !== undefined && selection.only.length === 0 && selection.profiles.length === 0) {
          console.error(
            `A run would be pointless: ${pointless}. What can be looked at is run with --only or --profile.`,
          );
          return EXIT.inconclusive;
        }
        const target = lacksSecondIdentity(found) ? await withSecondIdentity(found, id) : found;
        const unknown = unknownIds(expectations ?? [], listed?.all ?? []);
        return await runOn({ ...of, runner, reached, target, known: { expectations, unknown, parts: part?.parts } });
      });
    } finally {
      runner?.giveUp();
    }
  } catch (error) {
    if (error instanceof Interrupted || interruption.happened) return EXIT.interrupted;
    throw error;
  } finally {
    interruption.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface Plan {
  readonly workers: number | undefined;
  readonly settings: RunSettings;
  readonly shard: Shard | undefined;
  readonly output: string;
  /** Milliseconds, and failures. */
  readonly limits: {
    readonly check: number | undefined;
    readonly all: number | undefined;
    readonly failures: number | undefined;
  };
}

/** The checks of the last run that did not end well. Throws UsageError where there was none, or all did. */
function lastFailed(flags: RunFlags, output: string): CheckSelection {
  if (flags.only.length > 0 || flags.profile.length > 0) {
    throw new UsageError('--last-failed chooses the checks by itself, and makes no sense beside --only or --profile.');
  }
  const file = join(output, EVENTS_FILE);
  if (!existsSync(file)) throw new UsageError(`There is no last run in ${output}.`);
  const { checks } = resultOf(parseEvents(readFileSync(file, 'utf8')));
  const only = checks.filter(({ outcome }) => NOT_WELL.has(outcome)).map(({ id }) => id);
  if (only.length === 0) throw new UsageError(`Nothing failed in the last run in ${output}.`);
  return { only, profiles: [] };
}
const NOT_WELL: ReadonlySet<string> = new Set(['fail', 'inconclusive', 'harness-error', 'not-run', 'flaky']);

/** Everything that can be wrong in the flags is found before anything is started. */
function planOf(flags: RunFlags): Plan {
  if (flags['update-expectations'] && flags.expectations === undefined) {
    throw new UsageError('--update-expectations needs --expectations FILE beside it.');
  }
  if (flags['update-expectations'] && flags.expectations === REAL_SERVICE) {
    throw new UsageError(`The expectations "${REAL_SERVICE}" come with Touchstone and cannot be written.`);
  }
  if (flags.durations !== undefined && flags.shard === undefined) {
    throw new UsageError('--durations is what shards are balanced by: give --shard I/N beside it.');
  }
  const version = suiteVersion();
  if (flags['suite-version'] !== undefined && flags['suite-version'] !== version) {
    throw new UsageError(`These suites are version ${version}, and not ${flags['suite-version']}.`);
  }
  const alone = (['restart-command', 'authentication-config'] as const).find((name) => flags[name] !== undefined);
  if (alone !== undefined && flags.workers !== undefined && flags.workers !== '1') {
    throw new UsageError(`--${alone} and --workers make no sense together: one server is there for one worker.`);
  }
  const output = resolve(flags.output ?? 'reports/out');
  return {
    workers: flags.workers === undefined ? undefined : wholeNumber('workers', flags.workers, 1, 64),
    output,
    shard: flags.shard === undefined ? undefined : readShard(flags.shard),
    limits: {
      check: flags['check-timeout'] === undefined ? undefined : duration('check-timeout', flags['check-timeout']),
      all: flags.timeout === undefined ? undefined : duration('timeout', flags.timeout),
      failures:
        flags['max-failures'] === undefined
          ? undefined
          : wholeNumber('max-failures', flags['max-failures'], 1, 100_000),
    },
    settings: {
      id: randomBytes(4).toString('hex'),
      seed: flags.seed ?? randomBytes(4).toString('hex'),
      strict: flags.strict,
      output,
      ...(flags.history ? { history: output } : {}),
    },
  };
}

/** What a part has of what is chosen, and what all parts are made of. */
function inPart(chosen: readonly ListedCheck[], shard: Shard, { durations }: RunFlags) {
  const known = durations === undefined ? new Map<string, number>() : readDurations(durations);
  const ids = chosen.map(({ id }) => id);
  return { ids: partOf(ids, shard, known), parts: digestOfParts(ids, known) };
}

async function onTarget(
  flags: RunFlags,
  interruption: Interruption,
  use: (reached: Reached) => Promise<number>,
): Promise<number> {
  const reaching = reachTarget(flags, [...storageFlags(flags), ...violationFlags(flags), ...choiceFlags(flags)]);
  const reached = await interruption.during(reaching).catch(async (error: unknown) => {
    // A server that is just being started ends when it is up; one that never comes up ends with us.
    if (error instanceof Interrupted) await givenUp(reaching);
    throw error;
  });
  try {
    return await use(reached);
  } finally {
    await reached.stop();
  }
}

/** What the built-in reference does wrong on purpose, as flags of each server that is started of it. */
function violationFlags({ violations, violation, ...others }: RunFlags): string[] {
  if (violations === undefined && violation.length === 0) return [];
  const other = (['target', 'kubeconfig', 'launch'] as const).find((name) => others[name] !== undefined);
  if (other) {
    throw new UsageError(`--violations is of the built-in reference; in front of --${other}, start touchstone proxy.`);
  }
  if (violations === undefined || violation.length === 0) {
    throw new UsageError('--violations FILE and --violation NAME go together.');
  }
  return [`--violations=${resolve(violations)}`, ...violation.map((name) => `--violation=${name}`)];
}

async function givenUp(reaching: Promise<Reached>): Promise<void> {
  const patience = setTimeout(() => process.exit(EXIT.interrupted), 5_000);
  await reaching.then(
    (reached) => reached.stop(),
    () => {},
  );
  clearTimeout(patience);
}

/** What the built-in reference chooses otherwise, as a flag of each server that is started of it. */
function choiceFlags({ choose, violation, ...others }: RunFlags): string[] {
  if (choose.length === 0) return [];
  if (violation.length > 0) throw new UsageError('--choose and --violation make another server each; give one.');
  const other = (['target', 'kubeconfig', 'launch'] as const).find((name) => others[name] !== undefined);
  if (other) throw new UsageError(`--choose is of the built-in reference and makes no sense beside --${other}.`);
  return [`--mutant=choose:${choose.join(',')}`];
}

/** The store of the built-in reference, as flags of each server that is started of it. */
function storageFlags({ storage, 'etcd-servers': servers, ...others }: RunFlags): string[] {
  if (storage === undefined && servers === undefined) return [];
  const other = (['target', 'kubeconfig', 'launch'] as const).find((name) => others[name] !== undefined);
  if (other) throw new UsageError(`--storage is of the built-in reference and makes no sense beside --${other}.`);
  const name = SCRATCH_STORES.find((one) => one === (storage ?? 'etcd'));
  if (!name) throw new UsageError(`There is no storage ${storage}; there are ${SCRATCH_STORES.join(', ')}.`);
  if ((name === 'etcd') !== (servers !== undefined)) {
    throw new UsageError('--storage etcd and --etcd-servers go together.');
  }
  return [`--storage=${name}`, ...(servers === undefined ? [] : [`--etcd-servers=${servers}`])];
}

/** Checks that are done by one process about as soon as a second one would have begun with them. */
const CHECKS_WORTH_A_PROCESS = 12;
/** Checks that a process runs side by side on the built-in reference: they wait about as long as they work. */
const SIDE_BY_SIDE = 4;

/**
 * In how many processes checks run, and how many side by side in each. Unless told it is one in each of half as many
 * processes as there are processors, as Playwright has it; on the built-in reference, where nobody else is in the way, some
 * in each of as many. There are no more processes than processors, nor than the checks are worth.
 *
 * @param asked the most checks at a time, where that is told
 * @param checks how many there are, where that is known
 */
function processesFor(flags: RunFlags, asked: number | undefined, checks: number | undefined): SideBySide {
  // There is one server, and a start takes the place of the one before.
  if ((flags['restart-command'] ?? flags['authentication-config']) !== undefined) return { workers: 1, lanes: 1 };
  if (asked !== undefined) return sideBySide(asked);
  const processors = availableParallelism();
  const embedded = flags.target === undefined && flags.kubeconfig === undefined && flags.launch === undefined;
  const most = embedded ? processors : Math.max(1, Math.floor(processors / 2));
  const worth = checks === undefined ? most : Math.ceil(checks / CHECKS_WORTH_A_PROCESS);
  return { workers: Math.max(1, Math.min(most, worth)), lanes: embedded ? SIDE_BY_SIDE : 1 };
}

/** What a run knows before its target is found. */
interface Asked extends Plan {
  readonly flags: RunFlags;
  readonly selection: CheckSelection;
  readonly scratch: string;
  readonly interruption: Interruption;
}
interface Running extends Asked {
  readonly runner: Runner;
  readonly reached: Reached;
  readonly target: Target;
  readonly known: Pick<HeaderParts, 'expectations' | 'unknown' | 'parts'>;
}

const targetFileIn = (scratch: string) => join(scratch, 'target.json');

/** What the runner is started with for the first attempt at all checks. */
function firstRun({
  flags,
  selection,
  scratch,
  interruption,
  settings,
  output,
  workers,
  limits,
}: Asked): RunnerOptions {
  const events = join(output, EVENTS_FILE);
  const chosen = chosenOf(selection);
  return {
    targetFile: targetFileIn(scratch),
    selection,
    files: chosen?.files,
    scratch: join(scratch, 'playwright'),
    ...processesFor(flags, workers, chosen?.count),
    timeout:
      limits.check ??
      ((flags['restart-command'] ?? flags['authentication-config']) === undefined ? undefined : RESTARTS_A_CHECK),
    interruption,
    begun: () => readFileSync(events, 'utf8').includes('"type":"check-started"'),
    reporter: {
      timeout: limits.all,
      maxFailures: limits.failures,
      events,
      strict: settings.strict,
      quiet: flags.quiet,
      terminal: process.stdout.isTTY === true,
    },
  };
}

async function runOn(running: Running): Promise<number> {
  const { flags, reached, runner, target, scratch, interruption, settings, output } = running;
  const events = startStream(output);
  const write = (event: RunEvent) => appendFileSync(events, `${JSON.stringify(event)}\n`);
  write(runHeader({ target, run: settings, command: 'run', table: RUN_FLAGS, flags, ...running.known }));
  const restart =
    reached.restart === undefined ? undefined : { command: reached.restart, mark: join(scratch, 'restarted') };
  const path = flags['authentication-config'];
  const rewritten =
    path === undefined ? undefined : { path: resolve(path), original: readNamedFile(path, 'configuration') };
  const { serve } = reached;
  const shared = reached.hosted && (await sharedBy(reached.hosted, running));
  const file: TargetFile = { target, run: settings, serve, hosted: shared?.hosted, restart, rewritten };
  // It holds credentials: for our eyes only, and gone with the scratch folder.
  writeFileSync(targetFileIn(scratch), JSON.stringify(file), { mode: 0o600 });
  const retries = flags.retries === undefined ? 0 : wholeNumber('retries', flags.retries, 0, 10);
  let runs: readonly string[];
  try {
    closeStream(events, await runner.go());
    runs = await tryAgain(retries, { ...running, events, file });
  } finally {
    await shared?.close();
  }
  // Whoever was interrupted could not do so.
  if (restart) await restoreTarget(target, restart);
  if (rewritten) restoreFile(rewritten);
  const gone = isGone(events);
  const leftovers = gone
    ? [`perhaps anything with the label ${RUN_LABEL}=${settings.id}, as the target cannot be asked`]
    : (await Promise.all([settings.id, ...runs].map((run) => sweep(target, run)))).flat();
  write({ type: 'clean-up-verified', time: new Date().toISOString(), leftovers });
  if (!flags['no-reference'] && !interruption.happened && !gone) {
    const plain = () => resultOf(parseEvents(readFileSync(events, 'utf8')));
    const tell = (text: string) => flags.quiet || console.log(text);
    for (const event of await askReference(plain, { target, settings, scratch, tell, interruption })) write(event);
  }
  if (flags.history) await drawRun(output);
  const result = await finish(events, flags, output);
  return interruption.happened ? EXIT.interrupted : verdictOfRun(result).exitCode;
}

/** One host for the servers of all workers, begun when the first of them needs one. */
async function sharedBy(hosted: Hosted, { scratch, settings }: Running) {
  const at = process.platform === 'win32' ? `\\\\.\\pipe\\touchstone-${settings.id}` : join(scratch, 'host');
  const { close } = await shareHost(new Host(hosted.command), at);
  return { hosted: { ...hosted, at }, close };
}

/**
 * Tries what failed again, so often at most. Each time is a run of its own for the target, as names of the one before
 * may still be on their way out. @returns the ids of these runs.
 */
async function tryAgain(
  times: number,
  again: Running & { readonly events: string; readonly file: TargetFile },
): Promise<string[]> {
  const { events, file, scratch, flags, interruption, settings } = again;
  const runs: string[] = [];
  for (let attempt = 2; attempt <= times + 1; attempt += 1) {
    const { checks, finished } = resultOf(parseEvents(readFileSync(events, 'utf8')));
    const only = checks.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id);
    if (only.length === 0 || interruption.happened || finished?.stopped) break;
    if (!flags.quiet) console.log(`trying ${counted(only.length, 'check')} again`);
    const id = `${settings.id}${attempt}`;
    runs.push(id);
    const targetFile = join(scratch, `target-${attempt}.json`);
    writeFileSync(targetFile, JSON.stringify({ ...file, run: { ...file.run, id } }), { mode: 0o600 });
    const selection = { only, profiles: [] };
    await runPlaywright({
      ...firstRun({ ...again, selection }),
      targetFile,
      scratch: join(scratch, `playwright-${attempt}`),
      begun: () => true,
      reporter: { events, attempt, strict: settings.strict, quiet: true, terminal: false },
    });
  }
  return runs;
}

/** Whether the run stopped because there was nobody any more to ask. */
function isGone(events: string): boolean {
  return endIn(events)?.stopped?.by === 'target-gone';
}

/** What a runner said at its end; undefined where it died before. */
function endIn(events: string): RunFinished | undefined {
  const line = lastLine(events);
  if (!line.startsWith('{"type":"run-finished"')) return undefined;
  try {
    return JSON.parse(line) as RunFinished;
  } catch {
    // It was cut off in the middle.
    return undefined;
  }
}

/** What somebody names in the file who knows the target. */
function namesIn(expectations: readonly Expectation[] = []): string[] {
  return expectations.map(({ id }) => id);
}
function readKnown(flags: RunFlags): readonly Expectation[] | undefined {
  const file = flags.expectations;
  if (file === undefined) return undefined;
  // Asked to write a file that is not there yet, we begin with an empty one.
  if (file === REAL_SERVICE) return serviceExpectations(flags.strict === true);
  if (flags['update-expectations'] && !existsSync(file)) return [];
  return readExpectations(file);
}

function startStream(output: string): string {
  const events = join(output, EVENTS_FILE);
  try {
    folderToWrite(output);
    keepEarlier(output);
    writeFileSync(events, '');
    // The history of an earlier run would be read as part of this one.
    for (const name of readdirSync(output)) if (isHistoryFile(name)) rmSync(join(output, name));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The reports cannot be written to ${output}: ${reasonOf(error)}.`);
  }
  return events;
}

/** How many earlier runs are kept beside the last one. */
const KEPT_RUNS = 10;

/** Puts the reports of the run before into a folder of their own, named by when it was. */
function keepEarlier(output: string): void {
  const events = join(output, EVENTS_FILE);
  const line = existsSync(events) ? firstLine(events) : '';
  const time = /"time":"([^"]+)"/.exec(line)?.[1];
  if (time === undefined) return;
  const earlier = join(output, 'earlier');
  const folder = join(earlier, time.replaceAll(':', '-'));
  mkdirSync(folder, { recursive: true });
  for (const name of REPORT_FILES) {
    if (existsSync(join(output, name))) renameSync(join(output, name), join(folder, name));
  }
  // Its cards lead to the page, which stays beside the last report.
  const report = join(folder, 'report.html');
  const leading = `href="${LEARN_FOLDER}/`;
  const text = existsSync(report) ? readFileSync(report, 'utf8') : '';
  if (text.includes(leading)) writeFileSync(report, text.replaceAll(leading, `href="../../${LEARN_FOLDER}/`));
  const runs = readdirSync(earlier).sort();
  for (const old of runs.slice(0, Math.max(0, runs.length - KEPT_RUNS))) {
    rmSync(join(earlier, old), { recursive: true, force: true });
  }
}

/** A runner that died could not say so: then its last words go into the stream in its stead. */
export function closeStream(events: string, end: { code: number | null; interrupted: boolean; errors: string }): void {
  if (endIn(events) !== undefined) return;
  const said = end.errors.trim().split('\n').slice(0, 20).join('\n');
  const problem = `the runner ended with code ${end.code ?? 'none'}${said ? `: ${said}` : ''}`;
  const time = new Date().toISOString();
  const problems = end.interrupted ? [] : [problem];
  const event: RunEvent = { type: 'run-finished', time, duration: 0, interrupted: end.interrupted, problems };
  appendFileSync(events, `${JSON.stringify(event)}\n`);
}

/** Reads the stream back, writes every report and prints the summary. */
async function finish(events: string, flags: RunFlags, output: string): Promise<RunResult> {
  let stream = parseEvents(readFileSync(events, 'utf8'));
  if (flags['update-expectations'] && flags.expectations !== undefined) {
    const [header, ...rest] = stream;
    if (header?.type !== 'run-started') throw new Error('the event stream does not begin with run-started');
    const entries = updatedExpectations(resultOf(stream).checks, header.expectations ?? []);
    writeExpectations(flags.expectations, entries);
    stream = [{ ...header, expectations: entries }, ...rest];
    writeFileSync(events, `${stream.map((event) => JSON.stringify(event)).join('\n')}\n`);
  }
  const result = resultOf(stream);
  writeReports(result, output);
  await writeStories(result, output);
  tellSummary(result, output);
  tellPipeline(result);
  return result;
}

/** What GitHub shows of a step: annotations, and the report as its summary. */
function tellPipeline(result: RunResult): void {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = process.env;
  if (GITHUB_ACTIONS === 'true') for (const line of annotations(result)) console.log(line);
  if (!GITHUB_STEP_SUMMARY) return;
  try {
    appendFileSync(GITHUB_STEP_SUMMARY, markdown(result));
  } catch (error) {
    console.error(`The summary of the step cannot be written: ${reasonOf(error)}.`);
  }
}

/** The page on which the checks that failed can be stepped through, where there are any. */
export async function writeStories(result: RunResult, output: string): Promise<void> {
  if (Object.keys(storiesOfRun(result)).length === 0) return;
  writeSite(await learnSite(), join(output, LEARN_FOLDER));
}

export function tellSummary(result: RunResult, output: string): void {
  const { columns = Number(process.env.COLUMNS) || 110, rows = 40 } = process.stdout;
  const shown = relative(process.cwd(), output) || '.';
  const reports = `${shown.startsWith('..') ? output : shown}/report.html`;
  console.log(terminalSummary(result, { width: Math.max(60, columns), height: Math.max(15, rows - 1), reports }));
}

function tellPlan(target: Target, checks: readonly ListedCheck[]): number {
  console.log(`would test ${target.base}, dialect ${target.dialect.name}, release ${target.release || 'unknown'}`);
  const toBeMade = lacksSecondIdentity(target) ? 'plain-identity' : undefined;
  for (const { name, present, because } of target.capabilities) {
    if (name === toBeMade) console.log(`  with    ${name}: the run makes a service account of its own`);
    else console.log(`  ${present ? 'with   ' : 'without'} ${name}: ${because}`);
  }
  const missing = new Set(target.capabilities.filter(({ present }) => !present).map(({ name }) => name));
  if (toBeMade !== undefined) missing.delete(toBeMade);
  const runnable = checks.filter(({ needs }) => !needs.some((need) => missing.has(need)));
  console.log(
    `${runnable.length} of ${checks.length} checks would run, ${checks.length - runnable.length} are unsupported`,
  );
  return EXIT.conformant;
}
