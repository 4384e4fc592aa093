import type { Dice } from '../covering/dice.ts';
import type { JsonObject } from '../harness/json.ts';

/** A type that sequences write. */
export interface SequenceType {
  readonly kind: string;
  readonly plural: string;
  /** Below which its collections lie: `/apis/apps/v1`. */
  readonly root: string;
  readonly apiVersion: string;
  readonly namespaced: boolean;
  /** A custom type, defined by the sequence. */
  readonly custom?: true;
  readonly subresources?: readonly string[];
  /** A legal object, beside its metadata. */
  readonly object: (dice: Dice) => JsonObject;
  /** Parts of an object, as patches and applies have them; now and then of the wrong kind. */
  readonly change: (dice: Dice) => JsonObject;
}

const letters = ['x', 'y', 'z'] as const;
const digits = ['1', '2', '3'] as const;

/** Few keys and values, so that writes meet. */
export const texts = (dice: Dice, probability = 0.5): JsonObject =>
  Object.fromEntries(dice.some(letters, probability).map((key) => [key, dice.of(digits)]));

const core = { root: '/api/v1', apiVersion: 'v1', namespaced: true } as const;
const group = (prefix: string, version = 'v1') => ({
  root: `/apis/${prefix}.{domain}/${version}`,
  apiVersion: `${prefix}.{domain}/${version}`,
  namespaced: true,
});
const plain = (name: string, version = 'v1') => ({
  root: `/apis/${name}/${version}`,
  apiVersion: `${name}/${version}`,
  namespaced: true,
});

const PODS: JsonObject = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selector: JsonObject = { matchLabels: { app: 'a' } };

/** A container with some of what has merge keys, defaults and lists within lists. */
function container(dice: Dice): JsonObject {
  return {
    name: dice.of(['c', 'd']),
    image: dice.of(['i', 'j']),
    ...(dice.chance(0.4) ? { env: dice.few(letters).map((name) => ({ name, value: dice.of(digits) })) } : {}),
    ...(dice.chance(0.4)
      ? {
          ports: dice.few([80, 81]).map((containerPort) => ({
            containerPort,
            ...(dice.chance(0.3) ? { protocol: dice.of(['UDP', 'TCP']) } : {}),
          })),
        }
      : {}),
    ...(dice.chance(0.2) ? { args: dice.few(letters) } : {}),
    ...(dice.chance(0.2) ? { terminationGracePeriodSeconds: 3 } : {}),
  };
}
const template = (dice: Dice): JsonObject => ({
  metadata: { labels: { app: 'a' } },
  spec: { containers: [container(dice)] },
});
const directive = (dice: Dice): JsonObject =>
  dice.of<JsonObject>([
    { name: 'c', $patch: 'delete' },
    { name: 'd', $patch: 'replace', image: 'k' },
    { name: 'c', image: 'k', ports: [{ containerPort: 80, $patch: 'delete' }] },
    { $patch: 'replace' },
  ]);

const workload = (extra: (dice: Dice) => JsonObject) => ({
  ...plain('apps'),
  object: (dice: Dice): JsonObject => ({ spec: { selector, template: template(dice), ...extra(dice) } }),
  change: (dice: Dice): JsonObject =>
    dice.of<() => JsonObject>([
      () => ({ spec: extra(dice) }),
      () => ({ spec: { template: { spec: { containers: [container(dice)] } } } }),
      () => ({ spec: { template: { spec: { containers: [directive(dice)] } } } }),
      () => ({ spec: { template: { metadata: { labels: texts(dice) } } } }),
      () => ({ status: { replicas: dice.below(3), observedGeneration: dice.below(3) } }),
      () => ({
        spec: { template: { spec: { $setElementOrderList: [], terminationGracePeriodSeconds: dice.below(9) } } },
      }),
    ])(),
});

