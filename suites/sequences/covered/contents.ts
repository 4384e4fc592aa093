import type { Json, JsonObject } from '../../harness/json.ts';
import type { SequenceType } from '../types.ts';

/** What objects of a type hold, beside their metadata, in the requests that are crossed with everything. */
export interface Contents {
  /** What an object has, what it may have instead, and what is of the wrong type. */
  readonly base: JsonObject;
  readonly other: JsonObject;
  readonly wrong: JsonObject;
  /** Where a JSON patch finds what differs, and the two values of it. */
  readonly pointer: string;
  readonly at: Json;
  readonly wrongAt: Json;
  /** Members that may be written instead: each is stored as it is, with defaults. */
  readonly legal: readonly JsonObject[];
  /** Members that are refused, whoever writes them and however. */
  readonly illegal: readonly JsonObject[];
  /** Members of which the second item has fields that no schema knows: `stranger` and `strangerMore`. */
  readonly inner?: JsonObject;
  /** Another value of what may not change. */
  readonly fixed?: JsonObject;
  /** What a status may hold, and what is of the wrong type; of types that have one. */
  readonly status?: JsonObject;
  readonly wrongStatus?: JsonObject;
}

const RBAC = 'rbac.authorization.{domain}';
const STRANGE: JsonObject = { stranger: '1', strangerMore: { deep: '1' } };

const member = (
  outer: string,
  name: string,
  [base, other, wrong]: readonly [Json, Json, Json],
): Pick<Contents, 'base' | 'other' | 'wrong' | 'pointer' | 'at' | 'wrongAt'> => ({
  base: { [outer]: { [name]: base } },
  other: { [outer]: { [name]: other } },
  wrong: { [outer]: { [name]: wrong } },
  pointer: `/${outer}/${name}`,
  at: other,
  wrongAt: wrong,
});
const each = (outer: string, name: string, values: readonly Json[]): JsonObject[] =>
  values.map((value) => ({ [outer]: { [name]: value } }));

/** Texts that other readers take for something else, and such as need escapes. */
const TEXTS: readonly string[] = ['', 'true', 'null', '~', '1e3', '0x1F', '1_000', '2001-01-01', ' a ', 'a: b #c'];
const LONG_TEXTS: readonly string[] = ['a\nb\n', '- a', '"\\\t', '\u00fc \u{1f600} \u2028', '{}', '[]', '<&>'];
export const ODD_TEXTS: Readonly<Record<string, string>> = Object.fromEntries(
  [...TEXTS, ...LONG_TEXTS].map((text, at) => [`odd${at}`, text]),
);

const rule = (verb: string, more: JsonObject = {}): JsonObject => ({
  apiGroups: [''],
  resources: ['configmaps'],
  verbs: [verb],
  ...more,
});
const role: Contents = {
  base: { rules: [rule('get')] },
  other: { rules: [rule('list')] },
  wrong: { rules: 'x' },
  pointer: '/rules/0/verbs',
  at: ['list'],
  wrongAt: 'x',
  legal: [
    { rules: [] },
    { rules: [rule('list'), rule('get', { resourceNames: ['b', 'a'] }), rule('list')] },
    { rules: [{ apiGroups: ['', 'apps'], resources: ['pods', 'pods/log'], verbs: ['get', 'watch', 'get'] }] },
  ],
  illegal: [
    { rules: [rule('get'), { apiGroups: [''], resources: ['configmaps'] }] },
    { rules: [rule('get'), rule('get', { resourceNames: 'a' })] },
    { rules: [rule('get'), 'x'] },
  ],
  inner: { rules: [rule('get'), rule('list', STRANGE)] },
};

