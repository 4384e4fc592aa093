import { isRecord } from '../suites/harness/json.ts';
import type { Step } from '../suites/sequences/step.ts';
import type { Cause } from './cause.ts';

const FORMAT = 'touchstone.sequence/1';

/** A difference as it is kept, to be read and played again. */
export interface KeptDifference {
  readonly format: typeof FORMAT;
  readonly about: string;
  readonly cause: string;
  /** How the two servers are named on the command line, without secrets. */
  readonly servers: readonly [string, string];
  readonly steps: readonly Step[];
}

export const keptDifference = (
  { sentence, name, shown }: Cause,
  servers: readonly [string, string],
): KeptDifference => ({
  format: FORMAT,
  about: sentence,
  cause: name,
  servers,
  steps: shown.steps,
});

/** Whether a document is a kept difference. */
export function isKeptDifference(value: unknown): value is KeptDifference {
  return (
    isRecord(value) &&
    value.format === FORMAT &&
    Array.isArray(value.steps) &&
    Array.isArray(value.servers) &&
    value.servers.length === 2
  );
}
