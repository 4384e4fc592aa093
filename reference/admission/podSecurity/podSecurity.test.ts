import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { kubernetes } from '../../../fixtures/dialects/kubernetes.ts';
import type { JsonObject } from '../../api/json.ts';
import type { Admission } from '../../contracts/admission.ts';
import { type WritingFixture, writingFixture } from '../../testing/writingFixture.ts';
import { podSecurity } from './podSecurity.ts';

let fixture: WritingFixture;
beforeEach(async () => {
  let plugin: Admission | undefined;
  fixture = await writingFixture({
    admission: [{ name: 'later', validate: async (attributes) => plugin?.validate?.(attributes) }],
  });
  plugin = podSecurity({ store: fixture.store, dialect: kubernetes });
});
afterEach(() => fixture.controllers.stop());

async function namespace(labels: JsonObject): Promise<void> {
  const own = Object.entries(labels).map(([mode, level]) => [`pod-security.kubernetes.io/${mode}`, level]);
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n', labels: Object.fromEntries(own) } };
  assert.equal((await fixture.send('POST', '/api/v1/namespaces', { body })).status, 201);
}
const pod = (container: JsonObject = {}, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i', ...container }], ...spec },
});
const create = (body: JsonObject) => fixture.send('POST', '/api/v1/namespaces/n/pods', { body });
const GOOD = {
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  },
};

describe('levels of security of pods', () => {
  test('forbid nothing where a namespace says none', async () => {
    await namespace({});
    const { status, warnings } = await create(pod({ securityContext: { privileged: true } }, { hostNetwork: true }));
    assert.deepEqual([status, warnings], [201, []]);
  });

  test('are told with every reason', async () => {
    await namespace({ enforce: 'restricted' });
    assert.equal(
      (await create(pod())).body.message,
      'pods "p" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    );
    assert.equal((await create(pod(GOOD))).status, 201);
  });

  const rows: readonly [JsonObject, JsonObject, string][] = [
    [{}, { hostNetwork: true, hostPID: true }, 'host namespaces (hostNetwork=true, hostPID=true)'],
    [
      { securityContext: { privileged: true } },
      {},
      'privileged (container "c" must not set securityContext.privileged=true)',
    ],
    [
      { securityContext: { capabilities: { add: ['NET_ADMIN', 'CHOWN'] } } },
      {},
      'non-default capabilities (container "c" must not include "NET_ADMIN" in securityContext.capabilities.add)',
    ],
    [{}, { volumes: [{ name: 'v', hostPath: { path: '/' } }] }, 'hostPath volumes (volume "v")'],
    [{ ports: [{ containerPort: 80, hostPort: 80 }] }, {}, 'hostPort (container "c" uses hostPort 80)'],
    [{}, { securityContext: { sysctls: [{ name: 'kernel.x', value: '1' }] } }, 'forbidden sysctls (kernel.x)'],
    [
      {},
      { securityContext: { seccompProfile: { type: 'Unconfined' } } },
      'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
    [
      { securityContext: { seLinuxOptions: { type: 'x', user: 'u' } } },
      {},
      'seLinuxOptions (container "c" set forbidden securityContext.seLinuxOptions: type "x"; user may not be set)',
    ],
  ];
  for (const [container, spec, words] of rows) {
    test(words, async () => {
      await namespace({ enforce: 'baseline', 'enforce-version': 'v1.32' });
      const { status, body } = await create(pod(container, spec));
      assert.equal(status, 403);
      assert.equal(body.message, `pods "p" is forbidden: violates PodSecurity "baseline:v1.32": ${words}`);
    });
  }

  test('warn of what makes pods, and do not refuse it', async () => {
    await namespace({ enforce: 'baseline', warn: 'baseline' });
    const template = { metadata: { labels: { a: 'b' } }, spec: pod({}, { hostNetwork: true }).spec as JsonObject };
    const body = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { selector: { matchLabels: { a: 'b' } }, template },
    };
    const { status, warnings } = await fixture.send('POST', '/apis/apps/v1/namespaces/n/deployments', { body });
    assert.equal(status, 201);
    assert.deepEqual(warnings, ['would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)']);
  });
});
