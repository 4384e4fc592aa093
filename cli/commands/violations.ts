import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isClauseName, requirementIds } from '../../fixtures/ledger/index.ts';
import { VIOLATION_ERRORS } from '../../mutants/violating.ts';
import { loadViolations, type NamedViolation } from '../../proxy/violationsFile.ts';
import type { CheckResult } from '../../reports/checkResult.ts';
import { parseEvents } from '../../reports/events.ts';
import { EXIT } from '../../reports/outcome.ts';
import { resultOf } from '../../reports/results.ts';
import {
  type KeptViolations,
  rowOf,
  tellViolations,
  type ViolationRow,
  writeViolations,
} from '../../reports/violationTable.ts';
import { ledgerDigest } from '../../suites/harness/requirements.ts';
import type { MutantOnTrial } from '../../suites/harness/running/mutants.ts';
import type { RunSettings, TargetFile } from '../../suites/harness/target/target.ts';
import { folderToWrite } from '../files.ts';
import { choice, type Flags, readFlags, wholeNumber } from '../flags.ts';
import { runHeader } from '../header.ts';
import { filesOf } from '../listChecks.ts';
import { suggestion } from '../nearest.ts';
import { runPlaywright } from '../playwright.ts';
import { embedded } from '../reach.ts';
import { suiteVersion } from '../root.ts';
import { selectionOf } from '../selectionOf.ts';
import { mutantsSideBySide } from '../sideBySide.ts';
import { UsageError } from '../usageError.ts';
import { lookAtSound, shardOf } from './mutants.ts';
import { chooseViolations } from './proxy.ts';
import { closeStream } from './run.ts';
import { VIOLATIONS_FLAGS } from './violationsFlags.ts';

type ViolationsFlags = Flags<typeof VIOLATIONS_FLAGS>;

const DEPTHS = ['requirement', 'area', 'all'] as const;
type Depth = (typeof DEPTHS)[number];
/** Violations that all checks are put to at a time: a worker keeps the servers of that many. */
const TOGETHER = 8;

/**
 * `touchstone violations`.
 * @returns 0 when each is caught by what its author expects, 1 when one is not, 70 when one throws or checks break.
 */
export async function violations(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, VIOLATIONS_FLAGS);
  const [file, ...more] = words;
  if (file === undefined || more.length > 0) {
    throw new UsageError(
      'violations takes one file: touchstone violations FILE; docs/violations.md tells what is in it.',
    );
  }
  const all = await loadViolations(file);
  for (const violation of all) refuseUnknown(violation);
  const chosen = shardOf(chooseViolations(all, flags.violation, all), flags.shard);
  const trial = trialOf(file, flags);
  const known = flags.resume ? keptIn(trial.output, trial.digest) : [];
  const rows = new Map(known.map((row) => [row.violation, row]));
  const open = chosen.filter(({ name }) => !rows.has(name));
  if (open.length > 0) {
    for await (const row of judge(open, trial)) {
      rows.set(row.violation, row);
      writeViolations({ digest: trial.digest, rows: inOrder(all, rows) }, trial.output);
    }
  }
  const told = inOrder(chosen, rows);
  console.log(tellViolations(told));
  if (told.some(({ verdict }) => verdict === 'broken')) return EXIT.ourBug;
  return told.length === chosen.length && told.every(({ verdict }) => verdict === 'caught')
    ? EXIT.conformant
    : EXIT.notConformant;
}

function inOrder(violations: readonly NamedViolation[], rows: ReadonlyMap<string, ViolationRow>): ViolationRow[] {
  return violations.flatMap(({ name }) => rows.get(name) ?? []);
}

/** An id that there is not would let a violation look as if it had slipped. @throws UsageError */
function refuseUnknown({ name, expected }: NamedViolation): void {
  const ids: readonly string[] = requirementIds;
  for (const wanted of expected) {
    if (isClauseName(wanted) || ids.some((id) => id === wanted || id.startsWith(`${wanted}-`))) continue;
    throw new UsageError(
      `${name} expects ${wanted}, which is no requirement, clause or area.${suggestion(wanted, ids)}`,
    );
  }
}

