import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isObject, type Json, type JsonObject } from './api/json.ts';
import { type ApiObject, asApiObject } from './api/object.ts';
import type { ResourceType, TypeVersion } from './contracts/resourceType.ts';
import { objectKey } from './contracts/storeKeys.ts';
import type { MapSchema, ObjectSchema, Schema } from './schema/schema.ts';
import { type Cause, Mending } from './testing/mending.ts';
import { writingFixture } from './testing/writingFixture.ts';

/** Entries of a list or map in the smaller and the larger object. */
const FEW = 60;
const MANY = 4 * FEW;
/**
 * How much more work four times the entries may be: n log n, and not the sixteen of each with each. Some of it is spared
 * where there are few.
 */
const GROWTH = 8;
/** Steps that count as nothing. */
const NOISE = 15_000;

/** Counts what methods of lists and names of objects look at, while `work` runs. */
async function stepsOf(work: () => Promise<void>): Promise<number> {
  let steps = 0;
  const undo: (() => void)[] = [];
  const put = (holder: object, name: string, make: (own: (...given: unknown[]) => unknown) => unknown): void => {
    const before = Object.getOwnPropertyDescriptor(holder, name) as PropertyDescriptor;
    Object.defineProperty(holder, name, { ...before, value: make(before.value as () => unknown) });
    undo.push(() => Object.defineProperty(holder, name, before));
  };
  for (const name of ['some', 'every', 'find', 'findIndex', 'filter', 'map', 'flatMap', 'forEach']) {
    put(Array.prototype, name, (own) => {
      return function (this: unknown[], each: (...given: unknown[]) => unknown, self?: unknown) {
        const counted = (...given: unknown[]): unknown => {
          steps++;
          return each.apply(self, given);
        };
        return own.call(this, counted);
      };
    });
  }
  for (const name of ['includes', 'indexOf', 'slice', 'splice', 'concat', 'join', 'entries']) {
    put(Array.prototype, name, (own) => {
      return function (this: unknown[], ...given: unknown[]) {
        steps += this.length;
        return own.apply(this, given);
      };
    });
  }
  for (const name of ['keys', 'values', 'entries']) {
    put(Object, name, (own) => (...given: unknown[]) => {
      const found = own.apply(Object, given) as unknown[];
      steps += found.length;
      return found;
    });
  }
  try {
    await work();
  } finally {
    for (const one of undo) one();
  }
  return steps;
}

/** A list or map of a type, by the names of fields on the way; lists on the way have one item. */
interface Place {
  readonly steps: readonly string[];
  readonly on: readonly Schema[];
}

/** Each list and map below a schema; what several types share is met once: by name, or where it has none as the schema that it is. */
function placesIn(schema: ObjectSchema, met: Set<string | Schema>): Place[] {
  const places: Place[] = [];
  const walk = (one: Schema, steps: readonly string[], on: readonly Schema[]): void => {
    if (one.kind === 'list' || one.kind === 'map') {
      places.push({ steps, on: [...on, one] });
      const inner = one.kind === 'list' ? one.items : one.values;
      if (inner.kind !== 'scalar' && inner.kind !== 'untyped')
        walk(inner, [...steps, one.kind === 'list' ? '[]' : '{}'], [...on, one]);
    } else if (one.kind === 'object') {
      if (!one.name) {
        if (met.has(one)) return;
        met.add(one);
      }
      for (const field of one.fields.values()) {
        const name = `${one.name}.${field.name}`;
        if (one.name && met.has(name)) continue;
        met.add(name);
        walk(field.schema, [...steps, field.name], [...on, one]);
      }
    }
  };
  walk(schema, [], []);
  return places;
}

