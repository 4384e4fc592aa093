import type { ObjectAddress } from './client.ts';
import type { ResourceRegistry } from './resourceRegistry.ts';

/** What lies at a key of the store; undefined for keys of types that are not served. */
export function addressOf(registry: ResourceRegistry, key: string): ObjectAddress | undefined {
  const [, group = '', resource = '', ...rest] = key.split('/');
  const type = registry.type(group === 'core' ? '' : group, resource);
  if (!type || rest.length === 0) return undefined;
  if (!type.namespaced) return { type, namespace: '', name: rest.join('/') };
  return { type, namespace: rest[0] as string, name: rest.slice(1).join('/') };
}
