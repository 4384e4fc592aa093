import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../api/json.ts';
import { type Heard, writingFixture } from '../../testing/writingFixture.ts';

const GROUP = '/apis/networking.k8s.io/v1';
const POLICIES = `${GROUP}/namespaces/default/networkpolicies`;
const INGRESSES = `${GROUP}/namespaces/default/ingresses`;
const CLASSES = `${GROUP}/ingressclasses`;
const MERGE = { 'content-type': 'application/merge-patch+json' };

const causesOf = ({ body }: Heard): string[] =>
  ((body.details as JsonObject | undefined)?.causes as JsonObject[] | undefined)?.map(
    ({ field, message }) => `${field}: ${message}`,
  ) ?? [`answered ${JSON.stringify(body)}`];

/** Posts each spec and compares the causes of its refusal; none means that it must be taken. */
async function judge(path: string, rows: readonly (readonly [JsonObject, readonly string[]])[], follow?: 'service') {
  const { send } = await writingFixture(follow ? { follow } : {});
  for (const [index, [spec, causes]] of rows.entries()) {
    const heard = await send('POST', path, { body: { metadata: { name: `o${index}` }, spec } });
    if (causes.length === 0) assert.equal(heard.status, 201, JSON.stringify(heard.body));
    else assert.deepEqual(causesOf(heard), causes, JSON.stringify(spec));
  }
}

test('a policy is about what its rules are about, over TCP', async () => {
  const { send } = await writingFixture();
  const made = await send('POST', POLICIES, {
    body: {
      metadata: { name: 'p' },
      spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }, {}] }], egress: [{}] },
    },
  });
  assert.deepEqual(made.body.spec, {
    podSelector: {},
    ingress: [{ ports: [{ protocol: 'TCP', port: 80 }, { protocol: 'TCP' }] }],
    egress: [{}],
    policyTypes: ['Ingress', 'Egress'],
  });
  assert.equal((made.body.metadata as JsonObject).generation, 1);
});

