import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HistoryEntry, isHistoryFile } from '../history/format.ts';
import { historyIn } from '../history/reader.ts';
import { historyPage, pictureOf } from '../reports/historyPage.ts';
import { JudgeOfChecks } from '../suites/guarantees/index.ts';
import { reasonOf } from './files.ts';
import { UsageError } from './usageError.ts';
import { type Verdict, verdictsOn } from './verdicts.ts';

/** Name of the page of a run's history, in its report folder. */
const RUN_PAGE = 'history.html';

/**
 * Draws a history as a page that needs no network. Of several checks in one history, it shows the first that breaks a
 * promise.
 * @throws UsageError where the page cannot be written
 */
export function drawHistory(
  page: string,
  title: string,
  entries: readonly HistoryEntry[],
  verdicts: readonly Verdict[],
): void {
  const broken = verdicts.flatMap(({ guarantee, violations }) => violations.map((each) => ({ guarantee, ...each })));
  const checks = entries.flatMap((entry) => (entry.type === 'history' ? [] : [entry.check ?? '']));
  const check = broken[0]?.check ?? checks[0] ?? '';
  const own = entries.filter((entry) => entry.type === 'history' || (entry.check ?? '') === check);
  const picture = pictureOf(
    own,
    broken.filter((each) => each.check === check),
  );
  try {
    writeFileSync(page, historyPage(check === '' ? title : check, picture));
  } catch (error) {
    throw new UsageError(`The page cannot be written to ${page}: ${reasonOf(error)}.`);
  }
}

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
