import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cardOf } from './card.ts';
import { cardText } from './cardText.ts';
import type { CheckResult } from './checkResult.ts';
import type { DecisionTold, RunEvent } from './events.ts';
import { html } from './html.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { resultOf } from './results.ts';
import { secondOpinion } from './secondOpinion.ts';
import { terminalSummary } from './terminal.ts';
import { type SampleCheck, sampleRun } from './testing/sampleRun.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';
const CONFLICT: DecisionTold = {
  stage: 'merge',
  by: 'apply',
  outcome: 'conflict',
  because: 'others own it',
  fields: [{ field: '.data.a', outcome: 'conflict', managers: ['author'], rule: '1/server-side-apply-rules/4' }],
};
const failing: SampleCheck = { outcome: 'fail', broken: ['a taken name is refused'], statuses: [201, 200] };
const checkOf = (check: SampleCheck) => resultOf(sampleRun([check])).checks[0] as CheckResult;

/** The events of a run in which a check failed, with what the reference did. */
async function eventsWith(reference: SampleCheck): Promise<RunEvent[]> {
  const opinion = await secondOpinion(checkOf(failing), checkOf(reference), async () => [CONFLICT]);
  const events = sampleRun([failing]);
  return [...events.slice(0, -1), opinion, ...events.slice(-1)];
}

describe('what the reference did', () => {
  it('is told step by step, and in full where it matters', async () => {
    const { steps, outcome } = await secondOpinion(
      checkOf(failing),
      checkOf({ outcome: 'pass', statuses: [409, 200], body: '{"code":409}' }),
      async ({ number }) => (number === 1 ? [CONFLICT] : []),
    );
    assert.equal(outcome, 'pass');
    assert.deepEqual(steps, [
      { exchange: 1, status: 409, told: { body: '{"code":409}', decisions: [CONFLICT] } },
      { exchange: 2, status: 200 },
    ]);
  });

  it('stands on the whole card alike in text and HTML, and in the first lines that JUnit and Markdown have', async () => {
    const result = resultOf(await eventsWith({ outcome: 'pass', statuses: [409, 200], body: HOSTILE }));
    const card = cardOf(result, result.checks[0] as CheckResult);
    assert.match(card.brief[2] ?? '', /configmaps "a" \(the reference answers 409\)$/);
    assert.match(terminalSummary(result, { width: 200, height: 40 }), /the reference answers 409/);
    for (const report of [junit(result), markdown(result)]) assert.match(report, /the reference answers 409/);
    for (const report of [cardText(card), html(result)]) {
      assert.match(report, /The reference keeps what this check asks for\./);
      assert.match(report, /409, here 201/);
      assert.match(report, /200, as here/);
      assert.match(report, /\.data\.a conflict with author \(1\/server-side-apply-rules\/4\)/);
    }
    assert.ok(!html(result).includes(HOSTILE) && !junit(result).includes(HOSTILE));
  });

  it('says so when the check fails there too, or did not come as far', async () => {
    const result = resultOf(await eventsWith({ outcome: 'fail', statuses: [undefined], reason: 'the host was slow' }));
    const text = cardText(cardOf(result, result.checks[0] as CheckResult));
    assert.match(text, /On the reference the check ends as fail: the host was slow/);
    assert.match(text, /no answer, here 201/);
    assert.match(text, /the reference did not come to this step/);
  });

  it('is left out where nobody asked', () => {
    const result = resultOf(sampleRun([failing]));
    assert.doesNotMatch(cardText(cardOf(result, result.checks[0] as CheckResult)), /reference/);
  });
});
