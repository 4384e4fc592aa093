import type { RequirementId } from '../../fixtures/ledger/index.ts';

/**
 * Requirements with a check that no mutant has put to the proof yet. A new check of a MUST needs a mutant, or a line
 * here; a mutant that comes takes the line away. The list only gets shorter.
 */
export const withoutMutant: readonly RequirementId[] = [
  'IDENTITY-ATTRIBUTES-01',
  'IDENTITY-ATTRIBUTES-02',
  'IDENTITY-ANONYMOUS-02',
  'IDENTITY-BEARER-01',
  'REVIEW-SELF-01',
  'REVIEW-SUBJECT-02',
  'REVIEW-STATUS-01',
  'AUTHZ-DEFAULT-01',
  'AUTHZ-ATTRIBUTE-01',
  'AUTHZ-ATTRIBUTE-02',
  'RBAC-RULE-01',
  'RBAC-RULE-03',
  'RBAC-RULE-04',
  'RBAC-RULE-05',
  'RBAC-RULE-07',
  'RBAC-RULE-08',
  'RBAC-SUBJECT-01',
  'RBAC-BINDING-01',
  'RBAC-BINDING-02',
  'RBAC-ROLEREF-01',
  'RBAC-ROLEREF-02',
  'RBAC-ESCALATION-01',
  'RBAC-ESCALATION-02',
  'RBAC-ESCALATION-04',
  'RBAC-DEFAULT-01',
  'RBAC-DEFAULT-05',
  'HEALTH-PATH-01',
  'HEALTH-CHECK-01',
  'HEALTH-VERBOSE-01',
  'HEALTH-EXCLUDE-01',
  'HEALTH-CHECKS-01',
  'HEALTH-ACCESS-01',
  'LEVEL-NAME-01',
  'LEVEL-STABLE-01',
];
