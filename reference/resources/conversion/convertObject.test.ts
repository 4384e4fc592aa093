import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cluster } from '../../../fixtures/dialects/cluster.ts';
import { kubernetes } from '../../../fixtures/dialects/kubernetes.ts';
import type { JsonObject } from '../../api/json.ts';
import { ApiError } from '../../api/status.ts';
import { convertObject, NoConversion, versionsFor } from './convertObject.ts';

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const deployment = (apiVersion: string, spec: JsonObject = {}): JsonObject => ({
  apiVersion,
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: { template, ...spec },
});
const convert = (json: JsonObject, to: string) => convertObject(json, to, kubernetes);
const notes = (json: JsonObject, to: string) => convert(json, to).notes.map(({ field, text }) => `${field} ${text}`);

describe('converting an object to another version', () => {
  it('takes the defaults of the version it came in, and says which the newer one would not have chosen', () => {
    const { object, notes: told } = convert(deployment('extensions/v1beta1'), 'apps/v1');
    const spec = object.spec as JsonObject;
    assert.equal(object.apiVersion, 'apps/v1');
    assert.deepEqual(spec.selector, { matchLabels: { a: 'b' } });
    assert.deepEqual(spec.strategy, { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } });
    assert.deepEqual(
      told.map(({ field }) => field),
      [
        'spec.selector',
        'spec.progressDeadlineSeconds',
        'spec.revisionHistoryLimit',
        'spec.strategy.rollingUpdate.maxSurge',
        'spec.strategy.rollingUpdate.maxUnavailable',
      ],
    );
    assert.equal((convert(deployment('apps/v1beta1'), 'apps/v1').object.spec as JsonObject).revisionHistoryLimit, 2);
    assert.deepEqual(notes(deployment('apps/v1beta2', { selector: { matchLabels: { a: 'b' } } }), 'apps/v1'), []);
  });

  it('keeps what the newer version has no field for', () => {
    const { object } = convert(deployment('extensions/v1beta1', { rollbackTo: { revision: 3 } }), 'apps/v1');
    assert.equal(object.metadata.annotations?.['deprecated.deployment.rollback.to'], '3');
    const back = convert(object as unknown as JsonObject, 'extensions/v1beta1').object;
    assert.deepEqual((back.spec as JsonObject).rollbackTo, { revision: 3 });
    assert.equal(back.metadata.annotations, undefined);
  });

  it('names a path whose type was left open, and what an empty selector means now', () => {
    const backend = { serviceName: 's', servicePort: 'web' };
    const ingress = {
      apiVersion: 'networking.k8s.io/v1beta1',
      kind: 'Ingress',
      spec: { backend: { serviceName: 's', servicePort: 80 }, rules: [{ http: { paths: [{ path: '/', backend }] } }] },
    };
    const { object, notes: told } = convert(ingress, 'networking.k8s.io/v1');
    assert.deepEqual(object.spec, {
      defaultBackend: { service: { name: 's', port: { number: 80 } } },
      rules: [
        {
          http: {
            paths: [
              {
                path: '/',
                pathType: 'ImplementationSpecific',
                backend: { service: { name: 's', port: { name: 'web' } } },
              },
            ],
          },
        },
      ],
    });
    assert.deepEqual(
      told.map(({ field }) => field),
      ['spec.rules[0].http.paths[0].pathType'],
    );
    const budget = { apiVersion: 'policy/v1beta1', kind: 'PodDisruptionBudget', spec: { selector: {} } };
    assert.deepEqual(notes(budget, 'policy/v1'), [
      'spec.selector the empty value selects no pod in policy/v1beta1 and selects all pods of the namespace in policy/v1',
    ]);
  });

  it('names what the newer version asks for and takes no more', () => {
    const hook = { name: 'a.b.c', clientConfig: { url: 'https://a' } };
    const configuration = {
      apiVersion: 'admissionregistration.k8s.io/v1beta1',
      kind: 'ValidatingWebhookConfiguration',
      webhooks: [hook],
    };
    const told = notes(configuration, 'admissionregistration.k8s.io/v1');
    assert.ok(told.some((one) => one.startsWith('webhooks[0].failurePolicy is "Ignore"')));
    assert.ok(told.some((one) => one.startsWith('webhooks[0].sideEffects is "Unknown", and')));
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1beta1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'as.b.c' },
      spec: { group: 'b.c', version: 'v1', names: { plural: 'as', kind: 'A' } },
    };
    const all = notes(definition, 'apiextensions.k8s.io/v1');
    assert.ok(all.includes('spec.versions[0].schema.openAPIV3Schema is required in apiextensions.k8s.io/v1'));
    assert.ok(all.some((one) => one.startsWith('spec.preserveUnknownFields must not be true')));
  });

  it('tells of fields outside the schema, and refuses values of another type', () => {
    const { unknown } = convert(deployment('apps/v1beta2', { colour: 'red' }), 'apps/v1');
    assert.deepEqual(unknown, ['unknown field "spec.colour"']);
    assert.throws(() => convert(deployment('apps/v1beta2', { replicas: 'two' }), 'apps/v1'), ApiError);
  });

  const impossible: readonly [JsonObject, string, RegExp][] = [
    [deployment('apps/v9'), 'apps/v1', /apps\/v9 Deployment is no version of a built-in type/],
    [deployment('extensions/v1'), 'apps/v1', /extensions\/v1 Deployment is no version/],
    [deployment('apps/v1'), 'apps/v9', /Deployment is not in apps\/v9/],
    [
      { apiVersion: 'policy/v1beta1', kind: 'PodSecurityPolicy' },
      'policy/v1',
      /PodSecurityPolicy is not in policy\/v1/,
    ],
    [{}, 'v1', /is no version of a built-in type/],
  ];
  for (const [json, to, why] of impossible) {
    it(`refuses ${json.apiVersion} ${json.kind} to ${to}`, () => {
      assert.throws(
        () => convert(json, to),
        (error) => error instanceof NoConversion && why.test(error.message),
      );
    });
  }

  it('crosses groups that show the same objects, and lists the versions there are', () => {
    assert.deepEqual(versionsFor('extensions/v1beta1', 'Deployment', kubernetes), [
      'extensions/v1beta1',
      'apps/v1',
      'apps/v1beta2',
      'apps/v1beta1',
    ]);
    assert.deepEqual(versionsFor('v1', 'Event', cluster), [
      'v1',
      'events.cluster.example/v1',
      'events.cluster.example/v1beta1',
    ]);
    assert.deepEqual(versionsFor('v1', 'Nothing', kubernetes), []);
  });
});
