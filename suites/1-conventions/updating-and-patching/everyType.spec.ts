import { EVERY_TYPE, OTHER_TYPES, type OtherType, PATCHES, type Write } from '../../../fixtures/ledger/index.ts';
import { apiVersionOf, check, clause, clausesOf, listIn, match, must, objectIn } from '../../harness/index.ts';
import { type Content, tested } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';

const FORGED = '2001-01-01T00:00:00Z';
const [FIRST, SECOND, THIRD] = ['touchstone.example/a', 'touchstone.example/b', 'touchstone.example/c'];
/** A member whose name has a slash, and a pointer to it. */
const [SLASHED, POINTER] = ['touchstone.example/a', '/metadata/annotations/touchstone.example~1a'];
/** Operations that need what is not there. */
const ABSENT = [
  { op: 'remove', path: '/metadata/annotations/none' },
  // A member with an empty name, which a slash at the end means.
  { op: 'remove', path: '/metadata/annotations/' },
  { op: 'move', from: '/metadata/annotations/none', path: '/metadata/annotations/b' },
  { op: 'copy', from: '/metadata/annotations/none', path: '/metadata/annotations/b' },
  // What is moved into itself takes the place away where it should go.
  { op: 'move', from: '/metadata/annotations', path: '/metadata/annotations/within' },
];

/** Members of a content that an object need not have. */
const optionalIn = (content: Content) => Object.keys(content).filter((member) => member !== 'roleRef');
const withoutOptional = (content: Content): Content =>
  Object.fromEntries(optionalIn(content).map((member) => [member, undefined]));
/** JSON that says something. */
const HELD = match.valueMatcher('some value', (text) => /"[^"]+":(?!null|\{\}|\[\])/.test(String(text)));

/** Whether writes of the type in all their ways have no check of their own. */
const isOther = (type: string): type is OtherType => (OTHER_TYPES as readonly string[]).includes(type);