const bound = (kind: string): Contents => {
  const roleRef = { kind, name: '{id}-none', apiGroup: RBAC };
  const to = (...subjects: readonly JsonObject[]): JsonObject => ({ roleRef, subjects: [...subjects] });
  const user = (name: string): JsonObject => ({ kind: 'User', name, apiGroup: RBAC });
  return {
    base: to(user('ann')),
    other: to(user('ben')),
    wrong: { roleRef, subjects: 'x' },
    pointer: '/subjects/0/name',
    at: 'ben',
    wrongAt: 7,
    legal: [
      to(),
      to({ kind: 'User', name: 'ann' }, { kind: 'Group', name: 'g' }, { kind: 'User', name: 'cem' }),
      to({ kind: 'ServiceAccount', name: 's', namespace: '{ns}' }, { kind: 'Group', name: 'system:x', apiGroup: RBAC }),
      to(user('ann'), user('ben'), user('ann')),
      to(user('ben'), user('ann')),
    ],
    illegal: [
      to(user('ann'), { kind: 'User', apiGroup: RBAC }),
      to({ kind: 'Group', apiGroup: RBAC }, user('ann')),
      to(user('ann'), { name: 'ben', apiGroup: RBAC }),
      to(user('ann'), { kind: 'ServiceAccount', namespace: '{ns}' }),
      to(user('ann'), { kind: 'User', name: 7 }),
    ],
    inner: to(user('ann'), { ...user('ben'), ...STRANGE }),
    fixed: { roleRef: { ...roleRef, name: '{id}-other' } },
  };
};

const NO_RULE: JsonObject = {
  apiGroups: ['none.example'],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['things'],
};
const ADDRESS = 'https://hook.invalid/x';
const hook = (name: string, more: JsonObject = {}): JsonObject => ({
  name: `${name}.seq.example`,
  clientConfig: { url: ADDRESS },
  rules: [NO_RULE],
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  ...more,
});
const hooks = (...list: readonly JsonObject[]): JsonObject => ({ webhooks: [...list] });
/** A webhook that has something else, behind one that is sound. */
const second = (more: JsonObject): JsonObject => hooks(hook('a'), hook('b', more));
const without = (name: string): JsonObject => {
  const { [name]: _, ...rest } = hook('b');
  return hooks(hook('a'), rest);
};
const inRule = (more: JsonObject): JsonObject => second({ rules: [NO_RULE, { ...NO_RULE, ...more }] });
const SERVICE: JsonObject = { name: 's', namespace: 'n' };
const service = (more: JsonObject): JsonObject => second({ clientConfig: { service: { ...SERVICE, ...more } } });
const condition = (name: Json, expression: Json = 'true'): JsonObject => ({ name, expression });
const conditions = (...list: readonly JsonObject[]): JsonObject => second({ matchConditions: [...list] });
const many = (count: number): JsonObject =>
  conditions(...Array.from({ length: count }, (_, at) => condition(`c${at}`)));
const expressed = (more: JsonObject): JsonObject => ({ matchExpressions: [{ key: 'a', ...more }] });

