import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../api/json.ts';
import { atOnce, type Staged } from '../api/staged.ts';
import { decodeInParts as decodedInParts, decodeTyped } from '../schema/decode.ts';
import { testSchema } from '../testing/encodingFixture.ts';
import { compare, compareInParts, everyField, everyFieldInParts } from './compare.ts';
import { equalSets } from './fieldSet.ts';
import { decodeFields, decodeInParts, encodeFields, encodeInParts } from './fieldsV1.ts';
import { merge, mergeInParts } from './merge.ts';

const MANY = 20_000;
const schema = testSchema('Pod');

/** A pod with very many labels, finalizers, owners and containers, some of which stand twice. */
function pod(value: string, from = 0, repeat = 0): JsonObject {
  const numbers = Array.from({ length: MANY }, (_, at) => at + from);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'p',
      labels: Object.fromEntries(numbers.map((at) => [`k${at}`, value])),
      finalizers: [...numbers, ...numbers.slice(0, repeat)].map((at) => `a.b/f${at}`),
    },
    spec: {
      containers: [...numbers, ...numbers.slice(0, repeat)].map((at) => ({
        name: `c${at}`,
        image: value,
        env: [{ name: 'A', value }],
      })),
      nodeSelector: { a: value },
    },
  };
}

const PAIRS: Readonly<Record<string, readonly [Json | undefined, Json | undefined]>> = {
  'nothing before': [undefined, pod('v')],
  'nothing afterwards': [pod('v'), undefined],
  'other values': [pod('v'), pod('w')],
  'other members': [pod('v'), pod('v', 500)],
  'repeated items': [pod('v', 0, 3), pod('v', 1, 2)],
  'the same': [pod('v'), pod('v')],
  'a record that becomes none': [pod('v'), { ...pod('v'), spec: null }],
};

function pausesOf(work: Staged<unknown>): number {
  let pauses = 0;
  while (!work.next().done) pauses++;
  return pauses;
}

test('large values are compared in parts as in one go', () => {
  for (const [name, [before, after]] of Object.entries(PAIRS)) {
    const whole = compare(schema, before, after);
    const parts = atOnce(compareInParts(schema, before, after));
    for (const kind of ['added', 'modified', 'removed'] as const) assert.ok(equalSets(parts[kind], whole[kind]), name);
  }
  assert.ok(pausesOf(compareInParts(schema, pod('v'), pod('w'))) >= 4);
});

test('records of ownership are written and read in parts as in one go', () => {
  const set = everyField(schema, pod('v', 0, 2));
  const parts = atOnce(everyFieldInParts(schema, pod('v', 0, 2)));
  assert.ok(equalSets(set, parts));
  const written = atOnce(encodeInParts(parts));
  assert.equal(JSON.stringify(written), JSON.stringify(encodeFields(set)));
  const read = JSON.parse(JSON.stringify(written)) as JsonObject;
  const again = JSON.parse(JSON.stringify(written)) as JsonObject;
  assert.ok(equalSets(atOnce(decodeInParts(read)), decodeFields(again)));
  assert.ok(pausesOf(encodeInParts(everyField(schema, pod('v')))) >= 2);
  assert.throws(() => atOnce(decodeInParts({ ...again, 'f:x': 'text' })), /expected an object below/);
});

test('large configurations are merged in parts as in one go', () => {
  for (const [name, [before, after]] of Object.entries(PAIRS)) {
    if (after === undefined) continue;
    assert.deepEqual(atOnce(mergeInParts(schema, before, after)), merge(schema, before, after), name);
  }
});

test('large objects are decoded in parts as in one go, and refused in the same words', () => {
  const typeMeta = { apiVersion: 'v1', kind: 'Pod' };
  for (const keepEmpty of [false, true]) {
    const sent = { ...pod('v', 0, 1), more: 1, status: { conditions: [] } };
    const options = { typeMeta, keepEmpty };
    const whole = decodeTyped(schema, sent, options);
    const parts = atOnce(decodedInParts(schema, sent, options));
    assert.equal(JSON.stringify(parts), JSON.stringify(whole));
  }
  const wrong = pod('v');
  ((wrong.spec as JsonObject).containers as JsonObject[])[77] = { name: 5 };
  const refused = (decode: () => unknown): string => {
    try {
      decode();
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const message = refused(() => decodeTyped(schema, wrong, { typeMeta }));
  assert.match(message, /cannot unmarshal number/);
  assert.equal(
    refused(() => atOnce(decodedInParts(schema, wrong, { typeMeta }))),
    message,
  );
});
