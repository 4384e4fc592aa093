import { Services } from '../services/services.ts';
import type { Hosting } from '../starting/host.ts';
import { hostOf, Places } from '../starting/places.ts';
import type { TargetFile } from '../target/target.ts';
import { CheckRun, type Declaration, isLaborious } from './checkRun.ts';
import { inLane, type Lane, newLane } from './lane.ts';

/** How many checks a process runs side by side: a number. */
export const LANES = 'TOUCHSTONE_LANES';

/** A lane, and what its checks use one after another. */
interface OpenLane {
  readonly lane: Lane;
  readonly services: Services;
  readonly places: Places;
  run: CheckRun | undefined;
}

/**
 * Runs the checks of a process, some of them side by side: while the runner waits for one, those that it will come to next
 * have begun. Code that is warm serves them all, and one that waits holds nobody up. Each lane has servers, services and
 * connections of its own, as if it were a process; what starts servers is one for all.
 */
export class Lanes {
  readonly #declared: readonly Declaration[];
  readonly #process: number;
  readonly #lanes: readonly OpenLane[];
  readonly #host: Hosting | undefined;
  /** Those that were begun and are not asked for yet, by key. */
  readonly #begun = new Map<string, CheckRun>();
  /** Those to begin next. */
  #waiting: Declaration[] = [];

  /**
   * @param declared all checks that the process has loaded, in the order in which they are asked for, at any time
   * @param process another number for each process of a run
   * @param count how many run side by side; a single one begins when it is asked for, and none before
   */
  constructor(declared: readonly Declaration[], file: TargetFile, process: number, count: number) {
    this.#declared = declared;
    this.#process = process;
    this.#host = hostOf(file);
    this.#lanes = Array.from({ length: count }, (_, at) => {
      const lane = newLane();
      return inLane(lane, () => {
        const services = new Services(file.target.callbackHost);
        const places = new Places({ file, worker: process * count + at, services, host: this.#host });
        return { lane, services, places, run: undefined };
      });
    });
  }

  /**
   * The run of a check, which is begun if it is not yet.
   * @throws Error where there is no such check
   */
  async runOf(key: string): Promise<CheckRun> {
    if (!this.#begun.has(key) && !this.#waiting.some((each) => each.key === key)) {
      const at = this.#declared.findIndex((each) => each.key === key);
      if (at === -1) throw new Error(`there is no check ${key}`);
      this.#waiting = this.#declared.slice(at, this.#lanes.length === 1 ? at + 1 : undefined);
    }
    for (;;) {
      this.#fill();
      const run = this.#begun.get(key);
      this.#begun.delete(key);
      if (run) return run;
      await Promise.race(this.#lanes.flatMap(({ run: other }) => other?.over ?? []));
    }
  }

  /** Begins as many checks as there are lanes without one, of those that are laborious one at a time. */
  #fill(): void {
    for (const open of this.#lanes) {
      if (open.run) continue;
      const isTaken = this.#lanes.some(({ run }) => run?.isLaborious);
      const at = this.#waiting.findIndex((each) => !isTaken || !isLaborious(each));
      const [declaration] = at === -1 ? [] : this.#waiting.splice(at, 1);
      if (declaration === undefined) return;
      this.#begun.set(declaration.key, this.#begin(declaration, open));
    }
  }

  #begin(declaration: Declaration, open: OpenLane): CheckRun {
    const { lane, services, places } = open;
    const run = inLane(lane, () => new CheckRun(declaration, { services, places }, this.#process));
    open.run = run;
    void run.over.then(() => {
      open.run = undefined;
      this.#fill();
    });
    return run;
  }

  /** Takes down what is still there; checks that nobody asked for are given up. */
  async close(): Promise<void> {
    this.#waiting = [];
    await Promise.all(this.#lanes.map(async ({ run }) => run?.end()));
    await Promise.all(
      this.#lanes.map(async ({ places, services }) => {
        await places.close();
        await services.close();
      }),
    );
    await this.#host?.close();
  }
}
