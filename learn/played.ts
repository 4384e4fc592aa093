/** What happened when a scenario was played: all that the page shows. Plain JSON. */
export interface Played {
  readonly scenario: string;
  readonly steps: readonly PlayedStep[];
  /** The mutant that it was played on, and what that one does; absent on a sound server. */
  readonly mutant?: { readonly id: string; readonly sentence: string };
  /** What the story tells and what did not happen, in the order of its steps; empty on a sound server. */
  readonly failed: readonly FailedClaim[];
}
/** Something that a story tells of a step and that did not happen. */
export interface FailedClaim {
  /** Number of the step, from 1. */
  readonly step: number;
  /** Place in the answer: `status`, `body`, `said`, `told`, the name of a header or the path of a member. */
  readonly at: string;
  readonly expected?: unknown;
  readonly found?: unknown;
}
export interface PlayedStep {
  readonly title: string;
  readonly look: string;
  /** Milliseconds that passed before the request. */
  readonly waited: number;
  /** Instant of the virtual clock, ISO. */
  readonly at: string;
  /** As it was sent, with what earlier answers gave filled in. */
  readonly request?: PlayedRequest;
  /** What the scenario or the reader asked for, before it was filled in. */
  readonly asked?: PlayedRequest;
  /** Decisions of the server, in order; see DecisionTold. */
  readonly decisions: readonly DecisionTold[];
  readonly answer?: PlayedAnswer;
  /** The release history of a step that judges one, and what was found of it. */
  readonly history?: string;
  readonly judged?: Judged;
  /** Status that the scenario tells of; absent where the reader changed the request. */
  readonly expect?: number;
  /** What changed in the store, by the request or by controllers after it. */
  readonly changes: readonly StoreChange[];
  readonly revision: { readonly before: number; readonly after: number };
  /** Events that open watches were sent meanwhile. */
  readonly delivered: readonly Delivered[];
  /** Lines for its operator, in the first step those of its start too; absent where it said nothing. */
  readonly said?: readonly string[];
}
export interface PlayedRequest {
  readonly who: string;
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}
export interface PlayedAnswer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for a watch that was opened. */
  readonly body: string;
  readonly stream: boolean;
}
/** A release history held against the deprecation policy. */
export interface Judged {
  /** Whether it keeps every rule. */
  readonly kept: boolean;
  /** Each finding with its rule and what would make it right, and the verdict; or why it is no history. */
  readonly text: string;
}
export interface DecisionTold {
  readonly stage: string;
  readonly by: string;
  readonly outcome: string;
  readonly because: string;
  readonly details?: Readonly<Record<string, unknown>>;
}
export interface StoreChange {
  readonly type: 'put' | 'delete';
  readonly key: string;
  readonly revision: number;
  /** The object as it was stored, as JSON; absent where there was none. */
  readonly before?: string;
  readonly after?: string;
}
export interface Delivered {
  /** Number of the step that opened the watch, from 1. */
  readonly watch: number;
  readonly type: string;
  /** The object, as one line of JSON. */
  readonly object: string;
}
