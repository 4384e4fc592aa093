import type { JsonObject } from '../../api/json.ts';
import { isObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { ensureObject, listOf, numberOf, objectOf } from '../../api/parts.ts';
import { JsonSyntaxError, readJson } from '../../codecs/json.ts';
import type { DeprecatedVersions } from '../builtinType.ts';
import { withAnnotation, withItems, withSpec } from '../conversion/reshape.ts';
import { metricFromOld, metricToOld, statusFromOld, statusToOld } from './metrics.ts';

/*
 * HorizontalPodAutoscalers in autoscaling/v2beta1 and v2beta2. In v2beta1 metrics are flat, and how fast to scale lies
 * in an annotation.
 */

const DEFAULT_SHARE = 80;

/** HorizontalPodAutoscalers. */
export const deprecatedScalers: DeprecatedVersions = ({ defaults = {} }, { dialect }) => {
  const behaviorName = `autoscaling.alpha.${dialect.labelDomain}/behavior`;
  return {
    conversions: {
      v2beta1: {
        toStorage(old) {
          const behavior = parsed(old.metadata.annotations?.[behaviorName]);
          return withCounts(
            withSpec(withAnnotation(old, behaviorName, undefined), (spec) => ({
              ...withItems(spec, 'metrics', metricFromOld),
              ...(behavior ? { behavior } : {}),
            })),
            (status) => withItems(withoutZero(status), 'currentMetrics', statusFromOld),
          );
        },
        fromStorage(scaler) {
          const { behavior } = objectOf(scaler.spec);
          const kept = withAnnotation(scaler, behaviorName, isObject(behavior) ? JSON.stringify(behavior) : undefined);
          return withCounts(
            withSpec(kept, ({ behavior: _, ...spec }) => withItems(spec, 'metrics', metricToOld)),
            (status) => withItems(withZero(status), 'currentMetrics', statusToOld),
          );
        },
      },
      v2beta2: {
        toStorage: (old) => withCounts(old, withoutZero),
        fromStorage: (scaler) => withCounts(scaler, withZero),
      },
    },
    defaults: {
      v2beta1(scaler) {
        const spec = ensureObject(scaler, 'spec');
        spec.minReplicas ??= 1;
        if (listOf(spec.metrics).length > 0) return;
        spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: DEFAULT_SHARE } }];
      },
      ...(defaults.v2 ? { v2beta2: defaults.v2 } : {}),
    },
  };
};

function withCounts(scaler: ApiObject, change: (status: JsonObject) => JsonObject): ApiObject {
  return isObject(scaler.status) ? { ...scaler, status: change(scaler.status) } : scaler;
}

/** These versions tell a count of zero, and have conditions even where there are none. */
function withZero(status: JsonObject): JsonObject {
  return { ...status, currentReplicas: status.currentReplicas ?? 0, conditions: status.conditions ?? null };
}
function withoutZero({ currentReplicas, conditions, ...status }: JsonObject): JsonObject {
  return {
    ...status,
    ...(numberOf(currentReplicas) ? { currentReplicas: currentReplicas as number } : {}),
    ...(listOf(conditions).length > 0 ? { conditions: conditions as JsonObject[] } : {}),
  };
}

/** Annotations come from anyone: what is no JSON is as good as none. */
function parsed(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const { value } = readJson(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
