import type { JsonObject } from '../../reference/api/json.ts';
import type { ApiObject } from '../../reference/api/object.ts';
import type { Entry } from '../../reference/contracts/entry.ts';
import { delegate, type Store } from '../../reference/contracts/store.ts';
import type { Seams } from '../../reference/seams.ts';
import { onCommit } from '../alter.ts';
import type { Mutant } from '../mutant.ts';
import { allowed, onChain, unopinionated } from '../onAuthorizers.ts';
import { notBy } from './onRbac.ts';

/** Default objects are stored otherwise than they should be: those of a resource and name. */
const otherwise = (resource: string, name: string, change: (object: ApiObject) => ApiObject): Seams =>
  onCommit((asked) => {
    const { key, object } = asked;
    return object && key.endsWith(`/${resource}/${name}`) ? { ...asked, object: change(object) } : asked;
  });

const withRules = (change: (rules: readonly JsonObject[]) => readonly JsonObject[]) => (role: ApiObject) => ({
  ...role,
  rules: [...change(Array.isArray(role.rules) ? (role.rules as JsonObject[]) : [])],
});

const READING = ['get', 'list', 'watch'];

/** A store that is another one until somebody follows it, as authorizers do when the defaults stand. */
function whileStarting(change: (store: Store) => Partial<Store>): Seams {
  return {
    store: (store) => {
      const sound = delegate(store);
      const altered: Store = { ...sound, ...change(store) };
      let now = altered;
      return {
        ...sound,
        get: (key) => now.get(key),
        commit: (asked) => now.commit(asked),
        watch: (prefix, after, sink) => {
          now = sound;
          return store.watch(prefix, after, sink);
        },
      };
    },
  };
}

