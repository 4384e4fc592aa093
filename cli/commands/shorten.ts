import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nameOf } from '../../diff/cause.ts';
import { sequenceOf } from '../../diff/fromCheck.ts';
import { NoAnswer } from '../../diff/httpSide.ts';
import { Pair } from '../../diff/investigate.ts';
import { counted } from '../../reports/counted.ts';
import { parseEvents } from '../../reports/events.ts';
import { EXIT } from '../../reports/outcome.ts';
import { EVENTS_FILE } from '../../reports/render.ts';
import { resultOf } from '../../reports/results.ts';
import { stormServerOf } from '../../storm/server.ts';
import { detect } from '../../suites/harness/target/detect.ts';
import type { Target } from '../../suites/harness/target/target.ts';
import { keepSequence } from '../../suites/sequences/keptSequence.ts';
import { wordsOf } from '../../suites/sequences/step.ts';
import { reachNamed, withSides } from '../diffSides.ts';
import { readNamedFile } from '../files.ts';
import { type Flags, readFlags } from '../flags.ts';
import { Interruption } from '../interruption.ts';
import type { Reached } from '../reach.ts';
import { isStormFile, LEFT_OF_STORM, shortenHistory } from '../shortestStorm.ts';
import { UsageError } from '../usageError.ts';
import { SHORTEN_FLAGS } from './shortenFlags.ts';

/**
 * `touchstone shorten DIR SERVER`: cuts each check that failed in a run down to the requests after which the server
 * does something else than the reference, or, where a file is named, a storm to the operations that break a guarantee,
 * over as many servers as are named; and keeps them to be played again.
 * @returns 0 when each could be cut, 1 when requests alone show no difference, 2 when a server did not answer, 130 when
 * Ctrl-C came first. Throws UsageError.
 */
export async function shorten(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, SHORTEN_FLAGS);
  const [folder, server, ...more] = words;
  if (folder === undefined || server === undefined) {
    throw new UsageError(
      'shorten takes the folder of a run, or the history of a storm, and its server: touchstone shorten reports/out https://….',
    );
  }
  if (isStormFile(folder)) return shortenStorm(folder, [server, ...more], flags);
  if (more.length > 0) throw new UsageError('A run was of one server: name one after the folder.');
  const events = join(folder, EVENTS_FILE);
  if (!existsSync(events)) {
    throw new UsageError(
      `${folder} is neither the folder of a run (it holds no ${EVENTS_FILE}) nor the history of a storm (a file that ends in .ndjson).`,
    );
  }
  const result = resultOf(parseEvents(readNamedFile(events, 'event stream')));
  const wanted = (id: string, requirements: readonly string[]) =>
    flags.only === undefined || id.startsWith(flags.only) || requirements.includes(flags.only);
  const failed = result.checks.filter(
    ({ outcome, id, requirements }) => outcome === 'fail' && wanted(id, requirements),
  );
  if (failed.length === 0)
    throw new UsageError(`No check failed in ${folder}${flags.only === undefined ? '' : ` that ${flags.only} names`}.`);
  const sound = flags.against ?? 'reference';
  return withSides([sound, server], flags, async (first, second) => {
    const interruption = new Interruption(
      () => 'Namespaces of the last sequences may be left behind; their names begin with ts.',
    );
    const pair = new Pair(first, second, { wording: false, signal: interruption.signal });
    let open = 0;
    try {
      for (const [at, { title, exchanges }] of failed.entries()) {
        if (interruption.happened) return EXIT.interrupted;
        const finding = await pair.shorten('check', sequenceOf(exchanges));
        console.log(`${finding ? '✓' : '?'} ${title}`);
        if (!finding) {
          open += 1;
          console.log('    its requests alone, one after another, show no difference');
          continue;
        }
        const { steps, difference } = finding;
        const cause = nameOf(steps, difference);
        for (const [index, step] of steps.entries()) console.log(`    ${index + 1}) ${wordsOf(step)}`);
        const file = keepSequence(folder, `shortest-${at + 1}`, {
          about: title,
          cause,
          servers: [sound, server],
          steps,
        });
        console.log(`    ${counted(exchanges.length, 'request')} became ${steps.length}: touchstone replay ${file}`);
      }
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      console.error(`${error.message}.`);
      return EXIT.inconclusive;
    } finally {
      interruption.close();
    }
    if (interruption.happened) return EXIT.interrupted;
    return open > 0 ? EXIT.notConformant : EXIT.conformant;
  });
}

async function shortenStorm(
  file: string,
  words: readonly [string, ...string[]],
  flags: Flags<typeof SHORTEN_FLAGS>,
): Promise<number> {
  const given = { token: flags['second-token'], ca: flags['second-ca'], insecure: flags.insecure };
  const reached: Reached[] = [];
  let interruption: Interruption | undefined;
  try {
    for (const word of words) reached.push(await reachNamed(word, given));
    const targets: Target[] = [];
    for (const { reach } of reached) targets.push(await detect(reach));
    const [first] = targets as [Target, ...Target[]];
    interruption = new Interruption(() => LEFT_OF_STORM);
    const shortening = {
      file,
      servers: targets.map(stormServerOf),
      dialect: first.dialect,
      words,
      within: WITHIN,
      signal: interruption.signal,
    };
    if (await shortenHistory(shortening)) return EXIT.conformant;
    return interruption.happened ? EXIT.interrupted : EXIT.notConformant;
  } finally {
    interruption?.close();
    await Promise.all(reached.map((each) => each.stop()));
  }
}
/** Milliseconds that cutting a storm may take. */
const WITHIN = 180_000;
