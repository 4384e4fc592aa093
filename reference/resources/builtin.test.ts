import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../fixtures/dialects/cluster.ts';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import type { ResourceType } from '../contracts/resourceType.ts';
import type { ListSchema, ObjectSchema, Schema } from '../schema/schema.ts';
import { builtinTypes } from './builtin.ts';

const types = (release: number, dialect = kubernetes) => builtinTypes({ dialect, release, follow: 'spec' });
const find = (all: readonly ResourceType[], group: string, resource: string): ResourceType => {
  const type = all.find((one) => one.group === group && one.resource === resource);
  assert.ok(type, `${group}/${resource}`);
  return type;
};

test('groups carry the domain of the dialect, where they have one', () => {
  const names = new Set(types(32, cluster).map((type) => type.group));
  for (const group of [
    '',
    'apps',
    'batch',
    'rbac.authorization.cluster.example',
    'flowcontrol.apiserver.cluster.example',
  ]) {
    assert.ok(names.has(group), group);
  }
  assert.ok([...names].every((name) => !name.includes('k8s.io') && !name.includes('{')));
});

test('a release has the types and fields of its time', () => {
  const old = types(32);
  const late = types(36);
  assert.ok(!old.some((type) => type.group === 'resource.k8s.io'));
  assert.ok(late.some((type) => type.group === 'resource.k8s.io' && type.resource === 'resourceclaims'));
  const swapOf = (all: readonly ResourceType[]) => {
    const pods = find(all, '', 'pods').versions.get('v1');
    return [pods?.subresources.some((one) => one.name === 'resize'), find(all, '', 'pods').strategy.generation];
  };
  assert.deepEqual(swapOf(old), [false, false]);
  assert.deepEqual(swapOf(late), [true, true]);
});

test('every schema can be read to its end, with numbers and known kinds of lists', () => {
  const seen = new Set<Schema>();
  const waiting: Schema[] = types(36).flatMap((type) => [...type.versions.values()].map((version) => version.schema));
  let fields = 0;
  for (let schema = waiting.pop(); schema; schema = waiting.pop()) {
    if (seen.has(schema)) continue;
    seen.add(schema);
    if (schema.kind === 'list') {
      waiting.push(schema.items);
      if (schema.listType === 'map') assert.ok(schema.keys.length > 0 && schema.items.kind === 'object');
    } else if (schema.kind === 'map') waiting.push(schema.values);
    else if (schema.kind === 'untyped') waiting.push(...(schema.forms ?? []));
    else if (schema.kind === 'object') {
      const numbers = new Set<string>();
      for (const field of schema.fields.values()) {
        fields++;
        waiting.push(field.schema);
        const number = [...(field.within ?? []), field.number].join('.');
        if (field.name !== 'kind' && field.name !== 'apiVersion')
          assert.ok(field.number, `${schema.name}.${field.name}`);
        assert.ok(field.number === undefined || !numbers.has(number), `${schema.name}.${field.name} ${number}`);
        numbers.add(number);
      }
    }
  }
  assert.ok(fields > 1500);
});

test('keys of lists are fields of their items', () => {
  const pod = find(types(36), '', 'pods').versions.get('v1')?.schema as ObjectSchema;
  const spec = pod.fields.get('spec')?.schema as ObjectSchema;
  const containers = spec.fields.get('containers')?.schema as ListSchema;
  const ports = (containers.items as ObjectSchema).fields.get('ports')?.schema as ListSchema;
  assert.deepEqual(ports.keys, ['containerPort', 'protocol']);
  for (const key of ports.keys) assert.ok((ports.items as ObjectSchema).fields.has(key));
  assert.deepEqual(spec.fields.get('volumes')?.patch, { strategies: ['merge', 'retainKeys'], mergeKey: 'name' });
});

test('types know their versions, names and ways to be written', () => {
  const all = types(32);
  const scaler = find(all, 'autoscaling', 'horizontalpodautoscalers');
  assert.deepEqual([...scaler.versions.keys()], ['v2', 'v1']);
  assert.equal(scaler.storageVersion, 'v2');
  assert.deepEqual(find(all, 'apps', 'deployments').shortNames, ['deploy']);
  assert.equal(find(all, '', 'endpoints').singular, 'endpoints');
  assert.equal(find(all, '', 'services').strategy.deleteReturnsObject, true);
  assert.equal(find(all, 'coordination.k8s.io', 'leases').strategy.unconditionalUpdate, false);
  for (const name of ['flowschemas', 'prioritylevelconfigurations']) {
    assert.equal(find(all, 'flowcontrol.apiserver.k8s.io', name).strategy.unconditionalUpdate, true, name);
  }
  assert.equal(find(all, 'rbac.authorization.k8s.io', 'roles').strategy.createOnUpdate, true);
  assert.deepEqual(find(all, 'apps', 'deployments').strategy.resetFields, [['status']]);
});

const NO_OPERATIONS = { types: {}, subresources: {} };

test('what only computes an answer is an operation, refused while nobody computes it', () => {
  const reviews = find(types(32), 'authorization.k8s.io', 'subjectaccessreviews').versions.get('v1');
  const asked = { apiVersion: '', kind: '', metadata: {} };
  assert.throws(() => reviews?.operation?.(NO_OPERATIONS)(asked, {} as never, false), { code: 405 });
  const answer = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: {} };
  const operations = { ...NO_OPERATIONS, types: { 'authorization/subjectaccessreviews': () => answer } };
  assert.equal(reviews?.operation?.(operations)(asked, {} as never, false), answer);
});

test('what runs on nodes is not reached', async () => {
  const pods = find(types(32), '', 'pods').versions.get('v1');
  const exec = pods?.subresources.find((one) => one.name === 'exec');
  assert.ok(exec?.form === 'operation');
  const call = (spec: Record<string, string>) => ({
    parent: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec },
    body: {} as never,
    exchange: {} as never,
    dryRun: false,
  });
  await assert.rejects(exec.run(NO_OPERATIONS)(call({})), {
    code: 400,
    message: 'pod p does not have a host assigned',
  });
  await assert.rejects(exec.run(NO_OPERATIONS)(call({ nodeName: 'n' })), { code: 404, message: 'nodes "n" not found' });
});

test('calls to a deprecated type warn from its release on', () => {
  const warning = (release: number) => find(types(release), '', 'endpoints').versions.get('v1')?.deprecation?.warning;
  assert.equal(warning(32), undefined);
  assert.equal(warning(33), 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice');
});

test('some types are selected by more than name and namespace', () => {
  const fields = find(types(32), '', 'pods').versions.get('v1')?.selectableFields;
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {},
    spec: { nodeName: 'n', hostNetwork: true },
    status: { podIPs: [{ ip: '10.0.0.1' }] },
  };
  assert.equal(fields?.get('spec.nodeName')?.(pod), 'n');
  assert.equal(fields?.get('spec.hostNetwork')?.(pod), 'true');
  assert.equal(fields?.get('status.podIP')?.(pod), '10.0.0.1');
  assert.equal(fields?.get('status.phase')?.(pod), '');
  assert.equal(find(types(32), 'apps', 'deployments').versions.get('v1')?.selectableFields, undefined);
});
