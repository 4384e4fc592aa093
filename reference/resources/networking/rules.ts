import type { GroupRules } from '../builtinType.ts';
import { ipAddressRules, serviceCidrRules } from './addressObjects.ts';
import { ingressRules } from './ingress.ts';
import { ingressClassRules } from './ingressClass.ts';
import { networkPolicyRules } from './networkPolicy.ts';

/** Rules of the networking group. */
export const networkingRules: GroupRules = {
  ingressclasses: ingressClassRules,
  ingresses: ingressRules,
  ipaddresses: ipAddressRules,
  networkpolicies: networkPolicyRules,
  servicecidrs: serviceCidrRules,
};
