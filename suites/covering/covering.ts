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
  const space = new Space(crossing.dimensions);
  const sorts = known.get(crossing) ?? parts(crossing);
  known.set(crossing, sorts);
  return sorts.flatMap(({ wanted, forbidden }) => {
    const open = new Open(space, wanted);
    const possible = possibility(space, forbidden);
    const rows: Row[] = [];
    for (let tuple = open.next(); tuple; tuple = open.next()) {
      const row = completed(space.numbers(tuple), { space, open, possible, dice });
      open.meet(row);
      rows.push(space.row(row));
    }
    return rows;
  });
}

/** The sorts of rows of crossings, which no dice change: finding what can come together is more than half of the work. */
const known = new WeakMap<Crossing, readonly Sort[]>();

/** What has to be met by one sort of rows, and what such rows must not have. */
interface Sort {
  /** By the dimensions that are crossed, what they have to meet in. */
  readonly wanted: readonly { readonly shape: Shape; readonly tuples: readonly Row[] }[];
  readonly forbidden: readonly Together[];
}

/** The rows that do not end early, and those that do. Every tuple of a sort is in one of its rows at least. */
export function parts({ dimensions, never, ends, deeply }: Crossing): readonly Sort[] {
  const space = new Space(dimensions);
  const possibleTuples = (forbidden: readonly Together[]) => {
    const possible = possibility(space, forbidden);
    return (shape: Shape, of: Dimensions) => ({
      shape,
      tuples: [...product(shape, of)].filter((tuple) => possible(space.numbers(tuple))),
    });
  };
  const names = Object.keys(dimensions);
  const pairs = names.flatMap((name, at) => names.slice(at + 1).map((other) => [name, other]));
  const through = [...never, ...ends.map(({ at }) => at)];
  const throughTuples = possibleTuples(through);
  // Two ends never come together, so that each shows.
  const ending = [...never, ...pairsOf(ends)];
  const endingTuples = possibleTuples(ending);
  const early = ends.flatMap((end) =>
    end.with
      .map((shape) => [...new Set([...Object.keys(end.at), ...shape])])
      .map((shape) => endingTuples(shape, { ...dimensions, ...within(end.at, dimensions) })),
  );
  return [
    { wanted: [...deeply, ...pairs].map((shape) => throughTuples(shape, dimensions)), forbidden: through },
    { wanted: early, forbidden: ending },
  ];
}

/** Of some values those that there are. */
const within = (values: Together, dimensions: Dimensions): Together =>
  Object.fromEntries(
    Object.entries(values).map(([name, some]) => [name, some.filter((value) => dimensions[name]?.includes(value))]),
  );

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

/** The number of the value of each dimension; {@link NONE} where it has none yet. */
type Numbers = number[];
const NONE = -1;

/** Dimensions and their values by number, in the order in which they are named. */
class Space {
  readonly names: readonly string[];
  readonly values: readonly (readonly string[])[];
  readonly #numbers: readonly ReadonlyMap<string, number>[];

  constructor(dimensions: Dimensions) {
    this.names = Object.keys(dimensions);
    this.values = Object.values(dimensions);
    this.#numbers = this.values.map((values) => new Map(values.map((value, number) => [value, number])));
  }
  numbers(part: Row): Numbers {
    return this.names.map((name, at) => {
      const value = part[name];
      return value === undefined ? NONE : (this.#numbers[at]?.get(value) as number);
    });
  }
  row(numbers: Numbers): Row {
    return Object.fromEntries(this.names.map((name, at) => [name, this.values[at]?.[numbers[at] as number] as string]));
  }
}

/** Of each dimension that it speaks of, which values may not come together: a mark for each. */
type Rule = readonly { readonly at: number; readonly marks: Uint8Array }[];

/** Values that are tried in the order of the dimensions before another order is looked for. */
const FEW_STEPS = 300;

/** A function that tells whether a part of a row can be completed to a row that has nothing of what is forbidden. */
function possibility(space: Space, forbidden: readonly Together[]): (part: Numbers) => boolean {
  const rules = forbidden.map(
    (rule): Rule =>
      Object.entries(rule).map(([name, values]) => {
        const at = space.names.indexOf(name);
        return { at, marks: Uint8Array.from(space.values[at] ?? [], (value) => (values.includes(value) ? 1 : 0)) };
      }),
  );
  const speaking = space.names.map((_, at) => rules.filter((rule) => rule.some((each) => each.at === at)));
  const breaks = (part: Numbers, among: readonly Rule[]): boolean => {
    for (const rule of among) if (isBroken(rule, part)) return true;
    return false;
  };
  /** How many values of a dimension go with a part that has none of it. */
  const choicesOf = (part: Numbers, at: number): number => {
    let count = 0;
    for (const value of (space.values[at] ?? []).keys()) {
      part[at] = value;
      if (!breaks(part, speaking[at] as readonly Rule[])) count += 1;
    }
    part[at] = NONE;
    return count;
  };
  let steps = 0;
  /** Gives values to what is left from a place on, and takes them back; gives up when no steps are left. */
  const completes = (part: Numbers, left: readonly number[], from: number): boolean => {
    const at = left[from];
    if (at === undefined) return true;
    const count = space.values[at]?.length ?? 0;
    let found = false;
    for (let value = 0; value < count && !found && steps > 0; value += 1) {
      steps -= 1;
      part[at] = value;
      found = !breaks(part, speaking[at] as readonly Rule[]) && completes(part, left, from + 1);
    }
    part[at] = NONE;
    return found;
  };
  return (part) => {
    if (breaks(part, rules)) return false;
    const left = space.names.flatMap((_, at) => (part[at] === NONE && speaking[at]?.length ? [at] : []));
    steps = FEW_STEPS;
    if (completes(part, left, 0)) return true;
    if (steps > 0) return false;
    // What has the fewest values left comes first, so that what cannot be is known soon.
    const choices = new Map(left.map((at) => [at, choicesOf(part, at)]));
    left.sort((a, b) => (choices.get(a) ?? 0) - (choices.get(b) ?? 0));
    steps = Number.POSITIVE_INFINITY;
    return completes(part, left, 0);
  };
}

function isBroken(rule: Rule, part: Numbers): boolean {
  for (const { at, marks } of rule) if (!marks[part[at] as number]) return false;
  return true;
}

/** The combinations of one shape that are not met yet: a mark for each that there could be. */
interface OpenShape {
  readonly at: readonly number[];
  readonly marks: Uint8Array;
  /** By how much the place of a combination grows with the value of each dimension. */
  readonly steps: readonly number[];
}

/** A combination that is wanted. */
interface Wanted {
  readonly shape: OpenShape;
  readonly tuple: Row;
  readonly place: number;
}

/** What is still to be met, in the order in which it is wanted. */
class Open {
  readonly #shapes: readonly OpenShape[];
  readonly #wanted: readonly Wanted[];
  /** Shapes by the dimensions that they cross. */
  readonly #crossing: readonly (readonly OpenShape[])[];
  #next = 0;

