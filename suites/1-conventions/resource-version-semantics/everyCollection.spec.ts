import { COLLECTIONS } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  type ApiObject,
  apiVersionOf,
  check,
  chunksAfter,
  clause,
  clausesOf,
  listIn,
  match,
  must,
} from '../../harness/index.ts';
import { collectionOf, needsOfCollection } from '../collections.ts';

const HOLD = 'touchstone.example/hold';
const tableFor = ({ dialect }: Actor) => `application/json;as=Table;g=meta.${dialect.apiDomain};v=v1, application/json`;

for (const name of COLLECTIONS) {
  check(
    `LIST-RV-01.1/${name}`,
    `the author lists ${name} at every kind of version → what each is to show`,
    [
      ...clausesOf('LIST-RV-01', name),
      ...clausesOf('LIST-RV-02', name),
      ...clausesOf('LIST-RV-03', name),
      ...clausesOf('LIST-RV-04', name),
      ...clausesOf('LIST-RV-05', name),
      `LIST-RV-07/${name}`,
      ...clausesOf('LIST-RV-08', name),
      ...clausesOf('LIST-RV-09', name),
      ...clausesOf('LIST-RV-10', name),
      ...clausesOf('LIST-RV-11', name),
      ...clausesOf('LIST-RV-12', name),
      ...clausesOf('LIST-RV-13', name),
      ...clausesOf('LIST-RV-14', name),
      ...clausesOf('LIST-RV-15', name),
      ...clausesOf('LIST-RV-20', name),
    ],
    needsOfCollection(name),
    async ({ author }) => {
      const collection = await collectionOf(author, name);
      const first = await collection.add('a');
      await collection.add('bb');
      // So that it had a state before the one that is asked for.
      const { metadata } = await collection.change('bb', {
        annotations: { word: 'early' },
        labels: { state: 'early' },
      });
      const then = { resourceVersion: metadata.resourceVersion };
      // What is asked again below shows what is there then.
      for (const query of [{}, { limit: 9 }]) await collection.list(query);
      await collection.remove('a');
      await collection.add('c');
      const now = { resourceVersion: (await collection.mark('bb', 'late')).metadata.resourceVersion };
      const Exact = { resourceVersionMatch: 'Exact' };
      const NotOlderThan = { resourceVersionMatch: 'NotOlderThan' };
      const late = match.including({ metadata: match.including({ annotations: match.including({ word: 'late' }) }) });
      // What is refused is so in whichever form the answer is wanted.
      const manners = [{}, { accept: tableFor(author) }, { accept: 'application/yaml' }];
      const present = match.both(collection.holds(['bb', 'c']), match.field('items', match.containing(late)));
      const states = [['bb', 'c'], ['bb'], ['a', 'bb'], ['a'], []];
      const anyState = match.both(
        match.status(200),
        match.either(...(states.map((each) => collection.holds(each)) as [typeof present])),
      );
      const gone = match.status(410);
      const asThen = match.both(
        match.field('metadata.resourceVersion', then.resourceVersion ?? ''),
        collection.holds(['a', 'bb']),
      );

      await clause(`LIST-RV-01/${name}`, async () => {
        must('every write is seen', await collection.list(), match.status(200), present);
      });
      await clause(`LIST-RV-04/${name}`, async () => {
        must('every write is seen', await collection.list({ limit: 9 }), match.status(200), present);
        must('at 0 any state', await collection.list({ limit: 9, resourceVersion: '0' }), anyState);
      });
      await clause(`LIST-RV-02/${name}`, async () => {
        must('any state', await collection.list({ resourceVersion: '0' }), anyState);
      });
      await clause(`LIST-RV-13/${name}`, async () => {
        must('any state', await collection.list({ resourceVersion: '0', ...NotOlderThan }), anyState);
        must('any state', await collection.list({ resourceVersion: '0', limit: 9, ...NotOlderThan }), anyState);
      });
      await clause(`LIST-RV-03/${name}`, async () => {
        must('at least as new', await collection.list(now), match.status(200), present);
        must('old ones too', await collection.list(then), match.status(200));
      });
      await clause(`LIST-RV-14/${name}`, async () => {
        must('at least as new', await collection.list({ ...now, ...NotOlderThan }), match.status(200), present);
        must('old ones too', await collection.list({ ...then, ...NotOlderThan }), match.status(200));
      });
      await clause(`LIST-RV-15/${name}`, async () => {
        const first = await collection.list({ ...now, limit: 9, ...NotOlderThan });
        must('at least as new', first, match.either(match.both(match.status(200), present), gone));
      });
      await clause(`LIST-RV-05/${name}`, async () => {
        const exact = match.either(match.both(match.status(200), asThen), gone);
        must('exactly the state then', await collection.list({ ...then, limit: 9 }), exact);
        const one = await collection.list({ ...then, limit: 1 });
        const version = match.field('metadata.resourceVersion', then.resourceVersion ?? '');
        must('of a first chunk too', one, match.either(match.both(match.status(200), version), gone));
      });
      await clause([`LIST-RV-10/${name}`, `LIST-RV-20/${name}`], async () => {
        const exact = match.either(match.both(match.status(200), asThen), gone);
        const listed = await collection.list({ ...then, ...Exact });
        must('exactly the state then', listed, exact);
        if (listed.status !== 200) return;
        const old = listIn(listed).items.find((item) => item.metadata.name === collection.nameOf('bb'));
        must('what was changed since is as it was', old, match.at('metadata.annotations.word', 'early'));
      });
      await clause(`LIST-RV-11/${name}`, async () => {
        const exact = match.both(
          match.status(200),
          match.field('metadata.resourceVersion', then.resourceVersion ?? ''),
        );
        const first = await collection.list({ ...then, ...Exact, limit: 1 });
        must('the first chunk then', first, match.either(match.both(exact, match.field('items', match.size(1))), gone));
      });
      await clause(`LIST-RV-07/${name}`, async () => {
        const first = await collection.list({ limit: 1 });
        const zero = (token: string) => collection.list({ limit: 1, continue: token, resourceVersion: '0' });
        const chunks = [first, ...(await chunksAfter(first, zero))];
        const names = chunks.flatMap((chunk) => match.itemNames(chunk));
        must('0 is as none', names, match.sameItems(collection.namesOf(['bb', 'c'])));
        const version = match.field('metadata.resourceVersion', listIn(first).metadata.resourceVersion ?? '');
        for (const chunk of chunks) must('at the version of the first', chunk, version);
      });
      await clause(`LIST-RV-08/${name}`, async () => {
        const { continue: token } = listIn(await collection.list({ limit: 1 })).metadata;
        for (const headers of manners) {
          const both = await collection.list({ limit: 1, continue: token, ...now }, collection.selector, headers);
          must('a token has its version', both, match.status(400));
        }
      });
      await clause(`LIST-RV-09/${name}`, async () => {
        for (const more of [{}, { limit: 9 }])
          for (const headers of manners) {
            const without = await collection.list({ ...Exact, ...more }, collection.selector, headers);
            must('Exact needs a version', without, match.refusal);
            const zero = { ...Exact, resourceVersion: '0', ...more };
            must('and not 0', await collection.list(zero, collection.selector, headers), match.refusal);
          }
      });
      await clause(`LIST-RV-12/${name}`, async () => {
        for (const more of [{}, { limit: 9 }])
          for (const headers of manners) {
            const without = await collection.list({ ...NotOlderThan, ...more }, collection.selector, headers);
            must('NotOlderThan needs a version', without, match.refusal);
          }
      });
      // The whole collection may be kept apart from what is selected of it.
      await clause([`LIST-RV-03/${name}`, `LIST-RV-14/${name}`], async () => {
        must('the whole is listed', await collection.list({}, ''), match.status(200));
        const { resourceVersion } = (await collection.mark('c', 'whole')).metadata;
        const annotations = match.including({ word: 'whole' });
        const marked = match.including({
          metadata: match.including({ name: collection.nameOf('c'), annotations }),
        });
        for (const more of [{}, NotOlderThan]) {
          const whole = await collection.list({ resourceVersion, ...more }, '');
          must('at least as new', whole, match.status(200), match.field('items', match.containing(marked)));
        }
      });
      await clause(`LIST-RV-01/${name}`, async () => {
        const { metadata } = await collection.add('dd', {}, {}, undefined, 'application/yaml');
        const whole = match.names(match.containing(metadata.name));
        must(
          'what was just made in YAML is seen in the whole',
          await collection.list({}, ''),
          match.status(200),
          whole,
        );
        must('and among what is selected', await collection.list(), collection.holds(['bb', 'c', 'dd']));
        await collection.remove('dd');
        must('what has just gone is not', await collection.list(), collection.holds(['bb', 'c']));
      });
      await clause([`LIST-RV-10/${name}`, `LIST-RV-20/${name}`], async () => {
        await collection.add('a');
        await collection.change('bb', { labels: { state: 'later' } });
        const exact = { ...then, ...Exact };
        const fieldSelector = `metadata.name=${collection.nameOf('a')}`;
        for (const query of [exact, { ...exact, fieldSelector }]) {
          const listed = must('it is answered, or gone', await collection.list(query), match.status(200, 410));
          if (listed.status === 410) continue;
          const former = listIn(listed).items.find((item) => item.metadata.name === collection.nameOf('a'));
          must('of a name the one that it meant then', former, match.at('metadata.uid', first.metadata.uid ?? ''));
        }
        const selected = await collection.list(exact, `${collection.selector},state=early`);
        must(
          'labels are those of then',
          selected,
          match.either(match.both(match.status(200), collection.holds(['bb'])), gone),
        );
        const none = await collection.list(exact, `${collection.selector},state=later`);
        must('and none of now', none, match.either(match.both(match.status(200), collection.holds([])), gone));
      });
    },
  );

  check(
    `LIST-KIND-01.1/${name}`,
    `the author lists ${name} when it is empty and when it is not → a list of the kind`,
    [...clausesOf('LIST-KIND-01', name), ...clausesOf('META-LABELS-01', name)],
    needsOfCollection(name),
    async ({ author, dialect }) => {
      const collection = await collectionOf(author, name);
      const { kind } = collection;
      const isList = [
        match.status(200),
        match.field('kind', `${kind.kind}List`),
        match.field('apiVersion', apiVersionOf(kind, dialect)),
        // As the version of an answer 0 is none: in a request it means any.
        match.field('metadata.resourceVersion', match.both(match.aString, match.not('0'))),
      ] as const;
      const isEmpty = [...isList, match.field('items', match.equal([]))] as const;
      await clause(`LIST-KIND-01/empty/${name}`, async () => {
        must('an empty list is one', await collection.list(), ...isEmpty);
      });
      const made = [
        await collection.add('a', { color: 'red' }, { annotations: { note: 'a' }, finalizers: [HOLD] }),
        await collection.add('bb', { color: 'blue', gloss: '' }),
        await collection.add('c'),
      ];
      await clause(`LIST-KIND-01/empty/${name}`, async () => {
        const fieldSelector = `metadata.name=${collection.nameOf('none')}`;
        must('none has the label', await collection.list({}, `${collection.selector},color=none`), ...isEmpty);
        must('none has the name', await collection.list({ fieldSelector }), ...isEmpty);
        must('nor is the last chunk left', await collection.list({ fieldSelector, limit: 2 }), ...isEmpty);
      });
      await clause(`LIST-KIND-01/some/${name}`, async () => {
        const all = await collection.list();
        must('all are there', all, ...isList, collection.holds(['a', 'bb', 'c']));
        // Whether items tell what they are is open.
        const whole = (object: ApiObject) => ({ ...object, apiVersion: null, kind: null });
        must('in full', listIn(all).items.map(whole), match.sameItems(made.map(whole)));
        const chunk = await collection.list({ limit: 2 });
        must('so is a chunk', chunk, ...isList, match.field('items', match.either(match.size(1), match.size(2))));
      });
      const selections = {
        equal: ['color=red', ['a']],
        unequal: ['color!=red', ['bb', 'c']],
        in: ['color in (red,green)', ['a']],
        notin: ['color notin (red,green)', ['bb', 'c']],
        present: ['color', ['a', 'bb']],
        absent: ['!color', ['c']],
      } as const;
      await clause(`META-LABELS-01/equal/${name}`, async () => {
        // Of this check alone, so that it can be the only requirement of the selector.
        const shade = author.space.prefix.slice(-8);
        await collection.change('c', { labels: { shade } });
        must('a new label selects', await collection.list({}, `shade=${shade}`), collection.holds(['c']));
        await collection.change('c', { labels: { shade: 'none' } });
        must('a former one does not', await collection.list({}, `shade=${shade}`), collection.holds([]));
      });
      await clause(clausesOf('META-LABELS-01', 'empty', name), async () => {
        const shown = match.at('metadata.labels.gloss', '');
        must('it is answered', made[1], shown);
        must('it is read', listIn(await collection.list({}, `${collection.selector},color=blue`)).items[0], shown);
        for (const selector of ['gloss', 'gloss=', 'gloss in (,other)', 'gloss in (other,)', 'gloss!=other,gloss'])
          must('it is one', await collection.list({}, `${collection.selector},${selector}`), collection.holds(['bb']));
        for (const selector of ['!gloss', 'gloss!=', 'gloss notin (,other)'])
          must(
            'so others lack it',
            await collection.list({}, `${collection.selector},${selector}`),
            collection.holds(['a', 'c']),
          );
      });
      for (const [word, [selector, words]] of Object.entries(selections)) {
        await clause(clausesOf('META-LABELS-01', word, name), async () => {
          const selected = await collection.list({}, `${collection.selector},${selector}`);
          must('what matches and no other', selected, match.status(200), collection.holds(words));
        });
      }
    },
  );
}
