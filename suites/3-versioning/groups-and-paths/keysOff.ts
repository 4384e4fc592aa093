import type { Dialect } from '../../../fixtures/dialects/dialect.ts';
import { apiVersionOf, lifecycles, onByDefault } from '../../../fixtures/releases/lifecycles.ts';
import { pluralOf } from '../../../fixtures/releases/plurals.ts';
import { levelOf, type VersionLevel } from '../../../fixtures/releases/versionNames.ts';
import type { VersionedType } from './seenTypes.ts';

/** A type that is on by default, and the key of `--runtime-config` that switches it off in a list of keys. */
export interface Switched extends VersionedType {
  readonly level: VersionLevel;
  /** Whether keys of its group name a version or one resource of it. */
  readonly by: 'version' | 'resource';
  readonly isOff: boolean;
}

/** Groups whose objects anybody may list, and that nothing in a server leans on. */
const GROUPS = [
  'autoscaling',
  'batch',
  'certificates',
  'discovery',
  'events',
  'networking',
  'node',
  'policy',
  'scheduling',
  'storage',
] as const;

/**
 * Lists of keys that switch some types of a release off. For any two versions of a group, and any two versions of a type,
 * one list switches off the first and not the second; so for most resources of a version.
 *
 * @param release minor of the release
 */
export function listsOfKeysOff(release: number, dialect: Dialect): readonly (readonly Switched[])[] {
  const types = GROUPS.map((group) => {
    const rows = lifecycles().filter((row) => row.groupPrefix === group && row.gate === undefined);
    return rows.filter((row) => onByDefault(row, release));
  });
  const turns = [0, 1].flatMap((bit) => [0, 1].map((value) => (at: number) => ((at >> bit) & 1) === value));
  return turns.flatMap((isOff) =>
    [0, 1].map((parity) =>
      types.flatMap((rows, group) => {
        const versions = [...new Set(rows.map(({ version }) => version))];
        const kinds = [...new Set(rows.map(({ kind }) => kind))];
        const by = group % 2 === parity ? 'version' : 'resource';
        return rows.map((row): Switched => {
          const place = versions.indexOf(row.version) + (by === 'resource' ? kinds.indexOf(row.kind) : 0);
          return {
            version: apiVersionOf(row, dialect),
            plural: pluralOf(row.kind),
            level: levelOf(row.version),
            by,
            isOff: isOff(place),
          };
        });
      }),
    ),
  );
}

/** The value of `--runtime-config` that switches off what is to be off. */
export function keysOf(types: readonly Switched[]): string {
  const off = types.filter(({ isOff }) => isOff);
  const keys = off.map(({ by, version, plural }) => (by === 'version' ? version : `${version}/${plural}`));
  return [...new Set(keys)].map((key) => `${key}=false`).join(',');
}
