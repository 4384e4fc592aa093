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

test('containers have names and images of their own, and ports that fit', () => {
  check({
    none: [pods.create({ spec: { containers: [] } }).errors, ['spec.containers: Required value']],
    empty: [
      pods.create({ spec: { containers: [{}] } }).errors,
      [`${C}.name: Required value`, `${C}.image: Required value`],
    ],
    twice: [
      pods.create({
        spec: {
          containers: [
            { name: 'c', image: 'i' },
            { name: 'c', image: 'i' },
          ],
        },
      }).errors,
      ['spec.containers[1].name: Duplicate value: "c"'],
    ],
    space: [
      ofContainer({ image: ' i' }),
      [`${C}.image: Invalid value: " i": must not have leading or trailing whitespace`],
    ],
    policy: [
      ofContainer({ imagePullPolicy: 'Sometimes' }),
      [`${C}.imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"`],
    ],
    ports: [
      ofContainer({
        ports: [
          { name: 'a', containerPort: 80 },
          { name: 'a', containerPort: 70000 },
          { containerPort: 1, protocol: 'X', hostPort: 5 },
          { containerPort: 2, protocol: 'TCP', hostPort: 5 },
          { containerPort: 3, protocol: 'TCP', hostPort: 5 },
        ],
      }),
      [
        `${C}.ports[1].name: Duplicate value: "a"`,
        `${C}.ports[1].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive`,
        `${C}.ports[2].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"`,
        `${C}.ports[4].hostPort: Duplicate value: "TCP//5"`,
      ],
    ],
  });
});

test('variables have one source, and it exists', () => {
  const env = (variable: JsonObject) => ofContainer({ env: [variable] });
  const at = `${C}.env[0]`;
  check({
    name: [
      env({ name: 'A=B' }),
      [
        `${at}.name: Invalid value: "A=B": a valid environment variable name must consist only of printable ASCII characters other than '='`,
      ],
    ],
    none: [
      env({ name: 'A', valueFrom: {} }),
      [
        `${at}.valueFrom: Invalid value: "": must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\` or \`secretKeyRef\``,
      ],
    ],
    value: [
      env({ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }),
      [`${at}.valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`],
    ],
    field: [
      env({ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.image' } } }),
      [
        `${at}.valueFrom.fieldRef.fieldPath: Invalid value: "spec.image": error converting fieldPath: field label not supported: spec.image`,
      ],
    ],
    key: [
      env({ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'a/b' } } }),
      [
        `${at}.valueFrom.secretKeyRef.key: Invalid value: "a/b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
      ],
    ],
    label: [env({ name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a']" } } }), []],
    divisor: [
      env({ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '2' } } }),
      [
        `${at}.valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource`,
      ],
    ],
  });
});

test('probes and hooks do one thing, with numbers that make sense', () => {
  check({
    none: [ofContainer({ livenessProbe: {} }), [`${C}.livenessProbe: Required value: must specify a handler type`]],
    both: [
      ofContainer({ readinessProbe: { exec: { command: ['x'] }, tcpSocket: { port: 1 } } }),
      [`${C}.readinessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type`],
    ],
    numbers: [
      ofContainer({ livenessProbe: { tcpSocket: { port: 0 }, periodSeconds: -1, successThreshold: 2 } }),
      [
        `${C}.livenessProbe.tcpSocket.port: Invalid value: 0: must be between 1 and 65535, inclusive`,
        `${C}.livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0`,
        `${C}.livenessProbe.successThreshold: Invalid value: 2: must be 1`,
      ],
    ],
    sleep: [
      ofContainer({ lifecycle: { preStop: { sleep: { seconds: 31 } } } }),
      [
        `${C}.lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)`,
      ],
    ],
  });
});

test('requests stay below limits, and resources have names that exist', () => {
  const of = (requests: JsonObject, limits: JsonObject = {}) => ofContainer({ resources: { requests, limits } });
  const at = `${C}.resources`;
  check({
    over: [
      of({ cpu: '2' }, { cpu: '1' }),
      [`${at}.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`],
    ],
    negative: [of({ cpu: '-1' }), [`${at}.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`]],
    unknown: [
      of({ gold: '1' }),
      [`${at}.requests[gold]: Invalid value: "gold": must be a standard resource type or fully qualified`],
    ],
    odd: [
      of({ pods: '1' }),
      [`${at}.requests[pods]: Invalid value: "pods": must be a standard resource for containers`],
    ],
    whole: [
      of({ 'example.com/gpu': '1' }),
      [`${at}.limits: Required value: Limit must be set for non overcommitable resources`],
    ],
    pages: [
      of({}, { 'hugepages-2Mi': '3Mi' }),
      [
        `${at}.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
        `${at}.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
        `${at}: Forbidden: HugePages require cpu or memory`,
      ],
    ],
    pod: [
      ofContainer({ resources: { requests: { cpu: '2' } } }, { resources: { requests: { cpu: '1' } } }),
      [
        'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
      ],
    ],
  });
});

test('volumes have one source, and mounts name volumes', () => {
  check({
    two: [
      ofSpec({ volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/x' } }] }),
      ['spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type'],
    ],
    name: [
      ofSpec({ volumes: [{ emptyDir: {} }, { name: 'A', emptyDir: {} }] }).map((error) => error.slice(0, 40)),
      ['spec.volumes[0].name: Required value', 'spec.volumes[1].name: Invalid value: "A"'.slice(0, 40)],
    ],
    twice: [ofSpec({ volumes: [{ name: 'v' }, { name: 'v' }] }), ['spec.volumes[1].name: Duplicate value: "v"']],
    secret: [
      ofSpec({ volumes: [{ name: 'v', secret: { defaultMode: 512, items: [{ key: 'k', path: '../x' }] } }] }),
      [
        'spec.volumes[0].secret.secretName: Required value',
        'spec.volumes[0].secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
        'spec.volumes[0].secret.items[0].path: Invalid value: "../x": must not contain \'..\'',
      ],
    ],
    paths: [
      ofSpec({
        volumes: [
          {
            name: 'v',
            projected: {
              sources: [
                { configMap: { name: 'a', items: [{ key: 'k', path: 'same' }] } },
                { secret: { name: 'b', items: [{ key: 'k', path: 'same' }] } },
              ],
            },
          },
        ],
      }),
      ['spec.volumes[0].projected: Invalid value: "b": conflicting duplicate paths'],
    ],
    mounts: [
      ofContainer(
        {
          volumeMounts: [
            { name: 'v', mountPath: '/a' },
            { name: 'v', mountPath: '/a' },
            { name: 'w', mountPath: '/b' },
          ],
        },
        { volumes: [{ name: 'v' }] },
      ),
      [
        `${C}.volumeMounts[1].mountPath: Invalid value: "/a": must be unique`,
        `${C}.volumeMounts[2].name: Not found: "w"`,
      ],
    ],
    claim: [
      ofSpec({ volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec: {} } } }] }),
      [
        'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required',
        'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value',
      ],
    ],
  });
});
