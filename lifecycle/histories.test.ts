import assert from 'node:assert/strict';
import test from 'node:test';
import { judge } from './judge.ts';
import { readHistory } from './readHistory.ts';
import { API_HISTORIES } from './testing/apiHistories.ts';
import { ELEMENT_HISTORIES } from './testing/elementHistories.ts';

for (const [name, { statement, rule, history }] of Object.entries({ ...API_HISTORIES, ...ELEMENT_HISTORIES })) {
  test(`${name}: ${statement}`, () => {
    const { findings } = judge(readHistory(JSON.stringify(history)));
    const broken = [...new Set(findings.map((finding) => finding.rule))];
    assert.deepEqual(broken, rule === null ? [] : [rule], JSON.stringify(findings, undefined, 1));
  });
}
