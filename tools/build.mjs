// Bundles the command into dist/<stamp>/: main.js, serve.js, which starts without the harness, and mutants.cjs, which is
// loaded when a mutant is asked for. The stamp tells the
// state of the sources, so that a checkout is built once after each change, and two processes that start together cannot
// hurt each other.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { WRAPPER } from '../cli/loadBundle.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Folders of the sources that the command is made of. */
export const FOLDERS = [
  'cli',
  'tools',
  'reference',
  'mutants',
  'history',
  'diff',
  'proxy',
  'reports',
  'lifecycle',
  'fixtures',
  'learn',
  'embed',
  'storm',
  'suites/accessQuestions',
  'suites/crash',
  'suites/guarantees',
  'suites/harness',
  'suites/oracle',
  'suites/sequences',
];

/** Where runs write, beside the sources. */
const WRITTEN = join(root, 'reports/out');

/** The newest change and the number of the sources in folders, as text. */
export function stampOf(folders) {
  let newest = 0;
  let count = 0;
  const visit = (path) => {
    if (!/\.(ts|mjs|json|html|css)$/.test(path) || path.endsWith('.test.ts')) return;
    newest = Math.max(newest, statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    count++;
  };
  const visitAll = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) visit(path);
      else if (path !== WRITTEN) visitAll(path);
    }
  };
  for (const folder of folders) visitAll(join(root, folder));
  for (const file of ['package.json', 'playwright.config.ts']) visit(join(root, file));
  return `${Math.floor(newest).toString(36)}-${count.toString(36)}`;
}

/** The file for what checks there are, as they stand now. */
export function listingFile() {
  return join(root, 'dist', `checks-${stampOf(['suites', 'fixtures'])}.json`);
}

export const COMMON = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  // One file loads several times faster than a package of many; only what runs tools or loads code of the machine
  // stays outside.
  external: ['esbuild', '@playwright/*', 'fast-check', 'ajv', 'lmdb', 'fs-native-extensions'],
  // Less text to read at each start; names stay, for stacks.
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: 'linked',
  legalComments: 'none',
  logLevel: 'error',
};

/**
 * A package in the older module format that is loaded when needed would have its default export alone in a bundle of
 * several files: this gives it the names that it has in Node.
 */
const NAMES_AS_IN_NODE = {
  name: 'names as in Node',
  setup({ onResolve, onLoad, initialOptions: { external } }) {
    const isOutside = (path) =>
      path.startsWith('node:') ||
      external.some((name) => (name.endsWith('*') ? path.startsWith(name.slice(0, -1)) : path === name));
    onResolve({ filter: /^[^./]/, namespace: 'file' }, ({ path, kind }) =>
      kind === 'dynamic-import' && !isOutside(path) ? { path, namespace: 'whole' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'whole' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => /^[\w$]+$/.test(name));
      return { resolveDir: root, contents: `export { ${names.join(', ')} } from '${path}';` };
    });
  },
};

/** Modules that share what they have in common. */
export const BUNDLED = {
  ...COMMON,
  splitting: true,
  format: 'esm',
  plugins: [NAMES_AS_IN_NODE],
  // Packages in the older module format ask for Node's own modules by this name.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
};

/** The whole command. */
const mainBundle = (outdir) => ({ ...BUNDLED, entryPoints: [join(root, 'cli/main.ts')], outdir });

/** One file that is a script: compiled code can be kept of scripts only. */
const scriptBundle = (outdir, entry, name) => ({
  ...COMMON,
  entryPoints: [join(root, entry)],
  outfile: join(outdir, name),
  format: 'cjs',
  define: { 'import.meta.url': 'bundleUrl' },
  banner: { js: WRAPPER[0] },
  footer: { js: WRAPPER[1] },
});

/** The reference alone: it is started often. */
const serveBundle = (outdir) => scriptBundle(outdir, 'cli/serve.ts', 'serve.cjs');
/** The reference again, with the seams at which mutants break it, and the mutants. */
const mutantsBundle = (outdir) => scriptBundle(outdir, 'cli/serve/mutantServers.ts', 'mutants.cjs');

