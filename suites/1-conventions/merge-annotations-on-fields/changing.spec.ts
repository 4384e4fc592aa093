import { check, match, must } from '../../harness/index.ts';
import { applied, defineMarked, type Mark, remark, TEXT, TEXT_MAP, TEXTS, thing } from './markedType.ts';

const STRUCT = { type: 'object', properties: { mine: TEXT, theirs: TEXT, more: TEXT } } as const;
/** What is marked, how it is apart and how it is whole, and two values that are parts of it. */
const MARKED = {
  list: {
    apart: (mark: Mark) => ({ it: { ...TEXTS, ...mark('list-type', 'set') } }),
    whole: (mark: Mark) => ({ it: { ...TEXTS, ...mark('list-type', 'atomic') } }),
    mine: ['mine'],
    theirs: ['theirs'],
    more: ['mine', 'theirs', 'more'],
  },
  map: {
    apart: (mark: Mark) => ({ it: { ...TEXT_MAP, ...mark('map-type', 'granular') } }),
    whole: (mark: Mark) => ({ it: { ...TEXT_MAP, ...mark('map-type', 'atomic') } }),
    mine: { mine: '1' },
    theirs: { theirs: '1' },
    more: { mine: '1', theirs: '1', more: '1' },
  },
  struct: {
    apart: (mark: Mark) => ({ it: { ...STRUCT, ...mark('map-type', 'granular') } }),
    whole: (mark: Mark) => ({ it: { ...STRUCT, ...mark('map-type', 'atomic') } }),
    mine: { mine: '1' },
    theirs: { theirs: '1' },
    more: { mine: '1', theirs: '1', more: '1' },
  },
} as const;

for (const [what, { apart, whole, mine, theirs, more }] of Object.entries(MARKED)) {
  check(
    `MERGE-CHANGE-01.1/${what}`,
    `a ${what} of parts becomes atomic → who owned a part owns the whole`,
    ['MERGE-CHANGE-01'],
    async ({ author, rival, dialect }) => {
      const things = await defineMarked(author, dialect, apart);
      await applied(author, things, { it: mine });
      await applied(rival, things, { it: theirs });
      await remark(author, dialect, things, whole);
      must('a change of the author conflicts', await author.apply(things, thing({ it: more })), match.refusal);
      must('one of the rival too', await rival.apply(things, thing({ it: more })), match.refusal);
    },
  );

  check(
    `MERGE-CHANGE-02.1/${what}`,
    `an atomic ${what} becomes one of parts → nobody is in the way of a new part`,
    ['MERGE-CHANGE-02'],
    async ({ author, rival, dialect }) => {
      const things = await defineMarked(author, dialect, whole);
      await applied(author, things, { it: mine });
      must('first it has one owner', await rival.apply(things, thing({ it: theirs })), match.refusal);
      await remark(author, dialect, things, apart);
      must('then parts have', await rival.apply(things, thing({ it: theirs })), match.status(200));
    },
  );
}
