import { EventEmitter } from 'node:events';

/** What is still under way when its time is over ends with this. */
class TimedOut extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * Gives a request up when its time is over. It stands where a signal of the platform could, and is gone once it is
 * called off; that of the platform lives on, and makes its error, long after the answer has come.
 */
export class Deadline extends EventEmitter {
  #timer: NodeJS.Timeout | undefined;

  /**
   * Begins, or begins anew where a request is sent once more.
   * @param within milliseconds
   */
  begin(within: number): this {
    this.callOff();
    this.#timer = setTimeout(() => this.emit('abort'), within).unref();
    return this;
  }
  /** Read by whoever is told to give up. */
  get reason(): Error {
    return new TimedOut('the time was over');
  }
  callOff(): void {
    clearTimeout(this.#timer);
  }
}
