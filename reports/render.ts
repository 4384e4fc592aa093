import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { badgeJson, badgeSvg } from './badge.ts';
import { conformanceReport, conformanceYaml } from './conformanceReport.ts';
import { html } from './html.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import type { RunResult } from './results.ts';

/** Name of the event stream in a report folder. */
export const EVENTS_FILE = 'events.ndjson';

/** File name → how its text is made from a result. */
const FORMATS: Readonly<Record<string, (result: RunResult) => string>> = {
  'report.json': (result) => `${JSON.stringify(conformanceReport(result), null, 2)}\n`,
  'report.yaml': (result) => conformanceYaml(conformanceReport(result)),
  'junit.xml': junit,
  'report.html': html,
  'report.md': markdown,
  'badge.json': badgeJson,
  'badge.svg': badgeSvg,
};

/** Names of all that a run writes, but for histories. */
export const REPORT_FILES: readonly string[] = [EVENTS_FILE, ...Object.keys(FORMATS)];

/** Writes every format into a folder, which is made when absent. Throws what the file system throws. */
export function writeReports(result: RunResult, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [file, format] of Object.entries(FORMATS)) writeFileSync(join(folder, file), format(result));
}
