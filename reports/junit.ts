import { cardOf } from './card.ts';
import { cardText } from './cardText.ts';
import type { CheckResult } from './checkResult.ts';
import { escapeXml } from './escape.ts';
import type { Outcome } from './events.ts';
import type { RunResult } from './results.ts';

/** Outcomes as JUnit can say them: a broken requirement is a failure, a fault of ours an error, and never the other. */
const ELEMENT: Readonly<Record<Outcome, 'failure' | 'error' | 'skipped' | undefined>> = {
  pass: undefined,
  warn: undefined,
  flaky: undefined,
  fail: 'failure',
  'unexpected-pass': 'failure',
  'expected-fail': 'skipped',
  unsupported: 'skipped',
  skipped: 'skipped',
  'not-run': 'skipped',
  inconclusive: 'error',
  'harness-error': 'error',
};

/** JUnit XML of a run: a suite a file, a case a check, requirement ids and outcome as properties of the case. */
export function junit(result: RunResult): string {
  const files = new Map<string, CheckResult[]>();
  for (const check of result.checks) {
    const suite = check.variant === '' ? check.file : `${check.variant}/${check.file}`;
    files.set(suite, [...(files.get(suite) ?? []), check]);
  }
  const suites = [...files].map(([name, checks]) => suiteElement(result, name, checks));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="touchstone" ${totals(result.checks)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function totals(checks: readonly CheckResult[]): string {
  const count = (element: string) => checks.filter(({ outcome }) => ELEMENT[outcome] === element).length;
  const seconds = checks.reduce((sum, check) => sum + check.duration, 0) / 1000;
  return `tests="${checks.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="${seconds.toFixed(3)}"`;
}

function suiteElement(result: RunResult, name: string, checks: readonly CheckResult[]): string {
  const cases = checks.map((check) => caseElement(result, check));
  const stamp = escapeXml(result.header.time);
  return `  <testsuite name="${escapeXml(name)}" timestamp="${stamp}" ${totals(checks)}>\n${cases.join('\n')}\n  </testsuite>`;
}

function caseElement(result: RunResult, check: CheckResult): string {
  const place = check.file
    .replace(/^suites\//, '')
    .replace(/\.spec\.ts$/, '')
    .replaceAll('/', '.');
  const properties = [
    ...check.requirements.map((id) => ['requirement', id] as const),
    ...check.judged.filter(({ outcome }) => outcome === 'fail').map(({ clause }) => ['broken-clause', clause] as const),
    ['check', check.id] as const,
    ['outcome', check.outcome] as const,
    ...(check.expected === undefined ? [] : [['expected', check.expected] as const]),
  ].map(([name, value]) => `        <property name="${name}" value="${escapeXml(value)}"/>`);
  return [
    `    <testcase name="${escapeXml(check.title)}" classname="${escapeXml(place)}" file="${escapeXml(check.file)}" line="${check.line}" time="${(check.duration / 1000).toFixed(3)}">`,
    `      <properties>\n${properties.join('\n')}\n      </properties>`,
    ...outcomeElement(result, check),
    '    </testcase>',
  ].join('\n');
}

function outcomeElement(result: RunResult, check: CheckResult): string[] {
  const element = ELEMENT[check.outcome];
  if (element === undefined) return [];
  const card = cardOf(result, check);
  const message = escapeXml(card.broken[0]?.sentence ?? check.expected ?? check.reason ?? check.outcome);
  if (element === 'skipped') return [`      <skipped message="${message}"/>`];
  const text = escapeXml(cardText(card));
  return [`      <${element} type="${check.outcome}" message="${message}">${text}</${element}>`];
}