/** A value of a schema that differs from others by its number, with as few fields as tell it apart. */
function sample(schema: Schema, number: number, keys: readonly string[] = []): Json {
  if (schema.kind === 'list' || schema.kind === 'untyped') return schema.kind === 'list' ? [] : {};
  if (schema.kind === 'map') return {};
  if (schema.kind === 'object') {
    const object: JsonObject = {};
    const scalars = [...schema.fields.values()].filter((field) => field.schema.kind === 'scalar');
    const chosen = new Set([...keys, ...scalars.slice(0, 3).map((field) => field.name)]);
    for (const field of schema.fields.values()) {
      if (field.required || chosen.has(field.name)) object[field.name] = sample(field.schema, number);
    }
    return object;
  }
  switch (schema.type) {
    case 'boolean':
      return true;
    case 'int32':
    case 'int64':
    case 'double':
    case 'intOrString':
      return number + 1;
    case 'quantity':
      return `${number + 1}`;
    case 'time':
      return '2024-01-01T00:00:00Z';
    case 'microTime':
      return '2024-01-01T00:00:00.000000Z';
    case 'duration':
      return '30s';
    case 'bytes':
      return 'eA==';
    default:
      return `e${number}`;
  }
}

/** A key of a map: resources have names with a domain. */
function keyOf(map: Schema, index: number): string {
  const resource = map.kind === 'map' && map.values.kind === 'scalar' && map.values.type === 'quantity';
  return resource ? `example.com/k${index}` : `k${index}`;
}

/** The object with so many entries at a place, all of them equal or none. */
function filled(place: Place, count: number, equal: boolean): JsonObject {
  const last = place.on.at(-1) as Schema;
  const numbers = Array.from({ length: count }, (_, index) => (equal ? 0 : index));
  let value: Json =
    last.kind === 'list'
      ? numbers.map((number) => sample(last.items, number, last.keys))
      : Object.fromEntries(numbers.map((number, i) => [keyOf(last, i), sample((last as MapSchema).values, number)]));
  for (let i = place.steps.length - 1; i >= 0; i--) {
    const step = place.steps[i] as string;
    if (step === '[]') value = [value];
    else if (step === '{}') value = { k: value };
    else value = { [step]: value };
  }
  return value as JsonObject;
}

/** What objects of a kind cannot do without, where the server's own words would not lead there. */
const POD: JsonObject = { containers: [{ name: 'c', image: 'i' }] };
const TEMPLATE: JsonObject = { metadata: { labels: { a: 'b' } }, spec: POD };
const WORKLOAD: JsonObject = { spec: { selector: { matchLabels: { a: 'b' } }, template: TEMPLATE } };
const JOB: JsonObject = { template: { spec: { ...POD, restartPolicy: 'Never' } } };
const ROLE_REF: JsonObject = { apiGroup: 'rbac.authorization.k8s.io', name: 'r' };
const BACKEND: JsonObject = { service: { name: 's', port: { number: 80 } } };
const PREFIX: JsonObject = { path: '/', pathType: 'Prefix' };
const RULE: JsonObject = { apiGroups: [''], apiVersions: ['v1'], resources: ['r'], operations: ['CREATE'] };
const HOOK: JsonObject = {
  name: 'a.example.com',
  clientConfig: { url: 'https://a.example.com' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules: [RULE],
};
const BASES: Readonly<Record<string, JsonObject>> = {
  Pod: { spec: POD },
  PodTemplate: { template: TEMPLATE },
  ReplicationController: { spec: { selector: { a: 'b' }, template: TEMPLATE } },
  Deployment: WORKLOAD,
  DaemonSet: WORKLOAD,
  ReplicaSet: WORKLOAD,
  StatefulSet: WORKLOAD,
  Job: { spec: JOB },
  CronJob: { spec: { schedule: '* * * * *', jobTemplate: { spec: JOB } } },
  Service: { spec: { ports: [{ port: 80 }] } },
  RoleBinding: { roleRef: { ...ROLE_REF, kind: 'Role' } },
  ClusterRoleBinding: { roleRef: { ...ROLE_REF, kind: 'ClusterRole' } },
  ClusterRole: { rules: [{ apiGroups: [''], resources: ['r'], verbs: ['get'] }] },
  Role: { rules: [{ apiGroups: [''], resources: ['r'], verbs: ['get'] }] },
  PersistentVolumeClaim: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  PersistentVolume: {
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/tmp' } },
  },
  Event: { involvedObject: { namespace: 'default', name: 'x' } },
  Ingress: { spec: { defaultBackend: BACKEND, rules: [{ http: { paths: [{ backend: BACKEND, ...PREFIX }] } }] } },
  CustomResourceDefinition: {
    metadata: { name: 'os.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'os', kind: 'O' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  },
  APIService: {
    metadata: { name: 'v1.example.com' },
    spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
  },
  FlowSchema: {
    spec: {
      priorityLevelConfiguration: { name: 'p' },
      matchingPrecedence: 5,
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: 'u' } }],
          resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['r'], namespaces: ['n'] }],
        },
      ],
    },
  },
  PriorityLevelConfiguration: {
    spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } },
  },
  ValidatingAdmissionPolicy: {
    spec: { matchConstraints: { resourceRules: [RULE] }, validations: [{ expression: 'true' }] },
  },
  ValidatingAdmissionPolicyBinding: { spec: { policyName: 'p', validationActions: ['Deny'] } },
  ValidatingWebhookConfiguration: { webhooks: [HOOK] },
  MutatingWebhookConfiguration: { webhooks: [HOOK] },
  VolumeAttachment: { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'p' } } },
};

