import type { RequirementId } from '../../fixtures/ledger/index.ts';
import type { Row } from '../covering/covering.ts';
import { aside, inconclusive, lacking, match, must, tellShortest } from '../harness/index.ts';
import type { SeenDifference } from '../sequences/compare.ts';
import { impatient, type Patience, type Played, patient, play } from '../sequences/play.ts';
import {
  namesOf,
  type PlacedStep,
  partsOfRows,
  possibleIn,
  type RowArea,
  rowsOfArea,
  sequenceOfRows,
  withoutControllers,
} from '../sequences/rowArea.ts';
import type { Side } from '../sequences/side.ts';
import { atItsVersion, wordsOf } from '../sequences/step.ts';
import { accessDifferences } from './accessDifferences.ts';
import { type Parts, startReference } from './drawnRequests.ts';
import { TargetSide } from './targetSide.ts';

/** Sequences played at a time, rows that are looked into when they differ, and how often each is played for that. */
const AT_A_TIME = 2;
const LOOKED_INTO = 3;
const TAKINGS = 6;
/** Milliseconds after which no further sequence is begun, and after which no row is made any plainer. */
const PLAYING = 75_000;
const PLAINING = 85_000;

/** A row in which target and reference differ, and the first thing in which they do. */
interface Failing {
  readonly row: Row;
  readonly place: PlacedStep;
  readonly difference: SeenDifference;
}

/** What rows are played on, and from when on nothing is begun any more. */
export interface Playing {
  readonly reference: Side;
  readonly target: Side;
  /** Part of all names that are made. */
  readonly prefix: string;
  readonly seed: string;
  /** When it began, in milliseconds as `performance.now` has them; there is no hurry unless told. */
  readonly began?: number;
}

/** What differs, and what could not be looked at. */
interface Finding {
  /** Rows in which all is plain that does not matter. */
  readonly failing: readonly Failing[];
  /** The requirements that they are about. */
  readonly names: readonly RequirementId[];
  /** Sequences that were left out for want of time. */
  readonly unplayed: number;
}

/** Plays the rows of an area on both sides, and makes those that differ as plain as they can be. */
export async function findInRows({ reference, target, prefix, seed, began }: Playing, area: RowArea): Promise<Finding> {
  const isPossible = possibleIn(area);
  const isBefore = (time: number) => began === undefined || performance.now() < began + time;
  let plays = 0;
  const differing = async (rows: readonly Row[], isPatient = impatient): Promise<readonly Failing[]> => {
    const id = `${prefix}-${(plays++).toString(36).padStart(3, '0')}`;
    const placed = sequenceOfRows(area, rows).map((each) => ({ ...each, step: atItsVersion(each.step) }));
    const steps = placed.map(({ step }) => step);
    const both = await Promise.all([play(reference, id, steps), play(target, id, steps, isPatient)]);
    return rows.flatMap((row, at) => failingOf(row, at, placed, both));
  };
  const parts = partsOfRows(rowsOfArea(area, seed), area);
  const found: Failing[] = [];
  for (let at = 0; at < parts.length && found.length === 0; at += AT_A_TIME) {
    if (at > 0 && !isBefore(PLAYING)) {
      return { failing: [], names: [], unplayed: parts.length - at };
    }
    const some = await Promise.all(parts.slice(at, at + AT_A_TIME).map((rows) => differing(rows)));
    found.push(...(await confirmed(differing, some.flat())));
  }
  const failing: Failing[] = [];
  const plainer = async (rows: readonly Row[]) => (isBefore(PLAINING) ? differing(rows) : []);
  for (const each of found) failing.push(await simplest(each, area, isPossible, plainer));
  const names = [...new Set(failing.flatMap((each) => namesOf(area, factsOf(each))))];
  return { failing, names, unplayed: 0 };
}

