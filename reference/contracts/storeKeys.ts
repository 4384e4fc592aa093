import type { GroupResource } from '../api/groupVersion.ts';

/**
 * Where objects lie in the store: `/<resource>/<name>` and `/<resource>/<namespace>/<name>` behind the group,
 * so that one prefix is one collection.
 */
export function collectionPrefix(type: GroupResource & { readonly storedAs?: GroupResource }, namespace = ''): string {
  const { group, resource } = type.storedAs ?? type;
  const prefix = `/${group || 'core'}/${resource}/`;
  return namespace ? `${prefix}${namespace}/` : prefix;
}
export function objectKey(
  type: GroupResource & { readonly storedAs?: GroupResource },
  namespace: string,
  name: string,
): string {
  return `${collectionPrefix(type, namespace)}${name}`;
}
/** The part of a key that names its resource type, `/<group>/<resource>/`; empty when the text does not reach that far. */
export function typePrefix(key: string): string {
  const group = key.indexOf('/', 1);
  const resource = group < 0 ? -1 : key.indexOf('/', group + 1);
  return resource < 0 ? '' : key.slice(0, resource + 1);
}
