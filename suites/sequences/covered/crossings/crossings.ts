import type { Crossing } from '../../../covering/covering.ts';
import { appliesCrossed } from './applies.ts';
import { contentsCrossed } from './contents.ts';
import { listsCrossed } from './lists.ts';
import { misplacedCrossed } from './misplaced.ts';
import { largesCrossed, readsCrossed } from './reads.ts';
import { refusalsCrossed } from './refusals.ts';
import { removalsCrossed, sweepsCrossed } from './removals.ts';
import { type Cbor, type CrossedPlace, crossedSpace } from './space.ts';
import { watchesCrossed } from './watches.ts';
import { writesCrossed } from './writes.ts';

/** What is asked: each kind of request has dimensions of its own. */
export type Asking =
  | 'writes'
  | 'contents'
  | 'applies'
  | 'refusals'
  | 'removals'
  | 'sweeps'
  | 'reads'
  | 'lists'
  | 'watches'
  | 'larges'
  | 'misplaced';

/** The spaces of combinations of some types. Each table is what can vary in one kind of request, and what cannot. */
export function crossingsOf(types: readonly CrossedPlace[], cbor: Cbor): Readonly<Record<Asking, Crossing>> {
  const space = crossedSpace(types, cbor);
  const all = {
    writes: writesCrossed(space),
    contents: contentsCrossed(space),
    applies: appliesCrossed(space),
    refusals: refusalsCrossed(space),
    misplaced: misplacedCrossed(space),
    removals: removalsCrossed(space),
    sweeps: sweepsCrossed(space),
    reads: readsCrossed(space),
    lists: listsCrossed(space),
    larges: largesCrossed(space),
    watches: watchesCrossed(space),
  };
  if (cbor !== 'always') return all;
  const asked = Object.entries(all).map(([asking, crossing]) => [asking, inPairs(crossing)]);
  return Object.fromEntries(asked) as Record<Asking, Crossing>;
}

/** Nothing but pairs, and each end in each group: with an encoding that is in each row they are three things together. */
const inPairs = ({ ends, ...crossing }: Crossing): Crossing => ({
  ...crossing,
  ends: ends.map((end) => ({ ...end, with: [['group']] })),
  deeply: [],
});
