import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../api/json.ts';
import { workloadFixture } from '../../testing/typeRulesFixture.ts';

const scalers = workloadFixture('horizontalpodautoscalers');
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const errors = (spec: JsonObject) =>
  scalers.create({ spec: { scaleTargetRef: target, maxReplicas: 3, ...spec } }).errors;

test('an autoscaler has bounds and something to scale', () => {
  assert.deepEqual(errors({}), []);
  assert.deepEqual(errors({ maxReplicas: 0, minReplicas: 0 }), [
    'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
    'spec.maxReplicas: Invalid value: 0: must be greater than 0',
    'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
  ]);
  assert.deepEqual(errors({ minReplicas: 4 }), [
    'spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`',
  ]);
  assert.deepEqual(errors({ scaleTargetRef: { apiVersion: 'v1', kind: '', name: 'a/b' } }), [
    'spec.scaleTargetRef.kind: Required value',
    'spec.scaleTargetRef.name: Invalid value: "a/b": may not contain \'/\'',
    'spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group',
  ]);
});

test('an autoscaler may scale to nothing where the gate is on and a metric is there that goes on without pods', () => {
  const gated = workloadFixture('horizontalpodautoscalers', { gates: ['HPAScaleToZero'] });
  const outside = { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '1' } } };
  const spec = { scaleTargetRef: target, maxReplicas: 3, minReplicas: 0 };
  assert.deepEqual(gated.create({ spec: { ...spec, metrics: [outside] } }).errors, []);
  assert.deepEqual(gated.create({ spec }).errors, [
    'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
  ]);
  assert.deepEqual(errors({ minReplicas: 0, metrics: [outside] }), [
    'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
  ]);
});

test('a metric has one source, and a target of one kind', () => {
  const of = (metric: JsonObject) => errors({ metrics: [metric] });
  const at = 'spec.metrics[0]';
  assert.deepEqual(of({ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } }), [
    `${at}.resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization`,
  ]);
  assert.deepEqual(
    of({ type: 'Pods', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 0 } } }),
    [
      `${at}.resource.target.averageUtilization: Invalid value: 0: must be greater than 0`,
      `${at}.pods: Required value: must populate information for the given metric source`,
    ],
  );
  const unsupported = `${at}.type: Unsupported value: "X": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"`;
  assert.deepEqual(of({ type: 'X' }), [unsupported, unsupported]);
});

test('behaviour keeps within the hour', () => {
  const of = (scaleDown: JsonObject) => errors({ behavior: { scaleDown } });
  const at = 'spec.behavior.scaleDown';
  assert.deepEqual(of({ stabilizationWindowSeconds: 3601, selectPolicy: 'X' }), [
    `${at}.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600`,
    `${at}.selectPolicy: Unsupported value: "X": supported values: "Disabled", "Max", "Min"`,
  ]);
  assert.deepEqual(of({ policies: [{ type: 'Pods', value: 0, periodSeconds: 1801 }] }), [
    `${at}.policies[0].value: Invalid value: 0: must be greater than zero`,
    `${at}.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800`,
  ]);
});

test('the old version is judged by the rules of the new one', () => {
  const old = workloadFixture('horizontalpodautoscalers', { version: 'v1' });
  const { object, errors: found } = old.create({
    spec: { scaleTargetRef: target, maxReplicas: 3, targetCPUUtilizationPercentage: 0 },
  });
  assert.deepEqual(found, [
    'spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0',
  ]);
  assert.equal((object.spec as JsonObject).minReplicas, 1);
});
