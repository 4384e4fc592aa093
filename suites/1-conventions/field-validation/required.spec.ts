import { type Actor, check, clause, clausesOf, defineType, match, must, named, objectIn } from '../../harness/index.ts';

/** A type of which one field is required. */
const things = (author: Actor) =>
  defineType(author, author.dialect, () => ({
    type: 'object',
    required: ['size'],
    properties: { size: { type: 'integer' }, text: { type: 'string' } },
  }));

check(
  'FIELDS-REQUIRED-01.2',
  'the author leaves a required field of a custom object out, or takes it away, in every way → 4xx, and nothing is stored',
  clausesOf('FIELDS-REQUIRED-01'),
  async ({ author }) => {
    const kind = await things(author);
    await author.prepare((each) => each.apply(kind, named('doc', { size: 3, text: 'a' })));
    const live = objectIn(await author.get(kind, 'doc'));
    const { size: _, ...without } = live;
    const writes = {
      post: () => author.create(kind, named('made', { text: 'b' })),
      put: () => author.update(kind, without),
      json: () => author.patch(kind, 'doc', 'json', [{ op: 'remove', path: '/size' }]),
      merge: () => author.patch(kind, 'doc', 'merge', { size: null }),
      apply: () => author.apply(kind, named('doc', { text: 'b' })),
    } as const;
    for (const [write, send] of Object.entries(writes)) {
      await clause(clausesOf('FIELDS-REQUIRED-01', write), async () => {
        must('it is required', await send(), match.refusal);
        must('nothing is created', await author.get(kind, 'made'), match.status(404));
        must('nothing changes', await author.get(kind, 'doc'), match.body(live));
      });
    }
  },
);
