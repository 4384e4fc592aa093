import { check, configMaps, listIn, match, must } from '../../harness/index.ts';
import { TEXTS } from '../texts.ts';
import { writerOf } from '../writing.ts';

const labelled = (name: string, labels: Record<string, string>) => ({ metadata: { name, labels } });

const SELECTORS: readonly (readonly [string, string, readonly string[]])[] = [
  ['equality', 'tier=front', ['a', 'b']],
  ['equality of two signs', 'tier==front', ['a', 'b']],
  ['inequality', 'tier!=front', ['c', 'd', 'e', 'f', 'g']],
  ['a set', 'tier in (front,back)', ['a', 'b', 'c']],
  ['an excluded set', 'tier notin (front)', ['c', 'd', 'e', 'f', 'g']],
  ['presence', 'tier', ['a', 'b', 'c', 'e', 'f']],
  ['absence', '!tier', ['d', 'g']],
  ['two terms', 'tier=front,zone=1', ['a']],
  ['presence of two', 'tier,zone', ['a', 'b', 'e']],
  ['an empty value', 'tier=', ['e']],
  ['two inequalities of one label', 'tier!=front,tier!=back', ['d', 'e', 'f', 'g']],
  ['a set with blanks', 'tier in ( front , back )', ['a', 'b', 'c']],
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
      await author.given(configMaps, labelled('e', { tier: '', zone: '' }));
      await author.given(configMaps, labelled('f', { tier: 'Front' }));
      await author.given(configMaps, labelled('g', { Tier: 'front', 'example.com/tier': 'front' }));
      // A namespace may come with config maps that the service itself puts there: they carry none of these labels.
      const list = await author.list(configMaps, { labelSelector });
      must('it is answered', list, match.status(200));
      const ours = (match.itemNames(list) ?? []).filter((name) => /^[a-g]$/.test(String(name)));
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
  'META-LABELS-01.3',
  'the author gives objects long labels, many of them and two demands of one → each is shown and selected by its whole value',
  ['META-LABELS-01'],
  async ({ author }) => {
    const [prefix, long] = ['p'.repeat(200), 'v'.repeat(62)];
    const key = `${prefix}.example/${'n'.repeat(63)}`;
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`many-${at}`, `${at}`]));
    const given = { a: { [key]: `${long}a` }, b: { [key]: `${long}b` }, c: many, d: { tier: 'front' } };
    for (const [name, labels] of Object.entries(given)) {
      await author.given(configMaps, labelled(name, labels));
      const shown = match.field('metadata.labels', match.including(labels));
      must('they are as written', await author.get(configMaps, name), shown);
    }
    for (const [labelSelector, expected] of [
      [`${key}=${long}a`, ['a']],
      [`${key}!=${long}a,${key}`, ['b']],
      [`${key} in (${long}b,${long})`, ['b']],
      [`${key}=${long}`, []],
      [key, ['a', 'b']],
      ['many-0=0,many-149=149', ['c']],
      ['many-149=14', []],
      ['tier=front,tier=back', []],
      ['tier=back,tier=front', []],
      ['tier=front,tier=front', ['d']],
    ] as const) {
      const list = await author.list(configMaps, { labelSelector });
      must('exactly what matches is found', list, match.status(200), match.names(match.sameItems([...expected])));
    }
  },
);

/** More than anybody writes by hand. */
const MANY = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`many-${at}`, `${at}`]));

check(
  'META-ANNOTATIONS-01.2',
  'the author writes odd texts as annotations in every way → they are answered, read, listed and told exactly as written',
  ['META-ANNOTATIONS-01'],
  async ({ author, watcher }) => {
    const writer = await writerOf(author, 'configmaps');
    await writer.given('doc');
    const stream = await watcher.watch(configMaps, { fieldSelector: 'metadata.name=doc' });
    for (const write of writer.writes.filter((each) => !each.startsWith('delete'))) {
      const name = write === 'post' ? 'made' : 'doc';
      const annotations = { ...TEXTS, ...MANY, write };
      const written = await writer.send(write, { metadata: { annotations } });
      const kept = match.including(annotations);
      must('they are answered', written, match.success, match.field('metadata.annotations', kept));
      must('they are read', await writer.get(name), match.field('metadata.annotations', kept));
      const list = await author.list(configMaps, { fieldSelector: `metadata.name=${name}` });
      must('they are listed', listIn(list).items[0]?.metadata.annotations ?? {}, kept);
      if (write === 'post') continue;
      const event = must('it is told', await stream.until(match.eventField('metadata.annotations.write', write)));
      must('with them', event.object.metadata.annotations ?? {}, kept);
      await author.prepare(() => author.patch(configMaps, 'doc', 'merge', { metadata: { annotations: null } }));
    }
  },
);

check(
  'META-ANNOTATIONS-01.1',
  'the author writes annotations → they are read exactly as written',
  ['META-ANNOTATIONS-01'],
  async ({ author }) => {
    const written = {
      'touchstone.example/note': ' spaces, "quotes"\nand lines ',
      plain: '',
      text: 'ü☂𝄞',
      long: `${'l'.repeat(100_000)}.`,
    };
    await author.given(configMaps, { metadata: { name: 'noted', annotations: written } });
    const kept = match.field('metadata.annotations', match.including(written));
    must('they are as written', await author.get(configMaps, 'noted'), kept);
  },
);