const rule = (dice: Dice): JsonObject => ({
  apiGroups: [dice.of(['', 'apps', '*'])],
  resources: dice.few(['configmaps', 'secrets', 'pods/status', '*']),
  verbs: dice.few(['get', 'list', 'watch', '*']),
  ...(dice.chance(0.2) ? { resourceNames: ['a'] } : {}),
});
const subject = (dice: Dice): JsonObject =>
  dice.of<JsonObject>([
    { kind: 'User', name: 'ann' },
    { kind: 'User', name: 'ben', apiGroup: 'rbac.authorization.{domain}' },
    { kind: 'Group', name: 'g' },
    { kind: 'ServiceAccount', name: 'sa', namespace: '{ns}' },
    { kind: 'ServiceAccount', name: 'sa' },
    { kind: 'User' },
    { name: 'x' },
    { kind: 'Robot', name: 'r' },
    { kind: 'User', name: 'ann', namespace: '{ns}' },
    { kind: 'User', name: 'ann', apiGroup: 'other' },
  ]);
const roleRef =
  (kind: string) =>
  (dice: Dice): JsonObject => ({
    kind,
    name: dice.of(['{id}-none', '{id}-other']),
    ...(dice.chance(0.7) ? { apiGroup: 'rbac.authorization.{domain}' } : dice.chance(0.2) ? { apiGroup: 'other' } : {}),
  });
const legalRef = (kind: string): JsonObject => ({ kind, name: '{id}-none', apiGroup: 'rbac.authorization.{domain}' });
const LEGAL_SUBJECTS: readonly JsonObject[] = [
  { kind: 'User', name: 'ann' },
  { kind: 'Group', name: 'g', apiGroup: 'rbac.authorization.{domain}' },
  { kind: 'ServiceAccount', name: 'sa', namespace: '{ns}' },
];
const binding = (kind: string) => ({
  ...group('rbac.authorization'),
  object: (dice: Dice): JsonObject => ({
    roleRef: legalRef(kind),
    subjects: dice.some(LEGAL_SUBJECTS),
  }),
  change: (dice: Dice): JsonObject =>
    dice.chance(0.1)
      ? { roleRef: null }
      : dice.chance(0.35)
        ? { roleRef: roleRef(dice.of([kind, 'Role', 'ClusterRole', 'Robot']))(dice) }
        : { subjects: [subject(dice)] },
});
const role = {
  ...group('rbac.authorization'),
  object: (dice: Dice): JsonObject => ({ rules: [rule(dice)] }),
  change: (dice: Dice): JsonObject =>
    dice.chance(0.15)
      ? { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { gather: '{id}' } }] } }
      : { rules: dice.chance(0.2) ? [] : [rule(dice)] },
};

/** A webhook; with `wrong`, one part of it is unusual, and often not as it may be. */
export function webhook(dice: Dice, name = 'a.seq.example', wrong = true): JsonObject {
  const sound: JsonObject = {
    name,
    clientConfig: { url: 'https://hook.invalid/x' },
    rules: [NO_RULE],
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    ...(dice.chance(0.3) ? { timeoutSeconds: 5 } : {}),
  };
  return wrong ? { ...sound, ...dice.of(UNUSUAL)(dice) } : sound;
}
const NO_RULE: JsonObject = {
  apiGroups: ['none.example'],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['things'],
};
const of =
  (member: string, ...values: readonly (JsonObject[string] | undefined)[]) =>
  (dice: Dice): JsonObject => ({ [member]: dice.of(values) });
const inRule =
  (member: string, ...values: readonly JsonObject[string][]) =>
  (dice: Dice): JsonObject => ({ rules: [{ ...NO_RULE, [member]: dice.of(values) }] });
const address = 'https://hook.invalid/x';
const service = { name: 's', namespace: 'n' };

