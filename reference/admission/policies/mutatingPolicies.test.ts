import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type JsonObject, MAX_DEPTH } from '../../api/json.ts';
import { objectOf } from '../../api/parts.ts';
import { type ReleaseFixture, releaseFixture } from '../../testing/releaseFixture.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';

let fixture: ReleaseFixture;
beforeEach(async () => {
  fixture = await releaseFixture('1.36');
});
afterEach(() => fixture.close());

const apply = (expression: string): JsonObject => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patch = (expression: string): JsonObject => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

async function sent(path: string, body: object): Promise<{ code: number; body: JsonObject }> {
  return fixture.send('POST', path, body);
}
async function policy(name: string, spec: JsonObject, binding: JsonObject = {}): Promise<void> {
  const rules = [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps', 'pods'] },
  ];
  const made = await sent(`${GROUP}/mutatingadmissionpolicies`, {
    metadata: { name },
    spec: { matchConstraints: { resourceRules: rules }, reinvocationPolicy: 'Never', failurePolicy: 'Fail', ...spec },
  });
  assert.equal(made.code, 201, JSON.stringify(made.body));
  const bound = await sent(`${GROUP}/mutatingadmissionpolicybindings`, {
    metadata: { name },
    spec: { policyName: name, ...binding },
  });
  assert.equal(bound.code, 201, JSON.stringify(bound.body));
}
const create = (name: string, more: JsonObject = {}) => sent(CONFIG_MAPS, { metadata: { name }, ...more });
const labelsOf = ({ body }: { body: JsonObject }) => objectOf(objectOf(body.metadata).labels);

/** A mutation of a config map `{data: {k: 'v'}}`, and the data that comes of it; undefined: refused. */
const MUTATIONS: readonly (readonly [mutation: JsonObject, data: JsonObject | undefined])[] = [
  [apply('Object{data: {"a": "b"}}'), { a: 'b', k: 'v' }],
  [apply('Object{data: {"k": object.data.k + "!"}}'), { k: 'v!' }],
  [apply('Object{}'), { k: 'v' }],
  [
    apply('has(object.data.none) ? Object{} : Object{data: {"none": "{not, a: struct}"}}'),
    { k: 'v', none: '{not, a: struct}' },
  ],
  [apply('Object{?data: optional.of({"o": "p"})}'), { k: 'v', o: 'p' }],
  [apply('Object{?data: optional.none()}'), { k: 'v' }],
  [
    apply('Object{metadata: Object.metadata{labels: {"x": "y"}}, data: {"n": request.namespace}}'),
    { k: 'v', n: 'default' },
  ],
  [apply(`Object{data: {"r": r"\\d", 's': 'Object{a: "}"}'}}`), { k: 'v', r: '\\d', s: 'Object{a: "}"}' }],
  [apply('Object{nothing: "x"}'), undefined],
  [apply('Object{metadata: Object.data{}}'), undefined],
  [apply('{"data": {}}'), undefined],
  [apply('object.data.none.more'), undefined],
  [patch('[JSONPatch{op: "add", path: "/data/a", value: "b"}]'), { a: 'b', k: 'v' }],
  [patch('[JSONPatch{op: "remove", path: "/data/k"}]'), {}],
  [patch('[JSONPatch{op: "copy", from: "/data/k", path: "/data/l"}]'), { k: 'v', l: 'v' }],
  [
    patch(
      '[JSONPatch{op: "test", path: "/data/k", value: "v"}, JSONPatch{op: "replace", path: "/data/k", value: "w"}]',
    ),
    { k: 'w' },
  ],
  [
    patch(
      '[JSONPatch{op: "test", path: "/data/k", value: "x"}, JSONPatch{op: "replace", path: "/data/k", value: "w"}]',
    ),
    { k: 'v' },
  ],
  [patch('[JSONPatch{op: "replace", path: "/data", value: {"m": object.metadata.name}}]'), { m: 'c' }],
  [patch('[JSONPatch{op: "add", path: "/data/" + jsonpatch.escapeKey("a.b"), value: "c"}]'), { 'a.b': 'c', k: 'v' }],
  [patch('[]'), { k: 'v' }],
  [patch('[JSONPatch{op: "remove", path: "/data/none"}]'), undefined],
  [patch('[JSONPatch{op: "add", path: "/data/k", value: 3}]'), undefined],
  [patch('[JSONPatch{operation: "add"}]'), undefined],
  [patch('JSONPatch{op: "add"}'), undefined],
];

