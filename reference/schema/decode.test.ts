import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { DecodingError, decodeTyped, emptyValue } from './decode.ts';
import { TypeLibrary } from './notation.ts';

const library = new TypeLibrary(
  new Map([
    [
      'sample.v1',
      `
Gadget kind
  metadata 1 Meta!
  spec 2 GadgetSpec!
  status 3 GadgetStatus!
Meta
  name 1 string
  labels 2 {}string
GadgetSpec
  size 1 int32* required
  weight 2 int64
  title 3 string
  note 4 string*
  parts 5 []Part map(name) merge(name)
  tags 6 []string set
  cost 7 quantity*
  limits 8 {}quantity
  key 9 bytes
  since 10 time*
  at 11 microTime*
  port 12 intOrString!
  empty 13 Part*
  later 14 string since=36
  free 15 any
  shape 16 Shape*
  ratio 17 double
  rules 18 []string!
GadgetStatus
  seen 1 time!
  count 2 int32!
  ready 3 boolean
Part
  name 1 string! required
  on 2 boolean*
Shape
  properties 1 {}Shape
  items 2 propsOrArray*
  enum 3 []any
JSONSchemaProps
  type 1 string
`,
    ],
  ]),
  { release: 32, vendor: 'sample' },
);
const gadget = library.type('sample.v1.Gadget');
const decode = (json: JsonObject) => decodeTyped(gadget, json);
const fault = (json: JsonObject): string => {
  try {
    decode(json);
  } catch (error) {
    assert.ok(error instanceof DecodingError);
    assert.equal(error.code, 400);
    assert.ok(error.message.startsWith('Gadget in version "v1" cannot be handled as a Gadget: '));
    return error.fault;
  }
  return 'none';
};
const spec = (fields: JsonObject): JsonObject => decode({ spec: fields }).object.spec as JsonObject;

test('fields come out in wire order, whatever order they had', () => {
  const { object } = decode({
    spec: { title: 't', size: 1 },
    metadata: { labels: { a: 'b' }, name: 'n' },
    kind: 'Gadget',
  });
  assert.equal(
    JSON.stringify(object),
    '{"kind":"Gadget","metadata":{"name":"n","labels":{"a":"b"}},"spec":{"size":1,"title":"t","port":0,"rules":null},"status":{"seen":null,"count":0}}',
  );
});

test('presence tells what becomes of empty values', () => {
  const fields = spec({
    size: 0,
    weight: 0,
    title: '',
    note: '',
    parts: [],
    tags: [],
    limits: {},
    empty: {},
    rules: [],
  });
  assert.deepEqual(fields, { size: 0, note: '', port: 0, empty: { name: '' }, rules: null });
  assert.deepEqual(
    (decodeTyped(gadget, { spec: { rules: [] } }, { keepEmpty: true }).object.spec as JsonObject).rules,
    [],
  );
});

test('null counts as absent, and as the empty item in lists and maps', () => {
  assert.deepEqual(spec({ size: null, parts: [null], tags: [null, 'x'] }), {
    parts: [{ name: '' }],
    tags: ['', 'x'],
    port: 0,
    rules: null,
  });
  assert.deepEqual(decode({ metadata: { labels: { a: null } } }).object.metadata, { labels: { a: '' } });
});

test('scalars become canonical', () => {
  assert.deepEqual(
    spec({
      cost: 1.5,
      limits: { cpu: '1000m', memory: '1024Ki' },
      key: 'YWI=\n',
      since: '2026-01-01T02:00:00+02:00',
      at: '2026-01-01T00:00:00.000001Z',
      port: 'http',
    }),
    {
      cost: '1500m',
      limits: { cpu: '1', memory: '1Mi' },
      key: 'YWI=',
      since: '2026-01-01T00:00:00Z',
      at: '2026-01-01T00:00:00.000001Z',
      port: 'http',
      rules: null,
    },
  );
});

test('unknown fields are told by path, in the order met, once', () => {
  const { unknown } = decode({
    metadata: { Name: 'x' },
    spec: { parts: [{ name: 'a' }, { colour: 1 }], later: 'x', nope: {} },
    extra: true,
  });
  assert.deepEqual(unknown, [
    'unknown field "metadata.Name"',
    'unknown field "spec.parts[1].colour"',
    'unknown field "spec.later"',
    'unknown field "spec.nope"',
    'unknown field "extra"',
  ]);
});

test('no more than a hundred unknown fields are told', () => {
  const json: JsonObject = {};
  for (let i = 0; i < 1000; i++) json[`x${i}`] = 1;
  assert.equal(decode(json).unknown.length, 100);
});

