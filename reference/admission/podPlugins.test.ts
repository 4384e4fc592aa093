import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../fixtures/dialects/cluster.ts';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import type { JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { ApiError } from '../api/status.ts';
import type { AdmissionAttributes } from '../contracts/admission.ts';
import type { ResourceType, TypeVersion } from '../contracts/resourceType.ts';
import { objectKey } from '../contracts/storeKeys.ts';
import { SeededRandom } from '../random.ts';
import { MemoryStore } from '../storage/memory.ts';
import { VirtualClock } from '../time.ts';
import { admissionChain } from './chain.ts';
import { defaultTolerations } from './defaultTolerations.ts';
import { podPriority } from './podPriority.ts';
import { serviceAccount } from './serviceAccount.ts';

const version = { version: 'v1', served: true, verbs: ['create'], subresources: [] } as unknown as TypeVersion;
const pods = { group: '', resource: 'pods', kind: 'Pod', namespaced: true } as unknown as ResourceType;

function creation(spec: JsonObject): AdmissionAttributes & { object: ApiObject & { spec: JsonObject } } {
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec };
  return {
    operation: 'CREATE',
    endpoint: { type: pods, version, subresource: undefined },
    namespace: 'n',
    name: 'p',
    object,
    oldObject: undefined,
    options: undefined,
    dryRun: false,
    exchange: { trace: undefined } as never,
  };
}
function storeWith(...objects: readonly [group: string, resource: string, namespace: string, object: JsonObject][]) {
  const store = new MemoryStore({ clock: new VirtualClock() });
  for (const [group, resource, namespace, object] of objects) {
    const name = (object.metadata as JsonObject).name as string;
    const key = objectKey({ group, resource }, namespace, name);
    store.commit({ key, expected: 0, object: object as unknown as ApiObject });
  }
  return store;
}

test('a pod gets the default account and its token, in the words of the dialect', async () => {
  const store = storeWith([
    '',
    'serviceaccounts',
    'n',
    { metadata: { name: 'default' }, imagePullSecrets: [{ name: 's' }] },
  ]);
  const asked = creation({ containers: [{ name: 'c' }] });
  await serviceAccount({ store, dialect: cluster, random: new SeededRandom(1) }).mutate?.(asked);
  const { spec } = asked.object;
  assert.equal(spec.serviceAccountName, 'default');
  assert.deepEqual(spec.imagePullSecrets, [{ name: 's' }]);
  const [volume] = spec.volumes as JsonObject[];
  const [mount] = (spec.containers as [{ volumeMounts: JsonObject[] }])[0].volumeMounts;
  assert.equal(mount?.name, volume?.name);
  assert.equal(mount?.mountPath, '/var/run/secrets/cluster.example/serviceaccount');
});

test('no token is mounted where pod or account do not want it, or something is mounted there', async () => {
  const plain = storeWith(['', 'serviceaccounts', 'n', { metadata: { name: 'default' } }]);
  const unwilling = storeWith([
    '',
    'serviceaccounts',
    'n',
    { metadata: { name: 'default' }, automountServiceAccountToken: false },
  ]);
  const mounted = { name: 'own', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' };
  for (const [store, spec] of [
    [plain, { automountServiceAccountToken: false, containers: [{ name: 'c' }] }],
    [unwilling, { containers: [{ name: 'c' }] }],
    [plain, { containers: [{ name: 'c', volumeMounts: [mounted] }] }],
  ] as const) {
    const asked = creation(spec as unknown as JsonObject);
    await serviceAccount({ store, dialect: kubernetes, random: new SeededRandom(1) }).mutate?.(asked);
    assert.equal(asked.object.spec.volumes, undefined);
  }
});

test('an account that is missing is a 403', async () => {
  const plugin = serviceAccount({ store: storeWith(), dialect: kubernetes, random: new SeededRandom(1) });
  await assert.rejects(
    async () => plugin.mutate?.(creation({ serviceAccountName: 'robot' })),
    (error: unknown) =>
      error instanceof ApiError && error.code === 403 && /serviceaccount "robot" not found/.test(error.message),
  );
});

test('a mirror pod names nothing that the service keeps', async () => {
  const plugin = serviceAccount({ store: storeWith(), dialect: kubernetes, random: new SeededRandom(1) });
  const mirrored = (spec: JsonObject) => {
    const asked = creation(spec);
    asked.object.metadata.annotations = { 'kubernetes.io/config.mirror': 'x' };
    return plugin.mutate?.(asked);
  };
  await mirrored({ nodeName: 'n' });
  const token = { projected: { sources: [{ serviceAccountToken: { path: 't' } }] } };
  for (const [spec, words] of [
    [{ serviceAccountName: 'default' }, /reference service accounts/],
    [{ imagePullSecrets: [{ name: 's' }] }, /reference secrets/],
    [{ volumes: [{ name: 'v', secret: { secretName: 's' } }] }, /reference secrets/],
    [{ volumes: [{ name: 'v', configMap: { name: 's' } }] }, /reference configmaps/],
    [{ volumes: [{ name: 'v', ...token }] }, /use ServiceAccountToken volume projections/],
  ] as const) {
    await assert.rejects(
      async () => mirrored(spec as unknown as JsonObject),
      (error: unknown) => error instanceof ApiError && error.code === 403 && words.test(error.message),
    );
  }
});

test('priority comes from the class, from the default class, or is none', async () => {
  const classes = (objects: JsonObject[]) =>
    storeWith(
      ...objects.map(
        (one) => ['scheduling.k8s.io', 'priorityclasses', '', one] as [string, string, string, JsonObject],
      ),
    );
  const high = { metadata: { name: 'high' }, value: 100, preemptionPolicy: 'Never' };
  const usual = { metadata: { name: 'usual' }, value: 7, globalDefault: true };
  const given = async (objects: JsonObject[], spec: JsonObject) => {
    const asked = creation(spec);
    await podPriority({ store: classes(objects), dialect: kubernetes }).mutate?.(asked);
    const { priority, preemptionPolicy, priorityClassName } = asked.object.spec;
    return [priority, preemptionPolicy, priorityClassName];
  };
  assert.deepEqual(await given([], {}), [0, 'PreemptLowerPriority', undefined]);
  assert.deepEqual(await given([usual], {}), [7, 'PreemptLowerPriority', 'usual']);
  assert.deepEqual(await given([high, usual], { priorityClassName: 'high' }), [100, 'Never', 'high']);
  await assert.rejects(given([], { priorityClassName: 'gone' }), /no PriorityClass with name gone was found/);
  await assert.rejects(given([high], { priorityClassName: 'high', priority: 5 }), /must not be provided/);
});

test('a pod tolerates a node out of reach for five minutes unless it says otherwise', async () => {
  const asked = creation({
    tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }],
  });
  await defaultTolerations(kubernetes).mutate?.(asked);
  assert.deepEqual(
    (asked.object.spec.tolerations as JsonObject[]).map((one) => [one.key, one.tolerationSeconds]),
    [
      ['node.kubernetes.io/not-ready', undefined],
      ['node.kubernetes.io/unreachable', 300],
    ],
  );
});

test('a chain changes first and judges last, each in order', async () => {
  const heard: string[] = [];
  const plugin = (name: string) => ({
    name,
    mutate: () => void heard.push(`${name} changes`),
    validate: () => void heard.push(`${name} judges`),
  });
  const chain = admissionChain([plugin('one'), plugin('two')]);
  await chain.mutate?.(creation({}));
  await chain.validate?.(creation({}));
  assert.deepEqual(heard, ['one changes', 'two changes', 'one judges', 'two judges']);
});