/** How violations are judged. */
interface Trial {
  readonly file: string;
  readonly flags: ViolationsFlags;
  readonly depth: Depth;
  readonly enough: number;
  readonly workers: number | undefined;
  readonly output: string;
  /** Of all that a verdict depends on. */
  readonly digest: string;
}

function trialOf(file: string, flags: ViolationsFlags): Trial {
  const depth = choice('depth', flags.depth ?? 'all', DEPTHS);
  const enough = wholeNumber('enough', flags.enough ?? '3', 1, 10_000);
  const { only, dialect = '' } = flags;
  selectionOf(only, []);
  const counted = [readFileSync(file, 'utf8'), suiteVersion(), ledgerDigest(), depth, enough, only.join(), dialect];
  return {
    file: resolve(file),
    flags,
    depth,
    enough,
    workers: flags.jobs === undefined ? undefined : wholeNumber('jobs', flags.jobs, 1, 64),
    output: folderToWrite(flags.output ?? 'reports/out/violations'),
    digest: createHash('sha256').update(JSON.stringify(counted)).digest('hex').slice(0, 16),
  };
}

/** Verdicts of an earlier run of the same; one that threw, or that no check could judge, is tried again. */
function keptIn(output: string, digest: string): readonly ViolationRow[] {
  const path = join(output, 'violations.json');
  if (!existsSync(path)) return [];
  const kept = JSON.parse(readFileSync(path, 'utf8')) as KeptViolations;
  return kept.digest === digest
    ? kept.rows.filter(({ verdict }) => verdict !== 'broken' && verdict !== 'inconclusive')
    : [];
}

/** One round: which checks violations that are still at large are put to. */
interface Round {
  readonly told: string;
  readonly together: number;
  readonly checks: (violation: NamedViolation) => readonly string[];
  /** Whether only what is expected counts: a check of it may fail by something else that it judges too. */
  readonly countsExpected: boolean;
  /** What the rounds before have looked at. */
  readonly except: (violation: NamedViolation) => readonly string[];
}
const ROUNDS: Readonly<Record<Depth, Round>> = {
  requirement: {
    told: 'what is expected to notice',
    together: Number.POSITIVE_INFINITY,
    checks: ({ expected }) => expected,
    countsExpected: true,
    except: () => [],
  },
  area: {
    told: 'its area',
    together: TOGETHER,
    checks: areasOf,
    countsExpected: false,
    except: ({ expected }) => expected,
  },
  all: { told: 'everything', together: TOGETHER, checks: () => [], countsExpected: false, except: areasOf },
};
/** The first words of ids: `DRYRUN` of `DRYRUN-VALUE-03`. */
function areasOf({ expected }: NamedViolation): string[] {
  return [...new Set(expected.map((each) => each.split('-')[0] ?? ''))];
}

