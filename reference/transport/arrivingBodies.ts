import { type Clock, SystemClock } from '../time.ts';

export interface BodyLimits {
  /** Bytes of large bodies that are here, or on their way here, at a time; one finds room alone, whatever its size. */
  readonly most: number;
  /** Milliseconds that a body may take to come before it is given up where others need the room. */
  readonly patience: number;
}

/** Some forty bodies of the largest size. */
export const BODIES: BodyLimits = { most: 128 * 1024 * 1024, patience: 10_000 };

/** Bytes of a body up to which many may come at a time without harm. */
export const COUNTED_BODY = 64 * 1024;

/** A large body, from when there was room for it until its request was answered. */
interface Arriving {
  readonly bytes: number;
  readonly since: number;
  readonly cut: () => void;
  /** Whether all of it has come: from then on the server is waited for, and not the client. */
  whole: boolean;
}

interface Waiting {
  readonly holder: object;
  readonly bytes: number;
  readonly cut: () => void;
  readonly enter: () => void;
}

/**
 * The large bodies of a port, which are bounded in bytes: each is held whole until its request is answered, and a client may
 * begin many and go on with none. Those for which there is no room are not read until there is, in the order in which they
 * came.
 */
export class ArrivingBodies {
  readonly #limits: BodyLimits;
  readonly #clock: Clock;
  readonly #arriving = new Map<object, Arriving>();
  #waiting: Waiting[] = [];
  #bytes = 0;

  constructor(limits: BodyLimits = BODIES, clock: Clock = new SystemClock()) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Makes room for a body, where need be by giving up those that come too slowly.
   * @param holder whose body it is; one has no more than one
   * @param cut gives the body up
   * @returns undefined where there is room, else when there is
   */
  enter(holder: object, bytes: number, cut: () => void): Promise<void> | undefined {
    if (this.#waiting.length === 0 && !this.#fits(bytes)) this.#cutSlow(bytes);
    if (this.#waiting.length === 0 && this.#fits(bytes)) {
      this.#take(holder, bytes, cut);
      return undefined;
    }
    return new Promise((enter) => this.#waiting.push({ holder, bytes, cut, enter }));
  }

  /** All of a body has come. */
  whole(holder: object): void {
    const arriving = this.#arriving.get(holder);
    if (arriving) arriving.whole = true;
  }

  /** Nothing of a body is held any more, and nobody waits for it. Called any number of times, for any holder. */
  leave(holder: object): void {
    const arriving = this.#arriving.get(holder);
    if (arriving) {
      this.#arriving.delete(holder);
      this.#bytes -= arriving.bytes;
    } else if (this.#waiting.length > 0) this.#waiting = this.#waiting.filter((one) => one.holder !== holder);
    this.#next();
  }

  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#limits.most;
  }

  #take(holder: object, bytes: number, cut: () => void): void {
    this.#arriving.set(holder, { bytes, since: this.#clock.elapsed(), cut, whole: false });
    this.#bytes += bytes;
  }

  /** The oldest come first. */
  #cutSlow(bytes: number): void {
    const now = this.#clock.elapsed();
    for (const [holder, { since, whole, cut }] of this.#arriving) {
      if (this.#fits(bytes) || now - since < this.#limits.patience) return;
      if (whole) continue;
      cut();
      this.leave(holder);
    }
  }

  #next(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#take(next.holder, next.bytes, next.cut);
      next.enter();
    }
  }
}
