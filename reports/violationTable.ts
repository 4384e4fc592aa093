import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckResult } from './checkResult.ts';
import { escapeMarkdown } from './escape.ts';

/** What the checks made of a violation. */
export interface ViolationRow {
  readonly violation: string;
  readonly statement: string;
  /** Requirements, clauses or areas that its author expects to catch it. */
  readonly expected: readonly string[];
  /**
   * `caught`: by what was expected, or by anything where nothing was. `elsewhere`: by other requirements only.
   * `inconclusive`: no check could judge it. `broken`: the violation itself threw, so that nothing can be said.
   */
  readonly verdict: 'caught' | 'elsewhere' | 'slipped' | 'inconclusive' | 'broken';
  readonly by: readonly CaughtBy[];
  /** How many checks it was put to, and how many of these could not judge it. */
  readonly checks: number;
  readonly unjudged: number;
  /** What else there is to tell: what it threw, errors of ours. */
  readonly notes: readonly string[];
  /** Of its checks, one after the other. */
  readonly seconds: number;
}
export interface CaughtBy {
  /** Requirements, or their clauses where those were judged apart; first those that a shortened sequence is about. */
  readonly requirements: readonly string[];
  readonly title: string;
  readonly check: string;
  /** The first sentence that did not hold. */
  readonly assertion: string;
}

/** The row of a violation, of all checks that it was put to. @param threw what it threw, an item each time */
export function rowOf(
  violation: Pick<ViolationRow, 'violation' | 'statement' | 'expected'>,
  checks: readonly CheckResult[],
  threw: readonly string[],
): ViolationRow {
  const { expected } = violation;
  const ran = checks.filter(({ outcome }) => outcome !== 'skipped' && outcome !== 'not-run');
  const by = ran.filter(({ outcome }) => outcome === 'fail').map(caughtBy);
  const meant = by.some(({ requirements }) =>
    requirements.some((each) => expected.some((wanted) => isOf(each, wanted))),
  );
  const ours = ran.filter(({ outcome }) => outcome === 'harness-error');
  const unjudged = ran.filter(({ outcome }) => outcome === 'unsupported' || outcome === 'inconclusive').length;
  return {
    ...violation,
    verdict: verdictOf(),
    by,
    checks: ran.length,
    unjudged,
    notes: [
      ...threw.slice(0, 1).map((said) => `it threw: ${said.split('\n')[0]}`),
      ...ours.slice(0, 1).map(({ id, reason }) => `${ours.length} checks ended with an error, ${id}: ${reason}`),
    ],
    seconds: ran.reduce((sum, { duration }) => sum + duration, 0) / 1000,
  };

  function verdictOf(): ViolationRow['verdict'] {
    if (threw.length > 0) return 'broken';
    if (by.length === 0) return unjudged + ours.length === ran.length ? 'inconclusive' : 'slipped';
    return meant || expected.length === 0 ? 'caught' : 'elsewhere';
  }
}

function caughtBy({ id, title, assertions, requirements, shortened }: CheckResult): CaughtBy {
  const broken = assertions.filter(({ holds }) => !holds);
  const named = broken.flatMap((each) => each.clauses ?? each.requirements);
  return {
    requirements: [...new Set([...(shortened?.about ?? []), ...(named.length > 0 ? named : requirements)])],
    title,
    check: id,
    assertion: broken[0]?.sentence ?? '',
  };
}

/** Whether a requirement or clause is the one, or one of the area, that a word means. */
export function isOf(name: string, wanted: string): boolean {
  return (
    name === wanted || name.startsWith(`${wanted}/`) || name.startsWith(`${wanted}-`) || wanted.startsWith(`${name}/`)
  );
}

const WORDS: Readonly<Record<ViolationRow['verdict'], string>> = {
  caught: 'caught by',
  elsewhere: 'CAUGHT ELSEWHERE by',
  slipped: 'SLIPPED',
  inconclusive: 'INCONCLUSIVE',
  broken: 'BROKEN',
};
/** So many checks that caught a violation are named. */
const SHOWN = 3;

