import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Where checks of one process run one after another, while those of other lanes run beside them. What would be one for
 * all of a process is one for each lane: it hangs on the chain of calls, and on servers and connections that a lane opened.
 */
export interface Lane {
  readonly lane: true;
}

const lanes = new AsyncLocalStorage<Lane>();

export function newLane(): Lane {
  return { lane: true };
}

/** What runs outside of any lane, as tests of the harness do. */
const outside = newLane();

/** Runs `action`, and all that it begins, in a lane. */
export function inLane<T>(lane: Lane, action: () => T): T {
  return lanes.run(lane, action);
}

/** What `make` makes, once for each lane, when it is first asked for there. */
export function onePerLane<T extends object>(make: () => T): () => T {
  const made = new WeakMap<Lane, T>();
  return () => {
    const lane = lanes.getStore() ?? outside;
    let known = made.get(lane);
    if (known === undefined) {
      known = make();
      made.set(lane, known);
    }
    return known;
  };
}
