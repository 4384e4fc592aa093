import { type Crossing, covering, type Row } from '../../covering/covering.ts';
import { Dice } from '../../covering/dice.ts';
import type { CrossedGroup } from '../areas/crossed.ts';
import { COVERED, placeOf } from './coveredTypes.ts';
import { type Asking, crossingsOf } from './crossings.ts';

const GROUPS = Object.keys(COVERED) as CrossedGroup[];
/** Each kind of request, in the order in which dice are thrown for them. */
export const ASKINGS = [
  'writes',
  'contents',
  'applies',
  'refusals',
  'removals',
  'sweeps',
  'reads',
  'lists',
  'watches',
  'larges',
  'misplaced',
] as const;

/** How the crossings of a group are drawn. */
export interface Drawing {
  readonly seed: string;
  /** Whether CBOR is spoken. */
  readonly cbor: boolean;
}

const crossings = new Map<boolean, ReturnType<typeof crossingsOf>>();

/** What a kind of request is crossed with: all groups of types together. The same object each time. */
export function crossingOf(asking: Asking, { cbor }: Pick<Drawing, 'cbor'>): Crossing {
  const places = () => GROUPS.flatMap((group) => COVERED[group].map((type) => placeOf(group, type)));
  const all = crossings.get(cbor) ?? crossingsOf(places(), cbor);
  crossings.set(cbor, all);
  return all[asking];
}

/** Rows that were computed, as the checks of all types share them. */
const computed = new Map<string, readonly Row[]>();

/** All rows of one kind of request. */
export function rowsOf(asking: Asking, drawing: Drawing): readonly Row[] {
  const key = `${asking} ${drawing.seed} ${drawing.cbor}`;
  const dice = new Dice(drawing.seed, 9_000 + ASKINGS.indexOf(asking));
  const rows = computed.get(key) ?? covering(crossingOf(asking, drawing), dice);
  computed.set(key, rows);
  return rows;
}

/** Whether something of a row is in CBOR, and asked by who may do everything. */
export const isInCbor = ({ form, accept, options, who = 'admin' }: Row): boolean =>
  [form, accept, options].includes('cbor') && who === 'admin';
