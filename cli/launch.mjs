#!/usr/bin/env node
// The `touchstone` command in a checkout: installs what is missing, builds what changed, then runs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale, root } from '../tools/build.mjs';

const USAGE_ERROR = 64;
const OUR_BUG = 70;
/** Names the folder of the bundle to a process that another one of ours starts. */
const BUILT = 'TOUCHSTONE_BUILT';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`touchstone needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(USAGE_ERROR);
}
if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) {
  console.error('Installing dependencies (once) …');
  const { spawnSync } = await import('node:child_process');
  const install = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (install.status !== 0) {
    console.error('Installing the dependencies failed; run "npm install" in the checkout to see why.');
    process.exit(OUR_BUG);
  }
}

try {
  // What we start ourselves runs what we run: it need not look for changes again.
  const given = process.env[BUILT] ?? '';
  const built = given.startsWith(join(root, 'dist')) && existsSync(given) ? given : await buildIfStale();
  process.env[BUILT] = built;
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'serve') {
    // The reference starts in a moment, and would not if the harness had to be loaded first.
    const { serve } = await import(pathToFileURL(join(built, 'serve.js')).href);
    process.exitCode = await serve(rest);
  } else {
    const { main } = await import(pathToFileURL(join(built, 'main.js')).href);
    process.exitCode = await main(process.argv.slice(2));
  }
} catch (error) {
  console.error(`touchstone failed: ${error instanceof Error ? error.message : String(error)}`);
  if (process.env.TOUCHSTONE_DEBUG && error instanceof Error) console.error(error.stack);
  process.exitCode = OUR_BUG;
}
