import protobuf from 'protobufjs';
import { isRecord, type Json } from '../json.ts';

/** The bytes that every Protobuf body begins with (1/media-types-and-negotiation/3). */
export const MAGIC = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

type Fields = Readonly<Record<string, { readonly id: number; readonly type: string; readonly rule?: 'repeated' }>>;
const one = (id: number, type = 'string') => ({ id, type });
const many = (id: number, type = 'string') => ({ id, type, rule: 'repeated' as const });
const texts = (id: number) => ({ id, keyType: 'string', type: 'string' });

/**
 * The messages that checks read and write, written down here by field number so that a server's own tables are
 * not judged by themselves.
 */
const MESSAGES: Readonly<Record<string, Fields>> = {
  TypeMeta: { apiVersion: one(1), kind: one(2) },
  Unknown: { typeMeta: one(1, 'TypeMeta'), raw: one(2, 'bytes'), contentEncoding: one(3), contentType: one(4) },
  Time: { seconds: one(1, 'int64'), nanos: one(2, 'int32') },
  FieldsV1: { raw: one(1, 'bytes') },
  ManagedFieldsEntry: {
    manager: one(1),
    operation: one(2),
    apiVersion: one(3),
    time: one(4, 'Time'),
    fieldsType: one(6),
    fieldsV1: one(7, 'FieldsV1'),
    subresource: one(8),
  },
  ObjectMeta: {
    name: one(1),
    generateName: one(2),
    namespace: one(3),
    selfLink: one(4),
    uid: one(5),
    resourceVersion: one(6),
    generation: one(7, 'int64'),
    creationTimestamp: one(8, 'Time'),
    deletionTimestamp: one(9, 'Time'),
    labels: texts(11),
    annotations: texts(12),
    finalizers: many(14),
    managedFields: many(17, 'ManagedFieldsEntry'),
  },
  ListMeta: { selfLink: one(1), resourceVersion: one(2), continue: one(3), remainingItemCount: one(4, 'int64') },
  ConfigMap: { metadata: one(1, 'ObjectMeta'), data: texts(2) },
  ConfigMapList: { metadata: one(1, 'ListMeta'), items: many(2, 'ConfigMap') },
  PolicyRule: {
    verbs: many(1),
    apiGroups: many(2),
    resources: many(3),
    resourceNames: many(4),
    nonResourceURLs: many(5),
  },
  Role: { metadata: one(1, 'ObjectMeta'), rules: many(2, 'PolicyRule') },
  SelfSubjectReview: { metadata: one(1, 'ObjectMeta'), status: one(2, 'SelfSubjectReviewStatus') },
  SelfSubjectReviewStatus: { userInfo: one(1, 'UserInfo') },
  UserInfo: { username: one(1), uid: one(2), groups: many(3), extra: { ...texts(4), type: 'ExtraValue' } },
  ExtraValue: { items: many(1) },
  TokenReview: {
    metadata: one(1, 'ObjectMeta'),
    spec: one(2, 'TokenReviewSpec'),
    status: one(3, 'TokenReviewStatus'),
  },
  TokenReviewSpec: { token: one(1), audiences: many(2) },
  TokenReviewStatus: { authenticated: one(1, 'bool'), user: one(2, 'UserInfo'), error: one(3), audiences: many(4) },
  ResourceAttributes: { namespace: one(1), verb: one(2), group: one(3), resource: one(5), name: one(7) },
  SubjectAccessReviewSpec: { resourceAttributes: one(1, 'ResourceAttributes'), user: one(3), groups: many(4) },
  // What it answers is left out.
  SubjectAccessReview: { metadata: one(1, 'ObjectMeta'), spec: one(2, 'SubjectAccessReviewSpec') },
  LocalSubjectAccessReview: { metadata: one(1, 'ObjectMeta'), spec: one(2, 'SubjectAccessReviewSpec') },
  RoleList: { metadata: one(1, 'ListMeta'), items: many(2, 'Role') },
  ClusterRole: { metadata: one(1, 'ObjectMeta'), rules: many(2, 'PolicyRule') },
  ClusterRoleList: { metadata: one(1, 'ListMeta'), items: many(2, 'ClusterRole') },
  Subject: { kind: one(1), apiGroup: one(2), name: one(3), namespace: one(4) },
  RoleRef: { apiGroup: one(1), kind: one(2), name: one(3) },
  ClusterRoleBinding: {
    metadata: one(1, 'ObjectMeta'),
    subjects: many(2, 'Subject'),
    roleRef: one(3, 'RoleRef'),
  },
  RoleBinding: { metadata: one(1, 'ObjectMeta'), subjects: many(2, 'Subject'), roleRef: one(3, 'RoleRef') },
  RoleBindingList: { metadata: one(1, 'ListMeta'), items: many(2, 'RoleBinding') },
  Namespace: { metadata: one(1, 'ObjectMeta'), status: one(3, 'NamespaceStatus') },
  NamespaceStatus: { phase: one(1), conditions: many(2, 'NamespaceCondition') },
  NamespaceCondition: { type: one(1), status: one(2), reason: one(5), message: one(6) },
  Scale: { metadata: one(1, 'ObjectMeta'), spec: one(2, 'ScaleSpec') },
  ScaleSpec: { replicas: one(1, 'int32') },
  DeleteOptions: { propagationPolicy: one(4), dryRun: many(5) },
  LeaseSpec: { holderIdentity: one(1), leaseDurationSeconds: one(2, 'int32'), leaseTransitions: one(5, 'int32') },
  Lease: { metadata: one(1, 'ObjectMeta'), spec: one(2, 'LeaseSpec') },
  LeaseList: { metadata: one(1, 'ListMeta'), items: many(2, 'Lease') },
  ClusterRoleBindingList: { metadata: one(1, 'ListMeta'), items: many(2, 'ClusterRoleBinding') },
  // What webhooks hold is left out.
  ValidatingWebhookConfiguration: { metadata: one(1, 'ObjectMeta') },
  ValidatingWebhookConfigurationList: {
    metadata: one(1, 'ListMeta'),
    items: many(2, 'ValidatingWebhookConfiguration'),
  },
};
const root = protobuf.Root.fromJSON({
  nested: Object.fromEntries(Object.entries(MESSAGES).map(([name, fields]) => [name, { fields }])),
});

