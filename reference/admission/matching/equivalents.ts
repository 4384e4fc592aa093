import type { Endpoint, ResourceRegistry } from '../../contracts/resourceRegistry.ts';
import type { ResourceType } from '../../contracts/resourceType.ts';

/**
 * The other endpoints that lead to the same stored objects: other versions of the type in its order, then other types
 * under which the objects are served.
 */
export function equivalentsOf(endpoint: Endpoint, registry: ResourceRegistry): Endpoint[] {
  const { type, version, subresource } = endpoint;
  const others: Endpoint[] = [];
  for (const one of [type, ...viewsOf(type, registry)]) {
    for (const other of one.versions.values()) {
      if (!other.served || (one === type && other.version === version.version)) continue;
      const part = subresource && other.subresources.find(({ name }) => name === subresource.name);
      if (!subresource || part) others.push({ type: one, version: other, subresource: part });
    }
  }
  return others;
}

function viewsOf(type: ResourceType, registry: ResourceRegistry): ResourceType[] {
  const stored = storedUnder(type);
  return [...registry.types()].filter(
    (one) =>
      !(one.group === type.group && one.resource === type.resource) && !one.computed && storedUnder(one) === stored,
  );
}

function storedUnder({ storedAs, group, resource }: ResourceType): string {
  return storedAs ? `${storedAs.group}/${storedAs.resource}` : `${group}/${resource}`;
}
