import { type Clock, SystemClock } from '../time.ts';

export interface UnreadLimits {
  /** Bytes of answers that may wait for their readers at a time; one answer finds room alone, whatever its size. */
  readonly most: number;
  /** Milliseconds without anything taken after which a reader is given up where others need the room. */
  readonly patience: number;
}

/** Some hundred lists; what sockets encrypt ahead comes on top, at most as much again. */
export const UNREAD: UnreadLimits = { most: 256 * 1024 * 1024, patience: 10_000 };

/** An answer, until its last byte has left or its connection has gone. */
export class Unread {
  /** When its reader last took some of it. */
  moved: number;
  left: number;
  readonly cut: () => void;
  readonly #answers: UnreadAnswers;

  constructor(answers: UnreadAnswers, now: number, bytes: number, cut: () => void) {
    this.#answers = answers;
    this.moved = now;
    this.left = bytes;
    this.cut = cut;
  }
  /** Some bytes of it have left. */
  took(bytes: number): void {
    this.#answers.took(this, bytes);
  }
  /** Called any number of times. */
  over(): void {
    this.#answers.over(this);
  }
}

/** The answers of a port that are made and not read yet, which are bounded in bytes: a client may ask and never read. */
export class UnreadAnswers {
  readonly #limits: UnreadLimits;
  readonly #clock: Clock;
  readonly #answers = new Set<Unread>();
  #bytes = 0;

  constructor(limits: UnreadLimits = UNREAD, clock: Clock = new SystemClock()) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Makes room for an answer, where need be by cutting off readers that took nothing for a while.
   * @param cut ends the answer at once
   * @returns undefined where there is no room
   */
  enter(bytes: number, cut: () => void): Unread | undefined {
    const now = this.#clock.elapsed();
    if (!this.#fits(bytes)) this.#cutStalled(bytes, now);
    if (!this.#fits(bytes)) return undefined;
    const unread = new Unread(this, now, bytes, cut);
    this.#answers.add(unread);
    this.#bytes += bytes;
    return unread;
  }

  took(unread: Unread, bytes: number): void {
    if (!this.#answers.has(unread)) return;
    unread.moved = this.#clock.elapsed();
    unread.left -= bytes;
    this.#bytes -= bytes;
  }
  over(unread: Unread): void {
    if (this.#answers.delete(unread)) this.#bytes -= unread.left;
  }

  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#limits.most;
  }

  #cutStalled(bytes: number, now: number): void {
    for (const unread of this.#answers) {
      if (this.#fits(bytes)) return;
      if (now - unread.moved < this.#limits.patience) continue;
      this.over(unread);
      unread.cut();
    }
  }
}
