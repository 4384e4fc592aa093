import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kubernetes } from '../../../../fixtures/dialects/kubernetes.ts';
import { FieldPath } from '../../../api/fieldPath.ts';
import type { JsonObject } from '../../../api/json.ts';
import { atOnce } from '../../../api/staged.ts';
import { ExpressionScope } from '../../../cel/program.ts';
import { bareType } from './declaredTypes.ts';
import { validateNodes } from './nodeRules.ts';
import { readSchema } from './readSchema.ts';
import { sizedTypeOf } from './sizedTypes.ts';

function cost(schema: JsonObject, rule: string): number {
  const node = readSchema(schema, kubernetes);
  const type = bareType(node, false);
  const sizes = sizedTypeOf(node, false);
  assert.ok(type && sizes);
  const compiled = new ExpressionScope({ self: type, oldSelf: type }).compile(rule, 'bool');
  if ('fault' in compiled) throw new Error(compiled.fault);
  return compiled.program.estimate(sizes);
}

const ITEMS: Readonly<Record<string, JsonObject>> = {
  'int-or-string': { 'x-kubernetes-int-or-string': true },
  duration: { type: 'string', format: 'duration' },
  date: { type: 'string', format: 'date' },
  'date-time': { type: 'string', format: 'date-time' },
  numbers: { type: 'array', items: { type: 'number' } },
  object: {
    type: 'object',
    required: ['required'],
    properties: { required: { type: 'string' }, optional: { type: 'string' } },
  },
  map: { type: 'object', additionalProperties: { type: 'number' } },
};
const item = (name: string): JsonObject => ITEMS[name] ?? { type: name };
type Make = (most?: number) => JsonObject;
const array =
  (name: string): Make =>
  (most) => ({ type: 'array', items: item(name), ...(most === undefined ? {} : { maxItems: most }) });
const map =
  (name: string): Make =>
  (most) => ({
    type: 'object',
    additionalProperties: item(name),
    ...(most === undefined ? {} : { maxProperties: most }),
  });
const text: Make = (most) => ({ type: 'string', ...(most === undefined ? {} : { maxLength: most }) });
const texts: Make = (most) => ({ ...array('string')(most), items: text(most) });
const object =
  (fields: Readonly<Record<string, Make>>): Make =>
  (most) => ({
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, make]) => [name, make(most)])),
  });

/** Name, schema, rule, estimate without limits, limit, estimate with it: as the service computes them. */
const ROWS: readonly [Make, string, number, number, number][] = [
  [array('number'), 'self.all(x, true)', 4718591, 10, 32],
  [array('string'), 'self.all(x, true)', 3145727, 20, 62],
  [array('boolean'), 'self.all(x, true)', 1887437, 5, 17],
  [array('numbers'), 'self.all(x, true)', 3145727, 100, 302],
  [array('object'), 'self.all(x, true)', 555128, 50, 152],
  [array('int-or-string'), 'self.all(x, true)', 4718591, 10, 32],
  [array('duration'), 'self.all(x, true)', 2359295, 5, 17],
  [array('date'), 'self.all(x, true)', 725936, 15, 47],
  [array('date-time'), 'self.all(x, true)', 428963, 25, 77],
  [map('number'), 'self.all(x, true)', 1348169, 10, 32],
  [map('string'), 'self.all(x, true)', 1179647, 3, 11],
  [map('boolean'), 'self.all(x, true)', 943718, 100, 302],
  [map('object'), 'self.all(x, true)', 428963, 20, 62],
  [map('map'), 'self.all(x, true)', 1179647, 10, 32],
  [map('numbers'), 'self.all(x, true)', 1179647, 25, 77],
  [map('duration'), 'self.all(x, true)', 1048577, 5, 17],
  [map('date'), 'self.all(x, true)', 524288, 10, 32],
  [map('date-time'), 'self.all(x, true)', 349526, 25, 77],
  [text, "self.contains('test')", 314574, 10, 5],
  [text, "self.startsWith('test')", 2, 15, 2],
  [text, 'size(self + "hello") > size("hello")', 314578, 4, 7],
  [text, 'self.matches("x")', 314574, 50, 22],
  [text, '"".matches("(((((((((())))))))))[0-9]")', 7, 10, 7],
  [text, 'self.matches("")', 1, 100, 1],
  [text, 'self == "x"', 2, 0, 1],
  [text, "self.find('[0-9]+') == ''", 629147, 10, 11],
  [text, "self.lowerAscii() == 'lower!'", 314575, 10, 6],
  [array('number'), 'self[1] == 0.0', 2, 5000, 2],
  [array('string'), 'self[1] == self[1]', 314577, 8, 314577],
  [array('int-or-string'), 'self[0] == 5', 3, 10, 3],
  [array('boolean'), 'self[0] == false', 2, 25, 2],
  [array('numbers'), 'self[0][0] == -1.0', 3, 51, 3],
  [array('map'), 'self.all(x, x.y == 25.2)', 6291452, 12, 74],
  [array('map'), 'self[0].x > 2.0', 4, 3000, 4],
  [array('duration'), 'self[0].getHours() == 2', 4, 525, 4],
  [map('number'), 'self["x"] == 0.0', 2, 0, 2],
  [map('integer'), 'oldSelf.size() == self.size()', 5, 10, 5],
  [map('date-time'), 'self["a"] == self["b"]', 8, 7, 8],
  [map('duration'), 'self["c"] == self["d"]', 8, 42, 8],
  [array('number'), 'self.all(x, x == 0.0)', 6291454, 3 * 1024 * 2048, 25165826],
  [texts, "self.join(' ') == 'aa bb'", 329853068905, 10, 43],
  [texts, 'self.isSorted() == true', 329854432052, 10, 52],
  [object({ str: text, separator: text }), 'self.str.split(self.separator) == []', 629160, 10, 22],
  [
    object({ str: text, before: () => text(2), after: () => text(4) }),
    "self.str.replace(self.before, self.after) == 'does not matter'",
    629154,
    4,
    12,
  ],
];

