import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type HistoryEntry, isHistoryFile } from '../history/format.ts';
import { historyIn } from '../history/reader.ts';
import { type FewRequests, historyPage, pictureOf } from '../reports/historyPage.ts';
import { isKeptStorm, SHORTEST_STORM } from '../storm/keptStorm.ts';
import { JudgeOfChecks } from '../suites/guarantees/index.ts';
import { reasonOf } from './files.ts';
import { UsageError } from './usageError.ts';
import { type Verdict, verdictsOn } from './verdicts.ts';

/** Name of the page of a run's history, in its report folder. */
const RUN_PAGE = 'history.html';

/**
 * Draws a history as a page that needs no network. Of several checks in one history, it shows the first that breaks a
 * promise. `few` are the requests of it that are known to be enough.
 * @throws UsageError where the page cannot be written
 */
export function drawHistory(
  page: string,
  title: string,
  entries: readonly HistoryEntry[],
  verdicts: readonly Verdict[],
  few?: FewRequests,
): void {
  const broken = verdicts.flatMap(({ guarantee, violations }) => violations.map((each) => ({ guarantee, ...each })));
  const checks = entries.flatMap((entry) => (entry.type === 'history' ? [] : [entry.check ?? '']));
  const check = broken[0]?.check ?? checks[0] ?? '';
  const own = entries.filter((entry) => entry.type === 'history' || (entry.check ?? '') === check);
  const picture = pictureOf(
    own,
    broken.filter((each) => each.check === check),
    few,
  );
  try {
    writeFileSync(page, historyPage(check === '' ? title : check, picture));
  } catch (error) {
    throw new UsageError(`The page cannot be written to ${page}: ${reasonOf(error)}.`);
  }
}

/**
 * The requests of a storm that its shortest form kept, where that lies beside its history; `undefined` where there is
 * none, or where it is of another storm, as the requests tell.
 */
export function shortestBeside(file: string, entries: readonly HistoryEntry[]): FewRequests | undefined {
  const beside = join(dirname(file), SHORTEST_STORM);
  if (!existsSync(beside)) return undefined;
  let kept: unknown;
  try {
    kept = JSON.parse(readFileSync(beside, 'utf8'));
  } catch {
    return undefined;
  }
  if (!isKeptStorm(kept)) return undefined;
  const lines = new Set(entries.map(lineOf));
  const { operations } = kept.script;
  if (operations.length === 0 || !operations.every((operation) => lines.has(lineOf(operation)))) return undefined;
  const numbers = operations.map(({ number }) => number);
  const path = relative(process.cwd(), beside);
  const shown = path.startsWith('..') ? beside : path;
  const reason = `With these alone ${kept.guarantee} broke again: ${kept.about}. Again with: touchstone replay ${shown}`;
  return { operations: numbers, reason };
}
const lineOf = (entry: HistoryEntry): string =>
  entry.type === 'operation' ? `${entry.number} ${entry.method} ${entry.path}` : '';

/** Draws of the history that a run kept the check that its report points to: the first that breaks a promise. */
export async function drawRun(output: string): Promise<void> {
  const judge = new JudgeOfChecks();
  let first: string | undefined;
  for await (const entry of entriesIn(output)) {
    judge.take(entry);
    if (entry.type !== 'history') first ??= entry.check;
  }
  const verdicts = verdictsOn(judge.findings());
  const check = verdicts.flatMap(({ violations }) => violations)[0]?.check ?? first;
  const kept: HistoryEntry[] = [];
  for await (const entry of entriesIn(output)) if (entry.type !== 'history' && entry.check === check) kept.push(entry);
  drawHistory(join(output, RUN_PAGE), 'A run', kept, verdicts);
}

async function* entriesIn(folder: string): AsyncGenerator<HistoryEntry> {
  for (const name of readdirSync(folder).filter(isHistoryFile).sort()) {
    for await (const entries of historyIn(join(folder, name))) yield* entries;
  }
}
