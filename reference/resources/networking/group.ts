import { type ApiGroup, type BuiltinType, revised } from '../builtinType.ts';
import { ipAddressRules, serviceCidrRules } from './addressObjects.ts';
import {
  ingressClassColumns,
  ingressColumns,
  ipAddressColumns,
  networkPolicyColumns,
  serviceCIDRColumns,
} from './columns.ts';
import { deprecatedIngresses } from './conversion.ts';
import { ingressRules } from './ingress.ts';
import { ingressClassRules } from './ingressClass.ts';
import { networkPolicyRules } from './networkPolicy.ts';
import { networkingV1 } from './v1.ts';
import { ingressV1beta1 } from './v1beta1.ts';

const ingressClasses: BuiltinType = {
  resource: 'ingressclasses IngressClass cluster *',
  generation: true,
  columns: ingressClassColumns,
  rules: ingressClassRules,
};

const ingresses: BuiltinType = {
  resource: 'ingresses Ingress namespaced * short=ing',
  subresources: ['status status get,patch,update'],
  generation: true,
  columns: ingressColumns,
  rules: ingressRules,
  deprecated: deprecatedIngresses,
};

const ipAddresses: BuiltinType = {
  resource: 'ipaddresses IPAddress cluster * short=ip',
  columns: ipAddressColumns,
  rules: ipAddressRules,
};

const networkPolicies: BuiltinType = {
  resource: 'networkpolicies NetworkPolicy namespaced * short=netpol',
  generation: true,
  columns: networkPolicyColumns,
  rules: networkPolicyRules,
};

const serviceCIDRs: BuiltinType = {
  resource: 'servicecidrs ServiceCIDR cluster *',
  subresources: ['status status get,patch,update'],
  columns: serviceCIDRColumns,
  rules: serviceCidrRules,
};

/** How pods are reached, and by whom. */
export const networkingGroup: ApiGroup = {
  name: 'networking.{domain}',
  storedVersion: 'v1',
  fields: {
    v1: networkingV1,
    v1beta1: revised(networkingV1, ingressV1beta1),
    v1alpha1: networkingV1,
  },
  types: [ingressClasses, ingresses, ipAddresses, networkPolicies, serviceCIDRs],
};
