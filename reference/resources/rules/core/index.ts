import type { GroupRules } from '../ruleSet.ts';
import { configMapRules } from './configMap.ts';
import { eventRules } from './event.ts';
import { namespaceRules } from './namespace.ts';
import { secretRules } from './secret.ts';
import { serviceRules } from './service/index.ts';
import { serviceAccountRules } from './serviceAccount.ts';

/** Rules of the core group. */
export const coreRules: GroupRules = {
  configmaps: configMapRules,
  events: eventRules,
  namespaces: namespaceRules,
  secrets: secretRules,
  serviceaccounts: serviceAccountRules,
  services: serviceRules,
};