describe('policies that change objects', () => {
  for (const [mutation, data] of MUTATIONS) {
    const { expression } = objectOf(mutation.applyConfiguration ?? mutation.jsonPatch);
    test(`${String(expression)} ${data ? `makes ${JSON.stringify(data)}` : 'is refused'}`, async () => {
      await policy('p', { mutations: [mutation] });
      const made = await create('c', { data: { k: 'v' } });
      if (data) {
        assert.equal(made.code, 201, JSON.stringify(made.body));
        assert.deepEqual(made.body.data ?? {}, data);
      } else {
        assert.equal(made.code, 422, JSON.stringify(made.body));
        assert.equal((await fixture.send('GET', `${CONFIG_MAPS}/c`)).code, 404);
      }
    });
  }

  test('what cannot be changed is left where the policy ignores its failure', async () => {
    await policy('p', { failurePolicy: 'Ignore', mutations: [patch('[JSONPatch{op: "remove", path: "/data/none"}]')] });
    assert.deepEqual((await create('c', { data: { k: 'v' } })).body.data, { k: 'v' });
  });

  test('lists whose items have keys are merged, and those without may not be touched', async () => {
    const container = '[Object.spec.initContainers{name: "side", image: "s"}]';
    await policy('p', { mutations: [apply(`Object{spec: Object.spec{initContainers: ${container}}}`)] });
    const spec = { containers: [{ name: 'c', image: 'i' }], initContainers: [{ name: 'own', image: 'o' }] };
    await sent('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
    const made = await sent(PODS, { metadata: { name: 'p' }, spec });
    assert.equal(made.code, 201, JSON.stringify(made.body));
    const names = (objectOf(made.body.spec).initContainers as JsonObject[]).map(({ name }) => name);
    assert.deepEqual(names.sort(), ['own', 'side']);
    const args = '[Object.spec.containers{name: "c", args: ["x"]}]';
    await policy('q', { mutations: [apply(`Object{spec: Object.spec{containers: ${args}}}`)] });
    assert.equal((await sent(PODS, { metadata: { name: 'q' }, spec })).code, 422);
  });

  test('nothing is laid over an object that would nest it deeper than a body may be', async () => {
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const properties = { spec: open, more: { type: 'object', additionalProperties: open } };
    const names = { plural: 'deeps', singular: 'deep', kind: 'Deep', listKind: 'DeepList' };
    const versions = [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } },
    ];
    const spec = { group: 'example.com', scope: 'Namespaced', names, versions };
    const defined = { metadata: { name: 'deeps.example.com' }, spec };
    assert.equal((await sent('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', defined)).code, 201);
    const rules = [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deeps'] }];
    const mutations = [apply('Object{more: {"a": object.spec}}')];
    await policy('p', { matchConstraints: { resourceRules: rules }, mutations });
    const made = async (name: string, levels: number) => {
      let inner: JsonObject = {};
      for (let i = 1; i < levels; i++) inner = { k: inner };
      return sent('/apis/example.com/v1/namespaces/default/deeps', {
        apiVersion: 'example.com/v1',
        kind: 'Deep',
        metadata: { name },
        spec: inner,
      });
    };
    // The object itself and what the policy puts above.
    const { code, body } = await made('a', MAX_DEPTH - 2);
    assert.equal(code, 201, JSON.stringify(body));
    assert.ok(objectOf(body.more).a);
    assert.equal((await made('b', MAX_DEPTH - 1)).code, 422);
  });

  test('conditions, variables, parameters and bindings decide about what is changed', async () => {
    await create('limits', { data: { level: 'high' } });
    await policy(
      'p',
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConditions: [{ name: 'asked', expression: 'object.metadata.name.startsWith("do-")' }],
        variables: [{ name: 'level', expression: 'params.data.level' }],
        mutations: [apply('Object{data: {"level": variables.level}}')],
      },
      {
        paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' },
        matchResources: { objectSelector: { matchLabels: { on: 'yes' } } },
      },
    );
    const on = { labels: { on: 'yes' } };
    const asked = async (name: string, metadata: JsonObject = {}) =>
      (await sent(CONFIG_MAPS, { metadata: { name, ...metadata } })).body.data;
    assert.deepEqual(await asked('do-it', on), { level: 'high' });
    assert.equal(await asked('leave-it', on), undefined);
    assert.equal(await asked('do-not'), undefined);
    await fixture.send('DELETE', `${CONFIG_MAPS}/limits`);
    assert.equal((await sent(CONFIG_MAPS, { metadata: { name: 'do-it-again', ...on } })).code, 422);
  });

  test('who asks for it sees what others changed later, and nobody else runs twice', async () => {
    const counts = (name: string) =>
      apply(
        `Object{metadata: Object.metadata{labels: {"${name}": has(object.metadata.labels) && "${name}" in object.metadata.labels ? object.metadata.labels["${name}"] + "1" : "1"}}}`,
      );
    await policy('a', { reinvocationPolicy: 'IfNeeded', mutations: [counts('a')] });
    await policy('b', { reinvocationPolicy: 'Never', mutations: [counts('b')] });
    assert.deepEqual(labelsOf(await create('c')), { a: '11', b: '1' });
  });

  test('mutations of one policy come one after the other', async () => {
    await policy('p', {
      mutations: [
        apply('Object{data: {"a": "1"}}'),
        patch('[JSONPatch{op: "move", from: "/data/a", path: "/data/b"}]'),
      ],
    });
    assert.deepEqual((await create('c', { data: {} })).body.data, { b: '1' });
  });
});

test('where the gate is off there are no such policies', async () => {
  for (const [release, ...flags] of [
    ['1.32'],
    ['1.35', '--runtime-config=api/all=true', '--feature-gates=MutatingAdmissionPolicy=false'],
  ] as const) {
    const off = await releaseFixture(release, flags);
    for (const version of ['v1', 'v1beta1', 'v1alpha1']) {
      const { code } = await off.send('GET', `/apis/admissionregistration.k8s.io/${version}/mutatingadmissionpolicies`);
      assert.equal(code, 404, `${release} ${version}`);
    }
    await off.close();
  }
});