const UNUSUAL: readonly ((dice: Dice) => JsonObject)[] = [
  of('name', 'a', 'A.b.c', 'a.b', '', undefined),
  of('clientConfig', {}, { url: 'http://hook.invalid/x' }, { url: 'https://10.0.0.1:99/p' }, undefined),
  of('clientConfig', { url: 'https://u:p@hook.invalid/x' }, { url: `${address}?a=b` }, { url: `${address}#f` }),
  of(
    'clientConfig',
    { service },
    { service: { name: 's' } },
    { service: { namespace: 'n' } },
    { url: address, service },
  ),
  of('clientConfig', { service: { ...service, path: '/p' } }, { service: { ...service, path: 'p' } }),
  (dice) => ({ clientConfig: { service: { ...service, port: dice.of([443, 0, 65536, 8443, -1]) } } }),
  of(
    'clientConfig',
    { url: address, caBundle: '!' },
    { url: address, caBundle: 'aGVsbG8=' },
    { url: address, caBundle: '' },
  ),
  of('clientConfig', { url: 'https://s.n.svc/x' }, { url: 'https://s.n.svc.cluster.local' }),
  of('admissionReviewVersions', ['v1', 'v1beta1'], ['v2', 'v1'], ['v2'], [], ['v1', 'v1'], ['A!'], undefined),
  of('sideEffects', 'NoneOnDryRun', 'Some', 'Unknown', 'x', undefined),
  of('failurePolicy', 'Fail', 'Ignore', 'Never'),
  of('matchPolicy', 'Exact', 'Equivalent', 'Loose'),
  of('timeoutSeconds', 0, 1, 30, 31, -1, 10),
  of('namespaceSelector', { matchLabels: { a: 'b' } }, { matchLabels: { 'a b': 'c' } }),
  of('namespaceSelector', { matchExpressions: [{ key: 'a', operator: 'Foo' }] }),
  of('objectSelector', { matchExpressions: [{ key: 'a', operator: 'In' }] }, { matchLabels: { a: 'b' } }),
  (dice) => ({ matchConditions: conditions(dice) }),
  (dice) => ({ matchConditions: conditions(dice) }),
  inRule('apiGroups', ['none.example', '*'], [], ['*', 'none.example']),
  inRule('apiVersions', ['v1', 'v2'], ['*', 'v1'], []),
  inRule('operations', ['CREATE', 'UPDATE'], ['*', 'CREATE'], ['PATCH'], [], ['CONNECT', 'DELETE'], ['create']),
  inRule('resources', ['things/*'], ['*/scale'], ['*/*', 'things'], ['things', 'things/*']),
  inRule(
    'resources',
    ['things/*', 'things/scale'],
    ['*/scale', 'things/scale'],
    ['*/scale', 'things/*'],
    ['*', 'things'],
  ),
  inRule(
    'resources',
    [],
    ['things/scale', '*/scale'],
    ['things/scale', 'things/*'],
    ['things', '*'],
    ['things/*', '*/*'],
  ),
  inRule('scope', '*', 'Cluster', 'Namespaced', 'Some'),
];

function conditions(dice: Dice): JsonObject[] {
  if (dice.chance(0.15)) return Array.from({ length: 65 }, (_, at) => ({ name: `c${at}`, expression: 'true' }));
  return [
    dice.of<JsonObject>([
      { name: 'one', expression: 'object.metadata.name == "a"' },
      { name: 'one', expression: 'true' },
      { name: 'a_b', expression: 'true' },
      { name: 'a/b', expression: 'true' },
      { name: '', expression: 'true' },
      { expression: 'true' },
      { name: 'one' },
      { name: 'one', expression: '1 +' },
      { name: 'one', expression: '"text"' },
      { name: 'one', expression: 'nothing.here' },
    ]),
    ...(dice.chance(0.4) ? [{ name: dice.of(['one', 'two']), expression: 'false' }] : []),
  ];
}
const configMap: SequenceType = {
  ...core,
  kind: 'ConfigMap',
  plural: 'configmaps',
  object: (dice) => ({ data: { kept: '0', ...texts(dice) } }),
  change: (dice) =>
    dice.of<() => JsonObject>([
      () => ({ data: texts(dice, 0.7) }),
      () => ({ data: { [dice.of(letters)]: null } }),
      () => ({ binaryData: { b: dice.of(['aGVsbG8=', '!']) } }),
      () => ({ data: { x: dice.of([1, true, null]) } }),
      () => ({ immutable: dice.chance(0.5) }),
    ])(),
};

