import type { LoadRequest } from '../../load.ts';
import { CONFIG_MAPS } from '../scenario.ts';
import { configMap, FULL, list, post, remove, type Stops } from './stop.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const AUTHORIZATION = '/apis/authorization.k8s.io/v1';

const review = (kind: string, spec: object) => ({ apiVersion: 'authorization.k8s.io/v1', kind, spec });
const resourceAttributes = { verb: 'get', resource: 'configmaps', namespace: 'default', name: 'a' };
const role = (kind: string, name: string, more: object) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  metadata: { name },
  ...more,
});
const rules = () => list((at) => ({ apiGroups: ['g'], resources: [`r${at}`], verbs: ['get'] }));

/** A role of many rules that a group has. */
const held: readonly LoadRequest[] = [
  post(`${RBAC}/clusterroles`, role('ClusterRole', 'ruled', { rules: rules() })),
  post(
    `${RBAC}/clusterrolebindings`,
    role('ClusterRoleBinding', 'ruled', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'ruled' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ruled' }],
    }),
  ),
];
const asRuled = { 'impersonate-user': 'ruled' };

/** Who may do what, and who asks: roles, bindings, reviews and headers with as much as fits. */
export const QUESTIONS: Stops = {
  'a role of many rules': () => ({
    request: post(`${RBAC}/clusterroles`, role('ClusterRole', 'many', { rules: rules() })),
  }),
  'a binding of many subjects': () => ({
    request: post(
      `${RBAC}/clusterrolebindings`,
      role('ClusterRoleBinding', 'many', {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: list((at) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: `u${at}` })),
      }),
    ),
    last: [remove(`${RBAC}/clusterrolebindings/many`), remove(`${RBAC}/clusterroles/many`)],
  }),
  'a role of many rules by somebody who has as many': () => ({
    after: [
      ...held,
      post(
        `${RBAC}/clusterrolebindings`,
        role('ClusterRoleBinding', 'ruled-rbac', {
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'ruled-rbac' },
          subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ruled' }],
        }),
      ),
      post(
        `${RBAC}/clusterroles`,
        role('ClusterRole', 'ruled-rbac', {
          rules: [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['create'] }],
        }),
      ),
    ],
    request: {
      ...post(`${RBAC}/clusterroles`, role('ClusterRole', 'escalating', { rules: rules() })),
      headers: asRuled,
    },
  }),
  'the rules of somebody who has many': () => ({
    request: {
      ...post(`${AUTHORIZATION}/selfsubjectrulesreviews`, review('SelfSubjectRulesReview', { namespace: 'default' })),
      headers: asRuled,
    },
  }),
  'a question about somebody who has many rules': () => ({
    request: post(
      `${AUTHORIZATION}/subjectaccessreviews`,
      review('SubjectAccessReview', { user: 'ruled', resourceAttributes }),
    ),
    last: [remove(`${RBAC}/clusterrolebindings/ruled`), remove(`${RBAC}/clusterroles/ruled`)],
  }),
  'a question about somebody of many groups': () => ({
    request: post(
      `${AUTHORIZATION}/subjectaccessreviews`,
      review('SubjectAccessReview', { user: 'u', groups: list((at) => `g${at}`), resourceAttributes }),
    ),
  }),
  'a question about somebody of much else': () => ({
    request: post(
      `${AUTHORIZATION}/subjectaccessreviews`,
      review('SubjectAccessReview', {
        user: 'u',
        extra: Object.fromEntries(list((at) => [`k${at}`, ['v']]) as [string, string[]][]),
        resourceAttributes,
      }),
    ),
  }),
  'a question with a long selector': () => ({
    request: post(
      `${AUTHORIZATION}/subjectaccessreviews`,
      review('SubjectAccessReview', {
        user: 'u',
        resourceAttributes: {
          ...resourceAttributes,
          labelSelector: { requirements: list((at) => ({ key: `k${at}`, operator: 'Exists' })) },
        },
      }),
    ),
  }),
  'a question with a long text of a selector': () => ({
    request: post(
      `${AUTHORIZATION}/subjectaccessreviews`,
      review('SubjectAccessReview', {
        user: 'u',
        resourceAttributes: {
          ...resourceAttributes,
          labelSelector: { rawSelector: (list((at) => `k${at}!=v`, 2_900_000) as string[]).join() },
        },
      }),
    ),
  }),
  'a token to review': () => ({
    request: post('/apis/authentication.k8s.io/v1/tokenreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token: 'a.'.repeat(FULL / 2 - 200) },
    }),
  }),
  'a token for many audiences': () => ({
    request: post('/api/v1/namespaces/default/serviceaccounts/default/token', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { audiences: list((at) => `a${at}`) },
    }),
  }),
  'somebody of many groups': () => ({
    request: {
      method: 'GET',
      path: `${CONFIG_MAPS}/none`,
      headers: { 'impersonate-user': 'u', 'impersonate-group': list((at) => `g${at}`, 25_000) as string[] },
    },
    code: 403,
  }),
  'somebody of much else': () => ({
    request: {
      method: 'GET',
      path: `${CONFIG_MAPS}/none`,
      headers: {
        'impersonate-user': 'u',
        ...Object.fromEntries(list((at) => [`impersonate-extra-k${at}`, 'v'], 600_000) as [string, string][]),
      },
    },
    code: 403,
  }),
  'many headers': () => ({
    request: {
      method: 'GET',
      path: '/api',
      headers: Object.fromEntries(list((at) => [`x-${at}`, 'v'], 20_000) as [string, string][]),
    },
  }),
  'a long path': () => ({ request: { method: 'GET', path: `/${'a/'.repeat(400_000)}` }, code: 404 }),
  'a long query': () => ({
    request: {
      method: 'GET',
      path: `${CONFIG_MAPS}/none?${(list((at) => `k${at}=v`, 900_000) as string[]).join('&')}`,
    },
    code: 404,
  }),
  'a long list of what is not acceptable': () => ({
    request: {
      method: 'GET',
      path: CONFIG_MAPS,
      accept: (list((at) => `a/b${at};q=0`, 900_000) as string[]).join(),
    },
    code: 406,
  }),
  'a long list of what is acceptable': () => ({
    request: { method: 'GET', path: CONFIG_MAPS, accept: (list((at) => `a/b${at};q=0.5`, 900_000) as string[]).join() },
    code: 406,
  }),
  'options of a deletion': () => ({
    after: [post(CONFIG_MAPS, configMap('deleted', {}))],
    request: {
      method: 'DELETE',
      path: `${CONFIG_MAPS}/deleted`,
      body: JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', dryRun: list(() => 'All') }),
    },
  }),
};