test('what a policy must not say', () => {
  const from = (peer: JsonObject): JsonObject => ({ podSelector: {}, ingress: [{ from: [peer] }] });
  const port = (one: JsonObject): JsonObject => ({ podSelector: {}, egress: [{ ports: [one] }] });
  const peer = 'spec.ingress[0].from[0]';
  const at = 'spec.egress[0].ports[0]';
  return judge(POLICIES, [
    [from({}), [`${peer}: Required value: must specify a peer`]],
    [
      from({ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }),
      [`${peer}: Forbidden: may not specify both ipBlock and another peer`],
    ],
    [from({ ipBlock: { cidr: '' } }), [`${peer}.ipBlock.cidr: Required value`]],
    [from({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }), []],
    [
      from({ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16', '10.0.0.0/8'] } }),
      [
        `${peer}.ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of \`cidr\``,
        `${peer}.ipBlock.except[1]: Invalid value: "10.0.0.0/8": must be a strict subset of \`cidr\``,
      ],
    ],
    [port({ port: 80, endPort: 79 }), [`${at}.endPort: Invalid value: 79: must be greater than or equal to \`port\``]],
    [
      port({ port: 'http', endPort: 80 }),
      [`${at}.endPort: Invalid value: 80: may not be specified when \`port\` is non-numeric`],
    ],
    [port({ endPort: 80 }), [`${at}.endPort: Invalid value: 80: may not be specified when \`port\` is not specified`]],
    [port({ protocol: 'X' }), [`${at}.protocol: Unsupported value: "X": supported values: "TCP", "UDP", "SCTP"`]],
    [
      { podSelector: {}, policyTypes: ['X'] },
      ['spec.policyTypes[0]: Unsupported value: "X": supported values: "Ingress", "Egress"'],
    ],
  ]);
});

test('ambiguous ranges are refused from the release on that refuses them, and warned of before', async () => {
  const spec = { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.1/24' } }] }] };
  await judge(
    POLICIES,
    [
      [
        spec,
        [
          'spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "10.0.0.1/24": must not have bits set beyond the prefix length',
        ],
      ],
    ],
    'service',
  );
  const { send } = await writingFixture();
  const made = await send('POST', POLICIES, { body: { metadata: { name: 'p' }, spec } });
  assert.deepEqual(made.warnings, [
    'spec.ingress[0].from[0].ipBlock.cidr: CIDR value "10.0.0.1/24" is ambiguous in this context (should be "10.0.0.0/24" or "10.0.0.1/32"?)',
  ]);
});

test('what an ingress must not say', () => {
  const service = { name: 's', port: { number: 80 } };
  const path = (one: JsonObject): JsonObject => ({ rules: [{ http: { paths: [{ backend: { service }, ...one }] } }] });
  const at = 'spec.rules[0].http.paths[0]';
  return judge(INGRESSES, [
    [{}, ['spec: Invalid value: null: either `defaultBackend` or `rules` must be specified']],
    [path({ pathType: 'Prefix', path: '/a' }), []],
    [path({ path: '/' }), [`${at}.pathType: Required value: pathType must be specified`]],
    [path({ pathType: 'Prefix' }), [`${at}.path: Invalid value: "": must be an absolute path`]],
    [path({ pathType: 'ImplementationSpecific' }), []],
    [path({ pathType: 'Exact', path: '/a/../b' }), [`${at}.path: Invalid value: "/a/../b": must not contain '/../'`]],
    [
      path({ pathType: 'X', path: '/' }),
      [`${at}.pathType: Unsupported value: "X": supported values: "Exact", "ImplementationSpecific", "Prefix"`],
    ],
    [{ defaultBackend: {} }, ['spec.defaultBackend: Invalid value: "": resource or service backend is required']],
    [
      { defaultBackend: { service: { name: 's', port: { number: 1, name: 'a' } } } },
      ['spec.defaultBackend: Invalid value: "": cannot set both port name & port number'],
    ],
    [
      { defaultBackend: { service: { name: 's', port: {} } } },
      ['spec.defaultBackend: Required value: port name or number is required'],
    ],
    [
      { defaultBackend: { service }, rules: [{ host: '1.2.3.4' }] },
      ['spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address'],
    ],
    [{ defaultBackend: { service }, rules: [{ host: '*.example.com' }] }, []],
    [
      { defaultBackend: { service }, tls: [{ hosts: ['*'] }] },
      [
        "spec.tls[0].hosts[0]: Invalid value: \"*\": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
  ]);
});

test('the older way to name the class of an ingress earns a warning once, and must not contradict the newer one', async () => {
  const { send } = await writingFixture();
  const annotations = { 'kubernetes.io/ingress.class': 'x' };
  const defaultBackend = { service: { name: 's', port: { number: 80 } } };
  const made = await send('POST', INGRESSES, {
    body: { metadata: { name: 'i', annotations }, spec: { defaultBackend } },
  });
  assert.deepEqual(made.warnings, [
    'annotation "kubernetes.io/ingress.class" is deprecated, please use \'spec.ingressClassName\' instead',
  ]);
  const changed = await send('PATCH', `${INGRESSES}/i`, { headers: MERGE, body: { metadata: { labels: { a: 'b' } } } });
  assert.deepEqual(changed.warnings, []);
  const refused = await send('POST', INGRESSES, {
    body: { metadata: { name: 'j', annotations }, spec: { defaultBackend, ingressClassName: 'y' } },
  });
  assert.deepEqual(causesOf(refused), [
    'annotations.kubernetes.io/ingress.class: Invalid value: "x": must match `ingressClassName` when both are specified',
  ]);
});

test('the controller of a class stays, and its parameters lie where their scope says', async () => {
  await judge(CLASSES, [
    [{ controller: 'a.example.com/b', parameters: { kind: 'K', name: 'n' } }, []],
    [{}, ['spec.controller: Required value']],
    [
      { controller: 'plain' },
      ['spec.controller: Invalid value: "plain": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    [
      { controller: 'a.b/c', parameters: { kind: 'K', name: 'n', scope: 'Namespace' } },
      ["spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"],
    ],
    [
      { controller: 'a.b/c', parameters: { kind: 'K', name: 'n', namespace: 'x' } },
      ["spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"],
    ],
  ]);
  const { send } = await writingFixture();
  await send('POST', CLASSES, { body: { metadata: { name: 'c' }, spec: { controller: 'a.b/c' } } });
  const changed = await send('PATCH', `${CLASSES}/c`, { headers: MERGE, body: { spec: { controller: 'a.b/d' } } });
  assert.deepEqual(causesOf(changed), ['spec.controller: Invalid value: "a.b/d": field is immutable']);
});
