import type { Follow } from '../../fixtures/follow.ts';
import { exists, type Lifecycle, onByDefault } from '../../fixtures/releases/lifecycles.ts';
import type { RuntimeConfig } from './serverOptions.ts';

/** The release, by its minor number, that a server is unless it is told: that of the text, or of the service that was seen. */
export const USUAL_RELEASE: Readonly<Record<Follow, number>> = { spec: 32, service: 36 };

/** What decides which versions a server serves (3/groups-and-paths/3). */
export interface Serving {
  /** Minor of the release. */
  readonly release: number;
  readonly follow: Follow;
  /** What the server was told; undefined: nothing. */
  readonly asked?: Pick<RuntimeConfig, 'version' | 'resource'> | undefined;
  readonly gate?: ((name: string) => boolean) | undefined;
}

/**
 * Whether a version of a type is served. What is asked for a resource counts before what is asked for its version, and
 * that before what the release does by itself; a version that the release does not have cannot be had.
 *
 * @param group name of the group in the dialect
 */
export function isServed(row: Lifecycle, group: string, resource: string, serving: Serving): boolean {
  const { release, follow, asked, gate } = serving;
  if (!exists(row, release)) return false;
  if (row.gate !== undefined && !(gate?.(row.gate) ?? false)) return false;
  return (
    asked?.resource(group, row.version, resource) ??
    asked?.version(group, row.version) ??
    onByDefault(row, release, follow)
  );
}
