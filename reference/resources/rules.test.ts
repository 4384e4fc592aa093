import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import type { Follow } from '../../fixtures/follow.ts';
import type { JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import type { WriteContext } from '../contracts/resourceType.ts';
import { decodeTyped } from '../schema/decode.ts';
import { builtinTypes } from './builtin.ts';

const warnings: string[] = [];
const context: WriteContext = {
  user: { username: 'u', uid: '', groups: [], extra: {} } as unknown as WriteContext['user'],
  now: 0,
  uuid: () => 'uid',
  warn: (text) => warnings.push(text),
  version: 'v1',
};

/** Writes an object as the verbs do, as far as the rules of its type go. */
function fixture(resource: string, follow: Follow = 'service') {
  const all = builtinTypes({
    dialect: kubernetes,
    release: 36,
    follow,
    compileMatchCondition: (expression) => (expression === 'bad' ? 'compilation failed' : undefined),
  });
  const type = all.find((one) => one.resource === resource && one.group !== 'events.k8s.io');
  assert.ok(type);
  const version = type.versions.get('v1');
  assert.ok(version);
  const read = (json: JsonObject): ApiObject => {
    const object = decodeTyped(version.schema, { metadata: { name: 'x', namespace: 'default' }, ...json }).object;
    version.applyDefaults?.(object as unknown as ApiObject);
    return object as unknown as ApiObject;
  };
  return {
    create(json: JsonObject) {
      const object = read(json);
      type.strategy.prepareForCreate?.(object, context);
      const errors = type.strategy.validate?.(object, context) ?? [];
      warnings.push(...(type.strategy.warnings?.(object, undefined) ?? []));
      return { object, errors: errors.map((error) => `${error.field}: ${error.message}`) };
    },
    update(old: JsonObject, json: JsonObject) {
      const before = this.create(old).object;
      const object = read(json);
      type.strategy.prepareForUpdate?.(object, before, context);
      const errors = type.strategy.validateUpdate?.(object, before, context) ?? [];
      return { object, errors: errors.map((error) => `${error.field}: ${error.message}`) };
    },
  };
}

test('a namespace is active, labelled with its name and holds the finalizer of the service', () => {
  const namespaces = fixture('namespaces');
  const { object } = namespaces.create({ spec: { finalizers: ['example.com/x'] }, status: { phase: 'Terminating' } });
  assert.deepEqual(object.spec, { finalizers: ['example.com/x', 'kubernetes'] });
  assert.deepEqual(object.status, { phase: 'Active' });
  assert.deepEqual(object.metadata.labels, { 'kubernetes.io/metadata.name': 'x' });
  const changed = namespaces.update({}, { metadata: { name: 'x', labels: { 'kubernetes.io/metadata.name': 'y' } } });
  assert.deepEqual(changed.object.spec, { finalizers: ['kubernetes'] });
  assert.equal(changed.object.metadata.labels?.['kubernetes.io/metadata.name'], 'x');
  assert.match(
    namespaces.create({ spec: { finalizers: ['plain'] } }).errors[0] ?? '',
    /^spec\.finalizers: .*neither a standard/,
  );
});

test('config maps keep keys apart, have a limit, and can be frozen', () => {
  const maps = fixture('configmaps');
  assert.deepEqual(maps.create({ data: { k: 'x' }, binaryData: { k: 'AA==' } }).errors, [
    'data[k]: Invalid value: "k": duplicate of key present in binaryData',
  ]);
  assert.deepEqual(maps.create({ data: { k: 'x'.repeat(1024 * 1024 + 1) } }).errors, [
    '[]: Too long: may not be more than 1048576 bytes',
  ]);
  assert.deepEqual(maps.create({ data: { k: 'x'.repeat(1024 * 1024) } }).errors, []);
  const frozen = { immutable: true, data: { a: '1' } };
  assert.deepEqual(maps.update(frozen, { data: { a: '2' } }).errors, [
    'immutable: Forbidden: field is immutable when `immutable` is set',
    'data: Forbidden: field is immutable when `immutable` is set',
  ]);
  assert.deepEqual(maps.update(frozen, { ...frozen, metadata: { name: 'x', labels: { l: 'v' } } }).errors, []);
});

test('secrets merge text into data and ask for the keys of their type', () => {
  const secrets = fixture('secrets');
  const { object } = secrets.create({ data: { a: 'b2xk', b: 'Yg==' }, stringData: { a: 'new', c: 'c' } });
  assert.deepEqual(object.data, { a: 'bmV3', b: 'Yg==', c: 'Yw==' });
  assert.equal(object.stringData, undefined);
  assert.equal(object.type, 'Opaque');
  const faults = (type: string, data: JsonObject = {}) =>
    secrets.create({ type: `kubernetes.io/${type}`, data }).errors;
  assert.deepEqual(faults('tls', { 'tls.crt': 'YQ==' }), ['data[tls.key]: Required value']);
  assert.deepEqual(faults('basic-auth'), ['data[username]: Required value', 'data[password]: Required value']);
  assert.deepEqual(faults('basic-auth', { username: 'YQ==' }), []);
  assert.deepEqual(faults('service-account-token'), [
    'metadata.annotations[kubernetes.io/service-account.name]: Required value',
  ]);
  assert.deepEqual(faults('dockerconfigjson', { '.dockerconfigjson': Buffer.from('[]').toString('base64') }), [
    'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}',
  ]);
  assert.deepEqual(secrets.update({}, { type: 'example.com/other' }).errors, [
    'type: Invalid value: "example.com/other": field is immutable',
  ]);
});

test('roles need verbs with groups and resources, or URLs alone in cluster roles', () => {
  const roles = fixture('roles');
  const clusterRoles = fixture('clusterroles');
  assert.equal(roles.create({ rules: [{}] }).errors.length, 3);
  const url = { nonResourceURLs: ['/x'], verbs: ['get'] };
  assert.deepEqual(clusterRoles.create({ rules: [url] }).errors, []);
  assert.deepEqual(roles.create({ rules: [url] }).errors, [
    'rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
  ]);
  assert.deepEqual(clusterRoles.create({ aggregationRule: {} }).errors, [
    'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
  ]);
});

test('bindings fill in the group and keep their role', () => {
  const bindings = fixture('clusterrolebindings');
  const roleRef = { kind: 'ClusterRole', name: 'view' };
  const { object } = bindings.create({
    roleRef,
    subjects: [
      { kind: 'User', name: 'u' },
      { kind: 'ServiceAccount', name: 's', namespace: 'n' },
    ],
  });
  const group = 'rbac.authorization.k8s.io';
  assert.deepEqual(object.roleRef, { apiGroup: group, ...roleRef });
  assert.deepEqual(object.subjects, [
    { kind: 'User', apiGroup: group, name: 'u' },
    { kind: 'ServiceAccount', name: 's', namespace: 'n' },
  ]);
  assert.deepEqual(
    bindings.create({
      roleRef,
      subjects: [
        { kind: 'ServiceAccount', name: 's' },
        { kind: 'Robot', name: '' },
      ],
    }).errors,
    [
      'subjects[0].namespace: Required value',
      'subjects[1].name: Required value',
      'subjects[1].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
    ],
  );
  assert.deepEqual(bindings.update({ roleRef }, { roleRef: { ...roleRef, name: 'edit' } }).errors, [
    `roleRef: Invalid value: {"APIGroup":"${group}","Kind":"ClusterRole","Name":"edit"}: cannot change roleRef`,
  ]);
  assert.throws(
    () =>
      fixture('clusterrolebindings', 'spec').update(
        { roleRef: { ...roleRef, apiGroup: group } },
        { roleRef: { ...roleRef, apiGroup: group, name: 'edit' } },
      ),
    {
      code: 400,
    },
  );
  assert.deepEqual(fixture('rolebindings').create({ roleRef: { kind: 'Role', name: 'r' } }).errors, []);
});

const hook = (fields: JsonObject): JsonObject => ({
  webhooks: [
    {
      name: 'h.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { url: 'https://example.com' },
      ...fields,
    },
  ],
});

test('webhooks get their defaults', () => {
  const { object, errors } = fixture('validatingwebhookconfigurations').create(
    hook({
      clientConfig: { service: { name: 's', namespace: 'n' } },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['pods'] }],
    }),
  );
  assert.deepEqual(errors, []);
  const webhook = (object.webhooks as JsonObject[])[0] as JsonObject;
  assert.equal(webhook.failurePolicy, 'Fail');
  assert.equal(webhook.matchPolicy, 'Equivalent');
  assert.equal(webhook.timeoutSeconds, 10);
  assert.deepEqual(webhook.namespaceSelector, {});
  assert.deepEqual((webhook.clientConfig as JsonObject).service, { name: 's', namespace: 'n', port: 443 });
  assert.equal((webhook.rules as JsonObject[])[0]?.scope, '*');
  const mutating = fixture('mutatingwebhookconfigurations').create(hook({})).object.webhooks as JsonObject[];
  assert.equal(mutating[0]?.reinvocationPolicy, 'Never');
});

