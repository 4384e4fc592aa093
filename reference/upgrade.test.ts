import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { JsonObject } from './api/json.ts';
import { releaseFixture } from './testing/releaseFixture.ts';

/*
 * What one release stored is there in a later one, by what replaces its version
 * (3/removed-api-versions-by-release).
 */

const DEFAULT = 'namespaces/default';
const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const jobTemplate = {
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
};

/** An object as an old release takes it, and where it is found later. */
const KEPT: readonly {
  readonly old: string;
  readonly release: string;
  readonly later: string;
  readonly body: JsonObject;
}[] = [
  {
    old: `/apis/extensions/v1beta1/${DEFAULT}/deployments`,
    release: '1.15',
    later: `/apis/apps/v1/${DEFAULT}/deployments`,
    body: { apiVersion: 'extensions/v1beta1', kind: 'Deployment', spec: { template } },
  },
  {
    old: `/apis/extensions/v1beta1/${DEFAULT}/ingresses`,
    release: '1.15',
    later: `/apis/networking.k8s.io/v1/${DEFAULT}/ingresses`,
    body: {
      apiVersion: 'extensions/v1beta1',
      kind: 'Ingress',
      spec: { backend: { serviceName: 's', servicePort: 1 } },
    },
  },
  {
    old: `/apis/autoscaling/v2beta1/${DEFAULT}/horizontalpodautoscalers`,
    release: '1.15',
    later: `/apis/autoscaling/v2/${DEFAULT}/horizontalpodautoscalers`,
    body: {
      apiVersion: 'autoscaling/v2beta1',
      kind: 'HorizontalPodAutoscaler',
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, maxReplicas: 3 },
    },
  },
  {
    old: `/apis/batch/v1beta1/${DEFAULT}/cronjobs`,
    release: '1.15',
    later: `/apis/batch/v1/${DEFAULT}/cronjobs`,
    body: { apiVersion: 'batch/v1beta1', kind: 'CronJob', spec: { schedule: '* * * * *', jobTemplate } },
  },
  {
    old: `/apis/policy/v1beta1/${DEFAULT}/poddisruptionbudgets`,
    release: '1.15',
    later: `/apis/policy/v1/${DEFAULT}/poddisruptionbudgets`,
    body: { apiVersion: 'policy/v1beta1', kind: 'PodDisruptionBudget', spec: { maxUnavailable: 1, selector: {} } },
  },
  {
    old: '/apis/storage.k8s.io/v1beta1/storageclasses',
    release: '1.15',
    later: '/apis/storage.k8s.io/v1/storageclasses',
    body: { apiVersion: 'storage.k8s.io/v1beta1', kind: 'StorageClass', provisioner: 'p' },
  },
];

describe('an upgrade', () => {
  it('keeps objects of removed versions within reach of their replacements, and their owners', async () => {
    const before = await releaseFixture('1.15');
    for (const { old, body } of KEPT) {
      const heard = await before.send('POST', `${old}?fieldManager=old`, { ...body, metadata: { name: 'kept' } });
      assert.equal(heard.code, 201, JSON.stringify(heard.body));
    }
    const image = await before.reference.image();
    await before.close();
    const after = await releaseFixture('1.32', [], image);
    for (const { old, later } of KEPT) {
      assert.equal((await after.send('GET', `${old}/kept`)).code, 404, old);
      const heard = await after.send('GET', `${later}/kept`);
      assert.equal(heard.code, 200, `${later}: ${JSON.stringify(heard.body)}`);
      const [owner] = (heard.body.metadata as JsonObject).managedFields as JsonObject[];
      assert.equal(owner?.manager, 'old');
      // A write does not lose who wrote in a version that is gone.
      const labelled = await after.send(
        'PATCH',
        `${later}/kept?fieldManager=new`,
        { metadata: { labels: { new: 'x' } } },
        { 'content-type': 'application/merge-patch+json' },
      );
      assert.equal(labelled.code, 200, JSON.stringify(labelled.body));
      const managers = ((labelled.body.metadata as JsonObject).managedFields as JsonObject[]).map((one) => one.manager);
      assert.deepEqual(managers.sort(), ['new', 'old'], later);
    }
    await after.close();
  });

  it('goes over a directory too, one release after the other', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'upgrade-'));
    try {
      const flags = [`--data-dir=${directory}`];
      const first = await releaseFixture('1.18', flags);
      const ingress = {
        apiVersion: 'networking.k8s.io/v1beta1',
        kind: 'Ingress',
        metadata: { name: 'i' },
        spec: { backend: { serviceName: 's', servicePort: 'web' } },
      };
      assert.equal(
        (await first.send('POST', `/apis/networking.k8s.io/v1beta1/${DEFAULT}/ingresses`, ingress)).code,
        201,
      );
      assert.equal((await first.send('GET', `/apis/networking.k8s.io/v1/${DEFAULT}/ingresses`)).code, 404);
      await first.close();
      const second = await releaseFixture('1.20', flags);
      assert.equal((await second.send('GET', `/apis/extensions/v1beta1/${DEFAULT}/ingresses/i`)).code, 200);
      await second.close();
      const third = await releaseFixture('1.22', flags);
      const { body } = await third.send('GET', `/apis/networking.k8s.io/v1/${DEFAULT}/ingresses/i`);
      assert.deepEqual(body.spec, { defaultBackend: { service: { name: 's', port: { name: 'web' } } } });
      await third.close();
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