describe('costs of rules before they run', () => {
  for (const [make, rule, free, most, limited] of ROWS) {
    it(`${rule} of ${JSON.stringify(make(most))}`, () => {
      assert.equal(cost(make(), rule), free);
      assert.equal(cost(make(most), rule), limited);
    });
  }

  it('of loops inside loops multiply', () => {
    assert.equal(cost(array('number')(10), 'self.all(x, self.all(y, true))'), 352);
    assert.equal(cost(array('number')(10), 'self.all(x, self.all(y, self.all(z, true)))'), 3552);
    assert.ok(cost(array('number')(), 'self.all(x, self.all(y, true))') > 10_000_000);
  });

  it('of texts that are one of a few are those of the longest', () => {
    const schema = { type: 'string', enum: ['A', 'B', 'C', 'LongValue'] };
    assert.equal(cost(schema, "self.contains('A')"), 2);
    assert.equal(cost({ ...schema, maxLength: 1000 }, "self.contains('A')"), 401);
  });
});

describe('definitions whose rules could cost too much', () => {
  const limits =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  const faults = (properties: JsonObject): string[] => {
    const root = readSchema({ type: 'object', properties }, kubernetes);
    const path = FieldPath.of('schema');
    return atOnce(validateNodes(root, path, kubernetes, true)).expressions.map(
      ({ field, message }) => `${field}: ${message}`,
    );
  };
  const withRule = (schema: JsonObject, ...rules: string[]): JsonObject => ({
    ...schema,
    'x-kubernetes-validations': rules.map((rule) => ({ rule })),
  });

  it('are refused, with the factor and the rules that cost most', () => {
    const nested = withRule(array('number')(), 'self.all(x, self.all(y, true))');
    const rule = 'schema.properties[list].x-kubernetes-validations[0].rule';
    assert.deepEqual(faults({ list: nested }), [
      `${rule}: Forbidden: estimated rule cost exceeds budget by factor of more than 100x (${limits})`,
      `${rule}: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`,
      `schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x (${limits})`,
    ]);
    assert.deepEqual(faults({ list: withRule(array('number')(1000), 'self.all(x, self.all(y, true))') }), []);
  });

  it('count a rule as often as its value can stand in a request', () => {
    const inner = withRule(text(1000) as JsonObject, "self.contains('test')");
    assert.deepEqual(faults({ list: { type: 'array', maxItems: 100, items: inner } }), []);
    const [first = ''] = faults({ list: { type: 'array', items: inner } });
    assert.match(first, /estimated rule cost exceeds budget by factor of 42\.0x/);
    const [other = ''] = faults({ list: { type: 'array', maxItems: 30000, items: inner } });
    assert.match(other, /estimated rule cost exceeds budget by factor of 1\.203000x/);
  });

  it('look at computed messages too', () => {
    const schema = {
      ...text(),
      'x-kubernetes-validations': [{ rule: "self != 'x'", messageExpression: 'self + string(size(self))' }],
    };
    assert.match(
      faults({ text: schema })[0] ?? '',
      /messageExpression: Forbidden: estimated messageExpression cost exceeds budget by factor of more than 100x/,
    );
  });
});
