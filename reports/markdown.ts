import { cardOf } from './card.ts';
import { briefText } from './cardText.ts';
import { escapeMarkdown, fenced } from './escape.ts';
import type { Outcome } from './events.ts';
import { OUTCOMES, outcomeRank } from './outcome.ts';
import type { RunResult } from './results.ts';
import { verdictOfRun } from './verdictOfRun.ts';

/** Bytes of a report in Markdown: a comment on a pull request may have 65,536 characters. */
const MOST_BYTES = 60_000;
/** Of one card, and of what stands before and behind the cards. */
const MOST_OF_A_CARD = 6_000;
const MOST_CLAUSES = 50;
const WORTH_A_CARD: ReadonlySet<Outcome> = new Set([
  'fail',
  'harness-error',
  'unexpected-pass',
  'inconclusive',
  'warn',
]);

/** A report for a pull request: the verdict, the profiles, then a folded card for each check that did not go well. */
export function markdown(result: RunResult): string {
  const { word, because } = verdictOfRun(result);
  const { base, dialect, release } = result.header.target;
  const bad = result.checks
    .filter(({ outcome }) => WORTH_A_CARD.has(outcome))
    .sort((a, b) => outcomeRank(b.outcome) - outcomeRank(a.outcome));
  const lines = [
    `# Conformance: ${word}`,
    '',
    `${escapeMarkdown(base)}, dialect ${escapeMarkdown(dialect)}${release ? `, release ${escapeMarkdown(release)}` : ''}: ${escapeMarkdown(because)}.`,
    '',
    '| profile | conformance | requirements | kept | broken |',
    '|---|---|---|---|---|',
    ...result.profiles.map(({ profile, conformance, requirements, counts }) => {
      const kept = (counts.pass ?? 0) + (counts.warn ?? 0);
      const cells = [escapeMarkdown(profile), conformance, requirements, kept, counts.fail ?? 0];
      return `| ${cells.join(' | ')} |`;
    }),
    '',
    '| outcome | checks | meaning |',
    '|---|---|---|',
    ...Object.entries(result.counts)
      .sort(([a], [b]) => outcomeRank(b as Outcome) - outcomeRank(a as Outcome))
      .map(([outcome, count]) => `| ${outcome} | ${count} | ${OUTCOMES[outcome as Outcome].meaning} |`),
    '',
    ...clauses(result),
    ...result.stale
      .slice(0, MOST_CLAUSES)
      .map(({ entry, why }) => `- expectation \`${entry.id}\`: ${escapeMarkdown(why)}`),
    '',
  ];
  const end = [
    'Reproduce:',
    '',
    fenced(result.header.reproduce, 'sh'),
    '',
    `Suite ${result.header.suite.version}, ledger ${result.header.ledger.digest}, seed ${result.header.seed}.`,
    '',
  ];
  const size = (text: readonly string[]) => Buffer.byteLength(text.join('\n')) + 1;
  let left = MOST_BYTES - size(lines) - size(end) - 200;
  let shown = 0;
  for (const check of bad) {
    const card = cardLines(result, check);
    left -= size(card);
    if (left < 0) break;
    lines.push(...card);
    shown += 1;
  }
  if (shown < bad.length) lines.push(`… and ${bad.length - shown} more in the full report.`, '');
  return [...lines, ...end].join('\n');
}

function cardLines(result: RunResult, check: RunResult['checks'][number]): string[] {
  const text = briefText(cardOf(result, check));
  const told = text.length <= MOST_OF_A_CARD ? text : `${text.slice(0, MOST_OF_A_CARD)} … (${text.length} characters)`;
  return [
    `<details><summary>${OUTCOMES[check.outcome].mark} ${escapeMarkdown(check.title)} (${check.outcome})</summary>`,
    '',
    fenced(told),
    '',
    '</details>',
    '',
  ];
}

/** How many clauses the target was judged by, and which it breaks. */
function clauses({ requirements }: RunResult): string[] {
  const judged = requirements.flatMap((each) => each.judged).filter(({ outcome }) => outcome !== 'not-run');
  if (judged.length === 0) return [];
  const broken = judged.filter(({ outcome }) => outcome === 'fail');
  const lines = broken.slice(0, MOST_CLAUSES).map(({ clause }) => `- \`${clause}\``);
  if (broken.length > MOST_CLAUSES) lines.push(`- … and ${broken.length - MOST_CLAUSES} more`);
  return [`Judged by ${judged.length} clauses, of which ${broken.length} are broken.`, '', ...lines, ''];
}
