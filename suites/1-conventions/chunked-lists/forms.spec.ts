import { gunzipSync } from 'node:zlib';
import { protobufMediaType } from '../../../fixtures/dialects/dialect.ts';
import { LIST_FORMS, type ListForm } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  type ClauseName,
  check,
  clause,
  clausesOf,
  type Exchange,
  isRecord,
  listIn,
  load,
  match,
  must,
  objectInProtobuf,
  type Query,
  valueAt,
} from '../../harness/index.ts';
import { type Collection, collectionOf, needsOfCollection } from '../collections.ts';

const WORDS = ['a', 'bb', 'c'];
/** More than services send as it is where compression is accepted. */
const annotations = { text: 'all work and no play makes a dull object; '.repeat(4_000) };

/** A form that lists may be asked for in. */
interface Form {
  readonly headers: (author: Actor) => Readonly<Record<string, string>>;
  /** The list in an answer; undefined where it is of another form. */
  readonly read: (answer: Exchange) => unknown;
  /** What judges such answers beside what each parameter means. */
  readonly judged: (collection: Collection) => ClauseName;
}
const bytesOf = ({ received }: Exchange): Uint8Array => received?.bytes ?? new Uint8Array();
const typeOf = ({ name }: Collection): string => name.split('-')[0] ?? '';
const FORMS: Readonly<Record<ListForm, Form>> = {
  'in-yaml': {
    headers: () => ({ accept: 'application/yaml' }),
    read: ({ text }) => load(text),
    judged: (collection) => `YAML-RESPONSE-01/list/${typeOf(collection)}`,
  },
  'in-protobuf': {
    headers: ({ dialect }) => ({ accept: protobufMediaType(dialect) }),
    read: (answer) => objectInProtobuf(bytesOf(answer)),
    judged: ({ name }) => `PROTOBUF-RESPONSE-01/${name}` as ClauseName,
  },
  'as-table': {
    headers: ({ dialect }) => ({ accept: `application/json;as=Table;g=meta.${dialect.apiDomain};v=v1` }),
    read: ({ json }) => json,
    judged: ({ name }) => `TABLE-CONSISTENT-01/${name}` as ClauseName,
  },
  'in-gzip': {
    headers: () => ({ 'accept-encoding': 'gzip' }),
    // What is small is sent as it is.
    read: (answer) => {
      const isPacked = answer.headers['content-encoding'] === 'gzip';
      return isPacked ? JSON.parse(gunzipSync(bytesOf(answer)).toString('utf8')) : answer.json;
    },
    judged: ({ name }) => `GZIP-ACCEPT-01/list/${name}` as ClauseName,
  },
};

/** The names that a list or Table shows. */
function namesIn(list: unknown): unknown[] {
  const columns = valueAt(list, ['columnDefinitions']);
  if (!Array.isArray(columns)) {
    const items = valueAt(list, ['items']);
    return Array.isArray(items) ? items.map((item) => valueAt(item, ['metadata', 'name'])) : [];
  }
  const at = columns.findIndex((column) => isRecord(column) && column.name === 'Name');
  const rows = valueAt(list, ['rows']);
  return Array.isArray(rows) ? rows.map((row) => valueAt(row, ['cells', at])) : [];
}

for (const [place, name] of [
  ['everywhere', 'configmaps-all'],
  ['namespace', 'custom-namespace'],
] as const) {
  const forms = LIST_FORMS.filter((form) => form !== 'in-protobuf' || place === 'everywhere');
  const rules = ['CHUNK-LIMIT-01', 'CHUNK-WALK-01', 'CHUNK-TOKEN-04', 'META-LABELS-01', 'LIST-RV-10'] as const;
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
