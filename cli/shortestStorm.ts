import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import type { Dialect } from '../fixtures/dialects/dialect.ts';
import type { HistoryEntry } from '../history/format.ts';
import { isHistoryFile } from '../history/format.ts';
import { historyIn, NotHistory } from '../history/reader.ts';
import { counted } from '../reports/counted.ts';
import { EXIT } from '../reports/outcome.ts';
import { type KeptStorm, keepStorm, storyOf } from '../storm/keptStorm.ts';
import { NoReplay, playScript, scriptOf } from '../storm/script.ts';
import type { StormServer } from '../storm/server.ts';
import { findingIn, findingsIn, shortenStorm } from '../storm/shorten.ts';
import { pathFromHere, reasonOf } from './files.ts';
import { UsageError } from './usageError.ts';

/** How long a standing watch may take to tell what was written, where a part of a storm is played again. */
const PATIENCE = 1_500;
/** What is said of a storm, or a part of one, that was ended at once. */
export const LEFT_OF_STORM =
  'What the storm made may be left behind, with the label touchstone/run: namespaces, clusterroles, clusterrolebindings, customresourcedefinitions.';

/** How often a kept storm is played before it counts as gone. */
const REPLAYS = 5;

/** Whether a path is the history of a storm, and not the folder of a run. */
export function isStormFile(path: string): boolean {
  return path.endsWith('.ndjson') || isHistoryFile(path);
}

export interface StormShortening {
  /** The history of a storm. */
  readonly file: string;
  readonly servers: readonly StormServer[];
  readonly dialect: Dialect;
  /** How the servers are named on the command line. */
  readonly words: readonly string[];
  /** Milliseconds. */
  readonly within: number;
  /** Where it is aborted no further cut is tried. */
  readonly signal: AbortSignal;
}

/**
 * Cuts a storm down to the operations that matter, keeps them beside its history, and tells of it.
 * @returns whether it showed again. Throws UsageError where the file is no history of a storm.
 */
export async function shortenHistory({
  file,
  servers,
  dialect,
  words,
  within,
  signal,
}: StormShortening): Promise<boolean> {
  const entries = await entriesOf(file);
  const findings = findingsIn(entries);
  const [first] = findings;
  if (!first) throw new UsageError(`Nothing is broken in ${file}.`);
  const script = scriptOf(entries);
  if (!script) throw new UsageError(`${file} is no history of a storm that could be played again.`);
  const name = freshNames();
  const began = performance.now();
  try {
    const short = await shortenStorm({
      script,
      findings,
      name,
      playing: { servers, dialect, patience: PATIENCE },
      within,
      signal,
    });
    if (!short && signal.aborted) {
      console.log(`? ${first.sentence}`);
      console.log('    interrupted before it showed again');
      return false;
    }
    if (!short) {
      console.log(`? ${first.sentence}`);
      const seconds = Math.round(within / 1_000);
      console.log(
        performance.now() - began >= within
          ? `    it did not show again in the ${counted(seconds, 'second')} that there were for playing it: the history shows it`
          : '    played again, without faults, it does not show: the history alone shows it',
      );
      return false;
    }
    const kept = keepStorm(dirname(file), short.script, short.finding, words);
    console.log(`${short.finding.guarantee}: ${short.finding.sentence}`);
    for (const [at, line] of storyOf(short.script).entries()) console.log(`    ${at + 1}) ${line}`);
    console.log(
      `    ${counted(script.operations.length, 'operation')} became ${short.script.operations.length}, in ${counted(short.plays, 'play')}: touchstone replay ${pathFromHere(kept)}`,
    );
    return true;
  } catch (error) {
    if (error instanceof NoReplay) throw new UsageError(`It cannot be played again: ${error.message}.`);
    throw error;
  }
}

/**
 * Plays a kept storm until it shows again.
 * @returns 1 when it does, 0 when it does not, 2 when the server lets nothing be played, 130 when it is aborted before
 */
export async function replayStorm(
  { script, guarantee, about }: KeptStorm,
  servers: readonly StormServer[],
  dialect: Dialect,
  signal: AbortSignal,
): Promise<number> {
  const name = freshNames();
  try {
    for (let play = 1; play <= REPLAYS; play += 1) {
      if (signal.aborted) return EXIT.interrupted;
      const entries = await playScript(script, { servers, dialect, patience: PATIENCE, name: name(play) });
      const found = findingIn(entries, guarantee);
      if (!found) continue;
      console.log(`${guarantee}: ${found.sentence}`);
      for (const [at, line] of storyOf(script).entries()) console.log(`    ${at + 1}) ${line}`);
      console.log(`It showed again at play ${play}.`);
      return EXIT.notConformant;
    }
  } catch (error) {
    if (!(error instanceof NoReplay)) throw error;
    console.error(`It cannot be played again: ${error.message}.`);
    return EXIT.inconclusive;
  }
  console.log(`In ${REPLAYS} plays it did not show again. It was: ${about}`);
  return EXIT.conformant;
}

/** Names for storms that nobody used before. */
function freshNames(): (play: number) => string {
  const id = randomBytes(4).toString('hex');
  return (play) => `touchstone-storm-${id}-${play}`;
}

async function entriesOf(file: string): Promise<readonly HistoryEntry[]> {
  const all: HistoryEntry[] = [];
  try {
    for await (const entries of historyIn(file)) for (const entry of entries) all.push(entry);
  } catch (error) {
    if (error instanceof NotHistory) throw new UsageError(`${file} is no history: ${error.message}.`);
    throw new UsageError(`${file} cannot be read: ${reasonOf(error)}.`);
  }
  return all;
}