/** The table as text: a violation, what became of it, and by which checks. */
export function tellViolations(rows: readonly ViolationRow[]): string {
  const width = Math.max(...rows.map(({ violation }) => violation.length), 0);
  const lines = rows.flatMap((row) => [
    `${row.verdict === 'caught' ? '✓' : '✗'} ${row.violation.padEnd(width)}  ${row.seconds.toFixed(1).padStart(6)} s  ${outcomeOf(row)}`,
    ...row.by.slice(0, SHOWN).map(({ requirements, title }) => `    ${brief(requirements)}: ${title}`),
    ...row.notes.map((note) => `    ${note}`),
  ]);
  return [...lines, sumOf(rows)].join('\n');
}

function outcomeOf(row: ViolationRow): string {
  const requirements = [...new Set(row.by.flatMap((each) => each.requirements))];
  const expected = row.expected.length === 0 || row.verdict === 'caught' ? '' : `, expected ${row.expected.join(' ')}`;
  if (row.verdict === 'caught' || row.verdict === 'elsewhere')
    return `${WORDS[row.verdict]} ${brief(requirements)}${expected}`;
  if (row.verdict === 'inconclusive')
    return `${WORDS.inconclusive}: none of ${row.checks} checks could judge it${expected}`;
  const unjudged = row.unjudged > 0 ? `, ${row.unjudged} of them could not judge it` : '';
  return `${WORDS[row.verdict]} through ${row.checks} checks${unjudged}${expected}`;
}

/** Requirements; of clauses those of which they are. */
function brief(named: readonly string[]): string {
  const requirements = [...new Set(named.map((name) => name.split('/')[0] ?? ''))];
  const shown = requirements.slice(0, SHOWN).join(' ');
  return requirements.length > SHOWN ? `${shown} and ${requirements.length - SHOWN} more` : shown;
}

function sumOf(rows: readonly ViolationRow[]): string {
  const count = (verdict: ViolationRow['verdict']) => rows.filter((row) => row.verdict === verdict).length;
  const others = (['inconclusive', 'broken'] as const)
    .filter((verdict) => count(verdict) > 0)
    .map((verdict) => `, ${count(verdict)} ${verdict}`);
  return `${count('caught')} of ${rows.length} violations caught as expected, ${count('elsewhere')} elsewhere, ${count('slipped')} slipped${others.join('')}`;
}

export function violationsMarkdown(rows: readonly ViolationRow[]): string {
  const cells = rows.map(({ violation, statement, expected, verdict, by, seconds, notes }) => [
    violation,
    statement,
    expected.join(' '),
    verdict === 'slipped' ? 'SLIPPED' : verdict,
    [...by.slice(0, SHOWN).map(({ requirements, title }) => `${brief(requirements)}: ${title}`), ...notes].join('; '),
    seconds.toFixed(1),
  ]);
  const heads = ['violation', 'what is broken', 'expected', 'verdict', 'caught by', 'seconds'];
  return [
    '# Violations',
    '',
    sumOf(rows),
    '',
    `| ${heads.join(' | ')} |`,
    `|${heads.map(() => '---').join('|')}|`,
    ...cells.map((row) => `| ${row.map(escapeMarkdown).join(' | ')} |`),
    '',
  ].join('\n');
}

/** What a later run can take over. */
export interface KeptViolations {
  /** Tells whether it is about the same file, looked at in the same way. */
  readonly digest: string;
  readonly rows: readonly ViolationRow[];
}

/** Writes the table as JSON and Markdown. */
export function writeViolations(kept: KeptViolations, folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'violations.json'), `${JSON.stringify(kept, null, 2)}\n`);
  writeFileSync(join(folder, 'violations.md'), violationsMarkdown(kept.rows));
}
