import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requirementsOf } from './about.ts';
import type { SeenDifference } from './compare.ts';
import type { Step } from './step.ts';

const ITEM = '/api/v1/namespaces/{ns}/configmaps/a';
const admin = { as: 'admin' } as const;
const patch = (type: string, path = ITEM, body: Step['body'] = {}): Step => ({
  ...admin,
  method: 'PATCH',
  path,
  headers: { 'content-type': `application/${type}` },
  body,
});

function about(step: Step, path: string, values: readonly [unknown, unknown], more: Partial<SeenDifference> = {}) {
  const [first, second] = values;
  return requirementsOf(
    { step, difference: { step: 0, what: 'answer', path, first, second, wording: false, ...more } },
    [],
  );
}

test('a dry run that is stored is about its effect and its verb', () => {
  const dry = patch('strategic-merge-patch+json', `${ITEM}?dryRun=All`);
  assert.deepEqual(about(dry, 'metadata.labels', ['a', 'b'], { what: 'object' }), [
    'DRYRUN-EFFECT-01',
    'DRYRUN-PATCH-01',
  ]);
});

test('what a request says in its parameters, encoding and body decides before what it does', () => {
  const strict = patch('merge-patch+json', `${ITEM}?fieldValidation=Strict`, { stranger: '1' });
  assert.deepEqual(about(strict, 'status', [400, 200]), ['FIELDS-STRICT-02']);
  const yaml: Step = { ...admin, method: 'PUT', path: ITEM, form: 'yaml', body: {} };
  assert.deepEqual(about(yaml, 'status', [200, 415]), ['YAML-REQUEST-01']);
  const stale: Step = { ...admin, method: 'PUT', path: ITEM, body: { metadata: { resourceVersion: '1' } } };
  assert.deepEqual(about(stale, 'status', [409, 200]), ['UPDATE-VERSION-02']);
});

test('an answer as a Table is about Tables, in a list about what it has in common with the list too', () => {
  const headers = { accept: 'application/json;as=Table;v=v1;g=meta.{domain}' };
  const list: Step = { ...admin, method: 'GET', path: '/api/v1/configmaps?labelSelector=seq%3D{id}', headers };
  assert.deepEqual(about(list, 'rows.length', [2, 1]), ['TABLE-SHAPE-01', 'TABLE-CONSISTENT-01']);
});

test('a request of which nothing else matters is about what it does', () => {
  assert.deepEqual(about(patch('merge-patch+json'), 'data.a', ['1', '2']), ['MERGEPATCH-RULE-01']);
  const refused = patch('apply-patch+yaml', `${ITEM}?fieldManager=ann`);
  assert.deepEqual(about(refused, 'status', [409, 200]), ['APPLY-CONFLICT-01']);
});