/** Definition of the custom types of a sequence: one with every marker, one without namespaces. */
export const definition = (plural: string, kind: string, scope: 'Namespaced' | 'Cluster'): JsonObject => ({
  apiVersion: 'apiextensions.{domain}/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.{id}.seq.example` },
  spec: {
    group: '{id}.seq.example',
    scope,
    names: { plural, kind },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: SPEC, status: { type: 'object', properties: { size: { type: 'integer' } } } },
          },
        },
      },
    ],
  },
});
const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };
const TEXT_MAP = { type: 'object', additionalProperties: TEXT };
const SPEC: JsonObject = {
  type: 'object',
  properties: {
    size: { type: 'integer', default: 1 },
    note: TEXT,
    whole: { ...TEXT_MAP, 'x-{vendor}-map-type': 'atomic' },
    map: TEXT_MAP,
    ref: { type: 'object', properties: { kind: TEXT, name: TEXT }, 'x-{vendor}-map-type': 'atomic' },
    struct: { type: 'object', properties: { a: TEXT, b: TEXT } },
    plain: TEXTS,
    tags: { ...TEXTS, 'x-{vendor}-list-type': 'set' },
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: TEXT, value: TEXT, tags: { ...TEXTS, 'x-{vendor}-list-type': 'set' } },
      },
      'x-{vendor}-list-type': 'map',
      'x-{vendor}-list-map-keys': ['name'],
    },
    ports: {
      type: 'array',
      items: {
        type: 'object',
        required: ['port'],
        properties: { port: { type: 'integer' }, protocol: { ...TEXT, default: 'TCP' }, name: TEXT },
      },
      'x-{vendor}-list-type': 'map',
      'x-{vendor}-list-map-keys': ['port', 'protocol'],
    },
    deep: {
      type: 'array',
      items: { type: 'object', properties: { tags: { ...TEXTS, 'x-{vendor}-list-type': 'set' }, v: TEXT } },
      'x-{vendor}-list-type': 'atomic',
    },
    any: { type: 'object', 'x-{vendor}-preserve-unknown-fields': true },
  },
};
const custom = {
  root: '/apis/{id}.seq.example/v1',
  apiVersion: '{id}.seq.example/v1',
  custom: true,
  subresources: ['status', 'scale'],
  object: (dice: Dice): JsonObject => ({ spec: markedSpec(dice) }),
  change: (dice: Dice): JsonObject =>
    dice.chance(0.8)
      ? { spec: markedSpec(dice) }
      : dice.of<JsonObject>([
          { spec: { size: 'big' } },
          { spec: { unknown: '1' } },
          { spec: { note: 1 } },
          { status: { size: dice.below(4) } },
          { spec: { tags: ['a', 'a'] } },
          { spec: { items: [{ name: 'a' }, { name: 'a', value: '1' }] } },
          { spec: { items: [{ value: '1' }] } },
          { spec: null },
        ]),
} as const;

