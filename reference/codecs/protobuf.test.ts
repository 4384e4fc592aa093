import assert from 'node:assert/strict';
import test from 'node:test';
import protobuf from 'protobufjs';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { type Json, type JsonObject, MAX_DEPTH } from '../api/json.ts';
import { testSchema } from '../testing/encodingFixture.ts';
import { encodeDocument } from './document.ts';
import { unwrap, watchFrame, wrap } from './protobufEnvelope.ts';
import { decodeMessage, ProtobufError } from './protobufRead.ts';
import { encodeMessage } from './protobufWrite.ts';

/** Written down from the published field numbers, by hand, so that the encoder is not its own witness. */
const descriptor = protobuf.parse(`
syntax = "proto2";
message Unknown { optional TypeMeta typeMeta = 1; optional bytes raw = 2; optional string contentEncoding = 3; optional string contentType = 4; }
message TypeMeta { optional string apiVersion = 1; optional string kind = 2; }
message Time { optional int64 seconds = 1; optional int32 nanos = 2; }
message FieldsV1 { optional bytes Raw = 1; }
message Quantity { optional string string = 1; }
message IntOrString { optional int64 type = 1; optional int32 intVal = 2; optional string strVal = 3; }
message ManagedFieldsEntry { optional string manager = 1; optional string operation = 2; optional string apiVersion = 3; optional Time time = 4; optional string fieldsType = 6; optional FieldsV1 fieldsV1 = 7; optional string subresource = 8; }
message OwnerReference { optional string kind = 1; optional string name = 3; optional string uid = 4; optional string apiVersion = 5; optional bool controller = 6; optional bool blockOwnerDeletion = 7; }
message ObjectMeta { optional string name = 1; optional string generateName = 2; optional string namespace = 3; optional string selfLink = 4; optional string uid = 5; optional string resourceVersion = 6; optional int64 generation = 7; optional Time creationTimestamp = 8; optional Time deletionTimestamp = 9; optional int64 deletionGracePeriodSeconds = 10; map<string, string> labels = 11; map<string, string> annotations = 12; repeated OwnerReference ownerReferences = 13; repeated string finalizers = 14; repeated ManagedFieldsEntry managedFields = 17; }
message Secret { optional ObjectMeta metadata = 1; map<string, bytes> data = 2; optional string type = 3; map<string, string> stringData = 4; optional bool immutable = 5; }
message ServicePort { optional string name = 1; optional string protocol = 2; optional int32 port = 3; optional IntOrString targetPort = 4; optional int32 nodePort = 5; optional string appProtocol = 6; }
message ServiceSpec { repeated ServicePort ports = 1; map<string, string> selector = 2; optional string clusterIP = 3; optional string type = 4; }
message Service { optional ObjectMeta metadata = 1; optional ServiceSpec spec = 2; }
message LimitRangeItem { optional string type = 1; map<string, Quantity> max = 2; }
message LimitRangeSpec { repeated LimitRangeItem limits = 1; }
message LimitRange { optional ObjectMeta metadata = 1; optional LimitRangeSpec spec = 2; }
message ConfigMapVolumeSource { optional LocalObjectReference localObjectReference = 1; optional int32 defaultMode = 3; }
message LocalObjectReference { optional string name = 1; }
message VolumeSource { optional ConfigMapVolumeSource configMap = 19; }
message Volume { optional string name = 1; optional VolumeSource volumeSource = 2; }
message Container { optional string name = 1; optional string image = 2; }
message PodSpec { repeated Volume volumes = 1; repeated Container containers = 2; optional int64 terminationGracePeriodSeconds = 4; }
message Pod { optional ObjectMeta metadata = 1; optional PodSpec spec = 2; }
message LeaseSpec { optional string holderIdentity = 1; optional int32 leaseDurationSeconds = 2; optional Time acquireTime = 3; }
message Lease { optional ObjectMeta metadata = 1; optional LeaseSpec spec = 2; }
message WatchEvent { optional string type = 1; optional RawExtension object = 2; }
message RawExtension { optional bytes raw = 1; }
message UserInfo { optional string username = 1; map<string, ExtraValue> extra = 4; }
message ExtraValue { repeated string items = 1; }
message SubjectAccessReviewSpec { optional string user = 3; map<string, ExtraValue> extra = 5; }
message SubjectAccessReview { optional ObjectMeta metadata = 1; optional SubjectAccessReviewSpec spec = 2; }
`).root;

