import { protobufMediaType } from '../../../fixtures/dialects/dialect.ts';
import { COLLECTIONS } from '../../../fixtures/ledger/index.ts';
import {
  check,
  clause,
  clausesOf,
  isRecord,
  type Json,
  listIn,
  match,
  must,
  objectInProtobuf,
} from '../../harness/index.ts';
import { collectionOf, needsOfCollection } from '../collections.ts';

for (const name of COLLECTIONS) {
  check(
    `TABLE-SHAPE-01.2/${name}`,
    `the author lists ${name} in Protobuf and as a Table → what the list in JSON shows`,
    [
      ...(name.startsWith('custom') ? clausesOf('PROTOBUF-CUSTOM-01', name) : clausesOf('PROTOBUF-RESPONSE-01', name)),
      ...clausesOf('TABLE-SHAPE-01', name),
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
          must('of the same objects', filled(object?.items), match.equal(filled(items)));
        });
      }
      await clause(`TABLE-SHAPE-01/${name}`, async () => {
        const accept = `application/json;as=Table;g=meta.${dialect.apiDomain};v=v1`;
        const table = match.both(match.status(200), match.field('kind', 'Table'));
        const answers = [[2, await collection.list({}, collection.selector, { accept })]] as const;
        const one = collection.everywhere ? [] : [[1, await collection.get('bb', { accept })] as const];
        const apiVersion = match.field('apiVersion', `meta.${dialect.apiDomain}/v1`);
        for (const [rows, answer] of [...answers, ...one]) {
          const columns = isRecord(answer.json) ? answer.json.columnDefinitions : undefined;
          const typed = match.field('columnDefinitions', match.every(match.including(COLUMN)));
          const cells = match.at('cells', match.size(Array.isArray(columns) ? columns.length : 0));
          must('it is a Table', answer, table, apiVersion, typed, match.field('rows', match.size(rows)));
          must('a cell a column', answer, match.field('rows', match.every(cells)));
        }
      });
    },
  );
}
/** A value without members that say nothing: Protobuf has no empty lists and no null. */
function filled(value: unknown): Json {
  if (Array.isArray(value)) return value.map(filled);
  if (!isRecord(value)) return value as Json;
  const said = Object.entries(value).map(([name, inner]) => [name, filled(inner)] as const);
  return Object.fromEntries(
    said.filter(([, inner]) => inner !== null && !(Array.isArray(inner) && inner.length === 0)),
  );
}
const COLUMN = { name: match.aString, type: match.aString };
