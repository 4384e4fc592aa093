import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { asApiObject } from '../api/object.ts';
import { validateReview } from './reviewSpec.ts';

test('what an access review asks wrongly is an invalid value, and what a selector lacks is required', () => {
  const rows: readonly (readonly [spec: JsonObject, ...faults: string[]])[] = [
    [{ user: 'u', resourceAttributes: {} }],
    [{}, 'Invalid spec.resourceAttributes', 'Invalid spec.user'],
    [{ user: 'u', resourceAttributes: {}, nonResourceAttributes: {} }, 'Invalid spec.nonResourceAttributes'],
    [{ groups: ['g'] }, 'Invalid spec.resourceAttributes'],
    [
      { user: 'u', resourceAttributes: { labelSelector: {} } },
      'Required spec.resourceAttributes.labelSelector.requirements',
    ],
  ];
  for (const [spec, ...faults] of rows) {
    const review = asApiObject({ metadata: {}, spec });
    const told = validateReview(review, true).map(
      ({ reason, field }) => `${reason.slice('FieldValue'.length)} ${field}`,
    );
    assert.deepEqual(told, faults, JSON.stringify(spec));
  }
});
