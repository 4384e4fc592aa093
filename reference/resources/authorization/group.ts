import { type ApiGroup, type BuiltinType, revised } from '../builtinType.ts';
import { deprecatedSubjectReviews } from './conversion.ts';
import { authorizationV1 } from './v1.ts';
import { authorizationV1beta1 } from './v1beta1.ts';

const localSubjectAccessReviews: BuiltinType = {
  resource: 'localsubjectaccessreviews LocalSubjectAccessReview namespaced create',
  deprecated: deprecatedSubjectReviews,
};

const selfSubjectAccessReviews: BuiltinType = {
  resource: 'selfsubjectaccessreviews SelfSubjectAccessReview cluster create',
};

const selfSubjectRulesReviews: BuiltinType = {
  resource: 'selfsubjectrulesreviews SelfSubjectRulesReview cluster create',
};

const subjectAccessReviews: BuiltinType = {
  resource: 'subjectaccessreviews SubjectAccessReview cluster create',
  deprecated: deprecatedSubjectReviews,
};

/** What somebody may do. */
export const authorizationGroup: ApiGroup = {
  name: 'authorization.{domain}',
  storedVersion: 'v1',
  fields: {
    v1: authorizationV1,
    v1beta1: revised(authorizationV1, authorizationV1beta1),
  },
  types: [localSubjectAccessReviews, selfSubjectAccessReviews, selfSubjectRulesReviews, subjectAccessReviews],
};
