import {
  type ApiObject,
  check,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  defineType,
  type JsonObject,
  type Kind,
  leases,
  match,
  must,
  named,
  namespaces,
  objectIn,
  PATCH_TYPES,
  roleBindings,
  roles,
  secrets,
  serviceAccounts,
  webhookConfigurations,
} from '../../harness/index.ts';
import { services } from '../server-side-apply-rules/services.ts';
import { deployments } from '../validatingwebhookconfiguration/otherKinds.ts';

check(
  'VERB-HTTP-01.1',
  'the author posts, gets, lists, puts, patches and deletes one object → each does its part',
  ['VERB-HTTP-01'],
  async ({ author }) => {
    const created = await author.create(configMaps, named('one', { data: { a: '1' } }));
    must('POST creates', created, match.created, match.field('data', { a: '1' }));
    must('GET reads', await author.get(configMaps, 'one'), match.status(200), match.body(objectIn(created)));
    for (const query of [{}, { watch: false, timeoutSeconds: 5 }]) {
      const list = await author.list(configMaps, { fieldSelector: 'metadata.name=one', ...query });
      must('GET lists, unless it says to watch', list, match.status(200), match.names(['one']));
    }
    const replaced = await author.update(configMaps, { ...objectIn(created), data: { b: '2' } });
    must('PUT replaces', replaced, match.status(200), match.field('data', { b: '2' }));
    const patched = await author.patch(configMaps, 'one', 'merge', { data: { c: '3' } });
    must('PATCH changes', patched, match.status(200), match.field('data', { b: '2', c: '3' }));
    must('DELETE removes', await author.delete(configMaps, 'one'), match.status(200, 202));
    must('then it is gone', await author.get(configMaps, 'one'), match.status(404));
  },
);

check(
  'VERB-HTTP-01.2',
  'the author deletes a collection → what it holds is gone',
  ['VERB-HTTP-01'],
  async ({ author }) => {
    await author.given(configMaps, { metadata: { name: 'a', labels: { mine: 'yes' } } });
    await author.given(configMaps, { metadata: { name: 'b', labels: { mine: 'yes' } } });
    must('it is taken', await author.deleteAll(configMaps, { labelSelector: 'mine=yes' }), match.status(200, 202));
    must('nothing is left', await author.list(configMaps, { labelSelector: 'mine=yes' }), match.names([]));
  },
);

check(
  'VERB-SINGLE-01.1',
  'the author posts a list of objects → refused, and none is created',
  ['VERB-SINGLE-01'],
  async ({ author }) => {
    const items = [await author.fill(configMaps, named('a')), await author.fill(configMaps, named('b'))];
    const body = { apiVersion: 'v1', kind: 'ConfigMapList', items };
    const path = await author.pathOf(configMaps);
    must('one request creates one object', await author.request('POST', path, { body }), match.refusal);
    must('none was created', await author.get(configMaps, 'a'), match.status(404));
    must('neither was the other', await author.get(configMaps, 'b'), match.status(404));
  },
);

for (const [method, contentType] of [
  ['POST', 'application/yaml'],
  ['PUT', 'application/yaml'],
  ['PATCH', 'application/apply-patch+yaml'],
] as const) {
  check(
    `VERB-SINGLE-03.1/${method}`,
    `the author sends ${method} with two YAML documents → refused, and nothing of them is done`,
    ['VERB-SINGLE-03'],
    async ({ author }) => {
      const live = await author.given(configMaps, named('one'));
      const document = (name: string) =>
        `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  written: "yes"\n`;
      const name = method === 'POST' ? 'first' : 'one';
      const path = `${await author.pathOf(configMaps, method === 'POST' ? undefined : 'one')}?fieldManager=author`;
      const body = `${document(name)}---\n${document('second')}`;
      const answer = await author.request(method, path, { headers: { 'content-type': contentType }, body });
      must('one request is about one object', answer, match.refusal);
      must('nothing changed', await author.get(configMaps, 'one'), match.body(live));
      for (const made of ['first', 'second']) {
        must(`no ${made} was made`, await author.get(configMaps, made), match.status(404));
      }
    },
  );
}

check(
  'VERB-SINGLE-03.2',
  'the author deletes with two YAML documents of options → refused, and nothing is deleted',
  ['VERB-SINGLE-03'],
  async ({ author }) => {
    await author.given(configMaps, named('one'));
    const options = 'apiVersion: v1\nkind: DeleteOptions\n';
    const headers = { 'content-type': 'application/yaml' };
    const body = `${options}---\n${options}dryRun: [All]\n`;
    const answer = await author.request('DELETE', await author.pathOf(configMaps, 'one'), { headers, body });
    must('one request has one body', answer, match.refusal);
    must('it is there', await author.get(configMaps, 'one'), match.status(200));
  },
);

for (const method of ['PUT', 'PATCH']) {
  check(
    `VERB-SINGLE-02.1/${method}`,
    `the author sends ${method} to a collection → refused, and nothing changes`,
    ['VERB-SINGLE-02'],
    async ({ author }) => {
      const live = await author.given(configMaps, named('one'));
      const body = { ...live, data: { a: '1' } };
      const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
      must(
        'it is for one object',
        await author.request(method, await author.pathOf(configMaps), { body, headers }),
        match.refusal,
      );
      must('nothing changed', await author.get(configMaps, 'one'), match.body(live));
    },
  );
}

