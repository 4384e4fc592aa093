import { protobufMediaType } from '../../../fixtures/dialects/dialect.ts';
import { COLLECTIONS } from '../../../fixtures/ledger/index.ts';
import {
  asProtobufHas,
  check,
  clause,
  clausesOf,
  type Exchange,
  isRecord,
  listIn,
  match,
  must,
  objectInProtobuf,
  type Query,
} from '../../harness/index.ts';
import { collectionOf, needsOfCollection } from '../collections.ts';

for (const name of COLLECTIONS) {
  check(
    `TABLE-SHAPE-01.2/${name}`,
    `the author lists ${name} in Protobuf and as a Table → what the list in JSON shows`,
    [
      ...(name.startsWith('custom') ? clausesOf('PROTOBUF-CUSTOM-01', name) : clausesOf('PROTOBUF-RESPONSE-01', name)),
      ...clausesOf('TABLE-SHAPE-01', name),
      `TABLE-CONSISTENT-01/${name}`,
      'NEGOTIATE-ACCEPT-01',
    ],
    needsOfCollection(name),
    async ({ author, dialect }) => {
      const collection = await collectionOf(author, name);
      // Of webhooks the checks read no Protobuf.
      for (const word of ['a', 'bb']) await collection.add(word, {}, {}, {});
      const items = listIn(await collection.list()).items.map(({ apiVersion: _, kind: __, ...rest }) => rest);
      const media = protobufMediaType(dialect);
      if (name.startsWith('custom')) {
        await clause(clausesOf('PROTOBUF-CUSTOM-01', name), async () => {
          must('there is none', await collection.list({}, collection.selector, { accept: media }), match.status(406));
          const accept = `${media}, application/json`;
          const fallback = await collection.list({}, collection.selector, { accept });
          must('the fallback is taken', fallback, match.mediaType('application/json'), collection.holds(['a', 'bb']));
          const watching = { watch: true, timeoutSeconds: 1 };
          const watched = await collection.list(watching, collection.selector, { accept: media });
          must('nor of a watch', watched, match.status(406));
          const stream = await collection.list(watching, collection.selector, { accept });
          must('but by the fallback', stream, match.status(200), match.mediaType('application/json'));
        });
      } else {
        await clause(clausesOf('PROTOBUF-RESPONSE-01', name), async () => {
          const list = await collection.list({}, collection.selector, { accept: media });
          must('it is Protobuf', list, match.status(200), match.mediaType(media));
          const object = objectInProtobuf(list.received?.bytes ?? new Uint8Array());
          must('of the list kind', object, match.at('kind', `${collection.kind.kind}List`));
          must('of the same objects', asProtobufHas(object?.items), match.equal(asProtobufHas(items)));
        });
      }
      const second = { accept: 'application/x-touchstone, application/json' };
      const fallen = await collection.list({}, collection.selector, second);
      must('the second type that is accepted is taken', fallen, match.mediaType('application/json'));
      must('with the same objects', fallen, collection.holds(['a', 'bb']));
      const watched = await collection.watch({}, collection.selector, second);
      must('by a watch as well', watched.opening, match.status(200), match.mediaType('application/json'));
      const begins = must('it begins', await watched.until(match.event('ADDED')));
      must('with an object', begins, match.eventField('kind', collection.kind.kind));
      await clause(`TABLE-SHAPE-01/${name}`, async () => {
        const accept = `application/json;as=Table;g=meta.${dialect.apiDomain};v=v1`;
        const table = match.both(match.status(200), match.field('kind', 'Table'));
        const read = (selector: string) => collection.list({}, selector, { accept });
        const answers = [
          [2, await read(collection.selector)],
          [0, await read(`${collection.selector},part=none`)],
        ] as const;
        const one = collection.everywhere ? [] : [[1, await collection.get('bb', { accept })] as const];
        const apiVersion = match.field('apiVersion', `meta.${dialect.apiDomain}/v1`);
        for (const [rows, answer] of [...answers, ...one]) {
          const columns = isRecord(answer.json) ? answer.json.columnDefinitions : undefined;
          must('it has columns', Array.isArray(columns) && columns.length > 0, match.equal(true));
          const typed = match.field('columnDefinitions', match.every(match.including(COLUMN)));
          const cells = match.at('cells', match.size(Array.isArray(columns) ? columns.length : 0));
          const all = match.field('rows', rows === 0 ? match.empty : match.size(rows));
          must('it is a Table', answer, table, apiVersion, typed, all);
          if (rows === 0) continue;
          must('a cell a column', answer, match.field('rows', match.every(cells)));
        }
      });
      await clause(`TABLE-CONSISTENT-01/${name}`, async () => {
        await collection.add('c', { part: 'yes' });
        const headers = { accept: `application/json;as=Table;g=meta.${dialect.apiDomain};v=v1` };
        const read = (query: Query, selector = collection.selector) => collection.list(query, selector, headers);
        const rows = (answer: Exchange) =>
          isRecord(answer.json) && Array.isArray(answer.json.rows) ? answer.json.rows : [];
        const whole = must('all are there', await read({}), match.status(200), match.field('rows', match.size(3)));
        const { resourceVersion } = listIn(await collection.list()).metadata;
        must('it carries a version', whole, match.field('metadata.resourceVersion', match.aString));
        const old = await read({ resourceVersion, resourceVersionMatch: 'Exact' });
        const same = match.field('metadata.resourceVersion', resourceVersion ?? '');
        must('the one that is asked for, or it is no longer kept', old, match.either(same, match.status(410)));
        const labelled = await read({}, `${collection.selector},part=yes`);
        must('what a label selects', labelled, match.field('rows', match.size(1)));
        const other = await read({}, `${collection.selector},part!=yes`);
        must('and what it does not', other, match.field('rows', match.size(2)));
        const called = await read({ fieldSelector: `metadata.name=${collection.nameOf('c')}` });
        must('what a name selects', called, match.field('rows', match.size(1)));
        // Chunks of one, so that there is one between the first and the last.
        let page = must('a chunk', await read({ limit: 1 }), match.field('metadata.continue', match.aString));
        let seen = rows(page).length;
        for (let more = 0; more < 5 && tokenOf(page); more += 1) {
          must('no more than asked for', rows(page).length <= 1, match.equal(true));
          page = await read({ limit: 1, continue: tokenOf(page) });
          seen += rows(page).length;
        }
        must('the last has no token', page, match.field('metadata.continue', match.empty));
        must('each is there once', seen, match.equal(3));
        // A watch is a read as any other: of Tables, or of nothing where it cannot be.
        const stream = await collection.watch({}, collection.selector, headers);
        must('it is open, or there are none', stream.opening, match.status(200, 406));
        if (stream.opening.status !== 200) return;
        const event = must('an event comes', await stream.until(match.event('ADDED')));
        must('of a Table', event, match.eventField('kind', 'Table'), match.eventField('rows', match.size(1)));
        const heads = (event.object as { columnDefinitions?: unknown }).columnDefinitions;
        const cells = match.at('cells', match.size(Array.isArray(heads) ? heads.length : 0));
        must('with a cell a column', event, match.eventField('rows', match.every(cells)));
      });
    },
  );
}
function tokenOf({ json }: Exchange): string | undefined {
  const metadata = isRecord(json) ? json.metadata : undefined;
  const token = isRecord(metadata) ? metadata.continue : undefined;
  return typeof token === 'string' && token !== '' ? token : undefined;
}
const COLUMN = { name: match.aString, type: match.aString };
