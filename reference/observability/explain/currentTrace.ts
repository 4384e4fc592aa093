import type { DecisionTrace } from '../../api/request.ts';
import { CallContext } from '../../ports/context.ts';

const traces = new CallContext<DecisionTrace>();

/** Runs what answers a request; all that it comes to on the way finds the trace by {@link currentTrace}. */
export function tracing<T>(trace: DecisionTrace, run: () => T): T {
  return traces.run(trace, run);
}

/**
 * The trace of the request that is being answered, for parts that are not handed the request itself: authenticators of
 * tokens, authorizers. Undefined outside of any request that is traced.
 */
export function currentTrace(): DecisionTrace | undefined {
  return traces.get();
}
