import { isObject, type JsonObject } from '../../api/json.ts';
import { numberOf, textOf } from '../../api/parts.ts';
import { ApiError, badRequest, type StatusDetails, type StatusReason } from '../../api/status.ts';

/** A hook could not be asked, or its answer is none: what its failure policy decides about. */
export class HookFault extends Error {
  constructor(hook: string, why: string) {
    super(`failed calling webhook ${JSON.stringify(hook)}: ${why}`);
    this.name = 'HookFault';
  }
}

/** A dry run must not reach a hook that may change something elsewhere (1/dry-run/3). */
export function noDryRun(hook: string): ApiError {
  return badRequest(`admission webhook ${JSON.stringify(hook)} does not support dry run`);
}

/** The longest status code that HTTP can carry is 999; beyond, an answer is a server's own fault. */
const HIGHEST_CODE = 999;

/** A refusal as the hook worded it: its status, which at least says that the request failed. */
export class HookRefusal extends ApiError {
  readonly #status: JsonObject;

  /** @param status of the hook's answer; undefined where it gave none */
  constructor(hook: string, status: JsonObject | undefined) {
    const given = status ?? {};
    const code = numberOf(given.code) ?? 0;
    const reason = textOf(given.reason);
    const details = isObject(given.details) ? (given.details as StatusDetails) : undefined;
    super(
      code < 400 ? 400 : code > HIGHEST_CODE ? 500 : code,
      reason as StatusReason,
      refusal(hook, textOf(given.message), reason),
      details,
    );
    this.#status = given;
  }

  override toStatus(): ReturnType<ApiError['toStatus']> {
    const { metadata, status } = this.#status;
    const own = super.toStatus();
    const word = textOf(status);
    return {
      ...own,
      metadata: isObject(metadata) ? metadata : {},
      status: (word === '' || word === 'Success' ? 'Failure' : word) as 'Failure',
    };
  }
}

function refusal(hook: string, message: string, reason: string): string {
  const denied = `admission webhook ${JSON.stringify(hook)} denied the request`;
  if (message !== '') return `${denied}: ${message}`;
  return reason === '' ? `${denied} without explanation` : `${denied}: ${reason}`;
}
