// Bundles all checks, and what they are written with, into dist/suites-<stamp>/, so that a process of the runner loads
// one script, with what the engine made of it before, in place of some 700 modules that are transformed one by one:
//
// - checks.cjs is the bundle, checks.cjs.places tells of each place in it where it stands in the sources;
// - suites/ has a file for each file of checks, by the same name, which takes its checks out of the bundle;
// - playwright.config.ts and reports/reporter.ts are the runner's side, bundled too: the files are scripts by now,
//   whatever their names say.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { WRAPPER } from '../cli/loadBundle.mjs';
import { COMMON, FOLDERS, removeOld, root, stampOf } from './build.mjs';

const SUITES = join(root, 'suites');

/** Packages that have code of the machine, or that the runner has to share with the checks. */
const OUTSIDE = ['@playwright/*', 'lmdb', 'fs-native-extensions', 'esbuild'];

/** The folder of the bundle as the sources stand now. */
export function checksFolder() {
  return join(
    root,
    'dist',
    `suites-${stampOf([...FOLDERS.filter((folder) => !folder.startsWith('suites/')), 'suites'])}`,
  );
}

/** Bundles the checks if the sources changed since the last time. Answers the folder of the bundle. */
export async function bundleChecksIfStale() {
  const built = checksFolder();
  if (statSync(join(built, 'checks.cjs'), { throwIfNoEntry: false })) {
    // It is as old as its last use.
    utimesSync(built, new Date(), new Date());
    return built;
  }

  const scratch = join(root, 'dist', `.suites-${process.pid}`);
  mkdirSync(scratch, { recursive: true });
  writeFileSync(join(scratch, 'package.json'), '{"type":"commonjs"}\n');
  const files = filesOfChecks();
  await Promise.all([bundle(scratch, files), runnersSide(scratch)]);
  for (const file of files) writeDoor(scratch, file);
  try {
    renameSync(scratch, built);
    const keeping = [join(built, 'load.cjs'), '--keep-code'];
    spawnSync(process.execPath, keeping, { cwd: root, stdio: 'ignore', timeout: 60_000 });
  } catch {
    // Another process was first; its bundle is as good.
    rmSync(scratch, { recursive: true, force: true });
  }
  removeOld([built], 'suites-');
  return built;
}

/** The files of checks, from `suites/`. */
function filesOfChecks() {
  return readdirSync(SUITES, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.spec.ts'))
    .sort();
}

/** The file that stands for one of checks. */
function writeDoor(folder, file) {
  const path = join(folder, 'suites', file);
  mkdirSync(dirname(path), { recursive: true });
  const load = relative(dirname(path), join(folder, 'load.cjs')).replaceAll('\\', '/');
  writeFileSync(path, `require('${load}').load(${JSON.stringify(file)});\n`);
}

async function bundle(folder, files) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    ...COMMON,
    format: 'cjs',
    external: OUTSIDE,
    stdin: {
      contents: `export const checks = {\n${files.map((file) => `'${file}': () => require('./${file}'),`).join('\n')}\n};`,
      resolveDir: SUITES,
      loader: 'ts',
    },
    define: { 'import.meta.url': 'bundleUrl' },
    plugins: [PLACES_IN_SOURCES],
    banner: { js: WRAPPER[0] },
    footer: { js: WRAPPER[1] },
    outfile: join(folder, 'checks.cjs'),
    sourcemap: 'external',
    sourcesContent: false,
    write: false,
  });
  for (const { path, text } of outputFiles) {
    if (path.endsWith('.map')) writeFileSync(join(folder, 'checks.cjs.places'), placesOf(JSON.parse(text), folder));
    else writeFileSync(path, text);
  }
}

/** Folders of ours that the bundle has files of which ask where they stand. */
const PLACES_IN_SOURCES = {
  name: 'places in the sources',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]suites[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.dirname')) return undefined;
      return { contents: text.replaceAll('import.meta.dirname', JSON.stringify(dirname(path))), loader: 'ts' };
    });
  },
};

async function runnersSide(folder) {
  const { build } = await import('esbuild');
  const side = (file) => ({
    ...COMMON,
    format: 'cjs',
    external: OUTSIDE,
    entryPoints: [join(root, file)],
    outfile: join(folder, file),
    sourcemap: false,
  });
  await Promise.all([
    build({ ...side('playwright.config.ts'), define: { 'import.meta.filename': '"playwright.config.ts"' } }),
    build(side('reports/reporter.ts')),
    build({ ...side('tools/checksLoader.ts'), outfile: join(folder, 'load.cjs') }),
  ]);
}

/** Columns of the table of places: line and column in the bundle, the source, line and column in it. */
const COLUMNS = 5;

/**
 * What a source map tells of our own files, as suites/harness/running/inSources.ts reads it: a line of JSON with the sources,
 * then the table, in the order of the bundle.
 */
export function placesOf({ sources, mappings }, folder) {
  const rows = [];
  const own = sources.map((source) => !source.includes('node_modules/'));
  let source = 0;
  let line = 0;
  let column = 0;
  for (const [at, text] of mappings.split(';').entries()) {
    let atColumn = 0;
    for (const segment of text === '' ? [] : text.split(',')) {
      const [byColumn, bySource = 0, byLine = 0, byColumnThere = 0] = numbersIn(segment);
      atColumn += byColumn;
      source += bySource;
      line += byLine;
      column += byColumnThere;
      if (own[source]) rows.push(at + 1, atColumn + 1, source, line + 1, column + 1);
    }
  }
  const names = sources.map((path) => resolve(folder, path));
  const head = Buffer.from(`${JSON.stringify(names)}\n`);
  // The table begins where whole numbers of four bytes may stand.
  const padded = Buffer.concat([
    head.subarray(0, -1),
    Buffer.alloc((COLUMNS * 4 - (head.length % 4)) % 4, ' '),
    Buffer.from('\n'),
  ]);
  return Buffer.concat([padded, Buffer.from(Int32Array.from(rows).buffer)]);
}

const DIGITS = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((each, value) => [each, value]),
);

/** The numbers of a segment of a source map: six bits a letter, the lowest first, of which one tells that more follow. */
function numbersIn(segment) {
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (const letter of segment) {
    const digit = DIGITS.get(letter);
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}
