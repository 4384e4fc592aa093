import type { Crossing } from '../../../covering/covering.ts';
import { type CrossedSpace, PATCHES } from './space.ts';

/** What is asked for where it is not. */
export const misplacedCrossed = (space: CrossedSpace): Crossing => {
  const { lasting, of, ofGroup, place, withoutCbor } = space;
  return {
    dimensions: {
      ...place,
      verb: ['get', 'list', 'watch', 'create', 'update', ...PATCHES, 'delete', 'deletecollection'],
      who: ['admin', 'unknown'],
      where: ['other-scope', 'other-version', 'other-group', 'other-type', 'other-sub', 'sub-of-all', 'swapped'],
      accept: ['plain', 'yaml', 'table'],
      dryRun: ['none', 'All'],
    },
    deeply: [],
    ends: [
      { at: { verb: ['get'], who: ['admin'] }, with: [['type', 'where']] },
      { at: { who: ['unknown'] }, with: [['verb'], ['where']] },
    ],
    never: [
      ...ofGroup,
      ...withoutCbor({}),
      { verb: ['get', 'list', 'watch'], dryRun: ['All'] },
      { verb: ['list', 'watch', 'deletecollection', 'create'], where: ['other-sub', 'sub-of-all'] },
      // A DELETE is of one or of all.
      { verb: ['get', 'list', 'watch', 'delete', 'deletecollection'], where: ['swapped'] },
      // A collection of a namespaced type without its namespace is that of all; what writes to it do is open.
      {
        where: ['other-scope'],
        verb: ['list', 'watch', 'create', 'deletecollection'],
        type: of(({ namespaced }) => namespaced),
      },
      { where: ['other-scope'], type: lasting },
    ],
  };
};
