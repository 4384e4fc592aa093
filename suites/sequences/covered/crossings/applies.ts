import type { Crossing, Together } from '../../../covering/covering.ts';
import { BECOMING } from '../applying.ts';
import type { CrossedSpace } from './space.ts';

/** One part, by who owned it before, and what an apply makes of it. */
export const appliesCrossed = (space: CrossedSpace): Crossing => {
  const { of, ofGroup, place, spoken, types, withoutCbor } = space;
  const form = spoken(['json', 'yaml', 'cbor']);
  return {
    dimensions: {
      ...place,
      part: types.flatMap(({ parts }) => Object.keys(parts)),
      owner: ['none', 'updated', 'own', 'applied', 'shared'],
      becomes: ['left', ...new Set(types.flatMap(({ parts }) => Object.values(parts).flat()))],
      force: ['no', 'yes'],
      form,
      dryRun: ['none', 'All'],
    },
    deeply: [
      ['owner', 'becomes', 'force'],
      ['owner', 'force', 'dryRun'],
      ['owner', 'force', 'form'],
    ],
    ends: [],
    never: [
      ...ofGroup,
      ...withoutCbor({ form }),
      ...types.flatMap(({ name, parts }): readonly Together[] =>
        Object.entries(parts).flatMap(([part, all]) => [
          { part: [part], type: of((type) => type.name !== name) },
          { part: [part], becomes: BECOMING.filter((each) => !all.includes(each)) },
        ]),
      ),
      { type: of(({ parts }) => Object.keys(parts).length === 0) },
    ],
  };
};
