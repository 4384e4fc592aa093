import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { ResourceRegistry } from '../resources/registry.ts';
import type { Release } from '../versions/release.ts';
import { createDiscovery, type Source } from './discoverySource.ts';
import { createOpenapi } from './openapiSource.ts';

/**
 * All that tells clients what is served: discovery in both forms, OpenAPI in both versions, and the version.
 * @returns the answer to a request, undefined for paths of others. Throws ApiError 404, 405, 406.
 */
export function discoveryDocuments(
  services: { readonly registry: ResourceRegistry; readonly dialect: Dialect },
  release: Release,
): Source {
  const options = { registry: services.registry, dialect: services.dialect, release };
  const discovery = createDiscovery(options);
  const openapi = createOpenapi(options);
  return (exchange) => discovery(exchange) ?? openapi(exchange);
}