test('webhooks are refused field by field', () => {
  const faults = (fields: JsonObject, follow: Follow = 'service') =>
    fixture('validatingwebhookconfigurations', follow)
      .create(hook(fields))
      .errors.map((error) => error.replace('webhooks[0].', ''));
  assert.deepEqual(faults({ name: 'short' }), [
    'name: Invalid value: "short": should be a domain with at least three segments separated by dots',
  ]);
  assert.deepEqual(faults({ admissionReviewVersions: ['v9', 'v9'] }), [
    'admissionReviewVersions[1]: Invalid value: "v9": duplicate version',
    'admissionReviewVersions: Invalid value: ["v9","v9"]: must include at least one of v1, v1beta1',
  ]);
  assert.deepEqual(faults({ sideEffects: null }), [
    'sideEffects: Required value: must specify one of None, NoneOnDryRun',
  ]);
  assert.deepEqual(faults({ clientConfig: {} }), [
    'clientConfig: Required value: exactly one of url or service is required',
  ]);
  const url = (text: string) => faults({ clientConfig: { url: text } });
  assert.deepEqual(url('https://[::1]:8443/a?'), []);
  assert.deepEqual(url('http://u:p@/?q=1#f').length, 5);
  assert.match(
    url('https://a b/')[0] ?? '',
    /url must be a valid URL: parse "https:\/\/a b\/": invalid character " " in host name/,
  );
  assert.match(url('https://a:x/')[0] ?? '', /invalid port ":x" after host/);
  assert.match(url('https://a/%zz')[0] ?? '', /invalid URL escape "%zz"/);
  const path = (text: string) => faults({ clientConfig: { service: { name: 's', namespace: 'n', path: text } } });
  assert.deepEqual(path('/a/b/'), []);
  assert.deepEqual(path('x').length, 2);
  assert.deepEqual(
    faults({
      matchConditions: [
        { name: 'a', expression: 'bad' },
        { name: 'a', expression: ' ' },
      ],
    }),
    [
      'matchConditions[0].expression: Invalid value: "bad": compilation failed',
      'matchConditions[1].expression: Required value',
      'matchConditions[1].name: Duplicate value: "a"',
    ],
  );
});

