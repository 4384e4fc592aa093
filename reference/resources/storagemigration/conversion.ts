import type { DeprecatedVersions } from '../builtinType.ts';
import { compact, withMember, withSpec } from '../conversion/reshape.ts';

/** StorageVersionMigrations: from v1beta1 on they name no version, and keep no place where they stopped. */
export const deprecatedMigrations: DeprecatedVersions = () => ({
  conversions: {
    v1beta1: {
      toStorage: (migration) => migration,
      fromStorage: (migration) =>
        withSpec(migration, ({ continueToken: _, ...spec }) =>
          withMember(spec, 'resource', ({ group, resource }) =>
            compact({ group: group ?? '', resource: resource ?? '' }),
          ),
        ),
    },
  },
});
