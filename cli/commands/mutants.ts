import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { counted } from '../../reports/counted.ts';
import { parseEvents, type RunEvent } from '../../reports/events.ts';
import { type Mutant, type MutantMatrix, matrixOf, tellMatrix, writeMatrix } from '../../reports/mutantMatrix.ts';
import { EXIT } from '../../reports/outcome.ts';
import { EVENTS_FILE } from '../../reports/render.ts';
import { resultOf } from '../../reports/results.ts';
import { type MutantOnTrial, parseMutants } from '../../suites/harness/running/mutants.ts';
import { launch } from '../../suites/harness/starting/launch.ts';
import { detect } from '../../suites/harness/target/detect.ts';
import type { RunSettings, TargetFile } from '../../suites/harness/target/target.ts';
import { folderToWrite } from '../files.ts';
import { type FlagTable, readFlags, wholeNumber } from '../flags.ts';
import { runHeader } from '../header.ts';
import { filesOf } from '../listChecks.ts';
import { suggestion } from '../nearest.ts';
import { runPlaywright } from '../playwright.ts';
import { embedded } from '../reach.ts';
import { readShard } from '../shard.ts';
import { mutantsSideBySide } from '../sideBySide.ts';
import { UsageError } from '../usageError.ts';
import { closeStream } from './run.ts';

export const MUTANTS_FLAGS = {
  mutant: { value: 'NAME', help: 'only this one, put to all checks of what it breaks', many: true },
  breaks: { value: 'ID', help: 'only those that break this requirement, area or clause', many: true },
  list: { help: 'name the mutants by what they break, run none' },
  dialect: { value: 'NAME', help: 'kubernetes or cluster' },
  shard: { value: 'I/N', help: 'only the I-th of N parts, every N-th mutant' },
  workers: { value: 'N', help: 'checks at a time; six for each processor unless told' },
  output: { value: 'DIR', help: 'where the matrix goes; reports/out/mutants unless told' },
  blind: {
    help: 'with generated requests alone, in place of the checks; the figure is how many are told from the reference',
  },
  seed: { value: 'TEXT', help: 'with --blind: the choices of the generator' },
  quiet: { help: 'no progress, only the matrix' },
} as const satisfies FlagTable;

