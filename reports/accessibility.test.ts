import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from '@playwright/test';
import type { HistoryEntry } from '../history/format.ts';
import { conformanceReport } from './conformanceReport.ts';
import { historyPage, pictureOf } from './historyPage.ts';
import { html } from './html.ts';
import { resultOf } from './results.ts';
import { targetMatrix } from './targetMatrix.ts';
import { sampleRun } from './testing/sampleRun.ts';

const CHROMIUM = '/usr/bin/chromium';
const skip = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM} on this machine`;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const RUN = resultOf(
  sampleRun([
    { outcome: 'pass', statuses: [201, 200] },
    {
      outcome: 'fail',
      broken: ['a taken name is refused'],
      statuses: [201, 201],
      asked: 201,
      body: '{"kind":"Status"}',
    },
    { outcome: 'warn', broken: ['a warning is sent'] },
    { outcome: 'inconclusive', reason: 'the target is gone: no whole answer came in time' },
    { outcome: 'harness-error', reason: 'an error of ours' },
    { outcome: 'unsupported', reason: 'the target has no clock that can be moved' },
    { outcome: 'fail', requirement: 'WATCH-RV-01', clauses: { 'WATCH-RV-01/get': 'fail', 'WATCH-RV-01/list': 'pass' } },
  ]),
);
const WRITE: HistoryEntry = {
  type: 'operation',
  client: 'author',
  number: 1,
  start: 0,
  end: 5,
  status: 201,
  method: 'PUT',
  path: '/api/v1/namespaces/n/configmaps/a',
  seen: { object: { name: 'a', uid: 'u', version: '1' } },
};

/** Every page that is written for people, by what it is. */
const PAGES = {
  'a report': () => html(RUN),
  'a history': () => historyPage('A history', pictureOf([WRITE, { ...WRITE, number: 2, start: 6, end: 9 }], [])),
  'a matrix of targets': () => targetMatrix([['mine', conformanceReport(RUN)]]),
};

describe('pages for people', { skip }, () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-axe-'));
  before(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  after(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  it('are looked at by what finds a picture without words', async () => {
    const page = await browser.newPage();
    await page.setContent('<!doctype html><html lang="en"><title>t</title><main><img src="data:,"></main></html>');
    await page.evaluate(AXE);
    const { violations } = await page.evaluate<Findings>('axe.run()');
    assert.ok(violations.some(({ id }) => id === 'image-alt'));
    await page.close();
  });

  for (const [name, made] of Object.entries(PAGES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`can be used by everybody: ${name}, ${colorScheme}, with all that is folded opened`, async () => {
        const file = join(folder, `${name}.html`);
        writeFileSync(file, made());
        const page = await browser.newPage({ colorScheme, viewport: { width: 390, height: 800 } });
        await page.goto(pathToFileURL(file).href);
        await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
        // Scripts of others have no place in these pages, so it is not added to them but evaluated.
        await page.evaluate(AXE);
        const { violations } = await page.evaluate<Findings>('axe.run()');
        const found = violations.flatMap(({ id, nodes }) =>
          nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
        );
        assert.deepEqual(found, []);
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        assert.ok(width <= 390, `it is ${width} pixels wide on a screen of 390`);
        await page.close();
      });
    }
  }
});

interface Findings {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}
