import { departs } from '../../fixtures/departures.ts';
import { invalid } from '../api/fieldError.ts';
import { FieldPath } from '../api/fieldPath.ts';
import type { JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import type { WarningSink } from '../api/request.ts';
import { ApiError, badRequest, invalidObject } from '../api/status.ts';
import { stringify } from '../codecs/jsonText.ts';
import type { Call } from '../contracts/call.ts';
import type { Expected } from './body.ts';
import { checkPatchedKind, decodeObject, reasonOf, strictError, warnOf } from './body.ts';
import type { FieldValidation } from './writeOptions.ts';

/**
 * The result of a patch as an object of the endpoint's kind. Throws ApiError 422 with the cause `patch` where it is
 * none; unknown fields and `duplicates`, the names that stood twice in the patch, follow field validation
 * (1/field-validation/3).
 */
export function decodePatched(
  call: Call,
  patched: JsonObject,
  duplicates: readonly string[],
  expected: Expected,
  validation: FieldValidation,
): ApiObject {
  const { exchange, services } = call;
  try {
    if (!expected.decode && !patched.apiVersion && !patched.kind) return nameless(patched, expected, exchange.warnings);
    checkPatchedKind(patched, expected);
    const faults = [...duplicates];
    const object = decodeObject(patched, expected, (unknown) => faults.push(...unknown));
    if (validation === 'Warn') warnOf(faults, exchange.warnings);
    if (validation === 'Strict' && faults.length > 0) {
      const message = strictError(faults);
      throw departs(services.follow, 'strict-patch-status') ? unfit(patched, message) : new StrictRefusal(message);
    }
    return object;
  } catch (error) {
    if (error instanceof StrictRefusal) throw badRequest(error.message);
    if (error instanceof ApiError && error.code === 400) throw unfit(patched, reasonOf(error));
    throw error;
  }
}

/** Keeps a refusal that is a 400 by itself from being worded as a patch that does not fit. */
class StrictRefusal extends Error {}

/** Without apiVersion and kind nothing says what the rest is: it reads as an object without content. */
function nameless(patched: JsonObject, expected: Expected, warnings: WarningSink): ApiObject {
  warnOf(
    Object.keys(patched)
      .sort()
      .map((name) => `unknown field ${JSON.stringify(name)}`),
    warnings,
  );
  return decodeObject({}, expected, () => {});
}

function unfit(patched: JsonObject, why: string): ApiError {
  return invalidObject({ group: '', kind: '' }, '', [invalid(FieldPath.of('patch'), stringify(patched), why)]);
}
