import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asApiObject } from '../../api/object.ts';
import { mutatingPolicyOf, policyOf } from './policy.ts';
import { programsOf } from './programs.ts';

test('a policy is read and compiled once for all servers that have the same stored object', () => {
  const metadata = { name: 'p', uid: '1', resourceVersion: '1' };
  const stored = asApiObject({ metadata, spec: { validations: [{ expression: 'true' }] } });
  assert.equal(policyOf(stored), policyOf(stored));
  assert.equal(programsOf(policyOf(stored)), programsOf(policyOf(stored)));
  assert.equal(mutatingPolicyOf(stored), mutatingPolicyOf(stored));
  const changed = asApiObject({ metadata: { ...metadata, resourceVersion: '2' }, spec: {} });
  assert.notEqual(policyOf(changed), policyOf(stored));
});
