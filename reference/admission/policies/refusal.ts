import { ApiError, forbidden, type StatusReason } from '../../api/status.ts';
import type { AdmissionAttributes } from '../../contracts/admission.ts';

/** Why a policy refuses a request. */
export interface Refusal {
  /** The type of the policy; validating ones unless told. */
  readonly kind?: string;
  readonly policy: string;
  /** Undefined where no binding came into it. */
  readonly binding: string | undefined;
  readonly message: string;
  /** Empty: the one of invalid objects. */
  readonly reason: string;
}

const CODES: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

/** The answer to a request that a policy refuses. */
export function refused(
  { kind = 'ValidatingAdmissionPolicy', policy, binding, message, reason }: Refusal,
  attributes: AdmissionAttributes,
): ApiError {
  const { endpoint, name, object } = attributes;
  const by = binding === undefined ? '' : ` with binding '${binding}'`;
  const words = `${kind} '${policy}'${by} denied request: ${message}`;
  const shown = object?.metadata?.name || object?.metadata?.generateName || name || 'Unknown';
  const { details, message: whole } = forbidden(endpoint.type, shown, words);
  const told = reason || 'Invalid';
  return new ApiError(CODES[told] ?? 422, told as StatusReason, whole, { ...details, causes: [{ message: words }] });
}
