import { extensionName } from '../../../fixtures/dialects/dialect.ts';
import type { Json } from '../../harness/index.ts';
import { check, defineType, match, must, named } from '../../harness/index.ts';

/** What a member is, what the patch says of it, and what it is then: the cases of RFC 7386, and more of maps. */
const CASES: readonly (readonly [before: Json, patch: Json, after: Json])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, 'bar', 'bar'],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  [{ a: { b: 'c' } }, { a: {} }, { a: { b: 'c' } }],
  [{ a: 'b' }, {}, { a: 'b' }],
  [{ a: 'b' }, { a: { c: 1 } }, { a: { c: 1 } }],
  [{ a: { b: 1 } }, { a: 5 }, { a: 5 }],
  [{ a: { b: 1 } }, { a: [] }, { a: [] }],
  [{ a: [1, 2, 3] }, { a: [2] }, { a: [2] }],
  [{ a: 1 }, { a: 0, b: false, c: '' }, { a: 0, b: false, c: '' }],
  // Names are names: no paths, pointers or directives.
  [
    { a: { b: 1 }, 'a.b': 2, 'a/b': 3, $patch: 'x' },
    { 'a.b': null, 'a/c': 4, 'a~1b': 5, 'a.c.d': 6, $patch: 'replace', '0': 7, '-': 8 },
    { a: { b: 1 }, 'a/b': 3, 'a/c': 4, 'a~1b': 5, 'a.c.d': 6, $patch: 'replace', '0': 7, '-': 8 },
  ],
  [{ a: { b: { c: { d: 1, e: 2 } } } }, { a: { b: { c: { d: null } } } }, { a: { b: { c: { e: 2 } } } }],
];

check(
  'MERGEPATCH-RULE-01.7',
  'the author merges every case of the rule into a custom object, tried and really → as RFC 7386 says',
  ['MERGEPATCH-RULE-01/cases'],
  ['custom-types'],
  async ({ author, dialect }) => {
    const open = { type: 'object', [extensionName(dialect, 'preserve-unknown-fields')]: true };
    const kind = await defineType(author, dialect, () => ({ type: 'object', properties: { spec: open } }));
    const of = (at: 0 | 1 | 2) => Object.fromEntries(CASES.map((each, index) => [`case${index}`, each[at]]));
    await author.given(kind, named('doc', { spec: of(0) }));
    for (const dryRun of ['All', undefined]) {
      const patched = await author.patch(kind, 'doc', 'merge', { spec: of(1) }, { dryRun });
      must('each is merged', patched, match.status(200), match.field('spec', of(2)));
    }
    must('and stored', await author.get(kind, 'doc'), match.field('spec', of(2)));
  },
);
