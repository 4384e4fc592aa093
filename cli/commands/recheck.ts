import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isHistoryFile } from '../../history/format.ts';
import { historyIn, NotHistory } from '../../history/reader.ts';
import { JudgeOfChecks } from '../../suites/guarantees/index.ts';
import { reasonOf } from '../files.ts';
import { type FlagTable, readFlags } from '../flags.ts';
import { UsageError } from '../usageError.ts';
import { exitCodeOf, type Judged, tellVerdict, verdictsOn } from '../verdicts.ts';

export const RECHECK_FLAGS = {
  json: { help: 'one JSON document a line for each guarantee instead of words' },
} as const satisfies FlagTable;

/**
 * `touchstone recheck DIR`: puts the history that a run with `--history` kept to the checkers of today.
 * @returns 0 when nothing is broken, 1 when something is, 2 when nothing could be looked at. Throws UsageError.
 */
export async function recheck(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, RECHECK_FLAGS);
  const [folder, ...more] = words;
  if (folder === undefined || more.length > 0)
    throw new UsageError('recheck takes one folder: touchstone recheck DIR.');
  const files = historyFiles(folder);
  if (files.length === 0) {
    throw new UsageError(`There is no history in ${folder}; run with --history --output ${folder} to keep one.`);
  }
  const judged: Judged[] = [];
  for (const file of files) judged.push(...(await judgeFile(file)));
  const verdicts = verdictsOn(judged);
  for (const verdict of verdicts) console.log(flags.json ? JSON.stringify(verdict) : tellVerdict(verdict));
  return exitCodeOf(verdicts);
}

async function judgeFile(file: string): Promise<readonly Judged[]> {
  const judge = new JudgeOfChecks();
  try {
    for await (const entries of historyIn(file)) for (const entry of entries) judge.take(entry);
  } catch (error) {
    if (error instanceof NotHistory) throw new UsageError(`${file} is no history of a run: ${error.message}.`);
    throw new UsageError(`${file} cannot be read: ${reasonOf(error)}.`);
  }
  return judge.findings();
}
function historyFiles(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter(isHistoryFile);
    return names.sort().map((name) => join(folder, name));
  } catch (error) {
    throw new UsageError(`${folder} cannot be read: ${reasonOf(error)}.`);
  }
}
