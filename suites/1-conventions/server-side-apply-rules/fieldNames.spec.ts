import { EVERY_TYPE } from '../../../fixtures/ledger/index.ts';
import { apiVersionOf, check, type JsonObject, listIn, match, must, objectIn } from '../../harness/index.ts';
import { tested } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';
import { entriesIn, isFields, ownersIn } from './owned.ts';

/** Names that labels, annotations and data take, and that a server may take for more than one name. */
const PLAIN = ['f', 'UPPER', 'a.b', 'a-b_c', '0'];
const PREFIXED = [...PLAIN, 'touchstone.example/a', 'touchstone.example/A.b-c_d'];
/** Names of maps that take any text. */
const ANY = [
  ...PREFIXED,
  'a/b',
  '/',
  '~',
  '~0',
  '~1',
  'a b',
  'f:a',
  'v:"a"',
  'k:{"a":"b"}',
  'i:0',
  '.',
  '..',
  '"',
  'ä',
];
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Maps that objects of a type hold beside labels and annotations, with an owner for each of their names. */
const MAPS: Readonly<Record<string, { readonly member: string; readonly names: readonly string[] }>> = {
  configmaps: { member: 'data', names: PLAIN },
  secrets: { member: 'data', names: PLAIN },
  custom: { member: 'spec', names: ANY },
  'custom-cluster': { member: 'spec', names: ANY },
};

for (const type of EVERY_TYPE) {
  check(
    `META-MANAGED-02.2/${type}`,
    `the author writes ${type} in every way under names with dots, slashes and capitals → each stands in the record of who wrote it`,
    [`META-MANAGED-02/${type}`],
    tested(type).needs,
    async ({ author, dialect }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      const { member, names = [] } = MAPS[type] ?? {};
      const entry = match.including({
        manager: match.aString,
        operation: match.oneOf('Apply', 'Update'),
        apiVersion: apiVersionOf(kind, dialect),
        time: match.aTimestamp,
        fieldsType: 'FieldsV1',
      });
      await writer.given('doc');
      for (const write of writer.writes.filter((each) => !each.startsWith('delete'))) {
        const under = (some: readonly string[], value: string = write): JsonObject =>
          Object.fromEntries(some.map((name) => [name, value]));
        const content = member && {
          [member]: under(names, member === 'data' && type === 'secrets' ? base64(write) : write),
        };
        const written = await writer.send(write, {
          word: write,
          query: { fieldManager: `by-${write}` },
          metadata: { labels: under(PREFIXED), annotations: under(PREFIXED) },
          ...(content ? { content } : {}),
        });
        must(`${write} is done`, written, match.success);
        const entries = entriesIn(written.json);
        must('each record is whole', entries, match.every(entry));
        const fields = entries.map(({ fieldsV1 }) => fieldsV1);
        must('down to its leaves, which are empty maps', fields.every(isFields), match.equal(true));
        const paths = [
          ...PREFIXED.map((name) => ['metadata', 'labels', name]),
          ...PREFIXED.map((name) => ['metadata', 'annotations', name]),
          ...names.map((name) => [member ?? '', name]),
        ];
        const owner = `by-${write} ${write === 'apply' ? 'Apply' : 'Update'}`;
        for (const path of paths) must(`it owns ${path.join(' ')}`, ownersIn(written.json, path), match.equal([owner]));
        const { name = '', managedFields } = objectIn(written).metadata;
        const seen = await writer.get(write === 'post' ? 'made' : 'doc');
        must('so it is read', seen, match.field('metadata.managedFields', match.equal(managedFields)));
        const list = await author.list(kind, { fieldSelector: `metadata.name=${name}` });
        const listed = listIn(list).items.map((item) => item.metadata.managedFields);
        must('and listed', listed, match.equal([managedFields]));
      }
    },
  );
}
