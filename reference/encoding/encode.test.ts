import assert from 'node:assert/strict';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ApiError, expired, notFound, timeout } from '../api/status.ts';
import type { WatchEvent, WatchSink } from '../contracts/answer.ts';
import { Entry } from '../contracts/entry.ts';
import type { StreamReply, WholeReply, Wire } from '../contracts/reply.ts';
import {
  bodyOf,
  configMap,
  customEndpoint,
  testEncoder,
  testEndpoint,
  testExchange,
} from '../testing/encodingFixture.ts';

const endpoint = testEndpoint('ConfigMap');
const META = 'g=meta.k8s.io;v=v1';
const entry = configMap();
const metadata = '{"name":"c","namespace":"n","resourceVersion":"7","creationTimestamp":"2024-12-31T23:59:00Z"}';

function get(accept: string, target = '/', encoder = testEncoder()): WholeReply {
  const exchange = testExchange(accept ? { accept } : {}, target);
  return encoder.render({ kind: 'entry', code: 200, endpoint, entry }, exchange) as WholeReply;
}
function list(accept: string, target = '/'): WholeReply {
  return testEncoder().render(
    {
      kind: 'list',
      code: 200,
      endpoint,
      metadata: { resourceVersion: '9', continue: 'more', remainingItemCount: 1 },
      entries: [entry, configMap(8)],
    },
    testExchange({ accept }, target, 'list'),
  ) as WholeReply;
}

test('an object begins with kind and apiVersion and goes on in the order of its schema', () => {
  const reply = get('');
  assert.deepEqual(reply.headers, { 'content-type': 'application/json' });
  assert.equal(bodyOf(reply), `{"kind":"ConfigMap","apiVersion":"v1","metadata":${metadata},"data":{"k":"v"}}\n`);
});

test('bytes are made once for a revision and an encoding', () => {
  const encoder = testEncoder();
  assert.equal(get('', '/', encoder).body, get('application/json', '/', encoder).body);
  assert.notEqual(get('', '/', encoder).body, get('application/yaml', '/', encoder).body);
});

test('an entry is kept as its JSON where that tells all of its numbers', () => {
  const stored = (generation: unknown) =>
    new Entry('k', 1, 3, { ...entry.object, metadata: { ...entry.object.metadata, generation: generation as number } });
  const kept = [7, 2 ** 60, 2n ** 60n].map(stored);
  for (const each of kept) {
    const exchange = testExchange();
    testEncoder().render({ kind: 'entry', code: 200, endpoint, entry: each }, exchange);
  }
  const packed = kept.map((each) => each.pack(() => undefined));
  assert.deepEqual(packed, [true, true, false]);
  assert.deepEqual(
    kept.map(({ object }) => object.metadata.generation as unknown),
    [7, 2 ** 60, 2n ** 60n],
  );
});

test('a list is the same of objects, of their bytes and of their JSON alone, however large it is', async () => {
  for (const [value, many] of [
    ['v', 3],
    ['é', 3],
    ['x'.repeat(9_000), 1_100],
  ] as const) {
    const made = () =>
      Array.from({ length: many }, (_, index) => {
        const metadata = { ...entry.object.metadata, name: `c${index}` };
        return new Entry(`k${index}`, 1, 3, { ...entry.object, metadata, data: { k: value } });
      });
    const listOf = async (entries: readonly Entry[]) => {
      const answer = { kind: 'list', code: 200, endpoint, metadata: {}, entries } as const;
      return ((await testEncoder().render(answer, testExchange({}, '/', 'list'))) as WholeReply).body;
    };
    const answered = made();
    for (const each of answered)
      testEncoder().render({ kind: 'entry', code: 200, endpoint, entry: each }, testExchange());
    const bodies = [await listOf(made()), await listOf(answered)];
    for (const each of answered) assert.equal(each.pack(undefined), true);
    bodies.push(await listOf(answered));
    const [body = Buffer.of()] = bodies;
    assert.equal((JSON.parse(Buffer.from(body).toString()) as { items: unknown[] }).items.length, many);
    for (const other of bodies) assert.ok(Buffer.from(body).equals(other));
  }
});

