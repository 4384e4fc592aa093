import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlannedCheck, StatementFacts } from '../reports/events.ts';
import { EXIT } from '../reports/outcome.ts';
import { needsOf, profilesOf, statementsOf } from '../suites/harness/requirements.ts';
import { type CheckSelection, isChosen, isMeant } from '../suites/harness/selection.ts';
import { suggestion } from './nearest.ts';
import { runPlaywright } from './playwright.ts';
import { ROOT } from './root.ts';
import { UsageError } from './usageError.ts';

export interface ListedCheck extends PlannedCheck {
  readonly profiles: readonly string[];
  readonly needs: readonly string[];
  /** What its requirements come from. */
  readonly statements: readonly StatementFacts[];
}
export interface Listing {
  readonly all: readonly ListedCheck[];
  readonly chosen: readonly ListedCheck[];
}

/** Asks the runner for every check there is, running none. Throws when the suites do not load. */
export async function listChecks(selection: CheckSelection, scratch: string): Promise<Listing> {
  const events = join(scratch, 'list.ndjson');
  writeFileSync(events, '');
  const end = await runPlaywright({
    selection: { only: [], profiles: [] },
    scratch: join(scratch, 'playwright'),
    list: true,
    reporter: { events, root: ROOT, strict: false, quiet: true, terminal: false },
  });
  const line = readFileSync(events, 'utf8')
    .split('\n')
    .find((text) => text.includes('"type":"checks-planned"'));
  if (line === undefined || end.code !== 0) throw new Error(`the suites do not load: ${end.errors.trim()}`);
  const { checks } = JSON.parse(line) as { checks: readonly PlannedCheck[] };
  const all = checks.map((check) => ({
    ...check,
    profiles: profilesOf(check.requirements),
    needs: needsOf(check.requirements),
    statements: statementsOf(check.requirements),
  }));
  return { all, chosen: all.filter((check) => isChosen(check, selection)) };
}

/** Throws UsageError for the first word of a choice that no check answers to. */
export function refuseUnknown({ only }: CheckSelection, { all }: Listing): void {
  for (const wanted of only) {
    if (all.some((check) => isMeant(check, wanted))) continue;
    const words = all.flatMap(({ id, requirements }) => [id, id.slice(0, id.indexOf(':')), ...requirements]);
    throw new UsageError(`No check goes by ${wanted}.${suggestion(wanted, [...new Set(words)])}`);
  }
}

/** Prints checks, by file. */
export function tellChecks(checks: readonly ListedCheck[]): number {
  let file = '';
  for (const check of [...checks].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)) {
    if (check.file !== file) console.log(check.file);
    file = check.file;
    console.log(`  ${check.title}  [${check.requirements.join(' ')}]`);
    for (const { key, line } of check.statements) console.log(`      ${key}  ${line}`);
  }
  console.log(`${checks.length} checks`);
  return EXIT.conformant;
}
