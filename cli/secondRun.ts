import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckResult } from '../reports/checkResult.ts';
import {
  type DecisionTold,
  type ExchangeRecorded,
  type FieldTold,
  parseEvents,
  type ReferenceCompared,
} from '../reports/events.ts';
import { type RunResult, resultOf } from '../reports/results.ts';
import { secondOpinion } from '../reports/secondOpinion.ts';
import { Connections } from '../suites/harness/client/connections.ts';
import { isRecord } from '../suites/harness/json.ts';
import { detect } from '../suites/harness/target/detect.ts';
import { Prober } from '../suites/harness/target/probe.ts';
import type { RunSettings, Target } from '../suites/harness/target/target.ts';
import type { Interruption } from './interruption.ts';
import { filesOf } from './listChecks.ts';
import { runPlaywright } from './playwright.ts';
import { type Reached, reachTarget } from './reach.ts';
import { TARGET_FLAGS } from './targetFlags.ts';

/** Checks about which the reference is asked, at most. */
const MOST = 40;

const ACCESS: ReadonlySet<string> = new Set(['authentication', 'impersonation', 'authorization']);

export interface SecondRun {
  readonly target: Target;
  /** Of the run on the target: with the same id and seed, the same names are given. */
  readonly settings: RunSettings;
  /** A folder that is thrown away. */
  readonly scratch: string;
  /** Hears what is about to be done, in one line. */
  readonly tell: (text: string) => void;
  readonly interruption?: Interruption | undefined;
}

/**
 * Runs the checks that failed on a target once more, on an embedded reference that keeps account of what it decides.
 *
 * @param read what the run came to, which takes a while to be read
 * @returns what it did, a value a check; nothing when the reference is what was tested, or nothing failed
 */
export async function askReference(
  read: () => RunResult,
  { target, settings, scratch, tell, interruption }: SecondRun,
): Promise<ReferenceCompared[]> {
  if (target.mode === 'embedded') return [];
  const result = read();
  const failed = result.checks.filter(({ outcome, variant }) => outcome === 'fail' && variant === '').slice(0, MOST);
  if (failed.length === 0) return [];
  tell(
    `asking the reference what it does in ${failed.length === 1 ? 'the check' : `${failed.length} checks`} that failed`,
  );
  try {
    return await runAgain(failed, result, { target, settings, scratch, tell, interruption });
  } catch (error) {
    // It is only a help to the reader: the verdict stands without it.
    tell(`the reference could not be asked: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}

async function runAgain(
  failed: readonly CheckResult[],
  { header }: RunResult,
  { target, settings, scratch, interruption }: SecondRun,
): Promise<ReferenceCompared[]> {
  const reached = await embedded(target.dialect.name);
  if (!reached) return [];
  try {
    const reference = await detect(reached.reach);
    const events = join(scratch, 'reference.ndjson');
    writeFileSync(events, `${JSON.stringify({ ...header, expectations: [] })}\n`);
    const targetFile = join(scratch, 'reference.json');
    const selection = { only: failed.map(({ id }) => id), profiles: [] };
    const run = { id: settings.id, seed: settings.seed, strict: settings.strict, output: scratch };
    writeFileSync(
      targetFile,
      JSON.stringify({ target: reference, run, serve: reached.serve, hosted: reached.hosted }),
      { mode: 0o600 },
    );
    await runPlaywright({
      targetFile,
      selection,
      files: filesOf(selection),
      scratch: join(scratch, 'reference'),
      interruption,
      reporter: { events, strict: settings.strict, quiet: true, silent: true, terminal: false },
    });
    const second = resultOf(parseEvents(readFileSync(events, 'utf8')));
    return await compared(failed, second, reference);
  } finally {
    await reached.stop();
  }
}

/** An embedded reference in the words of the target's dialect; none for a dialect that only the target speaks. */
async function embedded(dialect: string): Promise<Reached | undefined> {
  if (dialect !== 'kubernetes' && dialect !== 'cluster') return undefined;
  const none = Object.fromEntries(Object.keys(TARGET_FLAGS).map((name) => [name, undefined]));
  return reachTarget({ ...none, insecure: false, dialect } as Parameters<typeof reachTarget>[0], ['--explain']);
}

async function compared(
  failed: readonly CheckResult[],
  second: RunResult,
  reference: Target,
): Promise<ReferenceCompared[]> {
  const connections = new Connections(reference);
  try {
    const prober = new Prober(reference.base, connections);
    const admin = reference.identities.admin ?? {};
    const explain = async ({ response }: ExchangeRecorded): Promise<readonly DecisionTold[]> => {
      const auditId = response?.headers['audit-id'];
      if (auditId === undefined) return [];
      const { json } = await prober.get(admin, `/debug/explain/${encodeURIComponent(auditId)}`);
      const decisions = isRecord(json) && Array.isArray(json.decisions) ? json.decisions.filter(isRecord) : [];
      // Who was asked who this is, and who may do it, matters where the answer is no.
      const refused = response?.status === 401 || response?.status === 403;
      return decisions.filter(({ stage }) => refused || !ACCESS.has(String(stage))).map(told);
    };
    const opinions: ReferenceCompared[] = [];
    for (const check of failed) {
      const same = second.checks.find(({ id, variant }) => id === check.id && variant === '');
      // A server of its own that a check started is gone by now, and so is its account; its answers are kept.
      if (same) opinions.push(await secondOpinion(check, same, explain));
    }
    return opinions;
  } finally {
    await connections.close();
  }
}

function told({ stage, by, outcome, because, details }: Readonly<Record<string, unknown>>): DecisionTold {
  const merge = isRecord(details) && isRecord(details.merge) ? details.merge : {};
  const fields = Array.isArray(merge.fields) ? (merge.fields as FieldTold[]) : undefined;
  return {
    stage: String(stage),
    by: String(by),
    outcome: String(outcome),
    because: String(because),
    ...(fields ? { fields } : {}),
  };
}
