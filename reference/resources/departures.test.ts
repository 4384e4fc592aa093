import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import type { Follow } from '../../fixtures/follow.ts';
import type { JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import type { ResourceType, WriteContext } from '../contracts/resourceType.ts';
import { decodeTyped } from '../schema/decode.ts';
import { BuiltinMaker } from './builtin.ts';

const context = (version: string): WriteContext => ({
  user: { username: 'u', uid: '', groups: [], extra: {} },
  now: 0,
  uuid: () => 'uid',
  warn: () => undefined,
  version,
});
/** The first release with all these types, and the one that the service was seen in. */
const RELEASE = 36;

const makers = {
  spec: new BuiltinMaker({ dialect: kubernetes, release: RELEASE, follow: 'spec', gate: () => true }),
  service: new BuiltinMaker({ dialect: kubernetes, release: RELEASE, follow: 'service', gate: () => true }),
};
/** A type with all versions that any release had. */
function typeOf(resource: string, follow: Follow): ResourceType {
  const { group } = makers[follow].types().find((one) => one.resource === resource) ?? {};
  const type = group === undefined ? undefined : makers[follow].unserved(group, resource);
  assert.ok(type, resource);
  return type;
}

/** Paths of the faults of an object of every version of a type; each version must find the same. */
function faultsOf(resource: string, json: JsonObject, follow: Follow): string[] {
  const type = typeOf(resource, follow);
  let told: string[] | undefined;
  for (const [name, version] of type.versions) {
    // Definitions had another shape.
    if (resource === 'customresourcedefinitions' && name !== 'v1') continue;
    const sent = { metadata: { name: resource === 'customresourcedefinitions' ? CRD_NAME : 'x' }, ...json };
    const object = decodeTyped(version.schema, structuredClone(sent)).object as unknown as ApiObject;
    version.applyDefaults?.(object);
    const stored = version.toStorage?.(object) ?? object;
    type.strategy.prepareForCreate?.(stored, context(name));
    const faults: string[] = (type.strategy.validate?.(stored, context(name)) ?? []).map(({ field }) => field);
    assert.deepEqual(faults, told ?? faults, `${resource} in ${name}`);
    told = faults;
  }
  return told ?? [];
}

const CRD_NAME = 'things.example.com';
const RULE = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
const hook = (fields: JsonObject): JsonObject => ({
  webhooks: [
    {
      name: 'h.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { url: 'https://example.com' },
      rules: [RULE],
      ...fields,
    },
  ],
});
const policy = (fields: JsonObject): JsonObject => ({
  spec: { validations: [{ expression: 'true' }], matchConstraints: { resourceRules: [RULE] }, ...fields },
});
const mutatingPolicy = (fields: JsonObject): JsonObject => ({
  spec: {
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: '[]' } }],
    reinvocationPolicy: 'Never',
    matchConstraints: { resourceRules: [RULE] },
    ...fields,
  },
});
const binding = (fields: JsonObject): JsonObject => ({
  spec: { policyName: 'p.example.com', validationActions: ['Deny'], ...fields },
});
const mutatingBinding = (fields: JsonObject): JsonObject => ({ spec: { policyName: 'p.example.com', ...fields } });
const definition = (clientConfig: JsonObject): JsonObject => ({
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});

/** A type that has a field, how an object of it is made of a value, and where its fault is told. */
type Place = readonly [resource: string, make: (value: JsonObject[]) => JsonObject, path: string];
interface Row {
  readonly what: string;
  readonly places: readonly Place[];
  /** Allowed by both. */
  readonly good: readonly JsonObject[][];
  /** Allowed by the service, not by the text. */
  readonly bad: readonly JsonObject[][];
}

const conditionsOf = (make: (fields: JsonObject) => JsonObject) => (matchConditions: JsonObject[]) =>
  make({ matchConditions });
const named = (...names: string[]) => names.map((name) => ({ name, expression: 'true' }));
const rulesOf = (make: (fields: JsonObject) => JsonObject, field: string) => (resourceRules: JsonObject[]) =>
  make({ [field]: { resourceRules } });
const about = (...resources: string[]) => [{ ...RULE, resources }];

