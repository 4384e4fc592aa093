import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';

/** A value that everything sees which a call does, waits included, and nothing beside it. */
export class CallContext<T> {
  readonly #storage = new AsyncLocalStorage<T>();

  run<R>(value: T, call: () => R): R {
    return this.#storage.run(value, call);
  }
  /** Undefined outside of every call. */
  get(): T | undefined {
    return this.#storage.getStore();
  }
}

/** What makes calls that see the values which there are here, wherever they are made. */
export function seeingFromHere(): (call: () => void) => void {
  const here = new AsyncResource('touchstone');
  return (call) => here.runInAsyncScope(call);
}
