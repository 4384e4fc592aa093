let count = 0;

/** Notes that this process begins a request to a target. */
export function beginRequest(): void {
  count += 1;
}
/** How many it has begun: what a target asks while the number stays is about the last of them. */
export function requestsBegun(): number {
  return count;
}