test('items of a list leave kind and apiVersion to the list', () => {
  const read = JSON.parse(bodyOf(list(''))) as { kind: string; metadata: unknown; items: Record<string, unknown>[] };
  assert.equal(read.kind, 'ConfigMapList');
  assert.deepEqual(read.metadata, { resourceVersion: '9', continue: 'more', remainingItemCount: 1 });
  assert.deepEqual(Object.keys(read.items[0] ?? {}), ['metadata', 'data']);
});

test('types made from a definition keep kind and apiVersion in items, and sort all names', () => {
  const custom = customEndpoint();
  const object = new Entry('k', 1, 3, {
    kind: 'Widget',
    apiVersion: 'test.example.com/v1',
    metadata: { name: 'w' },
    spec: { size: 1 },
  });
  const reply = testEncoder().render(
    { kind: 'list', code: 200, endpoint: custom, metadata: { resourceVersion: '9' }, entries: [object] },
    testExchange(),
  );
  assert.equal(
    bodyOf(reply),
    '{"apiVersion":"test.example.com/v1","items":[{"apiVersion":"test.example.com/v1","kind":"Widget","metadata":{"name":"w","resourceVersion":"3"},"spec":{"size":1}}],"kind":"WidgetList","metadata":{"continue":"","resourceVersion":"9"}}\n',
  );
});

test('metadata alone: of an object, of a list, and of neither when the forms are mixed up', () => {
  const partial = `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":${metadata}}`;
  assert.equal(bodyOf(get(`application/json;as=PartialObjectMetadata;${META}`)), `${partial}\n`);
  const read = JSON.parse(bodyOf(list(`application/json;as=PartialObjectMetadataList;${META}`)));
  assert.equal(read.kind, 'PartialObjectMetadataList');
  assert.deepEqual(read.items[0], JSON.parse(partial));
  assert.throws(() => get(`application/json;as=PartialObjectMetadataList;${META}`), {
    code: 406,
    message: 'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
  });
  assert.throws(() => list(`application/json;as=PartialObjectMetadata;${META}`), {
    code: 406,
    message: 'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
  });
});

test('a table shows what includeObject asks for', () => {
  const accept = `application/json;as=Table;${META}`;
  const table = (target: string) => JSON.parse(bodyOf(list(accept, target)));
  const plain = table('/');
  assert.equal(plain.kind, 'Table');
  assert.deepEqual(plain.metadata, { resourceVersion: '9', continue: 'more', remainingItemCount: 1 });
  assert.equal(plain.columnDefinitions[0].name, 'Name');
  assert.equal(plain.rows.length, 2);
  assert.equal(plain.rows[0].cells[0], 'c');
  assert.equal(plain.rows[0].object.kind, 'PartialObjectMetadata');
  assert.equal(table('/?includeObject=None').rows[0].object, null);
  assert.equal(table('/?includeObject=Object').rows[0].object.kind, 'ConfigMap');
  assert.deepEqual(JSON.parse(bodyOf(get(accept))).metadata, { resourceVersion: '7' });
  assert.throws(() => table('/?includeObject=All'), {
    code: 400,
    message: `Unable to convert to Table as requested: includeObject: Invalid value: "All": must be 'Metadata', 'Object', 'None', or empty`,
  });
});

