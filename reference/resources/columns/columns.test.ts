import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from '../../../fixtures/dialects/kubernetes.ts';
import type { JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { readBuiltinTypes } from '../typeLines.ts';
import { ageOf, shortSpan } from './age.ts';
import { labelsText, selectorText } from './labels.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

test('spans are told in a few letters', () => {
  const spans: [milliseconds: number, text: string][] = [
    [-5 * SECOND, '<invalid>'],
    [-1 * SECOND, '0s'],
    [119 * SECOND, '119s'],
    [120 * SECOND, '2m'],
    [330 * SECOND, '5m30s'],
    [601 * SECOND, '10m'],
    [179 * 60 * SECOND, '179m'],
    [3 * HOUR, '3h'],
    [3.5 * HOUR, '3h30m'],
    [9.5 * HOUR, '9h'],
    [47 * HOUR, '47h'],
    [3 * DAY + 4 * HOUR, '3d4h'],
    [8 * DAY + 4 * HOUR, '8d'],
    [729 * DAY, '729d'],
    [740 * DAY, '2y10d'],
    [3000 * DAY, '8y'],
  ];
  for (const [milliseconds, text] of spans) assert.equal(shortSpan(milliseconds), text);
  assert.equal(ageOf('2026-01-02T03:04:00Z', NOW), '5s');
  assert.equal(ageOf(undefined, NOW), '<unknown>');
});

test('labels and selectors are told in order', () => {
  assert.equal(labelsText({ b: '2', a: '1' }), 'a=1,b=2');
  assert.equal(labelsText(undefined), '<none>');
  assert.equal(
    selectorText({
      matchLabels: { z: '1' },
      matchExpressions: [
        { key: 'a', operator: 'In', values: ['y', 'x'] },
        { key: 'c', operator: 'DoesNotExist' },
        { key: 'b', operator: 'NotIn', values: ['q'] },
        { key: 'd', operator: 'Exists' },
      ],
    }),
    'a in (x,y),b notin (q),!c,d,z=1',
  );
});

const cells = (group: string, version: string, kind: string, object: JsonObject): unknown[] => {
  const type = readBuiltinTypes(kubernetes).find((one) => one.groupPrefix === group && one.kind === kind);
  const columns = type?.declared.columnsIn?.[version] ?? type?.declared.columns;
  assert.ok(columns, kind);
  const whole = { apiVersion: version, kind, ...object } as unknown as ApiObject;
  return columns.map((column) => column.cell(whole, NOW));
};
const metadata = { name: 'x', creationTimestamp: '2026-01-02T03:03:05Z' };

test('pods tell how their containers fare', () => {
  const spec = { containers: [{ name: 'a' }, { name: 'b' }], nodeName: 'n' };
  const pod = (status: JsonObject, more: JsonObject = {}) =>
    cells('', 'v1', 'Pod', { metadata: { ...metadata, ...more }, spec, status }).slice(1, 5);
  assert.deepEqual(pod({ phase: 'Pending' }), ['0/2', 'Pending', '0', '60s']);
  const running = { name: 'a', ready: true, state: { running: {} }, restartCount: 2 };
  const ended = { reason: 'Error', finishedAt: '2026-01-02T03:02:05Z' };
  assert.deepEqual(
    pod({
      phase: 'Running',
      containerStatuses: [
        { ...running, lastState: { terminated: ended } },
        { name: 'b', state: { waiting: { reason: 'CrashLoopBackOff' } } },
      ],
    }),
    ['1/2', 'CrashLoopBackOff', '2 (2m ago)', '60s'],
  );
  assert.deepEqual(
    pod({ phase: 'Pending', initContainerStatuses: [{ name: 'i', state: { terminated: { exitCode: 1 } } }] }).slice(
      0,
      2,
    ),
    ['0/2', 'Init:ExitCode:1'],
  );
  assert.deepEqual(pod({ phase: 'Running' }, { deletionTimestamp: '2026-01-02T03:04:05Z' })[1], 'Terminating');
});

test('services tell how they are reached', () => {
  const service = (spec: JsonObject, status: JsonObject = {}) =>
    cells('', 'v1', 'Service', { metadata, spec, status }).slice(1, 5);
  assert.deepEqual(
    service({ type: 'NodePort', clusterIPs: ['10.0.0.1'], ports: [{ port: 80, nodePort: 30000, protocol: 'TCP' }] }),
    ['NodePort', '10.0.0.1', '<none>', '80:30000/TCP'],
  );
  assert.equal(service({ type: 'LoadBalancer' })[2], '<pending>');
  assert.equal(service({ type: 'LoadBalancer' }, { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } })[2], '1.2.3.4');
  assert.equal(service({ type: 'ExternalName', externalName: 'e.example.com' })[2], 'e.example.com');
});

test('jobs, quotas and bindings tell what matters of them', () => {
  const job = cells('batch', 'v1', 'Job', {
    metadata,
    spec: { completions: 2 },
    status: {
      succeeded: 2,
      startTime: '2026-01-02T03:00:05Z',
      completionTime: '2026-01-02T03:02:05Z',
      conditions: [{ type: 'Complete', status: 'True' }],
    },
  });
  assert.deepEqual(job.slice(1, 4), ['Complete', '2/2', '2m']);
  const quota = cells('', 'v1', 'ResourceQuota', {
    metadata,
    status: { hard: { pods: '3', 'limits.cpu': '2', cpu: '4' }, used: { pods: '1' } },
  });
  assert.deepEqual(quota.slice(1, 3), ['cpu: 0/4, pods: 1/3', 'limits.cpu: 0/2']);
  const binding = cells('rbac.authorization', 'v1', 'ClusterRoleBinding', {
    metadata,
    roleRef: { kind: 'ClusterRole', name: 'view' },
    subjects: [
      { kind: 'User', name: 'u1' },
      { kind: 'User', name: 'u2' },
      { kind: 'ServiceAccount', namespace: 'n', name: 's' },
    ],
  });
  assert.deepEqual(binding.slice(1), ['ClusterRole/view', '60s', 'u1, u2', '', 'n/s']);
});

test('an empty object of any kind has a cell in every column', () => {
  for (const { groupPrefix, version, kind, declared } of readBuiltinTypes(kubernetes)) {
    if (!declared.columns) continue;
    for (const cell of cells(groupPrefix, version, kind, { metadata: {} })) assert.notEqual(cell, undefined, kind);
  }
});
