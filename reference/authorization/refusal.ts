import { departs, type Follow } from '../../fixtures/departures.ts';
import { type ApiError, internalError } from '../api/status.ts';
import type { Attributes, Verdict } from './authorizer.ts';
import { forbiddenAttributes } from './forbidden.ts';

/**
 * What a request is answered that the chain did not allow (2/errors/t1.2): 403; where the real service is followed,
 * 500 if an authorizer could not be asked.
 */
export function refusal(asked: Attributes, verdict: Verdict, follow: Follow): ApiError {
  if (verdict.error !== undefined && departs(follow, 'authorization-webhook-failure')) {
    return internalError(verdict.error);
  }
  return forbiddenAttributes(asked, verdict.reason);
}
