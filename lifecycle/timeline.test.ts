import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { proof } from '../fixtures/ledger/testing/proof.ts';
import type { LifecycleFinding } from './finding.ts';
import { judge } from './judge.ts';
import { readHistory } from './readHistory.ts';
import { bruteForce } from './testing/bruteForce.ts';
import { type Change, changesOf, historyOf, movesOf, type Table, tableOf } from './testing/table.ts';

const EXAMPLE = join(import.meta.dirname, '../docs/examples/timeline.yaml');
const example: Table = tableOf(readHistory(readFileSync(EXAMPLE, 'utf8')));

proof('POLICY-TIMELINE-01', 'the example timeline has no finding', () => {
  assert.equal(example.cells.length, 16);
  assert.deepEqual(judge(historyOf(example)).findings, []);
  assert.deepEqual(bruteForce(example), []);
});

proof('POLICY-TIMELINE-01', 'each change of one cell is found exactly where it breaks a rule', () => {
  const { all, breaking } = compare(changesOf(example));
  assert.equal(all, 16 * 10 * 2 + 16 * 9 * 3);
  // Most changes break something; a judgement by which none or all do compares nothing.
  assert.ok(breaking > 300 && breaking < all, `${breaking} of ${all} changes break a rule`);
});

proof('POLICY-TIMELINE-01', 'each shift of one release is found exactly where it breaks a rule', () => {
  const { all, breaking } = compare(movesOf(example));
  assert.ok(all > 100 && breaking > 0 && breaking < all, `${breaking} of ${all} shifts break a rule`);
});

test('any timeline is judged alike by both, whatever its dates', () => {
  const versions = ['v1alpha1', 'v1beta1', 'v1', 'v2beta1'];
  const cell = fc.constantFrom('' as const, 'served' as const, 'deprecated' as const, 'deprecated' as const);
  const row = fc.tuple(cell, cell, cell, cell);
  const release = fc.record({ row, days: fc.integer({ min: 20, max: 200 }), both: fc.constantFrom(...versions) });
  const timelines = fc.array(release, { minLength: 1, maxLength: 9 }).map((releases): Table => {
    let day = Date.UTC(2023, 0, 31);
    const dates = releases.map(({ days }) => {
      day += days * 86_400_000;
      return new Date(day).toISOString().slice(0, 10);
    });
    const named = releases.map(({ both }) => both);
    return { dates, versions, cells: releases.map((each) => each.row), preferred: named, storage: named };
  });
  const judged = fc.property(timelines, (table) => void compare([{ what: JSON.stringify(table), table }]));
  fc.assert(judged, { numRuns: 2_000, seed: 8 });
});

/** Holds the checker against the second judgement: rule, version and release of all that either finds. */
function compare(changes: Iterable<Change>): { all: number; breaking: number } {
  let all = 0;
  let breaking = 0;
  for (const { what, table } of changes) {
    const { findings } = judge(historyOf(table));
    const expected = bruteForce(table);
    assert.deepEqual([...new Set(findings.map(shortOf))].sort(), expected, what);
    all += 1;
    if (expected.length > 0) breaking += 1;
  }
  return { all, breaking };
}

function shortOf({ rule, element, releases }: LifecycleFinding): string {
  return `${rule} ${element.replace('g/', '')} ${releases.at(-1)?.name}`;
}
