import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { Json } from '../api/json.ts';
import { JsonSyntaxError, readJson } from './json.ts';
import { indentJson, quoteString, stringify } from './jsonText.ts';

const json = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<Json>;

test('what JSON.parse reads is read alike, in compact and in indented form', () => {
  fc.assert(
    fc.property(json, (value) => {
      const plain = JSON.stringify(value);
      assert.equal(stringify(readJson(plain).value), stringify(JSON.parse(plain) as Json));
      assert.equal(stringify(readJson(JSON.stringify(value, null, 3)).value), stringify(JSON.parse(plain) as Json));
    }),
  );
});

test('what JSON.parse refuses is refused, with an error of this room', () => {
  fc.assert(
    fc.property(json, fc.nat(), fc.constantFrom('', ',', '"', '{', ']', '\\', 'x', '\n', '1'), (value, at, piece) => {
      const text = JSON.stringify(value);
      const cut = at % (text.length + 1);
      const broken = text.slice(0, cut) + piece + text.slice(cut + 1);
      let good = true;
      try {
        // A number that no double is near is refused here, and infinite there.
        JSON.parse(broken, (_, inner) => {
          if (inner === Number.POSITIVE_INFINITY || inner === Number.NEGATIVE_INFINITY) good = false;
          return inner;
        });
      } catch {
        good = false;
      }
      if (good) readJson(broken);
      else assert.throws(() => readJson(broken), JsonSyntaxError);
    }),
  );
});

test('writing and reading keeps every value, integers of 64 bits included', () => {
  const withIntegers = fc.oneof(
    json,
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => [n] as Json),
  );
  fc.assert(
    fc.property(withIntegers, (value) => {
      const again = readJson(stringify(value)).value;
      assert.equal(stringify(again), stringify(value));
      assert.equal(stringify(readJson(indentJson(stringify(value))).value), stringify(value));
    }),
  );
});

test('faults are told in the words that clients know', () => {
  const words: [string, string][] = [
    ['', 'unexpected end of JSON input'],
    ['{"a":1', 'unexpected end of JSON input'],
    ['{} x', "invalid character 'x' after top-level value"],
    ["{'a'", "invalid character '\\'' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['trux', "invalid character 'x' in literal true (expecting 'e')"],
    ['"\n"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1ex', "invalid character 'x' in exponent of numeric literal"],
  ];
  for (const [text, message] of words) assert.throws(() => readJson(text), { message }, text);
});

test('members that stand twice are seen, with their paths, once each and in order', () => {
  const { value, duplicates } = readJson('{"a":{"b":[{"c":1,"c":2,"c":3}]},"x":1,"x":2}');
  assert.deepEqual(duplicates, ['a.b[0].c', 'x']);
  assert.deepEqual(value, { a: { b: [{ c: 3 }] }, x: 2 });
});

test('objects of one name are replaced, or merged where asked for', () => {
  const text = '{"data":{"j":"1","k":"1"},"data":{"k":"2"}}';
  assert.deepEqual(readJson(text).value, { data: { k: '2' } });
  assert.deepEqual(readJson(text, true).value, { data: { j: '1', k: '2' } });
});

test('names that JavaScript knows are names like any other', () => {
  const { value, duplicates } = readJson('{"__proto__":{"x":1},"constructor":1,"toString":2}');
  assert.deepEqual(Object.keys(value as object), ['__proto__', 'constructor', 'toString']);
  assert.deepEqual(duplicates, []);
  assert.equal(stringify(value), '{"__proto__":{"x":1},"constructor":1,"toString":2}');
});

test('no digit of a 64-bit integer is lost; larger ones become doubles; those without end are refused', () => {
  assert.equal(readJson('9223372036854775807').value, 9223372036854775807n);
  assert.equal(readJson('9007199254740991').value, 9007199254740991);
  assert.equal(readJson('18446744073709551616').value, 2 ** 64);
  assert.equal(Object.is(readJson('-0').value, 0), true);
  assert.throws(() => readJson('1e400'), JsonSyntaxError);
});

test('a thousand levels are read and written, one more is refused', () => {
  const deep = '['.repeat(1_000) + ']'.repeat(1_000);
  assert.equal(stringify(readJson(deep).value), deep);
  assert.throws(() => readJson(`[${deep}]`), { message: "invalid character '[' exceeded max depth" });
});

test('halves of characters become the replacement character', () => {
  assert.equal(readJson('"\\ud800x\\ud83d\\ude00\\udc00"').value, '\ufffdx😀\ufffd');
});

test('what a browser could take for markup is escaped', () => {
  assert.equal(stringify('<a>&\u2028'), '"\\u003ca\\u003e\\u0026\\u2028"');
  assert.equal(quoteString('a"b\\c\n'), '"a\\"b\\\\c\\n"');
});
