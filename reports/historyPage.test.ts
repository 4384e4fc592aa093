import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import type { HistoryEntry } from '../history/format.ts';
import { historyPage, pictureOf } from './historyPage.ts';

const CHROMIUM = '/usr/bin/chromium';
const skip = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM} on this machine`;

/** So many writes by eight clients, and a watch that is told of each tenth. */
function story(count: number): HistoryEntry[] {
  const watch = {
    type: 'operation',
    client: 'watcher',
    number: 0,
    start: 0,
    end: 1,
    method: 'GET',
    path: '/x?watch=true',
    status: 200,
  } as const;
  const writes = Array.from(
    { length: count },
    (_, at): HistoryEntry => ({
      type: 'operation',
      client: `client ${at % 8}`,
      number: at + 1,
      start: at,
      ...(at % 97 === 0 ? {} : { end: at + 5, status: at % 31 === 0 ? 409 : 200 }),
      method: at % 3 === 0 ? 'GET' : 'PUT',
      path: '/api/v1/namespaces/n/configmaps/a',
      seen: { object: { name: '</script><b>a', uid: 'u', version: String(at + 1) } },
    }),
  );
  const events = Array.from(
    { length: count / 10 },
    (_, at): HistoryEntry => ({
      type: 'event',
      number: 0,
      at: at * 10 + 3,
      seen: { type: 'MODIFIED', object: { name: 'a', uid: 'u', version: String(at * 10 + 1) } },
    }),
  );
  return [watch, ...writes, ...events, { type: 'mark', at: count / 2, mark: 'fault', text: 'a cut' }];
}
const BROKEN = [{ guarantee: 'linearizable', sentence: 'what was answered is not there', operations: [5_001, 5_003] }];

describe('the page of a history', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'history-page-'));
  const trouble: string[] = [];
  let browser: Browser;
  let page: Page;

  before(async () => {
    const file = join(folder, 'history.html');
    writeFileSync(file, historyPage('A history', pictureOf(story(10_000), BROKEN)));
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-background-networking'],
    });
    page = await browser.newPage();
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
    page.on('request', (request) => request.url().startsWith('file:') || trouble.push(`asked for ${request.url()}`));
    await page.goto(pathToFileURL(file).href);
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('begins at the first broken promise, and tells it', async () => {
    const told = await page.locator('#chosen').innerText();
    assert.match(told, /#5001 client 0: PUT .*\n.*version 5001/);
    assert.match(told, /Broken promise: linearizable: what was answered is not there/);
  });

  it('goes from request to request and from row to row by keys, and back to what is broken', async () => {
    await page.locator('#picture').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('#5009 client 0').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByText(/^#\d+ client 1/).waitFor();
    await page.keyboard.press('b');
    await page.getByText('#5001 client 0').waitFor();
  });

  it('draws what is in view alone, and so goes on while it is moved through 10,000 requests', async () => {
    await page.locator('#picture').focus();
    for (let at = 0; at < 6; at++) await page.keyboard.press('+');
    const one = await drawn();
    assert.ok(one > 0 && one < 500, `${one} drawn`);
    const box = await page.locator('#picture').boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + 400, box.y + 60);
    await page.mouse.down();
    for (let at = 1; at <= 40; at++) await page.mouse.move(box.x + 400 - at * 5, box.y + 60);
    await page.mouse.up();
    const moved = await drawn();
    assert.ok(moved < 500, `${moved} drawn after moving`);
    await page.keyboard.press('0');
    await page.locator('#picture[data-left="0"]').waitFor();
    // With everything in view, no more is drawn than there are pixels to tell it by.
    const all = await drawn();
    assert.ok(all < 10_000, `${all} drawn of all`);
  });

  it('names what the pointer is over', async () => {
    await page.keyboard.press('b');
    const box = await page.locator('#picture').boundingBox();
    assert.ok(box);
    let title = '';
    for (let at = 160; at < box.width && title === ''; at += 4) {
      await page.mouse.move(box.x + at, box.y + 22 + 10);
      title = (await page.locator('#picture').getAttribute('title')) ?? '';
    }
    assert.match(title, /^#\d+ (GET|PUT) \/api/);
  });

  it('needs no network, and takes what a server said for text', () => assert.deepEqual(trouble, []));

  const drawn = async (): Promise<number> => {
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    return Number(await page.locator('#picture').getAttribute('data-drawn'));
  };
});

it('gives a client a further row for what it asks at the same time, and a watch a row of its own', () => {
  const asked = { type: 'operation', client: 'ann', method: 'GET', path: '/x', status: 200 } as const;
  const two: HistoryEntry[] = [
    { ...asked, number: 1, start: 0, end: 9 },
    { ...asked, number: 2, start: 3, end: 5 },
    { ...asked, number: 3, start: 10, status: undefined },
    { ...asked, number: 4, start: 20, end: 21 },
  ];
  const { rows, bars, dots } = pictureOf([...two, ...story(200)], []);
  assert.deepEqual(rows.slice(0, 2), ['ann', 'ann (2)']);
  assert.ok(rows.includes('watcher, watch 0'));
  const [first, , third] = bars;
  // What nobody answered lasts until the client goes on.
  assert.deepEqual([first?.until, third?.row, third?.until], [9, 0, 20]);
  assert.equal(dots.length, 20);
});