/** Puts the rows of an area to the target and to the reference: what is decided of each has to be the same. */
export async function judgeRows({ admin, nobody, space, seed }: Omit<Parts, 'output' | 'dialect'>, whole: RowArea) {
  const hasControllers = lacking(admin.target.capabilities, 'controllers') === undefined;
  const area = hasControllers ? whole : withoutControllers(whole);
  const reference = await startReference(admin.target, true, false);
  try {
    const { failing, names, unplayed } = await aside(() =>
      findInRows(
        {
          reference,
          target: new TargetSide(admin, nobody),
          prefix: space.prefix,
          seed: String(seed),
          began: performance.now(),
        },
        area,
      ),
    );
    if (unplayed > 0) inconclusive(`${unplayed} sequences were not played in ${PLAYING / 1000} s`);
    const [first] = failing;
    if (first)
      tellShortest(
        sequenceOfRows(area, [first.row]).map(({ step }) => wordsOf(step)),
        undefined,
        names,
      );
    must('each row is decided as the rules say', first && told(first, names), match.absent);
  } finally {
    await reference.close();
  }
}

/** The first rows that differ again by themselves, when the target is given time. */
async function confirmed(
  differing: (rows: readonly Row[], isPatient: Patience) => Promise<readonly Failing[]>,
  failing: readonly Failing[],
): Promise<readonly Failing[]> {
  const rows = [...new Map(failing.map((each) => [`${each.place.question} ${each.row.asked}`, each.row])).values()];
  return rows.length === 0 ? [] : differing(rows.slice(0, LOOKED_INTO), patient);
}

function failingOf(row: Row, at: number, placed: readonly PlacedStep[], both: readonly Played[]): readonly Failing[] {
  const of = both.map(({ seen }) => seen.filter(({ step }) => placed[step]?.row === at));
  const steps = placed.map(({ step }) => step);
  const [difference] = accessDifferences(steps, of[0] ?? [], of[1] ?? []);
  return difference === undefined ? [] : [{ row, place: placed[difference.step] as PlacedStep, difference }];
}

/**
 * A row with all made plain that does not matter: each of its values by itself first, and those that may go together.
 */
async function simplest(
  failing: Failing,
  { plain }: RowArea,
  isPossible: (row: Row) => boolean,
  differing: (rows: readonly Row[]) => Promise<readonly Failing[]>,
): Promise<Failing> {
  let best = failing;
  for (let taken = 0; taken < TAKINGS; taken++) {
    const odd = Object.keys(plain).filter((name) => best.row[name] !== plain[name]);
    const without = (names: readonly string[]): Row => ({
      ...best.row,
      ...Object.fromEntries(names.map((name) => [name, plain[name] as string])),
    });
    const single = odd.map((name) => without([name])).filter(isPossible);
    const still = single.length === 0 ? [] : await differing(single);
    const spare = odd.filter((name) => still.some(({ row }) => row[name] === plain[name]));
    // As many as possible at once, and fewer where that is too much.
    const together = [spare, spare.slice(1), spare.slice(0, -1), spare.slice(0, Math.ceil(spare.length / 2))]
      .filter(({ length }) => length > 1)
      .map(without)
      .filter(isPossible);
    const [more] = together.length === 0 ? [] : await differing(together);
    const next = more ?? still[0];
    if (next === undefined) return best;
    best = next;
  }
  return best;
}

function factsOf({ row, place: { question = '', time = 'before' }, difference }: Failing): Row {
  const { what, path, first, second } = difference;
  const isCode = path === 'status' && Number(first) >= 400 && Number(second) >= 400;
  const allowed = path === 'told.allowed' ? second === true : Number(second) < 300;
  const differs = isCode
    ? 'code'
    : what !== 'answer'
      ? 'stored'
      : path === 'told.denied'
        ? 'denied'
        : allowed
          ? 'allowed'
          : 'refused';
  return { ...row, question, time, differs };
}

/** What differs, and the requirements that it is about. */
function told({ row, place: { step, question }, difference }: Failing, names: readonly RequirementId[]): string {
  const { what, path, first, second } = difference;
  const how = Object.entries(row).map(([name, value]) => `${name} ${value}`);
  const asked = `${question} of ${how.join(', ')}: ${wordsOf(step)}`;
  return `${asked}: ${what} ${path}: ${JSON.stringify(second)}, wanted ${JSON.stringify(first)} (${names.join(', ')})`;
}
