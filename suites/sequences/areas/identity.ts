import type { Dice } from '../../covering/dice.ts';
import type { JsonObject } from '../../harness/json.ts';
import type { Step, Who } from '../step.ts';
import { ANN, ann, granting, type Rule } from './roles.ts';

const SELF: Pick<Step, 'method' | 'path' | 'body'> = {
  method: 'POST',
  path: '/apis/authentication.{domain}/v1/selfsubjectreviews',
  body: { apiVersion: 'authentication.{domain}/v1', kind: 'SelfSubjectReview' },
};
const selfAs = (as: Who, headers?: Record<string, string>): Step => ({ as, ...SELF, ...(headers ? { headers } : {}) });

/** Somebody acts as others, with rights to do so that fit or almost do. */
export function impersonation(dice: Dice): Step[] {
  const authentication = 'authentication.{domain}';
  const rules = dice.few<Rule>([
    { verbs: ['impersonate'], apiGroups: [''], resources: ['users'] },
    { verbs: ['impersonate'], apiGroups: [''], resources: ['users'], resourceNames: ['{id}-ben'] },
    { verbs: ['impersonate'], apiGroups: [''], resources: ['users'], resourceNames: ['{id}-*', '*'] },
    { verbs: ['impersonate'], apiGroups: [''], resources: ['groups'] },
    { verbs: ['impersonate'], apiGroups: [''], resources: ['groups'], resourceNames: ['{id}-team'] },
    { verbs: ['impersonate'], apiGroups: [''], resources: ['serviceaccounts'] },
    { verbs: ['impersonate'], apiGroups: [authentication], resources: ['userextras/scopes'] },
    { verbs: ['impersonate'], apiGroups: [authentication], resources: ['userextras/scopes'], resourceNames: ['view'] },
    { verbs: ['impersonate'], apiGroups: [authentication], resources: ['userextras/other'] },
    { verbs: ['impersonate'], apiGroups: [authentication], resources: ['uids'] },
    { verbs: ['impersonate'], apiGroups: [authentication], resources: ['users', 'groups'] },
    { verbs: ['get', 'list'], apiGroups: [''], resources: ['users', 'groups', 'serviceaccounts'] },
    { verbs: ['get'], apiGroups: [''], resources: ['configmaps'] },
  ]);
  const account = 'system:serviceaccount:{ns}:sa';
  const steps: Step[] = [
    {
      as: 'admin',
      method: 'POST',
      path: '/api/v1/namespaces/{ns}/serviceaccounts',
      body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'imp' } },
    },
    {
      as: 'admin',
      method: 'POST',
      path: '/api/v1/namespaces/{ns}/serviceaccounts/imp/token',
      body: { apiVersion: 'authentication.{domain}/v1', kind: 'TokenRequest', spec: {} },
      keep: 'tok',
    },
    ...granting('{id}-i', dice.chance(0.5) ? rules : [dice.of(rules)], [
      { kind: 'ServiceAccount', name: 'imp', namespace: '{ns}' },
    ]),
    ...granting(
      '{id}-j',
      [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'] }],
      [{ ...ANN, name: '{id}-ben' }],
    ),
    ...(dice.chance(0.3)
      ? [
          {
            as: 'admin' as const,
            method: 'POST',
            path: '/apis/rbac.authorization.{domain}/v1/namespaces/{ns}/roles',
            body: {
              apiVersion: 'rbac.authorization.{domain}/v1',
              kind: 'Role',
              metadata: { name: 'imp' },
              rules: [{ verbs: ['impersonate'], apiGroups: [''], resources: ['serviceaccounts'] }],
            },
          },
          {
            as: 'admin' as const,
            method: 'POST',
            path: '/apis/rbac.authorization.{domain}/v1/namespaces/{ns}/rolebindings',
            body: {
              apiVersion: 'rbac.authorization.{domain}/v1',
              kind: 'RoleBinding',
              metadata: { name: 'imp' },
              roleRef: { kind: 'Role', name: 'imp', apiGroup: 'rbac.authorization.{domain}' },
              subjects: [{ kind: 'ServiceAccount', name: 'imp', namespace: '{ns}' }],
            },
          },
        ]
      : []),
  ];
  const token: Who = { token: '<<tok.status.token>>' };
  for (let at = 0; at < 12; at++) {
    const user = dice.of(['{id}-ben', '{id}-ben', '{id}-cem', account, 'system:serviceaccount:{ns2}:sa', '', '{id}-*']);
    const headers: Record<string, string> = {
      ...(dice.chance(0.92) ? { 'impersonate-user': user } : {}),
      ...(dice.chance(0.3) ? { 'impersonate-group': dice.of(['{id}-team', 'system:masters', '{id}-other']) } : {}),
      ...(dice.chance(0.3) ? { 'impersonate-extra-scopes': dice.of(['view', 'edit']) } : {}),
      ...(dice.chance(0.15) ? { 'impersonate-extra-other': 'x' } : {}),
      ...(dice.chance(0.1) ? { 'impersonate-uid': 'u-1' } : {}),
    };
    if (dice.chance(0.75)) steps.push(selfAs(token, headers));
    else
      steps.push({
        as: token,
        method: 'GET',
        path: `/api/v1/namespaces/{ns}/${dice.of(['configmaps', 'secrets'])}/a`,
        headers,
      });
  }
  // Several groups and values at once go through one who may do everything and asks what the other may.
  for (let at = 0; at < 4; at++) {
    const groups = dice.few(['{id}-team', '{id}-other', 'system:masters']);
    steps.push(
      selfAs({
        user: dice.of(['{id}-ben', account, 'system:anonymous', 'system:node:n']),
        groups,
        ...(dice.chance(0.4) ? { uid: 'u-2' } : {}),
        ...(dice.chance(0.5) ? { extra: { scopes: dice.few(['view', 'edit']), 'a/B': ['1'] } } : {}),
      }),
    );
  }
  return steps;
}

