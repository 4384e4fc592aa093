import { EVERY_TYPE } from '../../../fixtures/ledger/index.ts';
import {
  check,
  clause,
  clausesOf,
  isRecord,
  type JsonObject,
  listIn,
  match,
  must,
  objectIn,
} from '../../harness/index.ts';
import { tested } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';

const FORGED = { uid: '00000000-0000-4000-8000-000000000000', creationTimestamp: '2001-01-01T00:00:00Z' } as const;
const RULE = { uid: 'META-UID-01', creationTimestamp: 'META-CREATED-01' } as const;
// JSON is YAML.
const YAML = { 'content-type': 'application/yaml' };
const All = { dryRun: 'All' };
/** Texts that are easily taken for something else than they are. */
const TEXTS = { blank: '', word: 'null', number: '007', lines: 'one\n two\n', marks: '"{\\}\'' } as const;

for (const type of EVERY_TYPE) {
  check(
    `META-UID-01.4/${type}`,
    `the author creates ${type} in YAML and by applies, tried and really → members of the service stay its own`,
    [
      ...clausesOf('META-UID-01', ['yaml', 'bare'], type),
      ...clausesOf('META-CREATED-01', ['yaml', 'bare'], type),
      ...clausesOf('APPLY-BODY-03', 'creating', type),
      ...clausesOf('APPLY-MANAGER-01', 'creating', type),
      ...clausesOf('DRYRUN-APPLY-01', 'creating', type),
      ...clausesOf('META-VERSION-01', 'listed', type),
      ...clausesOf('MERGEPATCH-RULE-01', 'empty', type),
      ...clausesOf('META-ANNOTATIONS-01', type),
    ],
    tested(type).needs,
    async ({ author, space }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      const live = await writer.given('doc', 'old', { labels: { drop: 'yes' }, annotations: { kept: 'yes' } });
      for (const member of ['uid', 'creationTimestamp'] as const) {
        await clause(`${RULE[member]}/yaml/${type}`, async () => {
          const metadata = { [member]: FORGED[member] };
          const name = `yaml-${member.toLowerCase()}`;
          const created = await writer.send('post', { name, headers: YAML, metadata });
          const own = match.field(`metadata.${member}`, match.both(match.aString, match.not(FORGED[member])));
          // Whether such a write is refused or the member overlooked is not said.
          must('it is refused or overlooked', created, match.either(match.refusal, match.both(match.created, own)));
          if (created.succeeded) must('so it is stored', await writer.get(name), own);
          const same = match.field(`metadata.${member}`, live.metadata[member] ?? '');
          const put = await writer.send('put', { headers: YAML, metadata, word: name });
          must('so is it in a PUT', put, match.either(match.refusal, match.both(match.success, same)));
          must('the first one stays', await writer.get('doc'), same);
        });
      }
      for (const member of ['uid', 'creationTimestamp'] as const) {
        await clause(`${RULE[member]}/bare/${type}`, async () => {
          for (const [form, value] of [
            ['without it', undefined],
            ['with null', null],
          ] as const) {
            const own = match.field(`metadata.${member}`, live.metadata[member] ?? '');
            const put = await writer.send('put', { metadata: { [member]: value }, word: `bare${form.length}` });
            must(`a PUT ${form} is taken`, put, match.success, own);
            must('and leaves what there was', await writer.get('doc'), own);
          }
        });
      }
      const names = ['applied', 'nameless', 'tried'];
      for (const name of names) space.note(kind, space.nameOf(kind, name));
      await clause(`APPLY-BODY-03/creating/${type}`, async () => {
        const entry = { manager: 'me', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' };
        for (const managedFields of [[entry], [{}]])
          for (const query of [All, {}]) {
            const applied = await writer.send('apply', { name: 'applied', query, metadata: { managedFields } });
            must('the service keeps them', applied, match.refusal);
          }
        must('nothing is created', await writer.get('applied'), match.status(404));
      });
      await clause(`APPLY-MANAGER-01/creating/${type}`, async () => {
        const headers = { 'user-agent': 'agent/1' };
        for (const name of ['nameless', 'doc'])
          for (const query of [All, {}, { force: undefined }, { fieldManager: '' }]) {
            const sending = { name, headers, query: { fieldManager: undefined, ...query } };
            must('an apply has to have a name', await writer.send('apply', sending), match.refusal);
          }
        must('nothing is created', await writer.get('nameless'), match.status(404));
      });
      await clause(`DRYRUN-APPLY-01/creating/${type}`, async () => {
        const dry = await writer.send('apply', { name: 'tried', query: All });
        must('it would be created', dry, match.success);
        must('nothing is', await writer.get('tried'), match.status(404));
        const real = await writer.send('apply', { name: 'tried' });
        must('the real one is', real, match.success);
        must('the dry run was answered with its status', dry, match.status(real.status));
        must('and with its content', contentOf(objectIn(dry)), match.equal(contentOf(objectIn(real))));
      });
      await clause(`META-VERSION-01/listed/${type}`, async () => {
        const [read, list] = [objectIn(await writer.get('doc')), listIn(await author.list(kind))];
        const own = list.items.find(({ metadata }) => metadata.uid === read.metadata.uid);
        must(
          'it is listed at its own version',
          own?.metadata.resourceVersion,
          match.equal(read.metadata.resourceVersion),
        );
        must('as it is read', own ? contentOf(own) : null, match.equal(contentOf(read)));
      });
      await clause(`MERGEPATCH-RULE-01/empty/${type}`, async () => {
        const before = objectIn(await writer.get('doc'));
        const maps = Object.entries(contentOf(before)).filter(([, value]) => isRecord(value));
        const patch = { ...Object.fromEntries(maps.map(([member]) => [member, {}])), metadata: { annotations: {} } };
        const patched = await author.patch(kind, 'doc', 'merge', patch);
        must('an empty map changes nothing', patched, match.body(before));
        const less = await author.patch(kind, 'doc', 'merge', {
          ...patch,
          metadata: { annotations: {}, labels: { drop: null } },
        });
        must('beside null too', less, match.status(200), match.field('metadata.annotations.kept', 'yes'));
        must('which removes', less, match.field('metadata.labels.drop', match.absent));
        must('and nothing else', contentOf(objectIn(less)), match.equal(contentOf(before)));
      });
      await clause(clausesOf('META-ANNOTATIONS-01', type), async () => {
        for (const write of writer.writes.filter((each) => each !== 'post' && !each.startsWith('delete'))) {
          const written = Object.entries(TEXTS).map(([word, text]) => [`${write}-${word}`, text] as const);
          const annotations = { kept: 'yes', ...Object.fromEntries(written) };
          must('they are taken', await writer.send(write, { word: 'old', metadata: { annotations } }), match.success);
          const read = await writer.get('doc');
          for (const [key, text] of written)
            must('and stored as written', read, match.field(['metadata', 'annotations', key], text));
        }
      });
    },
  );
}

/** An object without metadata, and without what lists leave out of their items. */
function contentOf(object: object): JsonObject {
  const { metadata: _, apiVersion: _version, kind: _kind, ...content } = object as JsonObject;
  return content;
}
