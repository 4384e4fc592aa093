import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../api/json.ts';
import { type Heard, writingFixture } from '../../../testing/writingFixture.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const MERGE = { 'content-type': 'application/merge-patch+json' };

const specOf = ({ body }: Heard): JsonObject => body.spec as JsonObject;
const portsOf = (heard: Heard): JsonObject[] => specOf(heard).ports as JsonObject[];
const causesOf = ({ body }: Heard): string[] =>
  ((body.details as JsonObject).causes as JsonObject[]).map(({ field, message }) => `${field}: ${message}`);

async function fixture() {
  const { send, store } = await writingFixture();
  return {
    store,
    post: (name: string, spec: JsonObject, query = '') =>
      send('POST', `${SERVICES}${query}`, { body: { metadata: { name }, spec } }),
    patch: (name: string, spec: JsonObject) => send('PATCH', `${SERVICES}/${name}`, { headers: MERGE, body: { spec } }),
    send,
  };
}

test('a service gets an address of its own and says how it is reached', async () => {
  const { post } = await fixture();
  const made = await post('a', { ports: [{ port: 80 }] });
  assert.equal(made.status, 201);
  const { clusterIP, clusterIPs, ...rest } = specOf(made);
  assert.match(String(clusterIP), /^10\.0\.0\.\d+$/);
  assert.deepEqual(clusterIPs, [clusterIP]);
  assert.deepEqual(rest, {
    ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
    type: 'ClusterIP',
    sessionAffinity: 'None',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    internalTrafficPolicy: 'Cluster',
  });
  assert.notEqual(specOf(await post('b', { ports: [{ port: 80 }] })).clusterIP, clusterIP);
});

test('a headless service has no address, and both families where nothing is selected', async () => {
  const { post } = await fixture();
  const rows: readonly (readonly [JsonObject, string, readonly string[]])[] = [
    [{ clusterIP: 'None', selector: { a: 'b' } }, 'SingleStack', ['IPv4']],
    [{ clusterIP: 'None' }, 'RequireDualStack', ['IPv4', 'IPv6']],
    [{ clusterIP: 'None', ipFamilies: ['IPv6'] }, 'RequireDualStack', ['IPv6', 'IPv4']],
    [{ clusterIP: 'None', ipFamilyPolicy: 'SingleStack' }, 'SingleStack', ['IPv4']],
  ];
  for (const [index, [spec, policy, families]] of rows.entries()) {
    const made = specOf(await post(`h${index}`, { ...spec, ports: [{ port: 1 }] }));
    assert.deepEqual(made.clusterIPs, ['None']);
    assert.equal(made.ipFamilyPolicy, policy);
    assert.deepEqual(made.ipFamilies, families);
  }
});

test('an address is given once, given back when its service goes or was never stored, and not spent by dry runs', async () => {
  const { post, send } = await fixture();
  const spec = { clusterIP: '10.0.0.9', ports: [{ port: 80 }] };
  const taken = 'failed to allocate IP 10.0.0.9: provided IP is already allocated';
  assert.equal((await post('a', spec, '?dryRun=All')).status, 201);
  assert.equal((await post('bad', { ...spec, sessionAffinity: 'x' })).status, 422);
  assert.equal((await post('a', spec)).status, 201);
  assert.deepEqual(causesOf(await post('b', spec)), [`spec.clusterIPs: Invalid value: ["10.0.0.9"]: ${taken}`]);
  assert.equal((await post('b', spec, '?dryRun=All')).status, 422);
  assert.equal((await send('DELETE', `${SERVICES}/a`)).status, 200);
  assert.equal((await post('b', spec)).status, 201);
  // A name that is taken gives back what the attempt took.
  assert.equal((await post('b', { clusterIP: '10.0.0.10', ports: [{ port: 80 }] })).status, 409);
  assert.equal((await post('c', { clusterIP: '10.0.0.10', ports: [{ port: 80 }] })).status, 201);
});

