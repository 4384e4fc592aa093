import type { GroupResource } from '../api/groupVersion.ts';

/**
 * Where objects lie in the store: `/<resource>/<name>` and `/<resource>/<namespace>/<name>` behind the group,
 * so that one prefix is one collection.
 */
export function collectionPrefix({ group, resource }: GroupResource, namespace = ''): string {
  const type = `/${group || 'core'}/${resource}/`;
  return namespace ? `${type}${namespace}/` : type;
}
export function objectKey(type: GroupResource, namespace: string, name: string): string {
  return `${collectionPrefix(type, namespace)}${name}`;
}
