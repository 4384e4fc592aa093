import { setFlagsFromString } from 'node:v8';

/** By how much old objects grow until the engine looks which of them live, in percent of those; unless told by up to 300. */
const GROWTH = 50;

/**
 * Has the engine look for what is let go of sooner: what lives is small beside what a server lets go of each second. Called
 * when the program is loaded, since the compiled code that is kept beside it is good for the flags of a start.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
