import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Crossing, covering, parts, type Row } from './covering.ts';
import { Dice } from './dice.ts';

const CROSSING: Crossing = {
  dimensions: {
    verb: ['create', 'update', 'patch'],
    form: ['json', 'yaml', 'cbor'],
    dryRun: ['none', 'All', 'Some'],
    state: ['absent', 'there'],
    who: ['admin', 'nobody'],
  },
  never: [{ verb: ['patch'], form: ['cbor'] }],
  ends: [
    { at: { dryRun: ['Some'] }, with: [['verb', 'form']] },
    { at: { who: ['nobody'] }, with: [['verb'], ['form']] },
    { at: { verb: ['create'], state: ['there'] }, with: [['dryRun']] },
  ],
  deeply: [['verb', 'form', 'state']],
};
const holds = (row: Row, part: Row): boolean => Object.entries(part).every(([name, value]) => row[name] === value);
const isAt = (row: Row, at: Crossing['never'][number]): boolean =>
  Object.entries(at).every(([name, values]) => values.includes(row[name] as string));
const endsOf = (row: Row): number => CROSSING.ends.filter(({ at }) => isAt(row, at)).length;

describe('covering arrays', () => {
  for (const seed of ['1', '2', '3']) {
    const rows = covering(CROSSING, new Dice(seed));
    const [through = [], early = []] = parts(CROSSING).map(({ wanted }) => wanted.flatMap(({ tuples }) => tuples));

    it(`meets all that can come together in rows that do not end early, seed ${seed}`, () => {
      const whole = rows.filter((row) => endsOf(row) === 0);
      for (const tuple of through) {
        assert.ok(
          whole.some((row) => holds(row, tuple)),
          JSON.stringify(tuple),
        );
      }
      assert.ok(through.some((tuple) => holds(tuple, { verb: 'update', form: 'cbor', state: 'there' })));
    });

    it(`meets each end with what it is crossed with, and no other end, seed ${seed}`, () => {
      const ended = rows.filter((row) => endsOf(row) === 1);
      for (const tuple of early) {
        assert.ok(
          ended.some((row) => holds(row, tuple)),
          JSON.stringify(tuple),
        );
      }
      assert.ok(early.some((tuple) => holds(tuple, { dryRun: 'Some', verb: 'patch', form: 'yaml' })));
      assert.ok(rows.every((row) => endsOf(row) <= 1));
    });

    it(`has nothing that cannot come together, seed ${seed}`, () => {
      for (const row of rows) assert.ok(!CROSSING.never.some((never) => isAt(row, never)), JSON.stringify(row));
    });
  }

  it('is the same for the same seed, and another for another one', () => {
    const once = covering(CROSSING, new Dice('1'));
    assert.deepEqual(covering(CROSSING, new Dice('1')), once);
    assert.notDeepEqual(covering(CROSSING, new Dice('2')), once);
  });

  it('knows what only the rules together forbid', () => {
    const crossing: Crossing = {
      dimensions: { a: ['1', '2'], b: ['1', '2'], c: ['1', '2'] },
      never: [
        { a: ['1'], b: ['1'] },
        { b: ['2'], c: ['2'] },
      ],
      ends: [],
      deeply: [],
    };
    const tuples = parts(crossing)[0]?.wanted.flatMap((each) => each.tuples) ?? [];
    assert.ok(!tuples.some((tuple) => holds(tuple, { a: '1', c: '2' })));
    assert.ok(tuples.some((tuple) => holds(tuple, { a: '1', c: '1' })));
  });

  it('asks for no end of which there is no value', () => {
    const crossing: Crossing = {
      dimensions: { a: ['1', '2'], b: ['1', '2'] },
      never: [],
      ends: [
        { at: { a: ['2', '3'] }, with: [['b']] },
        { at: { a: ['3'] }, with: [['b']] },
      ],
      deeply: [],
    };
    const [, early] = parts(crossing).map(({ wanted }) => wanted.flatMap(({ tuples }) => tuples));
    assert.deepEqual(early, [
      { a: '2', b: '1' },
      { a: '2', b: '2' },
    ]);
    assert.ok(covering(crossing, new Dice('1')).every(({ a }) => a !== '3' && a !== undefined));
  });
});
