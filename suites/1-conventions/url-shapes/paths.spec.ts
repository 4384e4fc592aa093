import { NAMESPACED_TYPES } from '../../../fixtures/ledger/index.ts';
import {
  apiVersionOf,
  check,
  clusterRoles,
  configMaps,
  groupOf,
  type Kind,
  match,
  must,
  named,
  namespaces,
  objectIn,
  PATCH_TYPES,
  roles,
} from '../../harness/index.ts';
import { services } from '../server-side-apply-rules/services.ts';
import { tested } from '../testedTypes.ts';
import { writerOf } from '../writing.ts';

check(
  'URL-CORE-01.2',
  'the author reads core objects below /api/v1 → they have the apiVersion v1',
  ['URL-CORE-01'],
  async ({ author }) => {
    await author.given(configMaps, named('core'));
    const namespace = await author.namespace();
    const item = await author.request('GET', `/api/v1/namespaces/${namespace}/configmaps/core`);
    must(
      'the item is there',
      item,
      match.status(200),
      match.field('apiVersion', 'v1'),
      match.field('kind', 'ConfigMap'),
    );
    const collection = await author.request('GET', `/api/v1/namespaces/${namespace}/configmaps`);
    must('so is the collection', collection, match.status(200), match.names(match.containing('core')));
    const wide = await author.request('GET', '/api/v1/namespaces?limit=1');
    must('and a cluster-scoped one', wide, match.status(200), match.field('apiVersion', 'v1'));
  },
);

for (const kind of [roles, clusterRoles]) {
  check(
    `URL-GROUP-01.1/${kind.plural}`,
    `the author reads ${kind.plural} below /apis → they have that apiVersion`,
    ['URL-GROUP-01'],
    async ({ author, dialect }) => {
      const live = await author.given(kind, named('grouped'));
      const apiVersion = apiVersionOf(kind, dialect);
      const below = kind.namespaced ? `namespaces/${await author.namespace()}/${kind.plural}` : kind.plural;
      const item = await author.request('GET', `/apis/${apiVersion}/${below}/${live.metadata.name}`);
      must('the item is there', item, match.status(200), match.field('apiVersion', apiVersion), match.body(live));
      const collection = await author.request('GET', `/apis/${apiVersion}/${below}?limit=500`);
      must('so is the collection', collection, match.status(200), match.field('apiVersion', apiVersion));
    },
  );
}

check(
  'URL-ALL-01.1',
  'the author lists over all namespaces and in one → each holds what belongs to it',
  ['URL-ALL-01'],
  async ({ author }) => {
    const labels = { 'touchstone/all': (await author.namespace()).slice(-8) };
    await author.given(configMaps, { metadata: { name: 'here', labels } });
    await author.elsewhere().given(configMaps, { metadata: { name: 'there', labels } });
    const labelSelector = `touchstone/all=${labels['touchstone/all']}`;
    const all = await author.listEverywhere(configMaps, { labelSelector });
    must('all namespaces are there', all, match.status(200), match.names(match.sameItems(['here', 'there'])));
    must('one namespace is by itself', await author.list(configMaps, { labelSelector }), match.names(['here']));
  },
);

check(
  'URL-ALL-01.2',
  'the watcher watches one namespace → events of another do not reach it',
  ['URL-ALL-01'],
  async ({ author, watcher }) => {
    await author.elsewhere().namespace();
    const stream = await watcher.watch(configMaps);
    await author.elsewhere().given(configMaps, named('there'));
    await author.given(configMaps, named('here'));
    const events = must('its own namespace is told', await stream.upTo(match.event('ADDED', 'here')));
    const names = events.map(({ object }) => object.metadata.name);
    must('the other is not', names, match.not(match.containing('there')));
  },
);

check(
  'URL-ALL-02.1',
  'the author reads a namespaced object without its namespace → 404 or 405',
  ['URL-ALL-02'],
  async ({ author }) => {
    await author.given(configMaps, named('local'));
    must('it has no such path', await author.request('GET', '/api/v1/configmaps/local'), match.status(404, 405));
  },
);

