import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import { NEWEST_RELEASE, OLDEST_RELEASE } from '../../fixtures/releases/lifecycles.ts';
import {
  type Actor,
  aside,
  Ending,
  inconclusive,
  lacking,
  match,
  minorOf,
  must,
  type Target,
  tellShortest,
  unsupported,
} from '../harness/index.ts';
import { requirementsOf } from '../sequences/about.ts';
import type { SeenDifference } from '../sequences/compare.ts';
import { Generator } from '../sequences/generate.ts';
import { keepSequence } from '../sequences/keptSequence.ts';
import { impatient, patient, play } from '../sequences/play.ts';
import { shortest } from '../sequences/shrink.ts';
import { simplest } from '../sequences/simplest.ts';
import { atItsVersion, partsOf, type Sequence, type Step, wordsOf } from '../sequences/step.ts';
import { crossedDifferences } from './crossedDifferences.ts';
import { determinedDifferences, determinedIn } from './determined.ts';
import { ReferenceSide } from './referenceSide.ts';
import { TargetSide } from './targetSide.ts';
import type { WebhookWords } from './webhookByName.ts';

/** Sequences tried at a time, and times that shortening one, and its last request, plays it. */
const AT_A_TIME = 4;
const CUTS = 40;
const TAKINGS = 45;
/** Milliseconds after which no further sequence is begun, drawn or covering, and for which one is cut shorter. */
const DRAWING = 20_000;
const COVERING = 90_000;
const CUTTING = 20_000;
/** How many writes before a difference the target is given time after, and at how many places. */
const WRITES_BEFORE = 3;
const PLACES = 6;

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
  /** Sequences that come first and are all played; where a target is too slow for that, nothing can be said of it. */
  readonly covering?: (isCborSpoken: boolean) => readonly Sequence[];
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

/** The first thing in which target and reference differ after some steps that the text determines. */
interface Found {
  readonly steps: readonly Step[];
  readonly difference: SeenDifference;
  /** All in which they differ after the same step, the first of them before. */
  readonly differences: readonly SeenDifference[];
}

/** Puts drawn sequences to the target and to the reference: what the text determines has to be the same. */
export async function judgeDrawn(
  { admin, nobody, space, seed, output }: Parts,
  { covering = () => [], areas, sequences, webhook, counts = () => true, judgement = FILTERED }: Drawn,
): Promise<void> {
  const target = new TargetSide(admin, nobody);
  const cbor = await aside(() => speaksCbor(target));
  const reference = await startReference(admin.target, webhook === undefined, cbor);
  let plays = 0;
  let unplayed = '';
  const began = performance.now();
  const before = (time: number, from = began) => performance.now() - from < time;
  const differ = async (steps: readonly Step[], isPatient = impatient): Promise<Found | undefined> => {
    const id = `${space.prefix}-${(plays++).toString(36).padStart(3, '0')}`;
    const [first, second] = await Promise.all([
      play(reference, id, steps, impatient, webhook),
      play(target, id, steps, isPatient, webhook),
    ]);
    const counting = judgement.differences(steps, first, second).filter(counts);
    const [difference] = counting;
    const differences = counting.filter(({ step }) => step === difference?.step);
    return difference && { steps, difference, differences };
  };
  /** Whether sequences still differ when the target is given time where they do, as often as that is at another place. */
  const stays = async ({ steps, difference }: Found): Promise<boolean> => {
    const waited = new Set<number>();
    let at: number | undefined = difference.step;
    for (let places = 0; places < PLACES && at !== undefined && !waited.has(at); places++) {
      for (const step of writesBefore(steps, at)) waited.add(step);
      at = (await differ(steps, (step) => waited.has(step)))?.difference.step;
    }
    return at !== undefined;
  };
  /** The fewest steps that show the same difference, of which the last that matters says the least. */
  const shortened = async ({ steps, difference }: Found): Promise<readonly Step[]> => {
    const from = performance.now();
    // Patience takes long: what was cut without it is confirmed with it.
    const found = async (parts: readonly Step[]) => {
      const seen = before(CUTTING, from) ? await differ(parts) : undefined;
      return seen && isLike(seen.difference, difference) ? seen : undefined;
    };
    const fails = async (parts: readonly (readonly Step[])[]) => (await found(parts.flat())) !== undefined;
    const short = (await shortest(partsOf(steps), fails, CUTS)).flat();
    const at = (await found(short))?.difference.step;
    if (at === undefined) return short;
    const saying = (step: Step) => short.map((each, index) => (index === at ? step : each));
    const holds = async (step: Step) => (await found(saying(step)))?.difference.step === at;
    return saying(await simplest(short[at] as Step, holds, TAKINGS));
  };
  try {
    const failing = await aside(async () => {
      const generator = new Generator(String(seed), areas);
      const whole = covering(cbor);
      const drawn = Array.from({ length: sequences }, (_, at) => judgement.keep(generator.sequence(at)));
      const all = [...whole, ...drawn].map(({ steps }) =>
        steps.filter((step) => cbor || !isInCbor(step)).map(atItsVersion),
      );
      for (let at = 0; at < all.length; at += AT_A_TIME) {
        const covers = at < whole.length;
        if (at > 0 && !before(covers ? COVERING : DRAWING)) {
          if (covers) unplayed = `${at} of ${whole.length} sequences were played in ${COVERING / 1000} s`;
          break;
        }
        const some = all.slice(at, at + AT_A_TIME);
        for (const found of await Promise.all(some.map((steps) => differ(steps)))) {
          // A server may show a change a moment later.
          if (found === undefined || !(await stays(found))) continue;
          const short = await shortened(found);
          return (await differ(short, patient)) === undefined ? found.steps : short;
        }
      }
      return undefined;
    });
    // Of what was tried only the shortest sequence that fails is told.
    const found = failing && (await differ(failing, patient));
    if (failing && found === undefined) inconclusive('a difference did not show again');
    if (unplayed) inconclusive(unplayed);
    const disagreement = found && told(found);
    const kept =
      disagreement && failing && output && !webhook
        ? keepSequence(output, 'replay-requests', { about: disagreement, steps: failing })
        : undefined;
    if (found && failing) tellShortest(failing.map(wordsOf), kept, aboutOf(found));
    must(
      `no sequence made a difference${kept === undefined ? '' : ` (it is kept in ${kept})`}`,
      disagreement,
      match.absent,
    );
  } finally {
    await reference.close();
  }
}