test('resources that a wildcard covers are refused in one order by the service, in any order by the text', () => {
  const faults = (resources: string[], follow: Follow) =>
    fixture('validatingwebhookconfigurations', follow).create(
      hook({ rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources }] }),
    ).errors.length;
  for (const follow of ['service', 'spec'] as const) {
    assert.equal(faults(['pods/*', 'pods/log'], follow), 1);
    assert.equal(faults(['*', 'pods/log'], follow), 0);
    assert.equal(faults(['*/scale', '*/status'], follow), 0);
    assert.equal(faults(['*/*', 'pods'], follow), 1);
  }
  assert.deepEqual([faults(['pods/log', 'pods/*'], 'service'), faults(['pods/log', 'pods/*'], 'spec')], [0, 1]);
  assert.deepEqual([faults(['pods', '*'], 'service'), faults(['pods', '*'], 'spec')], [0, 1]);
});

test('a bundle of certificates is looked at by the text alone', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const bundle = { url: 'https://example.com', caBundle: Buffer.from(pem).toString('base64') };
  assert.deepEqual(fixture('validatingwebhookconfigurations').create(hook({ clientConfig: bundle })).errors, []);
  assert.match(
    fixture('validatingwebhookconfigurations', 'spec').create(hook({ clientConfig: bundle })).errors[0] ?? '',
    /caBundle: Invalid value/,
  );
});

test('events live where their object lives, leases have sound numbers', () => {
  const events = fixture('events');
  assert.deepEqual(events.create({ involvedObject: { namespace: 'default' } }).errors, []);
  assert.deepEqual(events.create({ involvedObject: { namespace: 'other' } }).errors, [
    'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
  ]);
  assert.deepEqual(fixture('leases').create({ spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } }).errors, [
    'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
    'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
  ]);
});

test('of its secrets a service account keeps names, and an old annotation warns', () => {
  const { object } = fixture('serviceaccounts').create({
    metadata: { name: 'x', annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
    secrets: [{ name: 's', namespace: 'n', kind: 'Secret' }, {}],
  });
  assert.deepEqual(object.secrets, [{ name: 's' }, {}]);
  assert.match(
    warnings.at(-1) ?? '',
    /^metadata\.annotations\[kubernetes\.io\/enforce-mountable-secrets\]: deprecated/,
  );
});
