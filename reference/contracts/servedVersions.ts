import type { Follow } from '../../fixtures/follow.ts';
import { exists, type Lifecycle, onByDefault } from '../../fixtures/releases/lifecycles.ts';
import type { RuntimeConfig } from './serverOptions.ts';

/** The release that the text describes, and the one of the service that was seen in its place. */
const TOLD_RELEASE = 32;
const SEEN_RELEASE = 36;

/**
 * The release that a server is: whose types it serves, whose feature gates it has, and which it says it is. Where the
 * service is followed, the seen one stands for the one of the text.
 * @param given minor of the release, and whose word counts
 */
export function releaseFollowed({ release, follow }: { readonly release: number; readonly follow: Follow }): number {
  return follow === 'service' && release === TOLD_RELEASE ? SEEN_RELEASE : release;
}

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
