import type { Crossing } from '../../../covering/covering.ts';
import { ACCEPTS, type CrossedSpace, SELECTORS, SHOWN } from './space.ts';

const NO_VERSION = ['exact-of-none', 'not-older-than-none', 'exact-of-zero'];

/** How objects are listed. */
export const listsCrossed = (space: CrossedSpace): Crossing => {
  const { cluster, of, place, protobuf, refused, refusedWith, spoken, who, without, withoutCbor } = space;
  const accept = spoken([...ACCEPTS, ...SHOWN, 'none']);
  return {
    dimensions: {
      ...place,
      scope: ['one', 'all'],
      accept,
      version: ['none', 'zero', 'at', 'exact', 'not-older', 'not-older-than-zero', ...NO_VERSION],
      selector: ['own', 'any', ...SELECTORS],
      limit: ['none', 'walk', 'walk-at'],
      who,
    },
    deeply: [
      ['type', 'scope', 'accept'],
      ['group', 'scope', 'selector'],
      ['group', 'version', 'limit'],
      ['group', 'selector', 'limit'],
      ['scope', 'version', 'limit'],
      ['scope', 'selector', 'limit'],
      ['version', 'selector', 'limit'],
      ['accept', 'version', 'limit'],
    ],
    ends: [
      ...refusedWith(['group', 'scope']),
      { at: { accept: ['none'] }, with: [['group', 'scope']] },
      { at: protobuf, with: [['scope'], ['limit']] },
      { at: { version: NO_VERSION }, with: [['group'], ['scope', 'limit'], ['accept']] },
      { at: { limit: ['walk-at'] }, with: [['group'], ['scope'], ['accept'], ['selector']] },
    ],
    never: [
      ...without,
      ...withoutCbor({ accept }),
      { type: cluster, scope: ['one'] },
      // Where others have objects too, a walk over all of them is theirs.
      { limit: ['walk', 'walk-at'], selector: ['any'], type: of(({ alone }) => !alone) },
      { limit: ['walk', 'walk-at'], selector: ['any'], scope: ['all'], type: of(({ custom }) => !custom) },
      // The real service overlooks the limit at version 0.
      { limit: ['walk', 'walk-at'], version: ['zero', 'not-older', 'at', 'not-older-than-zero'] },
      { limit: ['walk-at'], version: ['zero', ...NO_VERSION, 'exact'] },
      { limit: ['walk', 'walk-at'], who: refused },
    ],
  };
};
