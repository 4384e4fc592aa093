import { currentCheckId } from '../fixtures/formerCheckIds.ts';
import type { ConformanceReport, ReportedFinding } from './conformanceReport.ts';
import { counted } from './counted.ts';
import { escapeMarkdown } from './escape.ts';
import type { Outcome } from './events.ts';

/** What became of one requirement, profile or check between two reports. */
export interface Change {
  readonly what: 'requirement' | 'profile' | 'check';
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** What was kept is broken, or is no longer judged. */
  readonly regression: boolean;
}
export interface Comparison {
  readonly old: { readonly target: string; readonly time: string; readonly ledger: string; readonly verdict: string };
  readonly new: Comparison['old'];
  readonly changes: readonly Change[];
  readonly regressions: number;
}

const KEPT: ReadonlySet<string> = new Set<Outcome>(['pass', 'warn', 'flaky']);
const BROKEN: ReadonlySet<string> = new Set<Outcome>(['fail', 'expected-fail', 'unexpected-pass', 'harness-error']);
const RANK = { 'not-conformant': 0, partial: 1, conformant: 2 } as const;

/** What is otherwise in the second of two reports: requirements, profiles, and checks that fail now. */
export function compareReports(old: ConformanceReport, now: ConformanceReport): Comparison {
  const changes = [...requirementChanges(old, now), ...profileChanges(old, now), ...checkChanges(old, now)];
  changes.sort((a, b) => Number(b.regression) - Number(a.regression));
  const regressions = changes.filter(({ regression }) => regression).length;
  return { old: sideOf(old), new: sideOf(now), changes, regressions };
}

function sideOf({ target, metadata, ledger, verdict }: ConformanceReport): Comparison['old'] {
  return { target: target.base, time: metadata.creationTimestamp, ledger: ledger.digest, verdict: verdict.word };
}

function requirementChanges(old: ConformanceReport, now: ConformanceReport): Change[] {
  const before = new Map(old.requirements.map(({ id, outcome }) => [id, outcome]));
  const after = new Map(now.requirements.map(({ id, outcome }) => [id, outcome]));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id): Change[] => {
    const from = before.get(id) ?? 'not there';
    const to = after.get(id) ?? 'not there';
    if (from === to) return [];
    const judged = KEPT.has(from) || BROKEN.has(from);
    const lost = KEPT.has(from) && !KEPT.has(to);
    const blind = judged && !KEPT.has(to) && !BROKEN.has(to);
    // What is judged for the first time was not better before.
    const worse = to === 'fail' && from !== 'not there' && !BROKEN.has(from);
    return [{ what: 'requirement', id, from, to, regression: lost || blind || worse }];
  });
}

function profileChanges(old: ConformanceReport, now: ConformanceReport): Change[] {
  return now.profiles.flatMap(({ profile, conformance }): Change[] => {
    const from = old.profiles.find((each) => each.profile === profile)?.conformance;
    if (from === undefined || from === conformance) return [];
    return [{ what: 'profile', id: profile, from, to: conformance, regression: RANK[conformance] < RANK[from] }];
  });
}

/** Checks that fail now and did not. That they are gone is told by their requirements. */
function checkChanges(old: ConformanceReport, now: ConformanceReport): Change[] {
  const key = (check: string, { variant = '' }: ReportedFinding) => `${variant} ${currentCheckId(check)}`;
  const before = new Map(old.findings.map((finding) => [key(finding.check, finding), finding.outcome]));
  // Where a check has an id only by its title, the report is older than ids that are written down.
  const byTitle = new Map(
    old.findings.flatMap((finding) =>
      finding.check.includes(':') ? [[key(finding.title, finding), finding.outcome] as const] : [],
    ),
  );
  return now.findings.flatMap((finding): Change[] => {
    const { check, title, outcome } = finding;
    const from = before.get(key(check, finding)) ?? byTitle.get(key(title, finding)) ?? 'no failure';
    return outcome === 'fail' && from !== 'fail'
      ? [{ what: 'check', id: check, from, to: outcome, regression: !BROKEN.has(from) }]
      : [];
  });
}

export function comparisonText(comparison: Comparison): string {
  const { old, new: now, changes, regressions } = comparison;
  const rows = changes.map(
    ({ what, id, from, to, regression }) => `${regression ? '✗' : '·'} ${what} ${id}: ${from} → ${to}`,
  );
  return [
    `old  ${old.verdict}: ${old.target}, ${old.time}`,
    `new  ${now.verdict}: ${now.target}, ${now.time}`,
    ...(old.ledger === now.ledger ? [] : [`They were judged by other requirements: ${old.ledger}, ${now.ledger}.`]),
    ...rows,
    summary(changes.length, regressions),
  ].join('\n');
}

export function comparisonMarkdown(comparison: Comparison): string {
  const { old, new: now, changes, regressions } = comparison;
  return [
    `# Conformance: ${old.verdict} → ${now.verdict}`,
    '',
    summary(changes.length, regressions),
    '',
    ...(changes.length === 0 ? [] : ['| | what | id | old | new |', '|---|---|---|---|---|']),
    ...changes.map(({ what, id, from, to, regression }) => {
      return `| ${regression ? '✗' : ''} | ${what} | ${escapeMarkdown(id)} | ${from} | ${to} |`;
    }),
    '',
  ].join('\n');
}

function summary(changes: number, regressions: number): string {
  if (changes === 0) return 'Nothing has changed.';
  const of = counted(changes, 'change');
  return `${of}, ${regressions === 0 ? 'none for the worse' : `${regressions} for the worse`}.`;
}
