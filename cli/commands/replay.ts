import { causesOf } from '../../diff/cause.ts';
import { NoAnswer } from '../../diff/httpSide.ts';
import { Pair } from '../../diff/investigate.ts';
import { textOf } from '../../diff/text.ts';
import { EXIT } from '../../reports/outcome.ts';
import { isKeptStorm, type KeptStorm } from '../../storm/keptStorm.ts';
import { stormServerOf } from '../../storm/server.ts';
import { detect } from '../../suites/harness/target/detect.ts';
import type { Target } from '../../suites/harness/target/target.ts';
import { isKeptSequence, type KeptSequence } from '../../suites/sequences/keptSequence.ts';
import { patient } from '../../suites/sequences/play.ts';
import { reachNamed, withSides } from '../diffSides.ts';
import { readNamedFile } from '../files.ts';
import { type Flags, readFlags } from '../flags.ts';
import { Interruption } from '../interruption.ts';
import type { Reached } from '../reach.ts';
import { LEFT_OF_STORM, replayStorm } from '../shortestStorm.ts';
import { UsageError } from '../usageError.ts';
import { REPLAY_FLAGS } from './replayFlags.ts';

/**
 * `touchstone replay FILE`: plays once more what was kept in its shortest form.
 * @returns 1 when it shows the same again, 0 when it does not, 2 when a server did not answer, 130 when Ctrl-C came
 * before it showed. Throws UsageError.
 */
export async function replay(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, REPLAY_FLAGS);
  const [file, ...more] = words;
  if (file === undefined || more.length > 0) throw new UsageError('replay takes one file: touchstone replay FILE.');
  const kept = readKept(file);
  if (isKeptSequence(kept)) return replaySequence(file, kept, flags);
  if (isKeptStorm(kept)) return replayKeptStorm(kept, flags);
  throw new UsageError(`${file} is nothing that Touchstone kept to be played again.`);
}

function readKept(file: string): unknown {
  const text = readNamedFile(file, 'file');
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is not JSON.`);
  }
}

async function replaySequence(file: string, kept: KeptSequence, flags: Flags<typeof REPLAY_FLAGS>): Promise<number> {
  const { steps, servers, about, cause } = kept;
  const one = flags.first ?? servers?.[0] ?? 'reference';
  const other = flags.second ?? servers?.[1];
  if (other === undefined) throw new UsageError(`${file} names no server; say --second which one it was.`);
  return withSides([one, other], flags, async (first, second) => {
    const interruption = new Interruption(
      () => 'Namespaces of the sequence may be left behind; their names begin with ts.',
    );
    try {
      const both = await new Pair(first, second, { wording: true }).play(steps, patient);
      const difference = both.differences.find(({ wording }) => !wording) ?? both.differences[0];
      const names = [first.name, second.name] as const;
      if (!difference) {
        console.log(`No difference any more. It was: ${about}.`);
        return EXIT.conformant;
      }
      const causes = causesOf([{ area: 'replay', steps, difference, first: both.first, second: both.second }], names);
      const rest = {
        names,
        seed: 'of the file',
        sequences: 1,
        requests: steps.length,
        passing: [],
        stale: [],
        known: 0,
      };
      console.log(textOf({ ...rest, causes }, []));
      if (cause !== undefined && causes[0]?.name !== cause) console.log(`\nIt was another difference: ${about}.`);
      return EXIT.notConformant;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      console.error(`${error.message}; nothing can be said of the two.`);
      return EXIT.inconclusive;
    } finally {
      interruption.close();
    }
  });
}

async function replayKeptStorm(kept: KeptStorm, flags: Flags<typeof REPLAY_FLAGS>): Promise<number> {
  const words = flags.second === undefined ? kept.servers : [flags.second];
  const given = { token: flags['second-token'], ca: flags['second-ca'], insecure: flags.insecure };
  const reached: Reached[] = [];
  let interruption: Interruption | undefined;
  try {
    for (const word of words) reached.push(await reachNamed(word, given));
    const targets: Target[] = [];
    for (const { reach } of reached) targets.push(await detect(reach));
    const [first] = targets;
    if (!first) throw new UsageError('It names no server; say --second which one.');
    interruption = new Interruption(() => LEFT_OF_STORM);
    return await replayStorm(kept, targets.map(stormServerOf), first.dialect, interruption.signal);
  } finally {
    interruption?.close();
    await Promise.all(reached.map((each) => each.stop()));
  }
}
