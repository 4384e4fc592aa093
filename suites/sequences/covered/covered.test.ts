import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endsEarly, parts, type Row } from '../../covering/covering.ts';
import { seedOfRun } from '../../harness/running/seeds.ts';
import { covered } from './covered.ts';
import { COVERED, IN_CBOR } from './coveredTypes.ts';
import { crossingOf, type Drawing, FACETS, type Facet, rowsAbout, rowsOf } from './rows.ts';

const TYPES = Object.values(COVERED).flat();
const ASKINGS = Object.values(FACETS).flat();
const [FIRST, SECOND] = ['1', '2'].map((seed) => seedOfRun({ seed }));
assert.ok(FIRST !== undefined && SECOND !== undefined);
const DRAWINGS: readonly Drawing[] = [
  { seed: FIRST, cbor: 'unspoken' },
  { seed: SECOND, cbor: 'unspoken' },
  { seed: FIRST, cbor: 'spoken' },
  { seed: FIRST, cbor: 'always' },
];
/** What the checks of all types play of one kind of request in a run. */
const played = (asking: (typeof ASKINGS)[number], drawing: Drawing): readonly Row[] =>
  TYPES.flatMap((type) => rowsAbout(type, asking, drawing));
const holds = (row: Row, part: Row): boolean => Object.entries(part).every(([name, value]) => row[name] === value);
const textOf = (row: Row): string => JSON.stringify(Object.entries(row).sort());
const sequencesOf = (drawing: Drawing) =>
  TYPES.flatMap((type) => (Object.keys(FACETS) as Facet[]).flatMap((facet) => covered(type, facet, drawing)));

describe('the rows that the checks of a run play', () => {
  for (const drawing of DRAWINGS) {
    const told = `seed ${drawing.seed}, CBOR ${drawing.cbor}`;
    for (const asking of ASKINGS) {
      const crossing = crossingOf(asking, drawing);
      const rows = played(asking, drawing);

      it(`meet together all that the table of ${asking} crosses, ${told}`, () => {
        const [through = [], early = []] = parts(crossing).map(({ wanted }) => wanted.flatMap(({ tuples }) => tuples));
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
      });

      it(`are those of one array of ${asking}, each of them once, ${told}`, () => {
        assert.deepEqual(rows.map(textOf).sort(), rowsOf(asking, drawing).map(textOf).sort());
        assert.equal(new Set(rows.map(textOf)).size, rows.length);
      });
    }
  }

  it('are others for another seed', () => {
    for (const asking of ASKINGS) {
      const [one, other] = DRAWINGS.map((drawing) => new Set(played(asking, drawing).map(textOf)));
      assert.ok(one && other);
      assert.notDeepEqual([...one].sort(), [...other].sort());
    }
  });

  it('are all about CBOR, and the types that are asked in it, where that is always spoken', () => {
    const rows = ASKINGS.flatMap((asking) => played(asking, { seed: FIRST, cbor: 'always' }));
    for (const row of rows) {
      assert.ok([row.form, row.accept, row.options].includes('cbor'), textOf(row));
      assert.ok(IN_CBOR.includes(row.type ?? ''), textOf(row));
    }
    for (const asking of ['writes', 'contents', 'applies', 'removals', 'sweeps', 'reads', 'lists', 'larges'] as const) {
      assert.ok(played(asking, { seed: FIRST, cbor: 'always' }).length > 0, asking);
    }
  });
});

describe('covering sequences', () => {
  it('have a request for each row', () => {
    const drawing: Drawing = { seed: FIRST, cbor: 'unspoken' };
    const seen = sequencesOf(drawing)
      .flatMap(({ steps }) => steps)
      .filter(({ unseen }) => unseen !== true);
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

  it('are the same for the same seed, and others for another one', () => {
    const of = (seed: Drawing['seed']) => JSON.stringify(sequencesOf({ seed, cbor: 'unspoken' }));
    assert.equal(of(FIRST), of(FIRST));
    assert.notEqual(of(FIRST), of(SECOND));
  });
});
