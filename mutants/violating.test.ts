import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NamedViolation } from '../proxy/violationsFile.ts';
import type { PutReview } from '../reference/admission/webhooks/caller.ts';
import { HookFault } from '../reference/admission/webhooks/fault.ts';
import type { Hook } from '../reference/admission/webhooks/hook.ts';
import type { JsonObject } from '../reference/api/json.ts';
import { violatingTogether } from './violating.ts';

type Admission = NonNullable<NamedViolation['admission']>;

const asking: Admission = (review, ask) => ask(review);
const silent: Admission = () => undefined;
const changing: Admission = async (review, ask) => ({ ...(await ask(review)), changed: true });

/** Puts a review to a webhook past violations, the first of which stands nearest to the webhook. */
function put(webhook: PutReview, ...admissions: readonly Admission[]): Promise<string> {
  const violations = admissions.map((admission, place) => {
    const name = `violation-${place}`;
    return { name, statement: name, expected: [], admission };
  });
  const { hookReviews } = violatingTogether('together', violations).defect();
  assert.ok(hookReviews);
  const hook = { name: 'hook', configuration: 'config' } as Hook;
  return hookReviews(webhook)('{"asked":true}', hook, new AbortController().signal);
}

test('a webhook that cannot be reached is told of as such past several violations', async () => {
  const unreachable: PutReview = async () => {
    throw new HookFault('hook', 'unreachable');
  };
  for (const admissions of [[silent], [asking, changing], [asking, silent], [silent, asking], [silent, silent]])
    await assert.rejects(put(unreachable, ...admissions), HookFault);
});

test('where a violation returns nothing the answer of the webhook counts', async () => {
  let reviews: unknown[] = [];
  const webhook: PutReview = async (review) => {
    reviews.push(JSON.parse(review));
    return '{"own":1}';
  };
  const answer = async (...admissions: Admission[]) => JSON.parse(await put(webhook, ...admissions)) as JsonObject;
  assert.deepEqual(await answer(silent), { own: 1 });
  assert.deepEqual(await answer(changing, silent), { own: 1, changed: true });
  assert.deepEqual(await answer(silent, changing), { own: 1, changed: true });
  assert.deepEqual(reviews, [{ asked: true }, { asked: true }, { asked: true }]);
  reviews = [];
  assert.deepEqual(await answer(silent, () => ({ other: 2 })), { other: 2 });
  assert.deepEqual(reviews, []);
});