const configuration: Contents = {
  base: hooks(hook('a'), hook('b')),
  other: hooks(hook('a', { timeoutSeconds: 7 }), hook('b')),
  wrong: { webhooks: 'x' },
  pointer: '/webhooks/0/timeoutSeconds',
  at: 7,
  wrongAt: 'x',
  legal: [
    hooks(),
    second({ timeoutSeconds: 1 }),
    second({ timeoutSeconds: 30 }),
    second({ sideEffects: 'NoneOnDryRun', failurePolicy: 'Ignore', matchPolicy: 'Exact' }),
    second({ admissionReviewVersions: ['v2', 'v1'], failurePolicy: 'Fail', matchPolicy: 'Equivalent' }),
    second({ clientConfig: { url: 'https://10.0.0.1:99' } }),
    service({}),
    service({ port: 1, path: '/p' }),
    service({ port: 65535 }),
    many(64),
    conditions(condition('a'), condition('example.com/b-c.d', 'object.metadata.name == "x"')),
    second({ namespaceSelector: { matchLabels: { a: 'b' } }, objectSelector: expressed({ operator: 'Exists' }) }),
    second({ objectSelector: expressed({ operator: 'NotIn', values: ['1', '2'] }), rules: [] }),
    inRule({ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['none'], scope: 'Cluster' }),
    inRule({ operations: ['CONNECT', 'DELETE'], resources: ['things/*', 'others/log'], scope: 'Namespaced' }),
    inRule({ resources: ['*'] }),
    inRule({ resources: ['*/*'] }),
  ],
  illegal: [
    second({ name: 'b' }),
    second({ name: 'a.seq.example' }),
    second({ name: '' }),
    ...['name', 'clientConfig', 'sideEffects', 'admissionReviewVersions'].map(without),
    second({ admissionReviewVersions: [] }),
    second({ admissionReviewVersions: ['v2'] }),
    second({ sideEffects: 'Some' }),
    second({ sideEffects: 'Unknown' }),
    second({ sideEffects: 'none' }),
    second({ failurePolicy: 'Never' }),
    second({ matchPolicy: 'Loose' }),
    second({ timeoutSeconds: 0 }),
    second({ timeoutSeconds: 31 }),
    second({ timeoutSeconds: -1 }),
    second({ timeoutSeconds: '5' }),
    second({ clientConfig: {} }),
    second({ clientConfig: { url: ADDRESS, service: SERVICE } }),
    ...['http://hook.invalid/x', 'https://u@hook.invalid/x', 'https://u:p@hook.invalid/x', `${ADDRESS}?a=b`].map(
      (url) => second({ clientConfig: { url } }),
    ),
    ...[`${ADDRESS}#f`, 'https:///x', 'hook.invalid/x', ''].map((url) => second({ clientConfig: { url } })),
    second({ clientConfig: { url: ADDRESS, caBundle: '!' } }),
    second({ clientConfig: { service: { name: 's' } } }),
    second({ clientConfig: { service: { namespace: 'n' } } }),
    service({ port: 0 }),
    service({ port: 65536 }),
    service({ port: -1 }),
    inRule({ apiGroups: ['*', 'a'] }),
    inRule({ apiVersions: ['v1', '*'] }),
    inRule({ operations: ['CREATE', '*'] }),
    inRule({ operations: ['PATCH'] }),
    inRule({ operations: ['create'] }),
    inRule({ resources: ['*/*', 'things'] }),
    inRule({ resources: ['*', 'things'] }),
    inRule({ resources: ['things/*', 'things/status'] }),
    inRule({ scope: 'Some' }),
    many(65),
    conditions(condition('a b')),
    conditions(condition('a'), condition('a')),
    conditions(condition('-a')),
    conditions(condition('a'), { name: 'b' }),
    conditions(condition('a'), { expression: 'true' }),
    conditions(condition('a', '1 +')),
    conditions(condition('a', '"text"')),
    conditions(condition('a', 'nothing.here')),
    second({ namespaceSelector: expressed({ operator: 'Foo' }) }),
    second({ objectSelector: expressed({ operator: 'In' }) }),
    second({ objectSelector: expressed({ operator: 'Exists', values: ['1'] }) }),
  ],
  inner: hooks(hook('a'), hook('b', { stranger: '1', rules: [NO_RULE, { ...NO_RULE, strangerMore: '1' }] })),
};

/** Contents of the custom types, of which one field at a time is unusual. */
const note = member('spec', 'note', ['1', '2', 7]);
const custom: Contents = {
  ...note,
  legal: [
    ...each('spec', 'size', [0, 2_147_483_647]),
    ...each('spec', 'map', [{ a: '', b: 'true' }, {}, ODD_TEXTS]),
    ...each('spec', 'plain', [[], ['b', 'a', 'a', ''], [...TEXTS]]),
    { spec: { tags: ['b', 'a'], items: [{ name: 'b', value: '' }, { name: 'a' }] } },
    { spec: { ports: [{ port: 2 }, { port: 1, protocol: 'UDP' }, { port: 1 }], deep: [{}, { tags: [], v: '' }] } },
    { spec: { any: { unknown: { deep: [1, { a: null }, false, 0.5, ''] }, b: {} }, struct: {} } },
  ],
  illegal: [
    ...each('spec', 'size', ['1', 1.5, true, [], {}]),
    ...each('spec', 'plain', ['x', {}, [1], ['a', null]]),
    ...each('spec', 'map', [{ a: 1 }, [], 'x']),
    ...each('spec', 'tags', [
      ['a', 'b', 'a'],
      ['a', 1],
    ]),
    ...each('spec', 'items', [
      [{ name: 'a' }, { name: 'b' }, { name: 'a', value: '1' }],
      [{ name: 'a' }, { value: '1' }],
      [{ name: 'a' }, 'x'],
    ]),
    ...each('spec', 'ports', [
      [{ port: 1 }, { port: 1, protocol: 'TCP' }],
      [{ port: 1 }, { protocol: 'TCP' }],
    ]),
    { spec: [] },
    { spec: 'x' },
  ],
  inner: { spec: { note: '1', items: [{ name: 'a' }, { name: 'b', ...STRANGE }] } },
  status: { size: 2 },
  wrongStatus: { size: 'x' },
};

