import { CBOR_TYPES, STATUS_TYPES } from '../../../fixtures/ledger/index.ts';
import {
  apiVersionOf,
  cborBody,
  check,
  clause,
  clusterRoleBindings,
  configMaps,
  defineType,
  type JsonObject,
  match,
  must,
  named,
  objectIn,
  objectInCbor,
  roles,
  sequenceInCbor,
  unsupported,
} from '../../harness/index.ts';
import { STATUS } from '../statusTypes.ts';
import { tested } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';
import { cborCalls } from './cborCalls.ts';

const CBOR = 'application/cbor';
const accept = { headers: { accept: CBOR } };
const content = { headers: { 'content-type': CBOR } };

check(
  'CBOR-GATE-01.1',
  'the author asks for CBOR while its gate is off → 406, and a 4xx for a body',
  ['CBOR-GATE-01'],
  async ({ author }) => {
    await author.given(configMaps, named('doc'));
    const read = await author.get(configMaps, 'doc', {}, accept);
    // Whoever switched the gate on is not held to what holds while it is off.
    if (read.headers['content-type']?.startsWith(CBOR)) unsupported('CBOR is switched on');
    must('it is not spoken', read, match.status(406));
    const body = cborBody(await author.fill(configMaps, named('other')));
    const sent = await author.request('POST', await author.pathOf(configMaps), { ...content, body });
    must('it is not understood', sent, match.refusal);
    must('nothing is stored', await author.get(configMaps, 'other'), match.status(404));
  },
);

check(
  'CBOR-GATE-01.2',
  'the author asks for CBOR and sends it by every verb while its gate is off → 406, and a 4xx for a body',
  ['CBOR-GATE-01'],
  async ({ author }) => {
    for (const kind of [configMaps, roles, clusterRoleBindings]) {
      for (const { what, answered, send } of await cborCalls(author, kind)) {
        const answer = await send(author);
        // Whoever switched the gate on is not held to what holds while it is off.
        if (answer.headers['content-type']?.startsWith(CBOR)) unsupported('CBOR is switched on');
        must(`${what} is refused`, answer, answered ? match.status(406) : match.refusal);
      }
    }
  },
);

check(
  'CBOR-ITEM-01.4',
  'the author asks for CBOR and sends it by every verb while its gate is on → it is spoken and understood',
  ['CBOR-ITEM-01', 'CBOR-WATCH-01', 'GATE-STAGE-01'],
  ['custom-types'],
  async ({ author, dialect }) => {
    const more = { subresources: { status: {} } };
    const things = await defineType(author, dialect, () => ({ type: 'object' }), true, more);
    for (const kind of [configMaps, roles, clusterRoleBindings, things]) {
      for (const { what, answered, isWatch, send } of await cborCalls(author, kind, kind === things)) {
        const type = answered ? (isWatch ? 'application/cbor-seq' : CBOR) : 'application/json';
        must(what, await send(author), match.success, match.mediaType(type));
      }
    }
  },
);

check(
  'CBOR-ITEM-01.1',
  'the author gets, lists and creates in CBOR → as in JSON',
  ['CBOR-ITEM-01'],
  async ({ author }) => {
    for (const kind of [configMaps, roles, clusterRoleBindings]) {
      const live = await author.given(kind, named('doc'));
      const read = await author.get(kind, 'doc', {}, accept);
      must('it is CBOR', read, match.status(200), match.mediaType(CBOR));
      must('one item that means the same', objectInCbor(read.received?.bytes ?? new Uint8Array()), match.equal(live));
      const fieldSelector = `metadata.name=${live.metadata.name}`;
      const list = await author.list(kind, { fieldSelector }, accept);
      must('so is a list', list, match.status(200), match.mediaType(CBOR));
      const body = cborBody(await author.fill(kind, named('other', { metadata: { name: 'other' } })));
      const sent = await author.request('POST', await author.pathOf(kind), { ...content, body });
      must(
        'it is taken as a body',
        sent,
        match.created,
        match.field('metadata.name', author.space.nameOf(kind, 'other')),
      );
      const options = { ...content, body: cborBody({ kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] }) };
      for (const [what, path] of [
        ['a collection', `${await author.pathOf(kind)}?fieldSelector=metadata.name%3D${live.metadata.name}`],
        ['one', await author.pathOf(kind, 'doc')],
      ] as const) {
        must(`options of a DELETE of ${what} are`, await author.request('DELETE', path, options), match.success);
        must('and say that it is none', await author.get(kind, 'doc'), match.status(200), match.body(live));
      }
    }
  },
);

check(
  'CBOR-ITEM-01.2',
  'the author gets and creates objects of a custom type in CBOR → as in JSON',
  ['CBOR-ITEM-01', 'CBOR-WATCH-01'],
  ['custom-types'],
  async ({ author, dialect }) => {
    const things = await defineType(author, dialect, () => ({
      type: 'object',
      properties: { size: { type: 'integer' } },
    }));
    const body = cborBody(await author.fill(things, { metadata: { name: 'doc' }, size: 3 }));
    const sent = await author.request('POST', await author.pathOf(things), { ...content, body });
    must('it is taken as a body', sent, match.created, match.field('size', 3));
    const read = await author.get(things, 'doc', {}, accept);
    must('it is CBOR', read, match.status(200), match.mediaType(CBOR));
    const item = objectInCbor(read.received?.bytes ?? new Uint8Array());
    must('one item that means the same', item, match.equal(objectIn(sent)));
    const query = { watch: true, timeoutSeconds: 1, fieldSelector: 'metadata.name=doc' };
    const headers = { accept: 'application/cbor-seq, application/cbor' };
    const stream = await author.list(things, query, { headers });
    must('a watch is a sequence', stream, match.status(200), match.mediaType('application/cbor-seq'));
  },
);

