import { loadAll } from 'js-yaml';
import { formatApiVersion, parseApiVersion } from '../reference/api/groupVersion.ts';
import type { ResourceRegistry } from '../reference/contracts/resourceRegistry.ts';

/** An object as people write it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** The objects of some manifests, in order; lists are opened. @throws Error for what is no object with a name */
export function manifestsOf(given: readonly (object | string)[]): Manifest[] {
  return given.flatMap((one) => (typeof one === 'string' ? loadAll(one) : [one])).flatMap(opened);
}

function opened(value: unknown): Manifest[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap(opened);
  const { apiVersion, kind, metadata, items } = value as Partial<Manifest> & { readonly items?: unknown };
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) return items.flatMap(opened);
  if (typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string') {
    return [value as Manifest];
  }
  throw new Error(`an object needs apiVersion, kind and metadata.name: ${JSON.stringify(value)?.slice(0, 200)}`);
}

/**
 * The path of an object; what is namespaced and names no namespace is in `default`.
 * @throws Error for a kind that is not served
 */
export function pathOf({ apiVersion, kind, metadata }: Manifest, registry: ResourceRegistry): string {
  const version = parseApiVersion(apiVersion);
  const type = version && registry.typeOfKind(version.group, kind);
  if (!version || !type?.versions.get(version.version)?.served) {
    throw new Error(`${kind} of ${apiVersion} is not served; its definition has to come first`);
  }
  const root = version.group === '' ? 'api' : 'apis';
  const within = type.namespaced ? `namespaces/${encodeURIComponent(metadata.namespace ?? 'default')}/` : '';
  return `/${root}/${formatApiVersion(version)}/${within}${type.resource}/${encodeURIComponent(metadata.name)}`;
}
