import type { ApiGroup, BuiltinType } from '../builtinType.ts';
import { authenticationV1 } from './v1.ts';

const selfSubjectReviews: BuiltinType = {
  resource: 'selfsubjectreviews SelfSubjectReview cluster create',
};

const tokenReviews: BuiltinType = {
  resource: 'tokenreviews TokenReview cluster create',
};

/** Who somebody is. */
export const authenticationGroup: ApiGroup = {
  name: 'authentication.{domain}',
  storedVersion: 'v1',
  fields: {
    v1: authenticationV1,
    v1beta1: authenticationV1,
    v1alpha1: authenticationV1,
  },
  types: [selfSubjectReviews, tokenReviews],
};
