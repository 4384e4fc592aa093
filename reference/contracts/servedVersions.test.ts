import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { groupOf, lifecycleOf } from '../../fixtures/releases/lifecycles.ts';
import { readRuntimeConfig } from '../options/runtimeConfig.ts';
import { readBuiltinTypes } from '../resources/typeLines.ts';
import { isServed } from './servedVersions.ts';

const _rows = readBuiltinTypes(kubernetes);

function asked(...keys: string[]) {
  const read = readRuntimeConfig(
    keys.map((key): readonly [string, string | undefined] => {
      const [name = '', value] = key.split('=');
      return [name, value];
    }),
  );
  assert.ok('config' in read, JSON.stringify(read));
  return read.config;
}

describe('what is served', () => {
  const beta = lifecycleOf({ groupPrefix: 'networking', version: 'v1beta1', kind: 'ServiceCIDR' });
  const old = lifecycleOf({ groupPrefix: 'extensions', version: 'v1beta1', kind: 'Deployment' });
  const gated = lifecycleOf({ groupPrefix: 'certificates', version: 'v1alpha1', kind: 'ClusterTrustBundle' });
  assert.ok(beta && old && gated);
  const served = (life: typeof beta, resource: string, release: number, ...keys: string[]) =>
    isServed(life, groupOf(life, kubernetes), resource, { release, follow: 'spec', asked: asked(...keys) });

  it('is what was asked for, the narrowest key first', () => {
    assert.equal(served(beta, 'servicecidrs', 32), false);
    assert.equal(served(beta, 'servicecidrs', 32, 'api/beta=true'), true);
    assert.equal(served(beta, 'servicecidrs', 32, 'api/all=true'), true);
    assert.equal(served(beta, 'servicecidrs', 32, 'api/beta', 'networking.k8s.io/v1beta1=false'), false);
    assert.equal(served(beta, 'servicecidrs', 32, 'api/all=true', 'api/beta=false'), false);
    const one = 'networking.k8s.io/v1beta1/servicecidrs';
    assert.equal(served(beta, 'servicecidrs', 32, 'networking.k8s.io/v1beta1=false', one), true);
    assert.equal(served(beta, 'ipaddresses', 32, 'networking.k8s.io/v1beta1=false', one), false);
  });

  it('is never what the release does not have', () => {
    assert.equal(served(beta, 'servicecidrs', 30, 'api/all=true'), false);
    assert.equal(served(beta, 'servicecidrs', 37, 'api/all=true'), false);
    assert.equal(served(old, 'deployments', 17, 'extensions/v1beta1/deployments'), true);
    assert.equal(served(old, 'deployments', 18, 'extensions/v1beta1/deployments'), false);
  });

  it('needs the gate of the version besides', () => {
    const serving = { release: 32, follow: 'spec', asked: asked('api/all=true') } as const;
    const group = groupOf(gated, kubernetes);
    assert.equal(isServed(gated, group, 'clustertrustbundles', serving), false);
    assert.equal(isServed(gated, group, 'clustertrustbundles', { ...serving, gate: () => true }), true);
  });
});