  constructor(space: Space, wanted: Sort['wanted']) {
    const all = wanted.map(({ shape, tuples }) => ({ shape: openShape(space, shape), tuples }));
    this.#shapes = all.map(({ shape }) => shape);
    this.#wanted = all.flatMap(({ shape, tuples }) =>
      tuples.map((tuple) => ({ shape, tuple, place: placeOf(shape, space.numbers(tuple)) })),
    );
    for (const { shape, place } of this.#wanted) shape.marks[place] = 1;
    this.#crossing = space.names.map((_, at) => this.#shapes.filter((shape) => shape.at.includes(at)));
  }
  /** The first that is not met; undefined: all are. */
  next(): Row | undefined {
    for (; this.#next < this.#wanted.length; this.#next += 1) {
      const { shape, tuple, place } = this.#wanted[this.#next] as Wanted;
      if (shape.marks[place]) return tuple;
    }
    return undefined;
  }
  /** What a row has is met. */
  meet(row: Numbers): void {
    for (const shape of this.#shapes) shape.marks[placeOf(shape, row)] = 0;
  }
  /** How many combinations that were not met yet a part of a row meets by the value of one dimension. */
  gainOf(part: Numbers, at: number): number {
    let gain = 0;
    for (const shape of this.#crossing[at] as readonly OpenShape[]) {
      const place = placeOf(shape, part);
      if (place !== NONE && shape.marks[place]) gain += 1;
    }
    return gain;
  }
}

function openShape(space: Space, shape: Shape): OpenShape {
  const at = shape.map((name) => space.names.indexOf(name));
  const steps: number[] = [];
  let size = 1;
  for (const each of at) {
    steps.push(size);
    size *= space.values[each]?.length ?? 0;
  }
  return { at, steps, marks: new Uint8Array(size) };
}

/** Where the mark of what a row has of a shape is; {@link NONE} where it has not all of it yet. */
function placeOf({ at, steps }: OpenShape, row: Numbers): number {
  let place = 0;
  for (let index = 0; index < at.length; index += 1) {
    const value = row[at[index] as number] as number;
    if (value === NONE) return NONE;
    place += value * (steps[index] as number);
  }
  return place;
}

interface Completing {
  readonly space: Space;
  readonly open: Open;
  readonly possible: (part: Numbers) => boolean;
  readonly dice: Dice;
}

/** A row with a part in it, in which as much as can be seen of what is still open is met. */
function completed(part: Numbers, { space, open, possible, dice }: Completing): Numbers {
  const row = [...part];
  for (const at of shuffled([...space.names.keys()], dice)) {
    if (row[at] !== NONE) continue;
    const values = shuffled([...(space.values[at] ?? []).keys()], dice)
      .map((value) => {
        row[at] = value;
        return { value, gain: open.gainOf(row, at) };
      })
      .sort((a, b) => b.gain - a.gain);
    const best = values.find(({ value }) => {
      row[at] = value;
      return possible(row);
    });
    if (!best) {
      row[at] = NONE;
      throw new Error(`no value of ${space.names[at]} goes with ${JSON.stringify(space.row(row))}`);
    }
  }
  return row;
}

function shuffled<T>(items: readonly T[], dice: Dice): readonly T[] {
  const all = [...items];
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = dice.below(at + 1);
    [all[at], all[other]] = [all[other] as T, all[at] as T];
  }
  return all;
}
