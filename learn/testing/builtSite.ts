import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Scenario } from '../scenario.ts';
import { type Site, siteOf } from '../site.ts';

const MAKER = pathToFileURL(join(import.meta.dirname, '../../tools/learnPage.mjs')).href;

/** The page, made of its sources as they stand, with stories. */
export async function builtSite(scenarios: readonly Scenario[]): Promise<Site> {
  const { learnPage } = (await import(MAKER)) as { learnPage(): Promise<{ files: Record<string, string> }> };
  return siteOf((await learnPage()).files, scenarios);
}
