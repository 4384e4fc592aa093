import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endsEarly, parts, type Row } from '../../covering/covering.ts';
import { covered } from './covered.ts';
import { COVERED } from './coveredTypes.ts';
import { ASKINGS, crossingOf, rowsOf } from './rows.ts';

const TYPES = Object.values(COVERED).flat();
const holds = (row: Row, part: Row): boolean => Object.entries(part).every(([name, value]) => row[name] === value);

for (const cbor of [false, true]) {
  for (const asking of ASKINGS) {
    test(`${asking} ${cbor ? 'with' : 'without'} CBOR meet all that their table crosses, whatever the seed`, () => {
      const crossing = crossingOf(asking, { cbor });
      const [through = [], early = []] = parts(crossing).map(({ wanted }) => wanted.flatMap(({ tuples }) => tuples));
      for (const seed of cbor ? ['1'] : ['1', '2']) {
        const rows = rowsOf(asking, { seed, cbor });
        const whole = rows.filter((row) => !endsEarly(row, crossing));
        const ended = rows.filter((row) => endsEarly(row, crossing));
        for (const tuple of through) {
          assert.ok(
            whole.some((row) => holds(row, tuple)),
            JSON.stringify(tuple),
          );
        }
        for (const tuple of early) {
          assert.ok(
            ended.some((row) => holds(row, tuple)),
            JSON.stringify(tuple),
          );
        }
      }
    });
  }
}

test('each row is in the sequences of its type', () => {
  const drawing = { seed: '1', cbor: false };
  const steps = TYPES.flatMap((type) => [
    ...covered(type, 'written', drawing),
    ...covered(type, 'shown', drawing),
  ]).flatMap((sequence) => sequence.steps);
  const seen = steps.filter(({ unseen }) => unseen !== true);
  const count = (asking: (typeof ASKINGS)[number]) => rowsOf(asking, drawing).length;
  const writes = seen.filter(({ method, path }) => method !== 'GET' && !path.endsWith('customresourcedefinitions'));
  const twice = rowsOf('writes', drawing).filter(({ content }) => content === 'generated').length;
  const applied = 3 * count('applies');
  assert.equal(
    writes.length,
    count('writes') + twice + count('contents') + applied + count('removals') + count('sweeps'),
  );
  assert.equal(seen.filter(({ open, path }) => open && path.includes('?watch=true')).length, count('watches'));
});

test('the same seed gives the same sequences, and another one others', () => {
  const [type] = TYPES;
  assert.ok(type);
  const of = (seed: string) => JSON.stringify(covered(type, 'written', { seed, cbor: false }));
  assert.equal(of('1'), of('1'));
  assert.notEqual(of('1'), of('2'));
});