test('addresses outside the range are refused, and those of its ends', async () => {
  const { post } = await fixture();
  for (const clusterIP of ['1.2.3.4', '10.0.0.0', '10.0.0.255']) {
    assert.deepEqual(causesOf(await post('a', { clusterIP, ports: [{ port: 80 }] })), [
      `spec.clusterIPs: Invalid value: ["${clusterIP}"]: failed to allocate IP ${clusterIP}: the provided IP (${clusterIP}) is not in the valid range. The range of valid IPs is 10.0.0.0/24`,
    ]);
  }
});

test('services that are made at the same time get different addresses, and the same seed gives the same ones', async () => {
  const make = async () => {
    const { post } = await fixture();
    const made = await Promise.all(Array.from({ length: 30 }, (_, i) => post(`s${i}`, { ports: [{ port: 80 }] })));
    return made.map((one) => specOf(one).clusterIP);
  };
  const first = await make();
  assert.equal(new Set(first).size, 30);
  assert.deepEqual(await make(), first);
});

test('when all addresses are taken the service says so', async () => {
  const { post, send } = await fixture();
  // One belongs to the service itself.
  for (let i = 1; i < 254; i++) assert.equal((await post(`s${i}`, { ports: [{ port: 80 }] })).status, 201);
  const refused = await post('last', { ports: [{ port: 80 }] });
  assert.equal(refused.status, 500);
  assert.match(String(refused.body.message), /failed to allocate a serviceIP: range is full/);
  await send('DELETE', `${SERVICES}/s7`);
  assert.equal((await post('last', { ports: [{ port: 80 }] })).status, 201);
});

test('node ports are shared by number, taken once and kept by name', async () => {
  const { post, patch } = await fixture();
  const made = await post('a', {
    type: 'NodePort',
    ports: [
      { name: 'u', port: 53, protocol: 'UDP' },
      { name: 't', port: 53 },
      { name: 'x', port: 80 },
    ],
  });
  const [udp, tcp, other] = portsOf(made).map(({ nodePort }) => nodePort as number);
  assert.equal(udp, tcp);
  assert.notEqual(udp, other);
  assert.ok((udp as number) >= 30_000 && (udp as number) <= 32_767);
  assert.equal(specOf(made).externalTrafficPolicy, 'Cluster');

  const again = await post('b', { type: 'NodePort', ports: [{ port: 1, nodePort: other as number }] });
  assert.deepEqual(causesOf(again), [
    `spec.ports[0].nodePort: Invalid value: ${other}: provided port is already allocated`,
  ]);
  assert.deepEqual(causesOf(await post('b', { type: 'NodePort', ports: [{ port: 1, nodePort: 80 }] })), [
    'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
  ]);
  const kept = await patch('a', { ports: [{ name: 'x', port: 81 }] });
  assert.deepEqual(portsOf(kept), [{ name: 'x', protocol: 'TCP', port: 81, targetPort: 81, nodePort: other }]);
  assert.equal((await post('b', { type: 'NodePort', ports: [{ port: 1, nodePort: udp as number }] })).status, 201);
});

test('a service that changes its type drops what it no longer needs and gets what it does', async () => {
  const { post, patch } = await fixture();
  const address = specOf(
    await post('a', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 1 }] }),
  );
  assert.equal(typeof address.healthCheckNodePort, 'number');
  assert.equal(address.allocateLoadBalancerNodePorts, true);
  const inner = specOf(await patch('a', { type: 'ClusterIP' }));
  assert.equal(inner.clusterIP, address.clusterIP);
  for (const name of ['healthCheckNodePort', 'externalTrafficPolicy', 'allocateLoadBalancerNodePorts']) {
    assert.equal(name in inner, false, name);
  }
  assert.deepEqual(inner.ports, [{ protocol: 'TCP', port: 1, targetPort: 1 }]);
  const named = specOf(await patch('a', { type: 'ExternalName', externalName: 'a.example.com.' }));
  for (const name of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy']) {
    assert.equal(name in named, false, name);
  }
  const back = specOf(await patch('a', { type: 'NodePort', externalName: null }));
  assert.match(String(back.clusterIP), /^10\.0\.0\./);
  assert.equal(typeof (back.ports as JsonObject[])[0]?.nodePort, 'number');
});

