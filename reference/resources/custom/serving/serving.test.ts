import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { isObject, type Json, type JsonObject } from '../../../api/json.ts';
import {
  causesOf,
  DEFINITIONS,
  MERGE_PATCH,
  WIDGET_DEFINITION,
  widgetDefinition,
  widgetFixture,
  widgets,
  withSpec,
} from '../../../testing/widgetFixture.ts';
import { SystemClock } from '../../../time.ts';
import { createAuthority, issue } from '../../../transport/certificates.ts';

const TEXT = { type: 'string' };
const spec = (body: JsonObject): Json | undefined => body.spec;
const versions = (...list: [string, JsonObject, JsonObject?][]): JsonObject => ({
  versions: list.map(([name, schema, more = {}], index) => ({
    name,
    served: true,
    storage: index === 0,
    schema: { openAPIV3Schema: schema },
    ...more,
  })),
});

describe('custom types', () => {
  it('are served once their definition is established, and gone with it', async () => {
    const fixture = await widgetFixture(widgetDefinition(withSpec({ a: TEXT })));
    const { body } = await fixture.send('GET', WIDGET_DEFINITION);
    const { conditions, acceptedNames, storedVersions } = body.status as JsonObject;
    assert.deepEqual(
      (conditions as JsonObject[]).map(({ type, status }) => [type, status]),
      [
        ['NamesAccepted', 'True'],
        ['Established', 'True'],
      ],
    );
    assert.equal((acceptedNames as JsonObject).listKind, 'WidgetList');
    assert.deepEqual(storedVersions, ['v1']);
    await fixture.make('plain', { spec: {} });
    await fixture.send('POST', widgets(), {
      body: { metadata: { name: 'held', finalizers: ['example.com/x'] }, kind: 'Widget', apiVersion: 'example.com/v1' },
    });
    assert.equal((await fixture.send('DELETE', WIDGET_DEFINITION)).status, 200);
    await fixture.controllers.idle();
    assert.equal((await fixture.send('GET', widgets('plain'))).status, 404);
    const refused = await fixture.make('late', { spec: {} });
    assert.deepEqual(
      [refused.status, refused.body.message],
      [
        403,
        'widgets.example.com "late" is forbidden: create not allowed while custom resource definition is terminating',
      ],
    );
    await fixture.send('PATCH', widgets('held'), { headers: MERGE_PATCH, body: { metadata: { finalizers: null } } });
    await fixture.controllers.idle();
    assert.equal((await fixture.send('GET', WIDGET_DEFINITION)).status, 404);
    assert.equal(fixture.services.registry.type('example.com', 'widgets'), undefined);
  });

  it('must say what they are, in every kind of write', async () => {
    const fixture = await widgetFixture(widgetDefinition(withSpec({ a: TEXT })));
    await fixture.make('one', { spec: {} });
    const metadata = { name: 'one' };
    const [apiVersion, kind] = ['example.com/v1', 'Widget'];
    const missing = "the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in ";
    const other = (given: string) =>
      `the API version in the data (${given}) does not match the expected API version (example.com/v1)`;
    const rows: readonly (readonly [body: JsonObject, code: number, beginning: string])[] = [
      [{ apiVersion, metadata }, 400, missing],
      [{ apiVersion, kind: '', metadata }, 400, missing],
      [{ metadata }, 400, missing],
      [{ kind, metadata }, 400, other('')],
      [{ apiVersion: 'example.com/v2', kind, metadata }, 400, other('example.com/v2')],
      [{ apiVersion, kind: 'Gadget', metadata }, 422, 'Gadget.example.com "one" is invalid: kind: Invalid value: '],
    ];
    for (const [body, code, beginning] of rows) {
      for (const [method, path] of [
        ['POST', widgets()],
        ['PUT', widgets('one')],
      ] as const) {
        const refused = await fixture.send(method, path, { body });
        assert.equal(refused.status, code, `${method} ${JSON.stringify(body)}`);
        assert.ok(String(refused.body.message).startsWith(beginning), String(refused.body.message));
      }
    }
    const patched = (body: JsonObject) => fixture.send('PATCH', widgets('one'), { headers: MERGE_PATCH, body });
    for (const [body, field] of [
      [{ kind: null }, 'patch'],
      [{ kind: null, apiVersion: null }, 'patch'],
      [{ kind: 'Gadget' }, 'kind'],
      [{ apiVersion: 'example.com/v2' }, 'apiVersion'],
    ] as const) {
      const refused = await patched(body);
      assert.equal(refused.status, 422, JSON.stringify(body));
      assert.ok(causesOf(refused.body)[0]?.startsWith(`${field}: `), JSON.stringify(refused.body));
    }
  });

  it('have no subresource that their definition does not name', async () => {
    const fixture = await widgetFixture(widgetDefinition(withSpec({ a: TEXT })));
    await fixture.make('one', { spec: {} });
    for (const method of ['GET', 'PUT', 'PATCH', 'POST', 'DELETE']) {
      for (const part of ['status', 'scale', 'nothing']) {
        const { status, body } = await fixture.send(method, `${widgets('one')}/${part}`, { body: {} });
        const found = [status, body.message];
        assert.deepEqual(found, [404, 'widgets.example.com "one" not found'], `${method} ${part}`);
      }
    }
  });

  it('do not share names, until the first is gone', async () => {
    const fixture = await widgetFixture(widgetDefinition({ type: 'object' }));
    const other = widgetDefinition(
      { type: 'object' },
      {},
      { names: { plural: 'others', singular: 'other', kind: 'Widget' } },
    );
    await fixture.send('POST', DEFINITIONS, { body: { ...other, metadata: { name: 'others.example.com' } } });
    await fixture.controllers.idle();
    const status = async () =>
      (await fixture.send('GET', `${DEFINITIONS}/others.example.com`)).body.status as JsonObject;
    const [accepted] = (await status()).conditions as JsonObject[];
    assert.deepEqual(
      [accepted?.status, accepted?.reason, accepted?.message],
      ['False', 'ListKindConflict', '"WidgetList" is already in use'],
    );
    assert.equal(fixture.services.registry.type('example.com', 'others'), undefined);
    await fixture.send('DELETE', WIDGET_DEFINITION);
    await fixture.controllers.idle();
    assert.equal(((await status()).conditions as JsonObject[])[1]?.status, 'True');
    assert.equal(fixture.services.registry.type('example.com', 'others')?.kind, 'Widget');
  });

  it('read old objects by the definition of today, without a new version', async () => {
    const fixture = await widgetFixture(widgetDefinition(withSpec({ a: TEXT, b: TEXT })));
    const made = await fixture.make('w', { spec: { a: '1', b: '2' } });
    await fixture.redefine(versions(['v1', withSpec({ a: TEXT, n: { ...TEXT, default: 'new' } })]));
    const read = await fixture.send('GET', widgets('w'));
    assert.deepEqual(spec(read.body), { a: '1', n: 'new' });
    assert.deepEqual(
      (read.body.metadata as JsonObject).resourceVersion,
      (made.body.metadata as JsonObject).resourceVersion,
    );
    const list = await fixture.send('GET', widgets());
    assert.deepEqual((list.body.items as JsonObject[]).map(spec), [{ a: '1', n: 'new' }]);
  });

  it('show each version by its own schema, and lose what a poorer one writes over', async () => {
    const definition = widgetDefinition(
      {},
      {},
      versions(['v2', withSpec({ a: TEXT, b: TEXT })], ['v1', withSpec({ a: TEXT })]),
    );
    const fixture = await widgetFixture(definition);
    const made = await fixture.make('w', { spec: { a: '1', b: 'gone' } });
    assert.deepEqual(made.warnings, ['unknown field "spec.b"']);
    await fixture.send('PATCH', widgets('w', 'v2'), { headers: MERGE_PATCH, body: { spec: { b: '2' } } });
    assert.deepEqual(spec((await fixture.send('GET', widgets('w'))).body), { a: '1' });
    assert.deepEqual(spec((await fixture.send('GET', widgets('w', 'v2'))).body), { a: '1', b: '2' });
    await fixture.send('PATCH', widgets('w'), { headers: MERGE_PATCH, body: { spec: { a: '3' } } });
    const after = await fixture.send('GET', widgets('w', 'v2'));
    assert.deepEqual([after.body.apiVersion, spec(after.body)], ['example.com/v2', { a: '3' }]);
  });

  it('are judged by the version of the request', async () => {
    const narrow = withSpec({ a: { ...TEXT, maxLength: 1 } });
    const fixture = await widgetFixture(
      widgetDefinition({}, {}, versions(['v2', withSpec({ a: TEXT })], ['v1', narrow])),
    );
    assert.equal((await fixture.make('w', { spec: { a: 'long' } }, 'v2')).status, 201);
    assert.deepEqual(causesOf((await fixture.make('x', { spec: { a: 'long' } })).body), [
      'spec.a: Too long: may not be more than 1 bytes',
    ]);
  });

  it('keep a stored version, and take another one for new writes', async () => {
    const both = (storage: string) => ({
      versions: ['v1', 'v2'].map((name) => ({
        name,
        served: true,
        storage: name === storage,
        schema: { openAPIV3Schema: withSpec({ a: { ...TEXT, ...(name === 'v1' ? { default: 'one' } : {}) } }) },
      })),
    });
    const fixture = await widgetFixture(widgetDefinition({}, {}, both('v1')));
    await fixture.make('old', { spec: {} }, 'v2');
    const changed = await fixture.redefine(both('v2'));
    assert.deepEqual((changed.status as JsonObject).storedVersions, ['v1', 'v2']);
    await fixture.make('new', { spec: {} }, 'v2');
    const stored = async (name: string) =>
      (await fixture.store.get(`/example.com/widgets/default/${name}`))?.object.apiVersion;
    assert.deepEqual([await stored('old'), await stored('new')], ['example.com/v1', 'example.com/v2']);
    // Defaults of the version that an object is stored in show in every other one.
    assert.deepEqual(spec((await fixture.send('GET', widgets('old', 'v2'))).body), { a: 'one' });
    assert.deepEqual(spec((await fixture.send('GET', widgets('new', 'v2'))).body), {});
  });

  it('have a status of their own where the definition says so', async () => {
    const schema = {
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { a: TEXT } },
        status: { type: 'object', properties: { n: { type: 'integer', minimum: 1 } } },
      },
    };
    const fixture = await widgetFixture(widgetDefinition(schema, { subresources: { status: {} } }));
    const made = await fixture.make('w', { spec: { a: '1' }, status: { n: 5 } });
    assert.equal(made.body.status, undefined);
    const patch = (body: JsonObject) => fixture.send('PATCH', `${widgets('w')}/status`, { headers: MERGE_PATCH, body });
    const set = await patch({ spec: { a: 'no' }, status: { n: 2 }, metadata: { labels: { l: '1' } } });
    assert.deepEqual(
      [spec(set.body), set.body.status, (set.body.metadata as JsonObject).labels],
      [{ a: '1' }, { n: 2 }, undefined],
    );
    assert.equal((set.body.metadata as JsonObject).generation, 1);
    assert.deepEqual(causesOf((await patch({ status: { n: 0 } })).body), [
      'status.n: Invalid value: 0: n in body should be greater than or equal to 1',
    ]);
  });

  it('have a scale where the definition says so', async () => {
    const schema = withSpec({ n: { type: 'integer' } });
    const scale = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' };
    const fixture = await widgetFixture(widgetDefinition(schema, { subresources: { scale } }));
    await fixture.make('w', { spec: {} });
    const unset = await fixture.send('GET', `${widgets('w')}/scale`);
    assert.deepEqual(
      [unset.status, unset.body.message],
      [500, 'Internal error occurred: the spec replicas field ".spec.n" does not exist'],
    );
    await fixture.send('PATCH', widgets('w'), { headers: MERGE_PATCH, body: { spec: { n: 2 } } });
    const negative = { headers: MERGE_PATCH, body: { spec: { replicas: -1 } } };
    assert.deepEqual(causesOf((await fixture.send('PATCH', `${widgets('w')}/scale`, negative)).body), [
      '.spec.n: Invalid value: -1: should be a non-negative integer',
    ]);
    assert.deepEqual(spec((await fixture.send('GET', `${widgets('w')}/scale`)).body), { replicas: 2 });
  });

  it('warn of deprecated versions, with the best one to go to', async () => {
    const old: JsonObject = { deprecated: true };
    const told: JsonObject = { deprecated: true, deprecationWarning: 'go away' };
    const schema = { type: 'object' };
    const fixture = await widgetFixture(
      widgetDefinition(
        {},
        {},
        versions(
          ['v1', schema],
          ['v2', schema],
          ['v1beta1', schema, old],
          ['v1alpha1', schema, told],
          ['v3', schema, old],
        ),
      ),
    );
    const type = fixture.services.registry.type('example.com', 'widgets');
    const warning = (version: string) => type?.versions.get(version)?.deprecation?.warning;
    assert.deepEqual([...(type?.versions.keys() ?? [])], ['v3', 'v2', 'v1', 'v1beta1', 'v1alpha1']);
    assert.equal(warning('v1beta1'), 'example.com/v1beta1 Widget is deprecated; use example.com/v2 Widget');
    assert.equal(warning('v1alpha1'), 'go away');
    assert.equal(warning('v3'), 'example.com/v3 Widget is deprecated');
    assert.equal(warning('v1'), undefined);
  });
});