/** The verdicts as they become known. Ends early, and leaves some out, where it is interrupted. */
async function* judge(violations: readonly NamedViolation[], trial: Trial): AsyncGenerator<ViolationRow> {
  const scratch = mkdtempSync(join(tmpdir(), 'touchstone-violations-'));
  const { depth, flags } = trial;
  try {
    const reference = embedded(flags.dialect ?? 'kubernetes');
    const target = await lookAtSound(reference.serve);
    const results = new Map<string, CheckResult[]>();
    const threw = new Map<string, string[]>();
    let large = violations;
    for (const name of DEPTHS.slice(0, DEPTHS.indexOf(depth) + 1)) {
      const round = ROUNDS[name];
      const last = name === depth;
      // Where nothing is expected there is nothing to look at before everything.
      const put = name === 'all' ? large : large.filter(({ expected }) => expected.length > 0);
      const left = large.filter((each) => !put.includes(each));
      const next = [...left];
      for (let at = 0; at < put.length; at += round.together) {
        const batch = put.slice(at, at + round.together);
        if (!flags.quiet) console.log(`${round.told}: ${batch.length} of ${large.length} violations`);
        const run = await putTo(batch, round, { ...trial, target, reference, scratch: join(scratch, `${name}-${at}`) });
        // Checks that do not load let every violation look as if it had slipped.
        if (run.checks.length === 0 && run.problems.length > 0 && !run.interrupted)
          throw new Error(
            `no check was put to ${batch.map(({ name: each }) => each).join(', ')}: ${run.problems.join('; ')}`,
          );
        for (const violation of batch) {
          results.set(violation.name, [
            ...(results.get(violation.name) ?? []),
            ...run.checks.filter(({ variant }) => variant === violation.name),
          ]);
          threw.set(violation.name, [...(threw.get(violation.name) ?? []), ...(run.threw.get(violation.name) ?? [])]);
          const row = rowOf(
            { violation: violation.name, statement: violation.statement, expected: violation.expected },
            results.get(violation.name) ?? [],
            threw.get(violation.name) ?? [],
          );
          const atLarge = row.verdict === 'slipped' || row.verdict === 'inconclusive';
          if (!atLarge || (last && !run.interrupted)) yield row;
          else next.push(violation);
        }
        for (const problem of run.problems) console.error(problem);
        if (run.interrupted) return;
      }
      large = violations.filter((each) => next.includes(each));
    }
    // Those that expect nothing, where only the expected was to be looked at.
    for (const { name, statement, expected } of large.filter((each) => each.expected.length === 0)) {
      if (depth !== 'all') yield rowOf({ violation: name, statement, expected }, [], []);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface Putting extends Trial {
  readonly target: TargetFile['target'];
  readonly reference: ReturnType<typeof embedded>;
  readonly scratch: string;
}
interface Put {
  readonly checks: readonly CheckResult[];
  readonly threw: ReadonlyMap<string, string[]>;
  readonly problems: readonly string[];
  readonly interrupted: boolean;
}

/** The only files with checks of a round; absent: any may have some. */
function filesPutTo(batch: readonly NamedViolation[], round: Round): readonly string[] | undefined {
  const only = batch.map(round.checks);
  return only.some((checks) => checks.length === 0) ? undefined : filesOf({ only: only.flat(), profiles: [] });
}

async function putTo(batch: readonly NamedViolation[], round: Round, putting: Putting): Promise<Put> {
  const { scratch, target, reference, flags, enough, workers } = putting;
  mkdirSync(scratch, { recursive: true });
  const run: RunSettings = { id: randomBytes(4).toString('hex'), seed: 'violations', strict: true, verdictsOnly: true };
  const events = join(scratch, 'events.ndjson');
  const header = runHeader({ target, run, command: 'violations', table: VIOLATIONS_FLAGS, flags });
  writeFileSync(events, `${JSON.stringify(header)}\n`);
  const own = `--violations=${putting.file}`;
  const targetFile = join(scratch, 'target.json');
  const file: TargetFile = {
    target,
    run,
    serve: [...reference.serve, own],
    hosted: { ...reference.hosted, flags: [...reference.hosted.flags, own] },
  };
  writeFileSync(targetFile, JSON.stringify(file), { mode: 0o600 });
  const mutantsFile = join(scratch, 'mutants.ndjson');
  const mutants = batch.map(
    (each): MutantOnTrial => ({
      id: each.name,
      breaks: each.expected,
      sentence: each.statement,
      checks: round.checks(each),
      except: round.except(each),
      ...(round.countsExpected
        ? { enough: Math.min(enough, each.expected.length), counted: each.expected }
        : { enough }),
    }),
  );
  writeFileSync(mutantsFile, mutants.map((each) => JSON.stringify(each)).join('\n'));
  const errors = join(scratch, 'thrown.ndjson');
  process.env[VIOLATION_ERRORS] = errors;
  const terminal = process.stdout.isTTY === true;
  const end = await runPlaywright({
    targetFile,
    mutantsFile,
    selection: selectionOf(flags.only, []),
    files: filesPutTo(batch, round),
    scratch: join(scratch, 'playwright'),
    ...mutantsSideBySide(workers),
    reporter: { events, strict: true, quiet: flags.quiet, silent: !terminal, terminal },
  });
  closeStream(events, end);
  const { checks, finished } = resultOf(parseEvents(readFileSync(events, 'utf8')));
  const threw = new Map<string, string[]>();
  for (const line of existsSync(errors) ? readFileSync(errors, 'utf8').trim().split('\n') : []) {
    const { violation, asked, said } = JSON.parse(line) as { violation: string; asked: string; said: string };
    threw.set(violation, [...(threw.get(violation) ?? []), `${said.split('\n')[0]} (at ${asked})`]);
  }
  return { checks, threw, problems: finished?.problems ?? [], interrupted: end.interrupted };
}
