import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { pathOf } from '../reports/checkId.ts';
import { counted } from '../reports/counted.ts';
import type { PlannedCheck, StatementFacts } from '../reports/events.ts';
import { EXIT } from '../reports/outcome.ts';
import { needsOf, profilesOf, statementsOf } from '../suites/harness/requirements.ts';
import { type CheckSelection, isChosen, isMeant } from '../suites/harness/running/selection.ts';
import { Interrupted, type Interruption } from './interruption.ts';
import { suggestion } from './nearest.ts';
import { runPlaywright } from './playwright.ts';
import { CHECKS_ROOT, PACKAGED } from './root.ts';
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

/** Names the file that keeps what checks there are, as long as no check changes; absent: the checks are asked. */
const LISTING = 'TOUCHSTONE_LISTING';

/** Every check there is. Throws when the suites do not load. */
export async function listChecks(
  selection: CheckSelection,
  scratch: string,
  interruption?: Interruption,
): Promise<Listing> {
  const all = ((await keptListing()) ?? (await askChecks(scratch, interruption))).map((check) => ({
    ...check,
    profiles: profilesOf(check.requirements),
    needs: needsOf(check.requirements),
    statements: statementsOf(check.requirements),
  }));
  return { all, chosen: all.filter((check) => isChosen(check, selection)) };
}

/**
 * How many checks a selection has, and the only files that they stand in, which are absent where it leaves none out.
 * @returns `undefined` where finding out costs as much as reading all files
 */
export function chosenOf(selection: CheckSelection): { count: number; files?: readonly string[] } | undefined {
  const listing = readListing();
  if (!listing) return undefined;
  const { only, profiles, ids } = selection;
  if (only.length === 0 && profiles.length === 0 && ids === undefined) return { count: listing.length };
  const chosen = listing.filter((check) => isChosen({ ...check, profiles: profilesOf(check.requirements) }, selection));
  return { count: chosen.length, files: [...new Set(chosen.map(({ file }) => file))] };
}

/** The files that the checks of a selection stand in; `undefined` where any may have some. */
export function filesOf(selection: CheckSelection): readonly string[] | undefined {
  return chosenOf(selection)?.files;
}

/** Writes what checks there are, for later: compressed where the name of the file ends in `.br`, as in a package. */
export async function writeListing(file: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'touchstone-list-'));
  try {
    const text = JSON.stringify(await askChecks(scratch));
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, file.endsWith('.br') ? brotliCompressSync(text) : text);
    renameSync(unfinished, file);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function keptListing(): Promise<readonly PlannedCheck[] | undefined> {
  const kept = readListing();
  const file = process.env[LISTING];
  if (kept || PACKAGED || file === undefined) return kept;
  await writeListing(file);
  return readListing();
}
function readListing(): readonly PlannedCheck[] | undefined {
  const file = PACKAGED ? join(CHECKS_ROOT, 'checks.json.br') : process.env[LISTING];
  if (file === undefined || !existsSync(file)) return undefined;
  const kept = readFileSync(file);
  return JSON.parse(String(file.endsWith('.br') ? brotliDecompressSync(kept) : kept)) as readonly PlannedCheck[];
}

/** Asks the runner for every check, running none. */
async function askChecks(scratch: string, interruption?: Interruption): Promise<readonly PlannedCheck[]> {
  const events = join(scratch, 'list.ndjson');
  writeFileSync(events, '');
  const end = await runPlaywright({
    selection: { only: [], profiles: [] },
    scratch: join(scratch, 'playwright'),
    list: true,
    interruption,
    begun: () => false,
    reporter: { events, strict: false, quiet: true, terminal: false },
  });
  const line = readFileSync(events, 'utf8')
    .split('\n')
    .find((text) => text.includes('"type":"checks-planned"'));
  if (end.interrupted) throw new Interrupted('the checks were not listed');
  if (line === undefined || end.code !== 0) throw new Error(`the suites do not load: ${end.errors.trim()}`);
  return (JSON.parse(line) as { checks: readonly PlannedCheck[] }).checks;
}

/** Throws UsageError for the first word of a choice that no check answers to. */
export function refuseUnknown({ only }: CheckSelection, { all }: Listing): void {
  for (const wanted of only) {
    if (all.some((check) => isMeant(check, wanted))) continue;
    const words = all.flatMap(({ id, file, requirements }) => [id, pathOf(file), ...requirements]);
    throw new UsageError(`No check goes by ${wanted}.${suggestion(wanted, [...new Set(words)])}`);
  }
}

/** Prints checks, by file. */
export function tellChecks(checks: readonly ListedCheck[]): number {
  let file = '';
  for (const check of [...checks].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)) {
    if (check.file !== file) console.log(check.file);
    file = check.file;
    console.log(`  ${check.id}  ${check.title}  [${check.requirements.join(' ')}]`);
    for (const { key, line } of check.statements) console.log(`      ${key}  ${line}`);
  }
  console.log(counted(checks.length, 'check'));
  return EXIT.conformant;
}