/** Moves `spec.host` of v1 to `spec.address.host` of v2 and back, or answers as told. */
describe('conversion by webhook', () => {
  let server: Server;
  let url = '';
  let caBundle = '';
  const asked: JsonObject[] = [];
  let answer: ((review: JsonObject) => JsonObject) | undefined;

  before(async () => {
    const now = new SystemClock().now();
    const authority = createAuthority('webhooks', now);
    const { certificate, key } = issue(
      authority,
      { commonName: 'webhook', hosts: ['127.0.0.1'], usage: 'server' },
      now,
    );
    server = createServer({ cert: certificate, key }, async (request, response) => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const review = JSON.parse(text) as JsonObject;
      asked.push(review);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify((answer ?? converted)(review)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/convert`;
    caBundle = Buffer.from(authority.pem).toString('base64');
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  function converted(review: JsonObject): JsonObject {
    const { uid, objects, desiredAPIVersion } = review.request as {
      uid: string;
      objects: JsonObject[];
      desiredAPIVersion: string;
    };
    const convertedObjects = objects.map((object) => {
      const old = (object.spec ?? {}) as JsonObject;
      const host = isObject(old.address) ? old.address.host : old.host;
      const next: JsonObject = desiredAPIVersion.endsWith('v2')
        ? { address: { host: host ?? '' } }
        : { host: host ?? '' };
      return { ...object, apiVersion: desiredAPIVersion, spec: next };
    });
    return { ...review, response: { uid, result: { status: 'Success' }, convertedObjects } } as unknown as JsonObject;
  }

  async function fixture() {
    asked.length = 0;
    answer = undefined;
    const address = { type: 'object', properties: { host: TEXT } };
    const conversion = {
      strategy: 'Webhook',
      webhook: { clientConfig: { url, caBundle }, conversionReviewVersions: ['v1'] },
    };
    return widgetFixture(
      widgetDefinition(
        {},
        {},
        { ...versions(['v2', withSpec({ address })], ['v1', withSpec({ host: TEXT })]), conversion },
      ),
    );
  }

  it('is asked where versions differ, and only there', async () => {
    const { make, send } = await fixture();
    assert.deepEqual(spec((await make('w', { spec: { host: 'a' } })).body), { host: 'a' });
    assert.ok(asked.length > 0);
    asked.length = 0;
    assert.deepEqual(spec((await send('GET', widgets('w', 'v2'))).body), { address: { host: 'a' } });
    assert.equal(asked.length, 0);
    assert.deepEqual(spec((await send('GET', widgets('w'))).body), { host: 'a' });
    await send('PATCH', widgets('w', 'v2'), { headers: MERGE_PATCH, body: { spec: { address: { host: 'b' } } } });
    const list = await send('GET', widgets());
    assert.deepEqual((list.body.items as JsonObject[]).map(spec), [{ host: 'b' }]);
  });

  const broken: readonly [string, (review: JsonObject) => JsonObject, RegExp][] = [
    [
      'says that it failed',
      (review) => ({ ...review, response: { uid: uidOf(review), result: { status: 'Failure', message: 'no way' } } }),
      /failed: no way$/,
    ],
    [
      'answers another question',
      (review) => ({ ...review, response: { uid: 'x', result: { status: 'Success' } } }),
      /failed: expected response\.uid="[^"]+", got "x"$/,
    ],
    [
      'answers another kind',
      (review) => ({ ...review, kind: 'Other', response: {} }),
      /failed: expected webhook response of apiextensions\.k8s\.io\/v1, Kind=ConversionReview, got apiextensions\.k8s\.io\/v1, Kind=Other$/,
    ],
    [
      'forgets objects',
      (review) => ({
        ...review,
        response: { uid: uidOf(review), result: { status: 'Success' }, convertedObjects: [] },
      }),
      /returned 0 objects, expected 1$/,
    ],
    [
      'renames objects',
      (review) => renamed(review),
      /returned invalid converted object at index 0: must have the same name: w != other$/,
    ],
  ];
  for (const [what, reply, wanted] of broken) {
    it(`that ${what} is a 500`, async () => {
      const { make, send } = await fixture();
      await make('w', { spec: { address: { host: 'a' } } }, 'v2');
      answer = reply;
      const { status, body } = await send('GET', widgets('w'));
      assert.equal(status, 500);
      assert.match(String(body.message), /^conversion webhook for example\.com\/v2, Kind=Widget /);
      assert.match(String(body.message), wanted);
    });
  }

  function renamed(review: JsonObject): JsonObject {
    const good = converted(review) as { response: { convertedObjects: JsonObject[] } };
    for (const object of good.response.convertedObjects)
      object.metadata = { ...(object.metadata as JsonObject), name: 'other' };
    return good as unknown as JsonObject;
  }
});

function uidOf(review: JsonObject): string {
  return String((review.request as JsonObject).uid);
}
