import type { Crossing } from '../../../covering/covering.ts';
import { ACCEPTS, type CrossedSpace } from './space.ts';

/** How an object is deleted. */
export const removalsCrossed = (space: CrossedSpace): Crossing => {
  const { lasting, place, protobuf, refusedWith, spoken, who, without, withoutCbor } = space;
  const options = spoken(['none', 'json', 'yaml', 'cbor']);
  const accept = spoken(ACCEPTS);
  return {
    dimensions: {
      ...place,
      options,
      says: ['nothing', 'uid', 'version', 'other-uid', 'stale'],
      dryRun: ['none', 'query', 'body', 'both', 'query-Some', 'body-Some'],
      more: ['nothing', 'Background', 'Orphan', 'grace', 'no-policy', 'no-grace'],
      state: ['there', 'held', 'leaving', 'absent'],
      accept,
      who,
    },
    deeply: [
      ['options', 'dryRun', 'state'],
      ['group', 'dryRun'],
    ],
    ends: [
      ...refusedWith(['group'], ['dryRun']),
      { at: { says: ['other-uid', 'stale'] }, with: [['group'], ['options', 'dryRun'], ['state']] },
      { at: { dryRun: ['query-Some', 'body-Some'] }, with: [['group'], ['options']] },
      { at: { more: ['no-policy', 'no-grace'] }, with: [['options']] },
      { at: { state: ['absent'] }, with: [['group'], ['options'], ['dryRun']] },
    ],
    never: [
      ...without,
      ...withoutCbor({ options, accept }),
      protobuf,
      { options: ['none'], says: ['uid', 'version', 'other-uid', 'stale'] },
      { options: ['none'], dryRun: ['body', 'both', 'body-Some'] },
      // Where a body comes with parameters the service departs from the text.
      { options: ['json', 'yaml', 'cbor'], dryRun: ['query', 'query-Some'] },
      { state: ['absent'], says: ['uid', 'version', 'stale'] },
      { type: lasting, dryRun: ['none'] },
      { type: lasting, state: ['leaving'] },
    ],
  };
};

/** How a selection is deleted. */
export const sweepsCrossed = (space: CrossedSpace): Crossing => {
  const { lasting, ofGroup, place, refusedWith, spoken, who, withoutCbor } = space;
  const options = spoken(['none', 'json', 'yaml', 'cbor']);
  return {
    dimensions: {
      ...place,
      options,
      dryRun: ['none', 'query', 'body', 'both', 'query-Some'],
      more: ['nothing', 'Background', 'Orphan', 'grace', 'pretty', 'timeout', 'odd-limit', 'no-policy'],
      selector: ['equal', 'in', 'exists', 'name', 'both'],
      state: ['there', 'held'],
      who,
    },
    deeply: [
      ['options', 'dryRun', 'state'],
      ['group', 'dryRun', 'selector'],
    ],
    ends: [
      ...refusedWith(['group']),
      { at: { dryRun: ['query-Some'] }, with: [['group']] },
      { at: { more: ['odd-limit', 'no-policy'] }, with: [['group'], ['options']] },
    ],
    never: [
      ...ofGroup,
      ...withoutCbor({ options }),
      // Namespaces have no deletion of all.
      { type: lasting },
      { options: ['json', 'yaml', 'cbor'], more: ['pretty', 'timeout', 'odd-limit'] },
      { options: ['none'], dryRun: ['body', 'both'] },
      { options: ['json', 'yaml', 'cbor'], dryRun: ['query', 'query-Some'] },
    ],
  };
};
