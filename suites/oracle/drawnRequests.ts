import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { type Actor, aside, Ending, inconclusive, match, must, tellShortest, unsupported } from '../harness/index.ts';
import type { SeenDifference } from '../sequences/compare.ts';
import { decidedBy } from '../sequences/deciding.ts';
import { Generator } from '../sequences/generate.ts';
import { keepSequence } from '../sequences/keptSequence.ts';
import { play } from '../sequences/play.ts';
import { shortest } from '../sequences/shrink.ts';
import { partsOf, type Sequence, type Step, wordsOf } from '../sequences/step.ts';
import { crossedDifferences } from './crossedDifferences.ts';
import { determinedDifferences, determinedIn } from './determined.ts';
import { ReferenceSide } from './referenceSide.ts';
import { TargetSide } from './targetSide.ts';
import type { WebhookWords } from './webhookByName.ts';

/** Sequences tried at a time, and times that shortening one plays it. */
const AT_A_TIME = 4;
const CUTS = 40;
/** Milliseconds after which no further sequence is begun, and after which none is cut any shorter. */
const DRAWING = 20_000;
const CUTTING = 35_000;

/** How what is drawn is judged. */
export interface Judgement {
  /** A sequence without the steps of which the outcome is open. */
  readonly keep: (sequence: Sequence) => Sequence;
  /** Where two servers differ in what the text determines. */
  readonly differences: typeof determinedDifferences;
}
/** Of any sequence, what the text determines. */
const FILTERED: Judgement = { keep: determinedIn, differences: determinedDifferences };
/** Of sequences in which nothing is open. */
export const WHOLE: Judgement = { keep: (sequence) => sequence, differences: crossedDifferences };

/** What is drawn, and what of it counts. */
export interface Drawn {
  readonly areas: readonly string[];
  readonly sequences: number;
  /** What steps may name as a webhook, where areas need one; such sequences cannot be played again from a file. */
  readonly webhook?: WebhookWords;
  /** Whether a difference that the text determines counts; all do unless told. */
  readonly counts?: (difference: SeenDifference) => boolean;
  /** {@link FILTERED} unless told. */
  readonly judgement?: Judgement;
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
  { areas, sequences, webhook, counts = () => true, judgement = FILTERED }: Drawn,
): Promise<void> {
  const target = new TargetSide(admin, nobody);
  const reference = await startReference(dialect.name, webhook === undefined);
  let plays = 0;
  const began = performance.now();
  const before = (time: number) => performance.now() - began < time;
  /** The first thing in which the two differ that the text determines. */
  const differ = async (steps: readonly Step[], patient: boolean): Promise<string | undefined> => {
    const id = `${space.prefix}-${(plays++).toString(36).padStart(3, '0')}`;
    const [first, second] = await Promise.all([
      play(reference, id, steps, false, webhook),
      play(target, id, steps, patient, webhook),
    ]);
    const found = judgement.differences(steps, first, second).find(counts);
    return found && told(steps[found.step] as Step, found);
  };
  try {
    const failing = await aside(async () => {
      const generator = new Generator(String(seed), areas);
      const cbor = await speaksCbor(target);
      const all = Array.from({ length: sequences }, (_, at) =>
        judgement.keep(generator.sequence(at)).steps.filter((step) => cbor || !isInCbor(step)),
      );
      const suspects: (readonly Step[])[] = [];
      for (let at = 0; at < all.length && suspects.length === 0 && (at === 0 || before(DRAWING)); at += AT_A_TIME) {
        const some = all.slice(at, at + AT_A_TIME);
        const told = await Promise.all(some.map((steps) => differ(steps, false)));
        suspects.push(...some.filter((_, index) => told[index] !== undefined));
      }
      for (const steps of suspects) {
        // A server may show a change a moment later.
        if ((await differ(steps, true)) === undefined) continue;
        // Patience takes long: what was cut without it is confirmed with it.
        const fails = async (parts: readonly (readonly Step[])[]) =>
          before(CUTTING) && (await differ(parts.flat(), false)) !== undefined;
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

/** What differs, and the requirement that it is about. */
function told(step: Step, difference: SeenDifference): string {
  const { what, path, first, second } = difference;
  const about = decidedBy({ step, difference });
  const words = `${wordsOf(step)}: ${what} ${path}: ${JSON.stringify(second)}, wanted ${JSON.stringify(first)}`;
  return about === undefined ? words : `${words} (${about})`;
}

/** Whether the target reads and writes CBOR, which it may do without. */
async function speaksCbor(target: TargetSide): Promise<boolean> {
  const headers = { accept: 'application/cbor' };
  const { status } = await target.ask({ method: 'GET', path: '/api/v1', headers, body: undefined, admin: true });
  return status === 200;
}
function isInCbor({ form, headers = {} }: Step): boolean {
  return form === 'cbor' || Object.values(headers).some((value) => value.includes('cbor'));
}

async function startReference(dialect: string, helped: boolean): Promise<ReferenceSide> {
  try {
    return await ReferenceSide.start('the reference', [`--dialect=${dialect}`], { helped });
  } catch (error) {
    if (error instanceof Ending) throw error;
    return unsupported(`the reference has no dialect ${dialect} to compare with`);
  }
}