/** Any content of the custom types, out of few values, so that managers meet. */
function markedSpec(dice: Dice): JsonObject {
  const fields: Readonly<Record<string, () => JsonObject[string]>> = {
    size: () => dice.of([1, 2, 3]),
    note: () => dice.of(digits),
    whole: () => texts(dice, 0.6),
    map: () => texts(dice, 0.6),
    ref: () => dice.of<JsonObject>([{ kind: '1' }, { name: '1' }, { kind: '1', name: '2' }]),
    struct: () => dice.of<JsonObject>([{ a: '1' }, { a: '2' }, { b: '1' }, { a: '1', b: '2' }]),
    plain: () => dice.few(letters),
    tags: () => dice.few(letters),
    items: () =>
      dice.few(letters).map((name) => ({
        name,
        ...(dice.chance(0.5) ? { value: dice.of(digits) } : {}),
        ...(dice.chance(0.3) ? { tags: dice.few(letters) } : {}),
      })),
    ports: () =>
      dice.few([1, 2]).map((port) => ({
        port,
        ...(dice.chance(0.5) ? { protocol: dice.of(['TCP', 'UDP']) } : {}),
        ...(dice.chance(0.3) ? { name: dice.of(digits) } : {}),
      })),
    deep: () => [{ tags: dice.few(letters), v: dice.of(digits) }],
    any: () => ({ ...texts(dice), ...(dice.chance(0.3) ? { in: texts(dice) } : {}) }),
  };
  return Object.fromEntries(
    dice
      .few(Object.keys(fields))
      .slice(0, 4)
      .map((name) => [name, fields[name]?.() ?? null]),
  );
}

