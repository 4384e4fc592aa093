import type { Crossing } from '../../../covering/covering.ts';
import { type CrossedSpace, SELECTORS } from './space.ts';

/** How objects are watched. */
export const watchesCrossed = (space: CrossedSpace): Crossing => {
  const { cluster, lasting, ofGroup, place, refusedWith, who, withoutCbor } = space;
  return {
    dimensions: {
      ...place,
      scope: ['one', 'all'],
      accept: ['plain', 'table', 'partial'],
      from: [
        ...['list', 'list-of-name', 'list-of-nothing', 'list-as-table', 'chunk', 'object'],
        ...['none', 'zero', 'initial', 'initial-at', 'initial-of-none'],
      ],
      bookmarks: ['no', 'yes', 'declined'],
      selector: ['own', ...SELECTORS],
      who,
    },
    deeply: [
      ['group', 'scope', 'accept'],
      ['group', 'scope', 'from'],
      ['group', 'scope', 'selector'],
      ['scope', 'from', 'selector'],
      ['from', 'bookmarks', 'accept'],
    ],
    ends: [...refusedWith(['group']), { at: { from: ['initial-of-none'] }, with: [['group'], ['scope']] }],
    never: [
      ...ofGroup,
      ...withoutCbor({}),
      { type: cluster, scope: ['one'] },
      // Which one a chunk of others' objects holds is theirs.
      { from: ['chunk'], type: lasting },
    ],
  };
};
