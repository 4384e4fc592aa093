import { fillTemplate } from '../pods/podSpecDefaults.ts';
import type { GroupRules } from '../ruleSet.ts';
import { replicaCount } from './replicaCount.ts';
import { fillReplicationController } from './replicationDefaults.ts';

/** Rules of the workloads of the core group. */
export const coreWorkloadRules: GroupRules = {
  podtemplates: () => ({ defaults: { v1: fillTemplate } }),
  replicationcontrollers: () => ({
    defaults: { v1: fillReplicationController },
    selectableFields: { 'status.replicas': replicaCount },
  }),
};
