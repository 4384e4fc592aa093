import { type Dialect, groupName } from '../../fixtures/dialects/dialect.ts';
import type { JsonObject } from './json.ts';

/** A resource type as checks name it. What depends on the dialect is a function of it. */
export interface Kind {
  readonly kind: string;
  readonly plural: string;
  /** First part of the group's name; empty for the core group. */
  readonly prefix: string;
  /** Full name of a group that is none of the service's own; it stands for `prefix` then. */
  readonly group?: string;
  readonly version: string;
  readonly namespaced: boolean;
  /**
   * Whether the specification itself defines the type. A type it does not is only a means to look at a behaviour:
   * where a target does not serve it, the check is unsupported and no failure.
   */
  readonly specified: boolean;
  /** The least that a legal object has beside its metadata. */
  readonly least: (dialect: Dialect) => JsonObject;
}

const nothing = (): JsonObject => ({});

export const configMaps: Kind = {
  kind: 'ConfigMap',
  plural: 'configmaps',
  prefix: '',
  version: 'v1',
  namespaced: true,
  specified: false,
  least: nothing,
};
export const secrets: Kind = { ...configMaps, kind: 'Secret', plural: 'secrets' };
export const serviceAccounts: Kind = { ...configMaps, kind: 'ServiceAccount', plural: 'serviceaccounts' };
export const pods: Kind = {
  ...configMaps,
  kind: 'Pod',
  plural: 'pods',
  least: () => ({ spec: { containers: [{ name: 'one', image: 'touchstone.invalid/none' }] } }),
};
export const namespaces: Kind = {
  ...configMaps,
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
  specified: true,
};
export const leases: Kind = {
  ...configMaps,
  kind: 'Lease',
  plural: 'leases',
  prefix: 'coordination',
  least: () => ({ spec: {} }),
};

const rbac = { prefix: 'rbac.authorization', version: 'v1', specified: true };
const noRules = (): JsonObject => ({ rules: [] });
const bindingTo =
  (kind: string) =>
  (dialect: Dialect): JsonObject => ({
    roleRef: { apiGroup: groupName(dialect, rbac.prefix), kind, name: 'touchstone-refers-to-nothing' },
  });
export const roles: Kind = { ...rbac, kind: 'Role', plural: 'roles', namespaced: true, least: noRules };
export const clusterRoles: Kind = {
  ...rbac,
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
  least: noRules,
};
export const roleBindings: Kind = {
  ...rbac,
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
  least: bindingTo('Role'),
};
export const clusterRoleBindings: Kind = {
  ...rbac,
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
  least: bindingTo('ClusterRole'),
};
export const webhookConfigurations: Kind = {
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  prefix: 'admissionregistration',
  version: 'v1',
  namespaced: false,
  specified: true,
  least: () => ({ webhooks: [] }),
};

export const customResourceDefinitions: Kind = {
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  prefix: 'apiextensions',
  version: 'v1',
  namespaced: false,
  specified: false,
  least: nothing,
};

/** Full name of the group in a dialect; the core group is empty. */
export function groupOf(kind: Kind, dialect: Dialect): string {
  if (kind.group !== undefined) return kind.group;
  return kind.prefix === '' ? '' : groupName(dialect, kind.prefix);
}
/** `apiVersion` of objects of the kind (3/groups-and-paths). */
export function apiVersionOf(kind: Kind, dialect: Dialect): string {
  const group = groupOf(kind, dialect);
  return group === '' ? kind.version : `${group}/${kind.version}`;
}

/** Where a collection, an item or a subresource lies (1/url-shapes). `namespace` is empty for all namespaces. */
export function pathOf(kind: Kind, dialect: Dialect, namespace: string, name = '', subresource = ''): string {
  const group = groupOf(kind, dialect);
  const root = group === '' ? `/api/${kind.version}` : `/apis/${group}/${kind.version}`;
  const parts = namespace === '' ? [root] : [root, 'namespaces', encodeURIComponent(namespace)];
  parts.push(kind.plural);
  if (name !== '') parts.push(encodeURIComponent(name));
  if (subresource !== '') parts.push(subresource);
  return parts.join('/');
}

/** Query parameters; an `undefined` one is left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** `?a=1&b=2`, or nothing. */
export function queryText(query: Query = {}): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`],
  );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}
