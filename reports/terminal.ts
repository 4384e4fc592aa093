import { cardOf } from './card.ts';
import type { CheckResult } from './checkResult.ts';
import { counted } from './counted.ts';
import type { Outcome } from './events.ts';
import { OUTCOMES, outcomeRank } from './outcome.ts';
import { plainText, wrap } from './plainText.ts';
import type { RunResult } from './results.ts';
import { verdictOfRun } from './verdictOfRun.ts';

export interface TerminalOptions {
  readonly width: number;
  /** Rows a summary may take; cards that do not fit are counted. */
  readonly height: number;
  /** Where the other reports are; told on the last line. */
  readonly reports?: string;
}

const SHOWN: ReadonlySet<Outcome> = new Set(['fail', 'harness-error', 'unexpected-pass', 'inconclusive']);

/** The summary of a run: the verdict last, where the eye is; above it as many failure cards as the screen holds. */
export function terminalSummary(result: RunResult, { width, height, reports }: TerminalOptions): string {
  const tail = [
    ...profileLines(result),
    countsLine(result),
    ...clauseLines(result),
    ...remarks(result),
    verdictLine(result),
  ];
  if (reports !== undefined) tail.push(`reports  ${reports}`);
  const bad = result.checks
    .filter(({ outcome }) => SHOWN.has(outcome))
    .sort((a, b) => outcomeRank(b.outcome) - outcomeRank(a.outcome));
  const end = tail.flatMap((line) => wrap(plainText(line), width, '    '));
  const cards: string[] = [];
  let left = height - end.length - 2;
  let shown = 0;
  for (const check of bad) {
    const lines = cardLines(result, check).flatMap((line) => fitted(plainText(line), width));
    if (shown > 0 && lines.length + 1 > left) break;
    cards.push(...lines, '');
    left -= lines.length + 1;
    shown += 1;
  }
  if (shown < bad.length) cards.push(`… and ${bad.length - shown} more in the reports`, '');
  return [...cards, ...end].join('\n');
}

/** A line of a card within a width: what is longer goes on below. */
function fitted(line: string, width: number): string[] {
  // The line to run again is there to be copied.
  return line.startsWith('  again ') ? [line] : wrap(line, width, ' '.repeat(11));
}

function cardLines(result: RunResult, check: CheckResult): string[] {
  const { brief } = cardOf(result, check);
  return [`${OUTCOMES[check.outcome].mark} ${check.title}`, ...brief.map((line) => `  ${line}`)];
}

function profileLines(result: RunResult): string[] {
  const looked = result.profiles.filter(({ requirements, counts }) => (counts['not-run'] ?? 0) < requirements);
  const name = Math.max(...looked.map(({ profile }) => profile.length), 7);
  const lines = looked.map(({ profile, conformance, requirements, counts }) => {
    const good = (counts.pass ?? 0) + (counts.warn ?? 0);
    const bad = counts.fail ?? 0;
    const parts = [`${good} of ${requirements} requirements kept`];
    if (bad > 0) parts.push(`${bad} broken`);
    const known = counts['expected-fail'] ?? 0;
    if (known > 0) parts.push(`${known} known to be broken`);
    if ((counts.flaky ?? 0) > 0) parts.push(`${counts.flaky} flaky`);
    return `${profile.padEnd(name)}  ${conformance.padEnd(14)}  ${parts.join(', ')}`;
  });
  const others = result.profiles.filter((profile) => !looked.includes(profile)).map(({ profile }) => profile);
  return others.length === 0 ? lines : [...lines, `not looked at: ${others.join(', ')}`];
}

function countsLine(result: RunResult): string {
  const counts = Object.entries(result.counts)
    .sort(([a], [b]) => outcomeRank(b as Outcome) - outcomeRank(a as Outcome))
    .map(([outcome, count]) => `${count} ${outcome}`);
  const seconds = ((result.finished?.duration ?? 0) / 1000).toFixed(1);
  return `${counted(result.checks.length, 'check')} in ${seconds} s: ${counts.join(', ') || 'none'}`;
}

/** How many clauses were judged, and the first of those that are broken. */
function clauseLines({ requirements }: RunResult): string[] {
  const all = requirements.flatMap(({ judged }) => judged).filter(({ outcome }) => outcome !== 'not-run');
  if (all.length === 0) return [];
  const broken = all.filter(({ outcome }) => outcome === 'fail').map(({ clause }) => clause);
  const named = broken.length === 0 ? '' : `: ${broken.slice(0, 5).join(', ')}${broken.length > 5 ? ' …' : ''}`;
  return [`${counted(all.length, 'clause')} judged, ${broken.length} broken${named}`];
}

function remarks(result: RunResult): string[] {
  const lines = result.stale.map(({ entry, why }) => `expectation ${entry.id}: ${why}`);
  const leftovers = result.leftovers ?? [];
  if (leftovers.length > 0) lines.push(`left behind on the target: ${leftovers.join(', ')}`);
  return lines;
}

function verdictLine(result: RunResult): string {
  const { word, because } = verdictOfRun(result);
  const { base, dialect, release } = result.header.target;
  return `${word}: ${base} (${dialect}${release ? `, release ${release}` : ''}); ${because}`;
}
