import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isHistoryFile } from '../../history/format.ts';
import { NotHistory } from '../../history/reader.ts';
import { EXIT } from '../../reports/outcome.ts';
import { type Guarantee, judge } from '../../suites/guarantees/index.ts';
import { type CheckHistory, readHistory } from '../../suites/guarantees/readHistory.ts';
import { readNamedFile, reasonOf } from '../files.ts';
import { type FlagTable, readFlags } from '../flags.ts';
import { UsageError } from '../usageError.ts';

export const RECHECK_FLAGS = {
  json: { help: 'one JSON document a line for each guarantee instead of words' },
} as const satisfies FlagTable;

/** What one guarantee came to over all checks of a run. */
interface Verdict {
  readonly guarantee: string;
  readonly sentence: string;
  readonly outcome: 'kept' | 'broken' | 'inconclusive' | 'not exercised';
  readonly cases: number;
  readonly violations: readonly {
    readonly check: string;
    readonly sentence: string;
    readonly operations: readonly number[];
  }[];
  readonly bounds: readonly string[];
}

/**
 * `touchstone recheck DIR`: puts the history that a run with `--history` kept to the checkers of today.
 * @returns 0 when nothing is broken, 1 when something is, 2 when nothing could be looked at. Throws UsageError.
 */
export function recheck(argv: readonly string[]): number {
  const { flags, words } = readFlags(argv, RECHECK_FLAGS);
  const [folder, ...more] = words;
  if (folder === undefined || more.length > 0)
    throw new UsageError('recheck takes one folder: touchstone recheck DIR.');
  const verdicts = verdictsOn(readChecks(folder));
  for (const verdict of verdicts) console.log(flags.json ? JSON.stringify(verdict) : tell(verdict));
  if (verdicts.some(({ outcome }) => outcome === 'broken')) return EXIT.notConformant;
  return verdicts.some(({ outcome }) => outcome === 'kept') ? EXIT.conformant : EXIT.inconclusive;
}

function readChecks(folder: string): CheckHistory[] {
  const files = historyFiles(folder);
  if (files.length === 0) {
    throw new UsageError(`There is no history in ${folder}; run with --history --output ${folder} to keep one.`);
  }
  return files.flatMap((file) => {
    try {
      return readHistory(readNamedFile(file, 'history'));
    } catch (error) {
      if (error instanceof NotHistory) throw new UsageError(`${file} is no history of a run: ${error.message}.`);
      throw error;
    }
  });
}
function historyFiles(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter(isHistoryFile);
    return names.sort().map((name) => join(folder, name));
  } catch (error) {
    throw new UsageError(`${folder} cannot be read: ${reasonOf(error)}.`);
  }
}

function verdictsOn(checks: readonly CheckHistory[]): Verdict[] {
  const judged = checks.map(({ check, history }) => ({ check, findings: judge(history) }));
  const first = judged[0]?.findings ?? judge({ operations: [], streams: [] });
  return first.map(({ guarantee }, at) => {
    const findings = judged.flatMap(({ check, findings: all }) => {
      const finding = all[at]?.finding;
      return finding ? [{ check, ...finding }] : [];
    });
    return verdictOf(guarantee, findings);
  });
}

function verdictOf(
  { name, sentence }: Guarantee,
  findings: readonly ({ check: string } & ReturnType<Guarantee['examine']>)[],
): Verdict {
  const violations = findings.flatMap(({ check, violations: own }) => own.map((each) => ({ check, ...each })));
  const bounds = findings.flatMap(({ bound }) => bound ?? []);
  const cases = findings.reduce((sum, finding) => sum + finding.cases, 0);
  const outcome =
    violations.length > 0 ? 'broken' : bounds.length > 0 ? 'inconclusive' : cases > 0 ? 'kept' : 'not exercised';
  return { guarantee: name, sentence, outcome, cases, violations, bounds };
}

/** How many violations of one guarantee are told; the rest are counted. */
const TOLD = 5;

function tell({ guarantee, sentence, outcome, cases, violations, bounds }: Verdict): string {
  const lines = [`${MARKS[outcome]} ${guarantee.padEnd(18)} ${outcome}, ${cases} cases: ${sentence}`];
  for (const { check, sentence: seen, operations } of violations.slice(0, TOLD)) {
    lines.push(`    ${check}`, `      ${seen} (operations ${operations.join(', ')})`);
  }
  if (violations.length > TOLD) lines.push(`    and ${violations.length - TOLD} more`);
  return [...lines, ...bounds.map((bound) => `    gave up: ${bound}`)].join('\n');
}
const MARKS: Readonly<Record<Verdict['outcome'], string>> = {
  kept: '✓',
  broken: '✗',
  inconclusive: '?',
  'not exercised': '·',
};
