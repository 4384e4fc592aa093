import { check, match, must, named } from '../../harness/index.ts';
import { priorityLevels } from './kinds.ts';

const limited = (shares?: number) => ({
  type: 'Limited',
  limited: { nominalConcurrencyShares: shares, limitResponse: { type: 'Reject' } },
});

for (const [given, read] of [
  [undefined, 30],
  [0, 0],
  [7, 7],
] as const) {
  check(
    `CHANGED-FLOWCONTROL-01.1/${read}`,
    `the author creates a priority level with ${given ?? 'no'} shares → it has ${read}`,
    ['CHANGED-FLOWCONTROL-01'],
    async ({ author }) => {
      const created = await author.create(priorityLevels, { ...named('level'), spec: limited(given) });
      must('it is taken', created, match.created);
      const stored = await author.get(priorityLevels, 'level');
      must('it is stored so', stored, match.field('spec.limited.nominalConcurrencyShares', read));
    },
  );
}

check(
  'CHANGED-FLOWCONTROL-01.2',
  'the author creates a priority level with shares below zero → refused, or stored so, and never 30',
  ['CHANGED-FLOWCONTROL-01'],
  async ({ author }) => {
    const created = await author.create(priorityLevels, { ...named('level'), spec: limited(-1) });
    const asGiven = match.field('spec.limited.nominalConcurrencyShares', -1);
    must('it is not filled in', created, match.either(match.refusal, asGiven));
  },
);
