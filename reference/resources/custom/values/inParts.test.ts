import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from '../../../../fixtures/dialects/kubernetes.ts';
import type { JsonObject } from '../../../api/json.ts';
import type { Staged } from '../../../api/staged.ts';
import { readSchema, readSchemaInParts } from '../schema/readSchema.ts';
import { Correlation } from './correlation.ts';
import { decodeCustom, decodeCustomInParts } from './decode.ts';
import { validateValue, validateValueInParts } from './validateValue.ts';

const string = { type: 'string' };
const list = (count: number, item: (at: number) => unknown) => Array.from({ length: count }, (_, at) => item(at));
const map = (count: number, item: (at: number) => unknown) =>
  Object.fromEntries(list(count, (at) => [`k${(at * 7_919) % count}`, item(at)]) as [string, unknown][]);
const spec = (schema: object): JsonObject => ({ type: 'object', properties: { spec: schema } }) as JsonObject;

/** Schemas of `spec`, with values that are large and partly wrong, by what they are about. */
const CASES: Readonly<Record<string, readonly [JsonObject, unknown]>> = {
  'items of a wrong type': [spec({ type: 'array', items: string }), list(24_000, (at) => (at % 5 ? 'a' : at))],
  'too many items': [spec({ type: 'array', items: string, maxItems: 3 }), list(20_000, () => 'a')],
  'entries of a map': [
    spec({ type: 'object', additionalProperties: { ...string, maxLength: 3 } }),
    map(20_000, (at) => (at % 9 ? 'abc' : 'abcd')),
  ],
  'too many entries': [
    spec({ type: 'object', additionalProperties: string, maxProperties: 2 }),
    map(20_000, () => 'a'),
  ],
  'fields that nobody knows': [
    spec({ type: 'object', properties: { known: string }, required: ['known'] }),
    map(20_000, () => 'a'),
  ],
  'alternatives for a whole list and for its items': [
    spec({
      type: 'array',
      items: { type: 'object', properties: { a: string }, oneOf: [{ required: ['a'] }, { maxProperties: 0 }] },
      anyOf: [{ maxItems: 5 }, { minItems: 7_000 }],
      not: { maxItems: 2 },
    }),
    list(9_000, (at) => (at % 11 ? { a: 'x' } : at % 2 ? {} : { a: at })),
  ],
  'defaults, nulls and items that are null': [
    spec({
      type: 'array',
      items: {
        type: 'object',
        default: { a: 'whole' },
        properties: { a: { ...string, default: 'd' }, b: { type: 'integer' }, c: { ...string, nullable: true } },
      },
    }),
    list(9_000, (at) => (at % 3 ? (at % 2 ? { b: null, c: null } : { a: null, x: 1 }) : null)),
  ],
  'maps in maps': [
    spec({ type: 'object', additionalProperties: { type: 'object', additionalProperties: { type: 'integer' } } }),
    map(40, (at) => map(600, (inner) => (inner === at ? 'a' : inner))),
  ],
};

function counted<T>(work: Staged<T>): { readonly value: T; readonly pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const step = work.next();
    if (step.done) return { value: step.value, pauses };
  }
}

for (const [name, [schema, value]] of Object.entries(CASES)) {
  test(`large values are read and judged in parts as in one go: ${name}`, () => {
    const root = readSchema(schema, kubernetes);
    const object = { apiVersion: 'a/v1', kind: 'K', metadata: { name: 'n' }, spec: value } as JsonObject;
    const whole = decodeCustom(object, root, 'K', 'v1');
    const parts = counted(decodeCustomInParts(object, root, 'K', 'v1'));
    assert.deepEqual(parts.value, whole);
    assert.ok(parts.pauses > 2, String(parts.pauses));

    const before = { ...whole.object, spec: Array.isArray(value) ? [] : {} } as JsonObject;
    for (const old of [undefined, whole.object, before]) {
      const link = () => old && new Correlation(root, object, old);
      const found = validateValue(root, object, '', link());
      const inParts = counted(validateValueInParts(root, object, '', link()));
      assert.deepEqual(inParts.value.faults, found.faults);
      assert.equal(inParts.value.checks, found.checks);
    }
  });
}

test('a large schema is read in parts as in one go', () => {
  const one = (at: number) => ({ ...string, pattern: `^a${at}$`, anyOf: [{ maxLength: at }, { enum: ['x'] }] });
  const schema = spec({
    type: 'object',
    properties: map(6_000, one),
    oneOf: list(9_000, (at) => ({ minProperties: at })),
  });
  const parts = counted(readSchemaInParts(schema, kubernetes));
  assert.deepEqual(parts.value, readSchema(schema, kubernetes));
  assert.ok(parts.pauses > 2, String(parts.pauses));
});
