import { type Dialect, groupName } from '../../../fixtures/dialects/dialect.ts';
import type { AdmissionAttributes } from '../../contracts/admission.ts';

const POLICIES: ReadonlySet<string> = new Set([
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]);
const REVIEWS: Readonly<Record<string, ReadonlySet<string>>> = {
  authentication: new Set(['selfsubjectreviews', 'tokenreviews']),
  authorization: new Set([
    'localsubjectaccessreviews',
    'selfsubjectaccessreviews',
    'selfsubjectrulesreviews',
    'subjectaccessreviews',
  ]),
};

/**
 * Whether no policy sees a request: policies could else lock themselves in, and reviews say who somebody is and what
 * they may, before there is anything to judge.
 */
export function isExemptFromPolicies({ endpoint }: AdmissionAttributes, dialect: Dialect): boolean {
  const { group, resource } = endpoint.type;
  if (group === groupName(dialect, 'admissionregistration')) return POLICIES.has(resource);
  return Object.entries(REVIEWS).some(([prefix, names]) => group === groupName(dialect, prefix) && names.has(resource));
}
