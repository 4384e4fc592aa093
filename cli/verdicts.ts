import { counted } from '../reports/counted.ts';
import { EXIT } from '../reports/outcome.ts';
import { GUARANTEES, type Guarantee, type GuaranteeFinding } from '../suites/guarantees/index.ts';

/** What one guarantee came to over all histories that were judged. */
export interface Verdict {
  readonly guarantee: string;
  readonly sentence: string;
  readonly outcome: 'kept' | 'broken' | 'inconclusive' | 'not exercised';
  readonly cases: number;
  readonly broken: number;
  readonly violations: readonly {
    readonly check: string;
    readonly sentence: string;
    readonly operations: readonly number[];
  }[];
  readonly bounds: readonly string[];
}
/** What every guarantee came to over one check, or over a history that is of none. */
export interface Judged {
  readonly check: string;
  readonly findings: readonly GuaranteeFinding[];
}

export function verdictsOn(judged: readonly Judged[]): Verdict[] {
  return GUARANTEES.map((guarantee) => verdictOf(guarantee, judged));
}
function verdictOf({ name, sentence }: Guarantee, judged: readonly Judged[]): Verdict {
  const results = judged.flatMap(({ check, findings }) =>
    findings.flatMap(({ guarantee, finding }) => (guarantee.name === name ? [{ check, ...finding }] : [])),
  );
  const violations = results.flatMap(({ check, violations: own }) => own.map((each) => ({ check, ...each })));
  const bounds = results.flatMap(({ bound }) => bound ?? []);
  const cases = results.reduce((sum, result) => sum + result.cases, 0);
  const broken = results.reduce((sum, result) => sum + result.broken, 0);
  const outcome = broken > 0 ? 'broken' : bounds.length > 0 ? 'inconclusive' : cases > 0 ? 'kept' : 'not exercised';
  return { guarantee: name, sentence, outcome, cases, broken, violations, bounds };
}

/** 1 when a guarantee is broken, 0 when one is kept and none broken, 2 when there was nothing to look at. */
export function exitCodeOf(verdicts: readonly Verdict[]): number {
  if (verdicts.some(({ outcome }) => outcome === 'broken')) return EXIT.notConformant;
  return verdicts.some(({ outcome }) => outcome === 'kept') ? EXIT.conformant : EXIT.inconclusive;
}

/** How many violations of one guarantee are told; the rest are counted. */
const TOLD = 5;

export function tellVerdict({ guarantee, sentence, outcome, cases, broken, violations, bounds }: Verdict): string {
  const lines = [`${MARKS[outcome]} ${guarantee.padEnd(18)} ${outcome}, ${counted(cases, 'case')}: ${sentence}`];
  for (const { check, sentence: seen, operations } of violations.slice(0, TOLD)) {
    if (check !== '') lines.push(`    ${check}`);
    const numbers = operations.filter((number) => number >= 0);
    lines.push(
      `    ${check === '' ? '' : '  '}${seen} (operation${numbers.length === 1 ? '' : 's'} ${numbers.join(', ')})`,
    );
  }
  if (broken > TOLD) lines.push(`    and ${broken - TOLD} more`);
  return [...lines, ...new Set(bounds.map((bound) => `    not judged: ${bound}`))].join('\n');
}
const MARKS: Readonly<Record<Verdict['outcome'], string>> = {
  kept: '✓',
  broken: '✗',
  inconclusive: '?',
  'not exercised': '·',
};
