import { onePerLane } from '../running/lane.ts';

const begun = onePerLane(() => ({ count: 0 }));

/** Notes that the check begins a request to a target. */
export function beginRequest(): void {
  begun().count += 1;
}
/** How many its lane has begun: what a target asks while the number stays is about the last of them. */
export function requestsBegun(): number {
  return begun().count;
}