/** Tokens of accounts, as they are and bent, before and after what they are bound to has gone. */
export function tokens(dice: Dice): Step[] {
  const accounts = '/api/v1/namespaces/{ns}/serviceaccounts';
  const request = (spec: JsonObject, keep: string): Step => ({
    as: 'admin',
    method: 'POST',
    path: `${accounts}/sa/token`,
    body: { apiVersion: 'authentication.{domain}/v1', kind: 'TokenRequest', spec },
    keep,
  });
  const use = (token: string): Step => selfAs({ token });
  const good = '<<tok.status.token>>';
  const review = (token: string, audiences?: readonly string[]): Step => ({
    as: 'admin',
    method: 'POST',
    path: '/apis/authentication.{domain}/v1/tokenreviews',
    body: {
      apiVersion: 'authentication.{domain}/v1',
      kind: 'TokenReview',
      spec: { token, ...(audiences ? { audiences } : {}) },
    },
  });
  const bound = dice.of(['none', 'secret', 'pod'] as const);
  const ref: JsonObject =
    bound === 'none'
      ? {}
      : {
          boundObjectRef: {
            apiVersion: 'v1',
            kind: bound === 'secret' ? 'Secret' : 'Pod',
            name: 'bound',
            ...(dice.chance(0.2) ? { uid: 'wrong' } : {}),
          },
        };
  const steps: Step[] = [
    {
      as: 'admin',
      method: 'POST',
      path: accounts,
      body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'sa' } },
    },
    {
      as: 'admin',
      method: 'POST',
      path: '/api/v1/namespaces/{ns}/secrets',
      body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'bound' } },
    },
    {
      as: 'admin',
      method: 'POST',
      path: '/api/v1/namespaces/{ns}/pods',
      body: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'bound' },
        spec: { containers: [{ name: 'c', image: 'i' }], ...(dice.chance(0.5) ? { serviceAccountName: 'sa' } : {}) },
      },
    },
    {
      as: 'admin',
      method: 'POST',
      path: '/api/v1/namespaces/{ns}/secrets',
      body: {
        apiVersion: 'v1',
        kind: 'Secret',
        type: '{label}/service-account-token',
        metadata: { name: 'legacy', annotations: { '{label}/service-account.name': 'sa' } },
      },
      slow: true,
    },
    { as: 'admin', method: 'GET', path: '/api/v1/namespaces/{ns}/secrets/legacy', keep: 'legacy' },
    request({ ...(dice.chance(0.3) ? { expirationSeconds: dice.of([600, 3600, 60]) } : {}), ...ref }, 'tok'),
    request({ audiences: dice.of([['other'], ['a', 'b'], []]) }, 'elsewhere'),
    use(good),
    ...dice.some<Step>(
      [
        use(`${good}x`),
        use('<<elsewhere.status.token>>'),
        review(good),
        review(good, ['other']),
        review('<<elsewhere.status.token>>', ['a', 'other']),
        review('<<elsewhere.status.token>>', ['z']),
        review('none'),
        review(''),
        selfAs('nobody', { authorization: `bearer ${good}` }),
        selfAs('nobody', { authorization: `Basic ${good}` }),
        selfAs('nobody', { authorization: good }),
        selfAs('nobody', { authorization: 'Bearer' }),
        selfAs('nobody', { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' }),
        { as: { token: good }, method: 'GET', path: '/api/v1/namespaces/{ns}/configmaps' },
        { as: { token: `${good}x` }, method: 'GET', path: '/healthz' },
        request({ audiences: ['x'], expirationSeconds: 5 }, 'short'),
      ],
      0.5,
    ),
    ...dice.few<Step>([
      { as: 'admin', method: 'DELETE', path: `/api/v1/namespaces/{ns}/secrets/bound` },
      { as: 'admin', method: 'DELETE', path: `/api/v1/namespaces/{ns}/pods/bound?gracePeriodSeconds=0` },
      { as: 'admin', method: 'DELETE', path: `${accounts}/sa` },
    ]),
    use(good),
    review(good),
    ...(dice.chance(0.5)
      ? [
          {
            as: 'admin' as const,
            method: 'POST',
            path: accounts,
            body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'sa' } },
          },
          use(good),
        ]
      : []),
  ];
  return steps;
}

