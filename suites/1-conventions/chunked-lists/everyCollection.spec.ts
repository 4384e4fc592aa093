import { COLLECTIONS } from '../../../fixtures/ledger/index.ts';
import type { Exchange } from '../../harness/index.ts';
import { check, clause, clausesOf, listIn, load, match, must, valueAt } from '../../harness/index.ts';
import { collectionOf, needsOfCollection } from '../collections.ts';

// Some begin with the whole of another.
const WORDS = ['a', 'aaa', 'bb', 'bbbb', 'e', 'ff', 'g', 'hh', 'i', 'jj', 'k'];

for (const name of COLLECTIONS) {
  check(
    `CHUNK-LIMIT-01.2/${name}`,
    `the author reads ${name} in chunks while others write → each object once, as it was at the first chunk`,
    [
      ...clausesOf('CHUNK-LIMIT-01', name),
      ...clausesOf('CHUNK-LIMIT-02', name),
      ...clausesOf('CHUNK-WALK-01', name),
      ...clausesOf('CHUNK-WALK-02', name),
      ...clausesOf('CHUNK-SNAPSHOT-01', name),
      ...clausesOf('CHUNK-SNAPSHOT-02', name),
      ...clausesOf('CHUNK-REMAINING-03', name),
      `CHUNK-REMAINING-01/${name}`,
      `CHUNK-REMAINING-01/since/${name}`,
    ],
    needsOfCollection(name),
    async ({ author }) => {
      const collection = await collectionOf(author, name);
      // Of this check alone, so that it selects by itself.
      const own = (word: string) => `${word}-${collection.selector.split('=').at(-1)}`;
      for (const word of WORDS)
        await collection.add(word, {
          odd: String(word.length % 2),
          letter: own(word === 'i' || word === 'k' ? 'late' : 'early'),
        });
      const walk = async (selector: string, between: () => Promise<unknown> = async () => {}, limit = 3) => {
        let page = await collection.list({ limit }, selector);
        const pages = [page];
        await between();
        for (let { continue: token } = listIn(page).metadata; token; { continue: token } = listIn(page).metadata) {
          page = await collection.list({ limit, continue: token }, selector);
          pages.push(page);
          if (pages.length > WORDS.length) break;
        }
        return pages;
      };
      const pages = await walk(collection.selector);
      const items = pages.flatMap((page) => listIn(page).items);
      await clause(`CHUNK-LIMIT-01/${name}`, async () => {
        for (const page of pages) must('no more than asked for', listIn(page).items.length <= 3, match.equal(true));
        must('a token where more remain', pages[0] as Exchange, match.field('metadata.continue', match.aString));
        const one = await collection.list({ limit: 1 });
        must(
          'one is a limit',
          one,
          match.field('items', match.size(1)),
          match.field('metadata.continue', match.aString),
        );
        // Where one more remains than a chunk holds.
        const most = await collection.list({ limit: WORDS.length - 1 });
        must('a token where one remains', most, match.field('metadata.continue', match.aString));
      });
      await clause(`CHUNK-LIMIT-02/${name}`, async () => {
        must(
          'the last has no token',
          pages.at(-1) as Exchange,
          match.status(200),
          match.field('metadata.continue', match.empty),
        );
        const all = await collection.list({ limit: 100 });
        must('nor has one that holds all', all, collection.holds(WORDS), match.field('metadata.continue', match.empty));
        // Of a selection a service may find out late that nothing more is selected.
        const whole = listIn(await collection.list({}, '')).items.length;
        const fit = await collection.list({ limit: whole }, '');
        const after = listIn(await collection.list({}, '')).items.length;
        // A chunk may also be shorter than it was allowed to be.
        const held = listIn(fit).items.length;
        if (collection.everywhere || !collection.kind.namespaced || whole !== after || held !== whole) return;
        must('nor one that holds them just so', fit, match.status(200), match.field('metadata.continue', match.empty));
      });
      await clause(`CHUNK-WALK-01/${name}`, async () => {
        must(
          'each is there once',
          items.map(({ metadata }) => metadata.name),
          match.sameItems(collection.namesOf(WORDS)),
        );
        const names: unknown[] = [];
        let token: unknown;
        for (let count = 0; count === 0 || (token && count < WORDS.length); count += 1) {
          const query = { limit: 3, continue: token as string | undefined };
          const page = await collection.list(query, collection.selector, { accept: 'application/yaml' });
          const list = load(page.text);
          token = valueAt(list, ['metadata', 'continue']);
          const shown = valueAt(list, ['items']);
          names.push(...(Array.isArray(shown) ? shown.map((item) => valueAt(item, ['metadata', 'name'])) : []));
        }
        must('so it is in YAML', names, match.sameItems(collection.namesOf(WORDS)));
        // Over all namespaces one of these ends a chunk with the first namespace.
        for (const limit of [1, 5, 6]) {
          const all = await walk(collection.selector, undefined, limit);
          const shown = all.flatMap((page) => listIn(page).items).map(({ metadata }) => metadata.name);
          must(`so it is in chunks of ${limit}`, shown, match.sameItems(collection.namesOf(WORDS)));
        }
      });
      await clause(`CHUNK-WALK-02/${name}`, async () => {
        const odd = WORDS.filter((word) => word.length % 2 === 1);
        for (const [selector, selected] of [
          [`${collection.selector},odd=1`, odd],
          [`${collection.selector},odd!=0`, odd],
          [`odd notin (0),${collection.selector}`, odd],
          // Alone, and of what stands behind the first chunks.
          [`letter=${own('late')}`, ['i', 'k']],
          [`letter==${own('late')}`, ['i', 'k']],
          [`letter in (${own('late')},none)`, ['i', 'k']],
          [`letter=${own('none')}`, []],
        ] as const) {
          const names = (await walk(selector)).flatMap((page) =>
            listIn(page).items.map(({ metadata }) => metadata.name),
          );
          must('what is selected, and all of it', names, match.sameItems(collection.namesOf(selected)));
        }
        for (const [query, word] of [
          [{ limit: 1 }, 'k'],
          [{ limit: 3 }, 'jj'],
        ] as const) {
          const fieldSelector = `metadata.name=${collection.nameOf(word)}`;
          const found: unknown[] = [];
          let token: string | undefined;
          for (let count = 0; count === 0 || (token && count < 3 * WORDS.length); count += 1) {
            const page = listIn(await collection.list({ ...query, fieldSelector, continue: token }));
            found.push(...page.items.map(({ metadata }) => metadata.name));
            token = page.metadata.continue;
          }
          must('what a field selects, wherever it stands', found, match.equal(collection.namesOf([word])));
        }
      });
      await clause(`CHUNK-SNAPSHOT-01/${name}`, async () => {
        const versions = new Set(pages.map((page) => listIn(page).metadata.resourceVersion));
        must('all carry one version', versions.size, match.equal(1));
      });
      await clause(`CHUNK-REMAINING-03/${name}`, async () => {
        for (const page of pages) {
          must('a selector was used', page, match.field('metadata.remainingItemCount', match.absent));
        }
      });
      await clause(`CHUNK-REMAINING-01/${name}`, async () => {
        const first = await collection.list({ limit: 2 }, '');
        const { resourceVersion, continue: token } = listIn(first).metadata;
        const second = await collection.list({ limit: 2, continue: token }, '');
        const all = await collection.list({ resourceVersion, resourceVersionMatch: 'Exact' }, '');
        const count = listIn(all).items.length;
        for (const [before, page] of [
          [0, first],
          [listIn(first).items.length, second],
        ] as const) {
          const left = count - before - listIn(page).items.length;
          const counted = match.oneOf(match.absent, left);
          must('it counts what is left', page, match.field('metadata.remainingItemCount', counted));
        }
      });
      await clause(`CHUNK-REMAINING-01/since/${name}`, async () => {
        const first = await collection.list({ limit: 2 }, '');
        const { resourceVersion, continue: token } = listIn(first).metadata;
        const all = await collection.list({ resourceVersion, resourceVersionMatch: 'Exact' }, '');
        let left = listIn(all).items.length - listIn(first).items.length;
        for (const word of ['y', 'yy']) await collection.add(word);
        await collection.remove('k');
        const second = await collection.list({ limit: 2, continue: token }, '');
        const third = await collection.list({ limit: 2, continue: listIn(second).metadata.continue }, '');
        for (const word of ['y', 'yy']) await collection.remove(word);
        await collection.add('k');
        for (const page of [second, third]) {
          left -= listIn(page).items.length;
          const counted = match.oneOf(match.absent, left);
          must('it counts what was left at the first', page, match.field('metadata.remainingItemCount', counted));
        }
      });
      await clause(`CHUNK-SNAPSHOT-02/${name}`, async () => {
        const late = await walk(collection.selector, async () => {
          await collection.remove('k');
          await collection.mark('jj', 'late');
          await collection.add('zz');
        });
        const found = late.flatMap((page) => listIn(page).items);
        must(
          'the state is that of the first',
          found.map(({ metadata }) => metadata.name),
          match.sameItems(collection.namesOf(WORDS)),
        );
        const changed = found.find(({ metadata }) => metadata.name === collection.nameOf('jj'));
        must('what was changed since is as it was', changed, match.at('metadata.annotations.word', match.absent));
        await clause(`CHUNK-SNAPSHOT-01/${name}`, async () => {
          const versions = new Set(late.map((page) => listIn(page).metadata.resourceVersion));
          must('all carry the version of the first', versions.size, match.equal(1));
        });
      });
    },
  );
}