for (const type of NAMESPACED_TYPES) {
  check(
    `URL-ALL-02.2/${type}`,
    `the author reads, watches and writes ${type} without their namespace, which bodies name → refused, and nothing is done`,
    ['URL-ALL-02'],
    tested(type).needs,
    async ({ author }) => {
      const writer = await writerOf(author, type);
      const { kind } = writer;
      const live = await writer.given('doc');
      const namespace = await author.namespace();
      const wide = async (name: string) => (await author.pathOf(kind, name)).replace(`/namespaces/${namespace}/`, '/');
      const labels = { moved: 'yes' };
      for (const name of ['doc', 'missing']) {
        const metadata = { name, namespace, labels };
        const draft = await author.fill(kind, { ...writer.content('new'), metadata });
        const whole = name === 'doc' ? { ...live, metadata: { ...live.metadata, labels } } : draft;
        for (const part of ['', '/status']) {
          const path = (await wide(name)) + part;
          for (const query of ['', '?watch=true&timeoutSeconds=1']) {
            must('it has no such path', await author.request('GET', path + query), match.status(404, 405));
          }
          for (const query of ['?dryRun=All&', '?']) {
            // By which code a write is refused that no path stands for is open.
            for (const [method, contentType, body] of [
              ['PUT', 'application/json', whole],
              ['PUT', 'application/yaml', whole],
              ['PATCH', PATCH_TYPES.json, [{ op: 'add', path: '/metadata/labels', value: labels }]],
              ['PATCH', PATCH_TYPES.merge, { metadata }],
              ['PATCH', PATCH_TYPES.strategic, { metadata }],
              ['PATCH', PATCH_TYPES.apply, draft],
              ['DELETE', 'application/json', undefined],
            ] as const) {
              const asked = path + query + (contentType === PATCH_TYPES.apply ? 'fieldManager=author&force=true' : '');
              const headers = { 'content-type': contentType };
              must(`${method} is refused`, await author.request(method, asked, { headers, body }), match.refusal);
            }
          }
        }
      }
      must('the object is as it was', await writer.get('doc'), match.body(live));
      must('nothing is made', await writer.get('missing'), match.status(404));
    },
  );
}

check(
  'URL-SUBRESOURCE-01.1',
  'the author reads an unknown subresource → 404',
  ['URL-SUBRESOURCE-01'],
  async ({ author }) => {
    await author.given(configMaps, named('whole'));
    const path = await author.pathOf(configMaps, 'whole', 'no-such-part');
    must('there is no such part', await author.request('GET', path), match.status(404));
  },
);

for (const [kind, part] of [
  [services, 'status'],
  [namespaces, 'status'],
  [configMaps, 'no-such-part'],
  [clusterRoles, 'no-such-part'],
] as const) {
  check(
    `URL-SUBRESOURCE-01.3/${kind.plural}`,
    `the author deletes and posts ${part} of one of ${kind.plural} → refused, and the object stays`,
    ['URL-SUBRESOURCE-01'],
    async ({ author }) => {
      const live = await author.given(kind, named('whole'));
      const path = await author.pathOf(kind, 'whole', part);
      for (const query of ['', '?dryRun=All'])
        must('it has no such verb', await author.request('DELETE', path + query), match.refusal);
      must('nor that', await author.request('POST', path, { body: live }), match.refusal);
      const stays = match.field('metadata.deletionTimestamp', match.absent);
      const uid = match.field('metadata.uid', live.metadata.uid ?? '');
      must('the object stays', await author.get(kind, 'whole'), match.status(200), stays, uid);
    },
  );
}

check(
  'URL-NAMESPACE-01.1',
  'the author reads namespaces → they are cluster-scoped objects',
  ['URL-NAMESPACE-01'],
  async ({ author }) => {
    const name = await author.namespace();
    const item = await author.request('GET', `/api/v1/namespaces/${name}`);
    const wide = match.field('metadata.namespace', match.empty);
    must('an item is at its name', item, match.status(200), match.field('kind', 'Namespace'), wide);
    const list = await author.list(namespaces, { fieldSelector: `metadata.name=${name}` });
    must('the collection holds it', list, match.status(200), match.names([name]));
  },
);

for (const path of ['/apis/no-such-group.example/v1/things', '/api/v99/configmaps', '/api/v1/no-such-type']) {
  check(`URL-UNKNOWN-01.1/${path}`, `the author asks for ${path} → 404`, ['URL-UNKNOWN-01'], async ({ author }) => {
    must('nothing is served there', await author.request('GET', path), match.status(404));
  });
}

