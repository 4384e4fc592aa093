import type { JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf } from '../../api/parts.ts';
import type { DeprecatedVersions } from '../builtinType.ts';
import { compact } from '../conversion/reshape.ts';

/** RuntimeClasses: what they say stood in a `spec`. */
export const deprecatedRuntimeClasses: DeprecatedVersions = () => ({
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
