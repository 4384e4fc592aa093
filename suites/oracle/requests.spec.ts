import { aside, check, Ending, inconclusive, match, must, tellShortest, unsupported } from '../harness/index.ts';
import { Generator } from '../sequences/generate.ts';
import { keepSequence } from '../sequences/keptSequence.ts';
import { play } from '../sequences/play.ts';
import { shortest } from '../sequences/shrink.ts';
import { type Step, wordsOf } from '../sequences/step.ts';
import { determinedDifferences, determinedIn } from './determined.ts';
import { ReferenceSide } from './referenceSide.ts';
import { TargetSide } from './targetSide.ts';

/** What users with rights write and read; watches and the surface of a server have checks of their own. */
const AREAS = ['objects', 'collections', 'escalation', 'access', 'impersonation', 'aggregation'];
/** Sequences tried, of which so many at a time, and times that shortening one plays it. */
const SEQUENCES = 12;
const AT_A_TIME = 4;
const CUTS = 40;

check(
  'REQUEST-SEQUENCE-01.1',
  'users with different rights ask anything as chance has it → each answer and each object is as in the reference',
  ['REQUEST-SEQUENCE-01'],
  async ({ admin, nobody, space, dialect, seed, output }) => {
    const target = new TargetSide(admin, nobody);
    const reference = await startReference(dialect.name);
    let plays = 0;
    /** The first thing in which the two differ that the text determines. */
    const differ = async (steps: readonly Step[], patient: boolean): Promise<string | undefined> => {
      const id = `${space.prefix}-${(plays++).toString(36).padStart(3, '0')}`;
      const [first, second] = await Promise.all([play(reference, id, steps), play(target, id, steps, patient)]);
      const [found] = determinedDifferences(steps, first, second);
      return (
        found &&
        `${wordsOf(steps[found.step] as Step)}: ${found.what} ${found.path}: ${JSON.stringify(found.second)}, wanted ${JSON.stringify(found.first)}`
      );
    };
    try {
      const failing = await aside(async () => {
        const generator = new Generator(String(seed), AREAS);
        const all = Array.from({ length: SEQUENCES }, (_, at) => determinedIn(generator.sequence(at)).steps);
        const suspects: (readonly Step[])[] = [];
        for (let at = 0; at < all.length && suspects.length === 0; at += AT_A_TIME) {
          const some = all.slice(at, at + AT_A_TIME);
          const told = await Promise.all(some.map((steps) => differ(steps, false)));
          suspects.push(...some.filter((_, index) => told[index] !== undefined));
        }
        for (const steps of suspects) {
          // A server may show a change a moment later.
          if ((await differ(steps, true)) === undefined) continue;
          return shortest(steps, async (shorter) => (await differ(shorter, true)) !== undefined, CUTS);
        }
        return undefined;
      });
      // Of what was tried only the shortest sequence that fails is told.
      const disagreement = failing && (await differ(failing, true));
      if (failing && disagreement === undefined) inconclusive('a difference did not show again');
      const kept =
        disagreement && failing && output
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
  },
);

async function startReference(dialect: string): Promise<ReferenceSide> {
  try {
    return await ReferenceSide.start('the reference', [`--dialect=${dialect}`]);
  } catch (error) {
    if (error instanceof Ending) throw error;
    return unsupported(`the reference has no dialect ${dialect} to compare with`);
  }
}
