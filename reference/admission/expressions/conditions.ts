import type { Awaitable } from '../../api/awaitable.ts';
import type { User } from '../../api/identity.ts';
import type { JsonObject } from '../../api/json.ts';
import type { AdmissionTarget } from '../matching/target.ts';

/** A condition of a hook or of a policy. */
export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** What match conditions are judged by (1/validatingwebhookconfiguration/p4). */
export interface ConditionVariables {
  /** Null for DELETE. */
  readonly object: JsonObject | null;
  /** Null for CREATE. */
  readonly oldObject: JsonObject | null;
  /** The admission request without its objects and its uid. */
  readonly request: JsonObject;
  /** Parameters of a policy; null or undefined where there are none. */
  readonly params?: JsonObject | null;
  /** Whom `authorizer` asks for, and what `authorizer.requestResource` is about. */
  readonly user: User;
  readonly resource: AdmissionTarget;
  /** Name of the object; may be empty. */
  readonly name: string;
}

/**
 * `skip`: one condition is FALSE, whatever became of the others. `match`: all are TRUE. Else what went wrong, as the
 * client is told.
 */
export type ConditionOutcome = 'match' | 'skip' | { readonly error: string };

/** Judges the conditions of one hook, all of them. */
export interface MatchConditions {
  evaluate(conditions: readonly MatchCondition[], variables: ConditionVariables): Awaitable<ConditionOutcome>;
}
