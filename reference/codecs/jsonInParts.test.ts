import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../api/json.ts';
import { atOnce } from '../api/staged.ts';
import type { Schema } from '../schema/schema.ts';
import { testSchema } from '../testing/encodingFixture.ts';
import { jsonBySchema, sortedJson } from './jsonBySchema.ts';
import { jsonInParts, type Layout, TextPieces } from './jsonInParts.ts';
import { stringify } from './jsonText.ts';

const MANY = 20_000;
const numbers = Array.from({ length: MANY }, (_, at) => at);
const wide: JsonObject = Object.fromEntries(numbers.map((at) => [`k${at} é<`, { z: at, a: [`${at}`, null, at > 9] }]));
const podSchema: Schema = testSchema('Pod');
const pod: JsonObject = {
  unknown: { b: wide, a: 1 },
  spec: {
    containers: numbers.map((at) => ({ image: 'i', name: `c${at}`, env: [{ name: 'A', value: 'é\u2028&' }] })),
    nodeSelector: { b: 'x', a: 'y' },
  },
  metadata: {
    name: 'p',
    labels: Object.fromEntries(numbers.map((at) => [`l${at}`, 'v'])),
    managedFields: [{ fieldsV1: wide }],
  },
  kind: 'Pod',
};

function inParts(value: Json, layout: Layout): { readonly text: string; readonly pauses: number } {
  const out = new TextPieces();
  const work = jsonInParts(out, value, layout);
  let pauses = 0;
  while (!work.next().done) pauses++;
  return { text: Buffer.from(out.bytes()).toString(), pauses };
}

test('text made in parts is the text made in one go, in every order of names', () => {
  for (const value of [pod, wide, numbers, [], {}, 'é', null, 5, 12345678901234567890n, [[wide]]] as Json[]) {
    assert.equal(inParts(value, 'plain').text, stringify(value));
    assert.equal(inParts(value, 'sorted').text, sortedJson(value));
    assert.equal(inParts(value, podSchema).text, jsonBySchema(value, podSchema));
  }
});

test('a member that is not there is not written, and depth beyond what a stack allows is', () => {
  let deep: Json = numbers;
  for (let depth = 0; depth < 2_000; depth++) deep = depth % 2 === 0 ? [deep] : { a: deep };
  assert.equal(inParts(deep, 'plain').text, stringify(deep));
  const gaps = { ...wide, gone: undefined } as unknown as JsonObject;
  assert.equal(inParts(gaps, 'sorted').text, sortedJson(gaps));
});

test('long work pauses, short work does not', () => {
  assert.ok(inParts(pod, podSchema).pauses >= 8);
  assert.equal(inParts({ kind: 'Pod', metadata: { name: 'p' } }, podSchema).pauses, 0);
  assert.equal(atOnce(jsonInParts(new TextPieces(), pod, podSchema)), undefined);
});
