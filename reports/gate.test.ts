import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { badgeJson, badgeSvg } from './badge.ts';
import { compareReports, comparisonMarkdown, comparisonText } from './compareReports.ts';
import { conformanceReport } from './conformanceReport.ts';
import type { Outcome, RunStarted } from './events.ts';
import { CannotMerge, mergeRuns } from './mergeRuns.ts';
import { resultOf } from './results.ts';
import { targetMatrix } from './targetMatrix.ts';
import { sampleRun } from './testing/sampleRun.ts';
import { verdictOfRun } from './verdictOfRun.ts';

const reportOf = (outcome: Outcome) =>
  conformanceReport(resultOf(sampleRun([{ outcome, broken: outcome === 'fail' ? ['x'] : [] }])));

describe('merged runs', () => {
  const shard = (part: string, id: string, outcome: Outcome, header: Partial<RunStarted> = {}) =>
    sampleRun([{ id, outcome }], { header: { narrowed: [`--shard ${part}`, '--durations last'], ...header } });
  it('are one run of all checks, narrowed by no shard', () => {
    const merged = resultOf(mergeRuns([shard('1/2', 'a', 'pass'), shard('2/2', 'b', 'fail')]));
    assert.deepEqual(
      merged.checks.map(({ id, outcome }) => [id, outcome]),
      [
        ['a', 'pass'],
        ['b', 'fail'],
      ],
    );
    assert.deepEqual(merged.header.narrowed, []);
    assert.ok(merged.finished);
  });
  it('have a check that several ran as the last one did', () => {
    const merged = resultOf(
      mergeRuns([sampleRun([{ id: 'a', outcome: 'fail' }]), sampleRun([{ id: 'a', outcome: 'pass' }])]),
    );
    assert.deepEqual(
      merged.checks.map(({ outcome }) => outcome),
      ['pass'],
    );
  });
  it('did not end where one of them did not', () => {
    const cut = sampleRun([{ id: 'b', outcome: 'pass' }], { finished: null });
    assert.equal(resultOf(mergeRuns([sampleRun([{ id: 'a', outcome: 'pass' }]), cut])).finished, undefined);
  });
  it('are refused where a shard is missing, or the requirements were others', () => {
    assert.throws(() => mergeRuns([shard('1/3', 'a', 'pass'), shard('3/3', 'b', 'pass')]), /Of 3 shards 2 is missing/);
    const ledger = { digest: 'sha256:1', requirements: [] };
    assert.throws(() => mergeRuns([shard('1/2', 'a', 'pass'), shard('2/2', 'b', 'pass', { ledger })]), CannotMerge);
    const other = shard('2/2', 'b', 'pass', { parts: 'other' });
    assert.throws(() => mergeRuns([shard('1/2', 'a', 'pass', { parts: 'one' }), other]), /not parts of one whole/);
    assert.throws(() => mergeRuns([]), CannotMerge);
  });
});

describe('a comparison of reports', () => {
  const told = (from: Outcome, to: Outcome) => compareReports(reportOf(from), reportOf(to));
  it('calls a regression what is broken now, and what is no longer judged', () => {
    for (const to of ['fail', 'unsupported', 'inconclusive', 'not-run'] as const) {
      const { changes } = told('pass', to);
      const found = changes.find(({ what, regression }) => what === 'requirement' && regression);
      assert.deepEqual([found?.from, found?.to], ['pass', to]);
    }
    assert.ok(told('pass', 'fail').changes.some(({ what, regression }) => what === 'check' && regression));
    assert.ok(told('pass', 'fail').changes.some(({ what, to }) => what === 'profile' && to === 'not-conformant'));
  });
  it('calls none what became better, or was broken before', () => {
    for (const [from, to] of [
      ['fail', 'pass'],
      ['unsupported', 'pass'],
      ['expected-fail', 'fail'],
    ] as const) {
      assert.equal(
        told(from, to).changes.filter(({ what, regression }) => what === 'requirement' && regression).length,
        0,
      );
    }
    assert.deepEqual(told('pass', 'pass').changes, []);
  });
  it('is told in words and in Markdown', () => {
    assert.match(comparisonText(told('pass', 'fail')), /^✗ requirement NAME-UNIQUE-01: pass → fail$/m);
    assert.match(comparisonText(told('pass', 'pass')), /Nothing has changed\.$/);
    assert.match(comparisonMarkdown(told('pass', 'fail')), /\| ✗ \| requirement \| NAME-UNIQUE-01 \| pass \| fail \|/);
  });
});

describe('a run whose failures were tried again', () => {
  const twice = (second: Outcome) => [
    ...sampleRun([
      { id: 'a', outcome: 'fail', broken: ['x'] },
      { id: 'b', outcome: 'pass' },
    ]),
    ...sampleRun([{ id: 'a', outcome: second, broken: second === 'fail' ? ['x'] : [] }]).slice(1),
  ];
  it('tells what then held as flaky, which is no pass', () => {
    const result = resultOf(twice('pass'));
    assert.deepEqual(
      result.checks.map(({ id, outcome, attempts }) => [id, outcome, attempts]),
      [
        ['a', 'flaky', 2],
        ['b', 'pass', 1],
      ],
    );
    assert.equal(result.profiles[0]?.conformance, 'partial');
    assert.equal(result.finished?.duration, 2 * 1234);
    assert.match(verdictOfRun(result).because, /1 check failed at first and then held/);
  });
  it('fails where it failed each time', () => {
    assert.equal(verdictOfRun(resultOf(twice('fail'))).exitCode, 1);
  });
});

describe('a badge', () => {
  it('has the verdict', () => {
    const result = resultOf(sampleRun([{ outcome: 'fail', broken: ['x'] }]));
    assert.deepEqual(JSON.parse(badgeJson(result)), {
      schemaVersion: 1,
      label: 'Cluster API',
      message: 'not conformant',
      color: '#b3151f',
    });
    assert.match(badgeSvg(result), /aria-label="Cluster API: not conformant"/);
  });
});

describe('a matrix of targets', () => {
  it('has a column for each, and nothing of theirs but as text', () => {
    const page = targetMatrix([
      ['one', reportOf('pass')],
      ['<img src=x>', reportOf('fail')],
    ]);
    assert.ok(!page.includes('<img'));
    assert.match(page, /id="req-NAME-UNIQUE-01".*pass.*fail/s);
    assert.match(page, /<b class="conformant">.*<b class="not-conformant">/s);
  });
});