test('a value of another type names the field and its type', () => {
  const field = 'json: cannot unmarshal';
  assert.equal(fault({ spec: 'x' }), `${field} string into Go struct field Gadget.spec of type v1.GadgetSpec`);
  assert.equal(
    fault({ spec: { size: '2' } }),
    `${field} string into Go struct field GadgetSpec.spec.size of type int32`,
  );
  assert.equal(
    fault({ spec: { size: 1.5 } }),
    `${field} number 1.5 into Go struct field GadgetSpec.spec.size of type int32`,
  );
  assert.equal(
    fault({ spec: { size: 3000000000 } }),
    `${field} number 3000000000 into Go struct field GadgetSpec.spec.size of type int32`,
  );
  assert.equal(
    fault({ metadata: { labels: { a: true } } }),
    `${field} bool into Go struct field Meta.metadata.labels of type string`,
  );
  assert.equal(
    fault({ metadata: { labels: [] } }),
    `${field} array into Go struct field Meta.metadata.labels of type map[string]string`,
  );
  assert.equal(
    fault({ spec: { parts: {} } }),
    `${field} object into Go struct field GadgetSpec.spec.parts of type []v1.Part`,
  );
  assert.equal(
    fault({ spec: { parts: [{}, { on: 1 }] } }),
    `${field} number into Go struct field Part.spec.parts.on of type bool`,
  );
  assert.equal(
    fault({ spec: { shape: { properties: { a: { properties: 1 } } } } }),
    `${field} number into Go struct field Shape.spec.shape.properties.properties of type map[string]v1.Shape`,
  );
  assert.equal(fault({ spec: { key: '***' } }), 'illegal base64 data at input byte 0');
  assert.equal(fault({ spec: { cost: 'much' } }).startsWith('quantities must match the regular expression'), true);
});

test('integers must be written whole', () => {
  const numberTexts = new Map([['spec.size', '2.0']]);
  assert.throws(
    () => decodeTyped(gadget, { spec: { size: 2 } }, { numberTexts }),
    /cannot unmarshal number 2\.0 into Go struct field GadgetSpec\.spec\.size of type int32$/,
  );
  assert.equal((decodeTyped(gadget, { spec: { ratio: 2 } }, { numberTexts }).object.spec as JsonObject).ratio, 2);
});

test('integers of 64 bits keep their digits', () => {
  assert.equal(spec({ weight: 9223372036854775807n }).weight, 9223372036854775807n);
  assert.match(fault({ spec: { weight: 9223372036854775808n } }), /number 9223372036854775808 into/);
});

test('names from outside are ordinary names', () => {
  const labels = JSON.parse('{"__proto__":"x","constructor":"y"}') as JsonObject;
  const { object, unknown } = decode({
    metadata: { labels },
    ...(JSON.parse('{"__proto__":{"polluted":1}}') as JsonObject),
  });
  assert.deepEqual(Object.keys((object.metadata as JsonObject).labels as JsonObject), ['__proto__', 'constructor']);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
  assert.deepEqual(decode(JSON.parse('{"constructor":1}') as JsonObject).unknown, ['unknown field "constructor"']);
  assert.ok(unknown.length <= 1);
});

test('unions take their shapes only, and drop unknown fields without a word', () => {
  const { object, unknown } = decode({ spec: { shape: { items: { type: 'a', nope: 1 } } } });
  assert.deepEqual(((object.spec as JsonObject).shape as JsonObject).items, { type: 'a' });
  assert.deepEqual(unknown, []);
  assert.match(fault({ spec: { shape: { items: 1 } } }), /cannot unmarshal number into/);
});

test('deep nesting ends in a fault, not in a crash', () => {
  let shape: JsonObject = {};
  for (let i = 0; i < 5000; i++) shape = { properties: { x: shape } };
  assert.equal(fault({ spec: { shape } }), 'exceeded max depth');
});

test('kind and apiVersion given come first', () => {
  const { object } = decodeTyped(
    gadget,
    { metadata: {}, kind: 'gadget' },
    { typeMeta: { apiVersion: 'x/v1', kind: 'Gadget' } },
  );
  assert.deepEqual(Object.keys(object).slice(0, 3), ['kind', 'apiVersion', 'metadata']);
  assert.equal(object.kind, 'Gadget');
});

test('the empty value of an object has what is always written', () => {
  assert.deepEqual(emptyValue(gadget), {
    metadata: {},
    spec: { port: 0, rules: null },
    status: { seen: null, count: 0 },
  });
});

test('integers keep the bits of a number that they have room for, where values are converted', () => {
  const rows: readonly (readonly [field: string, value: number | bigint | string, result: number | bigint | string])[] =
    [
      ['size', 7, 7],
      ['size', 2_147_483_648, -2_147_483_648],
      ['size', 4_294_967_297, 1],
      ['size', 1e30, 0],
      ['size', 1.5, 'cannot convert float64 to int32'],
      ['size', 'x', 'unrecognized type: int32'],
      ['weight', 4_294_967_297, 4_294_967_297],
      ['weight', 9_223_372_036_854_775_807n, 9_223_372_036_854_775_807n],
      ['weight', 1e30, -9_223_372_036_854_775_808n],
    ];
  for (const [field, value, result] of rows) {
    const converted = () =>
      decodeTyped(gadget, { spec: { [field]: value } }, { converts: true }).object.spec as JsonObject;
    if (typeof result === 'string') assert.throws(converted, { fault: result });
    else assert.equal(converted()[field], result, `${field} ${value}`);
  }
});
