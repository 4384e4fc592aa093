import type { JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf } from '../../api/parts.ts';

/** The labels of the template of a workload; empty where it has none. */
export function templateLabels(spec: JsonObject): Record<string, string> {
  return objectOf(objectOf(objectOf(spec.template).metadata).labels) as Record<string, string>;
}

/** A workload without labels takes those of its template. In place. */
export function inheritLabels(workload: ApiObject, labels: Record<string, string>): void {
  if (Object.keys(labels).length === 0 || Object.keys(workload.metadata.labels ?? {}).length > 0) return;
  workload.metadata.labels = { ...labels };
}
