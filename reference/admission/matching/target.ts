import type { AdmissionAttributes } from '../../contracts/admission.ts';

/** Which requests a hook or a policy is about; `*` stands for all (1/validatingwebhookconfiguration/p3). */
export interface RequestRule {
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  readonly operations: readonly string[];
  /** `pods`, `pods/log`, `*`, `pods/*`, and the same with a wildcard in front. */
  readonly resources: readonly string[];
  readonly scope: string;
}

/** What a request is about, as rules see it. */
export interface AdmissionTarget {
  readonly operation: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Empty for cluster-scoped objects; a namespace is in itself. */
  readonly namespace: string;
}

/** What the request is about, in the version that it was made through. */
export function targetOf({ operation, endpoint, namespace, name }: AdmissionAttributes): AdmissionTarget {
  const { type, version, subresource } = endpoint;
  return {
    operation,
    group: type.group,
    version: version.version,
    resource: type.resource,
    subresource: subresource?.name ?? '',
    namespace: isNamespaces(type) ? name : namespace,
  };
}

export function isNamespaces({ group, resource }: { readonly group: string; readonly resource: string }): boolean {
  return group === '' && resource === 'namespaces';
}

/** Whether a rule covers a request; all of its parts must (1/validatingwebhookconfiguration/p3). */
export function covers(rule: RequestRule, target: AdmissionTarget): boolean {
  return (
    inScope(rule, target) &&
    among(rule.operations, target.operation) &&
    among(rule.groups, target.group) &&
    among(rule.versions, target.version) &&
    rule.resources.some((pattern) => coversResource(pattern, target))
  );
}

function among(items: readonly string[], wanted: string): boolean {
  return items.includes('*') || items.includes(wanted);
}

/** Namespaces are cluster-scoped, and subresources where their parent is. */
function inScope({ scope }: RequestRule, target: AdmissionTarget): boolean {
  if (scope === '*') return true;
  const namespaced = target.namespace !== '' && !isNamespaces(target);
  if (scope === 'Namespaced') return namespaced;
  return scope === 'Cluster' && !namespaced;
}

/** A pattern without a slash is of the objects themselves; a wildcard behind the slash leaves none out. */
function coversResource(pattern: string, { resource, subresource }: AdmissionTarget): boolean {
  const slash = pattern.indexOf('/');
  const [main, sub] = slash < 0 ? [pattern, ''] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  return (main === '*' || main === resource) && (sub === '*' || sub === subresource);
}
