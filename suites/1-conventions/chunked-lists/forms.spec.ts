import { LIST_FORMS } from '../../../fixtures/ledger/index.ts';
import {
  check,
  clause,
  clausesOf,
  type Exchange,
  listIn,
  match,
  must,
  type Query,
  valueAt,
} from '../../harness/index.ts';
import { collectionOf, needsOfCollection } from '../collections.ts';
import { FORMS, namesIn } from './listForms.ts';

const WORDS = ['a', 'bb', 'c'];
/** More than services send as it is where compression is accepted. */
const annotations = { text: 'all work and no play makes a dull object; '.repeat(4_000) };

for (const [place, name] of [
  ['everywhere', 'configmaps-all'],
  ['namespace', 'custom-namespace'],
] as const) {
  const forms = LIST_FORMS.filter((form) => form !== 'in-protobuf' || place === 'everywhere');
  const rules = [
    'CHUNK-LIMIT-01',
    'CHUNK-WALK-01',
    'CHUNK-SNAPSHOT-02',
    'CHUNK-REMAINING-01',
    'CHUNK-REMAINING-03',
    'CHUNK-TOKEN-04',
    'META-LABELS-01',
    'LIST-RV-10',
  ] as const;
  check(
    `CHUNK-LIMIT-01.3/${place}`,
    `the author lists ${name} in YAML, in Protobuf, as a Table and compressed, with every parameter → what the list in JSON shows`,
    [
      `YAML-RESPONSE-01/list/${place === 'everywhere' ? 'configmaps' : 'custom'}`,
      ...(place === 'everywhere' ? (['PROTOBUF-RESPONSE-01/configmaps-all'] as const) : []),
      `TABLE-CONSISTENT-01/${name}`,
      `GZIP-ACCEPT-01/list/${name}`,
      ...rules.flatMap((id) => clausesOf(id, place)),
    ],
    needsOfCollection(name),
    async ({ author }) => {
      const collection = await collectionOf(author, name);
      for (const word of WORDS) await collection.add(word, { odd: String(word.length % 2) }, { annotations });
      await collection.remove('c');
      const addLast = () => collection.add('dd', { odd: '0' }, { annotations });
      await addLast();
      const now = ['a', 'bb', 'dd'];
      for (const form of forms) {
        const { headers, read, judged } = FORMS[form];
        const list = async (query: Query, selector?: string) => {
          const answer = must(
            'it is answered',
            await collection.list(query, selector, headers(author)),
            match.status(200),
          );
          return read(answer);
        };
        const of = (id: (typeof rules)[number]) => clausesOf(id, form, place);
        const holds = (words: readonly string[]) => match.sameItems(collection.namesOf(words) as unknown[]);
        await clause([...of('CHUNK-LIMIT-01'), judged(collection)], async () => {
          const chunk = await list({ limit: 2 });
          must('no more than asked for', namesIn(chunk).length <= 2, match.equal(true));
          must('and a token', valueAt(chunk, ['metadata', 'continue']), match.aString);
        });
        /** The names in the chunks of one object from a token on, or a 410. */
        const chunksFrom = async (start: string | undefined) => {
          const seen: unknown[] = [];
          let token = start;
          for (let count = 0; count === 0 || (token && count < 20); count += 1) {
            const answer = await collection.list({ limit: 1, continue: token }, undefined, headers(author));
            if (answer.status === 410) return answer;
            const chunk = read(must('it is answered', answer, match.status(200)));
            seen.push(...namesIn(chunk));
            token = valueAt(chunk, ['metadata', 'continue']) as string | undefined;
          }
          return seen;
        };
        await clause([...of('CHUNK-WALK-01'), judged(collection)], async () => {
          must('each is there once', await begunAnew(() => chunksFrom(undefined)), holds(now));
        });
        await clause([...of('CHUNK-SNAPSHOT-02'), judged(collection)], async () => {
          const names = await begunAnew(async () => {
            const first = await list({ limit: 1 });
            const { metadata } = await collection.mark('bb', `later-${form}`);
            await collection.remove('dd');
            await collection.add('e', {}, { annotations });
            const rest = await chunksFrom(valueAt(first, ['metadata', 'continue']) as string | undefined);
            const shown = JSON.stringify(rest);
            await collection.remove('e');
            await addLast();
            const version = metadata.resourceVersion ?? '';
            must('nothing has the version of a later change', shown.includes(`"${version}"`), match.equal(false));
            return Array.isArray(rest) ? [...namesIn(first), ...rest] : rest;
          });
          must('later chunks show the state at the first', names, holds(now));
        });
        await clause([...of('CHUNK-REMAINING-01'), judged(collection)], async () => {
          const first = await list({ limit: 1 }, '');
          const token = valueAt(first, ['metadata', 'continue']) as string | undefined;
          const exact = { resourceVersion: valueAt(first, ['metadata', 'resourceVersion']) as string };
          const then = await collection.list({ ...exact, resourceVersionMatch: 'Exact' }, '');
          await collection.add('e');
          const next = await collection.list({ limit: 1, continue: token }, '', headers(author));
          await collection.remove('e');
          for (const each of [then, next]) must('it is answered, or no longer kept', each, match.status(200, 410));
          if (then.status === 410) return;
          let left = listIn(then).items.length;
          for (const chunk of next.status === 410 ? [first] : [first, read(next)]) {
            left -= namesIn(chunk).length;
            const counted = match.oneOf(match.absent, left);
            must('it counts what is left', chunk, match.at('metadata.remainingItemCount', counted));
          }
        });
        await clause([...of('CHUNK-REMAINING-03'), judged(collection)], async () => {
          const fieldSelector = `metadata.name!=${collection.nameOf('a')}`;
          for (const [query, selector] of [
            [{ limit: 1 }, collection.selector],
            [{ limit: 1, fieldSelector }, ''],
          ] as const) {
            const none = match.at('metadata.remainingItemCount', match.absent);
            const first = must('a selector was used', await list(query, selector), none);
            const token = valueAt(first, ['metadata', 'continue']) as string | undefined;
            const next = await collection.list({ ...query, continue: token }, selector, headers(author));
            must('it is answered, or no longer kept', next, match.status(200, 410));
            if (next.status === 200) must('nor is it given later', read(next), none);
          }
        });
        await clause([...of('META-LABELS-01'), judged(collection)], async () => {
          must('what a label selects', namesIn(await list({}, `${collection.selector},odd=0`)), holds(['bb', 'dd']));
          const among = await list({}, `${collection.selector},odd notin (0)`);
          must('and what it does not', namesIn(among), holds(['a']));
        });
        await clause([...of('LIST-RV-10'), judged(collection)], async () => {
          const { resourceVersion } = listIn(await collection.list()).metadata;
          await collection.remove('dd');
          await collection.add('e');
          const exact = { resourceVersion, resourceVersionMatch: 'Exact' };
          const then = await collection.list(exact, undefined, headers(author));
          await collection.remove('e');
          await addLast();
          must('it is answered, or no longer kept', then, match.status(200, 410));
          if (then.status === 200) must('the state at a version', namesIn(read(then)), holds(now));
        });
        await clause(judged(collection), async () => {
          const fieldSelector = `metadata.name=${collection.nameOf('bb')}`;
          must('what a field selects', namesIn(await list({ fieldSelector })), holds(['bb']));
        });
        await clause(of('CHUNK-TOKEN-04'), async () => {
          const names = await begunAnew(async () => {
            const { items, metadata } = listIn(await collection.list({ limit: 1 }));
            const rest = await chunksFrom(metadata.continue);
            return Array.isArray(rest) ? [...items.map((each) => each.metadata.name), ...rest] : rest;
          });
          must('a token of the list in JSON goes on', names, holds(now));
        });
      }
    },
  );
}

/** Walks that are begun before a token that has expired is a fault: what a server remembers may end at any moment. */
const WALKS = 3;

/** What a walk finds, which is begun anew where a token has expired meanwhile: it comes to that answer then. */
async function begunAnew(walk: () => Promise<readonly unknown[] | Exchange>): Promise<readonly unknown[]> {
  for (let left = WALKS; ; left--) {
    const found = await walk();
    if (Array.isArray(found)) return found;
    if (left === 1) must('a token of just now goes on', found as Exchange, match.status(200));
  }
}
