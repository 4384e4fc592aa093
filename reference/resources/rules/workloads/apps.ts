import type { GroupRules } from '../ruleSet.ts';
import { fillDaemonSet, fillDeployment, fillReplicaSet, fillStatefulSet } from './appsDefaults.ts';
import { replicaCount } from './replicaCount.ts';
import { countTemplateGeneration, fillTemplateGeneration, startTemplateGeneration } from './templateGeneration.ts';

/** Rules of the apps group. */
export const appsRules: GroupRules = {
  daemonsets: () => ({
    defaults: {
      v1(daemonSet) {
        fillDaemonSet(daemonSet);
        fillTemplateGeneration(daemonSet);
      },
    },
    strategy: { prepareForCreate: startTemplateGeneration, prepareForUpdate: countTemplateGeneration },
    subresources: { status: { prepareForUpdate: countTemplateGeneration } },
  }),
  deployments: () => ({
    defaults: { v1: fillDeployment },
    subresources: { status: { resetFields: [['spec'], ['metadata', 'labels']] } },
  }),
  replicasets: () => ({
    defaults: { v1: fillReplicaSet },
    selectableFields: { 'status.replicas': replicaCount },
  }),
  statefulsets: () => ({
    defaults: { v1: fillStatefulSet },
  }),
};
