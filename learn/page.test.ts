import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Browser, chromium, type Page } from '@playwright/test';
import { readScenarios } from './library.ts';
import { type LearnServer, serveLearn } from './server.ts';

const ROOT = join(import.meta.dirname, '..');
const CHROMIUM = '/usr/bin/chromium';
const skip = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM} on this machine`;

describe('the page in a browser', { skip }, () => {
  let server: LearnServer;
  let browser: Browser;
  let page: Page;
  const trouble: string[] = [];

  before(async () => {
    const scenarios = readScenarios(join(ROOT, 'fixtures/scenarios'));
    server = await serveLearn({ scenarios, dialect: 'kubernetes', page: join(ROOT, 'learn/page'), port: 0 });
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-background-networking'],
    });
    page = await browser.newPage();
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(server.base) && !url.startsWith('data:')) trouble.push(`asked for ${url}`);
    });
    await page.goto(server.base);
    await page.getByText('Step 1 of 3, answered 201').waitFor();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  it('walks a story by the keyboard, and tells what the merge decided', async () => {
    await page.keyboard.press('ArrowRight');
    await page.getByText('Step 2 of 3, answered 409').waitFor();
    const row = page.getByRole('row', { name: '.data.colour conflict author' });
    assert.equal(await row.count(), 1);
    await page.keyboard.press('ArrowLeft');
    await page.getByText('Step 1 of 3, answered 201').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Back' }).isDisabled(), true);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the step');
  });

  it('plays on with a request that the reader changed, and goes back to the story', async () => {
    await page.getByRole('button', { name: /^Step 2/ }).click();
    const body = page.getByLabel('body', { exact: true });
    await body.fill((await body.inputValue()).replace('red', 'blue'));
    await page.getByRole('button', { name: 'Run with this request' }).click();
    await page.getByText('Step 2 of 3, answered 200').waitFor();
    assert.equal(await page.getByRole('row', { name: '.data.colour shared author' }).count(), 1);
    await page.getByRole('button', { name: 'As in the story' }).click();
    await page.getByText('Step 2 of 3, answered 409').waitFor();
  });

  it('shows what watches are told', async () => {
    await page.getByRole('button', { name: 'First list, then watch' }).click();
    await page.getByText('Step 1 of 5').waitFor();
    await page.getByRole('button', { name: /^Step 4/ }).click();
    await page.getByText('watch of step 3: MODIFIED').waitFor();
    const current = page.getByRole('navigation').getByRole('button', { name: 'First list, then watch' });
    assert.equal(await current.getAttribute('aria-current'), 'page');
  });

  it('labels everything that can be used, and asked nobody but its own server', async () => {
    const unnamed = await page.evaluate(
      `[...document.querySelectorAll('button, input, select, textarea')].filter((one) =>
        !(one.textContent.trim() || one.getAttribute('aria-label') || one.labels?.length)).length`,
    );
    assert.equal(unnamed, 0);
    assert.deepEqual(trouble, []);
  });
});
