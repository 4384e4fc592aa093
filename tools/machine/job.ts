import type { Outcome } from '../../reports/events.ts';

// What a process that puts checks to mutants is asked, and what it tells.

/** What a judge is told with its first message. */
export interface JudgeSettings {
  /** Path of the bundle of the reference. */
  readonly bundle: string;
  /** How many mutants are in it. */
  readonly mutants: number;
  readonly root: string;
}
/** Puts checks to mutants, one after another. */
export interface Job {
  /** Numbers of those that are in force side by side, on a server of their own; none: the sound reference. */
  readonly mutants: readonly number[];
  readonly checks: readonly string[];
  /** Milliseconds that each of the checks may take. */
  readonly within: Readonly<Record<string, number>>;
  /** Milliseconds after which no further check is put to it. */
  readonly patience: number;
  /** After which check to stop: one that fails, or one that comes to anything but what it came to of the sound reference. */
  readonly until: 'failure' | 'departure' | 'end';
}
export type FromJudge =
  /** Told again and again, as long as nothing keeps the process from it. */
  | { readonly type: 'alive' }
  | { readonly type: 'ready'; readonly checks: readonly { readonly id: string }[] }
  | { readonly type: 'begun'; readonly met: readonly number[] }
  | { readonly type: 'checking'; readonly check: string }
  | CheckTold
  | {
      readonly type: 'over';
      readonly died?: string;
      /** Whether there was a server that could be asked. */
      readonly started: boolean;
      /** A check that did not end may still be at work in here, beside whatever comes next. */
      readonly spoiled: boolean;
    };
export interface CheckTold {
  readonly type: 'checked';
  readonly check: string;
  readonly outcome: Outcome;
  /** The sentence that did not hold, or why there is no verdict. */
  readonly because: string;
  readonly milliseconds: number;
  /** What was met in the reference meanwhile; of mutants that are in force, those that ran. */
  readonly met: readonly number[];
}

/** How often a judge tells that it is alive, in milliseconds. */
export const ALIVE_EVERY = 2_000;

/** What every check of a job may take, where they may all take as long. */
export const eachWithin = (checks: readonly string[], milliseconds: number): Job['within'] =>
  Object.fromEntries(checks.map((check) => [check, milliseconds]));

/** Whether it passed, as every check does that may judge. */
export const isPass = ({ outcome }: Pick<CheckTold, 'outcome'>): boolean => outcome === 'pass' || outcome === 'warn';
