import { FieldPath } from '../../api/fieldPath.ts';
import { asJson } from '../../api/object.ts';
import { counting, templated, twice } from '../apps/rules.ts';
import type { RuleMaker } from '../builtinType.ts';
import { podNameWarnings, templateScope, workloadWarnings } from '../workloads/podTemplates.ts';
import { replicaCount, replicaSetCounts } from '../workloads/replicas.ts';
import { fillTemplate, validateTemplate } from './pods/spec.ts';
import { templateWarnings } from './pods/warnings.ts';
import { validateReplicationController } from './replicationController.ts';
import { fillReplicationController } from './replicationDefaults.ts';

const TEMPLATE = FieldPath.of('template');

export const podTemplateRules: RuleMaker = (context) => ({
  defaults: { v1: fillTemplate },
  strategy: {
    validate: (holder) => validateTemplate(asJson(holder).template, TEMPLATE, templateScope(context)),
    validateUpdate: (holder, old) =>
      validateTemplate(asJson(holder).template, TEMPLATE, templateScope(context, asJson(old))),
    warnings: (holder) => templateWarnings(asJson(holder).template, TEMPLATE, context),
  },
});

export const replicationControllerRules: RuleMaker = (context) => ({
  defaults: { v1: fillReplicationController },
  selectableFields: { 'status.replicas': replicaCount },
  strategy: {
    ...templated(context, validateReplicationController),
    validateUpdate: templated(context, twice(validateReplicationController)).validateUpdate,
    warnings: (controller, old) => [
      ...(old ? [] : podNameWarnings(controller)),
      ...workloadWarnings(controller, old, context),
    ],
  },
  subresources: { status: counting(replicaSetCounts) },
});
