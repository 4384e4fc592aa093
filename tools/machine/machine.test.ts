import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findFixed, isExplained, readFixed } from './gate.ts';
import { COMPARE, IN_FORCE, MEET, withMutants, withRecorders } from './plant.ts';
import { sampleOf } from './sample.ts';
import { sitesOf } from './sites.ts';

const TEXT = `
const LIMIT = 2;
export function within(list, more) {
  const seen = [];
  for (const item of list) {
    if (item.size > LIMIT && !more) throw new Error('too large');
    else if (item.hidden) continue;
    seen.push({ name: item.name.trim(), ...item.extra });
  }
  return seen.length === 0 ? undefined : seen?.[0].name;
}
export const result = (input) => { try { return JSON.stringify(within(input.list, input.more)); } catch (error) { return error.message; } };
`;
const INPUTS = [
  { list: [] },
  { list: [{ size: 1, name: ' a ', extra: { name: 'b' } }] },
  { list: [{ size: 2, name: ' a ' }] },
  { list: [{ size: 3, name: 'a' }], more: true },
  { list: [{ size: 3, name: 'a' }] },
  {
    list: [
      { size: 1, hidden: true },
      { size: 1, name: 'c' },
    ],
  },
];

/** What the text gives for each input. */
function run(text: string, names: readonly string[], values: readonly unknown[]): string {
  const script = `${text.replaceAll('export ', '')}\nreturn result;`;
  const answer = new Function(...names, script)(...values) as (input: unknown) => unknown;
  return JSON.stringify(INPUTS.map((input) => answer(input) ?? null));
}

/** What it gives with these mutants in force, and which of them ran. */
function broken(text: string, numbers: readonly number[], ran = new Set<number>()): string {
  const inForce = new Uint8Array(planted.length + 1);
  for (const number of numbers) inForce[number] = 1;
  return run(text, [IN_FORCE, MEET], [inForce, (number: number) => ran.add(number)]);
}

const sites = sitesOf(TEXT);
const planted = sites.map((site, index) => ({ number: index + 1, site }));

describe('mutants by machine', () => {
  it('of every operator stand in the text, each as it would stand there alone', () => {
    const text = withMutants(TEXT, planted);
    for (const { number, site } of planted) {
      const alone =
        TEXT.slice(0, site.start) + (site.form === 'statement' ? '{}' : `(${site.mutated})`) + TEXT.slice(site.end);
      assert.equal(broken(text, [number]), run(alone, [], []), `${site.operator}: ${site.mutated}`);
    }
    assert.equal(broken(text, []), run(TEXT, [], []), 'none is in force');
  });
  it('are in force together, and tell which of them ran', () => {
    const ran = new Set<number>();
    const names = planted.filter(({ site }) => site.dropped === 'name: item.name.trim()' || site.mutated === '3');
    broken(
      withMutants(TEXT, planted),
      names.map(({ number }) => number),
      ran,
    );
    assert.equal(names.length, 2);
    assert.deepEqual([...ran].sort(), names.map(({ number }) => number).sort());
  });
  it('are mostly seen by what the text is asked', () => {
    const sound = run(TEXT, [], []);
    const text = withMutants(TEXT, planted);
    const alive = planted.filter(({ number }) => broken(text, [number]) === sound);
    assert.ok(
      alive.length < planted.length / 3,
      alive.map(({ site }) => `${site.operator}: ${site.mutated}`).join('\n'),
    );
  });
  it('are met where they would make a difference, and the text does what it did', () => {
    const met = new Set<number>();
    const meet = (number: number, _when?: unknown, value?: unknown) => {
      met.add(number);
      return value;
    };
    const compare = (others: [number, string][], _: string, left: number, right: number) => {
      for (const [number] of others) if (left === right) met.add(number);
      return left > right;
    };
    assert.equal(run(withRecorders(TEXT, planted), [MEET, COMPARE], [meet, compare]), run(TEXT, [], []));
    assert.equal(met.size, planted.length);
  });
  it('are sampled evenly over rooms, and the beginning of a sample is a smaller one', () => {
    const [site] = sites;
    assert.ok(site);
    const of = (room: string, count: number) =>
      Array.from({ length: count }, (_, nth) => {
        const file = `reference/${room}/a.ts`;
        return { file, within: '', operator: site.operator, from: 'x', to: 'y', nth, site, line: 1 };
      });
    const all = [...of('small', 2), ...of('large', 90), ...of('other', 50)];
    const chosen = sampleOf(all, 20, 'seed');
    const count = (room: string) => chosen.filter(({ file }) => file.includes(room)).length;
    assert.deepEqual([count('small'), count('large'), count('other')], [2, 9, 9]);
    assert.deepEqual(sampleOf(all, 12, 'seed'), chosen.slice(0, 12));
  });
});

describe('the fixed sample', () => {
  const fixed = readFixed();
  it('is of three hundred, nearly all of which are still there', () => {
    assert.equal(fixed.length, 300);
    const { gone } = findFixed(fixed);
    assert.ok(gone.length <= 30, `${gone.length} are gone: see npm run machine -- --help`);
  });
  it('is killed, or explained; most of what the specification determines is killed', () => {
    const alive = fixed.filter(({ by }) => by === undefined);
    assert.deepEqual(
      alive.filter((mutant) => !isExplained(mutant)),
      [],
    );
    const open = alive.filter(({ reason }) => reason === 'open').length;
    const killed = fixed.length - alive.length;
    assert.ok(killed / (killed + open) >= 0.9, `${killed} killed, ${open} open`);
  });
});
