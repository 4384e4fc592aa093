import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { podTemplate, workloadFixture } from '../../testing/typeRulesFixture.ts';

const selector = { matchLabels: { app: 'a' } };
const workload = (more: JsonObject = {}): JsonObject => ({ spec: { selector, template: podTemplate(), ...more } });
const specOf = (object: JsonObject | ApiObject): JsonObject => object.spec as JsonObject;

for (const resource of ['deployments', 'replicasets', 'statefulsets', 'daemonsets']) {
  const fixture = workloadFixture(resource);

  test(`${resource}: the smallest one is sound, and gets what it does not say`, () => {
    const { object, errors, warnings } = fixture.create(workload());
    assert.deepEqual(errors, []);
    assert.deepEqual(warnings, []);
    const template = specOf(object).template as JsonObject;
    const pod = template.spec as JsonObject;
    assert.equal(pod.restartPolicy, 'Always');
    // Only pods themselves get this.
    assert.equal(pod.enableServiceLinks, undefined);
    if (resource !== 'daemonsets') assert.equal(specOf(object).replicas, 1);
  });

  test(`${resource}: what is selected is what is made, and stays`, () => {
    const other = workload({ selector: { matchLabels: { app: 'b' } } });
    const mismatch =
      'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`';
    assert.deepEqual(fixture.create(other).errors, [mismatch]);
    assert.match(
      fixture.create(workload({ selector: {} })).errors.join(),
      /spec\.selector: Invalid value: {}: empty selector/,
    );
    const old = fixture.create(workload()).object;
    const template = { ...podTemplate(), metadata: { labels: { app: 'b' } } };
    const { errors } = fixture.update(
      old,
      workload({ selector: other.spec && (other.spec as JsonObject).selector, template } as JsonObject),
    );
    assert.match(
      errors.join(),
      resource === 'statefulsets' ? /updates to statefulset spec/ : /spec\.selector: .*field is immutable/,
    );
  });

  test(`${resource}: pods do not end by themselves`, () => {
    const { errors } = fixture.create(
      workload({ template: podTemplate({}, { restartPolicy: 'Never', activeDeadlineSeconds: 5 }) }),
    );
    assert.equal(errors[0], 'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"');
    assert.match(
      errors[1] ?? '',
      /^spec\.template\.spec\.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in \w+ is not Supported$/,
    );
  });

  test(`${resource}: the status counts no less than nothing`, () => {
    const old = fixture.create(workload()).object;
    const name = resource === 'daemonsets' ? 'numberReady' : 'replicas';
    const { errors } = fixture.update(old, { ...workload(), status: { [name]: -1 } }, 'status');
    assert.equal(errors[0], `status.${name}: Invalid value: -1: must be greater than or equal to 0`);
  });
}

test('a deployment without anything is told all that is missing, in order', () => {
  assert.deepEqual(workloadFixture('deployments').create({ spec: {} }).errors, [
    'spec.selector: Required value',
    'spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`',
    'spec.template.spec.containers: Required value',
  ]);
});

