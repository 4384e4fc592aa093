import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Expectation } from '../fixtures/expectations/expectation.ts';
import type { RunEvent } from './events.ts';
import { resultOf } from './results.ts';
import { type SampleCheck, sampleRun } from './testing/sampleRun.ts';
import { verdictOfRun } from './verdictOfRun.ts';

const PASS: SampleCheck = { outcome: 'pass' };
const FAIL: SampleCheck = { outcome: 'fail', broken: ['a taken name is refused'] };
const verdict = (events: RunEvent[]) => verdictOfRun(resultOf(events));
const code = (checks: readonly SampleCheck[], more = {}) => verdict(sampleRun(checks, more)).exitCode;
const known = (entry: Partial<Expectation>): { header: { expectations: Expectation[] } } => ({
  header: { expectations: [{ id: 'NAME-UNIQUE-01', kind: 'known-failure', reason: 'known', ...entry }] },
});

describe('exit code 0', () => {
  it('is for a run in which nothing is broken', () => {
    assert.equal(code([PASS]), 0);
    assert.equal(verdict(sampleRun([PASS])).word, 'conformant');
  });
  it('is for warnings, and for failures that are known', () => {
    assert.equal(code([{ outcome: 'warn' }]), 0);
    assert.equal(code([FAIL], known({})), 0);
  });
  it('never calls a run conformant that could not look at something', () => {
    assert.equal(verdict(sampleRun([PASS, { outcome: 'unsupported', reason: 'no' }])).word, 'partial');
  });
});

describe('exit code 1', () => {
  it('is for a failure, whatever else happened', () => {
    assert.equal(code([PASS, FAIL]), 1);
    assert.equal(code([FAIL, { outcome: 'harness-error' }, { outcome: 'inconclusive' }]), 1);
  });
  it('is for a failure of another assertion than the known one', () => {
    assert.equal(code([FAIL], known({ assertion: 'something else' })), 1);
  });
});

describe('exit code 2', () => {
  it('is for a check that could not tell, or did not come to run', () => {
    assert.equal(code([PASS, { outcome: 'inconclusive', reason: 'r' }]), 2);
    assert.equal(code([PASS, { outcome: 'not-run' }]), 2);
  });
  it('names the checks that could not tell', () => {
    const open = Array.from({ length: 4 }, (): SampleCheck => ({ outcome: 'inconclusive', reason: 'r' }));
    const result = resultOf(sampleRun([PASS, ...open]));
    const ids = result.checks.slice(1, 4).map(({ id }) => id);
    assert.equal(verdictOfRun(result).because, `4 checks could not tell: ${ids.join(', ')} …`);
  });
  it('is for a run that was interrupted, or never ended', () => {
    assert.equal(code([PASS], { finished: { interrupted: true } }), 130);
    assert.equal(code([PASS], { finished: null }), 2);
  });
  it('is for a run without checks, and for one that the target supports none of', () => {
    assert.equal(code([]), 2);
    assert.equal(code([{ outcome: 'unsupported', reason: 'r' }]), 2);
  });
  it('is for a run in which most answers were 401 or 404', () => {
    const many = Array.from({ length: 6 }, (): SampleCheck => ({ outcome: 'pass', statuses: [404, 401, 200] }));
    assert.equal(code(many), 2);
    assert.equal(code(many.slice(0, 4)), 0, 'a handful of checks may well be about 404');
    const about401 = many.map((each): SampleCheck => ({ ...each, statuses: [401, 404, 201], asked: 401 }));
    assert.equal(code(about401), 0, 'a refusal that a check asked for is something that it met');
  });
  it('is for a target that went away, though its checks failed', () => {
    const many = Array.from({ length: 6 }, (): SampleCheck => ({ ...FAIL, statuses: [undefined] }));
    assert.equal(code(many), 2);
  });
});

describe('exit code 3', () => {
  it('is for an expectation of a failure that does not fail', () => {
    assert.equal(code([PASS], known({})), 3);
    assert.equal(code([PASS], known({ id: '1-conventions/sample:check-0' })), 3);
  });
  it('is for an entry that matches nothing, unless only some checks were asked for', () => {
    assert.equal(code([PASS], known({ id: 'NAME-REUSE-01' })), 3);
    const { header } = known({ id: 'NAME-REUSE-01' });
    assert.equal(code([PASS], { header: { ...header, narrowed: ['--only NAME-UNIQUE-01'] } }), 0);
  });
  it('is for an entry that has expired and would otherwise do no harm', () => {
    assert.equal(code([PASS], known({ kind: 'flaky', expires: '2026-01-30' })), 3);
    assert.equal(code([PASS], known({ kind: 'flaky', expires: '2026-01-31' })), 0, 'its last day still counts');
  });
});

describe('exit code 70', () => {
  it('is for an error of ours, in a check or outside', () => {
    assert.equal(code([PASS, { outcome: 'harness-error', reason: 'TypeError' }]), 70);
    assert.equal(code([PASS], { finished: { problems: ['a suite does not load'] } }), 70);
  });
});