function witness(type: string, kind: string, object: JsonObject): Record<string, unknown> {
  const message = descriptor.lookupType(type);
  const bytes = encodeMessage(testSchema(kind), object);
  return message.toObject(message.decode(bytes), { longs: Number, bytes: String }) as Record<string, unknown>;
}

const metadata: JsonObject = {
  name: 'x',
  labels: { b: '2', a: '1' },
  creationTimestamp: '2024-12-31T23:59:00Z',
  ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u', controller: true }],
  finalizers: ['f/1', 'f/2'],
  managedFields: [{ manager: 'm', time: '2024-12-31T23:59:00Z', fieldsV1: { 'f:data': {} } }],
};

test('a foreign descriptor reads metadata, bytes and maps, and finds the empty plain fields', () => {
  const read = witness('Secret', 'Secret', { metadata, data: { k: 'AQID' }, type: 'Opaque' });
  assert.deepEqual(read, {
    metadata: {
      name: 'x',
      generateName: '',
      namespace: '',
      selfLink: '',
      uid: '',
      resourceVersion: '',
      generation: 0,
      creationTimestamp: { seconds: 1735689540, nanos: 0 },
      labels: { a: '1', b: '2' },
      ownerReferences: [{ kind: 'Pod', name: 'p', uid: 'u', apiVersion: 'v1', controller: true }],
      finalizers: ['f/1', 'f/2'],
      managedFields: [
        {
          manager: 'm',
          operation: '',
          apiVersion: '',
          time: { seconds: 1735689540, nanos: 0 },
          fieldsType: '',
          fieldsV1: { Raw: Buffer.from('{"f:data":{}}').toString('base64') },
          subresource: '',
        },
      ],
    },
    data: { k: 'AQID' },
    type: 'Opaque',
  });
});

test('numbers that may be text, quantities, fractions of seconds and nested sources stand where they should', () => {
  const service = witness('Service', 'Service', {
    metadata: {},
    spec: {
      ports: [
        { port: 80, targetPort: 'web' },
        { port: 81, targetPort: 8081 },
      ],
    },
  }) as { spec: { ports: { targetPort: unknown; nodePort: number }[] } };
  assert.deepEqual(service.spec.ports[0]?.targetPort, { type: 1, intVal: 0, strVal: 'web' });
  assert.deepEqual(service.spec.ports[1]?.targetPort, { type: 0, intVal: 8081, strVal: '' });
  assert.equal(service.spec.ports[0]?.nodePort, 0);
  const range = witness('LimitRange', 'LimitRange', { spec: { limits: [{ type: 'Pod', max: { cpu: '500m' } }] } });
  assert.deepEqual((range.spec as JsonObject).limits, [{ type: 'Pod', max: { cpu: { string: '500m' } } }]);
  const lease = witness('Lease', 'Lease', { spec: { holderIdentity: '', acquireTime: '2025-01-01T00:00:00.123456Z' } });
  assert.deepEqual(lease.spec, { holderIdentity: '', acquireTime: { seconds: 1735689600, nanos: 123456000 } });
  const pod = witness('Pod', 'Pod', {
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'v', configMap: { name: 'cm', defaultMode: 420 } }],
    },
  }) as { spec: JsonObject };
  assert.deepEqual(pod.spec.volumes, [
    { name: 'v', volumeSource: { configMap: { localObjectReference: { name: 'cm' }, defaultMode: 420 } } },
  ]);
  const review = witness('SubjectAccessReview', 'SubjectAccessReview', {
    spec: { user: 'u', extra: { s: ['a', 'b'] } },
  });
  assert.deepEqual(review.spec, { user: 'u', extra: { s: { items: ['a', 'b'] } } });
});

