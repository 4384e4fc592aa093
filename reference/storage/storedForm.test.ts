import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { equalJson, type Json, type JsonObject } from '../api/json.ts';
import { asApiObject, asJson } from '../api/object.ts';
import { storedBytes, storedObject } from './storedForm.ts';

const back = (spec: Json) => asJson(storedObject(storedBytes(asApiObject({ spec })))).spec as Json;

describe('the bytes of a stored object', () => {
  it('give back every number as what it was', () => {
    const numbers = [0, -7, 1.5, 2 ** 53, 1e17, -1e20, 1e21, 1.5e300, 2n ** 53n, -(2n ** 63n), 9_007_199_254_740_993n];
    for (const number of numbers) assert.strictEqual(back(number), number, String(number));
  });
  it('give back text of many digits, and names that mean something to the language', () => {
    const spec: JsonObject = JSON.parse('{"digits":"12345678901234567890","__proto__":{"a":1},"<":"&"}');
    assert.ok(equalJson(back(spec), spec));
    assert.deepEqual(Object.keys(back(spec) as JsonObject), Object.keys(spec));
  });
  it('hold values as deep as requests may nest them', () => {
    let deep: Json = 1e17;
    for (let i = 0; i < 9_000; i++) deep = [deep];
    assert.ok(equalJson(back(deep), deep));
  });
  it('give back numbers and text of as many digits as a number holds, wherever they stand', () => {
    for (let before = 0; before < 40; before++) {
      for (const digits of [15, 16, 17, 19]) {
        const spec = ['x'.repeat(before), BigInt('1'.repeat(digits)), '1'.repeat(digits)];
        const wanted = [spec[0], digits <= 16 ? Number(spec[1]) : spec[1], spec[2]] as Json;
        assert.ok(equalJson(back(spec as Json), wanted), `${digits} digits behind ${before}`);
      }
    }
  });
  it('give back any JSON', () => {
    const json = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<Json>(null, true, false),
        fc.string({ unit: 'binary' }),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).filter((n) => !Number.isSafeInteger(Number(n))),
        fc.array(tie('value')),
        fc.dictionary(fc.string(), tie('value')),
      ),
    })).value;
    fc.assert(
      fc.property(json, (value) => equalJson(back(value), value)),
      { numRuns: 40 },
    );
  });
  it('are refused where they are no object', () => {
    for (const text of ['', '{', '[]', 'null', '{"a":1}x']) {
      assert.throws(() => storedObject(Buffer.from(text)), Error, text);
    }
  });
});
