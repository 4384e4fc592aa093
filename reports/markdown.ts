import { cardOf } from './card.ts';
import { cardText } from './cardText.ts';
import { escapeMarkdown, fenced } from './escape.ts';
import type { Outcome } from './events.ts';
import { OUTCOMES, outcomeRank } from './outcome.ts';
import type { RunResult } from './results.ts';
import { verdictOfRun } from './verdictOfRun.ts';

/** Cards past this number are only counted: a comment on a pull request has a size limit. */
const MOST_CARDS = 20;
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
      const kept = (counts.pass ?? 0) + (counts.warn ?? 0) + (counts.flaky ?? 0);
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
    ...result.stale.map(({ entry, why }) => `- expectation \`${entry.id}\`: ${escapeMarkdown(why)}`),
    ...bad
      .slice(0, MOST_CARDS)
      .flatMap((check) => [
        `<details><summary>${OUTCOMES[check.outcome].mark} ${escapeMarkdown(check.title)} (${check.outcome})</summary>`,
        '',
        fenced(cardText(cardOf(result, check))),
        '',
        '</details>',
        '',
      ]),
    ...(bad.length > MOST_CARDS ? [`… and ${bad.length - MOST_CARDS} more in the full report.`, ''] : []),
    'Reproduce:',
    '',
    fenced(result.header.reproduce, 'sh'),
    '',
    `Suite ${result.header.suite.version}, ledger ${result.header.ledger.digest}, seed ${result.header.seed}.`,
    '',
  ];
  return lines.join('\n');
}

/** How many clauses the target was judged by, and which it breaks. */
function clauses({ requirements }: RunResult): string[] {
  const judged = requirements.flatMap((each) => each.judged).filter(({ outcome }) => outcome !== 'not-run');
  if (judged.length === 0) return [];
  const broken = judged.filter(({ outcome }) => outcome === 'fail');
  const lines = broken.map(({ clause }) => `- \`${clause}\``);
  return [`Judged by ${judged.length} clauses, of which ${broken.length} are broken.`, '', ...lines, ''];
}
