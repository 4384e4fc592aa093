import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endsEarly, parts, type Row } from '../../covering/covering.ts';
import { namesOf, partsOfRows, type RowArea, rowsOfArea, sequenceOfRows } from '../rowArea.ts';
import { ACTING } from './acting.ts';
import { CREDENTIALS } from './credentials.ts';
import { GIVING } from './giving.ts';
import { NODES } from './nodes.ts';
import { PATHS } from './paths.ts';
import { RIGHTS } from './rights.ts';

const AREAS: readonly RowArea[] = [RIGHTS, PATHS, GIVING, ACTING, CREDENTIALS, NODES];
const holds = (row: Row, part: Row): boolean => Object.entries(part).every(([name, value]) => row[name] === value);

for (const area of AREAS) {
  test(`rows of ${area.name} meet all that their table crosses, whatever the seed`, () => {
    const [through = [], early = []] = parts(area.crossing).map(({ wanted }) => wanted.flatMap(({ tuples }) => tuples));
    for (const seed of ['1', '2']) {
      const rows = rowsOfArea(area, seed);
      const whole = rows.filter((row) => !endsEarly(row, area.crossing));
      const ended = rows.filter((row) => endsEarly(row, area.crossing));
      for (const tuple of through)
        assert.ok(
          whole.some((row) => holds(row, tuple)),
          JSON.stringify(tuple),
        );
      for (const tuple of early)
        assert.ok(
          ended.some((row) => holds(row, tuple)),
          JSON.stringify(tuple),
        );
    }
  });

  test(`each row of ${area.name} is asked about in one sequence`, () => {
    const rows = rowsOfArea(area, '1');
    const asked = partsOfRows(rows, area).flatMap((part) => {
      const placed = sequenceOfRows(area, part);
      return part.filter((_row, at) => placed.some(({ row }) => row === at));
    });
    assert.equal(asked.length, rows.length);
  });

  test(`the plain row of ${area.name} has a value of each dimension, and what is named are values that there are`, () => {
    const { dimensions } = area.crossing;
    assert.deepEqual(Object.keys(area.plain).sort(), Object.keys(dimensions).sort());
    for (const [name, value] of Object.entries(area.plain)) assert.ok(dimensions[name]?.includes(value), name);
    for (const [about] of area.names) {
      for (const [name, values] of Object.entries(about)) {
        if (['question', 'time', 'differs'].includes(name)) continue;
        for (const value of values) assert.ok(dimensions[name]?.includes(value), `${name} ${value}`);
      }
    }
  });
}

test('what is named is what a plain row differs in', () => {
  const facts = { ...RIGHTS.plain, question: 'exact', time: 'before', differs: 'refused' };
  assert.deepEqual(namesOf(RIGHTS, facts), RIGHTS.usual);
  assert.deepEqual(namesOf(RIGHTS, { ...facts, verbs: 'star' }), ['RBAC-RULE-04']);
  assert.deepEqual(namesOf(RIGHTS, { ...facts, sub: 'status' }), ['RBAC-RULE-02']);
});
