// Makes pictures of docs/images anew: `node tools/pictures.mjs failure`. A command is run as somebody would at a
// terminal of 110 columns, and what it printed is drawn by Chromium.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { root } from './build.mjs';

const CHROMIUM = '/usr/bin/chromium';
const LAUNCH = 'npx touchstone serve --mutant conflict-becomes-last-write-wins {flags}';
const PICTURES = {
  failure: ['run', '--launch', LAUNCH, '--only', 'UPDATE-VERSION-02.3'],
  run: ['run'],
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PICTURES);
const scratch = mkdtempSync(join(tmpdir(), 'touchstone-picture-'));
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
try {
  for (const name of names) {
    const args = PICTURES[name];
    if (!args) throw new Error(`there is no picture ${name}; there are ${Object.keys(PICTURES).join(', ')}`);
    const command = join(root, 'cli/launch.mjs');
    const run = args.map((each) => each.replace('npx touchstone', `${process.execPath} ${command}`));
    const { stdout } = spawnSync(process.execPath, [command, ...run, '--output', 'reports/out'], {
      cwd: scratch,
      encoding: 'utf8',
      env: { ...process.env, COLUMNS: '110' },
      input: '',
    });
    const shown = args.map((each) => (/[\s{]/.test(each) ? `'${each}'` : each)).join(' ');
    const text = stdout.replaceAll(`${process.execPath} ${command}`, 'npx touchstone');
    const page = await browser.newPage({ viewport: { width: 1280, height: 200 } });
    await page.setContent(drawn(`$ npx touchstone ${shown}`, text));
    await page.locator('pre').screenshot({ path: join(root, `docs/images/${name}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
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
  return `<!doctype html><body style="margin:0"><pre style="${style};width:1240px;white-space:pre-wrap"><b>${escaped(command)}</b>\n${lines}</pre>`;
}
