import type { Dice } from './dice.ts';

/** What can vary, and the values that it takes, by name. */
export type Dimensions = Readonly<Record<string, readonly string[]>>;

/** One of these values of each named dimension, all at once. */
export type Together = Readonly<Record<string, readonly string[]>>;

/** What a request ends at, so that nothing else of it shows: as a rule it is refused. */
export interface End {
  readonly at: Together;
  /** The sets of dimensions that each such end meets in every combination; of others it meets any. */
  readonly with: readonly (readonly string[])[];
}

/** A space of combinations as data. */
export interface Crossing {
  readonly dimensions: Dimensions;
  /** What cannot come together. */
  readonly never: readonly Together[];
  readonly ends: readonly End[];
  /** Sets of dimensions that meet in every combination, beside all pairs. */
  readonly deeply: readonly (readonly string[])[];
}

/** One value of each dimension. */
export type Row = Readonly<Record<string, string>>;
type Part = Record<string, string>;
type Shape = readonly string[];

/**
 * Rows in which all meets that can: in rows that do not end early each possible pair of values, and each combination of
 * what is crossed deeply; in rows of each end, of which it is the only one, what that end is crossed with. Covering
 * arrays, made greedily as AETG does (Cohen, Dalal, Fredman, Patton 1997). The same for the same dice.
 */
export function covering(crossing: Crossing, dice: Dice): readonly Row[] {
  return parts(crossing).flatMap(({ wanted, possible }) => {
    const open = new Map(
      wanted.flatMap(({ shape, tuples }, at) => tuples.map((tuple) => [keyOf(at, shape, tuple), tuple] as const)),
    );
    const shapes = wanted.map(({ shape }) => shape);
    const rows: Row[] = [];
    while (open.size > 0) {
      const row = completed(open.values().next().value as Row, { crossing, shapes, open, possible, dice });
      for (const [at, shape] of shapes.entries()) open.delete(keyOf(at, shape, row));
      rows.push(row);
    }
    return rows;
  });
}

/** What has to be met by one sort of rows, and which parts of such rows there can be. */
interface Sort {
  /** By the dimensions that are crossed, what they have to meet in. */
  readonly wanted: readonly { readonly shape: Shape; readonly tuples: readonly Row[] }[];
  readonly possible: (part: Row) => boolean;
}

/** The rows that do not end early, and those that do. Every tuple of a sort is in one of its rows at least. */
export function parts({ dimensions, never, ends, deeply }: Crossing): readonly Sort[] {
  const names = Object.keys(dimensions);
  const pairs = names.flatMap((name, at) => names.slice(at + 1).map((other) => [name, other]));
  const through = possibility(dimensions, [...never, ...ends.map(({ at }) => at)]);
  const whole = [...deeply, ...pairs].map((shape) => ({
    shape,
    tuples: [...product(shape, dimensions)].filter(through),
  }));
  // Two ends never come together, so that each shows.
  const ending = possibility(dimensions, [...never, ...pairsOf(ends)]);
  const early = ends.flatMap((end) =>
    end.with
      .map((shape) => [...new Set([...Object.keys(end.at), ...shape])])
      .map((shape) => ({ shape, tuples: [...product(shape, { ...dimensions, ...end.at })].filter(ending) })),
  );
  return [
    { wanted: whole, possible: through },
    { wanted: early, possible: ending },
  ];
}

/** Whether a row ends early. */
export const endsEarly = (row: Row, { ends }: Crossing): boolean =>
  ends.some(({ at }) => Object.entries(at).every(([name, values]) => values.includes(row[name] ?? '')));

function* product([name, ...rest]: Shape, dimensions: Dimensions): Generator<Part> {
  if (name === undefined) {
    yield {};
    return;
  }
  for (const value of dimensions[name] ?? []) {
    for (const inner of product(rest, dimensions)) yield { [name]: value, ...inner };
  }
}

