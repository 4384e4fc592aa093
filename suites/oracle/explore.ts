import fc, { type AsyncCommand } from 'fast-check';
import { Ending } from '../harness/index.ts';
import { type Step, stepsOf } from './command.ts';
import { COMMANDS, commandOf } from './commands/index.ts';
import type { Memory } from './memory.ts';
import type { OracleRun } from './oracleRun.ts';

/** Sequences tried, steps of each, and milliseconds after which no further one is begun. */
const RUNS = 15;
const STEPS = 32;
const TIME = 20_000;
/** Sequences played in all, those of shrinking included: each takes a namespace of somebody's server. */
const STAGES = 200;

/** As much of a stage as trying needs. */
export type Playable = Pick<OracleRun, 'memory' | 'played' | 'play'>;

/** A step in the form in which fast-check plays and shrinks it. */
class Played implements AsyncCommand<Memory, Playable> {
  readonly #step: Step;
  constructor(step: Step) {
    this.#step = step;
  }
  check(memory: Readonly<Memory>): boolean {
    return commandOf(this.#step).settled?.(this.#step, memory as Memory) ?? true;
  }
  run(_: Memory, stage: Playable): Promise<void> {
    return stage.play(this.#step);
  }
  toString(): string {
    return commandOf(this.#step).words(this.#step);
  }
}

/** What came of trying sequences. */
export interface Explored {
  /** The shortest sequence found on which target and oracle disagree, or the longest on which they agree. */
  readonly steps: readonly Step[];
  /** The sentence in which they disagree. */
  readonly disagreement: string | undefined;
  /** Sequences that were played to their end. */
  readonly runs: number;
}

/**
 * Tries sequences chosen by chance, each on a stage of its own, and shrinks the first that fails.
 * In: the seed, and how to set a stage. Throws what setting a stage throws.
 */
export async function explore(seed: number, setStage: () => Promise<Playable>): Promise<Explored> {
  let stages = 0;
  let longest: readonly Step[] = [];
  let failing: readonly Step[] = [];
  const sequences = fc.commands(
    COMMANDS.map((command) => stepsOf(command).map((step) => new Played(step))),
    { maxCommands: STEPS, size: 'max' },
  );
  const property = fc.asyncProperty(sequences, async (commands) => {
    stages += 1;
    fc.pre(stages <= STAGES);
    const stage = await setStage();
    try {
      await fc.asyncModelRun(() => ({ model: stage.memory, real: stage }), commands);
    } catch (error) {
      failing = stage.played;
      throw error;
    }
    if (stage.played.length > longest.length) longest = stage.played;
  });
  const details = await fc.check(property, { seed, numRuns: RUNS, interruptAfterTimeLimit: TIME });
  if (!details.failed) return { steps: longest, disagreement: undefined, runs: details.numRuns };
  if (details.counterexample === null) return { steps: longest, disagreement: undefined, runs: 0 };
  const { errorInstance } = details;
  if (errorInstance instanceof Ending) throw errorInstance;
  const disagreement = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return { steps: failing, disagreement, runs: details.numRuns };
}
