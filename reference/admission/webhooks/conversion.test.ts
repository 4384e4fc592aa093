import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { isObject, type Json, type JsonObject } from '../../api/json.ts';
import { type HookFixture, hookFixture } from '../../testing/webhookFixture.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const WIDGETS = '/apis/example.com/v2/namespaces/default/widgets';
let fixture: HookFixture;

/** v1 has `spec.text`, v2 the same under `spec.words`. */
function converted(object: Json, apiVersion: string): Json {
  if (!isObject(object)) return object;
  const { text, words, ...rest } = isObject(object.spec) ? object.spec : {};
  const name = apiVersion.endsWith('v1') ? 'text' : 'words';
  return { ...object, apiVersion, spec: { ...rest, [name]: text ?? words ?? null } };
}

beforeEach(async () => {
  fixture = await hookFixture();
  const { hooks } = fixture;
  hooks.scripts.set('convert', (request) => {
    const { uid = null, objects, desiredAPIVersion } = request;
    const convertedObjects = (objects as Json[]).map((one) => converted(one, String(desiredAPIVersion)));
    return { envelope: { response: { uid, convertedObjects, result: { status: 'Success' } } } };
  });
  const version = (name: string, field: string, storage: boolean): JsonObject => ({
    name,
    served: true,
    storage,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: { spec: { type: 'object', properties: { [field]: { type: 'string' } } } },
      },
    },
  });
  const clientConfig = { url: `${hooks.url}/convert`, caBundle: Buffer.from(hooks.ca).toString('base64') };
  const body = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget', singular: 'widget', listKind: 'WidgetList' },
      versions: [version('v1', 'text', true), version('v2', 'words', false)],
      conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } },
    },
  };
  const made = await fixture.send('POST', DEFINITIONS, { body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  await fixture.controllers.idle();
});
afterEach(() => fixture.close());

const rules = [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['*'], resources: ['widgets'] }];
const widget = (words: string): JsonObject => ({
  apiVersion: 'example.com/v2',
  kind: 'Widget',
  metadata: { name: 'w' },
  spec: { words },
});

test('a hook sees a custom object in the version of its rule, as the conversion webhook makes it', async () => {
  await fixture.configure('Validating', 'v', [{ path: 'judge', rules }]);
  assert.equal((await fixture.send('POST', WIDGETS, { body: widget('hello') })).status, 201);
  const asked = fixture.hooks.asked.find(({ hook }) => hook === 'judge')?.request;
  const object = asked?.object as JsonObject;
  assert.deepEqual([object.apiVersion, object.spec], ['example.com/v1', { text: 'hello' }]);
});

test('what a hook changes in that version is brought back by the conversion webhook', async () => {
  const patch = Buffer.from(JSON.stringify([{ op: 'replace', path: '/spec/text', value: 'changed' }])).toString(
    'base64',
  );
  fixture.hooks.scripts.set('change', { response: { patch, patchType: 'JSONPatch' } });
  await fixture.configure('Mutating', 'm', [{ path: 'change', rules }]);
  const { status, body } = await fixture.send('POST', WIDGETS, { body: widget('hello') });
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual([body.apiVersion, body.spec], ['example.com/v2', { words: 'changed' }]);
});

test('a hook is not asked about what cannot be converted for it, and the write fails', async () => {
  await fixture.configure('Validating', 'v', [{ path: 'judge', rules }]);
  fixture.hooks.scripts.set('convert', (request) => ({
    envelope: { response: { uid: request.uid ?? null, result: { status: 'Failure', message: 'no' } } },
  }));
  const { status, body } = await fixture.send('POST', WIDGETS, { body: widget('hello') });
  assert.equal(status, 500);
  assert.match(String(body.message), /conversion webhook for example\.com\/v2, Kind=Widget failed: no/);
  assert.equal(
    fixture.hooks.asked.some(({ hook }) => hook === 'judge'),
    false,
  );
});
