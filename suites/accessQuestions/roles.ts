import { isRecord } from '../harness/json.ts';

/** The roles and bindings of a server, as far as a decision rests on them. */
export interface Roles {
  readonly roles: readonly Role[];
  readonly bindings: readonly Binding[];
}
export interface Role {
  readonly kind: 'ClusterRole' | 'Role';
  /** Empty for a ClusterRole. */
  readonly namespace: string;
  readonly name: string;
  readonly rules: readonly PolicyRule[];
}
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}
export interface Binding {
  readonly kind: 'ClusterRoleBinding' | 'RoleBinding';
  /** Empty for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly name: string;
  readonly role: { readonly kind: string; readonly name: string };
  readonly subjects: readonly Subject[];
}
export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** Gives the items of a collection by its plural; throws when it cannot be read. */
export type ReadItems = (plural: string) => Promise<readonly unknown[]>;

/** Reads all roles and bindings. Throws what `read` throws. */
export async function readRoles(read: ReadItems): Promise<Roles> {
  const [clusterRoles, roles, clusterBindings, bindings] = await Promise.all(
    ['clusterroles', 'roles', 'clusterrolebindings', 'rolebindings'].map((plural) => read(plural)),
  );
  return {
    roles: [...listed(clusterRoles, 'ClusterRole', roleOf), ...listed(roles, 'Role', roleOf)],
    bindings: [
      ...listed(clusterBindings, 'ClusterRoleBinding', bindingOf),
      ...listed(bindings, 'RoleBinding', bindingOf),
    ],
  };
}

type Fields = Readonly<Record<string, unknown>>;

function listed<Kind, T>(items: readonly unknown[] = [], kind: Kind, read: (item: Fields, kind: Kind) => T): T[] {
  return items.filter(isRecord).map((item) => read(item, kind));
}
function roleOf(item: Fields, kind: Role['kind']): Role {
  return { kind, ...placeOf(item), rules: records(item.rules).map(ruleOf) };
}
function bindingOf(item: Fields, kind: Binding['kind']): Binding {
  const role = isRecord(item.roleRef) ? item.roleRef : {};
  const subjects = records(item.subjects).map((subject) => ({
    kind: text(subject.kind),
    name: text(subject.name),
    namespace: text(subject.namespace),
  }));
  return { kind, ...placeOf(item), role: { kind: text(role.kind), name: text(role.name) }, subjects };
}
function placeOf({ metadata }: Fields): { readonly namespace: string; readonly name: string } {
  const place = isRecord(metadata) ? metadata : {};
  return { namespace: text(place.namespace), name: text(place.name) };
}
function ruleOf(rule: Fields): PolicyRule {
  return {
    verbs: texts(rule.verbs),
    apiGroups: texts(rule.apiGroups),
    resources: texts(rule.resources),
    resourceNames: texts(rule.resourceNames),
    nonResourceURLs: texts(rule.nonResourceURLs),
  };
}
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(text) : []);
const records = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isRecord) : []);