test('deployments are rolled out within limits', () => {
  const fixture = workloadFixture('deployments');
  const spec = specOf(fixture.create(workload()).object);
  assert.deepEqual(spec.strategy, { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } });
  assert.deepEqual([spec.revisionHistoryLimit, spec.progressDeadlineSeconds], [10, 600]);
  const of = (strategy: JsonObject, more: JsonObject = {}) => fixture.create(workload({ strategy, ...more })).errors;
  const at = 'spec.strategy.rollingUpdate';
  assert.deepEqual(of({ rollingUpdate: { maxUnavailable: 0, maxSurge: '0%' } }), [
    `${at}.maxUnavailable: Invalid value: 0: may not be 0 when \`maxSurge\` is 0`,
  ]);
  assert.deepEqual(of({ rollingUpdate: { maxUnavailable: '101%', maxSurge: 'x' } }), [
    `${at}.maxSurge: Invalid value: "x": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
    `${at}.maxUnavailable: Invalid value: "101%": must not be greater than 100%`,
  ]);
  assert.deepEqual(of({ type: 'Recreate', rollingUpdate: {} }), [
    "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
  ]);
  assert.deepEqual(of({ type: 'X' }), [
    'spec.strategy: Unsupported value: {"Type":"X","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
  ]);
  assert.deepEqual(of({}, { minReadySeconds: 600 }), [
    'spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds',
  ]);
  assert.deepEqual(specOf(fixture.create(workload({ strategy: { type: 'Recreate' } })).object).strategy, {
    type: 'Recreate',
  });
});

test('parts of the replicas of a deployment are not more than all', () => {
  const fixture = workloadFixture('deployments');
  const old = fixture.create(workload()).object;
  const write = (status: JsonObject, before = old) =>
    fixture.update(before, { ...workload(), status }, 'status').errors;
  assert.deepEqual(write({ replicas: 1, readyReplicas: 1, availableReplicas: 2 }), [
    'status.availableReplicas: Invalid value: 2: cannot be greater than status.replicas',
    'status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas',
  ]);
  assert.deepEqual(write({ collisionCount: 1 }, { ...old, status: { collisionCount: 2 } }), [
    'status.collisionCount: Invalid value: 1: cannot be decremented',
  ]);
});

test('a set replaces its pods in order, and keeps what they claim', () => {
  const fixture = workloadFixture('statefulsets');
  const claim = {
    metadata: { name: 'd' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  const mounted = podTemplate({ volumeMounts: [{ name: 'd', mountPath: '/d' }] });
  const { object, errors } = fixture.create(workload({ volumeClaimTemplates: [claim], template: mounted }));
  assert.deepEqual(errors, []);
  const spec = specOf(object);
  const [kept] = spec.volumeClaimTemplates as JsonObject[];
  assert.equal(kept?.kind, 'PersistentVolumeClaim');
  assert.equal(specOf(kept ?? {}).volumeMode, 'Filesystem');
  assert.deepEqual(kept?.status, { phase: 'Pending' });
  assert.deepEqual(spec.updateStrategy, { type: 'RollingUpdate', rollingUpdate: { partition: 0 } });
  assert.deepEqual(
    specOf(fixture.create(workload({ updateStrategy: { type: 'RollingUpdate' } })).object).updateStrategy,
    {
      type: 'RollingUpdate',
    },
  );
  assert.deepEqual(fixture.create(workload({ podManagementPolicy: 'Any' })).errors, [
    "spec.podManagementPolicy: Invalid value: \"Any\": must be 'OrderedReady' or 'Parallel'",
  ]);
  const changed = fixture.changed(object, (draft) => {
    specOf(draft).serviceName = 'other';
  });
  assert.match(
    fixture.update(object, changed).errors.join(),
    /'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden$/,
  );
  const scaled = fixture.changed(object, (draft) => {
    specOf(draft).replicas = 3;
  });
  assert.deepEqual(fixture.update(object, scaled).errors, []);
  // The pods of a set were not looked at before.
  const unmounted = workload({ template: podTemplate({ volumeMounts: [{ name: 'd', mountPath: '/d' }] }) });
  assert.deepEqual(fixture.create(unmounted).errors, [
    'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "d"',
  ]);
  const before = workloadFixture('statefulsets', { release: 32 }).create(unmounted);
  assert.deepEqual(before.errors, []);
  assert.deepEqual(
    fixture.update(before.object, { spec: { ...(unmounted.spec as JsonObject), replicas: 2 } }).errors,
    [],
  );
  assert.deepEqual(
    fixture.create(workload({ volumeClaimTemplates: [{ ...claim, spec: { resources: claim.spec.resources } }] }))
      .errors,
    ['spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required'],
  );
});

test('a daemon set counts the changes of its template', () => {
  const fixture = workloadFixture('daemonsets');
  const count = (object: { readonly metadata: { readonly annotations?: Record<string, string> | undefined } }) =>
    object.metadata.annotations?.['deprecated.daemonset.template.generation'];
  const { object } = fixture.create(workload());
  assert.equal(count(object), '1');
  const same = fixture.update(object, workload({ minReadySeconds: 1 }));
  assert.deepEqual([count(same.object), same.errors], ['1', []]);
  const changed = fixture.update(object, workload({ template: podTemplate({ image: 'other' }) }));
  assert.equal(count(changed.object), '2');
  assert.equal(count(fixture.update(object, { ...workload(), status: { numberReady: 1 } }, 'status').object), '1');
  assert.throws(
    () =>
      fixture.create({ metadata: { annotations: { 'deprecated.daemonset.template.generation': 'x' } }, ...workload() }),
    /parsing "x": invalid syntax/,
  );
  const both = workload({ updateStrategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } } });
  assert.deepEqual(fixture.create(both).errors, [
    'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero',
  ]);
});

test('faults of an update are told as often as the service finds them', () => {
  const bad = workload({ template: podTemplate({ image: '' }) });
  const fault = 'spec.template.spec.containers[0].image: Required value';
  const of = (resource: string) => {
    const fixture = workloadFixture(resource);
    return fixture.update(fixture.create(workload()).object, bad).errors;
  };
  assert.deepEqual(of('deployments'), [fault]);
  assert.deepEqual(of('replicasets'), [fault, fault]);
  assert.deepEqual(of('daemonsets'), [fault, fault]);
});

test('templates are warned of where they stand, when they change', () => {
  const fixture = workloadFixture('deployments');
  const template = podTemplate({}, { terminationGracePeriodSeconds: -1 });
  const text =
    'spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1';
  const { object, warnings } = fixture.create(workload({ template }));
  assert.deepEqual(warnings, [text]);
  assert.deepEqual(fixture.update(object, workload({ template })).warnings, [text]);
  const same = fixture.type.strategy.warnings?.(object, object);
  assert.deepEqual(same, []);
  assert.deepEqual(fixture.create({ metadata: { name: 'a.b' }, ...workload() }).warnings, [
    'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
  ]);
});

test('a replication controller selects what it makes unless told otherwise', () => {
  const fixture = workloadFixture('replicationcontrollers');
  const { object, errors } = fixture.create({ spec: { template: podTemplate() } });
  assert.deepEqual(errors, []);
  assert.deepEqual(specOf(object).selector, { app: 'a' });
  assert.deepEqual(object.metadata.labels, { app: 'a' });
  assert.deepEqual(fixture.create({ spec: {} }).errors, [
    'spec.selector: Required value',
    'spec.template: Required value',
  ]);
  assert.deepEqual(fixture.create({ spec: { selector: { app: 'b' }, template: podTemplate() } }).errors, [
    'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
  ]);
});

test('templates by themselves are looked at too', () => {
  const fixture = workloadFixture('podtemplates');
  assert.deepEqual(fixture.create({ template: podTemplate() }).errors, []);
  assert.deepEqual(fixture.create({ template: { spec: {} } }).errors, ['template.spec.containers: Required value']);
});

test('what a revision keeps stays', () => {
  const fixture = workloadFixture('controllerrevisions');
  const { object, errors } = fixture.create({ data: { a: 1 }, revision: 1 });
  assert.deepEqual(errors, []);
  assert.deepEqual(fixture.create({ revision: -1 }).errors, [
    'data: Required value: data is mandatory',
    'revision: Invalid value: -1: must be greater than or equal to 0',
  ]);
  assert.deepEqual(fixture.update(object, { data: { a: 2 }, revision: 2 }).errors, [
    'data: Invalid value: {"a":2}: field is immutable',
  ]);
});
