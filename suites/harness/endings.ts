import { currentEvidence } from './evidence.ts';

/** Thrown to end a check early; why it ends is in the evidence before this is thrown. */
export class Ending extends Error {
  override readonly name = 'Ending';
}
/** An assertion of level MUST that does not hold. */
export class AssertionFailed extends Error {
  override readonly name = 'AssertionFailed';
}

/** Thrown before a check begins that there is no need for. */
export class LeftOut extends Error {
  override readonly name = 'LeftOut';
}

/** Whether something that was thrown ends a check as it should end; anything else is a fault of ours. */
export function endsCheck(error: unknown): boolean {
  return error instanceof Ending || error instanceof AssertionFailed;
}

/**
 * Ends the check: the target does not offer what it needs. `reason` is a clause, such as "no second identity was
 * given", because a reader of the report must be able to tell a server that misbehaves from a check that could not look.
 */
export function unsupported(reason: string): never {
  currentEvidence().end('unsupported', reason);
  throw new Ending(`unsupported: ${reason}`);
}

/** Ends the check without a verdict: its preparation failed, or what it waits for need not happen. */
export function inconclusive(reason: string): never {
  currentEvidence().end('inconclusive', reason);
  throw new Ending(`inconclusive: ${reason}`);
}
