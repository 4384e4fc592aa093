import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../api/json.ts';
import { podOf, workloadFixture } from '../../../testing/typeRulesFixture.ts';

const pods = workloadFixture('pods');
const ofContainer = (container: JsonObject, spec: JsonObject = {}) => pods.create(podOf(container, spec)).errors;
const ofSpec = (spec: JsonObject) => pods.create(podOf({}, spec)).errors;
const C = 'spec.containers[0]';

/** Every case is a name, what is written, and the faults that must come of it, in order. */
function check(
  cases: Readonly<Record<string, readonly [errors: readonly string[], expected: readonly string[]]>>,
): void {
  for (const [name, [errors, expected]] of Object.entries(cases)) assert.deepEqual(errors, expected, name);
}

test('init containers run once unless they are sidecars', () => {
  const init = (container: JsonObject) => ofSpec({ initContainers: [{ name: 'i', image: 'img', ...container }] });
  const probe = { tcpSocket: { port: 1 } };
  check({
    probe: [
      init({ livenessProbe: probe }),
      [
        'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
      ],
    ],
    sidecar: [init({ livenessProbe: probe, restartPolicy: 'Always' }), []],
    name: [init({ name: 'c' }), ['spec.initContainers[0].name: Duplicate value: "c"']],
    debug: [
      ofSpec({ ephemeralContainers: [{ name: 'e', image: 'img', ports: [{ containerPort: 1 }] }] }),
      [
        'spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container',
        'spec.ephemeralContainers: Forbidden: cannot be set on create',
      ],
    ],
  });
});

test('policies, names, tolerations, selectors and rights are checked', () => {
  check({
    restart: [
      ofSpec({ restartPolicy: 'Maybe' }),
      ['spec.restartPolicy: Unsupported value: "Maybe": supported values: "Always", "OnFailure", "Never"'],
    ],
    dns: [
      ofSpec({ dnsPolicy: 'None' }),
      ['spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
    ],
    alias: [
      ofSpec({ hostAliases: [{ ip: 'x', hostnames: ['a'] }] }),
      ['spec.hostAliases[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
    ],
    tolerations: [
      ofSpec({ tolerations: [{ operator: 'Equal' }, { key: 'a', operator: 'X' }] }),
      [
        'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
        'spec.tolerations[1].operator: Unsupported value: "X": supported values: "Equal", "Exists"',
      ],
    ],
    affinity: [
      ofSpec({
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] },
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, preference: {} }],
          },
        },
      }),
      [
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
        'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100',
      ],
    ],
    spread: [
      ofSpec({ topologySpreadConstraints: [{ maxSkew: 0, topologyKey: 'z', whenUnsatisfiable: 'Never' }] }),
      [
        'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
        'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "Never": supported values: "DoNotSchedule", "ScheduleAnyway"',
      ],
    ],
    security: [
      ofContainer({ securityContext: { runAsUser: -1, seccompProfile: { type: 'Localhost' } } }),
      [
        `${C}.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive`,
        `${C}.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost`,
      ],
    ],
    users: [
      ofSpec({ hostUsers: false, hostPID: true }),
      ['spec.HostPID: Forbidden: when `pod.Spec.HostUsers` is false'],
    ],
    windows: [
      ofSpec({ os: { name: 'windows' }, hostPID: true }),
      ['spec.hostPID: Forbidden: cannot be set for a windows pod'],
    ],
    gates: [
      ofSpec({ nodeName: 'n', schedulingGates: [{ name: 'a' }] }),
      ['spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared'],
    ],
    sysctls: [
      ofSpec({ hostNetwork: true, securityContext: { sysctls: [{ name: 'net.core.somaxconn', value: '1' }] } }),
      [
        'spec.securityContext.sysctls[0].name: Invalid value: "net.core.somaxconn": may not be specified when \'hostNetwork\' is true',
      ],
    ],
  });
});

test('annotations that mean something for pods are checked', () => {
  const of = (annotations: JsonObject, spec: JsonObject = {}) =>
    pods.create({ metadata: { annotations }, ...podOf({}, spec) }).errors;
  check({
    cost: [
      of({ 'controller.kubernetes.io/pod-deletion-cost': '+1' }),
      [
        'metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+1": must be a 32bit integer',
      ],
    ],
    mirror: [
      of({ 'kubernetes.io/config.mirror': 'x' }),
      [
        'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
      ],
    ],
    seccomp: [
      of(
        { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' },
        { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } },
      ),
      ['spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match'],
    ],
  });
});
