import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../api/json.ts';
import { atOnce, type Staged, sortInParts } from '../api/staged.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { testSchema } from '../testing/encodingFixture.ts';
import { cborInParts, encodeCbor } from './cborWrite.ts';
import { indentInParts, indentJson, stringify } from './jsonText.ts';
import { encodeMessage, messageInParts } from './protobufWrite.ts';
import { yamlInParts, yamlText } from './yamlText.ts';

const MANY = 40_000;
const numbers = Array.from({ length: MANY }, (_, at) => at);
const wide: JsonObject = Object.fromEntries(
  numbers.map((at) => [
    `k${(at * 7) % MANY} é<`,
    at % 3 ? { z: at, a: [`${at}`, null, at > 9] } : 'text: with a colon',
  ]),
);
const deep = (levels: number): Json =>
  levels === 0 ? wide : levels % 2 ? [deep(levels - 1)] : { d: deep(levels - 1) };
const pod: JsonObject = {
  spec: {
    containers: numbers.map((at) => ({
      name: `c${at}`,
      image: 'i',
      env: at === 0 ? numbers.map((one) => ({ name: `A${one}`, value: 'é' })) : [],
      resources: { limits: { cpu: '1', memory: '2Gi' } },
    })),
    nodeSelector: Object.fromEntries(numbers.map((at) => [`l${MANY - at}`, 'v'])),
    volumes: [{ name: 'v', configMap: { name: 'm', items: numbers.map((at) => ({ key: `k${at}`, path: 'p' })) } }],
  },
  metadata: { name: 'p', annotations: { a: 'b' }, managedFields: [{ manager: 'm', fieldsV1: wide }] },
};
const values: readonly Json[] = [
  pod,
  wide,
  numbers,
  deep(7),
  deep(104),
  [[wide], 'a', []],
  [],
  {},
  'é',
  null,
  { a: {} },
];

/** What staged work comes to, and how often it pauses. */
function paused<T>(work: Staged<T>): { readonly made: T; readonly pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const step = work.next();
    if (step.done) return { made: step.value, pauses };
  }
}

test('YAML and CBOR made in parts are what is made in one go', () => {
  for (const value of values) {
    assert.ok(Buffer.from(atOnce(yamlInParts(value))).equals(Buffer.from(yamlText(value))));
    assert.ok(Buffer.from(atOnce(cborInParts(value, undefined))).equals(encodeCbor(value, undefined)));
  }
  assert.ok(paused(yamlInParts(pod)).pauses > 5);
  assert.ok(paused(cborInParts(pod, testSchema('Pod'))).pauses > 2);
});

test('a message made in parts is the one made in one go', () => {
  const schema = testSchema('Pod') as ObjectSchema;
  for (const object of [pod, {}, { metadata: { name: 'a' } }]) {
    const { made, pauses } = paused(messageInParts(schema, object));
    assert.ok(Buffer.from(made).equals(encodeMessage(schema, object)));
    assert.equal(pauses > 2, object === pod);
  }
});

test('text indented in parts is the text indented in one go', () => {
  for (const value of values) {
    let text = '';
    const { pauses } = paused(indentInParts(stringify(value), (more) => (text += more)));
    assert.equal(text, indentJson(stringify(value)));
    if (value === pod) assert.ok(pauses > 1);
  }
});

test('names sorted in parts are in the order that sorting gives them', () => {
  const compare = (a: string, b: string) => b.length - a.length || (a < b ? -1 : 1);
  for (const names of [Object.keys(wide), numbers.map((at) => `k${at}`), [], ['b', 'a']]) {
    assert.deepEqual(atOnce(sortInParts(names)), [...names].sort());
    assert.deepEqual(atOnce(sortInParts(names, compare)), [...names].sort(compare));
  }
});
