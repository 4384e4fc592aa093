import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { scalerConversions } from './v1Conversion.ts';

const { toStorage, fromStorage } = scalerConversions('autoscaling.alpha.example.com');
const METRICS = 'autoscaling.alpha.example.com/metrics';
const scaler = (spec: JsonObject, status: JsonObject = { desiredReplicas: 0, currentMetrics: null }): ApiObject => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'h', annotations: { mine: 'x' } },
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, minReplicas: 1, maxReplicas: 5, ...spec },
  status,
});
const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } };

test('the share of CPU has a field of its own in the old version', () => {
  const old = fromStorage(scaler({ metrics: [cpu] }));
  assert.equal((old.spec as JsonObject).targetCPUUtilizationPercentage, 60);
  assert.deepEqual(old.metadata.annotations, { mine: 'x' });
  assert.deepEqual(old.status, { currentReplicas: 0, desiredReplicas: 0 });
  assert.deepEqual(toStorage(old), scaler({ metrics: [cpu] }));
});

test('what the old version has no field for comes back', () => {
  const metrics: JsonObject[] = [
    { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
    {
      type: 'Pods',
      pods: {
        metric: { name: 'hits', selector: { matchLabels: { a: 'b' } } },
        target: { type: 'AverageValue', averageValue: '5' },
      },
    },
    {
      type: 'Object',
      object: {
        describedObject: { kind: 'Service', name: 's' },
        metric: { name: 'rate' },
        target: { type: 'Value', value: '10' },
      },
    },
    { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'AverageValue', averageValue: '3' } } },
    cpu,
  ];
  const behavior = { scaleDown: { selectPolicy: 'Max' } };
  const status = {
    currentReplicas: 2,
    desiredReplicas: 3,
    currentMetrics: [
      { type: 'Resource', resource: { name: 'cpu', current: { averageValue: '1', averageUtilization: 50 } } },
    ],
    conditions: [{ type: 'AbleToScale', status: 'True' }],
  };
  const whole = scaler({ metrics, behavior }, status);
  const old = fromStorage(whole);
  assert.equal((JSON.parse(old.metadata.annotations?.[METRICS] ?? '') as unknown[]).length, 4);
  assert.equal((old.status as JsonObject).currentCPUUtilizationPercentage, 50);
  assert.deepEqual(toStorage(old), whole);
});

test('annotations that are no JSON are dropped', () => {
  const old = fromStorage(scaler({ metrics: [cpu] }));
  const broken = { ...old, metadata: { ...old.metadata, annotations: { [METRICS]: '{' } } };
  assert.deepEqual((toStorage(broken).spec as JsonObject).metrics, [cpu]);
  assert.equal(toStorage(broken).metadata.annotations, undefined);
});
