import { check, configMaps, match, must } from '../../harness/index.ts';

const labelled = (name: string, labels: Record<string, string>) => ({ metadata: { name, labels } });

const SELECTORS: readonly (readonly [string, string, readonly string[]])[] = [
  ['equality', 'tier=front', ['a', 'b']],
  ['equality of two signs', 'tier==front', ['a', 'b']],
  ['inequality', 'tier!=front', ['c', 'd']],
  ['a set', 'tier in (front,back)', ['a', 'b', 'c']],
  ['an excluded set', 'tier notin (front)', ['c', 'd']],
  ['presence', 'tier', ['a', 'b', 'c']],
  ['absence', '!tier', ['d']],
  ['two terms', 'tier=front,zone=1', ['a']],
];
for (const [title, labelSelector, expected] of SELECTORS) {
  check(
    `META-LABELS-01.1/${title}`,
    `the author lists by ${title} of labels → what matches, and nothing else`,
    ['META-LABELS-01'],
    async ({ author }) => {
      await author.given(configMaps, labelled('a', { tier: 'front', zone: '1' }));
      await author.given(configMaps, labelled('b', { tier: 'front', zone: '2' }));
      await author.given(configMaps, labelled('c', { tier: 'back' }));
      await author.given(configMaps, labelled('d', {}));
      // A namespace may come with config maps that the service itself puts there: they carry none of these labels.
      const list = await author.list(configMaps, { labelSelector });
      must('it is answered', list, match.status(200));
      const ours = (match.itemNames(list) ?? []).filter((name) => ['a', 'b', 'c', 'd'].includes(String(name)));
      must('exactly what matches is found', ours, match.sameItems(expected));
    },
  );
}

check(
  'META-LABELS-01.2',
  'the author relabels an object → selectors follow at once',
  ['META-LABELS-01'],
  async ({ author }) => {
    await author.given(configMaps, labelled('moving', { tier: 'front' }));
    await author.prepare((actor) =>
      actor.patch(configMaps, 'moving', 'merge', { metadata: { labels: { tier: 'back' } } }),
    );
    const front = await author.list(configMaps, { labelSelector: 'tier=front' });
    must('it is gone from the old selection', front, match.status(200), match.names([]));
    const back = await author.list(configMaps, { labelSelector: 'tier=back' });
    must('it is in the new one', back, match.status(200), match.names(['moving']));
  },
);

check(
  'META-ANNOTATIONS-01.1',
  'the author writes annotations → they are read exactly as written',
  ['META-ANNOTATIONS-01'],
  async ({ author }) => {
    const written = { 'touchstone.example/note': ' spaces, "quotes"\nand lines ', plain: '', text: 'ü☂𝄞' };
    await author.given(configMaps, { metadata: { name: 'noted', annotations: written } });
    const kept = match.field('metadata.annotations', match.including(written));
    must('they are as written', await author.get(configMaps, 'noted'), kept);
  },
);
