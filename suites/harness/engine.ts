import { setFlagsFromString } from 'node:v8';

/** Bytes of bytecode that a function runs between two looks at whether it is worth optimizing; 66 KiB unless told. */
const BUDGET = 1_000_000;

/**
 * Has the engine optimize only what runs for long. A process that lives for one run of checks does many different things
 * a few times each: by itself the engine of Node 20 spends a quarter of the processor time on making code fast that hardly
 * runs any more when it is ready. Later engines count otherwise, have a compiler in between, and are left as they are.
 */
export function optimizeLate(): void {
  if (process.versions.v8.startsWith('11.')) setFlagsFromString(`--interrupt-budget=${BUDGET}`);
}