check(
  'URL-UNKNOWN-01.2',
  'the author asks for what is almost a group, a version or a type, by every verb → 404, and nothing is done',
  ['URL-UNKNOWN-01'],
  async ({ author, dialect }) => {
    const group = groupOf(clusterRoles, dialect);
    const live = await author.given(configMaps, named('whole'));
    const own = `namespaces/${await author.namespace()}`;
    for (const path of [
      `/apis/${group}/v99/clusterroles`,
      `/apis/${group}/V1/clusterroles`,
      `/apis/${group}/v1alpha99/clusterroles`,
      `/apis/${group}/clusterroles`,
      `/apis/${group.toUpperCase()}/v1/clusterroles`,
      `/apis/${group}.example/v1/clusterroles`,
      `/apis/${group.split('.')[0]}/v1/clusterroles`,
      `/apis/${group}/v1/configmaps`,
      '/api/v1/clusterroles',
      `/api/V1/${own}/configmaps`,
      `/api/v1/${own}/ConfigMaps`,
      `/api/v1/${own}/configmap`,
    ]) {
      must('a list', await author.request('GET', path), match.status(404));
      must('one object', await author.request('GET', `${path}/whole`), match.status(404));
      for (const [method, at] of [
        ['POST', path],
        ['PUT', `${path}/whole`],
        ['DELETE', `${path}/whole`],
      ] as const) {
        const body = method === 'DELETE' ? undefined : live;
        must(`${method} finds nothing`, await author.request(method, at, { body }), match.status(404, 405));
      }
    }
    must('the object is as it was', await author.get(configMaps, 'whole'), match.body(live));
  },
);

check('GET-ITEM-01.1', 'the author gets an object → exactly that object', ['GET-ITEM-01'], async ({ author }) => {
  const live = await author.given(configMaps, named('one', { data: { a: '1' } }));
  await author.given(configMaps, named('two', { data: { a: '2' } }));
  must('it is the one that was asked for', await author.get(configMaps, 'one'), match.status(200), match.body(live));
});

/** Names that say something elsewhere: in files, in paths, in JSON and in YAML. */
const TELLING_NAMES = ['doc.json', 'doc.yaml', 'doc.pb', 'doc.status', 'watch', 'proxy', 'status', 'null', 'true', '0'];

for (const kind of [configMaps, clusterRoles] as readonly Kind[]) {
  check(
    `GET-ITEM-01.2/${kind.plural}`,
    `the author names ${kind.plural} as files, subresources and values → each is the one that is read, written and deleted by it`,
    ['GET-ITEM-01'],
    async ({ author }) => {
      const live = await author.given(kind, named('doc'));
      for (const name of TELLING_NAMES) {
        const made = await author.given(kind, { metadata: { name, labels: { by: 'post' } } });
        must('it is read', await author.get(kind, name), match.status(200), match.body(made));
        const metadata = { labels: { by: 'merge' } };
        const own = match.field('metadata.uid', made.metadata.uid ?? null);
        const patched = await author.patch(kind, name, 'merge', { metadata });
        must('it is written', patched, match.status(200), own, match.field('metadata.labels.by', 'merge'));
        must('and read again', await author.get(kind, name), match.body(objectIn(patched)));
        must('it is deleted', await author.delete(kind, name), match.success);
        must('and gone', await author.get(kind, name), match.status(404));
      }
      must('the other stays as it was', await author.get(kind, 'doc'), match.body(live));
    },
  );
}

check(
  'GET-MISSING-01.1',
  'the author gets a name that does not exist → 404',
  ['GET-MISSING-01'],
  async ({ author }) => {
    must('it is not found', await author.get(configMaps, 'missing'), match.status(404));
  },
);

check(
  'LIST-KIND-01.3',
  'the author lists more objects than a page of any server holds, without a limit → all of them',
  ['LIST-KIND-01'],
  async ({ author }) => {
    const names = Array.from({ length: 120 }, (_, at) => `one-of-many-${at}`);
    await Promise.all(names.map((name) => author.given(configMaps, { metadata: { name, labels: { many: 'yes' } } })));
    const list = await author.list(configMaps, { labelSelector: 'many=yes' });
    must('all are there', list, match.status(200), match.names(match.sameItems(names)));
    must('and none is left', list, match.field('metadata.continue', match.empty));
  },
);

check(
  'LIST-KIND-01.2',
  'the author lists an empty collection → the list kind, with items that are an empty list',
  ['LIST-KIND-01'],
  async ({ author }) => {
    const list = await author.list(configMaps, { labelSelector: 'touchstone/none=such' });
    const version = match.field('metadata.resourceVersion', match.aString);
    must(
      'it is a list',
      list,
      match.status(200),
      match.field('kind', 'ConfigMapList'),
      version,
      match.field('items', []),
    );
  },
);
