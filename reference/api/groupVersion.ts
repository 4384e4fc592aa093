/** A version of a group; the group is `''` for the core group, whose apiVersion is the version alone (3/groups-and-paths/1). */
export interface GroupVersion {
  group: string;
  version: string;
}
export interface GroupKind {
  group: string;
  kind: string;
}
export interface GroupVersionKind extends GroupVersion {
  kind: string;
}
export interface GroupResource {
  group: string;
  resource: string;
}
export interface GroupVersionResource extends GroupVersion {
  resource: string;
}

/** `group/version`, or the version alone for the core group. */
export function formatApiVersion({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Reads an apiVersion; undefined when it has more than one slash. */
export function parseApiVersion(apiVersion: string): GroupVersion | undefined {
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return { group: '', version: apiVersion };
  if (apiVersion.indexOf('/', slash + 1) >= 0) return undefined;
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** `resource.group`, or the resource alone for the core group: how messages name a resource type. */
export function formatGroupResource({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** `kind.group`, or the kind alone for the core group: how messages about invalid objects name a kind. */
export function formatGroupKind({ group, kind }: GroupKind): string {
  return group === '' ? kind : `${kind}.${group}`;
}
