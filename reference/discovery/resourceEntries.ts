import type { GroupVersionKind } from '../api/groupVersion.ts';
import type { ResourceType, Subresource } from '../contracts/resourceType.ts';
import { digest } from '../ports/hash.ts';
import { compareText, type ServedResource } from './groups.ts';

/** Verbs of types made from a definition stand in an order of their own. */
const CUSTOM_ORDER = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** The verbs of an endpoint in the order in which discovery lists them. */
export function listedVerbs(verbs: readonly string[], custom: boolean): string[] {
  const listed = verbs.filter((verb) => verb !== 'proxy');
  if (!custom) return [...listed].sort();
  return [...listed].sort((a, b) => CUSTOM_ORDER.indexOf(a) - CUSTOM_ORDER.indexOf(b));
}

/** Subresources in the order in which discovery lists them. */
export function listedSubresources({ type, version }: ServedResource): readonly Subresource[] {
  const { subresources } = version;
  return type.custom ? subresources : [...subresources].sort((a, b) => compareText(a.name, b.name));
}

const SCALE: GroupVersionKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** The kind that a subresource reads and writes. */
export function subresourceKind({ type, version }: ServedResource, subresource: Subresource): GroupVersionKind {
  if (subresource.form === 'operation') return subresource.kind;
  if (subresource.form === 'scale') return subresource.scale.kind ?? SCALE;
  return { group: type.group, version: version.version, kind: type.kind };
}

/**
 * A mark that changes when objects of a type are stored in another version; undefined for types that store
 * nothing.
 */
export function storageVersionHash(type: ResourceType, storable: boolean): string | undefined {
  if (!storable) return undefined;
  const { group } = type.storedAs ?? type;
  const text = `${group}/${type.toldStorageVersion ?? type.storageVersion}/${type.kind}`;
  return digest('sha256', text).subarray(0, 8).toString('base64');
}

/** Whether objects of a type are stored: those of operations and views are not. */
export function isStorable({ version }: ServedResource): boolean {
  return version.operation === undefined && version.verbs.includes('create') && version.verbs.includes('get');
}