test('what was written is read back, and writing it again gives the same bytes', () => {
  const cases: [string, JsonObject][] = [
    ['Secret', { metadata, data: { k: 'AQID' }, type: 'Opaque', immutable: false }],
    ['Service', { metadata, spec: { ports: [{ port: 80, targetPort: 'web' }], selector: { a: 'b' } } }],
    [
      'Pod',
      {
        metadata,
        spec: {
          containers: [{ name: 'c', resources: { limits: { cpu: '1' } } }],
          volumes: [{ name: 'v', emptyDir: {} }],
        },
      },
    ],
    ['Lease', { metadata, spec: { holderIdentity: 'h', acquireTime: '2025-01-01T00:00:00.000001Z' } }],
    [
      'Deployment',
      { metadata, spec: { replicas: 0, strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } } } },
    ],
    [
      'CustomResourceDefinition',
      {
        metadata,
        spec: {
          group: 'g',
          versions: [
            {
              name: 'v1',
              schema: {
                openAPIV3Schema: {
                  type: 'object',
                  maximum: 1.5,
                  default: { a: [1] },
                  enum: [1, 'x', null],
                  additionalProperties: false,
                  properties: { p: { items: { type: 'string' } }, q: { additionalProperties: { type: 'integer' } } },
                },
              },
            },
          ],
        },
      },
    ],
    [
      'ValidatingWebhookConfiguration',
      { metadata, webhooks: [{ name: 'w', rules: [{ operations: ['*'], apiGroups: ['g'], scope: '*' }] }] },
    ],
  ];
  for (const [kind, object] of cases) {
    const bytes = encodeMessage(testSchema(kind), object);
    const read = decodeMessage(testSchema(kind), bytes);
    assert.deepEqual(encodeMessage(testSchema(kind), read), bytes, kind);
    includes(read, object, kind);
  }
});

/** Asserts that `whole` says all that `part` says; the empty plain fields come on top. */
function includes(whole: unknown, part: unknown, where: string): void {
  if (typeof part !== 'object' || part === null) assert.deepEqual(whole, part, where);
  else
    for (const [name, value] of Object.entries(part)) includes((whole as JsonObject)[name], value, `${where}.${name}`);
}

test('the envelope is read by the descriptor, and the other way round', () => {
  const type = descriptor.lookupType('Unknown');
  const whole = wrap('v1', 'Secret', Uint8Array.of(1, 2));
  assert.deepEqual([...whole.subarray(0, 4)], [0x6b, 0x38, 0x73, 0x00]);
  assert.deepEqual(type.toObject(type.decode(whole.subarray(4)), { bytes: String }), {
    typeMeta: { apiVersion: 'v1', kind: 'Secret' },
    raw: 'AQI=',
    contentEncoding: '',
    contentType: '',
  });
  assert.deepEqual({ ...unwrap(whole), raw: [1, 2] }, { apiVersion: 'v1', kind: 'Secret', raw: [1, 2] });
  const frame = Buffer.from(watchFrame('ADDED', whole));
  assert.equal(frame.readUInt32BE(), frame.length - 4);
  const event = descriptor.lookupType('WatchEvent');
  assert.deepEqual(event.toObject(event.decode(frame.subarray(4)), { bytes: String }), {
    type: 'ADDED',
    object: { raw: Buffer.from(whole).toString('base64') },
  });
});

test('a Status is written to the byte as clients have always seen it', () => {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'm',
    reason: 'NotFound',
    details: { name: 'n', kind: 'k' },
    code: 404,
  };
  const details = ['0a016e', '1200', '1a016b', '2800', '3200'].join('');
  const message = [
    '0a060a0012001a00',
    '12074661696c757265',
    '1a016d',
    '22084e6f74466f756e64',
    `2a0c${details}`,
    '309403',
  ].join('');
  const length = (message.length / 2).toString(16);
  assert.equal(
    Buffer.from(encodeDocument(status, 'protobuf', false, kubernetes)).toString('hex'),
    `6b3873000a0c0a027631120653746174757312${length}${message}1a002200`,
  );
});

test('broken bytes are refused, whatever they are', () => {
  const good = encodeMessage(testSchema('Secret'), { metadata, data: { k: 'AQID' } });
  for (let cut = 1; cut < good.length; cut++) {
    try {
      decodeMessage(testSchema('Secret'), good.subarray(0, cut));
    } catch (error) {
      assert.ok(error instanceof ProtobufError, String(error));
    }
  }
  assert.throws(() => unwrap(Buffer.from('plain')), {
    message: 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
  });
  assert.throws(() => decodeMessage(testSchema('Secret'), Uint8Array.of(0x08, 0x01)), ProtobufError);
});

test('JSON within a message is as deep as any encoding may be, what it lies in counted', () => {
  const schema = testSchema('ControllerRevision');
  const revision = (levels: number): JsonObject => {
    let data: Json = 1;
    for (let i = 0; i < levels; i++) data = [data];
    return { metadata, data, revision: 1 };
  };
  const deep = revision(MAX_DEPTH - 1);
  assert.deepEqual(decodeMessage(schema, encodeMessage(schema, deep)).data, deep.data);
  assert.throws(() => decodeMessage(schema, encodeMessage(schema, revision(MAX_DEPTH))), /exceeded max depth/);
});