/** Whether two differences are of one kind: in the same part of what was seen, and of answers by the same codes. */
function isLike(one: SeenDifference, other: SeenDifference): boolean {
  if (one.what !== other.what || one.path !== other.path) return false;
  return one.path !== 'status' || (one.first === other.first && one.second === other.second);
}

/** Places of a step and of the last writes before it. */
function writesBefore(steps: readonly Step[], at: number): readonly number[] {
  const writes = [...steps.keys()].filter((each) => each < at && steps[each]?.method !== 'GET');
  return [...writes.slice(-WRITES_BEFORE), at];
}

function aboutOf({ steps, difference: { step: at }, differences }: Found): readonly string[] {
  const [step, before] = [steps[at] as Step, steps.slice(0, at)];
  return [...new Set(differences.flatMap((difference) => requirementsOf({ step, difference }, before)))];
}

/** What differs, and the requirements that it is about. */
function told(found: Found): string {
  const { what, path, first, second, step } = found.difference;
  const about = aboutOf(found);
  const words = `${wordsOf(found.steps[step] as Step)}: ${what} ${path}: ${JSON.stringify(second)}, wanted ${JSON.stringify(first)}`;
  return about.length === 0 ? words : `${words} (${about.join(', ')})`;
}

/** Whether the target reads and writes CBOR, which it may do without. */
async function speaksCbor(target: TargetSide): Promise<boolean> {
  const headers = { accept: 'application/cbor' };
  const { status } = await target.ask({
    method: 'GET',
    path: '/api/v1/namespaces?limit=1',
    headers,
    body: undefined,
    admin: true,
  });
  return status === 200;
}
function isInCbor({ form, headers = {} }: Step): boolean {
  return form === 'cbor' || Object.values(headers).some((value) => value.includes('cbor'));
}

/** A reference that is what a target is where that is a choice of whoever runs one. */
export async function startReference(target: Target, helped: boolean, cbor: boolean): Promise<ReferenceSide> {
  const flags = [...flagsLike(target), ...(cbor ? ['--feature-gates=CBORServingAndStorage=true'] : [])];
  try {
    return await ReferenceSide.start('the reference', flags, { helped });
  } catch (error) {
    if (error instanceof Ending) throw error;
    return unsupported(`the reference has no dialect ${target.dialect.name} to compare with`);
  }
}

/** Of its dialect and release, where that is one that is known; it takes requests without credentials where the target does. */
function flagsLike({ dialect, release, capabilities }: Target): readonly string[] {
  const minor = minorOf(release);
  const isKnown = /^1\.\d+$/.test(release) && minor >= OLDEST_RELEASE && minor <= NEWEST_RELEASE;
  const takesAnybody = lacking(capabilities, 'anonymous-access') === undefined;
  return [
    `--dialect=${dialect.name}`,
    ...(isKnown ? [`--release=${release}`] : []),
    ...(takesAnybody ? [] : ['--anonymous-auth=false']),
  ];
}
