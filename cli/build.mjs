// Bundles the command into dist/<stamp>/: main.js, and serve.js, which starts without the harness. The stamp tells the state of the sources, so that a checkout
// is built once after each change, and two processes that start together cannot hurt each other.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const SOURCES = [
  'cli',
  'reference',
  'reports',
  'fixtures',
  'learn',
  'suites/guarantees',
  'suites/harness',
  'suites/mutants',
  'package.json',
];

/** The newest change and the number of the sources, as text. */
function stampOfSources() {
  let newest = 0;
  let count = 0;
  const visit = (path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return;
    if (stat.isDirectory()) {
      for (const name of readdirSync(path)) visit(join(path, name));
      return;
    }
    if (!/\.(ts|mjs|json|html|css)$/.test(path) || path.endsWith('.test.ts')) return;
    newest = Math.max(newest, stat.mtimeMs);
    count++;
  };
  for (const source of SOURCES) visit(join(root, source));
  return `${Math.floor(newest).toString(36)}-${count.toString(36)}`;
}

/** Builds if the sources changed since the last build. Answers the folder of the bundle's entries. */
export async function buildIfStale() {
  const dist = join(root, 'dist');
  const stamp = stampOfSources();
  const built = join(dist, stamp);
  if (statSync(join(built, 'main.js'), { throwIfNoEntry: false })) return built;

  const { build } = await import('esbuild');
  const scratch = join(dist, `.${process.pid}`);
  mkdirSync(scratch, { recursive: true });
  await build({
    entryPoints: [join(root, 'cli/main.ts'), join(root, 'cli/serve.ts')],
    outdir: scratch,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // One file loads several times faster than a package of many; only what runs tools or loads code of the machine
    // stays outside.
    external: ['esbuild', '@playwright/*', 'fast-check', 'ajv', 'lmdb', 'fs-native-extensions'],
    // Packages in the older module format ask for Node's own modules by this name.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    // Less text to read at each start; names stay, for stacks.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: 'linked',
    legalComments: 'none',
    logLevel: 'error',
  });
  try {
    renameSync(scratch, built);
  } catch {
    // Another process was first; its build is as good.
    rmSync(scratch, { recursive: true, force: true });
  }
  for (const name of readdirSync(dist)) {
    const old = join(dist, name);
    const age = Date.now() - (statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    // A young one may belong to a process that is just starting.
    if (name !== stamp && age > 10 * 60_000) rmSync(old, { recursive: true, force: true });
  }
  return built;
}
