import type { RequirementId } from '../../fixtures/ledger/index.ts';
import { type Crossing, covering, type Row, type Together } from '../covering/covering.ts';
import { Dice } from '../covering/dice.ts';
import type { Step } from './step.ts';

/** One request of a row, and by which word it is named what it is about: `verb` asks with another verb than is granted. */
export interface RowStep extends Step {
  readonly question: string;
}

/** What a row does. Rows of a sequence do each part together, so that a server that follows later is waited for once. */
export interface RowSteps {
  readonly prepare: readonly Step[];
  readonly ask: readonly RowStep[];
  /** What is taken away or changed then, and what is asked after that. */
  readonly change: readonly Step[];
  readonly again: readonly RowStep[];
}

/** What is named where a row has these values, beside which it is as plain as can be. */
export type Naming = readonly [about: Together, ...ids: readonly RequirementId[]];

/** A table of what is crossed, and what its rows do. */
export interface RowArea {
  readonly name: string;
  readonly crossing: Crossing;
  /** The value of each dimension where nothing of it matters. */
  readonly plain: Row;
  /** What comes of such rows by a controller, which a server may run without. */
  readonly byControllers?: Together;
  /** Rows that a sequence has at most. */
  readonly together: number;
  /** What the rows of a sequence find. */
  readonly shared: readonly Step[];
  /** @param at tells the row apart from the others of its sequence, as a part of names */
  readonly steps: (row: Row, at: string) => RowSteps;
  /**
   * The dimensions of a row, and beside them `question`, `time` (`before` or `after` a change) and `differs`: whether
   * the target `allowed` what is refused, `refused` what is allowed, shows something `other` or has `stored` it.
   */
  readonly names: readonly Naming[];
  /** What is named where nothing else is. */
  readonly usual: readonly RequirementId[];
}

/** A step of a row in a sequence. */
export interface PlacedStep {
  readonly step: Step;
  /** Place of its row among those of the sequence; absent of what all share. */
  readonly row?: number;
  readonly question?: string;
  readonly time?: 'before' | 'after';
}

/** An area without the rows that need controllers. */
export function withoutControllers(area: RowArea): RowArea {
  const { name, crossing, byControllers } = area;
  if (byControllers === undefined) return area;
  return {
    ...area,
    name: `${name} without controllers`,
    crossing: { ...crossing, never: [...crossing.never, byControllers] },
  };
}

const computed = new Map<string, readonly Row[]>();

/** All rows of an area; the same for the same seed. */
export function rowsOfArea({ name, crossing }: RowArea, seed: string): readonly Row[] {
  const key = `${name} ${seed}`;
  const rows = computed.get(key) ?? covering(crossing, new Dice(seed, 9_100 + name.length));
  computed.set(key, rows);
  return rows;
}

/** Rows in parts of about the same size, each of which is played as one sequence. */
export function partsOfRows(
  rows: readonly Row[],
  { together }: Pick<RowArea, 'together'>,
): readonly (readonly Row[])[] {
  const count = Math.ceil(rows.length / together);
  return Array.from({ length: count }, (_, part) => rows.filter((_row, at) => at % count === part));
}

/** Some rows as one sequence. */
export function sequenceOfRows(area: RowArea, rows: readonly Row[]): readonly PlacedStep[] {
  const of = rows.map((row, at) => area.steps(row, at.toString(36).padStart(2, '0')));
  const unseen = (steps: readonly Step[]) => steps.map((step): PlacedStep => ({ step: { ...step, unseen: true } }));
  const asked = (time: NonNullable<PlacedStep['time']>, part: 'ask' | 'again') =>
    of.flatMap((steps, row) =>
      steps[part].map(
        ({ question, ...step }): PlacedStep => ({ step: { ...step, prompt: true }, row, question, time }),
      ),
    );
  const again = asked('after', 'again');
  return [
    ...unseen(area.shared),
    ...unseen(of.flatMap(({ prepare }) => prepare)),
    fence('a'),
    ...asked('before', 'ask'),
    ...(again.length === 0 ? [] : [...unseen(of.flatMap(({ change }) => change)), fence('b'), ...again]),
  ];
}

/** A request after which a server is waited for. */
const fence = (name: string): PlacedStep => ({
  step: {
    as: 'admin',
    method: 'POST',
    path: '/api/v1/namespaces/{ns}/configmaps',
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `fence-${name}` } },
    slow: true,
  },
});

/** Tells whether there can be such a row in an area. */
export function possibleIn({ crossing: { never } }: RowArea): (row: Row) => boolean {
  const isAt = (row: Row, at: Together) =>
    Object.entries(at).every(([name, values]) => values.includes(row[name] ?? ''));
  return (row) => !never.some((each) => isAt(row, each));
}

/**
 * The requirements that a difference is about.
 * @param facts a row in which all is plain that does not matter, with what was asked, when, and what differed
 */
export function namesOf({ names, plain, usual }: RowArea, facts: Row): readonly RequirementId[] {
  const fits = (about: Together) =>
    Object.entries(about).every(([name, values]) => values.includes(facts[name] ?? '') && facts[name] !== plain[name]);
  const named = names.flatMap(([about, ...ids]) => (fits(about) ? ids : []));
  return [...new Set(named.length > 0 ? named : usual)];
}
