import { ACCESS_REVIEWS } from './access/accessReviews.ts';
import { AUTHENTICATION_CONFIGURATION } from './access/authenticationConfiguration.ts';
import { AUTHORIZATION } from './access/authorization.ts';
import { AUTHORIZATION_CONFIGURATION } from './access/authorizationConfiguration.ts';
import { BOOTSTRAP_TOKENS } from './access/bootstrapTokens.ts';
import { CERTIFICATES } from './access/certificates.ts';
import { HEALTH } from './access/health.ts';
import { IDENTITY } from './access/identity.ts';
import { NODE } from './access/node.ts';
import { OIDC } from './access/oidc.ts';
import { RBAC } from './access/rbac.ts';
import { SERVICE_ACCOUNT_TOKENS } from './access/serviceAccountTokens.ts';
import { TOKEN_FILE } from './access/tokenFile.ts';
import { TOKEN_REVIEW } from './access/tokenReview.ts';
import { WHO_AM_I } from './access/whoAmI.ts';
import { APPLY } from './conventions/apply.ts';
import { CHUNKED_LISTS } from './conventions/chunkedLists.ts';
import { CLUSTER_ROLE_BINDING } from './conventions/clusterRoleBinding.ts';
import { DELETION } from './conventions/deletion.ts';
import { DRY_RUN } from './conventions/dryRun.ts';
import { ERRORS } from './conventions/errors.ts';
import { FAMILY_OPERATIONS } from './conventions/familyOperations.ts';
import { FIELD_VALIDATION } from './conventions/fieldValidation.ts';
import { MEDIA_TYPES } from './conventions/mediaTypes.ts';
import { MERGE_MARKERS } from './conventions/mergeMarkers.ts';
import { OBJECTS } from './conventions/objects.ts';
import { RESOURCE_VERSIONS } from './conventions/resourceVersions.ts';
import { SERVICE } from './conventions/service.ts';
import { UPDATING } from './conventions/updating.ts';
import { WATCHING } from './conventions/watching.ts';
import { WEBHOOK_CALLS } from './conventions/webhookCalls.ts';
import { WEBHOOK_CONFIGURATION } from './conventions/webhookConfiguration.ts';
import type { Mutant } from './mutant.ts';
import { DEFINITION_CHANGES } from './releases/changes/definitions.ts';
import { DISRUPTION_BUDGET_CHANGES } from './releases/changes/disruptionBudgets.ts';
import { ENDPOINT_SLICE_CHANGES } from './releases/changes/endpointSlices.ts';
import { EVENT_CHANGES } from './releases/changes/events.ts';
import { FIELD_CHANGES } from './releases/changes/fields.ts';
import { FLOW_CONTROL_CHANGES } from './releases/changes/flowControl.ts';
import { INGRESS_CHANGES } from './releases/changes/ingresses.ts';
import { SIGNING_REQUEST_CHANGES } from './releases/changes/signingRequests.ts';
import { WEBHOOK_CHANGES } from './releases/changes/webhooks.ts';
import { WORKLOAD_CHANGES } from './releases/changes/workloads.ts';
import { DEPRECATED_CALLS } from './releases/deprecatedCalls.ts';
import { GATES } from './releases/gates.ts';
import { LEVELS } from './releases/levels.ts';
import { REMOVALS } from './releases/removals.ts';

/** All mutants, in the order of the ledger's files. */
export const MUTANTS: readonly Mutant[] = [
  ...SERVICE,
  ...OBJECTS,
  ...DELETION,
  ...CLUSTER_ROLE_BINDING,
  ...FAMILY_OPERATIONS,
  ...WEBHOOK_CONFIGURATION,
  ...WEBHOOK_CALLS,
  ...MEDIA_TYPES,
  ...UPDATING,
  ...MERGE_MARKERS,
  ...APPLY,
  ...DRY_RUN,
  ...FIELD_VALIDATION,
  ...RESOURCE_VERSIONS,
  ...CHUNKED_LISTS,
  ...WATCHING,
  ...ERRORS,
  ...IDENTITY,
  ...WHO_AM_I,
  ...CERTIFICATES,
  ...TOKEN_FILE,
  ...SERVICE_ACCOUNT_TOKENS,
  ...BOOTSTRAP_TOKENS,
  ...AUTHENTICATION_CONFIGURATION,
  ...TOKEN_REVIEW,
  ...OIDC,
  ...ACCESS_REVIEWS,
  ...AUTHORIZATION,
  ...AUTHORIZATION_CONFIGURATION,
  ...RBAC,
  ...NODE,
  ...HEALTH,
  ...LEVELS,
  ...GATES,
  ...DEPRECATED_CALLS,
  ...REMOVALS,
  ...ENDPOINT_SLICE_CHANGES,
  ...EVENT_CHANGES,
  ...DISRUPTION_BUDGET_CHANGES,
  ...WEBHOOK_CHANGES,
  ...DEFINITION_CHANGES,
  ...SIGNING_REQUEST_CHANGES,
  ...INGRESS_CHANGES,
  ...FLOW_CONTROL_CHANGES,
  ...WORKLOAD_CHANGES,
  ...FIELD_CHANGES,
];
