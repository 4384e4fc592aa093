import assert from 'node:assert/strict';
import test from 'node:test';
import { Decoder, encode } from 'cbor-x';
import fc from 'fast-check';
import type { Json } from '../api/json.ts';
import { testSchema } from '../testing/encodingFixture.ts';
import { CborSyntaxError, readCbor } from './cborRead.ts';
import { describeCbor, encodeCbor } from './cborWrite.ts';
import { stringify } from './jsonText.ts';

const foreign = new Decoder({ mapsAsObjects: false, useRecords: false });

/** What another decoder finds, with its byte strings as text and its maps as objects. */
function witness(bytes: Uint8Array): unknown {
  const plain = (value: unknown): unknown => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
    if (Array.isArray(value)) return value.map(plain);
    if (value instanceof Map) return Object.fromEntries([...value].map(([k, v]) => [plain(k), plain(v)]));
    return value;
  };
  return plain(foreign.decode(Buffer.from(bytes)));
}

test('a foreign decoder reads what is written: text as byte strings, numbers in the fewest bytes', () => {
  const value = {
    a: 'text',
    b: [1, -1, 23, 24, 255, 256, 65536, 2 ** 31, 0.5, 1.1, 3.4028234663852886e38],
    c: { d: null, e: true },
  };
  assert.deepEqual(witness(encodeCbor(value, undefined)), value);
  assert.equal(Buffer.from(encodeCbor('v1', undefined)).toString('hex'), '427631');
  assert.equal(Buffer.from(encodeCbor(0.5, undefined)).toString('hex'), 'f93800');
  assert.equal(Buffer.from(encodeCbor(100_000.5, undefined)).toString('hex'), 'fa47c35040');
  assert.equal(Buffer.from(encodeCbor(1.1, undefined)).toString('hex'), 'fb3ff199999999999a');
  assert.equal(Buffer.from(describeCbor(encodeCbor({}, undefined))).toString('hex'), 'd9d9f7a0');
});

test('every value comes back from its CBOR', () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 5 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  ) as fc.Arbitrary<Json>;
  fc.assert(
    fc.property(value, (one) => {
      const plain = JSON.parse(JSON.stringify(one)) as Json;
      const { value: again, fault } = readCbor(encodeCbor(plain, undefined), undefined);
      assert.equal(fault, undefined);
      assert.equal(stringify(again), stringify(plain));
    }),
  );
  assert.equal(readCbor(encodeCbor(2n ** 62n, undefined), undefined).value, 2n ** 62n);
});

test('what a foreign encoder writes is read', () => {
  const value = { a: 'text', b: [1, -70000, 1.5, null, false], c: { d: 'é😀' } };
  assert.deepEqual(readCbor(encode(value), undefined).value, value);
});

test('bytes travel as bytes under the tag for base64, and untagged ones must be base64 themselves', () => {
  const schema = testSchema('Secret');
  const written = encodeCbor({ data: { k: 'AQID' } }, schema);
  assert.equal(Buffer.from(written).toString('hex'), 'a14464617461a1416bd643010203');
  assert.deepEqual(readCbor(written, schema), { value: { data: { k: 'AQID' } }, fault: undefined, unknown: undefined });
  const item = (hex: string) => readCbor(Buffer.from(`a16464617461a1616b${hex}`, 'hex'), schema);
  assert.equal(
    item('43010203').fault,
    'cbor: failed to decode base64 from byte string: illegal base64 data at input byte 0',
  );
  assert.match(item('6441514944').fault ?? '', /cannot unmarshal UTF-8 text string/);
  assert.equal(item('4441514944').fault, undefined);
});

test('what is well-formed but not acceptable is named, and the reading goes on', () => {
  const fault = (hex: string) => readCbor(Buffer.from(hex, 'hex'), undefined).fault;
  assert.equal(fault('a2616101616102'), 'cbor: found duplicate map key "a" at map element index 1');
  assert.match(fault('a16161f7') ?? '', /simple value 23 is not recognized/);
  assert.match(fault('a10102') ?? '', /map key/);
  assert.match(fault('f97e00') ?? '', /NaN/);
  assert.match(fault('1bffffffffffffffff') ?? '', /overflows/);
  assert.equal(fault('9f0102ff'), undefined);
  assert.equal(fault('5f4161ff'), undefined);
});

test('fields outside the schema are left out and the first is reported', () => {
  const bytes = encode({ metadata: { name: 'n' }, colour: 'red', data: {} });
  const { value, unknown } = readCbor(bytes, testSchema('ConfigMap'));
  assert.deepEqual(value, { metadata: { name: 'n' }, data: {} });
  assert.equal(unknown, 'cbor: found unknown field at map element index 1');
});

test('what is not one well-formed item is refused in the known words', () => {
  const words: [string, string][] = [
    ['', 'EOF'],
    ['d9d9f7a261', 'unexpected EOF'],
    ['0000', 'cbor: 1 bytes of extraneous data starting at index 1'],
    ['9bffffffffffffffff', 'unexpected EOF'],
    ['5bffffffffffffffff', 'unexpected EOF'],
    ['9f01', 'unexpected EOF'],
  ];
  for (const [hex, message] of words) {
    assert.throws(() => readCbor(Buffer.from(hex, 'hex'), undefined), { name: 'CborSyntaxError', message }, hex);
  }
  assert.throws(() => readCbor(new Uint8Array(5000).fill(0x81), undefined), CborSyntaxError);
});

test('strings in many pieces and times beyond the calendar are read like others', () => {
  const pieces = Buffer.concat([
    Buffer.of(0x7f),
    Buffer.from('6161'.repeat(1_000), 'hex'),
    Buffer.from('6061626163ff', 'hex'),
  ]);
  assert.deepEqual(readCbor(pieces, undefined).value, `${'a'.repeat(1_000)}bc`);
  const long = Buffer.concat([Buffer.from('5f7900', 'hex')]);
  assert.throws(() => readCbor(long, undefined));
  const time = readCbor(Buffer.from('c1fb7fe0000000000000', 'hex'), undefined);
  assert.match(time.fault ?? '', /tag number 1/);
  assert.equal(readCbor(Buffer.from('c11a65920080', 'hex'), undefined).value, '2024-01-01T00:00:00Z');
  for (const [hex, value] of [
    ['1a ffffffff', 4_294_967_295],
    ['3a ffffffff', -4_294_967_296],
    ['38 63', -100],
    ['1b 0000000100000000', 4_294_967_296],
    ['3b 7fffffffffffffff', -(2n ** 63n)],
  ] as const) {
    assert.equal(readCbor(Buffer.from(hex.replaceAll(' ', ''), 'hex'), undefined).value, value);
  }
});
