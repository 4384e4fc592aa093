import type { JsonObject } from '../../../api/json.ts';
import type { ApiObject } from '../../../api/object.ts';
import { objectOf, textsOf } from '../../../api/parts.ts';
import type { FormerMaker } from '../../builtinType.ts';
import { compact, renamed, withMember, withSpec } from '../../conversion/reshape.ts';

/*
 * Types of which another version only has some fields at another place or under another name.
 */

/** SubjectAccessReviews: `spec.group` became `spec.groups` (3/removed-api-versions-by-release/t1.17). */
export const formerSubjectReviews: FormerMaker = () => ({
  conversions: {
    v1beta1: {
      toStorage: (review) => withSpec(review, (spec) => renamed(spec, 'group', 'groups')),
      fromStorage: (review) => withSpec(review, (spec) => renamed(spec, 'groups', 'group')),
    },
  },
});

/** RuntimeClasses: what they say stood in a `spec`. */
export const formerRuntimeClasses: FormerMaker = () => ({
  conversions: {
    v1alpha1: {
      toStorage({ spec, ...others }) {
        const { runtimeHandler, overhead, scheduling } = objectOf(spec);
        return { ...others, ...compact({ handler: runtimeHandler, overhead, scheduling }) } as ApiObject;
      },
      fromStorage({ handler, overhead, scheduling, ...others }) {
        const { handler: runtimeHandler, ...more } = { handler, overhead, scheduling } as JsonObject;
        return { ...others, spec: compact({ runtimeHandler, ...more }) } as ApiObject;
      },
    },
  },
});

/** LeaseCandidates: v1alpha1 has a list of strategies, of which the first one counts. */
export const formerLeaseCandidates: FormerMaker = () => ({
  conversions: {
    v1alpha1: {
      toStorage: (candidate) =>
        withSpec(candidate, ({ preferredStrategies, ...spec }) =>
          compact({ ...spec, strategy: textsOf(preferredStrategies)[0] }),
        ),
      fromStorage: (candidate) =>
        withSpec(candidate, ({ strategy, ...spec }) =>
          compact({ ...spec, preferredStrategies: strategy === undefined ? undefined : [strategy] }),
        ),
    },
  },
});

/** StorageVersionMigrations: from v1beta1 on they name no version, and keep no place where they stopped. */
export const formerMigrations: FormerMaker = () => ({
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
