import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { compareReports, comparisonMarkdown, comparisonText } from '../../reports/compareReports.ts';
import { type ConformanceReport, conformanceReport, REPORT_API_VERSION } from '../../reports/conformanceReport.ts';
import { counted } from '../../reports/counted.ts';
import { parseEvents, type RunEvent } from '../../reports/events.ts';
import { CannotMerge, mergeRuns } from '../../reports/mergeRuns.ts';
import { EXIT } from '../../reports/outcome.ts';
import { EVENTS_FILE, writeReports } from '../../reports/render.ts';
import { resultOf } from '../../reports/results.ts';
import { targetMatrix } from '../../reports/targetMatrix.ts';
import { verdictOfRun } from '../../reports/verdictOfRun.ts';
import { isRecord } from '../../suites/harness/json.ts';
import { folderToWrite, readNamedFile, reasonOf } from '../files.ts';
import { choice, readFlags } from '../flags.ts';
import { UsageError } from '../usageError.ts';
import { COMPARE_FLAGS, MATRIX_FLAGS, MERGE_FLAGS } from './gateFlags.ts';
import { tellSummary } from './run.ts';

/** `touchstone merge DIR…`: the reports of one run out of those of its shards. @returns the exit code of all. */
export function merge(argv: readonly string[]): number {
  const { flags, words } = readFlags(argv, MERGE_FLAGS);
  if (words.length === 0) throw new UsageError('merge takes the folders of the shards: touchstone merge DIR….');
  const output = folderToWrite(flags.output ?? 'reports/out');
  let merged: RunEvent[];
  try {
    merged = mergeRuns(words.map(readStream));
  } catch (error) {
    if (error instanceof CannotMerge) throw new UsageError(error.message);
    throw error;
  }
  const result = resultOf(merged);
  written(output, () => {
    writeFileSync(join(output, EVENTS_FILE), `${merged.map((event) => JSON.stringify(event)).join('\n')}\n`);
    writeReports(result, output);
  });
  tellSummary(result, output);
  return verdictOfRun(result).exitCode;
}

/** `touchstone compare OLD NEW`. @returns 1 where it is to fail on a regression and there is one, else 0. */
export function compare(argv: readonly string[]): number {
  const { flags, words } = readFlags(argv, COMPARE_FLAGS);
  const [old, now, ...more] = words;
  if (old === undefined || now === undefined || more.length > 0) {
    throw new UsageError('compare takes two reports: touchstone compare OLD NEW.');
  }
  const format = choice('format', flags.format ?? 'text', ['text', 'markdown', 'json']);
  const failOn = flags['fail-on'] && choice('fail-on', flags['fail-on'], ['regression', 'change']);
  const comparison = compareReports(readReport(old), readReport(now));
  if (format === 'json') console.log(JSON.stringify(comparison, null, 2));
  else console.log(format === 'markdown' ? comparisonMarkdown(comparison) : comparisonText(comparison));
  const counted = failOn === 'change' ? comparison.changes.length : comparison.regressions;
  return failOn !== undefined && counted > 0 ? EXIT.notConformant : EXIT.conformant;
}

/** `touchstone matrix REPORT…`: one page of many targets. */
export function matrix(argv: readonly string[]): number {
  const { flags, words } = readFlags(argv, MATRIX_FLAGS);
  if (words.length === 0) throw new UsageError('matrix takes reports: touchstone matrix [NAME=]REPORT….');
  const named = words.map((word) => {
    const [, name, path] = /^([^=/]+)=(.+)$/.exec(word) ?? [];
    const file = path ?? word;
    return [name ?? nameOf(file), readReport(file)] as const;
  });
  const output = resolve(flags.output ?? 'matrix.html');
  written(output, () => writeFileSync(output, targetMatrix(named)));
  console.log(`${counted(named.length, 'target')}  ${output}`);
  return EXIT.conformant;
}

/** The name of a target where nobody gave one: that of the folder of its report. */
function nameOf(file: string): string {
  const folder = /\.(json|ndjson)$/.test(file) ? dirname(resolve(file)) : resolve(file);
  return basename(folder);
}

/** A report out of `report.json`, or out of the event stream of a folder that has none. */
function readReport(path: string): ConformanceReport {
  const file = existsSync(join(path, 'report.json')) ? join(path, 'report.json') : path;
  if (existsSync(join(file, EVENTS_FILE)) || file.endsWith('.ndjson'))
    return conformanceReport(resultOf(readStream(file)));
  let report: unknown;
  try {
    report = JSON.parse(readNamedFile(file, 'report'));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path} is no report: it is not JSON.`);
  }
  if (!isRecord(report) || report.apiVersion !== REPORT_API_VERSION) {
    throw new UsageError(`${path} is no report of ${REPORT_API_VERSION}.`);
  }
  return report as Partial<ConformanceReport> as ConformanceReport;
}

function readStream(path: string): RunEvent[] {
  const file = existsSync(join(path, EVENTS_FILE)) ? join(path, EVENTS_FILE) : path;
  if (!existsSync(file)) throw new UsageError(`There is no run in ${path}: it holds no ${EVENTS_FILE}.`);
  try {
    return parseEvents(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} is no event stream of a run: ${error instanceof Error ? error.message : error}.`);
  }
}

function written(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${reasonOf(error)}.`);
  }
}