/** Secrets that are bootstrap tokens, nearly or not. */
export function bootstrapTokens(dice: Dice): Step[] {
  // The id of a token is six letters or digits; the sequence's own comes before the last.
  const part = dice.of(['abcdef', 'abcde', 'abcdefg', 'ABCDEF', 'abc123']);
  const secret = dice.of(['0123456789abcdef', '0123456789abcde', '0123456789abcdefg']);
  const data: JsonObject = {
    'token-id': part,
    'token-secret': secret,
    ...(dice.chance(0.85)
      ? { 'usage-bootstrap-authentication': dice.of(['true', 'true', 'true', 'false', 'yes']) }
      : {}),
    ...(dice.chance(0.6) ? { 'usage-bootstrap-signing': 'true' } : {}),
    ...(dice.chance(0.35)
      ? {
          'auth-extra-groups': dice.of([
            'system:bootstrappers:x',
            'system:bootstrappers:x,system:bootstrappers:y',
            'system:masters',
            'other',
          ]),
        }
      : {}),
    ...(dice.chance(0.3) ? { expiration: dice.of(['2001-01-01T00:00:00Z', '2099-01-01T00:00:00Z', 'soon']) } : {}),
  };
  const secrets = '/api/v1/namespaces/{system}/secrets';
  const type = dice.chance(0.85) ? 'bootstrap.{label}/token' : 'Opaque';
  const body: JsonObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    type,
    metadata: { name: dice.chance(0.9) ? `bootstrap-token-${part.toLowerCase()}` : 'bootstrap-token-zzzzzz' },
    stringData: data,
  };
  const name = (body.metadata as JsonObject).name as string;
  const use: Step = selfAs({ token: `${part}.${secret}` });
  const info = '/api/v1/namespaces/{public}/configmaps';
  return [
    { as: 'admin', method: 'POST', path: secrets, body, slow: true },
    use,
    {
      as: 'admin',
      slow: true,
      method: 'POST',
      path: info,
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cluster-info' }, data: { kubeconfig: 'x: 1' } },
    },
    { as: 'admin', method: 'GET', path: `${info}/cluster-info` },
    { as: 'nobody', method: 'GET', path: `${info}/cluster-info` },
    {
      as: 'admin',
      method: 'PATCH',
      path: `${info}/cluster-info`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { data: { kubeconfig: 'x: 2' } },
      slow: true,
    },
    { as: 'admin', method: 'GET', path: `${info}/cluster-info` },
    { as: 'admin', method: 'GET', path: `${secrets}/${name}` },
    ...(dice.chance(0.4)
      ? [
          {
            as: 'admin' as const,
            method: 'PATCH',
            path: `${secrets}/${name}`,
            headers: { 'content-type': 'application/merge-patch+json' },
            body: { stringData: { expiration: '2001-01-01T00:00:00Z' } },
          },
          use,
        ]
      : []),
    { as: 'admin', method: 'DELETE', path: `${secrets}/${name}`, slow: true },
    { as: 'admin', method: 'GET', path: `${info}/cluster-info` },
    use,
    { as: 'admin', method: 'DELETE', path: `${info}/cluster-info` },
  ];
}

