import { cloneJson, isObject, type Json, type JsonObject, setMember } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { listOf, numberOf, objectOf, objectsOf, textOf } from '../../api/parts.ts';
import { JsonSyntaxError, readJson } from '../../codecs/json.ts';
import { metricFromOld, metricToOld, statusFromOld, statusToOld } from './metrics.ts';

/*
 * The two versions of HorizontalPodAutoscaler. The old one knows a single target, the share of CPU; what it has no
 * field for it keeps as JSON in annotations, so that nothing is lost on the way there and back.
 */

/** Names of those annotations, behind the domain. */
const METRICS = 'metrics';
const CURRENT_METRICS = 'current-metrics';
const CONDITIONS = 'conditions';
const BEHAVIOR = 'behavior';

/** Ways between the versions, for annotations of one domain. Arguments are not changed. */
export function scalerConversions(annotationDomain: string) {
  const nameOf = (part: string): string => `${annotationDomain}/${part}`;
  return {
    toStorage: (old: ApiObject): ApiObject => upgrade(old, nameOf),
    fromStorage: (scaler: ApiObject): ApiObject => downgrade(scaler, nameOf),
  };
}
type Naming = (part: string) => string;

function isCpuShare(metric: JsonObject): boolean {
  const source = objectOf(metric.resource);
  return metric.type === 'Resource' && source.name === 'cpu';
}
const shareOf = (source: JsonObject, side: 'target' | 'current'): number | undefined =>
  numberOf(objectOf(source[side]).averageUtilization);

function downgrade(scaler: ApiObject, nameOf: Naming): ApiObject {
  const spec = objectOf(scaler.spec);
  const status = objectOf(scaler.status);
  const metrics = objectsOf(spec.metrics);
  const target = metrics.find(
    (metric) => isCpuShare(metric) && shareOf(objectOf(metric.resource), 'target') !== undefined,
  );
  const current = objectsOf(status.currentMetrics);
  const share = current.find(
    (metric) => isCpuShare(metric) && shareOf(objectOf(metric.resource), 'current') !== undefined,
  );
  const kept: JsonObject = {};
  const others = metrics.filter((metric) => metric !== target).map(metricToOld);
  if (others.length > 0) setMember(kept, nameOf(METRICS), JSON.stringify(others));
  if (current.length > 0) setMember(kept, nameOf(CURRENT_METRICS), JSON.stringify(current.map(statusToOld)));
  const conditions = listOf(status.conditions);
  if (conditions.length > 0) setMember(kept, nameOf(CONDITIONS), JSON.stringify(conditions));
  if (isObject(spec.behavior)) setMember(kept, nameOf(BEHAVIOR), JSON.stringify(spec.behavior));
  return {
    ...scaler,
    metadata: withAnnotations(scaler.metadata, kept),
    spec: {
      ...pick(spec, 'scaleTargetRef', 'minReplicas', 'maxReplicas'),
      ...optional('targetCPUUtilizationPercentage', target && shareOf(objectOf(target.resource), 'target')),
    },
    status: {
      ...pick(status, 'observedGeneration', 'lastScaleTime'),
      currentReplicas: status.currentReplicas ?? 0,
      desiredReplicas: status.desiredReplicas ?? 0,
      ...optional('currentCPUUtilizationPercentage', share && shareOf(objectOf(share.resource), 'current')),
    },
  };
}

function upgrade(old: ApiObject, nameOf: Naming): ApiObject {
  const spec = objectOf(old.spec);
  const status = objectOf(old.status);
  const { metadata } = old;
  const read = (part: string): Json | undefined => parsed(metadata.annotations?.[nameOf(part)]);
  const share = numberOf(spec.targetCPUUtilizationPercentage);
  const metrics = [...objectsOf(read(METRICS)).map(metricFromOld), ...(share === undefined ? [] : [cpuMetric(share)])];
  const current = objectsOf(read(CURRENT_METRICS)).map(statusFromOld);
  const behavior = read(BEHAVIOR);
  const conditions = listOf(read(CONDITIONS));
  const annotations = Object.entries(metadata.annotations ?? {}).filter(
    ([name]) => ![METRICS, CURRENT_METRICS, CONDITIONS, BEHAVIOR].some((part) => name === nameOf(part)),
  );
  const { annotations: _, ...others } = metadata;
  return {
    ...old,
    metadata: annotations.length > 0 ? { ...others, annotations: Object.fromEntries(annotations) } : others,
    spec: {
      ...pick(spec, 'scaleTargetRef', 'minReplicas', 'maxReplicas'),
      ...(metrics.length > 0 ? { metrics } : {}),
      ...(isObject(behavior) ? { behavior } : {}),
    },
    status: {
      ...pick(status, 'observedGeneration', 'lastScaleTime'),
      ...optional('currentReplicas', numberOf(status.currentReplicas) || undefined),
      desiredReplicas: status.desiredReplicas ?? 0,
      currentMetrics: current.length > 0 ? current : null,
      ...(conditions.length > 0 ? { conditions: cloneJson([...conditions]) } : {}),
    },
  };
}

/** A metric on the share of CPU, in percent of what is requested. */
export function cpuMetric(percent: number): JsonObject {
  return {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percent } },
  };
}

function withAnnotations(metadata: ApiObject['metadata'], kept: JsonObject): ApiObject['metadata'] {
  if (Object.keys(kept).length === 0) return metadata;
  const annotations: Record<string, string> = { ...metadata.annotations };
  for (const name of Object.keys(kept)) annotations[name] = textOf(kept[name]);
  return { ...metadata, annotations };
}

/** Annotations come from anyone: what is no JSON is as good as none. */
function parsed(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  try {
    return readJson(text).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function pick(from: JsonObject, ...names: string[]): JsonObject {
  const picked: JsonObject = {};
  for (const name of names) if (from[name] !== undefined) picked[name] = from[name];
  return picked;
}

function optional(name: string, value: Json | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}