/** `touchstone mutants`. @returns 0 when every mutant is killed, 1 when one survives, 70 when checks break. */
export async function mutants(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, MUTANTS_FLAGS);
  if (words.length > 0) throw new UsageError(`mutants takes no words; give a name with --mutant ${words[0]}.`);
  const workers = flags.workers === undefined ? undefined : wholeNumber('workers', flags.workers, 1, 64);
  const output = folderToWrite(flags.output ?? 'reports/out/mutants');
  if (flags.blind) {
    const { scoreBlindly } = await import('./blindMutants.ts');
    const { mutant: names, shard, seed = 'blind', quiet } = flags;
    await scoreBlindly({ names, shard, seed, output, quiet });
    return EXIT.conformant;
  }
  const { serve, hosted } = embedded(flags.dialect ?? 'kubernetes');
  const named = chooseMutants(listMutants(serve), flags.mutant);
  const chosen = shardOf(breaking(named, flags.breaks), flags.shard);
  if (flags.list) return tellMutants(chosen);
  // Who asks for one wants to see each check of it fail; of all of them it is enough that each is caught.
  const isNamed = flags.mutant.length > 0;
  const scratch = mkdtempSync(join(tmpdir(), 'touchstone-mutants-'));
  try {
    const settings: RunSettings = {
      id: randomBytes(4).toString('hex'),
      seed: 'mutants',
      strict: true,
      verdictsOnly: !isNamed,
    };
    const target = await lookAtSound(serve);
    const events = join(output, EVENTS_FILE);
    const header = runHeader({ target, run: settings, command: 'mutants', table: MUTANTS_FLAGS, flags });
    writeFileSync(events, `${JSON.stringify(header)}\n`);
    const targetFile = join(scratch, 'target.json');
    const file: TargetFile = { target, run: settings, serve, hosted };
    writeFileSync(targetFile, JSON.stringify(file), { mode: 0o600 });
    const mutantsFile = join(scratch, 'mutants.ndjson');
    writeFileSync(
      mutantsFile,
      chosen.map((mutant) => JSON.stringify({ ...mutant, once: !isNamed } satisfies MutantOnTrial)).join('\n'),
    );
    const end = await runPlaywright({
      targetFile,
      mutantsFile,
      selection: { only: [], profiles: [] },
      files: filesOf({ only: [...new Set(chosen.flatMap(({ breaks }) => breaks))], profiles: [] }),
      scratch: join(scratch, 'playwright'),
      ...mutantsSideBySide(workers),
      reporter: { events, strict: true, quiet: flags.quiet, terminal: process.stdout.isTTY === true },
    });
    closeStream(events, end);
    return conclude(events, chosen, output);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Dialect and capabilities of the reference as it should be. */
export async function lookAtSound(serve: readonly string[]): Promise<TargetFile['target']> {
  const sound = await launch(serve);
  try {
    return await detect({ ...sound.ready, mode: 'embedded' });
  } finally {
    await sound.stop();
  }
}

function listMutants(serve: readonly string[]): Mutant[] {
  const [program = '', ...args] = serve;
  const listed = spawnSync(program, [...args, '--list-mutants'], { encoding: 'utf8' });
  if (listed.status !== 0) throw new Error(`serve --list-mutants ended with ${listed.status}: ${listed.stderr.trim()}`);
  return parseMutants(listed.stdout);
}

/** Every N-th of them, from the I-th on. Throws UsageError where that is no part. */
export function shardOf<Each>(all: readonly Each[], text: string | undefined): readonly Each[] {
  if (text === undefined) return all;
  const { part, of } = readShard(text);
  return all.filter((_, index) => index % of === part - 1);
}

/** Those that break one of these requirements, areas or clauses. Throws UsageError for what none breaks. */
function breaking(all: readonly Mutant[], ids: readonly string[]): readonly Mutant[] {
  const isMeant = (broken: string, id: string) =>
    broken === id || broken.startsWith(`${id}/`) || broken.startsWith(`${id}-`);
  for (const id of ids) {
    if (all.some(({ breaks }) => breaks.some((broken) => isMeant(broken, id)))) continue;
    const known = [...new Set(all.flatMap(({ breaks }) => breaks.map((broken) => broken.split('/')[0] ?? broken)))];
    throw new UsageError(`No mutant breaks ${id}.${suggestion(id, known)}`);
  }
  if (ids.length === 0) return all;
  return all.filter(({ breaks }) => breaks.some((broken) => ids.some((id) => isMeant(broken, id))));
}

/** Prints mutants below the requirements that they break. */
function tellMutants(all: readonly Mutant[]): number {
  const by = new Map<string, Mutant[]>();
  for (const mutant of all) {
    for (const id of new Set(mutant.breaks.map((broken) => broken.split('/')[0] ?? broken))) {
      by.set(id, [...(by.get(id) ?? []), mutant]);
    }
  }
  for (const [id, own] of [...by].sort(([a], [b]) => a.localeCompare(b))) {
    console.log(id);
    for (const { id: name, sentence } of own) console.log(`  ${name}: ${sentence}`);
  }
  console.log(counted(all.length, 'mutant'));
  return EXIT.conformant;
}

function chooseMutants(all: readonly Mutant[], names: readonly string[]): Mutant[] {
  for (const name of names) {
    if (all.some(({ id }) => id === name)) continue;
    throw new UsageError(
      `There is no mutant ${name}.${suggestion(
        name,
        all.map(({ id }) => id),
      )}`,
    );
  }
  return all.filter(({ id }) => names.length === 0 || names.includes(id));
}

function conclude(events: string, chosen: readonly Mutant[], output: string): number {
  const stream: RunEvent[] = parseEvents(readFileSync(events, 'utf8'));
  const result = resultOf(stream);
  const matrix: MutantMatrix = matrixOf(chosen, result);
  writeMatrix(matrix, output);
  console.log(tellMatrix(matrix));
  for (const problem of matrix.problems) console.error(problem);
  if (matrix.rows.some(({ verdict }) => verdict === 'survived')) return EXIT.notConformant;
  return matrix.problems.length > 0 ? EXIT.ourBug : EXIT.conformant;
}
