import { compareVersions } from '../../fixtures/releases/versionNames.ts';
import type { ResourceRegistry } from '../contracts/resourceRegistry.ts';
import type { ResourceType, TypeVersion } from '../contracts/resourceType.ts';

/** A type in one of its served versions. */
export interface ServedResource {
  readonly type: ResourceType;
  readonly version: TypeVersion;
}
export interface ServedVersion {
  readonly version: string;
  /** By plural. */
  readonly resources: readonly ServedResource[];
}
export interface ServedGroup {
  /** Empty for the core group. */
  readonly name: string;
  readonly custom: boolean;
  /** Preferred first (3/groups-and-paths). */
  readonly versions: readonly ServedVersion[];
}

/** The version of a group to prefer, of those that are served, best first. */
export type Preference = (group: string, versions: readonly string[]) => string | undefined;

/** What is served now, by group: built-in groups in the order of their types, then the others by name. */
export function servedGroups(
  registry: ResourceRegistry,
  prefer: Preference = (_, [best]) => best,
): readonly ServedGroup[] {
  const groups = new Map<string, { custom: boolean; versions: Map<string, ServedResource[]> }>();
  for (const type of registry.types()) {
    for (const version of type.versions.values()) {
      if (!version.served) continue;
      const group = groups.get(type.group) ?? { custom: true, versions: new Map<string, ServedResource[]>() };
      groups.set(type.group, group);
      if (!type.custom) group.custom = false;
      const resources = group.versions.get(version.version) ?? [];
      group.versions.set(version.version, resources);
      resources.push({ type, version });
    }
  }
  const all = [...groups].map(([name, { custom, versions }]) => ({
    name,
    custom,
    versions: inOrder(
      [...versions]
        .map(([version, resources]) => ({ version, resources: resources.sort(byPlural) }))
        .sort((a, b) => compareVersions(a.version, b.version)),
      custom ? undefined : (sorted) => prefer(name, sorted),
    ),
  }));
  return [
    ...all.filter((group) => !group.custom),
    ...all.filter((group) => group.custom).sort((a, b) => compareText(a.name, b.name)),
  ];
}

/** Versions with the preferred one in front. */
function inOrder(
  versions: readonly ServedVersion[],
  prefer: ((sorted: readonly string[]) => string | undefined) | undefined,
): readonly ServedVersion[] {
  const first = prefer?.(versions.map(({ version }) => version));
  const preferred = versions.find(({ version }) => version === first);
  return preferred ? [preferred, ...versions.filter((one) => one !== preferred)] : versions;
}

function byPlural(a: ServedResource, b: ServedResource): number {
  return compareText(a.type.resource, b.type.resource);
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
