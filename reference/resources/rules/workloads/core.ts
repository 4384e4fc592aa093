import { FieldPath } from '../../../api/fieldPath.ts';
import { asJson } from '../../../api/object.ts';
import { fillTemplate } from '../pods/podSpecDefaults.ts';
import { validateTemplate } from '../pods/podSpecRules.ts';
import { templateWarnings } from '../pods/podWarnings.ts';
import type { GroupRules } from '../ruleSet.ts';
import { counting, templated, twice } from './apps.ts';
import { replicaCount } from './replicaCount.ts';
import { fillReplicationController } from './replicationDefaults.ts';
import { validateReplicationController } from './replicationRules.ts';
import { replicaSetCounts } from './statusCounts.ts';
import { podNameWarnings, templateScope, workloadWarnings } from './workloadScope.ts';

const TEMPLATE = FieldPath.of('template');

/** Rules of the workloads of the core group. */
export const coreWorkloadRules: GroupRules = {
  podtemplates: (context) => ({
    defaults: { v1: fillTemplate },
    strategy: {
      validate: (holder) => validateTemplate(asJson(holder).template, TEMPLATE, templateScope(context)),
      validateUpdate: (holder, old) =>
        validateTemplate(asJson(holder).template, TEMPLATE, templateScope(context, asJson(old))),
      warnings: (holder) => templateWarnings(asJson(holder).template, TEMPLATE, context),
    },
  }),
  replicationcontrollers: (context) => ({
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
  }),
};
