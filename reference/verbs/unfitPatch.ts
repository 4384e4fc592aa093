import { departs, type Follow } from '../../fixtures/follow.ts';
import { invalid } from '../api/fieldError.ts';
import { FieldPath } from '../api/fieldPath.ts';
import type { Staged } from '../api/staged.ts';
import { type ApiError, invalidObject, UnfitPatch } from '../api/status.ts';

/** The refusal of a patch, which is shown, by the cause `patch`. */
export function invalidPatch(shown: string, why: string): ApiError {
  return invalidObject({ group: '', kind: '' }, '', [invalid(FieldPath.of('patch'), shown, why)]);
}

/** Applies a patch. Throws what applying throws, as {@link asRefused} words it. */
export function* fitting<T>(shown: () => string, applying: Staged<T>, follow: Follow): Staged<T> {
  try {
    return yield* applying;
  } catch (error) {
    throw asRefused(error, shown, follow);
  }
}

/** What an error of applying is answered with: a patch that does not fit is 422 by the text, 500 by the service. */
export function asRefused(error: unknown, shown: () => string, follow: Follow): unknown {
  if (!(error instanceof UnfitPatch) || departs(follow, 'unfit-patch-status')) return error;
  return invalidPatch(shown(), error.message);
}
