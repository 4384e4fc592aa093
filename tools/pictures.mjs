// Makes pictures of docs/images anew: `node tools/pictures.mjs failure`. A command is run as somebody would at a
// terminal of 110 columns, and what it printed is drawn by Chromium; a page is taken as Chromium shows it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { root } from './build.mjs';

const CHROMIUM = '/usr/bin/chromium';
const COMMAND = join(root, 'cli/launch.mjs');
const LAUNCH = 'npx touchstone serve --mutant conflict-becomes-last-write-wins {flags}';
/** What is printed, by the words of the command. */
const PRINTED = {
  failure: ['run', '--launch', LAUNCH, '--only', 'UPDATE-VERSION-02.3'],
  run: ['run'],
};
/** What is shown, by what stands behind the address of the page of `learn`. */
const SHOWN = {
  learn: '#01-apply-conflict/2',
};

const all = [...Object.keys(PRINTED), ...Object.keys(SHOWN)];
const names = process.argv.length > 2 ? process.argv.slice(2) : all;
const unknown = names.find((name) => !all.includes(name));
if (unknown) throw new Error(`there is no picture ${unknown}; there are ${all.join(', ')}`);
const scratch = mkdtempSync(join(tmpdir(), 'touchstone-picture-'));
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
try {
  for (const name of names) {
    const path = join(root, `docs/images/${name}.png`);
    if (name in PRINTED) await takePrinted(PRINTED[name], path);
    else await takeShown(SHOWN[name], path);
  }
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}

/** Runs the command. @returns what it printed */
function printed(args) {
  const { stdout } = spawnSync(process.execPath, [COMMAND, ...args], {
    cwd: scratch,
    encoding: 'utf8',
    env: { ...process.env, COLUMNS: '110' },
    input: '',
  });
  return stdout;
}

async function takePrinted(args, path) {
  const run = args.map((each) => each.replace('npx touchstone', `${process.execPath} ${COMMAND}`));
  const stdout = printed([...run, '--output', 'reports/out']);
  const shown = args.map((each) => (/[\s{]/.test(each) ? `'${each}'` : each)).join(' ');
  const page = await browser.newPage({ viewport: { width: 1280, height: 200 } });
  await page.setContent(
    drawn(`$ npx touchstone ${shown}`, stdout.replaceAll(`${process.execPath} ${COMMAND}`, 'npx touchstone')),
  );
  await page.locator('pre').screenshot({ path });
  await page.close();
}

async function takeShown(fragment, path) {
  printed(['learn', '--export', 'site']);
  const page = await browser.newPage({ viewport: { width: 1280, height: 1280 }, colorScheme: 'light' });
  await page.goto(`${pathToFileURL(join(scratch, 'site/index.html')).href}${fragment}`);
  await page
    .locator('#said')
    .getByText(/Step \d+ of/)
    .waitFor();
  await page.screenshot({ path });
  await page.close();
}

function drawn(command, text) {
  const escaped = (line) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const coloured = (line) => {
    const colour = /^\s*[✗-]/.test(line) ? '#ff7b72' : /^\s*[✓+]/.test(line) ? '#7ee787' : '#e6edf3';
    return `<span style="color:${colour}">${escaped(line)}</span>`;
  };
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => coloured(line.trimEnd()))
    .join('\n');
  const style = 'margin:0;padding:16px 20px;background:#0d1117;color:#fff;font:14px/1.45 "DejaVu Sans Mono",monospace';
  return `<!doctype html><body style="margin:0"><pre style="${style};width:max-content;max-width:1240px;white-space:pre-wrap"><b>${escaped(command)}</b>\n${lines}</pre>`;
}
