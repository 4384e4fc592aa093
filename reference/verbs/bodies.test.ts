import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writingFixture } from '../testing/writingFixture.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** What a request may be about: an object that is there, and where it lies. */
const TYPES = [
  ['a built-in type', CONFIG_MAPS, 'v1', 'ConfigMap'],
  ['a custom type', '/apis/example.com/v1/namespaces/default/things', 'example.com/v1', 'Thing'],
] as const;

async function serving(follow: 'spec' | 'service', [, collection, apiVersion, kind]: (typeof TYPES)[number]) {
  const fixture = await writingFixture({ follow });
  if (collection !== CONFIG_MAPS) {
    const made = await fixture.send('POST', DEFINITIONS, {
      body: {
        metadata: { name: 'things.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Namespaced',
          names: { plural: 'things', kind: 'Thing' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            },
          ],
        },
      },
    });
    assert.equal(made.status, 201);
    while (!fixture.services.registry.type('example.com', 'things')) await new Promise((done) => setImmediate(done));
  }
  const made = await fixture.send('POST', collection, { body: { apiVersion, kind, metadata: { name: 'one' } } });
  assert.equal(made.status, 201);
  return {
    ...fixture,
    document: (name: string) => `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n`,
  };
}

/** Requests that are read as YAML: how they are sent, and what a body of one document is answered. */
const YAML = [
  ['POST', '', 'application/yaml', 'two', 201],
  ['PUT', '/one', 'application/yaml', 'one', 200],
  ['PATCH', '/one?fieldManager=a', 'application/apply-patch+yaml', 'one', 200],
  ['PATCH', '/two?fieldManager=a', 'application/apply-patch+yaml', 'two', 201],
] as const;
/** What may stand behind the first document without being a second one, and what may not. */
const NOTHING = ['', '---\n', '...\n', '---\n# a remark\n', '---\n---\n'];
const MORE = ['---\na: 1\n', '---\n---\n- 1\n', '---\nx\n', '---\n{}\n', '--- # two\napiVersion: v1\n'];

for (const type of TYPES) {
  const [what, collection] = type;
  for (const [method, path, contentType, name, code] of YAML) {
    test(`${what}: ${method} ${path} takes one YAML document, and the first of several where the service is followed`, async () => {
      for (const follow of ['spec', 'service'] as const) {
        for (const behind of [...NOTHING, ...MORE]) {
          const { send, document, store } = await serving(follow, type);
          const before = store.revision();
          const heard = await send(method, collection + path, {
            headers: { 'content-type': contentType },
            body: document(name) + behind,
          });
          const refused = follow === 'spec' && MORE.includes(behind);
          // A custom object is replaced by one that names its version only.
          const taken = method === 'PUT' && what !== 'a built-in type' ? 422 : code;
          assert.equal(heard.status, refused ? 400 : taken, `${follow} ${JSON.stringify(behind)}`);
          if (refused) assert.equal(store.revision(), before);
        }
      }
    });
  }
  test(`${what}: DELETE takes one YAML document of options`, async () => {
    for (const follow of ['spec', 'service'] as const) {
      for (const behind of [...NOTHING, ...MORE]) {
        const { send } = await serving(follow, type);
        const body = `kind: DeleteOptions\napiVersion: v1\n${behind}`;
        const headers = { 'content-type': 'application/yaml' };
        const refused = follow === 'spec' && MORE.includes(behind);
        assert.equal((await send('DELETE', `${collection}/one`, { headers, body })).status, refused ? 400 : 200);
        assert.equal((await send('GET', `${collection}/one`)).status, refused ? 200 : 404);
      }
    }
  });

  for (const [kind, spec, service] of [
    ['json-patch', 400, 200],
    ['merge-patch', 400, 400],
  ] as const) {
    test(`${what}: null is no ${kind}`, async () => {
      for (const [follow, code] of [
        ['spec', spec],
        ['service', service],
      ] as const) {
        const { send, store } = await serving(follow, type);
        const before = store.revision();
        for (const body of ['null', ' null\n']) {
          const headers = { 'content-type': `application/${kind}+json` };
          assert.equal((await send('PATCH', `${collection}/one`, { headers, body })).status, code);
        }
        assert.equal(store.revision(), before);
      }
    });
  }
  test(`${what}: a test of what is absent fails, for null only where the text is followed`, async () => {
    for (const [path, value, spec, service] of [
      ['/none', null, 422, 200],
      ['/metadata/none', null, 422, 200],
      ['/none', 1, 422, 422],
      ['/none/deeper', null, 422, 422],
      ['/metadata/finalizers/0', null, 422, 422],
      ['/metadata/name', null, 422, 422],
      ['/metadata/name', 'one', 200, 200],
    ] as const) {
      for (const follow of ['spec', 'service'] as const) {
        const { send } = await serving(follow, type);
        const heard = await send('PATCH', `${collection}/one`, {
          headers: { 'content-type': 'application/json-patch+json' },
          body: [{ op: 'test', path, value }],
        });
        assert.equal(heard.status, follow === 'spec' ? spec : service, `${follow} ${path} ${value}`);
      }
    }
  });
}