/** Says with which flags the engine runs in processes that live for a run of checks. */
const engineBundle = (outdir) => ({
  ...COMMON,
  entryPoints: [join(root, 'suites/harness/running/engine.ts')],
  format: 'esm',
  outfile: join(outdir, 'engine.js'),
});

/**
 * Keeps the compiled code of the reference, which imports nothing by itself as it runs: in code that was kept the engine
 * of Node 20 finds nobody to import for it. For a start that has to be quick, what a start calls; for a process that
 * lives for a run of checks, which calls most of it, all of it.
 */
async function keepCode(built) {
  const { OPTIMIZING_LATE } = await import(pathToFileURL(join(built, 'engine.js')).href);
  const script = join(root, 'cli/keepCode.mjs');
  const bundle = join(built, 'serve.cjs');
  const commands = [
    [script, bundle],
    ...(OPTIMIZING_LATE.length === 0 ? [] : [[...OPTIMIZING_LATE, script, bundle, '--all']]),
  ];
  const { spawn } = await import('node:child_process');
  await Promise.all(
    commands.map((args) => {
      const child = spawn(process.execPath, args, { cwd: root, stdio: 'ignore', timeout: 60_000 });
      return new Promise((resolve) => child.once('error', resolve).once('close', resolve));
    }),
  );
}

/** The module that stands for the bundle of the reference; that of the mutants waits until it is asked for. */
const SERVE = `import { fileURLToPath } from 'node:url';
import { loadBundle } from '../../cli/loadBundle.mjs';
const load = (name) => loadBundle(fileURLToPath(new URL(name, import.meta.url))).exports;
const { serve: serveOr } = load('./serve.cjs');
let mutants;
export const serve = (argv) => serveOr(argv, () => (mutants ??= load('./mutants.cjs')));
`;

/** Whether a folder is named for a process that is still there. */
function isInUse(name) {
  const [, id] = /^\.machine-(\d+)$/.exec(name) ?? [];
  if (id === undefined) return false;
  try {
    return process.kill(Number(id), 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Milliseconds after which nobody is starting any more with what was built, and no run is at work any more with checks. */
const OLD = 10 * 60_000;
const OLD_CHECKS = 60 * 60_000;

/**
 * Removes what was built before.
 * @param kept paths of what is not old however long it is there
 * @param names what its name begins with
 */
export function removeOld(kept, names = '') {
  const dist = join(root, 'dist');
  for (const name of readdirSync(dist)) {
    const old = join(dist, name);
    const age = Date.now() - (statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    const most = name.startsWith('suites-') ? OLD_CHECKS : OLD;
    // An older one may belong to a run of mutants by machine.
    if (name.startsWith(names) && !kept.includes(old) && age > most && !isInUse(name))
      rmSync(old, { recursive: true, force: true });
  }
}

/** Builds if the sources changed since the last build. Answers the folder of the bundle's entries. */
export async function buildIfStale() {
  const dist = join(root, 'dist');
  const stamp = stampOf(FOLDERS);
  const built = join(dist, stamp);
  if (statSync(join(built, 'main.js'), { throwIfNoEntry: false })) return built;

  const { build } = await import('esbuild');
  const scratch = join(dist, `.${process.pid}`);
  mkdirSync(scratch, { recursive: true });
  await Promise.all([mainBundle, serveBundle, mutantsBundle, engineBundle].map((bundle) => build(bundle(scratch))));
  writeFileSync(join(scratch, 'serve.js'), SERVE);
  try {
    renameSync(scratch, built);
    // Only now, since compiled code knows the path of its bundle. Who starts before it is there compiles for itself.
    await keepCode(built);
  } catch {
    // Another process was first; its build is as good.
    rmSync(scratch, { recursive: true, force: true });
  }
  removeOld([built, listingFile()]);
  return built;
}