check(
  'VERB-SINGLE-02.2',
  'the author posts to the path of an object → refused, and nothing changes',
  ['VERB-SINGLE-02'],
  async ({ author }) => {
    const live = await author.given(configMaps, named('one'));
    const body = { ...live, data: { a: '1' } };
    must(
      'it is for collections',
      await author.request('POST', await author.pathOf(configMaps, 'one'), { body }),
      match.refusal,
    );
    must('nothing changed', await author.get(configMaps, 'one'), match.body(live));
  },
);

/** Of every family and scope: objects that are there and that are not, and their subresources. */
const POSTED: readonly (readonly [Kind, parts: readonly string[]])[] = [
  [configMaps, []],
  [secrets, []],
  [serviceAccounts, []],
  [leases, []],
  [roles, []],
  [roleBindings, []],
  [clusterRoles, []],
  [clusterRoleBindings, []],
  [webhookConfigurations, []],
  [customResourceDefinitions, ['status']],
  [namespaces, ['status', 'finalize']],
  [services, ['status']],
  [deployments, ['status', 'scale']],
];

check(
  'VERB-SINGLE-02.3',
  'the author posts to objects of each type that are there or not, and to their subresources, and puts and patches collections → refused, and nothing is created or changed',
  ['VERB-SINGLE-02'],
  ['custom-types'],
  async ({ author, dialect }) => {
    const custom = await defineType(author, dialect, () => ({ type: 'object', properties: { a: { type: 'string' } } }));
    for (const [kind, parts] of [...POSTED, [custom, []] as const]) {
      // Its name says what it defines, so that it is made by defining one.
      const name = kind === customResourceDefinitions ? `${custom.plural}.${custom.group}` : 'one';
      if (kind !== customResourceDefinitions) await author.given(kind, named(name));
      const live = objectIn(await author.get(kind, name));
      const { metadata, ...content } = live as ApiObject & JsonObject;
      const labels = { ...metadata.labels, posted: 'yes' };
      const bare = { ...content, metadata: { name: metadata.name, labels } };
      const path = await author.pathOf(kind, name);
      // What a service takes below the name of an object of a custom type may be meant for the collection.
      const isRefused = kind !== custom;
      for (const [body, at] of isRefused
        ? ([
            [{ ...live, metadata: { ...metadata, labels } }, path],
            [bare, path],
            [{ ...content, metadata: { labels } }, path],
            ...parts.map((part) => [bare, `${path}/${part}`] as const),
          ] as const)
        : [])
        must(`POST is for collections, not for ${at}`, await author.request('POST', at, { body }), match.refusal);
      const collection = await author.pathOf(kind);
      const patching = (type: string, body: unknown, query = '') =>
        author.request('PATCH', collection + query, { headers: { 'content-type': type }, body: body as object });
      const change = { ...bare, metadata: { ...bare.metadata, labels } };
      for (const answer of [
        await author.request('PUT', collection, { body: { ...live, metadata: { ...metadata, labels } } }),
        await patching(PATCH_TYPES.merge, change),
        await patching(PATCH_TYPES.strategic, change),
        await patching(PATCH_TYPES.json, [{ op: 'add', path: '/metadata/labels', value: labels }]),
        await patching(PATCH_TYPES.apply, change, '?fieldManager=author&force=true'),
      ])
        must('PUT and PATCH are not for collections', answer, match.refusal);
      const now = objectIn(await author.get(kind, name));
      must('nothing changed', now.metadata.labels?.posted, match.absent);
      if (kind === customResourceDefinitions) continue;
      const missing = await author.pathOf(kind, 'missing');
      author.space.note(kind, author.space.nameOf(kind, 'missing'));
      const draft = await author.fill(kind, named('missing'));
      const { name: given, ...nameless } = draft.metadata;
      for (const [body, at, query] of isRefused
        ? ([
            [draft, missing, ''],
            [{ ...draft, metadata: nameless }, missing, ''],
            [draft, missing, '?dryRun=All'],
            [{ ...draft, metadata: { ...nameless, generateName: `${given}-` } }, missing, ''],
            ...parts.map((part) => [draft, `${missing}/${part}`, ''] as const),
          ] as const)
        : [])
        must(`nor for ${at}`, await author.request('POST', at + query, { body }), match.refusal);
      for (const type of isRefused ? ['application/yaml', 'application/apply-patch+yaml'] : [])
        must(
          `nor in ${type}`,
          await author.request('POST', `${missing}?fieldManager=author`, {
            headers: { 'content-type': type },
            body: draft,
          }),
          match.refusal,
        );
      must('nor is PUT for a collection', await author.request('PUT', collection, { body: draft }), match.refusal);
      const applied = await patching(PATCH_TYPES.apply, draft, '?fieldManager=author');
      must('nor an apply', applied, match.refusal);
      must('nothing is created', await author.get(kind, 'missing'), match.status(404));
    }
  },
);

check('VERB-PUT-01.1', 'the author puts an existing object → 200', ['VERB-PUT-01'], async ({ author }) => {
  const live = await author.given(configMaps, named('one'));
  must('it is updated', await author.update(configMaps, { ...live, data: { a: '1' } }), match.status(200));
});

check(
  'VERB-PUT-01.2',
  'the author puts a missing object → created with 201, or refused with nothing created',
  ['VERB-PUT-01'],
  async ({ author }) => {
    // The service may take a PUT for a create, type by type; both are allowed, half of either is not.
    const put = await author.update(configMaps, named('new', { data: { a: '1' } }));
    must('it is created or refused', put, match.either(match.created, match.refusal));
    const there = put.succeeded ? match.status(200) : match.status(404);
    must('what was said is so', await author.get(configMaps, 'new'), there);
  },
);
