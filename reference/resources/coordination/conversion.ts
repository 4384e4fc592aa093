import { textsOf } from '../../api/parts.ts';
import type { DeprecatedVersions } from '../builtinType.ts';
import { compact, withSpec } from '../conversion/reshape.ts';

/** LeaseCandidates: v1alpha1 has a list of strategies, of which the first one counts. */
export const deprecatedLeaseCandidates: DeprecatedVersions = () => ({
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
