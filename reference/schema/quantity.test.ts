import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  QuantityError,
  quantityValue,
  scaledValue,
} from './quantity.ts';

test('a quantity has one canonical text in its family of suffixes', () => {
  const texts: [given: string, canonical: string][] = [
    ['0', '0'],
    ['0Ki', '0'],
    ['1000m', '1'],
    ['0.5', '500m'],
    ['1.5', '1500m'],
    ['1000', '1k'],
    ['1024', '1024'],
    ['1024Ki', '1Mi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Ki', '512'],
    ['0.1Gi', '107374182400m'],
    ['1000k', '1M'],
    ['12e6', '12e6'],
    ['100e1', '1e3'],
    ['1.25e3', '1250'],
    ['-1500m', '-1500m'],
    ['1E', '1E'],
    ['10E', '10E'],
    ['0.0000000001', '1n'],
    ['12345678901234567890', '9223372036854775807'],
    ['100Ei', '9223372036854775807'],
  ];
  for (const [given, canonical] of texts) assert.equal(canonicalQuantity(given), canonical, given);
});

test('text that looks canonical stays as it is', () => {
  for (const text of ['+5', '1.500', '001', '1e0', '1Ki', '100m']) assert.equal(canonicalQuantity(text), text);
});

test('what is no quantity is refused in the words of the service', () => {
  const faults: [text: string, message: RegExp][] = [
    ['', /^quantities must match the regular expression/],
    ['1 ', /^quantities must match/],
    ['5..0', /^quantities must match/],
    ['Ki', /^quantities must match/],
    ['1e', /^unable to parse quantity's suffix$/],
    ['1kk', /^unable to parse quantity's suffix$/],
  ];
  for (const [text, message] of faults) {
    assert.throws(
      () => parseQuantity(text),
      (error) => error instanceof QuantityError && message.test(error.message),
      text,
    );
  }
});

const amounts = fc.record({
  digits: fc.bigInt(-(10n ** 17n), 10n ** 17n),
  suffix: fc.constantFrom('', 'm', 'u', 'n', 'k', 'M', 'Ki', 'Mi', 'e3', 'e-6'),
});

test('the canonical text is the same amount, and canonical itself', () => {
  fc.assert(
    fc.property(amounts, ({ digits, suffix }) => {
      const given = parseQuantity(`${digits}${suffix}`);
      const text = formatQuantity(given);
      assert.equal(compareQuantities(parseQuantity(text), given), 0);
      assert.equal(formatQuantity(parseQuantity(text)), text);
    }),
  );
});

test('comparing is the order of the amounts', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 12n), 10n ** 12n), fc.bigInt(-(10n ** 12n), 10n ** 12n), (a, b) => {
      const order = compareQuantities(parseQuantity(`${a}m`), parseQuantity(`${b}m`));
      assert.equal(Math.sign(order), a < b ? -1 : a > b ? 1 : 0);
    }),
  );
  assert.equal(compareQuantities(parseQuantity('1Ki'), parseQuantity('1024')), 0);
  assert.ok(compareQuantities(parseQuantity('1k'), parseQuantity('1Ki')) < 0);
});

test('values in units are rounded away from zero', () => {
  assert.equal(quantityValue(parseQuantity('1500m')), 2n);
  assert.equal(quantityValue(parseQuantity('-1500m')), -2n);
  assert.equal(scaledValue(parseQuantity('1.5'), -3), 1500n);
  assert.equal(scaledValue(parseQuantity('1u'), -3), 1n);
});

test('huge exponents take no time', () => {
  const started = process.hrtime.bigint();
  for (const text of ['1e999999999', '1e-999999999', `1${'0'.repeat(2000)}`]) formatQuantity(parseQuantity(text));
  assert.ok(process.hrtime.bigint() - started < 200_000_000n);
});

test('digits that tell nothing are not read, and round what they belong to away from zero all the same', () => {
  const many = 3_000_000;
  const nines = '9'.repeat(many);
  const zeros = '0'.repeat(many);
  assert.equal(formatQuantity(parseQuantity(nines)), formatQuantity(parseQuantity('9'.repeat(40))));
  assert.equal(formatQuantity(parseQuantity(`0.5${zeros}`)), '500m');
  assert.equal(formatQuantity(parseQuantity(`0.5${zeros}1`)), formatQuantity(parseQuantity('0.5000000000000001')));
  assert.equal(formatQuantity(parseQuantity(`-0.5${zeros}1`)), '-500000001n');
  assert.equal(formatQuantity(parseQuantity(`${zeros}7`)), '7');
  assert.equal(formatQuantity(parseQuantity(`0.${zeros}7e${many + 1}`)), '7');
  assert.equal(formatQuantity(parseQuantity(`0.${zeros}7`)), '1n');
  assert.equal(formatQuantity(parseQuantity(`1.${nines}Ki`)), '2Ki');
});

test('short and long forms of one amount are the same', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 12n), fc.integer({ min: 0, max: 12 }), fc.nat(3_000), (digits, places, zeros) => {
      const text = String(digits).padStart(places + 1, '0');
      const whole = text.slice(0, text.length - places);
      const short = `${whole}.${text.slice(text.length - places)}`;
      const [one, other] = [parseQuantity(short), parseQuantity(`${'0'.repeat(zeros)}${short}${'0'.repeat(zeros)}`)];
      assert.equal(compareQuantities(one, other), 0);
    }),
  );
});
