import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { Follow } from '../../fixtures/follow.ts';
import { preferredVersionIn } from '../../fixtures/releases/lifecycles.ts';
import type { Release } from '../contracts/release.ts';
import type { ResourceRegistry } from '../contracts/resourceRegistry.ts';
import { createDiscovery, type MadeDiscovery, type Source } from './discoverySource.ts';
import type { Preference } from './groups.ts';
import { createOpenapi, type MadeOpenapi } from './openapiSource.ts';

/** What was made of types, by their edition: forks of a server share it. */
export interface MadeDocuments {
  readonly discovery: MadeDiscovery;
  readonly openapi: MadeOpenapi;
}

/**
 * All that tells clients what is served: discovery in both forms, OpenAPI in both versions, and the version.
 * @returns the answer to a request, undefined for paths of others. Throws ApiError 404, 405, 406.
 */
export function discoveryDocuments(
  services: { readonly registry: ResourceRegistry; readonly dialect: Dialect; readonly follow: Follow },
  release: Release,
  made: MadeDocuments = { discovery: new WeakMap(), openapi: new WeakMap() },
): Source {
  const { registry, dialect, follow } = services;
  const prefer: Preference = (group, versions) =>
    preferredVersionIn(group, versions, { release: release.minor, dialect, follow });
  const options = { registry, dialect, follow, release, prefer };
  const discovery = createDiscovery(options, made.discovery);
  const openapi = createOpenapi(options, made.openapi);
  return (exchange) => discovery(exchange) ?? openapi(exchange);
}
