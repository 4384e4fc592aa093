import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { type ApiObject, asJson } from '../api/object.ts';
import { settleEmpty } from '../objects/emptyLists.ts';
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts';
import { dropUnknown } from '../schema/unknownFields.ts';
import { resetNew, resetToOld } from './resets.ts';

const TEXT: Schema = { kind: 'scalar', type: 'string' };
const list = (items: Schema): Schema => ({ kind: 'list', items, listType: 'atomic', keys: [] });
function shape(fields: Record<string, [Schema, Field['presence']]>): ObjectSchema {
  const named = Object.entries(fields).map(
    ([name, [schema, presence]]) => [name, { name, schema, presence, required: false }] as const,
  );
  return { kind: 'object', mapType: 'granular', fields: new Map<string, Field>(named) };
}
const RULE = shape({ verbs: [list(TEXT), 'always'], names: [list(TEXT), 'nonEmpty'] });
const STATUS = shape({ replicas: [{ kind: 'scalar', type: 'int32' }, 'always'], phase: [TEXT, 'nonEmpty'] });
const KIND = shape({
  rules: [list(RULE), 'always'],
  status: [STATUS, 'always'],
  note: [TEXT, 'nonEmpty'],
});
const object = (content: JsonObject): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'a' },
  ...content,
});

test('empty lists that are always written become none, wherever they stand', () => {
  const outer = object({ rules: [] });
  settleEmpty(KIND, outer);
  assert.equal(outer.rules, null);
  const inner = object({ rules: [{ verbs: [], names: [] }, { verbs: ['get'] }] });
  settleEmpty(KIND, inner);
  assert.deepEqual(inner.rules, [{ verbs: null, names: [] }, { verbs: ['get'] }]);
});

test('a new object loses what another endpoint writes, as far as it may be absent', () => {
  const made = object({ status: { replicas: 3, phase: 'x' }, note: 'n' });
  resetNew(made, [['status'], ['note'], ['metadata', 'labels']], KIND);
  assert.deepEqual(made.status, { replicas: 0 });
  assert.equal('note' in made, false);
});

test('a changed object keeps what another endpoint writes, and its own records and conditions', () => {
  const old = object({ status: { replicas: 3 } });
  old.metadata = { name: 'a', labels: { x: 'old' }, managedFields: [{ manager: 'old' }], resourceVersion: '1' };
  const next = object({ note: 'new', status: { replicas: 9 } });
  next.metadata = { name: 'a', labels: { x: 'new' }, managedFields: [{ manager: 'new' }], resourceVersion: '2' };
  resetToOld(next, old, [['status'], ['note']]);
  assert.deepEqual(next.status, { replicas: 3 });
  assert.equal('note' in next, false);
  assert.notEqual(next.status, old.status, 'the stored object is shared');
  resetToOld(next, old, [['metadata']]);
  assert.deepEqual(next.metadata, {
    name: 'a',
    labels: { x: 'old' },
    managedFields: [{ manager: 'new' }],
    resourceVersion: '2',
  });
});

test('fields outside the schema are left out and named by their path', () => {
  const sent = { apiVersion: 'v1', kind: 'Thing', rules: [{ verbs: ['get'], odd: 1 }], extra: true };
  const { known, unknown } = dropUnknown(KIND, sent);
  assert.deepEqual(unknown, ['unknown field "rules[0].odd"', 'unknown field "extra"']);
  assert.deepEqual(known, { apiVersion: 'v1', kind: 'Thing', rules: [{ verbs: ['get'] }] });
  const clean = asJson(object({ note: 'n' }));
  delete clean.metadata;
  assert.equal(dropUnknown(KIND, clean).known, clean);
});
