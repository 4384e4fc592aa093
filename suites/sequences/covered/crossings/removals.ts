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
      says: ['nothing', 'uid', 'version', 'both', 'other-uid', 'stale', 'half'],
      dryRun: ['none', 'query', 'body', 'both', 'query-Some', 'body-Some'],
      more: ['nothing', 'Background', 'Orphan', 'grace', 'no-policy', 'no-grace'],
      state: ['there', 'held', 'leaving', 'absent'],
      accept,
      who,
    },
    deeply: [
      ['options', 'dryRun', 'state'],
      ['type', 'dryRun', 'state'],
      ['group', 'says', 'state'],
      ['says', 'dryRun', 'state'],
      ['more', 'dryRun', 'state'],
    ],
    ends: [
      ...refusedWith(['group'], ['dryRun']),
      { at: { says: ['other-uid', 'stale', 'half'] }, with: [['type'], ['options', 'dryRun'], ['group', 'state']] },
      { at: { dryRun: ['query-Some', 'body-Some'] }, with: [['group'], ['options']] },
      { at: { more: ['no-policy', 'no-grace'] }, with: [['options']] },
      { at: { state: ['absent'] }, with: [['group'], ['options'], ['dryRun']] },
    ],
    never: [
      ...without,
      ...withoutCbor({ options, accept }),
      protobuf,
      { options: ['none'], says: ['uid', 'version', 'both', 'other-uid', 'stale', 'half'] },
      { options: ['none'], dryRun: ['body', 'both', 'body-Some'] },
      // Where a body comes with parameters the service departs from the text.
      { options: ['json', 'yaml', 'cbor'], dryRun: ['query', 'query-Some'] },
      { state: ['absent'], says: ['uid', 'version', 'both', 'stale', 'half'] },
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
      state: ['there', 'held', 'leaving'],
      who,
    },
    deeply: [
      ['options', 'dryRun', 'state'],
      ['type', 'dryRun', 'state'],
      ['group', 'dryRun', 'selector'],
      ['group', 'state', 'selector'],
      ['dryRun', 'state', 'selector'],
      ['more', 'dryRun', 'options'],
      ['more', 'state'],
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
