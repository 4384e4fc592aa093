import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckResult } from './checkResult.ts';
import { DESIGN } from './design.ts';
import { escapeHtml, escapeMarkdown } from './escape.ts';
import { STYLE } from './htmlParts.ts';
import type { RunResult } from './results.ts';

/** A mutant, one of the requirements or clauses it breaks, and what the checks of that made of it. */
export interface MatrixRow {
  readonly mutant: string;
  readonly sentence: string;
  readonly requirement: string;
  /** Checks that failed on the mutant before it was caught, with the first broken assertion of each. */
  readonly killedBy: readonly { readonly check: string; readonly assertion: string }[];
  /** How many checks of it were put to the mutant. */
  readonly checks: number;
  /** What its checks came to, where none failed. */
  readonly missed?: string;
}
export interface MutantVerdict {
  readonly mutant: string;
  readonly sentence: string;
  /** Killed: of each requirement and each clause that it breaks a check failed on it. */
  readonly verdict: 'killed' | 'survived';
  /** Why it survived: what did not catch it. */
  readonly because?: string;
  readonly requirements: readonly MatrixRow[];
}
export interface MutantMatrix {
  readonly rows: readonly MutantVerdict[];
  /** Faults of ours that leave a verdict in doubt. */
  readonly problems: readonly string[];
}

/**
 * Which mutant was caught by which check. Only a failed assertion kills: a check that ended with an error of ours,
 * or that could not tell, has not noticed anything.
 */
export function matrixOf(mutants: readonly Mutant[], result: RunResult): MutantMatrix {
  const rows = mutants.map((mutant): MutantVerdict => {
    const own = result.checks.filter((check) => check.variant === mutant.id && check.outcome !== 'skipped');
    const requirements = mutant.breaks.map((requirement): MatrixRow => {
      const checks = own.filter((check) => about(check, requirement));
      const killers = checks.filter((check) => fails(check, requirement));
      const outcomes = checks.map(({ outcome, reason }) => (reason ? `${outcome}: ${reason}` : outcome));
      const missed = outcomes.length === 0 ? 'no check of it ran' : [...new Set(outcomes)].join('; ');
      return {
        mutant: mutant.id,
        sentence: mutant.sentence,
        requirement,
        checks: checks.length,
        killedBy: killers.map((check) => ({ check: check.id, assertion: brokenBy(check, requirement) })),
        ...(killers.length > 0 ? {} : { missed }),
      };
    });
    const told = { mutant: mutant.id, sentence: mutant.sentence, requirements };
    const alive = requirements.filter(({ killedBy }) => killedBy.length === 0);
    if (alive.length === 0 && requirements.length > 0) return { ...told, verdict: 'killed' };
    const outcomes = [...new Set(alive.map(({ missed = '' }) => missed))].join('; ');
    return { ...told, verdict: 'survived', because: `nothing failed for ${brief(alive)} (${outcomes})` };
  });
  const errors = result.checks
    .filter(({ outcome }) => outcome === 'harness-error')
    .map((check) => `${check.variant}: ${check.id}: ${check.reason ?? 'an error of ours'}`);
  return { rows, problems: [...(result.finished?.problems ?? []), ...errors] };
}

function isClause(name: string): boolean {
  return name.includes('/');
}
function about(check: CheckResult, name: string): boolean {
  return isClause(name) ? (check.clauses ?? []).includes(name) : check.requirements.includes(name);
}
function fails(check: CheckResult, name: string): boolean {
  if (!isClause(name)) return check.outcome === 'fail';
  return check.judged.some(({ clause, outcome }) => clause === name && outcome === 'fail');
}
/** The sentence that did not hold. */
function brokenBy(check: CheckResult, name: string): string {
  const broken = check.assertions.filter(({ holds }) => !holds);
  const own = isClause(name) ? broken.find(({ clauses }) => clauses?.includes(name)) : undefined;
  return (own ?? broken[0])?.sentence ?? '';
}

/** Requirements, of many clauses only the number. */
function brief(rows: readonly MatrixRow[]): string {
  if (rows.length <= 3) return rows.map(({ requirement }) => requirement).join(' ');
  const counts = new Map<string, number>();
  for (const { requirement } of rows) {
    const [id = ''] = requirement.split('/');
    counts.set(id, (counts.get(id) ?? 0) + (isClause(requirement) ? 1 : 0));
  }
  return [...counts].map(([id, clauses]) => (clauses === 0 ? id : `${id}: ${clauses} clauses`)).join(' ');
}

