import { type FieldError, invalid, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { objectOf } from '../../api/parts.ts';
import { notNegative } from '../validation/values.ts';
import { validateEndless } from '../workloads/podTemplates.ts';
import type { PodScope } from './pods/scope.ts';
import { validateTemplate } from './pods/spec.ts';

const SPEC = FieldPath.of('spec');

/** Faults of a ReplicationController, besides its metadata. Its selector is a plain map. */
export function validateReplicationController(controller: ApiObject, scope: PodScope): FieldError[] {
  const spec = objectOf(controller.spec);
  const selector = objectOf(spec.selector);
  const path = SPEC.child('template');
  const errors = [
    ...notNegative(spec.minReadySeconds, SPEC.child('minReadySeconds')),
    ...(Object.keys(selector).length === 0 ? [required(SPEC.child('selector'))] : []),
    ...notNegative(spec.replicas, SPEC.child('replicas')),
  ];
  if (!isObject(spec.template)) return [...errors, required(path)];
  const { labels } = objectOf(spec.template.metadata);
  const own = objectOf(labels);
  if (Object.keys(selector).some((name) => selector[name] !== own[name])) {
    const detail = '`selector` does not match template `labels`';
    errors.push(invalid(path.child('metadata', 'labels'), labels ?? null, detail));
  }
  return [
    ...errors,
    ...validateTemplate(spec.template, path, scope),
    ...validateEndless(spec.template, path, 'ReplicationController'),
  ];
}
