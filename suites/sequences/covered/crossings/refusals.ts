import type { Crossing } from '../../../covering/covering.ts';
import { type CrossedSpace, PATCHES } from './space.ts';

/** Whoever may not is refused for that, whatever else is wrong with a request. */
export const refusalsCrossed = (space: CrossedSpace): Crossing => {
  const { cluster, ofGroup, place, refused, withoutCbor } = space;
  return {
    dimensions: {
      verb: ['create', 'update', ...PATCHES],
      ...place,
      flaw: [
        ...['no-object', 'garbled', 'typed', 'kind', 'elsewhere', 'renamed', 'stale', 'absent'],
        ...['dryRun', 'stranger', 'form', 'accept', 'fields'],
      ],
      who: refused,
    },
    deeply: [
      ['verb', 'flaw'],
      ['who', 'flaw'],
    ],
    ends: [],
    never: [
      ...ofGroup,
      ...withoutCbor({}),
      { flaw: ['stale', 'absent'], verb: ['create'] },
      { flaw: ['elsewhere'], type: cluster },
    ],
  };
};
