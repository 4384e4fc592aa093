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

/** Name of the file that tells how long each check took. */
export const DURATIONS_FILE = 'durations.json';

/** File name → how its text is made from a result. */
const FORMATS: Readonly<Record<string, (result: RunResult) => string>> = {
  'report.json': (result) => `${JSON.stringify(conformanceReport(result), null, 2)}\n`,
  'report.yaml': (result) => conformanceYaml(conformanceReport(result)),
  'junit.xml': junit,
  'report.html': html,
  'report.md': markdown,
  'badge.json': badgeJson,
  'badge.svg': badgeSvg,
  [DURATIONS_FILE]: durations,
};

/** Milliseconds by the id of the check, for those that ran: what shards of a later run are balanced by. */
function durations({ checks }: RunResult): string {
  const took = checks.flatMap(({ id, variant, attempts, duration }) =>
    variant === '' && attempts > 0 ? [[id, Math.round(duration)] as const] : [],
  );
  return `${JSON.stringify(Object.fromEntries(took.sort(([a], [b]) => (a < b ? -1 : 1))), null, 1)}\n`;
}

/** Names of all that a run writes, but for histories. */
export const REPORT_FILES: readonly string[] = [EVENTS_FILE, ...Object.keys(FORMATS)];

/** Writes every format into a folder, which is made when absent. Throws what the file system throws. */
export function writeReports(result: RunResult, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [file, format] of Object.entries(FORMATS)) writeFileSync(join(folder, file), format(result));
}
