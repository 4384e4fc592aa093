import { type Annotation, LABORIOUS } from '../../../reports/annotations.ts';
import { LeftOut } from '../endings.ts';
import { type BodyFixtures, FIXTURES, type LaneFixtures } from './checkFixtures.ts';
import type { Attachment, CheckInfo } from './checkInfo.ts';
import { FixtureScope } from './fixtureScope.ts';

export type Body = (cast: BodyFixtures, info: Pick<CheckInfo, 'setTimeout'>) => Promise<void>;

/** A check as it was declared. */
export interface Declaration {
  /** Tells it from all others, whatever becomes of its title: see {@link CheckInfo.key}. */
  readonly key: string;
  readonly title: string;
  readonly annotations: readonly Annotation[];
  readonly body: Body;
}

/** Whether it works all the time, and not for a moment only. */
export const isLaborious = ({ annotations }: Pick<Declaration, 'annotations'>): boolean =>
  annotations.some(({ type }) => type === LABORIOUS);

/** One time that a check is run, with everybody and everything in it, and taken down again. */
export class CheckRun {
  readonly attachments: Attachment[] = [];
  /** Settles when it is over, however it ended. */
  readonly over: Promise<void>;
  readonly isLaborious: boolean;
  readonly #scope: FixtureScope<CheckInfo>;
  readonly #errors: unknown[] = [];
  readonly #began = performance.now();
  #isOver = false;
  #took = 0;
  #time: number | undefined;
  #onTime: ((milliseconds: number) => void) | undefined;

  /** @param given what stands in the place of fixtures, by name */
  constructor(
    { body, ...declared }: Declaration,
    given: LaneFixtures & Readonly<Record<string, unknown>>,
    attempt: number,
  ) {
    const setTimeout = (milliseconds: number) => {
      this.#time = milliseconds;
      this.#onTime?.(milliseconds);
    };
    const info: CheckInfo = { ...declared, attempt, attachments: this.attachments, setTimeout };
    this.#scope = new FixtureScope(FIXTURES, { ...given }, info);
    this.isLaborious = isLaborious(declared);
    this.over = this.#play(body, info);
  }

  async #play(body: Body, info: CheckInfo): Promise<void> {
    try {
      // What there is to tell of a check, and whether it can be begun.
      await this.#scope.get('evidence');
      await body(await this.#scope.cast<BodyFixtures>(body), info);
    } catch (error) {
      this.#errors.push(error);
    }
    await this.end();
  }

  /** Takes down what it made, though its body may be at work yet: then nothing more is waited for. */
  async end(): Promise<void> {
    this.#took ||= performance.now() - this.#began;
    this.#errors.push(...(await this.#scope.close()));
    this.#isOver = true;
  }

  get isOver(): boolean {
    return this.#isOver;
  }
  /** Milliseconds until it was over. */
  get took(): number {
    return this.#took;
  }
  /** What went wrong in it, where that is a fault of ours. */
  get errors(): readonly unknown[] {
    return [...new Set(this.#errors)].filter((error) => !(error instanceof LeftOut));
  }
  /** Why it was left out; undefined where it was not. */
  get leftOut(): string | undefined {
    return this.#errors.find((error) => error instanceof LeftOut)?.message;
  }
  /** Has somebody hear of the time that it asks for, or has asked for. */
  whenAsksForTime(hear: (milliseconds: number) => void): void {
    this.#onTime = hear;
    if (this.#time !== undefined) hear(this.#time);
  }
}
