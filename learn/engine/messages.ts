import type { Played } from '../played.ts';
import type { Scenario } from '../scenario.ts';

/** A request as it crosses to the worker of the engine. */
export interface TabRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** What the page asks of the worker; `id` comes back with what is said to it. */
export type Asked =
  | {
      readonly kind: 'play';
      readonly id: number;
      readonly scenario: Scenario;
      readonly dialect: string;
      /** Id of the mutant to play it on; undefined: on a sound server. */
      readonly mutant: string | undefined;
    }
  /** Reads a story of YAML, or a sequence that was kept. */
  | { readonly kind: 'read'; readonly id: number; readonly name: string; readonly text: string }
  /** Begins a server to which requests are sent, in place of the last one. */
  | { readonly kind: 'open'; readonly id: number; readonly flags: readonly string[]; readonly tokens: string }
  | { readonly kind: 'advance'; readonly id: number; readonly milliseconds: number }
  | { readonly kind: 'handle'; readonly id: number; readonly request: TabRequest }
  /** Ends the stream that a request was answered with. */
  | { readonly kind: 'cancel'; readonly id: number }
  /** A script that was asked for. */
  | { readonly kind: 'part'; readonly part: string; readonly text: string };

/** What the worker says. */
export type Said =
  | { readonly kind: 'ready' }
  | { readonly kind: 'needs'; readonly part: string }
  | { readonly kind: 'played'; readonly id: number; readonly played: Played }
  | { readonly kind: 'scenario'; readonly id: number; readonly scenario: Scenario }
  | { readonly kind: 'done'; readonly id: number }
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly code: number;
      readonly headers: Readonly<Record<string, string | readonly string[]>>;
      /** Undefined for a stream: frames follow. */
      readonly body: Uint8Array | undefined;
    }
  | { readonly kind: 'frame'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly id: number }
  /** It could not be done; one sentence. */
  | { readonly kind: 'fault'; readonly id: number; readonly sentence: string };
