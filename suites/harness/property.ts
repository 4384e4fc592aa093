import fc from 'fast-check';
import { Ending, inconclusive } from './endings.ts';
import { aside } from './evidence.ts';

/** Samples tried unless told, and milliseconds after which no further one is begun. */
const RUNS = 12;
const TIME = 15_000;

/**
 * Holds a law against samples chosen by chance. What is tried is not told; the smallest sample that breaks the law
 * is told step by step, or the last one where none does.
 *
 * @param law asserts with `must`. It gets a name that is its own for objects, since samples must not meet.
 */
export async function holds<Sample>(
  seed: number,
  samples: fc.Arbitrary<Sample>,
  law: (sample: Sample, name: string) => Promise<void>,
  runs: number = RUNS,
): Promise<void> {
  let tried = 0;
  let last: Sample | undefined;
  const next = (sample: Sample) => {
    tried += 1;
    last = sample;
    return law(sample, `sample-${tried}`);
  };
  const details = await aside(() =>
    fc.check(fc.asyncProperty(samples, next), { seed, numRuns: runs, interruptAfterTimeLimit: TIME }),
  );
  if (details.errorInstance instanceof Ending) throw details.errorInstance;
  const told = details.counterexample?.[0] ?? last;
  if (told === undefined) return inconclusive('no sample could be tried in time');
  await next(told);
  // Told again it may hold, if what went wrong does not always go wrong: the law is broken all the same.
  if (details.failed && details.counterexample) throw details.errorInstance;
}