/** Two ends, unless they are of values of one dimension and cannot come together anyway. */
function pairsOf(ends: readonly End[]): readonly Together[] {
  return ends.flatMap(({ at: one }, index) =>
    ends.slice(index + 1).flatMap(({ at: other }): readonly Together[] => {
      const both: Record<string, readonly string[]> = { ...one };
      for (const [name, values] of Object.entries(other)) {
        both[name] = one[name]?.filter((value) => values.includes(value)) ?? values;
      }
      return Object.values(both).some(({ length }) => length === 0) ? [] : [both];
    }),
  );
}

/** A function that tells whether a part of a row can be completed to a row that has nothing of what is forbidden. */
function possibility(dimensions: Dimensions, forbidden: readonly Together[]): (part: Row) => boolean {
  const names = Object.keys(dimensions);
  const known = new Map<string, boolean>();
  const rules = forbidden.map((rule) => Object.entries(rule));
  /** Rules by the dimensions that they speak of. */
  const byName = new Map(names.map((name) => [name, rules.filter((rule) => rule.some(([each]) => each === name))]));
  const breaks = (part: Row, among: readonly (readonly (readonly [string, readonly string[]])[])[]): boolean =>
    among.some((rule) => rule.every(([name, values]) => name in part && values.includes(part[name] as string)));
  const completes = (part: Part, [name, ...rest]: Shape): boolean => {
    if (name === undefined) return true;
    return (dimensions[name] ?? []).some((value) => {
      const next = { ...part, [name]: value };
      return !breaks(next, byName.get(name) ?? []) && completes(next, rest);
    });
  };
  return (part) => {
    const key = names.map((name) => part[name] ?? '').join(' ');
    const before = known.get(key);
    if (before !== undefined) return before;
    const left = names.filter((name) => !(name in part) && (byName.get(name) ?? []).length > 0);
    const answer = !breaks(part, rules) && completes({ ...part }, left);
    known.set(key, answer);
    return answer;
  };
}

interface Completing {
  readonly crossing: Crossing;
  readonly shapes: readonly Shape[];
  readonly open: ReadonlyMap<string, Row>;
  readonly possible: (part: Row) => boolean;
  readonly dice: Dice;
}

/** A row with a part in it, in which as much as can be seen of what is still open is met. */
function completed(part: Row, { crossing, shapes, open, possible, dice }: Completing): Row {
  const row: Part = { ...part };
  for (const name of shuffled(Object.keys(crossing.dimensions), dice)) {
    if (name in row) continue;
    const values = shuffled(crossing.dimensions[name] ?? [], dice)
      .map((value) => ({ value, gain: gainOf({ ...row, [name]: value }, name, shapes, open) }))
      .sort((a, b) => b.gain - a.gain);
    const best = values.find(({ value }) => possible({ ...row, [name]: value }));
    if (!best) throw new Error(`no value of ${name} goes with ${JSON.stringify(row)}`);
    row[name] = best.value;
  }
  return row;
}

/** How many combinations that were not met yet a row meets by the value of one dimension. */
function gainOf(part: Part, name: string, shapes: readonly Shape[], open: ReadonlyMap<string, Row>): number {
  let gain = 0;
  for (const [at, shape] of shapes.entries()) {
    if (!shape.includes(name) || shape.some((each) => part[each] === undefined)) continue;
    if (open.has(keyOf(at, shape, part))) gain += 1;
  }
  return gain;
}

/** Names what a row has of the dimensions of a shape. */
function keyOf(at: number, shape: Shape, row: Row): string {
  let key = `${at}`;
  for (const name of shape) key += ` ${row[name]}`;
  return key;
}

function shuffled<T>(items: readonly T[], dice: Dice): readonly T[] {
  const all = [...items];
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = dice.below(at + 1);
    [all[at], all[other]] = [all[other] as T, all[at] as T];
  }
  return all;
}