/** Survivors at length, the rest counted: what a terminal is shown. */
export function tellMatrix({ rows }: MutantMatrix): string {
  const broken = rows.flatMap(({ requirements }) => requirements);
  const caught = broken.filter(({ killedBy }) => killedBy.length > 0).length;
  const survivors = rows.filter(({ verdict }) => verdict === 'survived');
  const lines = survivors.map(({ mutant, sentence, because }) => `✗ ${mutant} survived: ${sentence} But ${because}`);
  const killed = `${rows.length - survivors.length} of ${rows.length} mutants killed`;
  return [...lines, `${killed}, ${caught} of ${broken.length} broken requirements and clauses caught`].join('\n');
}

/** Writes the matrix as JSON, Markdown and one HTML file. */
export function writeMatrix(matrix: MutantMatrix, folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'mutants.json'), `${JSON.stringify(matrix, null, 2)}\n`);
  writeFileSync(join(folder, 'mutants.md'), matrixMarkdown(matrix));
  writeFileSync(join(folder, 'mutants.html'), matrixHtml(matrix));
}

const HEADS = ['mutant', 'what it does', 'breaks', 'verdict', 'caught by'];

interface Line {
  readonly verdict: MutantVerdict['verdict'];
  readonly cells: readonly string[];
}
/** A line for each requirement that a mutant breaks, which has a verdict of its own; of clauses, how many are caught. */
function linesOf({ mutant, sentence, requirements }: MutantVerdict): Line[] {
  const byRequirement = new Map<string, MatrixRow[]>();
  for (const row of requirements) {
    const [id = ''] = row.requirement.split('/');
    byRequirement.set(id, [...(byRequirement.get(id) ?? []), row]);
  }
  return [...byRequirement].map(([id, rows], place) => {
    const about = place === 0 ? [mutant, sentence] : ['', ''];
    const alive = rows.filter(({ killedBy }) => killedBy.length === 0);
    const caught = [...new Set(rows.flatMap(({ killedBy }) => killedBy.map(({ check }) => check)))].join(', ');
    const missed = alive.map(({ requirement, missed: why = '' }) => `${requirement}: ${why}`).join(', ');
    const verdict = alive.length === 0 ? 'killed' : 'survived';
    const clauses = rows.filter(({ requirement }) => isClause(requirement)).length;
    const named = clauses === 0 ? id : `${id} (${rows.length - alive.length} of ${rows.length} clauses)`;
    return { verdict, cells: [...about, named, verdict, alive.length === 0 ? caught : missed] };
  });
}

export function matrixMarkdown(matrix: MutantMatrix): string {
  const rows = matrix.rows.flatMap(linesOf).map(({ cells }) => `| ${cells.map(escapeMarkdown).join(' | ')} |`);
  return [
    '# Mutants',
    '',
    tellMatrix(matrix).split('\n').at(-1),
    '',
    `| ${HEADS.join(' | ')} |`,
    `|${HEADS.map(() => '---').join('|')}|`,
    ...rows,
    '',
  ].join('\n');
}

export function matrixHtml(matrix: MutantMatrix): string {
  const rows = matrix.rows.flatMap(linesOf).map(({ verdict, cells: [mutant, does, breaks, word, by] }) => {
    const mark = `<span class="mark">${verdict === 'killed' ? '✓' : '✗'}</span>`;
    const cells = [code(mutant), e(does), code(breaks), `${mark} <b>${e(word)}</b>`, e(by)];
    return `<tr class="${verdict}">${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const told = tellMatrix(matrix).split('\n').at(-1) ?? '';
  const good = matrix.rows.every(({ verdict }) => verdict === 'killed');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Mutants</title>
<style>${DESIGN}${STYLE}${MATRIX_STYLE}</style>
</head>
<body>
<header>
<p class="brand">Touchstone · what the checks notice</p>
<div class="panel verdict ${good ? 'conformant' : 'not-conformant'}">
<h1>Mutants</h1>
<p>${e(told)}</p>
</div>
</header>
<main>
<div class="table" tabindex="0" role="region" aria-label="Mutants"><table class="mutants"><thead><tr>${HEADS.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>
</main>
</body>
</html>
`;
}
const e = (text = ''): string => escapeHtml(text);
const code = (text = ''): string => (text === '' ? '' : `<code>${e(text)}</code>`);
/** Narrow screens move the table sideways rather than breaking its words. */
const MATRIX_STYLE = `
.mutants { min-width: 56rem; }
.mutants td:nth-child(4) { white-space: nowrap; }
.killed b { font-weight: 400; }
`;

/** A reference with one rule broken, as `touchstone serve --list-mutants` names it. */
export interface Mutant {
  readonly id: string;
  /** Requirements, or clauses of them, that it breaks. */
  readonly breaks: readonly string[];
  /** What it does, in words. */
  readonly sentence: string;
}
