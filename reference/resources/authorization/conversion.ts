import type { DeprecatedVersions } from '../builtinType.ts';
import { renamed, withSpec } from '../conversion/reshape.ts';

/** SubjectAccessReviews: `spec.group` became `spec.groups` (3/removed-api-versions-by-release/t1.17). */
export const deprecatedSubjectReviews: DeprecatedVersions = () => ({
  conversions: {
    v1beta1: {
      toStorage: (review) => withSpec(review, (spec) => renamed(spec, 'group', 'groups')),
      fromStorage: (review) => withSpec(review, (spec) => renamed(spec, 'groups', 'group')),
    },
  },
});
