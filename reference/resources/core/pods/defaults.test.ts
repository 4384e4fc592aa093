import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../api/json.ts';
import { podOf, workloadFixture } from '../../../testing/typeRulesFixture.ts';
import { imageTag } from './containers.ts';

const pods = workloadFixture('pods');
const specOf = (json: JsonObject): JsonObject => pods.create(json).object.spec as JsonObject;
const firstOf = (list: unknown): JsonObject => (list as JsonObject[])[0] as JsonObject;

test('the smallest pod gets what it does not say', () => {
  const { object, errors } = pods.create(podOf());
  assert.deepEqual(errors, []);
  const spec = object.spec as JsonObject;
  assert.equal(spec.restartPolicy, 'Always');
  assert.equal(spec.dnsPolicy, 'ClusterFirst');
  assert.equal(spec.schedulerName, 'default-scheduler');
  assert.equal(spec.terminationGracePeriodSeconds, 30);
  assert.equal(spec.enableServiceLinks, true);
  assert.deepEqual(spec.securityContext, {});
  const container = firstOf(spec.containers);
  assert.equal(container.terminationMessagePath, '/dev/termination-log');
  assert.equal(container.terminationMessagePolicy, 'File');
  assert.equal(container.imagePullPolicy, 'Always');
  assert.deepEqual(object.status, { phase: 'Pending', qosClass: 'BestEffort' });
});

test('an image is pulled each time where its name may come to mean another', () => {
  const tags: [string, string][] = [
    ['img', 'latest'],
    ['img:latest', 'latest'],
    ['img:1', '1'],
    ['registry.example:5000/a/b', 'latest'],
    ['registry.example:5000/a/b:2.0', '2.0'],
    [`img@sha256:${'a'.repeat(64)}`, ''],
    [`img:3@sha256:${'a'.repeat(64)}`, '3'],
    ['Upper', ''],
    ['', ''],
    ['a'.repeat(64), ''],
    [`${'a'.repeat(601)}`, ''],
  ];
  for (const [image, tag] of tags) assert.equal(imageTag(image), tag, image);
});

test('ports, probes, hooks and references are filled', () => {
  const container = firstOf(
    specOf(
      podOf({
        ports: [{ containerPort: 80 }],
        readinessProbe: { httpGet: { port: 80 } },
        livenessProbe: { tcpSocket: { port: 80 }, periodSeconds: 3 },
        lifecycle: { preStop: { httpGet: { port: 'web' } } },
        env: [{ name: 'N', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
      }),
    ).containers,
  );
  assert.deepEqual(container.ports, [{ containerPort: 80, protocol: 'TCP' }]);
  assert.deepEqual(container.readinessProbe, {
    httpGet: { port: 80, path: '/', scheme: 'HTTP' },
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  });
  assert.equal((container.livenessProbe as JsonObject).periodSeconds, 3);
  assert.deepEqual(container.lifecycle, { preStop: { httpGet: { port: 'web', path: '/', scheme: 'HTTP' } } });
  assert.deepEqual(container.env, [
    { name: 'N', valueFrom: { fieldRef: { fieldPath: 'metadata.name', apiVersion: 'v1' } } },
  ]);
});

test('volumes get modes, and one without a source is an empty directory', () => {
  const spec = specOf(
    podOf(
      {},
      {
        serviceAccountName: 'own',
        volumes: [
          { name: 'a' },
          { name: 'b', configMap: { name: 'm' } },
          { name: 'c', hostPath: { path: '/x' } },
          { name: 'd', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
        ],
      },
    ),
  );
  assert.deepEqual(spec.volumes, [
    { name: 'a', emptyDir: {} },
    { name: 'b', configMap: { name: 'm', defaultMode: 420 } },
    { name: 'c', hostPath: { path: '/x', type: '' } },
    {
      name: 'd',
      projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }], defaultMode: 420 },
    },
  ]);
  assert.equal(spec.serviceAccount, 'own');
  assert.equal(specOf(podOf({}, { serviceAccount: 'old' })).serviceAccountName, 'old');
});

test('limits become requests, and the class of a pod follows from both', () => {
  const resources = { limits: { cpu: '1', memory: '1Gi' } };
  const { object } = pods.create(podOf({ resources }));
  assert.deepEqual(firstOf((object.spec as JsonObject).containers).resources, {
    ...resources,
    requests: resources.limits,
  });
  assert.equal((object.status as JsonObject).qosClass, 'Guaranteed');
  const some = pods.create(podOf({ resources: { requests: { cpu: '100m' } } }));
  assert.equal((some.object.status as JsonObject).qosClass, 'Burstable');
  const fine = specOf(podOf({ resources: { requests: { cpu: '100u' } } }));
  assert.deepEqual(firstOf(fine.containers).resources, { requests: { cpu: '1m' } });
});

test('a pod as a whole asks for what its containers do, else for its limits', () => {
  const sidecar = { name: 'i', image: 'img', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } };
  const first = { name: 'j', image: 'img', resources: { requests: { cpu: '5' } } };
  const spec = specOf(
    podOf(
      { resources: { requests: { cpu: '500m' } } },
      { initContainers: [sidecar, first], resources: { limits: { cpu: '8', memory: '1Gi' } } },
    ),
  );
  assert.deepEqual(spec.resources, { limits: { cpu: '8', memory: '1Gi' }, requests: { cpu: '6', memory: '1Gi' } });
  const early = workloadFixture('pods', { release: 32 });
  assert.equal(
    (early.create(podOf({}, { resources: { limits: { cpu: '8' } } })).object.spec as JsonObject).resources,
    undefined,
  );
});

test('on the network of the node ports are those of the node', () => {
  const spec = specOf(podOf({ ports: [{ containerPort: 80 }] }, { hostNetwork: true }));
  assert.deepEqual(firstOf(spec.containers).ports, [{ containerPort: 80, protocol: 'TCP', hostPort: 80 }]);
});

test('a pod behind a gate says so, and keys of labels select the labels of the pod', () => {
  const { object } = pods.create({
    metadata: { labels: { app: 'a' } },
    ...podOf(
      {},
      {
        schedulingGates: [{ name: 'example.com/gate' }],
        terminationGracePeriodSeconds: -5,
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { labelSelector: {}, topologyKey: 'zone', matchLabelKeys: ['app', 'absent'], mismatchLabelKeys: [] },
            ],
          },
        },
      },
    ),
  });
  const status = object.status as JsonObject;
  assert.equal(firstOf(status.conditions).reason, 'SchedulingGated');
  const spec = object.spec as JsonObject;
  assert.equal(spec.terminationGracePeriodSeconds, 1);
  const affinity = (spec.affinity as JsonObject).podAffinity as JsonObject;
  const term = firstOf(affinity.requiredDuringSchedulingIgnoredDuringExecution);
  assert.deepEqual(term.labelSelector, { matchExpressions: [{ key: 'app', operator: 'In', values: ['a'] }] });
});

test('pods are deleted at once where no node runs them', () => {
  const grace = pods.type.strategy.graceSeconds;
  assert.ok(grace);
  assert.equal(grace(pods.create(podOf()).object, undefined), 0);
  const running = pods.create(podOf({}, { nodeName: 'n' })).object;
  assert.equal(grace(running, undefined), 30);
  assert.equal(grace(running, 5), 5);
  assert.equal(grace({ ...running, status: { phase: 'Succeeded' } }, 5), 0);
});
