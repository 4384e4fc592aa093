import { isObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';

/** Whom a binding names. */
export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}
/** A binding as the authorizer reads it; the namespace is empty for a cluster role binding. */
export interface RbacBinding {
  readonly namespace: string;
  readonly name: string;
  readonly subjects: readonly Subject[];
  readonly role: { readonly kind: string; readonly name: string };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export function bindingOf(object: ApiObject): RbacBinding {
  const { subjects, roleRef } = object;
  return {
    namespace: object.metadata.namespace ?? '',
    name: object.metadata.name ?? '',
    subjects: Array.isArray(subjects)
      ? subjects
          .filter(isObject)
          .map((one) => ({ kind: text(one.kind), name: text(one.name), namespace: text(one.namespace) }))
      : [],
    role: isObject(roleRef) ? { kind: text(roleRef.kind), name: text(roleRef.name) } : { kind: '', name: '' },
  };
}

/** The user name of a service account (2/methods/t1.4). */
export function serviceAccountUser(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** A subject as reasons write it: `Group "devs"`, `ServiceAccount "robot/team"`. */
export function describeSubject({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  return kind === 'ServiceAccount'
    ? `${kind} ${JSON.stringify(`${name}/${namespace || bindingNamespace}`)}`
    : `${kind} ${JSON.stringify(name)}`;
}
/** A binding as reasons write it: `RoleBinding "b/team" of Role "r" to User "alice"`. */
export function describeGrant(binding: RbacBinding, subject: Subject): string {
  const { namespace, name, role } = binding;
  const which = namespace
    ? `RoleBinding ${JSON.stringify(`${name}/${namespace}`)}`
    : `ClusterRoleBinding ${JSON.stringify(name)}`;
  return `${which} of ${role.kind} ${JSON.stringify(role.name)} to ${describeSubject(subject, namespace)}`;
}
