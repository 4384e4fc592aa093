import { userInfo } from '../api/identity.ts';
import { isObject, type JsonObject } from '../api/json.ts';
import { badRequest } from '../api/status.ts';
import type { VirtualOperation } from '../contracts/resourceType.ts';
import { type Clock, formatTime } from '../time.ts';
import type { BearerAuthenticator } from './bearer.ts';
import { authenticatedUser } from './union.ts';

/**
 * What creating an identity review computes (2/identity-endpoints, 2/token-review), by group prefix and plural.
 *
 * @param tokens the token methods of the server
 */
export function identityReviews(tokens: BearerAuthenticator, clock: Clock): Readonly<Record<string, VirtualOperation>> {
  return {
    'authentication/selfsubjectreviews': ({ apiVersion, kind }, { user }) => ({
      apiVersion,
      kind,
      metadata: { creationTimestamp: formatTime(clock.now()) },
      status: { userInfo: userInfo(user) },
    }),
    'authentication/tokenreviews': async (review) => {
      const { token, audiences } = isObject(review.spec) ? review.spec : ({} as JsonObject);
      if (typeof token !== 'string' || token === '') {
        throw badRequest('token is required for TokenReview in authentication');
      }
      const answer = await tokens.review(token, Array.isArray(audiences) ? (audiences as string[]) : []);
      const status: JsonObject =
        'user' in answer
          ? {
              authenticated: true,
              user: userInfo(authenticatedUser(answer.user)),
              ...(answer.audiences ? { audiences: [...answer.audiences] } : {}),
            }
          : { user: {}, error: answer.rejected };
      return { ...review, status };
    },
  };
}
