import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium } from '@playwright/test';
import { learnSite, writeSite } from '../../cli/learnSite.ts';
import { type BenchScenario, type FigureRow, milliseconds } from './scenario.ts';

const CHROMIUM = '/usr/bin/chromium';
const ROUNDS = 5;

/** What somebody waits for who opens the page of `learn` from a disk and goes through its stories. */
export const learnPage: BenchScenario = {
  name: 'learn',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-learn-'));
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      const site = await learnSite();
      writeSite(site, folder);
      const address = pathToFileURL(join(folder, 'index.html')).href;
      const loaded = await loadedAtFirst(browser, address);
      const kilobytes = (names: Iterable<string>) =>
        `${Math.round([...names].reduce((sum, name) => sum + gzipSync(site.get(name) ?? '').length, 0) / 1000)} kB`;
      const scripts = [...site.keys()].filter((name) => name.endsWith('.js'));
      return [
        { name: 'learn, script that is loaded until the first step is shown, gzipped', figure: kilobytes(loaded) },
        { name: 'learn, all script there is, gzipped', figure: kilobytes(scripts) },
        ...(await measured(browser, address)),
      ];
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Names of the scripts that are loaded until the first step is shown. */
async function loadedAtFirst(browser: Browser, address: string): Promise<string[]> {
  const names: string[] = [];
  const page = await browser.newPage();
  page.on('request', (request) => {
    if (request.resourceType() === 'script' && !request.url().startsWith('blob:')) names.push(basename(request.url()));
  });
  await page.goto(address);
  await page.evaluate(SHOWN);
  await page.close();
  return names;
}

async function measured(browser: Browser, address: string): Promise<FigureRow[]> {
  const first: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await browser.newPage();
    await page.goto(address);
    first.push((await page.evaluate(SHOWN)) as number);
    await page.close();
  }
  const page = await browser.newPage();
  await page.goto(address);
  await page.evaluate(SHOWN);
  const { played, shown } = (await page.evaluate(EVERY_STORY)) as { played: number[]; shown: number[] };
  await page.close();
  return [
    { name: 'learn, from opening it until the first step is shown', figure: `${spread(first)}, ${ROUNDS} times` },
    { name: 'learn, playing a story, by its steps', figure: `${spread(played)} a step, ${played.length} stories` },
    { name: 'learn, going to another step', figure: `${spread(shown)}, ${shown.length} steps` },
  ];
}

/** Milliseconds since the page was asked for, as soon as a step is shown. */
const SHOWN = `(async () => {
  while (!/Step 1 of/.test(document.getElementById('said').textContent)) await new Promise(requestAnimationFrame);
  return performance.now();
})()`;

/** Plays each story, of which the first of a set of flags begins a server, and goes through the steps of some. */
const EVERY_STORY = `(async () => {
  const played = [];
  for (const { name } of touchstone_stories) {
    const story = await touchstone.story(name);
    const started = performance.now();
    await touchstone.engine().play({ ...story, statements: [] }, 'kubernetes');
    played.push((performance.now() - started) / story.steps.length);
  }
  const shown = [];
  const buttons = [...document.querySelectorAll('#stories button')].filter((_, index) => index % 9 === 0);
  for (const button of buttons) {
    const said = document.getElementById('said');
    button.click();
    while (!/Step 1 of/.test(said.textContent)) await new Promise((resolve) => setTimeout(resolve, 5));
    const next = document.getElementById('next');
    while (!next.disabled) {
      const started = performance.now();
      next.click();
      document.body.getBoundingClientRect();
      shown.push(performance.now() - started);
    }
  }
  return { played, shown };
})()`;

function spread(times: readonly number[]): string {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return `${milliseconds(at(0.5))} median, ${milliseconds(sorted.at(-1) ?? 0)} at most`;
}
