import { type FieldError, invalid, required } from '../../api/fieldError.ts';
import { FieldPath } from '../../api/fieldPath.ts';
import { isObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { asJson } from '../../api/object.ts';
import { ensureObject, objectOf } from '../../api/parts.ts';
import type { Staged } from '../../api/staged.ts';
import { counting, templated, twice } from '../apps/rules.ts';
import type { RuleMaker } from '../builtinType.ts';
import { notNegative } from '../validation/fields.ts';
import { judgedInParts } from '../validation/inParts.ts';
import {
  inheritLabels,
  podNameWarnings,
  templateLabels,
  templateScope,
  validateEndless,
  workloadWarnings,
} from '../workloads/podTemplates.ts';
import { replicaCount, replicaSetCounts } from '../workloads/replicas.ts';
import type { PodScope } from './pods/scope.ts';
import { fillTemplate, validateTemplate } from './pods/spec.ts';
import { templateWarnings } from './pods/warnings.ts';

const SPEC = FieldPath.of('spec');

/** Faults of a ReplicationController, besides its metadata. Its selector is a plain map. */
function* validateReplicationController(controller: ApiObject, scope: PodScope): Staged<FieldError[]> {
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
    ...(yield* validateTemplate(spec.template, path, scope)),
    ...validateEndless(spec.template, path, 'ReplicationController'),
  ];
}

/** Fills a ReplicationController, in place; it selects what it makes unless told otherwise. */
function fillReplicationController(controller: ApiObject): void {
  const spec = ensureObject(controller, 'spec');
  spec.replicas ??= 1;
  if (spec.template === undefined) return;
  fillTemplate(spec);
  const labels = templateLabels(spec);
  if (Object.keys(labels).length === 0) return;
  if (Object.keys(objectOf(spec.selector)).length === 0) spec.selector = { ...labels };
  inheritLabels(controller, labels);
}

const TEMPLATE = FieldPath.of('template');

export const podTemplateRules: RuleMaker = (context) => ({
  defaults: { v1: fillTemplate },
  strategy: {
    ...judgedInParts((holder, old) =>
      validateTemplate(asJson(holder).template, TEMPLATE, templateScope(context, old && asJson(old))),
    ),
    warnings: (holder) => templateWarnings(asJson(holder).template, TEMPLATE, context),
  },
});

export const replicationControllerRules: RuleMaker = (context) => ({
  defaults: { v1: fillReplicationController },
  selectableFields: { 'status.replicas': replicaCount },
  strategy: {
    ...templated(context, validateReplicationController, undefined, twice(validateReplicationController)),
    warnings: (controller, old) => [
      ...(old ? [] : podNameWarnings(controller)),
      ...workloadWarnings(controller, old, context),
    ],
  },
  subresources: { status: counting(replicaSetCounts) },
});
