import type { Crossing } from '../../../covering/covering.ts';
import { ACCEPTS, type CrossedSpace, SHOWN } from './space.ts';

/** How an object is read. */
export const readsCrossed = (space: CrossedSpace): Crossing => {
  const { lasting, part, place, protobuf, refusedWith, spoken, subs, who, without, withoutCbor } = space;
  const accept = spoken([...ACCEPTS, ...SHOWN, 'none']);
  return {
    dimensions: {
      ...place,
      ...part,
      accept,
      state: ['there', 'leaving', 'absent'],
      version: ['none', 'current'],
      who,
    },
    deeply: [
      ['type', 'sub', 'accept'],
      ['group', 'state', 'accept'],
      ['group', 'sub', 'state', 'version'],
    ],
    ends: [
      ...refusedWith(['group']),
      { at: { accept: ['none'] }, with: [['type'], ['sub']] },
      { at: protobuf, with: [['sub'], ['state']] },
      { at: { state: ['absent'] }, with: [['type']] },
    ],
    never: [
      ...without,
      ...withoutCbor({ accept }),
      { sub: subs, accept: SHOWN },
      { type: lasting, state: ['leaving'] },
    ],
  };
};

/** Of what is large an answer may be compressed. */
export const largesCrossed = (space: CrossedSpace): Crossing => {
  const { cluster, place, protobuf, spoken, without, withoutCbor } = space;
  const accept = spoken(['plain', 'yaml', 'cbor', 'protobuf', 'table', 'partial']);
  return {
    dimensions: {
      ...place,
      verb: ['get', 'list'],
      scope: ['one', 'all'],
      accept,
      encoding: ['none', 'gzip', 'no-gzip'],
    },
    deeply: [
      ['group', 'verb', 'accept'],
      ['type', 'verb', 'scope'],
      ['type', 'verb', 'encoding'],
      ['verb', 'accept', 'encoding'],
    ],
    ends: [],
    never: [
      ...without,
      ...withoutCbor({ accept }),
      protobuf,
      { type: cluster, scope: ['one'], verb: ['list'] },
      { verb: ['get'], scope: ['all'] },
    ],
  };
};