/** A value laid over what a kind cannot do without; in lists, over the first item. */
function over(base: Json | undefined, value: Json): Json {
  if (Array.isArray(value)) return Array.isArray(base) ? value.map((item) => over(base[0], item)) : value;
  if (!isObject(value) || !isObject(base)) return value;
  const names = new Set([...Object.keys(base), ...Object.keys(value)]);
  return Object.fromEntries(
    [...names].map((name) => [name, name in value ? over(base[name], value[name] as Json) : (base[name] as Json)]),
  );
}

/** Tries until an object is taken. */
const TRIES = 40;

/** What is to be done to objects with entries at a place so that they are taken, as far as that can be found out. */
async function mendingOf(type: ResourceType, version: string, place: Place, equal: boolean): Promise<Mending> {
  const { send } = await fixture;
  const { base, schema } = pathsOf(type, version);
  const mending = new Mending(schema, (one, number) => sample(one, equal ? 0 : number));
  for (let tries = 0; tries < TRIES; tries++) {
    const object = mending.mend(objectOf(type, version, place, 2, equal));
    const { status, body } = await send('POST', `${base}?dryRun=All`, { body: object });
    if (status < 300) break;
    const causes = ((body.details as JsonObject | undefined)?.causes ?? []) as unknown as readonly Cause[];
    if (!mending.learn(causes)) break;
  }
  return mending;
}

function pathsOf(type: ResourceType, version: string) {
  const apiVersion = type.group === '' ? version : `${type.group}/${version}`;
  const namespace = type.namespaced ? 'default' : '';
  const root = `/${type.group === '' ? 'api' : 'apis'}/${apiVersion}`;
  const base = `${root}${namespace && '/namespaces/default'}/${type.resource}`;
  return { apiVersion, namespace, base, schema: (type.versions.get(version) as TypeVersion).schema };
}

/** An object with so many entries at a place. */
function objectOf(type: ResourceType, version: string, place: Place, count: number, equal: boolean): JsonObject {
  const { apiVersion, namespace } = pathsOf(type, version);
  const body = over(BASES[type.kind], filled(place, count, equal)) as JsonObject;
  const metadata = { name: 'o', ...(body.metadata as JsonObject | undefined), ...(namespace ? { namespace } : {}) };
  return JSON.parse(JSON.stringify({ ...body, apiVersion, kind: type.kind, metadata })) as JsonObject;
}

const PATCHES = ['application/merge-patch+json', 'application/strategic-merge-patch+json'];

interface Written {
  readonly steps: number;
  /** Writes that were taken, of so many. */
  readonly taken: number;
  readonly sent: number;
}

/** The parts of an object that a place may be written by: its status, or what is written by itself. */
function partsOf(type: ResourceType, version: string, { steps }: Place): string[] {
  const parts = type.versions.get(version)?.subresources ?? [];
  return parts
    .filter(({ form, verbs }) => {
      if (!verbs.includes('update')) return false;
      return steps[0] === 'status' ? form === 'status' : form === 'part' && steps[0] !== 'metadata';
    })
    .map(({ name }) => name);
}

