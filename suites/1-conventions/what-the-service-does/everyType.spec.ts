import { DRY_RUN_RESULT, OTHER_TYPES, type OtherType, WRITES } from '../../../fixtures/ledger/index.ts';
import {
  apiVersionOf,
  type ClauseName,
  check,
  clause,
  clausesOf,
  clusterRoles,
  configMaps,
  isRecord,
  type JsonObject,
  listIn,
  match,
  must,
  named,
  objectIn,
} from '../../harness/index.ts';
import { isFields } from '../server-side-apply-rules/owned.ts';
import { OTHER } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';

const HOLD = 'touchstone.example/hold';
const DRY_RUN_RESULTS = [...new Set(Object.values(DRY_RUN_RESULT))];

/** What takes the word of an object out of it, by a merge patch. */
const EMPTYING: Readonly<Record<OtherType, JsonObject>> = {
  secrets: { data: { word: null } },
  serviceaccounts: { imagePullSecrets: null },
  services: { spec: { selector: { word: null } } },
  leases: { spec: { holderIdentity: null } },
  roles: { rules: null },
  rolebindings: { subjects: null },
  namespaces: {},
  'custom-cluster': { spec: { word: null } },
};

for (const type of OTHER_TYPES) {
  check(
    `NAME-UNIQUE-01.4/${type}`,
    `the author writes ${type} → names, records and conditions are as for every type`,
    [
      `NAME-UNIQUE-01/${type}`,
      `NAME-UNIQUE-02/${type}`,
      ...clausesOf('META-GENERATE-01', type),
      ...clausesOf('META-LABELS-01', type),
      ...clausesOf('META-ANNOTATIONS-01', type),
      `META-MANAGED-02/${type}`,
      `UPDATE-VERSION-02/${type}`,
      ...clausesOf('JSONPATCH-TEST-01', type),
      `MERGEPATCH-RULE-01/${type}`,
      `APPLY-BODY-03/${type}`,
      ...clausesOf('APPLY-REMOVE-01', type),
      `DRYRUN-EFFECT-01/${type}`,
      ...DRY_RUN_RESULTS.flatMap((id) => clausesOf(id, WRITES, type)),
      ...clausesOf('FIELDS-STRICT-01', type),
      `TABLE-SHAPE-01/${type}`,
    ],
    OTHER[type].needs,
    async ({ author, dialect }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      await clause(`TABLE-SHAPE-01/${type}`, async () => {
        // Of the least that an object may hold there is least to show.
        const { name } = (await author.given(kind, named('least'))).metadata;
        const fieldSelector = `metadata.name=${name}`;
        const options = { headers: { accept: `application/json;as=Table;g=meta.${dialect.apiDomain};v=v1` } };
        const oneRow = (body: unknown) => {
          const columns = isRecord(body) && Array.isArray(body.columnDefinitions) ? body.columnDefinitions : [];
          const cells = match.at('cells', match.size(columns.length));
          return match.both(match.at('kind', 'Table'), match.at('rows', match.both(match.size(1), match.every(cells))));
        };
        // Whether a type has Tables is open.
        for (const answer of [
          await author.get(kind, 'least', {}, options),
          await author.list(kind, { fieldSelector }, options),
        ]) {
          must('there is one, or there are none', answer, match.status(200, 406));
          if (answer.status === 200) must('a row with a cell a column', answer.json, oneRow(answer.json));
        }
        const stream = await author.watch(kind, { fieldSelector }, options);
        must('a watch is open, or there are none', stream.opening, match.status(200, 406));
        if (stream.opening.status !== 200) return;
        const { object } = must('an event comes', await stream.until(match.event('ADDED')));
        must('a row with a cell a column', object as never, oneRow(object));
      });
      const first = await writer.given('doc', 'old', { annotations: { kept: ' as it is ' } });
      await clause(`NAME-UNIQUE-01/${type}`, async () => {
        must('the name is in use', await writer.send('post', { name: 'doc' }), match.nameInUse);
        must('the first stays as it was', await writer.get('doc'), match.body(first));
      });
      await clause(`NAME-UNIQUE-02/${type}`, async () => {
        await author.given(kind.namespaced ? configMaps : clusterRoles, named('shared'));
        must('another kind has the name', await writer.send('post', { name: 'shared' }), match.created);
        if (!kind.namespaced) return;
        const there = author.elsewhere();
        const content = { ...writer.content('new'), ...named('doc') };
        must('another namespace has the name', await there.create(kind, content), match.created);
      });
      await clause(`META-GENERATE-01/${type}`, async () => {
        const draft = { ...writer.content('new'), metadata: { generateName: 'made-' } };
        const names = new Set<string>();
        for (const _ of ['one', 'two', 'three']) {
          const created = await author.create(kind, draft);
          const begins = match.startingWith(author.space.nameOf(kind, 'made-'));
          must('a name is made', created, match.created, match.field('metadata.name', begins));
          const { name = '' } = objectIn(created).metadata;
          must('and stored as it is answered', await author.get(kind, name), match.asCreated(objectIn(created)));
          names.add(name);
        }
        must('each its own', names.size, match.equal(3));
      });
      await clause(`META-LABELS-01/${type}`, async () => {
        const one = (await writer.given('one', 'old', { labels: { tier: 'front' } })).metadata.name;
        const two = (await writer.given('two', 'old', { labels: { tier: 'back' } })).metadata.name;
        for (const [selector, expected] of [
          ['tier=front', one],
          ['tier,tier!=front', two],
          ['tier in (back,side)', two],
          ['tier notin (back),tier', one],
        ] as const) {
          const labelSelector = kind.namespaced ? selector : `${selector},${author.space.selector}`;
          const list = await author.list(kind, { labelSelector });
          must('what matches, and nothing else', list, match.names([expected]));
        }
        const moved = await writer.send('merge', { name: 'one', word: 'old', metadata: { labels: { tier: 'back' } } });
        must('it is changed', moved, match.success);
        const back = await author.list(kind, {
          labelSelector: `tier=back${kind.namespaced ? '' : `,${author.space.selector}`}`,
        });
        must('and selected by what it is now', back, match.names(match.sameItems([one, two])));
      });
      await clause(`META-ANNOTATIONS-01/${type}`, async () => {
        const kept = match.field(['metadata', 'annotations', 'kept'], ' as it is ');
        must('they are stored', await writer.get('doc'), kept);
        for (const write of writer.writes.filter((each) => each !== 'post' && !each.startsWith('delete'))) {
          const annotations = { kept: ' as it is ', by: ` ${write} ` };
          must('they are taken', await writer.send(write, { metadata: { annotations } }), match.success);
          const by = match.field(['metadata', 'annotations', 'by'], ` ${write} `);
          must('and stored as written', await writer.get('doc'), kept, by);
        }
      });
      await clause(`META-MANAGED-02/${type}`, async () => {
        const { managedFields = [] } = objectIn(await writer.get('doc')).metadata;
        must('there are some', managedFields as readonly unknown[], match.not([]));
        const entry = match.including({
          manager: match.aString,
          operation: match.oneOf('Apply', 'Update'),
          apiVersion: apiVersionOf(kind, dialect),
          time: match.aTimestamp,
          fieldsType: 'FieldsV1',
          fieldsV1: match.anObject,
        });
        must('each is whole', managedFields as readonly unknown[], match.every(entry));
        const labelled = await writer.given('labelled', 'old', { labels: { a: '1' }, annotations: { a: '1' } });
        const fields = (labelled.metadata.managedFields ?? []).map(({ fieldsV1 }) => fieldsV1 ?? null);
        must('down to its leaves, which are empty maps', fields.every(isFields), match.equal(true));
      });
      const live = objectIn(await writer.get('doc'));
      await clause(`UPDATE-VERSION-02/${type}`, async () => {
        const { resourceVersion } = first.metadata;
        const late = await writer.send('put', { word: 'late', metadata: { resourceVersion, labels: { late: 'yes' } } });
        must('it came too late', late, match.status(409));
        must('nothing changed', await writer.get('doc'), match.body(live));
      });
      await clause(`JSONPATCH-TEST-01/${type}`, async () => {
        const add = { op: 'add', path: '/metadata/annotations/tested', value: 'yes' };
        const test = (value: string) => ({ op: 'test', path: '/metadata/annotations/kept', value });
        must('the test fails', await author.patch(kind, 'doc', 'json', [test('no'), add]), match.refusal);
        must('nothing changed', await writer.get('doc'), match.body(live));
        const passed = await author.patch(kind, 'doc', 'json', [test(' as it is '), add]);
        must('a test that holds does not', passed, match.field(['metadata', 'annotations', 'tested'], 'yes'));
        const { annotations = {} } = objectIn(passed).metadata;
        const turned = Object.fromEntries(Object.entries(annotations).reverse());
        for (const [value, holds] of [
          [turned, true],
          [{ ...turned, more: 'yes' }, false],
        ] as const) {
          const whole = await author.patch(kind, 'doc', 'json', [{ op: 'test', path: '/metadata/annotations', value }]);
          must('members have no order', whole, holds ? match.status(200) : match.refusal);
        }
        // Of every kind of value, with what is there and without.
        for (const [path, value] of [
          ['/metadata/managedFields', []],
          ['/metadata/managedFields', [{}]],
          ['/metadata/annotations', {}],
          ['/metadata/annotations/kept', null],
          ['/metadata/name', 7],
          ['/metadata/name', true],
        ] as const) {
          const tested = await author.patch(kind, 'doc', 'json', [{ op: 'test', path, value }]);
          must(`${path} is not ${JSON.stringify(value)}`, tested, match.refusal);
        }
      });
      await clause(`MERGEPATCH-RULE-01/${type}`, async () => {
        const patch = { ...EMPTYING[type], metadata: { annotations: { tested: null } } };
        const patched = await author.patch(kind, 'doc', 'merge', patch);
        must('null removes', patched, match.field(['metadata', 'annotations', 'tested'], match.absent));
        const { metadata: _, ...content } = objectIn(patched);
        if (type !== 'namespaces') must('at any depth', wordsIn(content), match.equal([]));
        must('and is stored', await writer.get('doc'), match.body(objectIn(patched)));
      });
      await clause(`APPLY-BODY-03/${type}`, async () => {
        const before = objectIn(await writer.get('doc'));
        const managedFields = [{ manager: 'me', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' }];
        for (const given of [managedFields, [{}]])
          must(
            'the service keeps them',
            await writer.send('apply', { metadata: { managedFields: given } }),
            match.refusal,
          );
        must('nothing changed', await writer.get('doc'), match.body(before));
      });
      await clause(`APPLY-REMOVE-01/${type}`, async () => {
        const mine = { labels: { mine: 'yes' }, annotations: { mine: 'yes' } };
        must('they are applied', await writer.send('apply', { metadata: mine }), match.success);
        const applied = await writer.send('apply', {});
        must('a label goes', applied, match.success, match.field(['metadata', 'labels', 'mine'], match.absent));
        must('and an annotation', applied, match.field(['metadata', 'annotations', 'mine'], match.absent));
      });
      const before = objectIn(await writer.get('doc'));
      for (const write of writer.writes.filter((each) => each !== 'deletecollection')) {
        await clause(
          [`DRYRUN-EFFECT-01/${type}`, `${DRY_RUN_RESULT[write]}/${write}/${type}` as ClauseName],
          async () => {
            const dry = { query: { dryRun: 'All' }, metadata: { labels: { dry: 'yes' } } };
            const tried = await writer.send(write, dry);
            must('it is tried', tried, match.success);
            if (write !== 'delete') must('as it would be', tried, match.field('metadata.labels.dry', 'yes'));
            must('nothing is created', await writer.get('made'), match.status(404));
            must('nothing changed', await writer.get('doc'), match.body(before));
          },
        );
      }
      await clause(`FIELDS-STRICT-01/${type}`, async () => {
        for (const write of ['post', 'put'] as const) {
          const strict = { query: { fieldValidation: 'Strict' }, content: { unheardOf: 'yes' } };
          must('nobody knows it', await writer.send(write, strict), match.status(400));
        }
        must('nothing is created', await writer.get('made'), match.status(404));
        must('nothing changed', await writer.get('doc'), match.body(before));
      });
    },
  );

  check(
    `WATCH-ADDED-01.2/${type}`,
    `the author watches, changes and deletes ${type} → events and the two phases are as for every type`,
    [
      ...clausesOf('WATCH-ADDED-01', type),
      `WATCH-MODIFIED-01/${type}`,
      ...(type === 'namespaces'
        ? []
        : [
            `WATCH-DELETED-01/${type}` as const,
            `DELETE-PHASE-01/${type}` as const,
            `DELETE-FINALIZER-02/${type}` as const,
            `NAME-REUSE-01/${type}` as const,
          ]),
    ],
    OTHER[type].needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      await writer.given('other');
      const fieldSelector = `metadata.name=${author.space.nameOf(kind, 'doc')}`;
      const { resourceVersion } = listIn(await author.list(kind, { fieldSelector })).metadata;
      const stream = await author.watch(kind, { fieldSelector, resourceVersion });
      const first = await writer.given('doc', 'old', { labels: { a: '1' }, finalizers: [HOLD] });
      const changed = objectIn(await author.prepare(() => writer.send('merge', { metadata: { labels: { a: '2' } } })));
      const another = match.both(match.aString, match.not(first.metadata.uid ?? null));
      if (type === 'namespaces') {
        await author.prepare(() => writer.send('merge', { metadata: { labels: { a: '3' }, finalizers: null } }));
      } else {
        await author.prepare(() => writer.send('delete'));
        await clause(`DELETE-PHASE-01/${type}`, async () => {
          const marked = match.field('metadata.deletionTimestamp', match.aTimestamp);
          must('it waits', await writer.get('doc'), match.status(200), marked);
        });
        await clause(`DELETE-FINALIZER-02/${type}`, async () => {
          const freed = await writer.send('merge', { metadata: { finalizers: null } });
          must('it is freed', freed, match.success);
          must('it is gone', await writer.get('doc'), match.status(404));
        });
        await clause(`NAME-REUSE-01/${type}`, async () => {
          const again = await writer.send('post', { name: 'doc' });
          must('the name is free', again, match.created, match.field('metadata.uid', another));
        });
        await writer.send('merge', { metadata: { labels: { a: '3' } } });
        await writer.send('delete');
      }
      // Events of several kinds end the wait, so that one kind that never comes costs no time; what had to come before
      // is looked for among those that did.
      const last =
        type === 'namespaces' ? match.eventField('metadata.labels.a', '3') : match.eventField('metadata.uid', another);
      const told = (await stream.upTo(last)).subject;
      const at = (version = '') => told.filter(({ object }) => object.metadata.resourceVersion === version);
      await clause(`WATCH-ADDED-01/${type}`, async () => {
        const [event] = at(first.metadata.resourceVersion);
        must('a creation is told', event?.type ?? 'no event', match.equal('ADDED'));
        if (type !== 'namespaces') must('in full', event?.object ?? null, match.equal(first as never));
      });
      await clause(`WATCH-MODIFIED-01/${type}`, async () => {
        const [event] = at(changed.metadata.resourceVersion);
        must('a change is told', event?.type ?? 'no event', match.equal('MODIFIED'));
        must('in full', event?.object ?? null, match.equal(changed as never));
      });
      if (type === 'namespaces') return;
      await clause(`WATCH-DELETED-01/${type}`, async () => {
        const old = told.filter(({ object }) => object.metadata.uid === first.metadata.uid);
        const types = old
          .map((event) => event.type)
          .filter((one) => !['ADDED', 'MODIFIED', 'BOOKMARK', 'ERROR'].includes(one));
        // Its name is open.
        must('the removal is told once', types.length, match.equal(1));
      });
    },
  );
}
/** Which of the words of this check's content stand in an object, as they are or in base64. */
function wordsIn(content: object): readonly string[] {
  const text = JSON.stringify(content);
  return ['new', 'old', 'bmV3', 'b2xk'].filter((word) => text.includes(`"${word}"`) || text.includes(`-${word}"`));
}
