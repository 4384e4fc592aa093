import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import { accessFindings } from './testing/accessFindings.ts';
import { keyboardWalk } from './testing/keyboardWalk.ts';
import { layoutFaults } from './testing/layoutFaults.ts';
import { againstPicture, differingPixels } from './testing/pictures.ts';
import { SAMPLE_PAGES } from './testing/samplePages.ts';

const CHROMIUM = '/usr/bin/chromium';
const skip = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM} on this machine`;
const WIDTHS = [390, 768, 1280];
const SCHEMES = ['light', 'dark'] as const;
/** Shows all that is folded. */
const UNFOLDED = "for (const each of document.querySelectorAll('details')) each.open = true";

describe('pages for people', { skip }, () => {
  let browser: Browser;
  let page: Page;
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-pages-'));
  before(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    page = await browser.newPage();
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });
  const seen = (width: number, colorScheme: 'light' | 'dark' = 'light') =>
    page
      .setViewportSize({ width, height: width < 500 ? 844 : 900 })
      .then(() => page.emulateMedia({ colorScheme, reducedMotion: 'reduce' }));

  describe('what looks at them', () => {
    const shown = (body: string) =>
      page.setContent(`<!doctype html><html lang="en"><title>t</title><main>${body}</main></html>`);

    it('finds a picture without words', async () => {
      await shown('<img src="data:,">');
      assert.match((await accessFindings(page)).join(), /image-alt/);
    });

    const FAULTY: Readonly<Record<string, readonly [body: string, told: RegExp]>> = {
      'a page that can be scrolled sideways': [
        '<div style="width: 500px; height: 1px">',
        /508 pixels wide, the screen 390/,
      ],
      'a text over the edge': ['<p style="margin-left: -20px">words', /p “words” reaches over the edge/],
      'a text that is cut': [
        '<p style="width: 40px; white-space: nowrap; overflow: hidden">many words',
        /p “many words” is cut/,
      ],
      'a text that stands out of its box': [
        '<p style="width: 40px; white-space: nowrap">many words',
        /p “many words” stands out of its box/,
      ],
      'texts over each other': ['<p>one<p style="margin-top: -2.2em">other', /p “other” lies over p “one”/],
      'a button over a text': ['<p>one<p style="margin-top: -2.2em"><button style="height: 30px">x', /lies over/],
      'a button too small': ['<button style="height: 12px; font-size: 8px">x', /smaller than 24 pixels/],
    };
    for (const [what, [body, told]] of Object.entries(FAULTY)) {
      it(`finds ${what}`, async () => {
        await seen(390);
        await shown(body);
        assert.match((await layoutFaults(page)).join('\n'), told);
      });
    }

    it('finds nothing where nothing is wrong', async () => {
      await shown(
        '<p>one<p>other<pre style="overflow: auto; width: 90px">a long line in a scroller</pre><button style="height: 30px">a button',
      );
      assert.deepEqual(await layoutFaults(page), []);
    });

    it('finds controls that are not seen to have the focus, that lie below others, and that Tab misses', async () => {
      await shown(
        `<button style="outline: 0">plain</button><button>below</button><div style="position: fixed; inset: 0">over</div><button tabindex="0" onfocus="this.blur()">shy</button>`,
      );
      const { stops, faults } = await keyboardWalk(page);
      assert.equal(stops.length, 2);
      assert.match(
        faults.join('\n'),
        /“plain” is not seen to be where one is\.(.|\n)*“below” is out of sight(.|\n)*“shy” is not come to by Tab/,
      );
    });

    it('tells pictures apart', async () => {
      await shown('<p>one');
      const one = await page.screenshot();
      await shown('<p>two');
      const two = await page.screenshot();
      assert.equal(await differingPixels(page, one, one), 0);
      assert.ok((await differingPixels(page, one, two)) > 10);
    });
  });

  for (const [name, made] of Object.entries(SAMPLE_PAGES)) {
    describe(name, () => {
      let address: string;
      before(async () => {
        const file = join(folder, `${name}.html`);
        writeFileSync(file, made());
        address = pathToFileURL(file).href;
      });
      const open = async (width: number, scheme: 'light' | 'dark') => {
        await seen(width, scheme);
        await page.goto('about:blank');
        await page.goto(address);
      };

      for (const width of WIDTHS) {
        it(`is well laid out and can be used by everybody, ${width} pixels wide, also with all that is folded opened`, async () => {
          await open(width, 'light');
          assert.deepEqual(await layoutFaults(page), []);
          await page.evaluate(UNFOLDED);
          for (const scheme of SCHEMES) {
            await seen(width, scheme);
            assert.deepEqual(await layoutFaults(page), [], scheme);
            // It looks at colours and names, which are those of the other widths.
            if (width !== 768) assert.deepEqual(await accessFindings(page), [], scheme);
          }
        });
      }

      for (const [width, scheme] of [
        [1280, 'light'],
        [390, 'dark'],
      ] as const) {
        it(`looks the same each time, and as it did, ${scheme}, ${width} pixels wide`, async (test) => {
          await open(width, scheme);
          const once = await page.screenshot();
          await open(width, scheme);
          assert.equal(await differingPixels(page, once, await page.screenshot()), 0);
          const found = await againstPicture(page, `${name.replaceAll(' ', '-')}-${width}-${scheme}`);
          if (found?.isOther) test.skip(found.sentence);
          else assert.equal(found?.sentence, undefined);
        });

        it(`can be gone through by Tab, ${width} pixels wide`, async () => {
          await open(width, scheme);
          const { stops, faults } = await keyboardWalk(page);
          assert.deepEqual(faults, []);
          assert.ok(stops.length > 0);
        });
      }
    });
  }
});
