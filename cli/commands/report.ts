import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseEvents, type RunEvent } from '../../reports/events.ts';
import { EVENTS_FILE, writeReports } from '../../reports/render.ts';
import { resultOf } from '../../reports/results.ts';
import { verdictOfRun } from '../../reports/verdictOfRun.ts';
import { folderToWrite, readNamedFile, reasonOf } from '../files.ts';
import { type FlagTable, readFlags } from '../flags.ts';
import { UsageError } from '../usageError.ts';
import { tellSummary, writeStories } from './run.ts';

export const REPORT_FLAGS = {
  output: { value: 'DIR', help: 'where the reports go; beside the event stream unless told' },
} as const satisfies FlagTable;

/** `touchstone report DIR`: every report once more from the event stream of a run. @returns the run's exit code. */
export async function report(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, REPORT_FLAGS);
  const [folder, ...more] = words;
  if (folder === undefined || more.length > 0) throw new UsageError('report takes one folder: touchstone report DIR.');
  const file = existsSync(join(folder, EVENTS_FILE)) ? join(folder, EVENTS_FILE) : folder;
  const result = resultOf(readStream(file));
  const output = folderToWrite(flags.output ?? (file === folder ? '.' : folder));
  try {
    writeReports(result, output);
    await writeStories(result, output);
  } catch (error) {
    throw new UsageError(`The reports cannot be written to ${output}: ${reasonOf(error)}.`);
  }
  tellSummary(result, output);
  return verdictOfRun(result).exitCode;
}

function readStream(file: string): RunEvent[] {
  if (!existsSync(file)) throw new UsageError(`There is no run in ${file}: it holds no ${EVENTS_FILE}.`);
  const text = readNamedFile(file, 'event stream');
  try {
    return parseEvents(text);
  } catch (error) {
    throw new UsageError(`${file} is no event stream of a run: ${error instanceof Error ? error.message : error}.`);
  }
}
