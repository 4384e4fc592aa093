import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readScenarios } from '../../learn/library.ts';
import { ScenarioFault } from '../../learn/scenario.ts';
import { type LearnServer, serveLearn } from '../../learn/server.ts';
import { type Site, siteOf } from '../../learn/site.ts';
import { EXIT } from '../../reports/outcome.ts';
import { folderToWrite } from '../files.ts';
import { choice, readFlags, wholeNumber } from '../flags.ts';
import { PACKAGED, ROOT } from '../root.ts';
import { UsageError } from '../usageError.ts';
import { LEARN_FLAGS } from './learnFlags.ts';

/** `touchstone learn`: writes the page, or serves it until Ctrl-C. @returns 0. Throws UsageError. */
export async function learn(argv: readonly string[]): Promise<number> {
  const { flags, words } = readFlags(argv, LEARN_FLAGS);
  if (words.length > 0) throw new UsageError(`learn takes no words, only flags; what is ${JSON.stringify(words[0])}?`);
  const port = flags.port === undefined ? 0 : wholeNumber('port', flags.port, 0, 65_535);
  const dialect = choice('dialect', flags.dialect ?? 'kubernetes', ['kubernetes', 'cluster']);
  const site = siteOf(await pageFiles(), storiesOf(flags.stories ?? join(ROOT, 'fixtures/scenarios')));
  if (flags.export !== undefined) {
    write(site, flags.export);
    console.log(`Written to   ${resolve(flags.export, 'index.html')}`);
    return EXIT.conformant;
  }
  const server = await opened(site, port);
  console.log(`Learn at     ${server.base}${dialect === 'cluster' ? '/#dialect=cluster' : ''}`);
  console.log('Ctrl-C stops it.');
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await server.close();
  return EXIT.conformant;
}

/** What the package has of the page, or what a checkout makes of its sources. */
async function pageFiles(): Promise<Readonly<Record<string, string>>> {
  if (PACKAGED) {
    const folder = join(ROOT, 'lib/learn/page');
    return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  }
  const maker = (await import(pathToFileURL(join(ROOT, 'tools/learnPage.mjs')).href)) as {
    learnPage(): Promise<{ files: Record<string, string> }>;
  };
  return (await maker.learnPage()).files;
}

function storiesOf(folder: string) {
  try {
    const stories = readScenarios(folder);
    if (stories.length === 0) throw new UsageError(`--stories: there is no story (*.yaml) in ${folder}.`);
    return stories;
  } catch (error) {
    if (error instanceof ScenarioFault) throw new UsageError(`--stories: ${error.message}.`);
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new UsageError(`--stories: there is no folder ${folder}.`);
    throw code === undefined ? error : new UsageError(`--stories: ${message}.`);
  }
}

function write(site: Site, folder: string): void {
  try {
    folderToWrite(folder);
    for (const [name, text] of site) writeFileSync(join(folder, name), text);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--export: ${(error as Error).message}.`);
  }
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
