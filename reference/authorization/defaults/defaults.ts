import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import type { JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { COMPONENTS } from './components.ts';
import { CONTROLLERS } from './controllers.ts';
import { NAMESPACED } from './namespaced.ts';
import { type DefaultRole, expandRule, expandSubject, fillNames } from './notation.ts';
import { PEOPLE } from './people.ts';

/** The default roles and bindings, as they are created at the first start (2/rbac-behavior/4). */
export interface DefaultObjects {
  readonly clusterroles: readonly ApiObject[];
  readonly clusterrolebindings: readonly ApiObject[];
  readonly roles: readonly ApiObject[];
  readonly rolebindings: readonly ApiObject[];
}

/** Annotation that, set to `false`, keeps a default object as it is (2/rbac-behavior/4). */
export function autoupdateAnnotation(dialect: Dialect): string {
  return `${dialect.rbacAnnotationDomain}/autoupdate`;
}

export function defaultObjects(dialect: Dialect): DefaultObjects {
  const group = groupName(dialect, 'rbac.authorization');
  const aggregateLabel = (name: string) => `rbac.authorization.${dialect.apiDomain}/aggregate-to-${name}`;
  const make = (kind: string, name: string, rest: JsonObject, namespace?: string, label?: string): ApiObject => ({
    apiVersion: `${group}/v1`,
    kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: {
        [`${dialect.rbacLabelDomain}/bootstrapping`]: 'rbac-defaults',
        ...(label === undefined ? {} : { [aggregateLabel(label)]: 'true' }),
      },
      annotations: { [autoupdateAnnotation(dialect)]: 'true' },
    },
    ...rest,
  });
  const rules = (short: readonly string[]) => short.map((rule) => expandRule(rule, dialect));
  const binding = (kind: string, role: string, boundTo: readonly string[]): JsonObject => ({
    roleRef: { apiGroup: group, kind, name: role },
    ...(boundTo.length > 0 ? { subjects: boundTo.map((subject) => expandSubject(subject, dialect, group)) } : {}),
  });

  const cluster: [string, DefaultRole][] = [
    ...Object.entries({ ...PEOPLE, ...COMPONENTS }),
    ...Object.entries(CONTROLLERS).map(([name, short]): [string, DefaultRole] => [
      `system:controller:${name}`,
      { rules: short, boundTo: [`ServiceAccount ${name}`] },
    ]),
  ].map(([name, role]) => [fillNames(name, dialect), role]);

  const namespaceOf = (which: 'system' | 'public') =>
    which === 'system' ? dialect.systemNamespace : dialect.publicNamespace;
  return {
    clusterroles: cluster.map(([name, role]) =>
      make(
        'ClusterRole',
        name,
        role.gathers === undefined
          ? { rules: rules(role.rules) }
          : {
              aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [aggregateLabel(role.gathers)]: 'true' } }] },
              rules: null,
            },
        undefined,
        role.partOf,
      ),
    ),
    clusterrolebindings: cluster.flatMap(([name, { boundTo }]) =>
      boundTo ? [make('ClusterRoleBinding', name, binding('ClusterRole', name, boundTo))] : [],
    ),
    roles: NAMESPACED.map((role) =>
      make('Role', fillNames(role.name, dialect), { rules: rules(role.rules) }, namespaceOf(role.namespace)),
    ),
    rolebindings: NAMESPACED.flatMap(({ namespace, name, bindingName = name, boundTo }) =>
      boundTo
        ? [
            make(
              'RoleBinding',
              fillNames(bindingName, dialect),
              binding('Role', fillNames(name, dialect), boundTo),
              namespaceOf(namespace),
            ),
          ]
        : [],
    ),
  };
}
