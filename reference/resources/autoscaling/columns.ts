import type { JsonObject } from '../../api/json.ts';
import { isObject } from '../../api/json.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../../api/parts.ts';
import { AGE, type ApiObject, column, named } from '../columns/column.ts';
import { firstFew, NONE, UNKNOWN, UNSET } from '../columns/labels.ts';

const spec = (object: ApiObject): JsonObject => objectOf(object.spec);
const MOST_METRICS = 2;

/** The member of a metric that its type names: `Resource`, `resource`. */
function sourceOf(metric: JsonObject | undefined): JsonObject {
  const type = textOf(metric?.type);
  return objectOf(metric?.[`${type.slice(0, 1).toLowerCase()}${type.slice(1)}`]);
}

/** A metric as what it is now of what it should be. */
function metricText(metric: JsonObject, current: JsonObject | undefined): string {
  const source = sourceOf(metric);
  const target = objectOf(source.target);
  const now = objectOf(sourceOf(current).current);
  const percent = numberOf(target.averageUtilization);
  const value =
    percent !== undefined
      ? `${numberOf(now.averageUtilization) === undefined ? UNKNOWN : `${numberOf(now.averageUtilization)}%`}/${percent}%`
      : averageText(metric, target, now);
  const isResource = metric.type === 'Resource' || metric.type === 'ContainerResource';
  return isResource ? `${textOf(source.name)}: ${value}` : value;
}

function averageText(metric: JsonObject, target: JsonObject, now: JsonObject): string {
  const average = textOf(target.averageValue);
  const given = average === '' ? textOf(target.value) : average;
  const found = textOf(average === '' ? now.value : now.averageValue) || UNKNOWN;
  const spread = average !== '' && (metric.type === 'External' || metric.type === 'Object');
  return `${found}/${given}${spread ? ' (avg)' : ''}`;
}

function targetsText(object: ApiObject): string {
  const current = objectsOf(objectOf(object.status).currentMetrics);
  const metrics = objectsOf(spec(object).metrics).map((metric, index) => metricText(metric, current[index]));
  return metrics.length === 0 ? NONE : firstFew(metrics, MOST_METRICS).replaceAll(',', ', ');
}

function oldTargetsText(object: ApiObject): string {
  const target = numberOf(spec(object).targetCPUUtilizationPercentage);
  if (target === undefined) return NONE;
  const current = numberOf(objectOf(object.status).currentCPUUtilizationPercentage);
  return `cpu: ${current === undefined ? UNKNOWN : `${current}%`}/${target}%`;
}

const scalerColumns = (targets: (object: ApiObject) => string) =>
  named(
    column('Reference', 'What is scaled.', (object) => {
      const { scaleTargetRef } = spec(object);
      return isObject(scaleTargetRef) ? `${textOf(scaleTargetRef.kind)}/${textOf(scaleTargetRef.name)}` : '';
    }),
    column('Targets', 'What is measured, of what is wanted.', targets),
    column('MinPods', 'Fewest pods.', (object) => String(numberOf(spec(object).minReplicas) ?? UNSET)),
    column('MaxPods', 'Most pods.', (object) => numberOf(spec(object).maxReplicas) ?? 0),
    column('Replicas', 'Pods that there are.', (object) => numberOf(objectOf(object.status).currentReplicas) ?? 0),
    AGE,
  );

/** As autoscaling/v1 keeps targets. */
export const v1ScalerColumns = scalerColumns(oldTargetsText);
/** As autoscaling/v2 keeps them. */
export const v2ScalerColumns = scalerColumns(targetsText);