const ROWS: readonly Row[] = [
  {
    what: 'the name of a match condition',
    places: [
      ['validatingwebhookconfigurations', conditionsOf(hook), 'webhooks[0].matchConditions[0].name'],
      ['mutatingwebhookconfigurations', conditionsOf(hook), 'webhooks[0].matchConditions[0].name'],
      ['validatingadmissionpolicies', conditionsOf(policy), 'spec.matchConditions[0].name'],
      ['mutatingadmissionpolicies', conditionsOf(mutatingPolicy), 'spec.matchConditions[0].name'],
    ],
    good: [named('a'), named('a.b-c', 'D'), named('example.com/a.b-c')],
    bad: [named('a_b'), named('a__b'), named('example.com/a_b')],
  },
  {
    what: 'the resources of a rule',
    places: [
      ['validatingwebhookconfigurations', (rules) => hook({ rules }), 'webhooks[0].rules[0].resources[1]'],
      ['mutatingwebhookconfigurations', (rules) => hook({ rules }), 'webhooks[0].rules[0].resources[1]'],
      [
        'validatingadmissionpolicies',
        rulesOf(policy, 'matchConstraints'),
        'spec.matchConstraints.resourceRules[0].resources[1]',
      ],
      [
        'mutatingadmissionpolicies',
        rulesOf(mutatingPolicy, 'matchConstraints'),
        'spec.matchConstraints.resourceRules[0].resources[1]',
      ],
      [
        'validatingadmissionpolicybindings',
        rulesOf(binding, 'matchResources'),
        'spec.matchResouces.resourceRules[0].resources[1]',
      ],
      [
        'mutatingadmissionpolicybindings',
        rulesOf(mutatingBinding, 'matchResources'),
        'spec.matchResouces.resourceRules[0].resources[1]',
      ],
    ],
    good: [
      about('*/scale', '*/status'),
      about('pods/*', 'deployments/*'),
      about('*', 'pods/log'),
      about('*', 'pods/*'),
    ],
    bad: [about('pods/*', '*/scale'), about('*/scale', 'pods/*'), about('pods/*', '*/log', 'secrets')],
  },
  {
    what: 'the url of a webhook',
    places: [
      [
        'validatingwebhookconfigurations',
        ([clientConfig = {}]) => hook({ clientConfig }),
        'webhooks[0].clientConfig.url',
      ],
      [
        'mutatingwebhookconfigurations',
        ([clientConfig = {}]) => hook({ clientConfig }),
        'webhooks[0].clientConfig.url',
      ],
      [
        'customresourcedefinitions',
        ([clientConfig = {}]) => definition(clientConfig),
        'spec.conversion.webhookClientConfig.url',
      ],
    ],
    good: ['https://example.com', 'https://svc/', 'https://a.svc.example.com:443/x', 'https://192.0.2.1/a.b.svc'].map(
      (url) => [{ url }],
    ),
    bad: [
      'https://hook.default.svc',
      'https://hook.default.svc:8443/x',
      'https://HOOK.default.SVC/',
      'https://hook.default.svc.cluster.local/x',
      'https://hook.default.svc.cluster.local.:443/',
    ].map((url) => [{ url }]),
  },
  {
    what: 'the group of the role of a binding',
    places: [
      ['clusterrolebindings', ([roleRef = {}]) => ({ roleRef }), 'roleRef.apiGroup'],
      ['rolebindings', ([roleRef = {}]) => ({ roleRef }), 'roleRef.apiGroup'],
    ],
    good: [[{ kind: 'ClusterRole', name: 'view', apiGroup: 'rbac.authorization.k8s.io' }]],
    bad: [[{ kind: 'ClusterRole', name: 'view' }], [{ kind: 'ClusterRole', name: 'view', apiGroup: '' }]],
  },
];

for (const { what, places, good, bad } of ROWS) {
  for (const [resource, make, path] of places) {
    test(`${what} of ${resource} is held to the text, and to the service where that is followed`, () => {
      for (const value of good) {
        for (const follow of ['spec', 'service'] as const) {
          assert.deepEqual(faultsOf(resource, make(value), follow), [], `${follow}: ${JSON.stringify(value)}`);
        }
      }
      for (const value of bad) {
        assert.deepEqual(faultsOf(resource, make(value), 'spec'), [path], JSON.stringify(value));
        assert.deepEqual(faultsOf(resource, make(value), 'service'), [], JSON.stringify(value));
      }
    });
  }
}

/** What becomes of the shares of a priority level: by the text, and at the service. */
const SHARES = [
  [undefined, 30, 30],
  [0, 0, 30],
  [7, 7, 7],
] as const;
for (const version of ['v1beta3', 'v1beta2', 'v1beta1', 'v1alpha1']) {
  test(`shares of ${version} that are not set are 30, and 0 is kept where the text is followed`, () => {
    const name = version === 'v1beta3' ? 'nominalConcurrencyShares' : 'assuredConcurrencyShares';
    for (const [given, spec, service] of SHARES) {
      for (const follow of ['spec', 'service'] as const) {
        const type = typeOf('prioritylevelconfigurations', follow);
        const found = type?.versions.get(version);
        assert.ok(found?.toStorage && found.fromStorage);
        const limited = { ...(given === undefined ? {} : { [name]: given }), limitResponse: { type: 'Reject' } };
        const sent = { metadata: { name: 'x' }, spec: { type: 'Limited', limited } };
        const object = decodeTyped(found.schema, sent).object as unknown as ApiObject;
        found.applyDefaults?.(object);
        const stored = found.toStorage(object);
        const shares = (one: ApiObject, member: string) =>
          ((one.spec as JsonObject).limited as JsonObject | undefined)?.[member];
        const kept = follow === 'spec' ? spec : service;
        assert.equal(shares(stored, 'nominalConcurrencyShares'), kept);
        assert.equal(shares(found.fromStorage(stored), name), kept);
      }
    }
  });
}
