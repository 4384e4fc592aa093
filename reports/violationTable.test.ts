import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CheckResult } from './checkResult.ts';
import { rowOf, tellViolations } from './violationTable.ts';

const ended = (outcome: CheckResult['outcome']): CheckResult => ({
  id: 'DRYRUN-VALUE-03.1',
  file: 'suites/1-conventions/dry-run/values.spec.ts',
  line: 1,
  variant: '',
  title: 'the author creates something as a dry run → nothing is stored',
  requirements: ['DRYRUN-VALUE-03'],
  outcome,
  reason: 'no such luck',
  stack: undefined,
  duration: 10,
  attempts: 1,
  assertions: [],
  exchanges: [],
  streamEvents: [],
  notes: [],
  judged: [],
});

it('tells a violation that no check could judge from one that slipped', () => {
  const violation = { violation: 'quiet', statement: 'Nothing is said.', expected: ['DRYRUN-VALUE-03'] };
  const verdictOn = (...outcomes: CheckResult['outcome'][]) => rowOf(violation, outcomes.map(ended), []);
  assert.equal(verdictOn('harness-error', 'unsupported').verdict, 'inconclusive');
  assert.equal(verdictOn('harness-error', 'pass').verdict, 'slipped');
  assert.equal(verdictOn('harness-error', 'fail').verdict, 'caught');
  const told = tellViolations([verdictOn('harness-error')]);
  assert.match(told, /✗ quiet +0\.0 s {2}INCONCLUSIVE: none of 1 checks could judge it, expected DRYRUN-VALUE-03/);
  assert.match(told, /0 slipped, 1 inconclusive$/);
});
