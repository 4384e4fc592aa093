import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from '../suites/harness/mutants.ts';
import { escapeHtml, escapeMarkdown } from './escape.ts';
import type { RunResult } from './results.ts';

/** A mutant, one of the requirements it breaks, and what the checks of that requirement made of it. */
export interface MatrixRow {
  readonly mutant: string;
  readonly sentence: string;
  readonly requirement: string;
  /** Checks that failed on the mutant, with the first broken assertion of each. */
  readonly killedBy: readonly { readonly check: string; readonly assertion: string }[];
  readonly checks: number;
}
export interface MutantVerdict {
  readonly mutant: string;
  readonly sentence: string;
  readonly verdict: 'killed' | 'survived';
  /** Why it survived. */
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
    const own = result.checks.filter((check) => check.variant === mutant.id);
    const requirements = mutant.breaks.map((requirement): MatrixRow => {
      const checks = own.filter((check) => check.requirements.includes(requirement));
      const killers = checks.filter(({ outcome }) => outcome === 'fail');
      return {
        mutant: mutant.id,
        sentence: mutant.sentence,
        requirement,
        checks: checks.length,
        killedBy: killers.map((check) => ({
          check: check.id,
          assertion: check.assertions.find(({ holds }) => !holds)?.sentence ?? '',
        })),
      };
    });
    const killed = requirements.some(({ killedBy }) => killedBy.length > 0);
    const about = { mutant: mutant.id, sentence: mutant.sentence, requirements };
    if (killed) return { ...about, verdict: 'killed' };
    const outcomes = own.map(({ outcome, reason }) => (reason ? `${outcome}: ${reason}` : outcome));
    const because = own.length === 0 ? 'no check of these requirements ran' : [...new Set(outcomes)].join('; ');
    return { ...about, verdict: 'survived', because };
  });
  const errors = result.checks
    .filter(({ outcome }) => outcome === 'harness-error')
    .map((check) => `${check.variant}: ${check.id}: ${check.reason ?? 'an error of ours'}`);
  return { rows, problems: [...(result.finished?.problems ?? []), ...errors] };
}

/** Survivors at length, the rest counted: what a terminal is shown. */
export function tellMatrix({ rows }: MutantMatrix): string {
  const survivors = rows.filter(({ verdict }) => verdict === 'survived');
  const lines = survivors.map(
    ({ mutant, sentence, requirements, because }) =>
      `✗ ${mutant} survived: ${sentence} [${requirements.map(({ requirement }) => requirement).join(' ')}] ${because}`,
  );
  return [...lines, `${rows.length - survivors.length} of ${rows.length} mutants killed`].join('\n');
}

/** Writes the matrix as JSON, Markdown and one HTML file. */
export function writeMatrix(matrix: MutantMatrix, folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'mutants.json'), `${JSON.stringify(matrix, null, 2)}\n`);
  writeFileSync(join(folder, 'mutants.md'), matrixMarkdown(matrix));
  writeFileSync(join(folder, 'mutants.html'), matrixHtml(matrix));
}

const HEADS = ['mutant', 'what it does', 'breaks', 'verdict', 'caught by'];

function cells({ mutant, sentence, verdict, because, requirements }: MutantVerdict): string[] {
  const caught = requirements.flatMap(({ killedBy }) => killedBy.map(({ check }) => check));
  return [
    mutant,
    sentence,
    requirements.map(({ requirement, killedBy }) => `${requirement} (${killedBy.length})`).join(', '),
    verdict,
    caught.length > 0 ? [...new Set(caught)].join(', ') : (because ?? ''),
  ];
}

export function matrixMarkdown(matrix: MutantMatrix): string {
  const rows = matrix.rows.map((row) => `| ${cells(row).map(escapeMarkdown).join(' | ')} |`);
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

function matrixHtml(matrix: MutantMatrix): string {
  const rows = matrix.rows.map(
    (row) =>
      `<tr class="${row.verdict}">${cells(row)
        .map((cell) => `<td>${escapeHtml(cell)}</td>`)
        .join('')}</tr>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Mutants</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:80rem;margin:0 auto;padding:1rem}
table{border-collapse:collapse}td,th{border-bottom:1px solid #8884;padding:.3rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
.survived td{color:#cf222e;font-weight:bold}</style></head>
<body><h1>Mutants</h1><p>${escapeHtml(tellMatrix(matrix).split('\n').at(-1) ?? '')}</p>
<table><thead><tr>${HEADS.map((head) => `<th>${head}</th>`).join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>
</body></html>
`;
}
