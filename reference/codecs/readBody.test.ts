import assert from 'node:assert/strict';
import test from 'node:test';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { testSchema } from '../testing/encodingFixture.ts';
import { wrap } from './protobufEnvelope.ts';
import { encodeMessage } from './protobufWrite.ts';
import { type BodyOptions, readBody } from './readBody.ts';

const options: BodyOptions = {
  dialect: kubernetes,
  kind: 'ConfigMap',
  schema: testSchema('ConfigMap'),
  custom: false,
  cbor: false,
  firstDocument: false,
};
const read = (text: string, type?: string, more: Partial<BodyOptions> = {}) =>
  readBody(Buffer.from(text), type, { ...options, ...more });
const unrecognized = 'the object provided is unrecognized (must be of type ConfigMap):';

test('the type of a body decides how it is read; JSON needs none', () => {
  const json = '{"apiVersion":"v1","metadata":{"name":"c"}}';
  for (const type of [undefined, '', 'application/json', 'application/json; charset=utf-8', 'Application/JSON']) {
    assert.deepEqual(read(json, type).json, { apiVersion: 'v1', metadata: { name: 'c' } });
  }
  assert.equal(read(json, 'application/yaml').mediaType, 'application/yaml');
  for (const type of ['application/none', 'text/yaml', 'application/cbor', 'garbage']) {
    assert.throws(() => read(json, type), {
      code: 415,
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    });
  }
});

test('faults are 400 and show how the body begins: as text when it looks like JSON, else as bytes', () => {
  const rows: [string, string | undefined, string][] = [
    ['', undefined, "couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)"],
    ['  \n', undefined, "couldn't get version/kind; json parse error: unexpected end of JSON input (20200a)"],
    [
      `{"apiVersion":"v1","kind":"ConfigMap"`,
      undefined,
      `couldn't get version/kind; json parse error: unexpected end of JSON input ({"apiVersion":"v1","kind":"Con ...)`,
    ],
    [
      '3',
      undefined,
      `couldn't get version/kind; json parse error: json: cannot unmarshal number into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (33)`,
    ],
    [
      '{"kind":1}',
      undefined,
      `couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({"kind":1})`,
    ],
    ['{"apiVersion":"a/b/c"}', undefined, 'unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c"})'],
    ['a: [b\n', 'application/yaml', "yaml: line 1: did not find expected ',' or ']' (613a205b620a)"],
    [
      'plain',
      'application/vnd.kubernetes.protobuf',
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (706c61696e)',
    ],
  ];
  for (const [text, type, why] of rows) {
    assert.throws(() => read(text, type), { code: 400, reason: 'BadRequest', message: `${unrecognized} ${why}` }, text);
  }
});

test('null is an empty object', () => {
  assert.deepEqual(read('null').json, {});
  assert.deepEqual(read('', 'application/yaml').json, {});
});

test('members that stand twice come out as warnings and as strict faults word them', () => {
  const json = read('{"data":{"k":"1","k":"2"}}');
  assert.deepEqual(json.duplicates, ['duplicate field "data.k"']);
  assert.deepEqual(json.strictFaults, json.duplicates);
  const yaml = read('data:\n  k: 1\n  k: 2\n  k: 3\n', 'application/yaml');
  assert.deepEqual(yaml.duplicates, ['line 3: key "k" already set in map', 'line 4: key "k" already set in map']);
  assert.deepEqual(yaml.strictFaults, [
    'yaml: unmarshal errors:\n  line 3: key "k" already set in map\n  line 4: key "k" already set in map',
  ]);
});

test('Protobuf is read for built-in types only, and no further when it says that it is something else', () => {
  const type = 'application/vnd.kubernetes.protobuf';
  const message = encodeMessage(testSchema('ConfigMap'), { metadata: { name: 'c' }, data: { k: 'v' } });
  const body = readBody(wrap('v1', 'ConfigMap', message), type, options);
  assert.equal(body.json.kind, 'ConfigMap');
  assert.deepEqual(body.json.data, { k: 'v' });
  assert.deepEqual(readBody(wrap('v1', 'Secret', message), type, options).json, { apiVersion: 'v1', kind: 'Secret' });
  assert.throws(() => readBody(wrap('v1', 'ConfigMap', message), type, { ...options, custom: true }), { code: 415 });
});

test('CBOR is read while its gate is on', () => {
  const bytes = (hex: string) => readBody(Buffer.from(hex, 'hex'), 'application/cbor', { ...options, cbor: true });
  assert.deepEqual(bytes('a1646b696e6469436f6e6669674d6170').json, { kind: 'ConfigMap' });
  assert.throws(() => bytes(''), { message: `${unrecognized} unable to determine group/version/kind: EOF (<empty>)` });
  assert.throws(() => bytes('a16464617461a2616161316161613 2'.replace(' ', '')), {
    code: 400,
    message:
      'ConfigMap in version "" cannot be handled as a ConfigMap: cbor: found duplicate map key "a" at map element index 1',
  });
});
