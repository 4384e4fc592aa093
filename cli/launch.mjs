#!/usr/bin/env node
// The `touchstone` command. In a package it runs what was built for it; in a checkout it installs what is missing and
// builds what changed before.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const USAGE_ERROR = 64;
const OUR_BUG = 70;
/** Names the folder of the bundle to a process that another one of ours starts. */
const BUILT = 'TOUCHSTONE_BUILT';
/** Names the file that keeps what checks there are; see cli/listChecks.ts. */
const LISTING = 'TOUCHSTONE_LISTING';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`touchstone needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(USAGE_ERROR);
}

/**
 * Paths of the modules of the command: the reference alone, which starts in a moment, or all. Where `mutants` is absent
 * the reference finds its mutants by itself.
 */
async function modules() {
  const builder = join(root, 'tools/build.mjs');
  if (!existsSync(builder)) {
    const [main, serve, mutants] = ['main.js', 'serve.js', 'serve/mutantServers.js'].map((name) =>
      join(root, 'lib/cli', name),
    );
    return { main, serve, mutants };
  }
  if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) await install();
  // What we start ourselves runs what we run: it need not look for changes again.
  const given = process.env[BUILT] ?? '';
  const { buildIfStale, listingFile } = await import(pathToFileURL(builder).href);
  const built = given.startsWith(join(root, 'dist')) && existsSync(given) ? given : await buildIfStale();
  process.env[BUILT] = built;
  if (process.argv[2] !== 'serve') process.env[LISTING] ??= listingFile();
  return { main: join(built, 'main.js'), serve: join(built, 'serve.js') };
}

async function install() {
  console.error('Installing dependencies (once) …');
  const { spawnSync } = await import('node:child_process');
  const npm = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (npm.status === 0) return;
  console.error('Installing the dependencies failed; run "npm install" in the checkout to see why.');
  process.exit(OUR_BUG);
}

try {
  const { main, serve, mutants } = await modules();
  const load = (path) => import(pathToFileURL(path).href);
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'serve') process.exitCode = await (await load(serve)).serve(rest, mutants && (() => load(mutants)));
  else process.exitCode = await (await load(main)).main(process.argv.slice(2));
} catch (error) {
  console.error(`touchstone failed: ${error instanceof Error ? error.message : String(error)}`);
  if (process.env.TOUCHSTONE_DEBUG && error instanceof Error) console.error(error.stack);
  process.exitCode = OUR_BUG;
}
