import type { ApiObject } from '../../api/object.ts';
import { ensureObject, objectOf } from '../../api/parts.ts';
import { inheritLabels, templateLabels } from '../workloads/podTemplates.ts';
import { fillTemplate } from './pods/spec.ts';

/** Fills a ReplicationController, in place; it selects what it makes unless told otherwise. */
export function fillReplicationController(controller: ApiObject): void {
  const spec = ensureObject(controller, 'spec');
  spec.replicas ??= 1;
  if (spec.template === undefined) return;
  fillTemplate(spec);
  const labels = templateLabels(spec);
  if (Object.keys(labels).length === 0) return;
  if (Object.keys(objectOf(spec.selector)).length === 0) spec.selector = { ...labels };
  inheritLabels(controller, labels);
}