/** Writes an object in every way, reads it as a row and deletes it, twice; what a write that is refused costs counts too. */
async function writeAll(
  type: ResourceType,
  version: string,
  place: Place,
  count: number,
  equal: boolean,
  mending: Mending,
): Promise<Written> {
  const { send, store } = await fixture;
  const { namespace, base } = pathsOf(type, version);
  const object = mending.mend(objectOf(type, version, place, count, equal)) as JsonObject & { metadata: JsonObject };
  const name = object.metadata.name as string;
  const key = objectKey(type, namespace, name);
  const forget = async (): Promise<void> => {
    const entry = await store.get(key);
    if (entry) store.commit({ key, expected: entry.modRevision, object: null });
  };
  const operations = [
    { op: 'add', path: `/${place.steps[0]}`, value: (object as JsonObject)[place.steps[0] as string] },
  ];
  const codes: number[] = [];
  const put = async (...asked: Parameters<typeof send>): Promise<void> => {
    codes.push((await send(...asked)).status);
  };
  const steps = await stepsOf(async () => {
    for (let twice = 0; twice < 2; twice++) {
      await forget();
      await put('POST', base, { body: object });
      // What cannot be created is there all the same, so that the other writes have something to change.
      if (!(await store.get(key))) {
        const creationTimestamp = '2024-01-01T00:00:00Z';
        const stored = { ...object, metadata: { ...object.metadata, uid: 'u', creationTimestamp } };
        store.commit({ key, expected: 0, object: asApiObject(stored) });
      }
      await put('PUT', `${base}/${name}`, { body: object });
      for (const type of PATCHES) {
        await put('PATCH', `${base}/${name}`, { body: object, headers: { 'content-type': type } });
      }
      const json = { 'content-type': 'application/json-patch+json' };
      await put('PATCH', `${base}/${name}`, { body: operations, headers: json });
      const apply = { 'content-type': 'application/apply-patch+yaml' };
      await put('PATCH', `${base}/${name}?fieldManager=m&force=true`, { body: object, headers: apply });
      for (const part of partsOf(type, version, place)) {
        await put('PUT', `${base}/${name}/${part}`, { body: object });
        await put('PATCH', `${base}/${name}/${part}`, {
          body: object,
          headers: { 'content-type': PATCHES[0] as string },
        });
      }
      const stored = (await store.get(key))?.object;
      for (const { cell } of stored ? (type.versions.get(version)?.columns ?? []) : []) cell(stored as ApiObject, 0);
      if (place.steps[0] === 'metadata') await put('DELETE', `${base}/${name}?propagationPolicy=Orphan`, {});
    }
    await forget();
  });
  return { steps, taken: codes.filter((code) => code < 300).length, sent: codes.length };
}

const fixture = writingFixture();

test('what a write costs grows with the entries of a list or map, and not with their square', async (t) => {
  const { services } = await fixture;
  const met = new Set<string | Schema>();
  const slow: string[] = [];
  const types = new Set<string>();
  let places = 0;
  let taken = 0;
  let sent = 0;
  for (const type of services.registry.types()) {
    for (const [version, { schema, operation }] of type.versions) {
      if (operation || type.computed) continue;
      for (const place of placesIn(schema, met)) {
        places++;
        types.add(`${type.group}/${type.kind}`);
        for (const equal of [false, true]) {
          const mending = await mendingOf(type, version, place, equal);
          const few = await writeAll(type, version, place, FEW, equal, mending);
          const many = await writeAll(type, version, place, MANY, equal, mending);
          taken += few.taken + many.taken;
          sent += few.sent + many.sent;
          const most = GROWTH * few.steps + NOISE;
          if (many.steps <= most) continue;
          // What is done once in a while for many writes, such as letting old history go, is not done again.
          const again = await writeAll(type, version, place, MANY, equal, mending);
          if (again.steps <= most) continue;
          const where = `${type.kind} ${version} ${place.steps.join('.')}${equal ? ' (equal)' : ''}`;
          slow.push(`${where}: ${few.steps} → ${again.steps}`);
        }
      }
    }
  }
  assert.deepEqual(slow, []);
  const walked = `${places} lists and maps first met in ${types.size} types, ${taken} of ${sent} writes taken`;
  t.diagnostic(walked);
  assert.ok(places >= 270 && types.size >= 40 && taken >= 10_000, walked);
});
