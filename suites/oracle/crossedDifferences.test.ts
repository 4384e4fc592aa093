import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Seen } from '../sequences/normal.ts';
import type { Step } from '../sequences/step.ts';
import { crossedDifferences } from './crossedDifferences.ts';

const HOLD = 'touchstone.example/hold';
const steps = [{ as: 'admin', method: 'DELETE', path: '/api/v1/namespaces/{ns}/configmaps/a' }] as const;
const seen = (what: Seen['what'], status: number, body: unknown): Seen => ({
  step: 0,
  what,
  status,
  headers: {},
  warnings: [],
  body,
});
const gone = seen('object', 404, { apiVersion: 'v1', kind: 'Status', reason: 'NotFound' });
const leaving = (...finalizers: readonly string[]) => {
  const metadata = { name: 'a', labels: { seq: '{id}' }, deletionTimestamp: '<time>', finalizers };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata };
};
const differences = (first: Seen, second: Seen, played: readonly Step[] = steps) =>
  crossedDifferences(
    played,
    ...([first, second].map((each) => ({ seen: [each], prepared: [], sent: [], cleaned: [] })) as [never, never]),
  );

test('what a collector alone has still to take away is as gone, however long it waits', () => {
  assert.deepEqual(differences(gone, seen('object', 200, leaving('orphan'))), []);
  const list = (...items: readonly object[]) => seen('collection', 200, { items });
  assert.deepEqual(differences(list(), list(leaving('foregroundDeletion'))), []);
});

test('what something else holds is there', () => {
  assert.equal(differences(gone, seen('object', 200, leaving('orphan', HOLD))).length, 1);
  assert.deepEqual(differences(seen('object', 200, leaving(HOLD)), seen('object', 200, leaving('orphan', HOLD))), []);
  assert.equal(differences(gone, seen('object', 200, leaving(HOLD))).length, 1);
});

test('events of what a collector has still to do are as if it were done', () => {
  const told = (type: string, ...finalizers: readonly string[]) => ({ type, object: leaving(...finalizers) });
  const events = (...all: readonly object[]) => seen('events', 200, all);
  const whole = events(told('MODIFIED', 'orphan'), told('DELETED'));
  assert.deepEqual(differences(whole, events(told('MODIFIED', 'orphan'))), []);
  const held = events(told('MODIFIED', HOLD, 'orphan'), told('MODIFIED', HOLD));
  assert.deepEqual(differences(held, events(told('MODIFIED', HOLD, 'orphan'))), []);
  assert.notEqual(differences(whole, events(told('MODIFIED', HOLD))).length, 0);
});

test('by which code a PUT is refused under Strict counts for fields that nobody knows, and for nothing else', () => {
  const path = '/apis/rbac.authorization.{domain}/v1/clusterrolebindings/a?fieldValidation=Strict';
  const put = (body: Step['body']): readonly Step[] => [
    { as: 'admin', method: 'PUT', path, ...(body ? { body } : {}) },
  ];
  const codes = (played: readonly Step[]) => differences(seen('answer', 400, {}), seen('answer', 422, {}), played);
  assert.deepEqual(codes(put({ kind: 'ClusterRoleBinding' })), []);
  assert.equal(codes(put({ kind: 'ClusterRoleBinding', stranger: 1 })).length, 1);
});
