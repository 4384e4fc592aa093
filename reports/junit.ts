import { cardOf } from './card.ts';
import { briefText } from './cardText.ts';
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

/**
 * The element of a check. What did not come to run because the run stopped or broke is an error: a run that looked at
 * nothing must not be green.
 */
function elementOf(result: RunResult, { outcome }: CheckResult): (typeof ELEMENT)[Outcome] {
  return outcome === 'not-run' && troubleOf(result) !== undefined ? 'error' : ELEMENT[outcome];
}

/** Why a run did not come to its end in good order; undefined where it did. */
function troubleOf({ finished }: RunResult): string | undefined {
  if (!finished) return 'the run did not come to its end';
  if (finished.interrupted) return 'the run was interrupted';
  if (finished.stopped) return `the run stopped: ${finished.stopped.words}`;
  return finished.problems[0];
}

/** A case for the run itself, where something went wrong that is no check's. */
function runElement(result: RunResult): string[] {
  const trouble = troubleOf(result);
  if (trouble === undefined) return [];
  const message = escapeXml(trouble.split('\n')[0] ?? trouble);
  return [
    `  <testsuite name="touchstone" timestamp="${escapeXml(result.header.time)}" tests="1" failures="0" errors="1" skipped="0" time="0.000">`,
    `    <testcase name="the run comes to its end" classname="touchstone" time="0.000">`,
    `      <error type="run" message="${message}">${escapeXml(trouble)}</error>`,
    '    </testcase>',
    '  </testsuite>',
  ];
}

/** JUnit XML of a run: a suite a file, a case a check, requirement ids and outcome as properties of the case. */
export function junit(result: RunResult): string {
  const files = new Map<string, CheckResult[]>();
  for (const check of result.checks) {
    const suite = check.variant === '' ? check.file : `${check.variant}/${check.file}`;
    files.set(suite, [...(files.get(suite) ?? []), check]);
  }
  const own = runElement(result);
  const suites = [...files].map(([name, checks]) => suiteElement(result, name, checks));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="touchstone" ${totals(result, result.checks, own.length > 0 ? 1 : 0)}>`,
    ...own,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function totals(result: RunResult, checks: readonly CheckResult[], more = 0): string {
  const count = (element: string) => checks.filter((check) => elementOf(result, check) === element).length;
  const seconds = checks.reduce((sum, check) => sum + check.duration, 0) / 1000;
  return `tests="${checks.length + more}" failures="${count('failure')}" errors="${count('error') + more}" skipped="${count('skipped')}" time="${seconds.toFixed(3)}"`;
}

function suiteElement(result: RunResult, name: string, checks: readonly CheckResult[]): string {
  const cases = checks.map((check) => caseElement(result, check));
  const stamp = escapeXml(result.header.time);
  return `  <testsuite name="${escapeXml(name)}" timestamp="${stamp}" ${totals(result, checks)}>\n${cases.join('\n')}\n  </testsuite>`;
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
  const element = elementOf(result, check);
  if (element === undefined) return [];
  const card = cardOf(result, check);
  const message = escapeXml(card.broken[0]?.sentence ?? check.expected ?? check.reason ?? check.outcome);
  if (element === 'skipped') return [`      <skipped message="${message}"/>`];
  const text = escapeXml(briefText(card));
  return [`      <${element} type="${check.outcome}" message="${message}">${text}</${element}>`];
}
