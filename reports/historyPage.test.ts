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
      user: at % 5 === 0 ? 'reader' : 'writer',
      ...(at % 31 === 0 ? { denied: true } : {}),
      ...(at % 97 === 0 ? {} : { end: at + 5, status: at % 31 === 0 ? 409 : 200 }),
      method: at % 3 === 0 ? 'GET' : 'PUT',
      path: at % 2 === 0 ? '/api/v1/namespaces/n/configmaps/a' : '/apis/coordination.k8s.io/v1/namespaces/m/leases/b',
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
const FEW = { operations: [0, 17, 5_001, 5_003], reason: 'With these alone it broke again.' };
/** Counts what the script of the page fills since it cleared the canvas. */
const COUNTING = `{
  const { clearRect, fillRect, fill } = CanvasRenderingContext2D.prototype;
  const own = CanvasRenderingContext2D.prototype;
  own.clearRect = function (...box) { if (box[3] > 100) window.filled = 0; return clearRect.apply(this, box); };
  own.fillRect = function (...box) { window.filled += 1; return fillRect.apply(this, box); };
  own.fill = function (...path) { window.filled += 1; return fill.apply(this, path); };
}`;

describe('the page of a history', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'history-page-'));
  const trouble: string[] = [];
  let browser: Browser;
  let page: Page;
  const picture = pictureOf(story(10_000), BROKEN, FEW);

  before(async () => {
    const file = join(folder, 'history.html');
    writeFileSync(file, historyPage('A history', picture));
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-background-networking'],
    });
    page = await browser.newPage();
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
    page.on('request', (request) => request.url().startsWith('file:') || trouble.push(`asked for ${request.url()}`));
    await page.addInitScript(COUNTING);
    await page.goto(pathToFileURL(file).href);
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('begins at the first broken promise, and tells it', async () => {
    const told = await page.locator('#chosen').innerText();
    assert.match(told, /#5001 client 0 as reader: PUT configmaps\/a in n\n\/api.*\n.*version 5001/);
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

  it('draws what is in view alone, and each of 10,000 requests at some time, while it is moved from end to end', async () => {
    await page.locator('#picture').focus();
    await page.keyboard.press('0');
    await page.locator('#picture[data-left="0"]').waitFor();
    const all = await view();
    // With everything in view, no more is drawn than there are pixels to tell it by.
    assert.ok(all.drawn < (all.width / 2) * picture.rows.length, `${all.drawn} drawn of all`);
    for (let at = 0; at < 10; at++) await page.keyboard.press('+');
    let seen = await view();
    const wheel = `(by) => document.getElementById('picture').dispatchEvent(new WheelEvent('wheel', { deltaX: by, cancelable: true }))`;
    const step = Math.floor(seen.width * 0.8);
    await page.evaluate(`(${wheel})(-1e9)`);
    seen = await view();
    assert.equal(seen.left, 0);
    const met = new Set<number>();
    for (let before = -1; seen.left > before; seen = await view()) {
      before = seen.left;
      const visible = picture.bars.filter((bar) => isSeen(seen, bar.row, bar.from, bar.until));
      const told = picture.dots.filter(({ row, at }) => isSeen(seen, row, at, at));
      for (const { number } of visible) met.add(number);
      assert.ok(
        seen.drawn <= visible.length + told.length,
        `${seen.drawn} drawn of ${visible.length} that are in view`,
      );
      assert.ok(seen.drawn >= visible.length, `${seen.drawn} drawn, ${visible.length} are in view`);
      // Each with its tick; a line for each row; an axis of so many pixels; a mark.
      const most = 2 * visible.length + told.length + picture.rows.length + seen.width / 70 + 2;
      assert.ok(seen.filled <= most, `${seen.filled} shapes, and ${visible.length} are in view`);
      await page.evaluate(`(${wheel})(${step})`);
    }
    assert.equal(met.size, picture.bars.length);
  });

  it('shows only the requests that matter when asked, with the reason, and all again', async () => {
    await page.getByText('With these alone it broke again.').waitFor();
    await page.locator('#picture').focus();
    await page.keyboard.press('m');
    const few = await view();
    // The watch, three writes, and as many events of the watch as pixels can tell apart.
    assert.ok(few.drawn >= 4 && few.rows[1] <= 4, JSON.stringify(few));
    await page.keyboard.press('Home');
    const numbers: string[] = [];
    for (let at = 0; at < 2; at++) {
      numbers.push(/^#\d+/.exec(await page.locator('#chosen').innerText())?.[0] ?? '');
      await page.keyboard.press('b');
    }
    assert.deepEqual(numbers, ['#0', '#5001']);
    assert.match(
      await page
        .getByLabel(/Only the requests that matter: 4 of 10001/)
        .isChecked()
        .then(String),
      /true/,
    );
    await page.getByLabel(/Only the requests that matter/).click();
    await page.locator('#picture').focus();
    assert.equal((await view()).rows[1], picture.rows.length);
  });

  it('tells as whom a client asked, what had to be refused, and what of which type and where', async () => {
    await page.keyboard.press('Home');
    assert.match(
      await page.locator('#chosen').innerText(),
      /^#1 client 0 as reader: .*\n.*\nreader has no right to it: it has to be refused/,
    );
    await page.keyboard.press('ArrowDown');
    assert.match(await page.locator('#chosen').innerText(), /^#2 client 1 as writer: PUT leases\/b in m\n\/apis/);
  });

  it('tells by colours what was written, read, refused and broken, in light and in dark', async () => {
    await page.keyboard.press('b');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await view();
      const wanted = await page.evaluate<readonly string[]>(
        `[...document.querySelectorAll('.legend i')].slice(0, 4).map((each) => getComputedStyle(each).backgroundColor)`,
      );
      assert.equal(new Set(wanted).size, 4);
      const met = await page.evaluate<readonly string[]>(`(() => {
        const canvas = document.getElementById('picture');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const all = new Set();
        for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) all.add('rgb(' + data[at] + ', ' + data[at + 1] + ', ' + data[at + 2] + ')');
        return [...all];
      })()`);
      for (const colour of wanted) assert.ok(met.includes(colour), `${colour} is not drawn in ${colorScheme}`);
    }
    await page.emulateMedia({ colorScheme: 'light' });
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
    assert.match(title, /^#\d+ (GET|PUT) (configmaps\/a in n|leases\/b in m) as (reader|writer) /);
  });

  it('needs no network, and takes what a server said for text', () => assert.deepEqual(trouble, []));

  interface View {
    readonly drawn: number;
    readonly filled: number;
    readonly left: number;
    readonly span: number;
    /** First row in view, and the first that is not. */
    readonly rows: readonly [number, number];
    /** Pixels. */
    readonly width: number;
  }
  async function view(): Promise<View> {
    const read = `(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const canvas = document.getElementById('picture');
      const { drawn, left, span, rows } = canvas.dataset;
      return { drawn: +drawn, filled: window.filled, left: +left, span: +span, rows: rows.split(' ').map(Number), width: canvas.clientWidth };
    })()`;
    return page.evaluate<View>(read);
  }
  const isSeen = ({ rows: [first, after], left, span }: View, row: number, from: number, until: number): boolean =>
    row >= first && row < after && until >= left && from <= left + span;
});

it('gives a client a further row for what it asks at the same time, and watches rows of their own', () => {
  const asked = { type: 'operation', client: 'ann', method: 'GET', path: '/x', status: 200 } as const;
  const two: HistoryEntry[] = [
    { ...asked, number: 1, start: 0, end: 9 },
    { ...asked, number: 2, start: 3, end: 5 },
    { ...asked, number: 3, start: 10, status: undefined },
    { ...asked, number: 4, start: 20, end: 21 },
  ];
  const { rows, bars, dots } = pictureOf([...two, ...story(200)], []);
  assert.deepEqual(rows.slice(0, 2), ['ann', 'ann (2)']);
  assert.ok(rows.includes('watcher, watches'));
  const [first, , third] = bars;
  // What nobody answered lasts until the client goes on.
  assert.deepEqual([first?.until, third?.row, third?.until], [9, 0, 20]);
  assert.equal(dots.length, 20);
  // What others recorded may name what cannot be decoded.
  const odd = pictureOf([{ ...asked, number: 1, start: 0, path: '/api/v1/%zz/a' }], []);
  assert.equal(odd.bars[0]?.about, '/api/v1/%zz/a');
});
