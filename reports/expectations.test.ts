import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Expectation } from '../fixtures/expectations/expectation.ts';
import { applyExpectations, updatedExpectations } from './expectations.ts';
import { resultOf } from './results.ts';
import { type SampleCheck, sampleRun } from './testing/sampleRun.ts';

const FAIL: SampleCheck = { outcome: 'fail', broken: ['a taken name is refused'] };
const entry = (more: Partial<Expectation>): Expectation => ({
  id: 'NAME-UNIQUE-01',
  kind: 'known-failure',
  reason: 'known',
  ...more,
});
const apply = (checks: SampleCheck[], entries: Expectation[]) => {
  const { checks: judged, stale } = applyExpectations(resultOf(sampleRun(checks)).checks, entries, '2026-01-31', false);
  return { outcomes: judged.map(({ outcome }) => outcome), stale: stale.map(({ why }) => why), judged };
};

describe('expectations', () => {
  it('call a known failure by its name', () => {
    assert.deepEqual(apply([FAIL], [entry({})]).outcomes, ['expected-fail']);
    assert.deepEqual(apply([FAIL], [entry({ assertion: 'a taken name is refused' })]).outcomes, ['expected-fail']);
  });
  it('do not excuse another assertion, nor one more than the known one', () => {
    const one = entry({ assertion: 'a taken name is refused' });
    assert.deepEqual(apply([{ outcome: 'fail', broken: ['the first stays'] }], [one]).outcomes, ['fail']);
    assert.deepEqual(
      apply([{ outcome: 'fail', broken: ['a taken name is refused', 'the first stays'] }], [one]).outcomes,
      ['fail'],
    );
  });
  it('of a clause excuse that one, and no other that is broken beside it', () => {
    const [PUT, POST] = ['NAME-UNIQUE-01/put', 'NAME-UNIQUE-01/post'];
    const one: SampleCheck = { outcome: 'fail', clauses: { [PUT]: 'fail', [POST]: 'pass' } };
    const both: SampleCheck = { outcome: 'fail', clauses: { [PUT]: 'fail', [POST]: 'fail' } };
    const excused = apply([one], [entry({ id: PUT })]);
    assert.deepEqual(excused.outcomes, ['expected-fail']);
    assert.deepEqual(
      excused.judged[0]?.judged.map(({ outcome }) => outcome),
      ['expected-fail', 'pass'],
    );
    assert.deepEqual(apply([both], [entry({ id: PUT })]).outcomes, ['fail']);
    assert.deepEqual(apply([both], [entry({ id: PUT }), entry({ id: POST })]).outcomes, ['expected-fail']);
    assert.deepEqual(apply([both], [entry({})]).outcomes, ['expected-fail']);
    // What is of no clause of its own is of all of them.
    const whole: SampleCheck = {
      outcome: 'fail',
      broken: ['it starts'],
      clauses: { [PUT]: undefined, [POST]: undefined },
    };
    assert.deepEqual(apply([whole], [entry({ id: PUT })]).outcomes, ['fail']);
    assert.deepEqual(apply([whole], [entry({ id: PUT }), entry({ id: POST })]).outcomes, ['expected-fail']);
  });
  it('do not excuse an error of ours', () => {
    assert.deepEqual(apply([{ outcome: 'harness-error' }], [entry({})]).outcomes, ['harness-error']);
  });
  it('about a requirement hold while one of its checks fails', () => {
    const { outcomes, stale } = apply([FAIL, { outcome: 'pass' }], [entry({})]);
    assert.deepEqual(outcomes, ['expected-fail', 'pass']);
    assert.deepEqual(stale, []);
  });
  it('about a check are surprised by its passing', () => {
    const { outcomes, stale } = apply([{ outcome: 'pass' }], [entry({ id: '1-conventions/sample:check-0' })]);
    assert.deepEqual(outcomes, ['unexpected-pass']);
    assert.equal(stale.length, 1);
  });
  it('let a flaky check fail and pass', () => {
    assert.deepEqual(apply([FAIL], [entry({ kind: 'flaky' })]).outcomes, ['flaky']);
    assert.deepEqual(apply([{ outcome: 'pass' }], [entry({ kind: 'flaky' })]).stale, []);
  });
  it('that have expired excuse nothing and are named', () => {
    const { outcomes, stale } = apply([FAIL], [entry({ expires: '2026-01-30' })]);
    assert.deepEqual(outcomes, ['fail']);
    assert.deepEqual(stale, ['it expired on 2026-01-30']);
  });
  it('are updated to what fails now, keeping what still holds as it was written', () => {
    const held = entry({ id: '1-conventions/sample:check-0', link: 'https://tracker.example/1' });
    const gone = entry({ id: '1-conventions/sample:check-1' });
    const { judged } = apply([FAIL, { outcome: 'pass' }, FAIL], [held, gone]);
    const updated = updatedExpectations(judged, [held, gone]);
    assert.deepEqual(
      updated.map(({ id }) => id),
      ['1-conventions/sample:check-0', '1-conventions/sample:check-2'],
    );
    assert.equal(updated[0], held);
    assert.equal(updated[1]?.assertion, 'a taken name is refused');
    assert.deepEqual(apply([FAIL, { outcome: 'pass' }, FAIL], updated).stale, []);
  });
  it('of which no requirement and no check goes by the id are told, also where only some checks ran', () => {
    const { checks } = resultOf(sampleRun([FAIL]));
    const entries = [entry({ id: 'NAME-UNIQUE-01.77' }), entry({ id: 'WATCH-RV-01' }), entry({ id: 'NAME-UNIQ-01' })];
    const { stale } = applyExpectations(checks, entries, '2026-01-31', true, ['NAME-UNIQUE-01.77', 'NAME-UNIQ-01']);
    assert.deepEqual(
      stale.map(({ entry: { id }, why }) => [id, why]),
      [
        ['NAME-UNIQUE-01.77', 'no check has this id'],
        ['NAME-UNIQ-01', 'no check has this id'],
      ],
    );
  });
  it('about a requirement are not held against some of its checks that pass, where others did not run', () => {
    const { checks } = resultOf(sampleRun([{ outcome: 'pass' }]));
    const staleOf = (id: string, narrowed: boolean) =>
      applyExpectations(checks, [entry({ id })], '2026-01-31', narrowed).stale.length;
    assert.deepEqual([staleOf('NAME-UNIQUE-01', false), staleOf('NAME-UNIQUE-01', true)], [1, 0]);
    assert.equal(staleOf('1-conventions/sample:check-0', true), 1);
  });
});
