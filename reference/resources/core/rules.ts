import type { GroupRules } from '../builtinType.ts';
import { componentStatusRules } from './componentStatus.ts';
import { configMapRules } from './configMap.ts';
import { endpointsRules } from './endpoints.ts';
import { eventRules } from './event.ts';
import { limitRangeRules } from './limitRange.ts';
import { namespaceRules } from './namespace.ts';
import { nodeRules } from './nodes/node.ts';
import { resourceQuotaRules } from './resourceQuota.ts';
import { secretRules } from './secret.ts';
import { serviceAccountRules } from './serviceAccount.ts';
import { serviceRules } from './services/service.ts';
import { claimRules } from './volumes/claim.ts';
import { persistentVolumeRules } from './volumes/persistentVolume.ts';

/** Rules of the core group. */
export const coreRules: GroupRules = {
  componentstatuses: componentStatusRules,
  configmaps: configMapRules,
  endpoints: endpointsRules,
  events: eventRules,
  limitranges: limitRangeRules,
  namespaces: namespaceRules,
  nodes: nodeRules,
  persistentvolumeclaims: claimRules,
  persistentvolumes: persistentVolumeRules,
  resourcequotas: resourceQuotaRules,
  secrets: secretRules,
  serviceaccounts: serviceAccountRules,
  services: serviceRules,
};