test('JSON is indented for those who ask, and for people with a terminal or a browser', () => {
  assert.match(bodyOf(get('', '/?pretty=true')), /^\{\n {2}"kind": "ConfigMap",\n/);
  assert.match(bodyOf(get('application/json;pretty=1')), /^\{\n/);
  const exchange = testExchange({ 'user-agent': 'curl/8.0' });
  assert.match(bodyOf(testEncoder().render({ kind: 'entry', code: 200, endpoint, entry }, exchange)), /^\{\n/);
  assert.match(bodyOf(get('', '/?pretty=0')), /^\{"/);
});

test('large answers are compressed for those who take gzip, while the gate is on', async () => {
  const large = configMap(7, { k: 'x'.repeat(200_000) });
  const answer = { kind: 'entry', code: 200, endpoint, entry: large } as const;
  const exchange = testExchange({ 'accept-encoding': 'deflate, gzip' });
  const answered = async (of: typeof answer, by = exchange, encoder = testEncoder()): Promise<WholeReply> =>
    (await encoder.compress(await encoder.render(of, by), by.request)) as WholeReply;
  const reply = await answered(answer);
  assert.equal(reply.headers['content-encoding'], 'gzip');
  assert.match(gunzipSync(reply.body).toString(), /^\{"kind":"ConfigMap"/);
  assert.equal((await answered(answer, exchange, testEncoder([]))).headers['content-encoding'], undefined);
  assert.equal((await answered({ ...answer, entry })).headers['content-encoding'], undefined);
  assert.equal((await answered(answer, testExchange())).headers['content-encoding'], undefined);
});

test('warnings become headers: quoted, cut when there are too many, left out when unfit', () => {
  const exchange = testExchange();
  exchange.warnings.add('unknown field "a\\b"');
  exchange.warnings.add('two\nlines');
  const reply = testEncoder().render({ kind: 'entry', code: 200, endpoint, entry }, exchange) as WholeReply;
  assert.deepEqual(reply.headers.warning, ['299 - "unknown field \\"a\\\\b\\""']);
  for (let i = 0; i < 30; i++) exchange.warnings.add(`${i} ${'x'.repeat(1000)}`);
  const again = testEncoder().render({ kind: 'entry', code: 200, endpoint, entry }, exchange) as WholeReply;
  const many = again.headers.warning;
  assert.equal(many?.length, 17);
  assert.equal(many?.[1]?.length, '299 - ""'.length + 256);
});

test('errors become a Status in an encoding that the client reads, JSON at worst', () => {
  const error = notFound({ group: '', resource: 'configmaps' }, 'none');
  const render = (accept: string) => testEncoder().renderError(error, testExchange({ accept }));
  const status =
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"configmaps \\"none\\" not found","reason":"NotFound","details":{"name":"none","kind":"configmaps"},"code":404}\n';
  for (const accept of ['', 'text/html', `application/json;as=Table;${META}`]) {
    assert.equal(bodyOf(render(accept)), status);
    assert.equal(render(accept).headers['content-type'], 'application/json');
  }
  assert.match(bodyOf(render('application/yaml')), /^apiVersion: v1\ncode: 404\n/);
  assert.equal(
    render('application/vnd.kubernetes.protobuf').headers['content-type'],
    'application/vnd.kubernetes.protobuf',
  );
});

test('a delay that an error suggests is a header too', () => {
  const reply = testEncoder().renderError(timeout('Too large resource version: 9, current: 1', 1), testExchange());
  assert.equal(reply.code, 504);
  assert.equal(reply.headers['retry-after'], '1');
});

test('what is no ApiError says nothing of the inside', () => {
  const reply = testEncoder().renderError(new Error('secret path /etc/x'), testExchange());
  assert.equal(reply.code, 500);
  assert.doesNotMatch(bodyOf(reply), /secret|Error:/);
  assert.equal(JSON.parse(bodyOf(reply)).reason, 'InternalError');
});

test('a request that no answer could meet is refused before anything is done', () => {
  const encoder = testEncoder();
  assert.throws(() => encoder.checkAcceptable(endpoint, testExchange({ accept: 'application/*' })), {
    code: 406,
    message: /^406: /,
  });
  assert.throws(() => encoder.checkAcceptable(customEndpoint(), testExchange({ accept: 'text/html' })), {
    code: 406,
    message: /^only the /,
  });
  encoder.checkAcceptable(customEndpoint(), testExchange({ accept: 'application/*' }));
  assert.throws(() => encoder.checkAcceptable(endpoint, testExchange({ accept: 'application/yaml' }, '/', 'watch')), {
    code: 406,
  });
});

test('errors come in CBOR once a request has reached its endpoint, and not before', () => {
  const encoder = testEncoder(['CBORServingAndStorage']);
  const exchange = testExchange({ accept: 'application/cbor' });
  const error = notFound({ group: '', resource: 'configmaps' }, 'none');
  assert.equal(encoder.renderError(error, exchange).headers['content-type'], 'application/json');
  encoder.checkAcceptable(endpoint, exchange);
  assert.equal(encoder.renderError(error, exchange).headers['content-type'], 'application/cbor');
});

class Collected implements Wire {
  readonly frames: Buffer[] = [];
  ended = false;
  readonly pending = 0;
  readonly whenReady = undefined;
  write(frame: Uint8Array): boolean {
    this.frames.push(Buffer.from(frame));
    return true;
  }
  end(): void {
    this.ended = true;
  }
}

function watch(
  events: readonly WatchEvent[],
  accept: string,
  kind = 'ConfigMap',
  gates: string[] = [],
): { wire: Collected; reply: StreamReply } {
  const open = (sink: WatchSink) => {
    for (const event of events) sink.event(event);
    sink.end();
    return { close: () => undefined };
  };
  const answer = { kind: 'watch', endpoint: testEndpoint(kind), open } as const;
  const reply = testEncoder(gates).render(answer, testExchange({ accept }, '/', 'watch')) as StreamReply;
  const wire = new Collected();
  reply.start(wire).stop();
  return { wire, reply };
}

test('a watch is a line an event, with bookmarks that carry nothing but how far it came', () => {
  const { wire, reply } = watch(
    [
      { type: 'ADDED', entry },
      { type: 'BOOKMARK', revision: 12, initialEventsEnd: true },
      { type: 'ERROR', error: expired('too old resource version: 1 (9)') },
    ],
    '',
  );
  assert.equal(reply.headers['content-type'], 'application/json');
  assert.deepEqual(wire.frames.map(String), [
    `{"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":${metadata},"data":{"k":"v"}}}\n`,
    '{"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"12","annotations":{"k8s.io/initial-events-end":"true"}}}}\n',
    '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 1 (9)","reason":"Expired","code":410}}\n',
  ]);
  assert.equal(wire.ended, true);
});

test('a bookmark shows the plain fields of its kind empty', () => {
  const { wire } = watch([{ type: 'BOOKMARK', revision: 3, initialEventsEnd: false }], '', 'ClusterRoleBinding');
  assert.deepEqual(JSON.parse(String(wire.frames[0])).object, {
    kind: 'ClusterRoleBinding',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    metadata: { resourceVersion: '3' },
    roleRef: { apiGroup: '', kind: '', name: '' },
  });
});

test('in a watch of tables only the first event states the columns', () => {
  const { wire } = watch(
    [
      { type: 'ADDED', entry },
      { type: 'MODIFIED', entry: configMap(8) },
    ],
    `application/json;as=Table;${META}`,
  );
  const events = wire.frames.map((frame) => JSON.parse(String(frame)));
  assert.equal(events[0].object.columnDefinitions[0].name, 'Name');
  assert.equal(events[1].object.columnDefinitions, null);
  assert.deepEqual(events[1].object.metadata, { resourceVersion: '8' });
});

test('binary watches name their framing', () => {
  const events: WatchEvent[] = [{ type: 'ADDED', entry }];
  const protobuf = watch(events, 'application/vnd.kubernetes.protobuf');
  assert.equal(protobuf.reply.headers['content-type'], 'application/vnd.kubernetes.protobuf;stream=watch');
  assert.equal(protobuf.wire.frames[0]?.readUInt32BE(), (protobuf.wire.frames[0]?.length ?? 0) - 4);
  const cbor = watch(events, 'application/cbor', 'ConfigMap', ['CBORServingAndStorage']);
  assert.equal(cbor.reply.headers['content-type'], 'application/cbor-seq');
  assert.equal(cbor.wire.frames[0]?.subarray(0, 4).toString('hex'), 'd9d9f7a2');
});

test('an ApiError keeps its continue token', () => {
  const error = new ApiError(410, 'Expired', 'gone', undefined, 'token');
  assert.deepEqual(JSON.parse(bodyOf(testEncoder().renderError(error, testExchange()))).metadata, {
    continue: 'token',
  });
});
