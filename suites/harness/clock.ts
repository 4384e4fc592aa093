import type { Client } from './client/client.ts';
import { inconclusive, unsupported } from './endings.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;

/** The clock of the target, for checks that need `virtual-clock`. */
export class TargetClock {
  readonly #control: Client | undefined;

  /** @param control a client of the control port; `undefined` where the target has none. */
  constructor(control: Client | undefined) {
    this.#control = control;
  }

  /** Sets it ahead; what falls due on the way has been done when this returns. */
  async advance(milliseconds: number): Promise<void> {
    if (!this.#control) unsupported('the target has no clock that can be set ahead');
    const words = `the clock is set ahead by ${milliseconds / SECOND} seconds`;
    const answer = await this.#control.send(words, 'POST', '/clock/advance', { body: { milliseconds } });
    if (!answer.succeeded) inconclusive(`the clock could not be set ahead: ${answer.failure ?? answer.status}`);
  }
}
