import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { applySchemaDefaults } from './defaults.ts';
import { TypeLibrary } from './notation.ts';
import type { ObjectSchema } from './schema.ts';

const type = new TypeLibrary(
  new Map([
    [
      'a.v1',
      `
Box
  mode 1 string default="Auto"
  ports 2 []Port
  named 3 {}Port
  next 4 Box*
Port
  protocol 1 string* default="TCP"
  number 2 int32
`,
    ],
  ]),
  { release: 32, vendor: 'x' },
).type('a.v1.Box');

test('absent fields get their defaults at every depth', () => {
  const box: JsonObject = { ports: [{ number: 1 }, { protocol: 'UDP' }], named: { a: {} }, next: { mode: '' } };
  applySchemaDefaults(type, box);
  assert.deepEqual(box, {
    ports: [{ number: 1, protocol: 'TCP' }, { protocol: 'UDP' }],
    named: { a: { protocol: 'TCP' } },
    next: { mode: '' },
    mode: 'Auto',
  });
});

test('null gives way to a default where no null is allowed, and defaults are filled below defaults', () => {
  const inner: ObjectSchema = {
    kind: 'object',
    mapType: 'granular',
    default: {},
    fields: new Map([
      [
        'level',
        { name: 'level', schema: { kind: 'scalar', type: 'int64', default: 3 }, required: false, presence: 'explicit' },
      ],
    ]),
  };
  const outer: ObjectSchema = {
    kind: 'object',
    mapType: 'granular',
    fields: new Map([
      ['inner', { name: 'inner', schema: inner, required: false, presence: 'explicit' }],
      ['loose', { name: 'loose', schema: { ...inner, nullable: true }, required: false, presence: 'explicit' }],
    ]),
  };
  const first: JsonObject = { inner: null, loose: null };
  applySchemaDefaults(outer, first);
  assert.deepEqual(first, { inner: { level: 3 }, loose: null });
  const second: JsonObject = {};
  applySchemaDefaults(outer, second);
  (second.inner as JsonObject).level = 4;
  const third: JsonObject = {};
  applySchemaDefaults(outer, third);
  assert.deepEqual(third.inner, { level: 3 });
});
