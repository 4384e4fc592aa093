import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { orderOf } from './columns.ts';

const sorted = (values: readonly number[]): readonly number[] =>
  values.map((_, at) => at).sort((a, b) => (values[a] as number) - (values[b] as number) || a - b);
const ordered = (values: readonly number[]): readonly number[] => [...orderOf(Float64Array.from(values))];

describe('orderOf', () => {
  it('leaves equal values as they stand', () => {
    assert.deepEqual(ordered([3, 1, 3, 1, 2]), [1, 3, 4, 0, 2]);
    assert.deepEqual(ordered([]), []);
  });
  it('orders what is told a little late, and what is told very late', () => {
    const values = Array.from({ length: 200 }, (_, at) => (at % 50 === 49 ? at - 48 : at % 7 === 6 ? at - 5.5 : at));
    assert.deepEqual(ordered(values), sorted(values));
  });
  it('orders whatever comes', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 150 }), (values) => {
        assert.deepEqual(ordered(values), sorted(values));
      }),
    );
  });
});
