import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import { learn } from '../cli/commands/learn.ts';
import { html } from '../reports/html.ts';
import { resultOf } from '../reports/results.ts';
import { accessFindings } from '../reports/testing/accessFindings.ts';
import { keyboardWalk } from '../reports/testing/keyboardWalk.ts';
import { layoutFaults } from '../reports/testing/layoutFaults.ts';
import { againstPicture, differingPixels } from '../reports/testing/pictures.ts';
import { sampleRun } from '../reports/testing/sampleRun.ts';
import { readScenarios } from './library.ts';
import { type LearnServer, serveLearn } from './server.ts';
import { type Site, siteOf } from './site.ts';
import { builtSite } from './testing/builtSite.ts';

const CHROMIUM = '/usr/bin/chromium';
const skip = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM} on this machine`;
const WIDTHS = [390, 768, 1280];
const SCHEMES = ['light', 'dark'] as const;

/** All stories, and as many of them as these tests need: of what merges, is refused, is watched, and is judged. */
const ALL = readScenarios(join(import.meta.dirname, '../fixtures/scenarios'));
const SHOWN = ['01-apply-conflict', '02-sharing', '08-list-then-watch', '121-release-history'];
const FEW = ALL.filter(({ name }) => SHOWN.includes(name));

/** A story of somebody's own: what it shows changes only with the page. */
const OWN = {
  title: 'One of two wins',
  about: 'Two write the same object at the same version.',
  question: 'What if the second asks for no version?',
  statements: ['1/updating-and-patching/1'],
  broken: { mutant: 'conflict-becomes-last-write-wins', step: 2, look: 'The second write wins.' },
  steps: [
    {
      title: 'The author makes it',
      look: 'It begins with a version.',
      who: 'author',
      request: 'POST /api/v1/namespaces/default/configmaps',
      body: { metadata: { name: 'a' }, data: { by: 'author' } },
      expect: 201,
    },
    {
      title: 'The rival is late',
      who: 'rival',
      request: 'PUT /api/v1/namespaces/default/configmaps/a',
      body: { metadata: { name: 'a', resourceVersion: '1' }, data: { by: 'rival' } },
      expect: 409,
    },
  ],
};

describe('the page of learn, as people use it', { skip }, () => {
  const scratch = mkdtempSync(join(tmpdir(), 'learn-page-'));
  const trouble: string[] = [];
  let site: Site;
  let browser: Browser;
  let page: Page;
  const addressOf = (folder: string) => pathToFileURL(join(scratch, folder, 'index.html')).href;
  const status = (text: string | RegExp, on = page) => on.locator('#said').getByText(text).waitFor();
  const kept = (folder: string, files: Iterable<readonly [string, string]>) => {
    mkdirSync(join(scratch, folder), { recursive: true });
    for (const [name, text] of files) writeFileSync(join(scratch, folder, name), text);
  };
  const seen = async (width: number, colorScheme: 'light' | 'dark' = 'light') => {
    await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  };
  /** Opens a page anew, and waits for its first step. */
  const open = async (address: string, said: string | RegExp = /Step \d+ of/) => {
    await page.goto('about:blank');
    await page.goto(address);
    await status(said);
  };
  const story = (fragment: string) => open(`${addressOf('site')}#${fragment}`);
  /** Goes to a step of a story by its link, in the page that is open where that has the few stories. */
  const goTo = async (fragment: string) => {
    if (page.url().split('#')[0] !== addressOf('site')) return story(fragment);
    await page.evaluate(`{
      document.getElementById('said').textContent = '';
      history.replaceState(null, '', ${JSON.stringify(`#${fragment}`)});
      dispatchEvent(new HashChangeEvent('hashchange'));
    }`);
    await status(/Step \d+ of/);
  };

  before(async () => {
    site = await builtSite(FEW);
    kept('site', site);
    kept('all', siteOf(Object.fromEntries(site), ALL));
    kept('stories', [['own.yaml', JSON.stringify(OWN)]]);
    await learn(['--stories', join(scratch, 'stories'), '--export', join(scratch, 'own')]);
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-background-networking'],
    });
    page = await browser.newPage({ acceptDownloads: true });
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
  });
  after(async () => {
    await browser?.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  describe('how it looks', () => {
    for (const width of WIDTHS) {
      it(`is well laid out and can be used by everybody, ${width} pixels wide`, async () => {
        await seen(width);
        // What is wider than the page scrolls in its place.
        await goTo('08-list-then-watch/4');
        assert.deepEqual(await layoutFaults(page), []);
        await goTo('121-release-history/3');
        assert.deepEqual(await layoutFaults(page), []);
        if (width !== 768) assert.deepEqual(await accessFindings(page), []);
        await goTo('02-sharing/2');
        assert.deepEqual(await layoutFaults(page), []);
        await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
        for (const scheme of SCHEMES) {
          await seen(width, scheme);
          assert.deepEqual(await layoutFaults(page), [], scheme);
          // It looks at colours and names, which are those of the other widths.
          if (width !== 768) assert.deepEqual(await accessFindings(page), [], scheme);
        }
      });

      it(`has room for a broken server and for another step beside a story, ${width} pixels wide`, async () => {
        await seen(width);
        for (const beside of ['broken', 'step:1', 'flag:--release=1.20']) {
          await goTo(`01-apply-conflict/2&beside=${encodeURIComponent(beside)}`);
          await page.getByRole('heading', { name: /^Beside it: / }).waitFor();
          assert.deepEqual(await layoutFaults(page), [], beside);
          const [own, other] = await Promise.all(['#left', '#other'].map((id) => page.locator(id).boundingBox()));
          assert.ok(own && other);
          if (width > 720) assert.ok(own.x + own.width <= other.x && own.y === other.y, `${beside} stands below`);
          else assert.ok(own.y + own.height <= other.y, `${beside} stands to the right`);
        }
      });
    }

    for (const [width, scheme] of [
      [1280, 'light'],
      [390, 'dark'],
    ] as const) {
      it(`looks the same each time, and as it did, ${scheme}, ${width} pixels wide`, async (test) => {
        await seen(width, scheme);
        await open(`${addressOf('own')}#own/2`);
        const once = await page.screenshot();
        await open(`${addressOf('own')}#own/2`);
        assert.equal(await differingPixels(page, once, await page.screenshot()), 0);
        const found = await againstPicture(page, `learn-${width}-${scheme}`);
        if (found?.isOther) test.skip(found.sentence);
        else assert.equal(found?.sentence, undefined);
      });
    }

    it('hides steps of a long timeline behind the names of its rows', async () => {
      await seen(390);
      await goTo('08-list-then-watch/5');
      const [frame, name] = await Promise.all(['#lanes', '#steps th'].map((at) => page.locator(at).boundingBox()));
      assert.ok(Number(await page.evaluate("document.getElementById('lanes').scrollLeft")) > 0, 'it does not scroll');
      assert.equal(name?.x, frame?.x);
    });

    it('has room for all stories', async () => {
      await open(`${addressOf('all')}#02-sharing/2`);
      for (const width of [390, 1280]) {
        await seen(width);
        await page.evaluate("document.getElementById('library').open = true");
        assert.deepEqual(await layoutFaults(page), []);
      }
    });

    it('moves nothing for whoever wants no motion', async () => {
      await goTo('01-apply-conflict/1');
      const moving = () =>
        page.evaluate<number>(
          `[...document.querySelectorAll('*')].filter((each) => getComputedStyle(each).transitionDuration.split(', ').some((one) => parseFloat(one) > 0) || getComputedStyle(each).animationName !== 'none').length`,
        );
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      assert.ok((await moving()) > 0, 'nothing moves for anybody');
      await page.emulateMedia({ reducedMotion: 'reduce' });
      assert.equal(await moving(), 0);
    });
  });

  describe('the keyboard', () => {
    for (const width of [390, 1280]) {
      it(`comes to everything by Tab, and to one of all stories, ${width} pixels wide`, async () => {
        await seen(width);
        await open(`${addressOf('all')}#08-list-then-watch/4`);
        const { stops, faults } = await keyboardWalk(page);
        assert.deepEqual(faults, []);
        assert.ok(stops.length < 60, `${stops.length} stops: ${stops.join(', ')}`);
      });
    }

    it('skips to the step', async () => {
      await story('01-apply-conflict/1');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.equal(await focused(), 'step');
      await page.keyboard.press('ArrowRight');
      await status('Step 2 of 3');
    });

    it('keeps its place while steps are gone through, and leaves what can do no more', async () => {
      await goTo('01-apply-conflict/1');
      await page.locator('#steps button').first().focus();
      await page.keyboard.press('ArrowRight');
      await status('Step 2 of 3');
      assert.match(await page.evaluate("document.activeElement.getAttribute('aria-label')"), /^Step 2: /);
      await page.locator('#next').focus();
      await page.keyboard.press('Enter');
      await status('Step 3 of 3');
      assert.equal(await focused(), 'back');
    });

    it('goes through stories by arrows, from end to end', async () => {
      await goTo('01-apply-conflict/1');
      await page.keyboard.press('/');
      await page.keyboard.press('ArrowDown');
      const first = await page.evaluate<string>('document.activeElement.textContent');
      await page.keyboard.press('End');
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Playground');
      await page.keyboard.press('Home');
      assert.equal(await page.evaluate('document.activeElement.textContent'), first);
      await page.keyboard.press('ArrowUp');
      assert.equal(await focused(), 'find');
    });

    it('drags by keys', async () => {
      await goTo('08-list-then-watch/1');
      await page.locator('#slider').focus();
      for (const [key, step] of [
        ['ArrowRight', 2],
        ['End', 5],
        ['ArrowLeft', 4],
        ['Home', 1],
      ] as const) {
        await page.keyboard.press(key);
        await status(`Step ${step} of 5`);
        assert.match(
          (await page.locator('#slider').getAttribute('aria-valuetext')) ?? '',
          new RegExp(`^step ${step} of 5: `),
        );
        assert.equal(await focused(), 'slider');
      }
    });

    const focused = () => page.evaluate<string>('document.activeElement.id');
  });

  describe('trying', () => {
    it('forks at any step, keeps what was left, and goes back', async () => {
      await goTo('08-list-then-watch/1');
      for (let at = 1; at < 5; at++) {
        await page
          .locator('#steps button')
          .nth(at - 1)
          .click();
        await page.getByRole('button', { name: 'Fork here' }).click();
        await status(`Forked: what came after can be put beside it. Step ${at} of ${at}`);
        await page.getByRole('button', { name: 'Add a step after' }).click();
        await status(`Step ${at + 1} of ${at + 1}, answered 200`);
        await page.locator('#beside').selectOption({ label: 'the branch that was left' });
        await page.getByRole('heading', { name: 'Beside it: the branch that was left' }).waitFor();
        await page.locator('#beside').selectOption({ label: 'nothing' });
        await page.getByRole('button', { name: 'As in the story' }).click();
        await status(/Step \d of 5/);
      }
    });

    it('judges a release history, and another as the reader writes it', async () => {
      await goTo('121-release-history/3');
      await status('Step 3 of 5, the policy is broken.');
      const found = page.getByLabel('What was found of the history');
      await found.getByText('rule 4a').waitFor();
      assert.equal(await page.locator('#path').isVisible(), false, 'a history has no path');
      const history = page.getByLabel('releases, and what each served');
      const early = await history.inputValue();
      await history.fill(early.replace('1.3: {versions', '1.4: {versions'));
      await page.getByRole('button', { name: 'Judge this history' }).click();
      await status('Judged as you changed it. Step 3 of 5, the policy is kept.');
      await history.fill('releases: 3');
      await page.getByRole('button', { name: 'Judge this history' }).click();
      await found.getByText('line 1: releases').waitFor();
      await page.getByRole('button', { name: 'As in the story' }).click();
      await status('Step 3 of 5, the policy is broken.');
    });

    it('opens a story again as it was saved, with what was changed', async () => {
      await goTo('01-apply-conflict/2');
      const body = page.getByLabel('body', { exact: true });
      await body.fill((await body.inputValue()).replace('red', 'blue'));
      await page.getByLabel('seconds before').fill('5');
      await page.getByRole('button', { name: 'Run with this request' }).click();
      await status('Step 2 of 3, answered 200');
      const before = await page.evaluate(PLAYED);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as a story' }).click(),
      ]);
      assert.equal(download.suggestedFilename(), '01-apply-conflict.yaml');
      const file = join(scratch, 'saved.yaml');
      await download.saveAs(file);
      await goTo('08-list-then-watch/1');
      await page.locator('#file').setInputFiles(file);
      await status('Story: Two managers want the same field. Step 1 of 3');
      assert.deepEqual(await page.evaluate(PLAYED), before);
      // The file is one that a folder of stories can have, too.
      kept('again', [['saved.yaml', readFileSync(file, 'utf8')]]);
      kept('again/site', siteOf(Object.fromEntries(site), readScenarios(join(scratch, 'again'))));
      await open(addressOf('again/site'), 'Story: Two managers want the same field. Step 1 of 3');
      assert.deepEqual(await page.evaluate(PLAYED), before);
    });

    it('opens a story and kept requests that are dropped on it, and says what is wrong with another file', async () => {
      await goTo('01-apply-conflict/1');
      await drop('mine.yaml', JSON.stringify(OWN));
      await status('Story: One of two wins. Step 1 of 2, answered 201');
      const asked = { as: 'admin', method: 'GET', path: '/api/v1/namespaces' };
      await drop(
        'shortest-1.json',
        JSON.stringify({ format: 'touchstone.sequence/1', about: 'kept', servers: [], steps: [asked] }),
      );
      await status(/^Story: kept\. Step 1 of 3, answered 201/);
      await drop('picture.png', '\u0000PNG');
      await status(/^picture: /);
    });

    const PLAYED =
      'JSON.stringify(touchstone.playedNow().steps.map(({ answer, decisions, changes, at }) => ({ answer, decisions, changes, at })))';
    const drop = (name: string, text: string) =>
      page.evaluate(`{
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([${JSON.stringify(text)}], '${name}'));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      }`);
  });

  describe('stories of somebody’s own, and of a run', () => {
    const failing = sampleRun([{ outcome: 'fail', broken: ['a name is asked for'], statuses: [201] }]).map((event) =>
      JSON.parse(JSON.stringify(event).replaceAll('/namespaces/n/', '/namespaces/touchstone-r-1/')),
    );

    it('has those of --stories in place of ours', async () => {
      await open(addressOf('own'), 'Story: One of two wins. Step 1 of 2, answered 201');
      assert.deepEqual(await page.locator('#stories button').allInnerTexts(), ['One of two wins', 'Playground']);
    });

    it('has what failed in a run, of its folder', async () => {
      kept('run', [['events.ndjson', failing.map((event) => `${JSON.stringify(event)}\n`).join('')]]);
      await learn([join(scratch, 'run'), '--export', join(scratch, 'run/site')]);
      await open(addressOf('run/site'));
      const title = 'the author does 0 → it is seen';
      await page.getByRole('navigation').getByRole('button', { name: title }).click();
      await status(`Story: ${title}. Step 1 of 2`);
    });

    it('opens at the step that failed, by the link of the card in a report', async () => {
      kept('out', [['report.html', html(resultOf(failing))]]);
      kept('out/learn', site);
      await page.goto(pathToFileURL(join(scratch, 'out/report.html')).href);
      await page.getByRole('link', { name: 'Step through it on the reference' }).click();
      await status(/Step 2 of 2, answered 4\d\d/);
      assert.equal(page.url().split('#')[0], addressOf('out/learn'));
      assert.match(
        await page.locator('#look').innerText(),
        /^Here the check failed: a name is asked for\. The target answered 201\./,
      );
      assert.equal(await page.locator('#method').inputValue(), 'POST');
    });
  });

  describe('where it is put', () => {
    it('works over HTTP as from a disk, and asks nobody else', async () => {
      const server: LearnServer = await serveLearn(site, 0);
      const visitor = await browser.newPage();
      const asked = new Set<string>();
      visitor.on('request', (request) => asked.add(request.url()));
      visitor.on('pageerror', (error) => trouble.push(error.message));
      visitor.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
      try {
        const told: string[] = [];
        for (const [fragment, on] of [
          [`${server.base}/#01-apply-conflict/2&beside=broken`, visitor],
          [`${addressOf('site')}#01-apply-conflict/2&beside=broken`, page],
        ] as const) {
          await on.goto('about:blank');
          await on.goto(fragment);
          await on.locator('#otherwise').waitFor();
          told.push(await on.locator('main').innerText());
        }
        assert.equal(told[0], told[1]);
        const others = [...asked].filter(
          (url) => !url.startsWith(`${server.base}/`) && !/^(blob|data|about):/.test(url),
        );
        assert.deepEqual(others, []);
        // What the broken server needs is loaded only for it.
        assert.ok(asked.has(`${server.base}/mutants.js`));
      } finally {
        await visitor.close();
        await server.close();
      }
    });

    const OLD: Readonly<Record<string, readonly [file: string, text: string | undefined, said: RegExp]>> = {
      'that cannot read the script of the page': [
        'page.js',
        'let words = ahead of = it;',
        /^This browser cannot run the page, perhaps as it is too old\.$/,
      ],
      'that cannot read the server': [
        'engine.js',
        '(self.touchstoneScripts??={})["engine"]=function(){throw new SyntaxError("of tomorrow")};',
        /^The server of this tab has stopped: .*of tomorrow/,
      ],
      'without workers': ['stories.js', 'delete globalThis.Worker;', /^This browser has no workers/],
      'to which the server was not given': ['engine.js', undefined, /^engine\.js is missing beside the page/],
      'to which a story was not given': ['story_1.js', undefined, /^story_1\.js is missing beside the page/],
    };
    for (const [what, [file, text, said]] of Object.entries(OLD)) {
      it(`tells a browser ${what} so in a sentence`, async () => {
        const own = new Map(site);
        if (text === undefined) own.delete(file);
        else own.set(file, file === 'stories.js' ? `${text}${site.get(file)}` : text);
        kept(`old ${what}`, own);
        const old = await browser.newPage();
        await old.goto(addressOf(`old ${what}`));
        await status(said, old);
        await old.close();
      });
    }

    it('tells who has switched scripts off', async () => {
      const context = await browser.newContext({ javaScriptEnabled: false });
      const without = await context.newPage();
      await without.goto(addressOf('site'));
      assert.match(await without.locator('noscript').innerText(), /^This page needs JavaScript/);
      await without.locator('noscript .notice').waitFor();
      await context.close();
    });
  });

  it('met no fault', () => assert.deepEqual(trouble, []));
});