/** All types, those that much is known of more than once. */
export const TYPES: readonly SequenceType[] = [
  configMap,
  configMap,
  { ...custom, kind: 'Widget', plural: 'widgets', namespaced: true },
  { ...custom, kind: 'Planet', plural: 'planets', namespaced: false },
  {
    ...workload((dice) => ({
      replicas: dice.below(4),
      ...(dice.chance(0.2) ? { minReadySeconds: 2 } : {}),
      ...(dice.chance(0.1) ? { revisionHistoryLimit: 3 } : {}),
    })),
    kind: 'Deployment',
    plural: 'deployments',
    subresources: ['status', 'scale'],
  },
  {
    ...group('admissionregistration'),
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
    namespaced: false,
    object: (dice) => ({
      webhooks: [
        webhook(dice, 'a.seq.example', false),
        ...(dice.chance(0.3) ? [webhook(dice, 'b.seq.example', false)] : []),
      ],
    }),
    change: (dice) => ({ webhooks: [webhook(dice, dice.of(['a.seq.example', 'b.seq.example']))] }),
  },
  { ...binding('ClusterRole'), kind: 'ClusterRoleBinding', plural: 'clusterrolebindings', namespaced: false },
  { ...binding('Role'), kind: 'RoleBinding', plural: 'rolebindings' },
  { ...role, kind: 'ClusterRole', plural: 'clusterroles', namespaced: false },
  { ...role, kind: 'Role', plural: 'roles' },
  {
    ...core,
    kind: 'Secret',
    plural: 'secrets',
    object: (dice) => ({ stringData: texts(dice) }),
    change: (dice) => ({ data: { x: dice.of(['YQ==', '!']) } }),
  },
  {
    ...core,
    kind: 'Service',
    plural: 'services',
    subresources: ['status'],
    object: () => ({ spec: { clusterIP: 'None', ports: [{ port: 80, name: 'a' }] } }),
    change: (dice) => ({
      spec: {
        ports: dice
          .few([80, 81])
          .map((port) => ({ port, name: `p${port}`, ...(dice.chance(0.3) ? { protocol: 'UDP' } : {}) })),
      },
    }),
  },
  {
    ...core,
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    object: () => ({}),
    change: (dice) => ({ secrets: dice.few(letters).map((name) => ({ name })) }),
  },
  {
    ...core,
    kind: 'Namespace',
    plural: 'namespaces',
    namespaced: false,
    subresources: ['status', 'finalize'],
    object: () => ({}),
    change: (dice) => ({ metadata: { labels: texts(dice) } }),
  },
  {
    ...group('coordination'),
    kind: 'Lease',
    plural: 'leases',
    object: (dice) => ({ spec: { holderIdentity: dice.of(digits), leaseDurationSeconds: 5 } }),
    change: (dice) => ({ spec: { holderIdentity: dice.of(digits), leaseTransitions: dice.below(3) } }),
  },
  {
    ...core,
    kind: 'Pod',
    plural: 'pods',
    subresources: ['status', 'ephemeralcontainers', 'resize', 'binding', 'eviction'],
    object: (dice) => ({ spec: { containers: [container(dice)] } }),
    change: (dice) =>
      dice.of<JsonObject>([
        { spec: { containers: [{ name: 'c', image: 'k' }] } },
        { status: { phase: 'Running', podIP: '10.0.0.9' } },
        { spec: { nodeName: 'n' } },
      ]),
  },
  { ...workload(() => ({})), kind: 'DaemonSet', plural: 'daemonsets', subresources: ['status'] },
  {
    ...workload((dice) => ({ replicas: dice.below(3), serviceName: 's' })),
    kind: 'StatefulSet',
    plural: 'statefulsets',
    subresources: ['status', 'scale'],
  },
  {
    ...workload((dice) => ({ replicas: dice.below(3) })),
    kind: 'ReplicaSet',
    plural: 'replicasets',
    subresources: ['status', 'scale'],
  },
  {
    ...plain('batch'),
    kind: 'CronJob',
    plural: 'cronjobs',
    object: () => ({
      spec: {
        schedule: '* * * * *',
        jobTemplate: {
          spec: { template: { ...PODS, spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } } },
        },
      },
    }),
    change: (dice) => ({ spec: { schedule: dice.of(['0 * * * *', 'never']), suspend: dice.chance(0.5) } }),
  },
  {
    ...group('networking'),
    kind: 'Ingress',
    plural: 'ingresses',
    object: (dice) => ({
      spec: {
        rules: [
          {
            host: 'h.example',
            http: {
              paths: [
                {
                  path: '/',
                  ...(dice.chance(0.7) ? { pathType: dice.of(['Prefix', 'Exact', 'x']) } : {}),
                  backend: { service: { name: 's', port: { number: 80 } } },
                },
              ],
            },
          },
        ],
      },
    }),
    change: (dice) => ({ spec: { ingressClassName: dice.of(['a', 'b']) } }),
  },
  {
    ...group('networking'),
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    object: () => ({ spec: { podSelector: {} } }),
    change: () => ({ spec: { ingress: [{}] } }),
  },
  {
    ...plain('policy'),
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    object: (dice) => ({
      spec: { minAvailable: dice.of<string | number>([1, '50%', 'x']), ...(dice.chance(0.5) ? { selector } : {}) },
    }),
    change: (dice) => ({ spec: { maxUnavailable: dice.of([1, null]) } }),
  },
  {
    ...plain('autoscaling', 'v2'),
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    object: (dice) => ({
      spec: {
        maxReplicas: dice.of([1, 3, 0]),
        scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
      },
    }),
    change: (dice) => ({ spec: { minReplicas: dice.of([1, 2, 9]) } }),
  },
  {
    ...group('flowcontrol.apiserver'),
    kind: 'PriorityLevelConfiguration',
    plural: 'prioritylevelconfigurations',
    namespaced: false,
    object: (dice) => ({
      spec: {
        type: 'Limited',
        limited: {
          limitResponse: { type: 'Reject' },
          ...(dice.chance(0.7) ? { nominalConcurrencyShares: dice.of([0, 5, 30]) } : {}),
        },
      },
    }),
    change: (dice) => ({ spec: { limited: { nominalConcurrencyShares: dice.of([0, 1, null]) } } }),
  },
  {
    ...group('discovery'),
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    object: (dice) => ({
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['10.0.0.1'],
          ...(dice.chance(0.6) ? { zone: 'z', nodeName: 'n', hints: { forZones: [{ name: 'z' }] } } : {}),
        },
      ],
      ports: [{ port: 80, name: 'a' }],
    }),
    change: (dice) => ({ endpoints: [{ addresses: [dice.of(['10.0.0.2', 'x'])], zone: 'y' }] }),
  },
  {
    ...group('events'),
    kind: 'Event',
    plural: 'events',
    object: (dice) => ({
      eventTime: '2026-01-01T00:00:00.000000Z',
      type: dice.of(['Normal', 'Warning']),
      reason: 'r',
      ...(dice.chance(0.7) ? { action: 'act' } : {}),
      reportingController: 'touchstone.example/c',
      reportingInstance: 'i',
      regarding: { kind: 'ConfigMap', namespace: '{ns}', name: 'a', apiVersion: 'v1' },
      note: 'n',
      ...(dice.chance(0.3)
        ? { deprecatedCount: 3, series: { count: 2, lastObservedTime: '2026-01-01T00:00:00.000000Z' } }
        : {}),
    }),
    change: (dice) => ({ series: { count: dice.below(5), lastObservedTime: '2026-01-01T00:00:01.000000Z' } }),
  },
  {
    ...core,
    kind: 'Event',
    plural: 'events',
    object: (dice) => ({
      involvedObject: { kind: 'ConfigMap', namespace: '{ns}', name: 'a' },
      reason: 'r',
      message: 'm',
      type: 'Normal',
      count: dice.of([1, 2]),
      source: { component: 'c' },
    }),
    change: (dice) => ({ count: dice.below(9) }),
  },
  {
    ...group('certificates'),
    kind: 'CertificateSigningRequest',
    plural: 'certificatesigningrequests',
    namespaced: false,
    subresources: ['status', 'approval'],
    object: (dice) => ({
      spec: {
        request: CSR,
        signerName: 'seq.example/x',
        usages: dice.of([['client auth'], ['client auth', 'client auth'], ['server auth', 'digital signature']]),
      },
    }),
    change: (dice) => ({ status: { conditions: dice.of([1, 2]) === 1 ? [APPROVED] : [APPROVED, APPROVED] } }),
  },
  {
    ...group('scheduling'),
    kind: 'PriorityClass',
    plural: 'priorityclasses',
    namespaced: false,
    object: (dice) => ({ value: dice.of([1, 5]), description: 'd' }),
    change: (dice) => dice.of<JsonObject>([{ value: 7 }, { description: 'e' }]),
  },
  {
    ...group('storage'),
    kind: 'StorageClass',
    plural: 'storageclasses',
    namespaced: false,
    object: () => ({ provisioner: 'seq.example/p' }),
    change: (dice) => dice.of<JsonObject>([{ provisioner: 'seq.example/q' }, { allowVolumeExpansion: true }]),
  },
  {
    ...group('apiextensions'),
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    namespaced: false,
    object: () => ({}),
    change: (dice) => ({
      spec: dice.of<JsonObject>([{ scope: 'Cluster' }, { names: { shortNames: ['q'] } }, { versions: [] }]),
    }),
  },
];

const APPROVED: JsonObject = { type: 'Approved', status: 'True', reason: 'r', message: 'm' };
/** A request of the subject CN=a, by a throw-away key. */
const CSR = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIRk1HNENBUUF3RERFS01BZ0dBMVVFQXd3QllUQlpNQk1HQnlx',
  'R1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQQpCQzRqamNoWE13UEJzbmhTb1NhVkVGejI4ZzQyMWd6N2NycFo3dHBCOVBOWDg3S1pt',
  'NEhlWUVXd3BYdWU0bmFSClJuSnVvMWpBRlR5cTlMOTdYbWdGUXRLZ0FEQUtCZ2dxaGtqT1BRUURBZ05IQURCRUFpQVRYRXU5V3Fi',
  'TDZ3cmkKcUkyUXQ2TFk3QittMm9IYUU4NEVjVkFFdzdURWRRSWdTSnJaUlRqdnY3Nllnc2x5WHpxNXp4aXZpek9ldE1DSApBRDh0',
  'WG14VEFLcz0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==',
].join('');

export const collectionOf = ({ root, namespaced, plural }: SequenceType, namespace = '{ns}'): string =>
  `${root}${namespaced ? `/namespaces/${namespace}` : ''}/${plural}`;
