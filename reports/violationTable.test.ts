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

it('takes a sequence that fails for a check of the requirements that it is about', () => {
  const violation = { violation: 'dry', statement: 'It is stored.', expected: ['DRYRUN-EFFECT-01'] };
  const sequence: CheckResult = {
    ...ended('fail'),
    id: 'REQUEST-SEQUENCE-03.2/planets',
    requirements: ['REQUEST-SEQUENCE-03'],
    shortened: {
      type: 'sequence-shortened',
      check: 'REQUEST-SEQUENCE-03.2/planets',
      variant: '',
      at: 1,
      requests: ['admin PUT /'],
      about: ['DRYRUN-EFFECT-01', 'DRYRUN-UPDATE-01'],
    },
  };
  const row = rowOf(violation, [sequence], []);
  assert.equal(row.verdict, 'caught');
  assert.deepEqual(row.by[0]?.requirements, ['DRYRUN-EFFECT-01', 'DRYRUN-UPDATE-01', 'REQUEST-SEQUENCE-03']);
  const { about: _, ...untold } = sequence.shortened as NonNullable<CheckResult['shortened']>;
  assert.equal(rowOf(violation, [{ ...sequence, shortened: untold }], []).verdict, 'elsewhere');
});
