import type { Crossing } from '../../../covering/covering.ts';
import { type CrossedSpace, PATCHES } from './space.ts';

/** Each member that is kept, or refused, by every verb. */
export const contentsCrossed = (space: CrossedSpace): Crossing => {
  const { types, customs, of, ofGroup, place, spoken, withoutCbor } = space;
  const form = spoken(['json', 'yaml', 'cbor']);
  const numbered = (word: 'legal' | 'illegal'): readonly string[] =>
    Array.from({ length: Math.max(...types.map((type) => type[word])) }, (_, at) => `${word}${at}`);
  return {
    dimensions: {
      verb: ['create', 'update', ...PATCHES],
      ...place,
      content: [...numbered('legal'), ...numbered('illegal')],
      form,
      dryRun: ['none', 'All'],
      fields: ['none', 'Strict', 'Ignore'],
      state: ['absent', 'there'],
    },
    deeply: [
      ['type', 'content'],
      ['type', 'verb', 'form'],
      ['type', 'verb', 'dryRun'],
      ['verb', 'form', 'dryRun'],
      ['verb', 'fields', 'dryRun'],
    ],
    ends: [{ at: { content: numbered('illegal') }, with: [['type'], ['verb'], ['dryRun'], ['form'], ['fields']] }],
    never: [
      ...ofGroup,
      ...withoutCbor({ form }),
      { type: customs, verb: ['strategic'] },
      { verb: ['json', 'merge', 'strategic'], form: ['yaml', 'cbor'] },
      { verb: ['update', 'json', 'merge', 'strategic'], state: ['absent'] },
      { verb: ['create'], state: ['there'] },
      ...[...numbered('legal'), ...numbered('illegal')].map((content) => {
        const word = content.startsWith('legal') ? 'legal' : 'illegal';
        return { content: [content], type: of((type) => type[word] <= Number(content.slice(word.length))) };
      }),
    ],
  };
};
