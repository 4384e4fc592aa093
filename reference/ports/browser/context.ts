/** The values of all contexts where code runs now; never changed, only replaced. */
let current: ReadonlyMap<object, unknown> = new Map();

/** A function that finds the values which there were when it was made. */
export function kept<A extends unknown[], R>(action: (...given: A) => R): (...given: A) => R {
  const then = current;
  return (...given) => {
    const before = current;
    current = then;
    try {
      return action(...given);
    } finally {
      current = before;
    }
  };
}

/**
 * A value that everything sees which a call does, waits included, and nothing beside it. Waits are followed through
 * `Promise.prototype.then`, by which a bundle for browsers has to wait: an `await` of the language goes past it.
 */
export class CallContext<T> {
  run<R>(value: T, call: () => R): R {
    const before = current;
    current = new Map(before).set(this, value);
    try {
      return call();
    } finally {
      current = before;
    }
  }
  /** Undefined outside of every call. */
  get(): T | undefined {
    return current.get(this) as T | undefined;
  }
}

/** What makes calls that see the values which there are here, wherever they are made. */
export function seeingFromHere(): (call: () => void) => void {
  return kept((call: () => void) => call());
}

const { then } = Promise.prototype;
const keptOr = (action: unknown) => (typeof action === 'function' ? kept(action as () => unknown) : action);

Object.defineProperty(Promise.prototype, 'then', {
  configurable: true,
  writable: true,
  value: function (this: Promise<unknown>, fulfilled?: unknown, rejected?: unknown) {
    return Reflect.apply(then, this, [keptOr(fulfilled), keptOr(rejected)]);
  },
});
