import { setFlagsFromString } from 'node:v8';

/** Bytes of bytecode that a function runs between two looks at whether it is worth optimizing; 66 KiB unless told. */
const BUDGET = 300_000;

/**
 * What has the engine optimize only what runs for long, on the command line of a process that lives for one run of checks.
 * Such a process does many different things a few times each: by itself the engine of Node 20 spends a quarter of the
 * processor time on making code fast that hardly runs any more when it is ready. Later engines count otherwise, have a
 * compiler in between, and are left as they are.
 */
export const OPTIMIZING_LATE: readonly string[] = process.versions.v8.startsWith('11.')
  ? [`--interrupt-budget=${BUDGET}`]
  : [];

/** The same for the process that calls it. */
export function optimizeLate(): void {
  for (const flag of OPTIMIZING_LATE) setFlagsFromString(flag);
}
