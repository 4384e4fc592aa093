import { EVERY_TYPE } from '../../../fixtures/ledger/index.ts';
import {
  type Actor,
  apiVersionOf,
  check,
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  inconclusive,
  type Json,
  type Kind,
  load,
  match,
  must,
  named,
  objectIn,
  should,
  type WatchEvent,
  type WatchStream,
} from '../../harness/index.ts';
import { tested } from '../testedTypes.ts';
import { Writer, writerOf } from '../writing.ts';

for (const kind of [configMaps, clusterRoles]) {
  check(
    `META-TYPE-01.1/${kind.kind}`,
    `the author reads a ${kind.kind} → it carries the apiVersion and kind of its path`,
    ['META-TYPE-01'],
    async ({ author, dialect }) => {
      await author.given(kind, named('typed'));
      const read = await author.get(kind, 'typed');
      const version = match.field('apiVersion', apiVersionOf(kind, dialect));
      must('it says what it is', read, match.status(200), version, match.field('kind', kind.kind));
    },
  );

  check(
    `META-TYPE-02.2/${kind.kind}`,
    `the author creates a ${kind.kind} with a body of another kind → 4xx`,
    ['META-TYPE-02'],
    async ({ author }) => {
      for (const other of ['Secret', kind.kind.toLowerCase(), kind.kind.toUpperCase(), kind.plural, `${kind.kind}List`])
        must(
          'the body must be of the kind of its path',
          await author.create(kind, { ...named('odd'), kind: other }),
          match.refusal,
        );
      must('nothing was created', await author.get(kind, 'odd'), match.status(404));
    },
  );

  check(
    `META-TYPE-02.3/${kind.kind}`,
    `the author creates a ${kind.kind} with a body of another apiVersion → 4xx`,
    ['META-TYPE-02'],
    async ({ author, dialect }) => {
      const apiVersion = apiVersionOf(kind === configMaps ? clusterRoles : configMaps, dialect);
      must(
        'the body must be of the version of its path',
        await author.create(kind, { ...named('odd'), apiVersion }),
        match.refusal,
      );
      must('nothing was created', await author.get(kind, 'odd'), match.status(404));
    },
  );
}

check(
  'META-TYPE-02.4',
  'the author replaces an object with one of another kind → 4xx, and it stays',
  ['META-TYPE-02'],
  async ({ author }) => {
    const live = await author.given(configMaps, named('typed'));
    must('the kind cannot be changed', await author.update(configMaps, { ...live, kind: 'Secret' }), match.refusal);
    must('it is as it was', objectIn(await author.get(configMaps, 'typed')), match.equal(live));
  },
);

/** Writes an object in every way, and looks at all that shows it: the answers, and what each of these kinds reads and watches. */
async function areThemselves(author: Actor, writer: Writer, kinds: readonly Kind[] = [writer.kind]): Promise<void> {
  const shown = (kind: Kind) => match.including({ apiVersion: apiVersionOf(kind, author.dialect), kind: kind.kind });
  const { name = '', namespace } = (await writer.given('doc')).metadata;
  const fieldSelector = `metadata.name=${name}`;
  const within = namespace === undefined ? fieldSelector : `${fieldSelector},metadata.namespace=${namespace}`;
  const watched: (readonly [Kind, WatchStream])[] = [];
  for (const kind of kinds) {
    const everywhere = (await author.pathOf(kind)).replace(/\/namespaces\/[^/]+\//, '/');
    const words = `${author.name} watches ${kind.plural} of all namespaces`;
    watched.push([kind, await author.watch(kind)]);
    watched.push([kind, await author.watch(kind, { fieldSelector })]);
    watched.push([kind, await author.watchAt(words, everywhere, { fieldSelector: within })]);
  }
  const areTold = async (event: match.Matcher<WatchEvent>) => {
    for (const [kind, stream] of watched) {
      const told = must(`a watch of ${kind.version} tells of it`, await stream.until(event));
      must('as what it is there', told.object, shown(kind));
    }
  };
  await areTold(match.event('ADDED', name));
  for (const write of writer.writes.filter((each) => !each.startsWith('delete'))) {
    const made = write === 'post' ? { name: `made-in-${writer.kind.version}` } : {};
    for (const query of [{ dryRun: 'All' }, {}]) {
      const written = await writer.send(write, { ...made, word: write, query, metadata: { labels: { write } } });
      must(`${write} answers what it stores`, written, match.success, match.body(shown(writer.kind)));
    }
    for (const kind of kinds) {
      const read = await author.get(kind, 'doc');
      must(`${kind.version} reads it so`, read, match.status(200), match.body(shown(kind)));
      const yaml = await author.get(kind, 'doc', {}, { headers: { accept: 'application/yaml' } });
      must('in YAML too', load(yaml.text) as Json, shown(kind));
      const list = await author.list(kind, { fieldSelector });
      const each = match.at('apiVersion', match.oneOf(match.absent, apiVersionOf(kind, author.dialect)));
      const items = match.both(match.size(1), match.every(each));
      must('and lists it so', list, match.field('kind', `${kind.kind}List`), match.field('items', items));
    }
    if (write === 'post') continue;
    await areTold(match.both(match.event('MODIFIED', name), match.eventField('metadata.labels.write', write)));
  }
  // A namespace goes when it is empty, and there may be nobody who empties it.
  if (writer.subject.name === 'namespaces') return;
  const gone = await writer.send('delete', { name: 'doc' });
  const answered = match.oneOf(match.including({ kind: 'Status' }), shown(writer.kind));
  must('it is deleted', gone, match.success, match.body(answered));
  await areTold(match.removal(name));
}

for (const type of EVERY_TYPE) {
  check(
    `META-TYPE-01.2/${type}`,
    `the author writes, reads and watches ${type} in every way → each object has the apiVersion and kind of its path`,
    ['META-TYPE-01', 'WATCH-STREAM-01'],
    tested(type).needs,
    async ({ author }) => areThemselves(author, await writerOf(author, type)),
  );
}

check(
  'META-TYPE-01.3',
  'the author writes a custom type through each of two versions, and reads and watches it through both → each object has the apiVersion of its path',
  ['META-TYPE-01', 'WATCH-STREAM-01'],
  ['custom-types'],
  async ({ author }) => {
    const stored = await writerOf(author, 'custom');
    const other = await ofVersion(author, stored, 'v2');
    for (const writer of [stored, other]) await areThemselves(author, writer, [stored.kind, other.kind]);
  },
);

/** Prepares: the custom type is served in another version too, that it is not stored in. */
async function ofVersion(author: Actor, { kind, subject }: Writer, version: string): Promise<Writer> {
  const steps = [
    { op: 'copy', from: '/spec/versions/0', path: '/spec/versions/-' },
    { op: 'replace', path: '/spec/versions/1/name', value: version },
    { op: 'replace', path: '/spec/versions/1/storage', value: false },
  ];
  const definition = `${kind.plural}.${kind.group}`;
  await author.prepare((each) => each.patch(customResourceDefinitions, definition, 'json', steps));
  const other: Kind = { ...kind, version };
  const served = await should(() => author.list(other), match.status(200));
  if (served.differences.length > 0) inconclusive(`its preparation failed: ${version} of ${definition} is not served`);
  return new Writer(author, subject, other);
}
