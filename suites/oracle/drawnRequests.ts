import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { type Actor, aside, Ending, inconclusive, match, must, tellShortest, unsupported } from '../harness/index.ts';
import type { SeenDifference } from '../sequences/compare.ts';
import { Generator } from '../sequences/generate.ts';
import { keepSequence } from '../sequences/keptSequence.ts';
import { play } from '../sequences/play.ts';
import { shortest } from '../sequences/shrink.ts';
import { partsOf, type Step, type Words, wordsOf } from '../sequences/step.ts';
import { determinedDifferences, determinedIn } from './determined.ts';
import { ReferenceSide } from './referenceSide.ts';
import { TargetSide } from './targetSide.ts';

/** Sequences tried at a time, and times that shortening one plays it. */
const AT_A_TIME = 4;
const CUTS = 40;

/** What is drawn, and what of it counts. */
export interface Drawn {
  readonly areas: readonly string[];
  readonly sequences: number;
  /** What steps may name as a webhook, where areas need one; such sequences cannot be played again from a file. */
  readonly webhook?: Required<Pick<Words, 'hook' | 'ca'>>;
  /** Whether a difference that the text determines counts; all do unless told. */
  readonly counts?: (difference: SeenDifference) => boolean;
}

/** Of what a check is given: what sequences are played with. */
export interface Parts {
  readonly admin: Actor;
  readonly nobody: Actor;
  readonly space: Actor['space'];
  readonly dialect: Dialect;
  readonly seed: number;
  readonly output: string | undefined;
}

/** Puts drawn sequences to the target and to the reference: what the text determines has to be the same. */
export async function judgeDrawn(
  { admin, nobody, space, dialect, seed, output }: Parts,
  { areas, sequences, webhook, counts = () => true }: Drawn,
): Promise<void> {
  const target = new TargetSide(admin, nobody);
  const reference = await startReference(dialect.name, webhook === undefined);
  let plays = 0;
  /** The first thing in which the two differ that the text determines. */
  const differ = async (steps: readonly Step[], patient: boolean): Promise<string | undefined> => {
    const id = `${space.prefix}-${(plays++).toString(36).padStart(3, '0')}`;
    const [first, second] = await Promise.all([
      play(reference, id, steps, false, webhook),
      play(target, id, steps, patient, webhook),
    ]);
    const found = determinedDifferences(steps, first, second).find(counts);
    return (
      found &&
      `${wordsOf(steps[found.step] as Step)}: ${found.what} ${found.path}: ${JSON.stringify(found.second)}, wanted ${JSON.stringify(found.first)}`
    );
  };
  try {
    const failing = await aside(async () => {
      const generator = new Generator(String(seed), areas);
      const all = Array.from({ length: sequences }, (_, at) => determinedIn(generator.sequence(at)).steps);
      const suspects: (readonly Step[])[] = [];
      for (let at = 0; at < all.length && suspects.length === 0; at += AT_A_TIME) {
        const some = all.slice(at, at + AT_A_TIME);
        const told = await Promise.all(some.map((steps) => differ(steps, false)));
        suspects.push(...some.filter((_, index) => told[index] !== undefined));
      }
      for (const steps of suspects) {
        // A server may show a change a moment later.
        if ((await differ(steps, true)) === undefined) continue;
        // Patience takes long: what was cut without it is confirmed with it.
        const fails = async (parts: readonly (readonly Step[])[]) => (await differ(parts.flat(), false)) !== undefined;
        const short = (await shortest(partsOf(steps), fails, CUTS)).flat();
        return (await differ(short, true)) === undefined ? steps : short;
      }
      return undefined;
    });
    // Of what was tried only the shortest sequence that fails is told.
    const disagreement = failing && (await differ(failing, true));
    if (failing && disagreement === undefined) inconclusive('a difference did not show again');
    const kept =
      disagreement && failing && output && !webhook
        ? keepSequence(output, 'replay-requests', { about: disagreement, steps: failing })
        : undefined;
    if (disagreement && failing) tellShortest(failing.map(wordsOf), kept);
    must(
      `no sequence made a difference${kept === undefined ? '' : ` (it is kept in ${kept})`}`,
      disagreement,
      match.absent,
    );
  } finally {
    await reference.close();
  }
}

async function startReference(dialect: string, helped: boolean): Promise<ReferenceSide> {
  try {
    return await ReferenceSide.start('the reference', [`--dialect=${dialect}`], { helped });
  } catch (error) {
    if (error instanceof Ending) throw error;
    return unsupported(`the reference has no dialect ${dialect} to compare with`);
  }
}
