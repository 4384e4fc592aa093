import { type Crossing, covering, type Row } from '../../covering/covering.ts';
import { Dice } from '../../covering/dice.ts';
import type { RunSeed } from '../../harness/running/seeds.ts';
import type { CrossedGroup } from '../areas/crossed.ts';
import type { SequenceType } from '../types.ts';
import { COVERED, IN_CBOR, placeOf } from './coveredTypes.ts';
import { type Asking, crossingsOf } from './crossings/crossings.ts';
import type { Cbor } from './crossings/space.ts';

const GROUPS = Object.keys(COVERED) as CrossedGroup[];

/** What of a type is crossed, by the kinds of requests: how it is written, and what is shown of it and refused. */
export const FACETS = {
  written: ['writes', 'contents', 'removals', 'applies'],
  shown: ['reads', 'watches', 'lists', 'sweeps', 'larges', 'misplaced', 'refusals'],
} as const satisfies Readonly<Record<string, readonly Asking[]>>;
export type Facet = keyof typeof FACETS;

/** How rows are drawn: all who share a seed and what is spoken play parts of one array. */
export interface Drawing {
  readonly seed: RunSeed;
  readonly cbor: Cbor;
}

const crossings = new Map<Cbor, ReturnType<typeof crossingsOf>>();

/** What a kind of request is crossed with: all groups of types together. The same object each time. */
export function crossingOf(asking: Asking, { cbor }: Pick<Drawing, 'cbor'>): Crossing {
  const isPlayed = ({ plural }: SequenceType) => cbor !== 'always' || IN_CBOR.includes(plural);
  const places = () => GROUPS.flatMap((group) => COVERED[group].filter(isPlayed).map((type) => placeOf(group, type)));
  const all = crossings.get(cbor) ?? crossingsOf(places(), cbor);
  crossings.set(cbor, all);
  return all[asking];
}

/** Rows that were computed, as the checks of all types share them. */
const computed = new Map<string, readonly Row[]>();

/** All rows of one kind of request. */
export function rowsOf(asking: Asking, drawing: Drawing): readonly Row[] {
  const key = `${asking} ${drawing.seed} ${drawing.cbor}`;
  const rows = computed.get(key) ?? covering(crossingOf(asking, drawing), new Dice(`${drawing.seed} ${asking}`));
  computed.set(key, rows);
  return rows;
}

/** Those that are about a type: its part of the array. */
export const rowsAbout = ({ plural }: SequenceType, asking: Asking, drawing: Drawing): readonly Row[] =>
  rowsOf(asking, drawing).filter(({ type }) => type === plural);