export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
  readonly contentEncoding: string;
  readonly contentType: string;
}

/** The envelope of a body; `undefined` where it does not begin with the magic or is no such message. */
export function envelopeIn(bytes: Uint8Array): Envelope | undefined {
  if (!MAGIC.every((byte, at) => bytes[at] === byte)) return undefined;
  const whole = decode('Unknown', bytes.subarray(MAGIC.length));
  if (!whole || !(whole.raw instanceof Uint8Array)) return undefined;
  const meta = isRecord(whole.typeMeta) ? whole.typeMeta : {};
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    apiVersion: text(meta.apiVersion),
    kind: text(meta.kind),
    raw: whole.raw,
    contentEncoding: text(whole.contentEncoding),
    contentType: text(whole.contentType),
  };
}

/**
 * The object or list in an enveloped body, in the form its JSON would have: what is not set is left out, instants
 * are text, items carry no kind. `undefined` where the body cannot be read as the kind that it names.
 */
export function objectInProtobuf(bytes: Uint8Array): Record<string, unknown> | undefined {
  const envelope = envelopeIn(bytes);
  const message = envelope && Object.hasOwn(MESSAGES, envelope.kind) && decode(envelope.kind, envelope.raw);
  if (!message) return undefined;
  return { apiVersion: envelope.apiVersion, kind: envelope.kind, ...(asJson(message) as Record<string, unknown>) };
}

/**
 * A value as Protobuf can say it: it has no empty lists and no null, and instants are seconds, whose text in JSON may
 * be in another zone.
 */
export function asProtobufHas(value: unknown): Json {
  if (Array.isArray(value)) return value.map(asProtobufHas);
  if (typeof value === 'string' && INSTANT.test(value)) {
    const instant = Date.parse(value);
    // What merely looks like an instant, of a thirteenth month, stays as it is.
    return Number.isNaN(instant) ? value : textOfSeconds(Math.floor(instant / 1000));
  }
  if (!isRecord(value)) return value as Json;
  const said = Object.entries(value).map(([name, inner]) => [name, asProtobufHas(inner)] as const);
  return Object.fromEntries(
    said.filter(([, inner]) => inner !== null && !(Array.isArray(inner) && inner.length === 0)),
  );
}
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const textOfSeconds = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

/** An object of one of the kinds above as an enveloped body. */
export function protobufBody(apiVersion: string, kind: string, object: Readonly<Record<string, unknown>>): Uint8Array {
  const raw = root.lookupType(kind).encode(root.lookupType(kind).fromObject(object)).finish();
  const envelope = { typeMeta: { apiVersion, kind }, raw };
  return Buffer.concat([MAGIC, root.lookupType('Unknown').encode(envelope).finish()]);
}

function decode(type: string, bytes: Uint8Array): Record<string, unknown> | undefined {
  const message = root.lookupType(type);
  try {
    return message.toObject(message.decode(bytes), { longs: Number }) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Members whose keys belong to users: an empty text in them is a value. */
const MAPS: ReadonlySet<string> = new Set(['data', 'labels', 'annotations']);

/** Bytes of owned fields are JSON, times have seconds; empty values mean "not set". */
function asJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJson);
  if (!isRecord(value)) return value;
  if (value.raw instanceof Uint8Array) return JSON.parse(Buffer.from(value.raw).toString('utf8'));
  if (typeof value.seconds === 'number') {
    return textOfSeconds(value.seconds);
  }
  const members = Object.entries(value).map(([name, member]) => {
    return [name, MAPS.has(name) ? member : asJson(member)] as const;
  });
  return Object.fromEntries(members.filter(([, member]) => !isUnset(member)));
}
function isUnset(value: unknown): boolean {
  return value === '' || value === 0 || (isRecord(value) && Object.keys(value).length === 0);
}
