import { type ApiGroup, type BuiltinType, revised } from '../builtinType.ts';
import { leaseColumns } from './columns.ts';
import { deprecatedLeaseCandidates } from './conversion.ts';
import { leaseRules } from './lease.ts';
import { leaseCandidateRules } from './leaseCandidate.ts';
import { coordinationV1 } from './v1.ts';
import { leaseCandidateFields, leaseCandidatesV1alpha1 } from './v1beta1.ts';

const leaseCandidates: BuiltinType = {
  resource: 'leasecandidates LeaseCandidate namespaced * as=v1beta1',
  rules: leaseCandidateRules,
  deprecated: deprecatedLeaseCandidates,
};

const leases: BuiltinType = {
  resource: 'leases Lease namespaced *',
  columns: leaseColumns,
  rules: leaseRules,
};

/** Who leads. */
export const coordinationGroup: ApiGroup = {
  name: 'coordination.{domain}',
  storedVersion: 'v1',
  fields: {
    v1: coordinationV1,
    v1beta1: revised(coordinationV1, leaseCandidateFields),
    v1alpha2: leaseCandidateFields,
    v1alpha1: leaseCandidatesV1alpha1,
  },
  types: [leaseCandidates, leases],
};
