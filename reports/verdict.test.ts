import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EvidenceRecord } from './evidenceRecord.ts';
import { verdictOf } from './verdict.ts';

const assertion = (holds: boolean, level: 'MUST' | 'SHOULD' = 'MUST') => ({
  type: 'assertion' as const,
  at: 0,
  sentence: 's',
  level,
  requirements: [],
  holds,
  allowed: [],
  differences: [],
});
const evidence = (parts: Partial<EvidenceRecord>): EvidenceRecord => ({
  assertions: [],
  judged: [],
  ...parts,
});
const error = { message: 'TypeError: x', stack: 'TypeError: x\n at y' };

describe('the verdict on a check', () => {
  it('is pass where every assertion holds', () => {
    const attempt = { status: 'passed', evidence: evidence({ assertions: [assertion(true)] }), errors: [] } as const;
    assert.deepEqual(verdictOf(attempt, false), { outcome: 'pass' });
  });
  it('is fail where a MUST does not hold, whatever else went wrong', () => {
    const assertions = [assertion(true), assertion(false)];
    assert.equal(
      verdictOf({ status: 'failed', evidence: evidence({ assertions }), errors: [error] }, false).outcome,
      'fail',
    );
  });
  it('is warn for a SHOULD, and fail under strict', () => {
    const attempt = {
      status: 'passed',
      evidence: evidence({ assertions: [assertion(false, 'SHOULD')] }),
      errors: [],
    } as const;
    assert.equal(verdictOf(attempt, false).outcome, 'warn');
    assert.equal(verdictOf(attempt, true).outcome, 'fail');
  });
  it('is inconclusive where nothing was asserted, and where time ran out', () => {
    assert.equal(verdictOf({ status: 'passed', evidence: evidence({}), errors: [] }, false).outcome, 'inconclusive');
    assert.equal(
      verdictOf({ status: 'timedOut', evidence: evidence({}), errors: [error] }, false).outcome,
      'inconclusive',
    );
  });
  it('is what the check itself ended with', () => {
    const ending = { outcome: 'unsupported', reason: 'no second identity' } as const;
    assert.deepEqual(verdictOf({ status: 'failed', evidence: evidence({ ending }), errors: [error] }, false), ending);
  });
  it('is an error of ours where something else was thrown, or the evidence is missing', () => {
    const thrown = verdictOf(
      { status: 'failed', evidence: evidence({ assertions: [assertion(true)] }), errors: [error] },
      false,
    );
    assert.deepEqual(thrown, { outcome: 'harness-error', reason: error.message, stack: error.stack });
    assert.equal(verdictOf({ status: 'failed', evidence: undefined, errors: [] }, false).outcome, 'harness-error');
  });
  it('is not-run where the run was interrupted', () => {
    assert.equal(verdictOf({ status: 'interrupted', evidence: undefined, errors: [] }, false).outcome, 'not-run');
  });
  it('is what its clauses come to: one that is open leaves it open, one that is not offered does not', () => {
    const judge = (...outcomes: ('pass' | 'unsupported' | 'inconclusive')[]) => {
      const judged = outcomes.map((outcome, index) => ({
        type: 'clause-judged' as const,
        clause: `A-B-01/${index}`,
        outcome,
        reason: 'because',
      }));
      const record = evidence({ assertions: [assertion(true)], judged });
      const clauses = ['A-B-01/0', 'A-B-01/1'];
      return verdictOf({ status: 'passed', evidence: record, errors: [], clauses }, false).outcome;
    };
    assert.equal(judge('pass', 'pass'), 'pass');
    assert.equal(judge('pass', 'unsupported'), 'pass');
    assert.equal(judge('unsupported', 'unsupported'), 'unsupported');
    assert.equal(judge('pass', 'inconclusive'), 'inconclusive');
    assert.equal(judge('pass'), 'harness-error');
  });
  it('is unsupported where none of its clauses is offered, and nothing was asserted before them', () => {
    const judged = [
      { type: 'clause-judged' as const, clause: 'A-B-01/0', outcome: 'unsupported' as const, reason: 'not named' },
    ];
    const attempt = { status: 'passed', evidence: evidence({ judged }), errors: [], clauses: ['A-B-01/0'] } as const;
    assert.deepEqual(verdictOf(attempt, false), { outcome: 'unsupported', reason: 'not named' });
  });
});