/** What somebody may who is, or seems to be, a node with pods. */
export function nodes(dice: Dice): Step[] {
  const node = (name: string, groups = ['system:nodes']): Who => ({ user: name, groups });
  const own = node('system:node:{id}-n');
  const as = (): Who =>
    dice.of([
      own,
      own,
      own,
      node('system:node:{id}-m'),
      node('system:node:{id}-n', []),
      node('{id}-n'),
      node('{id}-n', ['system:nodes', 'x']),
    ]);
  const core = '/api/v1/namespaces/{ns}';
  const pod = (name: string, nodeName: string, more: JsonObject = {}): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...more },
    spec: {
      nodeName,
      serviceAccountName: 'default',
      containers: [
        { name: 'c', image: 'i', envFrom: [{ configMapRef: { name: 'used' } }, { secretRef: { name: 'used' } }] },
      ],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'used' } }],
    },
  });
  const made = (plural: string, kind: string, name: string, more: JsonObject = {}, namespace = '{ns}'): Step => ({
    as: 'admin',
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/${plural}`,
    body: { apiVersion: 'v1', kind, metadata: { name }, ...more },
  });
  const tries: readonly (() => Step)[] = [
    () => ({ as: as(), method: 'GET', path: `${core}/secrets/${dice.of(['used', 'other'])}` }),
    () => ({ as: as(), method: 'GET', path: `${core}/configmaps/${dice.of(['used', 'other'])}` }),
    () => ({ as: as(), method: 'GET', path: `/api/v1/namespaces/{ns2}/secrets/used` }),
    () => ({ as: as(), method: 'GET', path: `${core}/secrets?fieldSelector=metadata.name%3Dused` }),
    () => ({ as: as(), method: 'GET', path: `${core}/secrets` }),
    () => ({ as: as(), method: 'GET', path: `${core}/persistentvolumeclaims/used` }),
    () => ({ as: as(), method: 'GET', path: '/api/v1/persistentvolumes/{id}-pv' }),
    () => ({ as: as(), method: 'GET', path: `${core}/pods/p` }),
    () => ({
      as: as(),
      method: 'GET',
      path: `${core}/pods?fieldSelector=spec.nodeName%3D${dice.of(['{id}-n', '{id}-m'])}`,
    }),
    () => ({ as: as(), method: 'GET', path: `${core}/pods?fieldSelector=status.phase%3DPending` }),
    () => ({ as: as(), method: 'GET', path: `${core}/pods` }),
    () => ({ as: as(), method: 'GET', path: `/api/v1/nodes/${dice.of(['{id}-n', '{id}-m'])}` }),
    () => ({ as: as(), method: 'GET', path: `${core}/services` }),
    () => ({ as: as(), method: 'GET', path: `${core}/services?watch=true&resourceVersion=0`, open: true }),
    () => ({
      as: as(),
      method: 'POST',
      path: `${core}/pods`,
      body: pod('mirror', dice.of(['{id}-n', '{id}-m']), { annotations: { '{label}/config.mirror': 'x' } }),
    }),
    () => ({
      as: as(),
      method: 'POST',
      path: `${core}/pods`,
      body: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name: 'm2',
          annotations: { '{label}/config.mirror': 'x' },
          ownerReferences: [
            { apiVersion: 'v1', kind: 'Node', name: '{id}-n', uid: '<<node.metadata.uid>>', controller: true },
          ],
        },
        spec: { nodeName: '{id}-n', containers: [{ name: 'c', image: 'i' }] },
      },
    }),
    () => ({
      as: as(),
      method: 'PATCH',
      path: `${core}/pods/p/status`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { status: { phase: 'Running' } },
    }),
    () => ({
      as: as(),
      method: 'PATCH',
      path: `/api/v1/nodes/{id}-n`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { metadata: { labels: { [dice.of(['x', 'node-restriction.{label}/x', '{label}/hostname'])]: '1' } } },
    }),
    () => ({
      as: as(),
      method: 'PATCH',
      path: `/api/v1/nodes/{id}-n/status`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { status: { capacity: { cpu: '2' } } },
    }),
    () => ({ as: as(), method: 'DELETE', path: `${core}/pods/p?gracePeriodSeconds=0` }),
    () => ({
      as: as(),
      method: 'POST',
      path: `${core}/events`,
      body: {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'e' },
        involvedObject: { kind: 'Pod', name: 'p', namespace: '{ns}' },
      },
    }),
    () => ({
      as: as(),
      method: 'POST',
      path: '/apis/authentication.{domain}/v1/tokenreviews',
      body: { apiVersion: 'authentication.{domain}/v1', kind: 'TokenReview', spec: { token: 'x' } },
    }),
    () => ({
      as: as(),
      method: 'POST',
      path: '/apis/authorization.{domain}/v1/subjectaccessreviews',
      body: {
        apiVersion: 'authorization.{domain}/v1',
        kind: 'SubjectAccessReview',
        spec: { user: 'x', resourceAttributes: { verb: 'get', resource: 'pods' } },
      },
    }),
    () => ({
      as: as(),
      method: 'POST',
      path: `${core}/serviceaccounts/default/token`,
      body: {
        apiVersion: 'authentication.{domain}/v1',
        kind: 'TokenRequest',
        spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: '<<pod.metadata.uid>>' } },
      },
    }),
    () => ({ as: 'admin', method: 'DELETE', path: `${core}/pods/p?gracePeriodSeconds=0` }),
    () => ({
      as: as(),
      method: 'POST',
      path: '/api/v1/nodes',
      body: { apiVersion: 'v1', kind: 'Node', metadata: { name: dice.of(['{id}-n', '{id}-m']) } },
    }),
  ];
  const steps: Step[] = [
    {
      as: dice.of<Who>(['admin', own]),
      method: 'POST',
      path: '/api/v1/nodes',
      body: { apiVersion: 'v1', kind: 'Node', metadata: { name: '{id}-n' } },
      keep: 'node',
    },
    {
      as: 'admin',
      method: 'POST',
      path: '/api/v1/nodes',
      body: { apiVersion: 'v1', kind: 'Node', metadata: { name: '{id}-m' } },
    },
    made('secrets', 'Secret', 'used'),
    made('secrets', 'Secret', 'used', {}, '{ns2}'),
    made('secrets', 'Secret', 'other'),
    made('configmaps', 'ConfigMap', 'used'),
    made('persistentvolumeclaims', 'PersistentVolumeClaim', 'used', {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeName: '{id}-pv' },
    }),
    {
      as: 'admin',
      method: 'POST',
      path: '/api/v1/persistentvolumes',
      body: {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: '{id}-pv' },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/x' },
          claimRef: { namespace: '{ns}', name: 'used' },
        },
      },
    },
    { as: 'admin', method: 'POST', path: `${core}/pods`, body: pod('p', '{id}-n'), keep: 'pod' },
  ];
  for (let at = 0; at < 14; at++) steps.push(dice.of(tries)());
  return steps;
}

/** Who asks who they are, and may only that. */
export function selves(dice: Dice): Step[] {
  const body = { ...(SELF.body as JsonObject), status: { userInfo: { username: 'x', groups: ['system:masters'] } } };
  return [
    selfAs('admin'),
    selfAs('nobody'),
    selfAs(ann()),
    { ...selfAs(ann()), body },
    selfAs({ token: dice.of(['wrong', 'abcdef.0123456789abcdef', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.', ' ']) }),
    selfAs({ user: 'system:serviceaccount:{ns}:x' }),
    selfAs({ user: 'system:anonymous' }),
    {
      as: 'nobody',
      method: 'GET',
      path: dice.of(['/api', '/api/v1/pods', '/healthz', '/version', '/livez', '/openapi/v3']),
    },
    {
      as: { token: 'wrong' },
      method: 'GET',
      path: dice.of(['/api', '/api/v1/namespaces/{ns}/pods', '/healthz', '/version']),
    },
    {
      as: ann(),
      method: 'GET',
      path: dice.of(['/api', '/apis', '/version', '/metrics', '/openapi/v2', '/readyz', '/logs']),
    },
    { as: 'admin', method: 'GET', path: '/apis/authentication.{domain}/v1/selfsubjectreviews' },
  ];
}
