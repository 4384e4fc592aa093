import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { readScenarios } from '../learn/library.ts';
import { ScenarioFault } from '../learn/scenario.ts';
import { type Site, siteOf } from '../learn/site.ts';
import type { LinkedStory } from '../reports/storyLink.ts';
import { folderToWrite } from './files.ts';
import { PACKAGED, ROOT } from './root.ts';
import { UsageError } from './usageError.ts';

/**
 * The page of `learn`.
 * @param folder with stories of somebody's own; those that there are unless told
 * @param own stories that stand beside them, by their names
 * @throws UsageError
 */
export async function learnSite(
  folder = join(ROOT, 'fixtures/scenarios'),
  own: Readonly<Record<string, LinkedStory>> = {},
): Promise<Site> {
  return siteOf(await pageFiles(), storiesIn(folder), own);
}

/** @throws what the file system throws */
export function writeSite(site: Site, folder: string): void {
  folderToWrite(folder);
  for (const [name, text] of site) writeFileSync(join(folder, name), text);
}

/** How the names end of what the package has of the page; see tools/pack.mjs. */
const COMPRESSED = '.br';

/** What the package has of the page, or what a checkout makes of its sources. */
async function pageFiles(): Promise<Readonly<Record<string, string>>> {
  if (PACKAGED) {
    const folder = join(ROOT, 'lib/learn/page');
    const textOf = (name: string) => brotliDecompressSync(readFileSync(join(folder, name))).toString();
    return Object.fromEntries(readdirSync(folder).map((name) => [basename(name, COMPRESSED), textOf(name)]));
  }
  const maker = (await import(pathToFileURL(join(ROOT, 'tools/learnPage.mjs')).href)) as {
    learnPage(): Promise<{ files: Record<string, string> }>;
  };
  return (await maker.learnPage()).files;
}

function storiesIn(folder: string) {
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
