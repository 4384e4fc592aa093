import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { JsonObject } from '../../api/json.ts';
import { readOptions } from '../../options/loadOptions.ts';
import { type ReleaseFixture, releaseFixture } from '../../testing/releaseFixture.ts';
import { fillPod } from './fillPod.ts';
import { judgePod } from './judgePod.ts';

const any = { rule: 'RunAsAny' };
const open: JsonObject = { seLinux: any, runAsUser: any, supplementalGroups: any, fsGroup: any, volumes: ['*'] };
const pod = (more: JsonObject = {}, container: JsonObject = {}): JsonObject => ({
  containers: [{ name: 'c', image: 'i', ...container }],
  ...more,
});
const range = [{ min: 100, max: 200 }];

describe('a PodSecurityPolicy', () => {
  const cases: readonly [what: string, policy: JsonObject, refused: JsonObject, taken: JsonObject][] = [
    ['host network', { hostNetwork: true }, pod({ hostPID: true }), pod({ hostNetwork: true })],
    ['privileges', {}, pod({}, { securityContext: { privileged: true } }), pod()],
    [
      'host ports',
      { hostPorts: [{ min: 80, max: 90 }] },
      pod({}, { ports: [{ containerPort: 1, hostPort: 79 }] }),
      pod({}, { ports: [{ containerPort: 1, hostPort: 80 }] }),
    ],
    [
      'kinds of volumes',
      { volumes: ['emptyDir'] },
      pod({ volumes: [{ name: 'v', hostPath: { path: '/a' } }] }),
      pod({ volumes: [{ name: 'v', emptyDir: {} }] }),
    ],
    [
      'paths of the host',
      { allowedHostPaths: [{ pathPrefix: '/a' }] },
      pod({ volumes: [{ name: 'v', hostPath: { path: '/ab' } }] }),
      pod({ volumes: [{ name: 'v', hostPath: { path: '/a/b' } }] }),
    ],
    [
      'user ids',
      { runAsUser: { rule: 'MustRunAs', ranges: range } },
      pod({ securityContext: { runAsUser: 1 } }),
      pod({ securityContext: { runAsUser: 150 } }),
    ],
    [
      'the root user',
      { runAsUser: { rule: 'MustRunAsNonRoot' } },
      pod({ securityContext: { runAsUser: 0 } }),
      pod({ securityContext: { runAsNonRoot: true } }),
    ],
    [
      'group ids that may be left out',
      { fsGroup: { rule: 'MayRunAs', ranges: range } },
      pod({ securityContext: { fsGroup: 1 } }),
      pod(),
    ],
    [
      'capabilities',
      { allowedCapabilities: ['NET_ADMIN'] },
      pod({}, { securityContext: { capabilities: { add: ['SYS_TIME'] } } }),
      pod({}, { securityContext: { capabilities: { add: ['NET_ADMIN'] } } }),
    ],
    [
      'sysctls',
      { allowedUnsafeSysctls: ['kernel.msg*'] },
      pod({ securityContext: { sysctls: [{ name: 'net.core.somaxconn', value: '1' }] } }),
      pod({ securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } }),
    ],
    [
      'runtime classes',
      { runtimeClass: { allowedRuntimeClassNames: ['a'] } },
      pod({ runtimeClassName: 'b' }),
      pod({ runtimeClassName: 'a' }),
    ],
  ];
  for (const [what, policy, refused, taken] of cases) {
    it(`judges ${what}`, () => {
      assert.equal(judgePod(refused, { ...open, ...policy }).length > 0, true);
      assert.deepEqual(judgePod(taken, { ...open, ...policy }), []);
    });
  }

  it('fills what a pod leaves open, so that it then fits', () => {
    const policy = {
      ...open,
      runAsUser: { rule: 'MustRunAs', ranges: range },
      fsGroup: { rule: 'MustRunAs', ranges: range },
      supplementalGroups: { rule: 'MustRunAs', ranges: range },
      seLinux: { rule: 'MustRunAs', seLinuxOptions: { level: 's0' } },
      requiredDropCapabilities: ['KILL'],
      defaultAddCapabilities: ['CHOWN'],
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
    };
    const spec = pod();
    assert.notDeepEqual(judgePod(spec, policy), []);
    fillPod(spec, policy);
    assert.deepEqual(judgePod(spec, policy), []);
    assert.deepEqual(spec.securityContext, {
      fsGroup: 100,
      supplementalGroups: [100],
      seLinuxOptions: { level: 's0' },
    });
  });
});

describe('the plugin PodSecurityPolicy', () => {
  const FLAG = '--enable-admission-plugins=PodSecurityPolicy';
  let fixture: ReleaseFixture | undefined;
  after(() => fixture?.close());

  it('is known until release 1.24', () => {
    assert.ok(!('errors' in readOptions(['--release=1.24', FLAG])));
    const refused = readOptions(['--release=1.25', FLAG]);
    assert.ok('errors' in refused);
    assert.match(refused.errors.join(), /PodSecurityPolicy was removed in release 1\.25/);
  });

  it('takes a pod that some policy allows, the one that leaves it as it is before others', async () => {
    fixture = await releaseFixture('1.24', [FLAG]);
    const PODS = '/api/v1/namespaces/default/pods';
    await fixture.send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
    const create = (name: string, spec: JsonObject) =>
      (fixture as ReleaseFixture).send('POST', PODS, { metadata: { name }, spec });
    const none = await create('none', pod());
    assert.equal(none.code, 403);
    assert.match(String(none.body.message), /no providers available/);
    const policy = (name: string, spec: JsonObject) =>
      (fixture as ReleaseFixture).send('POST', '/apis/policy/v1beta1/podsecuritypolicies', {
        metadata: { name },
        spec,
      });
    assert.equal((await policy('a', { ...open, readOnlyRootFilesystem: true })).code, 201);
    assert.equal((await policy('b', open)).code, 201);
    const made = await create('plain', pod());
    assert.equal(made.code, 201, JSON.stringify(made.body));
    const annotations = (made.body.metadata as JsonObject).annotations as JsonObject;
    assert.equal(annotations['kubernetes.io/psp'], 'b');
    const refused = await create('host', pod({ hostNetwork: true }));
    assert.equal(refused.code, 403);
    assert.match(String(refused.body.message), /Host network is not allowed to be used/);
    await fixture.send('DELETE', '/apis/policy/v1beta1/podsecuritypolicies/b');
    const changed = await create('changed', pod());
    const [container = {}] = (changed.body.spec as JsonObject).containers as JsonObject[];
    assert.equal((container.securityContext as JsonObject).readOnlyRootFilesystem, true);
  });
});
