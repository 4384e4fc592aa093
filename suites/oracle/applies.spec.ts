import { defineMarked } from '../1-conventions/merge-annotations-on-fields/markedType.ts';
import { check, holds, unsupported } from '../harness/index.ts';
import { Oracle } from './oracle.ts';
import { EVERY_MARKER } from './ownership/fields.ts';
import { anySteps, OwnershipRun } from './ownership/ownershipRun.ts';

/** Many, since most short sequences meet nobody. */
const RUNS = 40;

check(
  'APPLY-SEQUENCE-01.1',
  'three apply and two update a type with every marker as chance has it → after every step all is as in the reference',
  ['APPLY-SEQUENCE-01'],
  { laborious: true },
  async ({ author, dialect, seed }) => {
    const type = await defineMarked(author, dialect, EVERY_MARKER);
    const oracle = await Oracle.start(dialect);
    if (!oracle) unsupported(`the reference has no dialect ${dialect.name} to compare with`);
    try {
      const twin = await OwnershipRun.of(author, oracle, type, dialect);
      await holds(seed, anySteps, (steps, name) => twin.play(steps, name), RUNS);
    } finally {
      await oracle.close();
    }
  },
);
