import type { ApiObject } from '../../api/object.ts';
import { numberOf, objectOf } from '../../api/parts.ts';

/** What a field selector compares with `status.replicas`. */
export function replicaCount(workload: ApiObject): string {
  return String(numberOf(objectOf(workload.status).replicas) ?? 0);
}