check(
  'CBOR-WATCH-01.1',
  'the watcher watches in CBOR → a sequence with an item an event',
  ['CBOR-WATCH-01'],
  async ({ author, watcher }) => {
    const live = await author.given(configMaps, named('doc'));
    const query = { watch: true, timeoutSeconds: 1, fieldSelector: 'metadata.name=doc' };
    const stream = await watcher.list(configMaps, query, {
      headers: { accept: 'application/cbor-seq, application/cbor' },
    });
    must('it is a sequence', stream, match.status(200), match.mediaType('application/cbor-seq'));
    const items = sequenceInCbor(stream.received?.bytes ?? new Uint8Array());
    must('of events', items, match.equal([{ type: 'ADDED', object: live }]));
  },
);

for (const type of CBOR_TYPES) {
  check(
    `CBOR-APPLY-01.1/${type}`,
    `the author applies ${type} in CBOR → taken and refused as in YAML`,
    [
      `CBOR-APPLY-01/${type}`,
      `APPLY-BODY-03/cbor/${type}`,
      `APPLY-MANAGER-01/cbor/${type}`,
      `APPLY-CONFLICT-01/cbor/${type}`,
    ],
    ['cbor', ...tested(type).needs],
    async ({ author }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      const live = await writer.given('doc');
      const content = writer.content('new');
      const headers = { 'content-type': 'application/apply-patch+cbor' };
      const apply = async (name: string, query: string, metadata: JsonObject = {}) => {
        author.space.note(kind, author.space.nameOf(kind, name));
        const draft = await author.fill(kind, { ...(content as JsonObject), metadata: { name, ...metadata } });
        const path = `${await author.pathOf(kind, name)}${query}`;
        return author.request('PATCH', path, { headers, body: cborBody(draft) });
      };
      const forced = '?fieldManager=author&force=true';
      const unchanged = async () => must('nothing changes', await writer.get('doc'), match.body(live));
      await clause(`APPLY-MANAGER-01/cbor/${type}`, async () => {
        must('it has to have a name', await apply('doc', '?force=true'), match.refusal);
        must('to create too', await apply('fresh', ''), match.refusal);
        await unchanged();
      });
      await clause(`APPLY-BODY-03/cbor/${type}`, async () => {
        const { managedFields } = live.metadata;
        must('it has no records', await apply('doc', forced, { managedFields }), match.refusal);
        must('to create neither', await apply('fresh', forced, { managedFields }), match.refusal);
        must('nothing is created', await writer.get('fresh'), match.status(404));
        await unchanged();
      });
      await clause(`APPLY-CONFLICT-01/cbor/${type}`, async () => {
        must('it is not theirs', await apply('doc', '?fieldManager=author'), match.refusal);
        await unchanged();
      });
      await clause(`CBOR-APPLY-01/${type}`, async () => {
        const late = await apply('doc', forced, { resourceVersion: `${live.metadata.resourceVersion}0` });
        must('another version is not the stored one', late, match.refusal);
        must('nor is it tried really', await apply('doc', `${forced}&dryRun=All`), match.status(200));
        await unchanged();
        const applied = await apply('doc', forced);
        must('it is applied', applied, match.status(200), match.body(match.including(content)));
        must('and stored', await writer.get('doc'), match.body(match.including(content)));
        must('what is not there is created', await apply('fresh', '?fieldManager=author'), match.created);
      });
    },
  );
}

for (const type of STATUS_TYPES) {
  check(
    `CBOR-APPLY-01.2/${type}`,
    `the author applies the status of ${type} in CBOR → it is stored, and the rest stays`,
    [`CBOR-APPLY-01/status/${type}`],
    ['cbor', ...(type === 'custom' ? (['custom-types'] as const) : [])],
    async ({ author, dialect }) => {
      const { kind: kindOf, status } = STATUS[type];
      const kind = await kindOf(author);
      const { name } = (await author.given(kind, named('doc'))).metadata;
      const path = `${await author.pathOf(kind, 'doc', 'status')}?fieldManager=applier&force=true`;
      const headers = { 'content-type': 'application/apply-patch+cbor' };
      for (const word of ['First', 'Second']) {
        const content = { status: status(word) };
        const draft = { apiVersion: apiVersionOf(kind, dialect), kind: kind.kind, metadata: { name }, ...content };
        const applied = await author.request('PATCH', path, { headers, body: cborBody(draft) });
        must('it is applied', applied, match.status(200));
        for (const object of [objectIn(applied), objectIn(await author.get(kind, 'doc'))])
          must('with what it says', JSON.stringify(object.status), match.text(`a status of ${word}`, new RegExp(word)));
      }
    },
  );
}

for (const type of ['json-patch', 'merge-patch', 'strategic-merge-patch']) {
  check(
    `CBOR-PATCH-01.1/${type}`,
    `the author sends application/${type}+cbor → refused, and nothing changes`,
    ['CBOR-PATCH-01'],
    async ({ author }) => {
      const live = await author.given(configMaps, named('doc'));
      const headers = { 'content-type': `application/${type}+cbor` };
      const body = cborBody(
        type === 'json-patch' ? [{ op: 'add', path: '/data', value: { a: '1' } }] : { data: { a: '1' } },
      );
      const sent = await author.request('PATCH', await author.pathOf(configMaps, 'doc'), { headers, body });
      must('there is no such patch', sent, match.refusal);
      must('nothing changed', await author.get(configMaps, 'doc'), match.body(live));
    },
  );
}