/** Default roles and bindings that are not what they should be. */
export const DEFAULT_ROLES: readonly Mutant[] = [
  {
    id: 'accounts-discover-no-groups',
    breaks: ['RBAC-DEFAULT-05'],
    sentence: 'A service account may not read the path of an API group.',
    defect: () =>
      notBy((_, asked) => {
        const account = asked.user.username.startsWith('system:serviceaccount:');
        return account && !asked.isResource && /^\/apis\/[^/]+$/.test(asked.path);
      }),
  },
  {
    id: 'defaults-without-their-label',
    breaks: ['RBAC-DEFAULT-01'],
    sentence: 'The default role cluster-admin does not carry the label of defaults.',
    defect: () =>
      otherwise('clusterroles', 'cluster-admin', (role) => ({
        ...role,
        metadata: { ...role.metadata, labels: {} },
      })),
  },
  {
    id: 'accounts-read-themselves',
    breaks: ['RBAC-DEFAULT-04'],
    sentence: 'A service account may get its own object without a grant.',
    defect: () =>
      onChain(async (asked, ask) => {
        const own = asked.isResource && asked.resource === 'serviceaccounts' && asked.verb === 'get';
        return own && asked.user.username === `system:serviceaccount:${asked.namespace}:${asked.name}`
          ? allowed('rbac')
          : ask(asked);
      }),
  },
  {
    id: 'accounts-read-config-maps',
    breaks: ['RBAC-DEFAULT-04'],
    sentence: 'Service accounts may read config maps without a grant.',
    defect: () =>
      onChain(async (asked, ask) => {
        const reads = asked.isResource && asked.resource === 'configmaps' && READING.includes(asked.verb);
        return reads && asked.user.username.startsWith('system:serviceaccount:') ? allowed('rbac') : ask(asked);
      }),
  },
  {
    id: 'discovery-is-not-for-everybody',
    breaks: ['RBAC-DEFAULT-05'],
    sentence: 'system:discovery is bound to nobody.',
    defect: () =>
      onChain(async (asked, ask) =>
        !asked.isResource && asked.path.startsWith('/api') && !asked.user.groups.includes('system:masters')
          ? unopinionated('rbac')
          : ask(asked),
      ),
  },
  {
    id: 'cluster-admin-without-paths',
    breaks: ['RBAC-DEFAULT-06'],
    sentence: 'cluster-admin has no rule for paths outside the API.',
    defect: () =>
      otherwise(
        'clusterroles',
        'cluster-admin',
        withRules((rules) => rules.filter((rule) => rule.nonResourceURLs === undefined)),
      ),
  },
  {
    id: 'admin-writes-quotas',
    breaks: ['RBAC-DEFAULT-07'],
    sentence: 'admin writes resource quotas.',
    defect: () =>
      otherwise(
        'clusterroles',
        'system:aggregate-to-admin',
        withRules((rules) => [...rules, { verbs: ['*'], apiGroups: [''], resources: ['resourcequotas'] }]),
      ),
  },
  {
    id: 'edit-reads-roles',
    breaks: ['RBAC-DEFAULT-08'],
    sentence: 'edit reads roles and bindings.',
    defect: () =>
      otherwise(
        'clusterroles',
        'system:aggregate-to-edit',
        withRules((rules) => [...rules, { verbs: READING, apiGroups: ['*'], resources: ['roles', 'rolebindings'] }]),
      ),
  },
  {
    id: 'view-reads-secrets',
    breaks: ['RBAC-DEFAULT-09'],
    sentence: 'view reads secrets.',
    defect: () =>
      otherwise(
        'clusterroles',
        'system:aggregate-to-view',
        withRules((rules) => [...rules, { verbs: READING, apiGroups: [''], resources: ['secrets'] }]),
      ),
  },
  {
    id: 'a-controller-without-its-role',
    breaks: ['RBAC-DEFAULT-10'],
    sentence: 'The role of the controller of stateful sets does not carry the label of defaults.',
    defect: () =>
      otherwise('clusterroles', 'system:controller:statefulset-controller', (role) => ({
        ...role,
        metadata: { ...role.metadata, labels: {} },
      })),
  },
  {
    id: 'nodes-bound-to-their-role',
    breaks: ['RBAC-DEFAULT-10'],
    sentence: 'system:node is bound to the group of nodes.',
    defect: () =>
      otherwise('clusterrolebindings', 'system:node', (binding) => ({
        ...binding,
        subjects: [{ kind: 'Group', name: 'system:nodes', apiGroup: 'rbac.authorization.k8s.io' }],
      })),
  },
  {
    id: 'monitoring-without-metrics',
    breaks: ['RBAC-DEFAULT-11'],
    sentence: 'system:monitoring does not hold /metrics.',
    defect: () =>
      otherwise(
        'clusterroles',
        'system:monitoring',
        withRules((rules) =>
          rules.map((rule) => ({
            ...rule,
            ...(Array.isArray(rule.nonResourceURLs)
              ? { nonResourceURLs: rule.nonResourceURLs.filter((path) => path !== '/metrics') }
              : {}),
          })),
        ),
      ),
  },
  {
    id: 'defaults-are-made-once',
    breaks: ['RBAC-DEFAULT-02'],
    sentence: 'Default roles and bindings that are there are left as they are at a start.',
    defect: () =>
      whileStarting((store) => ({
        commit: async (asked) => {
          const entry = asked.expected === 0 ? undefined : await store.get(asked.key);
          return entry ? { committed: true, revision: entry.modRevision, entry } : store.commit(asked);
        },
      })),
  },
  {
    id: 'defaults-that-aggregate-are-made-once',
    breaks: ['RBAC-DEFAULT-02'],
    sentence: 'Default roles that aggregate others are left as they are at a start.',
    defect: () =>
      whileStarting((store) => ({
        commit: async (asked) => {
          const aggregates = asked.expected !== 0 && asked.object?.aggregationRule !== undefined;
          const entry = aggregates ? await store.get(asked.key) : undefined;
          return entry ? { committed: true, revision: entry.modRevision, entry } : store.commit(asked);
        },
      })),
  },
  {
    id: 'autoupdate-is-not-heeded',
    breaks: ['RBAC-DEFAULT-03'],
    sentence: 'At a start defaults are updated whatever their annotation autoupdate says.',
    defect: () =>
      whileStarting((store) => ({
        get: async (key) => {
          const entry = await store.get(key);
          if (!entry?.object.metadata.annotations) return entry;
          const object = { ...entry.object, metadata: { ...entry.object.metadata, annotations: {} } };
          return Object.create(entry, { object: { value: object } }) as Entry;
        },
      })),
  },
];
