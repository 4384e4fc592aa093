import { departs, type Follow } from '../../fixtures/follow.ts';
import { invalid } from '../api/fieldError.ts';
import { FieldPath } from '../api/fieldPath.ts';
import { type ApiError, invalidObject, UnfitPatch } from '../api/status.ts';

/** The refusal of a patch, which is shown, by the cause `patch`. */
export function invalidPatch(shown: string, why: string): ApiError {
  return invalidObject({ group: '', kind: '' }, '', [invalid(FieldPath.of('patch'), shown, why)]);
}

/** Applies a patch: one that does not fit is answered 422 by the text, 500 by the service. Throws ApiError. */
export function fitting<T>(shown: () => string, apply: () => T, follow: Follow): T {
  try {
    return apply();
  } catch (error) {
    if (!(error instanceof UnfitPatch) || departs(follow, 'unfit-patch-status')) throw error;
    throw invalidPatch(shown(), error.message);
  }
}
