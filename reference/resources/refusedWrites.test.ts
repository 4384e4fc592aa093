import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { writingFixture } from '../testing/writingFixture.ts';

/** What is wrong with an object, a line each: the reason without its beginning, and the field. */
type Refused = readonly [body: JsonObject, ...causes: string[]];

const NAMESPACE = '/api/v1/namespaces/default';
const volume = (spec: JsonObject): JsonObject => ({
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
});
const terms = (...nodeSelectorTerms: JsonObject[]): JsonObject =>
  volume({ hostPath: { path: '/a' }, nodeAffinity: { required: { nodeSelectorTerms } } });
const limits = (...list: JsonObject[]): JsonObject => ({ spec: { limits: list } });
const scaling = (scaleUp: JsonObject): JsonObject => ({
  spec: {
    maxReplicas: 3,
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
    behavior: { scaleUp },
  },
});

const TABLE: Readonly<Record<string, readonly Refused[]>> = {
  '/api/v1/persistentvolumes': [
    [volume({}), 'Required spec'],
    [volume({ local: { path: '/a' } }), 'Required spec.nodeAffinity'],
    [volume({ local: { path: '/a' }, nodeAffinity: {} }), 'Required spec.nodeAffinity.required'],
    [terms(), 'Required spec.nodeAffinity.required.nodeSelectorTerms'],
    [
      terms({ matchExpressions: [{ key: 'a b', operator: 'Bad' }], matchFields: [{ key: 'x', operator: 'In' }] }),
      'Invalid spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].operator',
      'Invalid spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key',
      'Required spec.nodeAffinity.required.nodeSelectorTerms[0].matchFields[0].values',
      'Invalid spec.nodeAffinity.required.nodeSelectorTerms[0].matchFields[0].key',
    ],
    [
      volume({ hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle', capacity: { storage: '-1' } }),
      'Invalid spec.capacity[storage]',
      'Invalid spec.capacity[storage]',
      'Forbidden spec.persistentVolumeReclaimPolicy',
    ],
    [
      volume({ csi: { driver: 'x y', nodeStageSecretRef: { name: 'X' } } }),
      'Invalid spec.csi.driver',
      'Required spec.csi.volumeHandle',
      'Invalid spec.csi.nodeStageSecretRef.name',
      'Required spec.csi.nodeStageSecretRef.namespace',
    ],
    [
      volume({ gcePersistentDisk: { pdName: '', partition: 256 }, cephfs: { monitors: ['m'] } }),
      'Required spec.persistentDisk.pdName',
      'Invalid spec.persistentDisk.partition',
      'Forbidden spec.cephFS',
    ],
    [
      volume({ azureFile: { secretName: 's', shareName: 't', secretNamespace: '' } }),
      'Invalid spec.azureFile.secretNamespace',
    ],
  ],
  '/apis/node.k8s.io/v1/runtimeclasses': [
    [{ handler: '' }, 'Invalid handler'],
    [
      { handler: 'h', overhead: { podFixed: { cpu: '-1', foo: '1', 'hugepages-2Mi': '3Mi' } } },
      'Invalid overhead.limits[cpu]',
      'Invalid overhead.limits[foo]',
      'Invalid overhead.limits[hugepages-2Mi]',
    ],
    [{ handler: 'h', overhead: { podFixed: { 'hugepages-2Mi': '2Mi' } } }, 'Forbidden overhead'],
    [
      { handler: 'h', scheduling: { nodeSelector: { 'a b': 'c' }, tolerations: [{ key: 'k', operator: 'Bad' }, {}] } },
      'Invalid scheduling.nodeSelector',
      'NotSupported scheduling.tolerations[0].operator',
      'Invalid scheduling.tolerations[1].operator',
    ],
  ],
  [`${NAMESPACE}/limitranges`]: [
    [
      limits({ type: 'Pod', max: { foo: '1' }, default: { cpu: '1' } }),
      'Invalid spec.limits[0].max[foo]',
      'Forbidden spec.limits[0].default',
    ],
    [limits({ type: 'PersistentVolumeClaim', max: { storage: '1', bad: '1' } }), 'Invalid spec.limits[0].max[bad]'],
    [
      limits({ type: 'Container', max: { cpu: '4' }, min: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }),
      'Invalid spec.limits[0].maxLimitRequestRatio[cpu]',
    ],
    [
      limits({ type: 'Container', default: { 'hugepages-2Mi': '4Mi' }, defaultRequest: { 'hugepages-2Mi': '2Mi' } }),
      'Invalid spec.limits[0].defaultRequest[hugepages-2Mi]',
    ],
  ],
  '/apis/apps/v1/namespaces/default/controllerrevisions': [
    [{ revision: 1 }, 'Required data'],
    [{ revision: -1, data: 5 }, 'Invalid data', 'Invalid revision'],
    [{ revision: 1, data: [1] }, 'Invalid data'],
    [{ revision: 1, data: 'text' }, 'Invalid data'],
  ],
  '/apis/apps/v1/namespaces/default/statefulsets': [
    [
      {
        spec: {
          serviceName: 's',
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b', 'x y': 'z' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      },
      ...['Invalid spec.template.labels', 'Invalid spec.template.labels'],
    ],
  ],
  '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers': [
    [
      scaling({
        selectPolicy: 'x',
        stabilizationWindowSeconds: 3601,
        policies: [{ type: '', value: 0, periodSeconds: 0 }],
      }),
      'Invalid spec.behavior.scaleUp.stabilizationWindowSeconds',
      'NotSupported spec.behavior.scaleUp.selectPolicy',
      'NotSupported spec.behavior.scaleUp.policies[0].type',
      'Invalid spec.behavior.scaleUp.policies[0].value',
      'Invalid spec.behavior.scaleUp.policies[0].periodSeconds',
    ],
  ],
};

for (const [path, rows] of Object.entries(TABLE)) {
  test(`what is wrong with new ${path.split('/').at(-1)} is told, all of it and where`, async () => {
    const { send } = await writingFixture({ follow: 'service' });
    for (const [body, ...causes] of rows) {
      const { status, body: answer } = await send('POST', path, { body: { metadata: { name: 'demo' }, ...body } });
      const details = answer.details as { causes?: { reason: string; field: string }[] } | undefined;
      const told = (details?.causes ?? []).map(({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`);
      assert.deepEqual([status, ...told], [422, ...causes], JSON.stringify(body));
    }
  });
}
