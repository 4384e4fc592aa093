import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../api/json.ts';
import { podOf, workloadFixture } from '../../../testing/typeRulesFixture.ts';

const pods = workloadFixture('pods');
const firstOf = (list: unknown): JsonObject => (list as JsonObject[])[0] as JsonObject;
const created = (spec: JsonObject = {}, container: JsonObject = {}) => pods.create(podOf(container, spec)).object;

function errorsOf(spec: JsonObject, change: (spec: JsonObject) => void, container: JsonObject = {}): string[] {
  const old = created(spec, container);
  return pods.update(
    old,
    pods.changed(old, (draft) => change(draft.spec as JsonObject)),
  ).errors;
}

test('images, tolerations and deadlines of pods can change, and little else', () => {
  assert.deepEqual(
    errorsOf({}, (spec) => {
      firstOf(spec.containers).image = 'other';
      spec.activeDeadlineSeconds = 5;
      spec.tolerations = [{ key: 'a', operator: 'Exists' }];
    }),
    [],
  );
  const errors = errorsOf({}, (spec) => {
    spec.hostname = 'h';
  });
  assert.equal(errors.length, 1);
  assert.match(
    errors[0] ?? '',
    /^spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`,`spec\.initContainers\[\*\]\.image`,`spec\.activeDeadlineSeconds`,`spec\.tolerations` \(only additions to existing tolerations\),`spec\.terminationGracePeriodSeconds`/,
  );
  assert.deepEqual(
    errorsOf({}, (spec) => {
      spec.containers = [...(spec.containers as JsonObject[]), { name: 'd', image: 'i' }];
    }),
    ['spec.containers: Forbidden: pod updates may not add or remove containers'],
  );
});

test('deadlines only come nearer, tolerations only grow', () => {
  assert.deepEqual(
    errorsOf({ activeDeadlineSeconds: 5 }, (spec) => {
      spec.activeDeadlineSeconds = 6;
    }),
    ['spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous value'],
  );
  const tolerations = [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }];
  assert.deepEqual(
    errorsOf({ tolerations }, (spec) => {
      firstOf(spec.tolerations).tolerationSeconds = 6;
    }),
    [],
  );
  assert.deepEqual(
    errorsOf({ tolerations }, (spec) => {
      spec.tolerations = [];
    }),
    ['spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds'],
  );
});

test('a pod behind a gate may still be told where to run, more narrowly', () => {
  const gated = { schedulingGates: [{ name: 'a' }], nodeSelector: { x: '1' } };
  assert.deepEqual(
    errorsOf(gated, (spec) => {
      spec.nodeSelector = { x: '1', y: '2' };
    }),
    [],
  );
  assert.deepEqual(
    errorsOf(gated, (spec) => {
      spec.nodeSelector = { y: '2' };
    }),
    [
      'spec.nodeSelector: Invalid value: {"y":"2"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    ],
  );
  assert.deepEqual(
    errorsOf(gated, (spec) => {
      spec.schedulingGates = [{ name: 'b' }];
    }),
    ["spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'b'"],
  );
});

test('a status is told of what runs, and keeps the class of the pod', () => {
  const old = { ...created({ restartPolicy: 'Never' }), status: { phase: 'Running', qosClass: 'BestEffort' } };
  const write = (status: JsonObject, before = old) =>
    pods.update(
      before,
      pods.changed(before, (draft) => {
        draft.status = status;
      }),
      'status',
    );
  assert.equal((write({ phase: 'Running' }).object.status as JsonObject).qosClass, 'BestEffort');
  assert.deepEqual(write({ phase: 'Running', qosClass: 'Guaranteed' }).errors, [
    'status.qosClass: Invalid value: "Guaranteed": field is immutable',
  ]);
  assert.deepEqual((write({ podIP: '10.0.0.1' }).object.status as JsonObject).podIPs, [{ ip: '10.0.0.1' }]);
  assert.deepEqual(write({ podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] }).errors, [
    'status.podIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"10.0.0.2"}]: may specify no more than one IP for each IP family',
  ]);
  const container = { name: 'c', ready: false, restartCount: 0, image: 'i', imageID: '' };
  const ended = {
    ...old,
    status: { ...old.status, containerStatuses: [{ ...container, state: { terminated: { exitCode: 0 } } }] },
  };
  assert.deepEqual(write({ containerStatuses: [{ ...container, state: { running: {} } }] }, ended).errors, [
    'status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
  ]);
});

test('containers for debugging are added and stay', () => {
  const old = created();
  const debug = { name: 'debug', image: 'img', terminationMessagePolicy: 'File', imagePullPolicy: 'Always' };
  const added = pods.update(
    old,
    pods.changed(old, (draft) => {
      (draft.spec as JsonObject).ephemeralContainers = [debug];
      (draft.spec as JsonObject).hostname = 'ignored';
    }),
    'ephemeralcontainers',
  );
  assert.deepEqual(added.errors, []);
  assert.equal((added.object.spec as JsonObject).hostname, undefined);
  const removed = pods.changed(added.object, (draft) => {
    delete (draft.spec as JsonObject).ephemeralContainers;
  });
  assert.deepEqual(pods.update(added.object, removed, 'ephemeralcontainers').errors, [
    'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be removed\n',
  ]);
});

test('what containers may use can change while they run', () => {
  const resources = (cpu: string, memory: string) => ({ requests: { cpu, memory }, limits: { cpu, memory } });
  const old = created({}, { resources: resources('1', '1Gi') });
  const resize = (next: JsonObject, fixture = pods) =>
    fixture.update(
      old,
      pods.changed(old, (draft) => {
        firstOf((draft.spec as JsonObject).containers).resources = next;
      }),
      'resize',
    ).errors;
  assert.deepEqual(resize(resources('2', '2Gi')), []);
  assert.deepEqual(resize(resources('2', '512Mi')), []);
  assert.deepEqual(resize(resources('2', '512Mi'), workloadFixture('pods', { release: 33 })), [
    'spec.containers[0].resources.limits[memory]: Forbidden: memory limits cannot be decreased unless resizePolicy is RestartContainer',
  ]);
  assert.deepEqual(resize({ requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '1Gi' } }), [
    'spec: Invalid value: "Guaranteed": Pod QOS Class may not change as a result of resizing',
  ]);
});

test('valid pods may still surprise: warnings say so once', () => {
  const warnings = (spec: JsonObject, container: JsonObject = {}) => pods.create(podOf(container, spec)).warnings;
  assert.deepEqual(warnings({}), []);
  assert.deepEqual(warnings({}, { env: [{ name: 'A' }, { name: 'A', value: '1' }] }), [
    'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
  ]);
  assert.deepEqual(
    warnings(
      {},
      {
        env: [
          { name: 'A', value: '1' },
          { name: 'A', value: '$(A)2' },
        ],
      },
    ),
    [],
  );
  assert.deepEqual(warnings({ nodeSelector: { 'beta.kubernetes.io/arch': 'x' } }), [
    'spec.nodeSelector[beta.kubernetes.io/arch]: deprecated since v1.14; use "kubernetes.io/arch" instead',
  ]);
  assert.deepEqual(warnings({ volumes: [{ name: 'v', rbd: { monitors: ['m'], image: 'i' } }] }), [
    'spec.volumes[0].rbd: deprecated in v1.28, non-functional in v1.31+',
  ]);
  assert.deepEqual(pods.create({ metadata: { name: 'a.b' }, ...podOf() }).warnings, [
    "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
  ]);
  const old = created({}, { env: [{ name: 'A' }, { name: 'A', value: '1' }] });
  assert.deepEqual(
    pods.update(
      old,
      pods.changed(old, () => undefined),
    ).warnings,
    [],
  );
});
