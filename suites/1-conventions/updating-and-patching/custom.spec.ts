import { check, defineType, match, must, named } from '../../harness/index.ts';

check(
  'STRATEGIC-CUSTOM-01.1',
  'the author sends a strategic merge patch to a custom object → 4xx, and nothing changes',
  ['STRATEGIC-CUSTOM-01/object'],
  async ({ author, dialect }) => {
    const things = await defineType(author, dialect, () => ({
      type: 'object',
      properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
    }));
    const live = await author.given(things, named('thing', { spec: { a: '1' } }));
    const patched = await author.patch(things, 'thing', 'strategic', { spec: { a: '2' } });
    must('custom types have no merge keys', patched, match.refusal);
    must('nothing changed', await author.get(things, 'thing'), match.body(live));
  },
);
