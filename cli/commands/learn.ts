import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type LearnServer, serveLearn } from '../../learn/server.ts';
import type { Site } from '../../learn/site.ts';
import { isSequence, storyOfSequence } from '../../learn/storyOfSequence.ts';
import { parseEvents } from '../../reports/events.ts';
import { EXIT } from '../../reports/outcome.ts';
import { EVENTS_FILE } from '../../reports/render.ts';
import { resultOf } from '../../reports/results.ts';
import { fragmentOf, type LinkedStory } from '../../reports/storyLink.ts';
import { storiesOfRun } from '../../reports/storyOfCheck.ts';
import { readNamedFile, reasonOf } from '../files.ts';
import { choice, readFlags, wholeNumber } from '../flags.ts';
import { learnSite, writeSite } from '../learnSite.ts';
import { untilStopped } from '../listening.ts';
import { UsageError } from '../usageError.ts';
import { LEARN_FLAGS } from './learnFlags.ts';

/**
 * `touchstone learn`: writes the page, or serves it until Ctrl-C; with the folder of a run, or a file of requests that
 * were kept, these stand among the stories.
 * @returns 0. Throws UsageError.
 */
export async function learn(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, LEARN_FLAGS);
  const [shown, ...more] = words;
  if (more.length > 0) throw new UsageError('learn takes one folder of a run, or one file of kept requests.');
  const port = flags.port === undefined ? 0 : wholeNumber('port', flags.port, 0, 65_535);
  const dialect = choice('dialect', flags.dialect ?? 'kubernetes', ['kubernetes', 'cluster']);
  const own = shown === undefined ? {} : storiesShown(shown);
  const site = await learnSite(flags.stories, own);
  if (flags.export !== undefined) {
    write(site, flags.export);
    console.log(`Written to   ${resolve(flags.export, 'index.html')}`);
    return EXIT.conformant;
  }
  const server = await opened(site, port);
  const [name] = Object.keys(own);
  const begins = name !== undefined || dialect === 'cluster' ? fragmentOf({ name, at: 0, dialect }) : '';
  console.log(`Learn at     ${server.base}${begins === '' ? '' : `/${begins}`}`);
  await untilStopped();
  await server.close();
  return EXIT.conformant;
}

function write(site: Site, folder: string): void {
  try {
    writeSite(site, folder);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--export: ${reasonOf(error)}.`);
  }
}

/** The checks of a run that failed, or the requests of a file, as stories. */
function storiesShown(path: string): Record<string, LinkedStory> {
  const events = existsSync(join(path, EVENTS_FILE)) ? join(path, EVENTS_FILE) : path;
  const text = readNamedFile(events, 'folder of a run, or file of kept requests');
  if (isSequence(text)) {
    const name = basename(path).replace(/\.\w+$/, '');
    try {
      return { [name]: storyOfSequence(name, text) };
    } catch (error) {
      throw new UsageError(`${path} cannot be shown: ${reasonOf(error)}.`);
    }
  }
  let stories: Record<string, LinkedStory>;
  try {
    stories = storiesOfRun(resultOf(parseEvents(text)));
  } catch (error) {
    throw new UsageError(`${path} holds neither a run nor requests that were kept: ${reasonOf(error)}.`);
  }
  if (Object.keys(stories).length === 0) {
    throw new UsageError(`No check failed in ${path} whose requests can be put to a server in a tab.`);
  }
  return stories;
}

async function opened(site: Site, port: number): Promise<LearnServer> {
  try {
    return await serveLearn(site, port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new UsageError(`Port ${port} is taken; --port=0 takes a free one.`);
    if (code === 'EACCES') throw new UsageError(`This user may not listen on port ${port}.`);
    throw error;
  }
}