test('the first address and family stay', async () => {
  const { post, patch } = await fixture();
  const made = specOf(await post('a', { ports: [{ port: 80 }] }));
  assert.deepEqual(causesOf(await patch('a', { clusterIP: '10.0.0.77' })), [
    'spec.clusterIPs[0]: Invalid value: ["10.0.0.77"]: may not change once set',
  ]);
  assert.equal(specOf(await patch('a', { clusterIP: null, clusterIPs: null })).clusterIP, made.clusterIP);
  assert.deepEqual(causesOf(await patch('a', { ipFamilyPolicy: 'RequireDualStack' })), [
    'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
  ]);
  assert.equal(specOf(await patch('a', { ipFamilyPolicy: 'PreferDualStack' })).ipFamilyPolicy, 'PreferDualStack');
  assert.equal(specOf(await patch('a', { selector: { a: 'b' } })).ipFamilyPolicy, 'PreferDualStack');
});

test('what a service must not say', async () => {
  const { post } = await fixture();
  const rows: readonly (readonly [JsonObject, readonly string[]])[] = [
    [{}, ['spec.ports: Required value']],
    [
      { ports: [{ port: 1 }, { name: 'a', port: 1 }] },
      [
        'spec.ports[0].name: Required value',
        'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":1,"TargetPort":0,"NodePort":0}',
      ],
    ],
    [
      { ports: [{ port: 1, protocol: 'X', targetPort: 'a--b' }] },
      [
        'spec.ports[0].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
        'spec.ports[0].targetPort: Invalid value: "a--b": must not contain consecutive hyphens',
      ],
    ],
    [
      { ports: [{ port: 1, nodePort: 30001 }] },
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ],
    [
      { ports: [{ port: 1 }], type: 'X' },
      ['spec.type: Unsupported value: "X": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"'],
    ],
    [{ type: 'ExternalName' }, ['spec.externalName: Required value']],
    [
      { type: 'NodePort', clusterIP: 'None', ports: [{ port: 1 }] },
      ['spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services'],
    ],
    [
      { ports: [{ port: 1 }], externalIPs: ['127.0.0.1', 'x'] },
      [
        'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'spec.externalIPs[1]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
    ],
    [
      { ports: [{ port: 1 }], externalTrafficPolicy: 'Local', loadBalancerClass: 'a' },
      [
        "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'",
        'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
      ],
    ],
    [
      { ports: [{ port: 1 }], clusterIP: 'x' },
      ['spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
    ],
    [
      { ports: [{ port: 1 }], ipFamilies: ['IPv6'] },
      ['spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster'],
    ],
    [
      { ports: [{ port: 1 }], clusterIPs: ['10.0.0.3'] },
      ['spec.clusterIPs: Invalid value: ["10.0.0.3"]: must be empty when `clusterIP` is not specified'],
    ],
  ];
  for (const [spec, causes] of rows) {
    const refused = await post('a', spec);
    assert.deepEqual(causesOf(refused), causes, JSON.stringify(spec));
  }
});

test('what a headless service says in vain earns warnings', async () => {
  const { post } = await fixture();
  const made = await post('a', { clusterIP: 'None', sessionAffinity: 'ClientIP', ports: [{ port: 80 }] });
  assert.deepEqual(made.warnings, ['spec.SessionAffinity is ignored for headless services']);
  assert.deepEqual(specOf(made).sessionAffinityConfig, { clientIP: { timeoutSeconds: 10_800 } });
  assert.deepEqual((await post('b', { ports: [{ port: 80 }] })).warnings, []);
});