const backend: JsonObject = { defaultBackend: { service: { name: 's', port: { number: 80 } } } };

/** By kind. */
export const CONTENTS: Readonly<Record<string, Contents>> = {
  ConfigMap: {
    ...member('data', 'a', ['1', '2', 7]),
    legal: [{ data: ODD_TEXTS }, { data: {} }, { data: { 'a.b-c_D': 'x', b: 'y' } }],
    illegal: [...each('data', 'a', [true, ['x'], {}]), { data: [] }, { data: 'x' }],
  },
  Secret: {
    ...member('data', 'a', ['MQ==', 'Mg==', 7]),
    legal: [{ data: { a: '', b: 'AP8=' } }],
    illegal: each('data', 'a', ['!', ['MQ==']]),
  },
  Lease: {
    ...member('spec', 'holderIdentity', ['1', '2', 7]),
    legal: each('spec', 'leaseDurationSeconds', [1, 2_147_483_647]),
    illegal: each('spec', 'leaseDurationSeconds', ['5', 1.5, true]),
    inner: { spec: { holderIdentity: '1', ...STRANGE } },
  },
  ServiceAccount: {
    base: { automountServiceAccountToken: true },
    other: { automountServiceAccountToken: false },
    wrong: { automountServiceAccountToken: 'yes' },
    pointer: '/automountServiceAccountToken',
    at: false,
    wrongAt: 'yes',
    legal: [],
    illegal: [{ automountServiceAccountToken: 1 }, { automountServiceAccountToken: 'false' }],
  },
  // What is the same in both scopes is asked of one.
  Role: { ...role, legal: [], illegal: [] },
  ClusterRole: role,
  RoleBinding: { ...bound('Role'), legal: [], illegal: [] },
  ClusterRoleBinding: bound('ClusterRole'),
  ValidatingWebhookConfiguration: configuration,
  Namespace: {
    base: {},
    other: {},
    wrong: { spec: 'x' },
    pointer: '/metadata/annotations/note',
    at: 'b',
    wrongAt: 7,
    legal: [],
    illegal: [{ spec: [] }],
    status: {
      conditions: [
        { type: 'Test', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2001-01-01T00:00:00Z' },
      ],
    },
    wrongStatus: { conditions: 'x' },
  },
  Ingress: {
    ...member('spec', 'ingressClassName', ['one', 'two', 7]),
    base: { spec: { ingressClassName: 'one', ...backend } },
    other: { spec: { ingressClassName: 'two', ...backend } },
    legal: [],
    illegal: [],
    inner: { spec: { ingressClassName: 'one', ...backend, ...STRANGE } },
    status: { loadBalancer: { ingress: [{ ip: '10.0.0.2' }] } },
    wrongStatus: { loadBalancer: 'x' },
  },
  Widget: custom,
  Planet: { ...custom, legal: [], illegal: [] },
};

/** What objects of a type hold. */
export const contentsOf = ({ kind }: SequenceType): Contents => CONTENTS[kind] as Contents;

/** Whether a content is one that is kept, or that is refused. */
export const isLegal = (content: string): boolean => /^legal\d+$/.test(content);
export const isIllegal = (content: string): boolean => /^illegal\d+$/.test(content);
/** What the values `legal3` and `illegal3` of a row stand for. */
export function memberOf(contents: Contents, content: string): JsonObject | undefined {
  const at = Number(/\d+$/.exec(content)?.[0]);
  if (isLegal(content)) return contents.legal[at];
  return isIllegal(content) ? contents.illegal[at] : undefined;
}