for (const type of EVERY_TYPE) {
  check(
    `UPDATE-REPLACE-01.2/${type}`,
    `the author replaces, patches and creates ${type} by an apply → replaced whole, on condition and at the time of the service`,
    [
      ...clausesOf('UPDATE-REPLACE-01', type),
      ...clausesOf('UPDATE-VERSION-05', type),
      ...clausesOf('UPDATE-VERSION-02', ['again', 'same'], type),
      ...clausesOf('JSONPATCH-OPERATION-01', type),
      ...clausesOf('JSONPATCH-OPERATION-02', type),
      ...clausesOf('JSONPATCH-POINTER-01', type),
      ...clausesOf('JSONPATCH-INVALID-02', type),
      ...clausesOf('JSONPATCH-INVALID-05', type),
      ...clausesOf('JSONPATCH-IFMATCH-02', type),
      ...clausesOf('MERGEPATCH-RULE-01', 'whole', type),
      ...clausesOf('META-CREATED-01', 'creating', type),
      ...clausesOf('META-GENERATE-02', type),
      ...clausesOf('VERB-SINGLE-01', type),
      ...(isOther(type) ? ([`META-CREATED-01/later/${type}`, `META-UID-01/later/${type}`] as const) : []),
    ],
    tested(type).needs,
    async ({ author, space }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      const left = { left: 'yes' };
      const first = await writer.given('doc', 'old', { labels: left, annotations: { ...left, [SLASHED]: '1' } });
      await clause(`UPDATE-REPLACE-01/${type}`, async () => {
        const { left: _, ...labels } = first.metadata.labels ?? {};
        const put = await writer.send('put', { metadata: { labels, annotations: { put: 'yes' } } });
        const gone = [
          match.field('metadata.labels.left', match.absent),
          match.field('metadata.annotations.left', match.absent),
        ] as const;
        must('what is left out is gone', put, match.status(200), ...gone);
        must('and not stored', await writer.get('doc'), ...gone);
        // Of what is left out nothing stands in the body, in either encoding and without a version to replace.
        for (const contentType of ['application/json', 'application/yaml'])
          for (const version of [{}, { resourceVersion: undefined }]) {
            await author.prepare(() => writer.send('merge', { word: 'old', metadata: { annotations: left } }));
            const sending = {
              headers: { 'content-type': contentType },
              content: type === 'services' ? {} : withoutOptional(writer.content('old')),
              metadata: { labels, annotations: undefined, ...version },
            };
            const bare = await writer.send('put', sending);
            if ('resourceVersion' in version && bare.status >= 400) continue;
            must('all that is left out is gone', bare, match.status(200), gone[1]);
            const read = await writer.get('doc');
            must('nor is it stored', read, match.status(200), gone[1]);
            const own = [first.metadata.uid ?? '', first.metadata.creationTimestamp ?? ''] as const;
            must('it is the same object', read, match.field('metadata.uid', own[0]));
            must('as old as it was', read, match.field('metadata.creationTimestamp', own[1]));
            if (type === 'services') continue;
            for (const member of optionalIn(writer.content('old')))
              must('so is its content', JSON.stringify(objectIn(read)[member] ?? null), match.not(HELD));
          }
        await author.prepare(() => writer.send('merge', { word: 'old' }));
      });
      const resourceVersion = first.metadata.resourceVersion ?? '';
      for (const write of writer.writes.filter((each) => (PATCHES as readonly Write[]).includes(each))) {
        await clause(clausesOf('UPDATE-VERSION-05', write, type), async () => {
          // Where a PUT changed nothing the first version is the stored one.
          await author.prepare(() => writer.send('merge', { metadata: { labels: { since: write } } }));
          const live = objectIn(await writer.get('doc'));
          const late = await writer.send(write, { word: `late-${write}`, metadata: { resourceVersion } });
          must('it came too late', late, match.status(409));
          const { labels = {} } = live.metadata;
          const same = await writer.send(write, { metadata: { resourceVersion, labels } });
          must('so does what would change nothing', same, match.status(409));
          must('nothing changes', await writer.get('doc'), match.body(live));
        });
      }
      await clause(`UPDATE-VERSION-02/same/${type}`, async () => {
        const live = objectIn(await writer.get('doc'));
        const path = await author.pathOf(kind, 'doc');
        // Whole, as it was read, and without what the service fills in: both would change nothing.
        const { labels = {}, annotations = {}, name } = live.metadata;
        for (const metadata of [live.metadata, { name, labels, annotations }])
          for (const contentType of ['application/json', 'application/yaml'])
            for (const query of ['', '?dryRun=All']) {
              const body = { ...live, metadata: { ...metadata, resourceVersion } };
              const late = await author.request('PUT', path + query, {
                headers: { 'content-type': contentType },
                body,
              });
              must('it came too late', late, match.status(409));
            }
        must('nothing changes', await writer.get('doc'), match.body(live));
        // Nor does a version come back with its content.
        for (const passing of ['yes', null])
          await author.prepare(() => writer.send('merge', { metadata: { labels: { passing } } }));
        const back = objectIn(await writer.get('doc'));
        must('it has passed', await author.request('PUT', path, { body: live }), match.status(409));
        must('nothing changes', await writer.get('doc'), match.body(back));
      });
      await clause(`UPDATE-VERSION-02/again/${type}`, async () => {
        const live = objectIn(await writer.get('doc'));
        // A refusal says nothing of the next request: the same one is refused again.
        for (const _ of ['once', 'twice', 'once more']) {
          const late = await writer.send('put', {
            word: 'late',
            metadata: { resourceVersion, labels: { late: 'yes' } },
          });
          must('it came too late', late, match.status(409));
        }
        // Nor is a version its own that came after it, of another object or of the collection.
        const ahead = await writer.given('ahead');
        for (const version of [
          ahead.metadata.resourceVersion,
          listIn(await author.list(kind)).metadata.resourceVersion,
        ]) {
          if (version === live.metadata.resourceVersion) continue;
          const metadata = { resourceVersion: version ?? '', labels: { ahead: 'yes' } };
          must('it never had that version', await writer.send('put', { word: 'ahead', metadata }), match.status(409));
        }
        must('nothing changes', await writer.get('doc'), match.body(live));
      });
      // An object of its own, since finalizers hold it.
      await writer.given('listed', 'old', { finalizers: [SECOND] });
      await clause(`JSONPATCH-OPERATION-01/${type}`, async () => {
        const done = await author.patch(kind, 'listed', 'json', [
          { op: 'add', path: '/metadata/annotations', value: { a: '1', left: 'yes' } },
          { op: 'copy', from: '/metadata/annotations/a', path: '/metadata/annotations/b' },
          { op: 'replace', path: '/metadata/annotations/a', value: '2' },
          { op: 'test', path: '/metadata/annotations/a', value: '2' },
          { op: 'move', from: '/metadata/annotations/b', path: '/metadata/annotations/c' },
          { op: 'remove', path: '/metadata/annotations/left' },
          { op: 'add', path: '/metadata/finalizers/0', value: FIRST },
        ]);
        must('each is done, in order', done, match.status(200));
        for (const [member, value] of Object.entries({ a: '2', b: match.absent, c: '1', left: match.absent }))
          must('as it says', done, match.field(['metadata', 'annotations', member], value));
        must('an item is put in', done, match.field('metadata.finalizers', [FIRST, SECOND]));
        must('so it is stored', await writer.get('listed'), match.body(objectIn(done)));
        const last = [{ op: 'add', path: '/metadata/finalizers/2', value: THIRD }];
        const longer = await author.patch(kind, 'listed', 'json', last);
        must('the number behind the last appends', longer, match.status(200));
        must('one item', longer, match.field('metadata.finalizers', [FIRST, SECOND, THIRD]));
        const beyond = [{ op: 'add', path: '/metadata/finalizers/4', value: 'touchstone.example/beyond' }];
        must('there is none behind that', await author.patch(kind, 'listed', 'json', beyond), match.refusal);
        must('so it stays', await writer.get('listed'), match.body(objectIn(longer)));
        const copied = await author.patch(kind, 'listed', 'json', [
          { op: 'copy', from: '/metadata/annotations', path: '/metadata/labels' },
          { op: 'replace', path: '/metadata/labels/a', value: 'copied' },
          { op: 'remove', path: '/metadata/labels/c' },
          ...Object.entries(objectIn(longer).metadata.labels ?? {}).map(([label, value]) => ({
            op: 'add',
            path: `/metadata/labels/${label.replaceAll('/', '~1')}`,
            value,
          })),
        ]);
        must('a copy is apart', copied, match.status(200), match.field(['metadata', 'labels', 'a'], 'copied'));
        for (const [member, value] of Object.entries({ a: '2', c: '1' }))
          must('from what it was taken of', copied, match.field(['metadata', 'annotations', member], value));
      });
      // A dash means what is behind the last item, where there is nothing.
      for (const [id, operation] of [
        ['JSONPATCH-INVALID-02', { op: 'replace', path: '/metadata/finalizers/-', value: THIRD }],
        ['JSONPATCH-INVALID-05', { op: 'remove', path: '/metadata/finalizers/-' }],
        ['JSONPATCH-INVALID-05', { op: 'copy', from: '/metadata/finalizers/-', path: '/metadata/annotations/b' }],
      ] as const)
        await clause(`${id}/${type}`, async () => {
          const live = objectIn(await writer.get('listed'));
          must(
            'there is nothing behind the last',
            await author.patch(kind, 'listed', 'json', [operation]),
            match.refusal,
          );
          must('nothing changes', await writer.get('listed'), match.body(live));
        });
      await author.prepare(() => writer.send('merge', { name: 'listed', word: 'old', metadata: { finalizers: null } }));
      await clause(`JSONPATCH-OPERATION-02/${type}`, async () => {
        const live = objectIn(await writer.get('doc'));
        const add = { op: 'add', path: '/metadata/annotations/half', value: 'yes' };
        const test = { op: 'test', path: '/metadata/annotations/half', value: 'no' };
        must('its last fails', await author.patch(kind, 'doc', 'json', [add, test]), match.refusal);
        must('nothing is done', await writer.get('doc'), match.body(live));
      });
      await clause(`JSONPATCH-POINTER-01/${type}`, async () => {
        const reached = await author.patch(kind, 'doc', 'json', [
          { op: 'add', path: '/metadata/annotations', value: {} },
          { op: 'add', path: POINTER, value: '1' },
          { op: 'replace', path: POINTER, value: '2' },
        ]);
        must('~1 is a slash', reached, match.status(200), match.field(['metadata', 'annotations', SLASHED], '2'));
        const moved = await author.patch(kind, 'doc', 'json', [
          { op: 'copy', from: POINTER, path: '/metadata/annotations/copied' },
          { op: 'move', from: POINTER, path: '/metadata/annotations/touchstone.example~1b' },
          { op: 'test', path: '/metadata/annotations/touchstone.example~1b', value: '2' },
        ]);
        must('so it is in from', moved, match.status(200), match.field(['metadata', 'annotations', 'copied'], '2'));
        must('and there it was', moved, match.field(['metadata', 'annotations', SLASHED], match.absent));
        // Only where members may have any name.
        if (!type.startsWith('custom')) return;
        for (const [pointer, member] of [
          ['a~01b', 'a~1b'],
          ['a~1b~1c', 'a/b/c'],
          ['a~0b~1c~0', 'a~b/c~'],
          ['a%2Fb', 'a%2Fb'],
          ['a%7E1b', 'a%7E1b'],
          ['0', '0'],
          ['-', '-'],
        ] as const) {
          const add = [{ op: 'add', path: `/spec/${pointer}`, value: 'yes' }];
          const escaped = await author.patch(kind, 'doc', 'json', add);
          must(`${pointer} is ${member}`, escaped, match.status(200), match.field(['spec', member], 'yes'));
        }
      });
      await clause(`JSONPATCH-INVALID-02/${type}`, async () => {
        const live = objectIn(await writer.get('doc'));
        const replace = { op: 'replace', path: '/metadata/annotations/none', value: 'x' };
        must('there is nothing to replace', await author.patch(kind, 'doc', 'json', [replace]), match.refusal);
        must('nothing changes', await writer.get('doc'), match.body(live));
      });
      await clause(`JSONPATCH-INVALID-05/${type}`, async () => {
        const live = objectIn(await writer.get('doc'));
        for (const operation of ABSENT)
          must('there is nothing there', await author.patch(kind, 'doc', 'json', [operation]), match.refusal);
        must('nothing changes', await writer.get('doc'), match.body(live));
      });
      await clause(`JSONPATCH-IFMATCH-02/${type}`, async () => {
        const headers = { 'if-match': '*' };
        for (const write of ['json', 'merge'] as const) {
          const metadata = { annotations: { by: write } };
          const patched = await writer.send(write, { headers, metadata });
          must('it may be there', patched, match.status(200), match.field('metadata.annotations.by', write));
        }
      });
      await clause(`MERGEPATCH-RULE-01/whole/${type}`, async () => {
        const none = [
          ['metadata', 'annotations'],
          ['metadata', 'labels', 'since'],
        ] as const;
        const { labels } = objectIn(await writer.get('doc')).metadata;
        const removed = Object.fromEntries(Object.keys(labels ?? {}).map((label) => [label, null]));
        const kept = Object.keys(labels ?? {}).filter((label) => label.includes('/'));
        for (const label of kept) delete removed[label];
        const metadata = { annotations: null, labels: removed };
        const patched = await author.patch(kind, 'doc', 'merge', { metadata });
        must('null takes a map whole', patched, match.status(200));
        for (const path of none) must('as it does a member', patched, match.field(path, match.absent));
        must('so it is stored', await writer.get('doc'), match.body(objectIn(patched)));
        const absent = { labels: { since: null }, annotations: { none: null }, finalizers: null };
        for (const dryRun of ['All', undefined]) {
          const again = await author.patch(kind, 'doc', 'merge', { metadata: absent }, { dryRun });
          const kept = match.field('metadata.uid', first.metadata.uid ?? '');
          must('what is absent stays absent', again, match.status(200), kept);
          must('as it was', again, match.field(none[1], match.absent), match.field([...none[0], 'none'], match.absent));
        }
      });
      await clause(`VERB-SINGLE-01/${type}`, async () => {
        const items = [await author.fill(kind, { ...writer.content('new'), metadata: { name: 'listed-one' } })];
        const apiVersion = apiVersionOf(kind, author.dialect);
        const path = await author.pathOf(kind);
        for (const list of [
          { apiVersion, kind: `${kind.kind}List`, metadata: {}, items },
          { apiVersion: 'v1', kind: 'List', items },
          items,
        ])
          must('one request creates one object', await author.request('POST', path, { body: list }), match.refusal);
        must('none is created', await writer.get('listed-one'), match.status(404));
      });
      await clause(`VERB-SINGLE-01/behind/${type}`, async () => {
        const texts: string[] = [];
        for (const name of ['first-one', 'next-one']) {
          space.note(kind, space.nameOf(kind, name));
          texts.push(JSON.stringify(await author.fill(kind, { ...writer.content('new'), metadata: { name } })));
        }
        const path = await author.pathOf(kind);
        const headers = { 'content-type': 'application/json' };
        for (const between of ['', '\n', ' ', ',', '\u001e'])
          for (const query of ['', '?dryRun=All']) {
            const sent = await author.request('POST', path + query, { headers, body: texts.join(between) });
            must('one request creates one object', sent, match.refusal);
          }
        for (const name of ['first-one', 'next-one'])
          must('neither is created', await writer.get(name), match.status(404));
      });
      for (const member of ['creationTimestamp', 'uid'] as const) {
        if (!isOther(type)) continue;
        const id = member === 'uid' ? 'META-UID-01' : 'META-CREATED-01';
        await clause(`${id}/later/${type}`, async () => {
          const own = match.field(`metadata.${member}`, first.metadata[member] ?? '');
          const forged = member === 'uid' ? '00000000-0000-4000-8000-000000000000' : FORGED;
          for (const write of writer.writes.filter((each) => each !== 'post' && !each.startsWith('delete'))) {
            const written = await writer.send(write, { word: `${write}-later`, metadata: { [member]: forged } });
            must('it is refused or overlooked', written, match.either(match.refusal, match.both(match.success, own)));
            must('what is stored keeps its own', await writer.get('doc'), match.status(200), own);
          }
        });
      }
      await clause(`META-GENERATE-02/${type}`, async () => {
        for (const [name, contentType] of [
          ['both', 'application/json'],
          ['both-in-yaml', 'application/yaml'],
        ] as const) {
          const sending = { name, headers: { 'content-type': contentType }, metadata: { generateName: 'made-' } };
          const made = await writer.send('post', sending);
          must('the name is used', made, match.created, match.field('metadata.name', space.nameOf(kind, name)));
          must('and stored', await writer.get(name), match.asCreated(objectIn(made)));
        }
      });
      await clause(`META-CREATED-01/creating/${type}`, async () => {
        space.note(kind, space.nameOf(kind, 'forged'));
        const own = match.field('metadata.creationTimestamp', match.both(match.aTimestamp, match.not(FORGED)));
        const applied = await writer.send('apply', { name: 'forged', metadata: { creationTimestamp: FORGED } });
        must('it is refused or overlooked', applied, match.either(match.refusal, match.both(match.created, own)));
        if (applied.succeeded) must('so it is stored', await writer.get('forged'), own);
      });
    },
  );
}
