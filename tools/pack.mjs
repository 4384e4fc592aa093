// Makes lib/, what the package is: everything that the checkout builds or compiles when it runs, made beforehand.
// `npm pack` runs it. All but the checks is bundled; a check keeps its lines, since reports name the line it stands on.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { parse } from 'acorn';
import { transformSync } from 'amaro';
import { build, transform } from 'esbuild';
import { BUNDLED, root } from './build.mjs';
import { learnPage } from './learnPage.mjs';
import { standInOf, withoutPackages } from './packageTypes.mjs';

const LIB = join(root, 'lib');

/** What is started, or loaded by its name, beside what package.json exports. */
const STARTED = [
  'cli/main.ts',
  'cli/serve.ts',
  'cli/serve/mutantServers.ts',
  'reports/reporter.ts',
  'playwright.config.ts',
  // For what is written below.
  'cli/listChecks.ts',
  'cli/configSchema.ts',
  'cli/help.ts',
];

/** Folders of `suites/` that checks are written with; the others have the checks. */
const OF_CHECKS = ['harness', 'guarantees', 'accessQuestions'];

/** Packages that a user installs beside this one, or does without. */
const BESIDE = ['lmdb', 'fs-native-extensions', 'vitest', '@jest/globals'];

/** The source of each module that package.json exports: `./lib/cli/index.js` is made of `cli/index.ts`. */
function exportedSources() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.values(exports).flatMap((target) =>
    target.default ? [target.default.replace(/^\.\/lib\/(.*)\.js$/, '$1.ts')] : [],
  );
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

/** Every file of checks, and what stands beside them. */
function filesOfChecks() {
  return readdirSync(join(root, 'suites'), { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(root, 'suites', entry.name);
      if (!entry.isDirectory()) return [path];
      return filesIn(path).filter((file) => !OF_CHECKS.includes(entry.name) || file.endsWith('.spec.ts'));
    })
    .filter((file) => !file.endsWith('.test.ts'));
}

/** Where the packages stand that checks import, in `lib/`. */
const PACKAGES = 'packages';

/** `import … from './x.ts'`, and what only names types. */
const RELATIVE = /(\bfrom\s*|\bimport\s*\(?\s*)'(\.{1,2}\/[^']+)\.ts'/g;

/** What is imported of a package: `import { Agent } from 'undici'`. */
const OF_PACKAGE = /\bimport\s+([^'"]+?)\s+from\s*'((?!\.|node:|@playwright\/)[^']+)'/g;

/**
 * Writes the checks without their types, each on the lines that it has in its source.
 * @returns the modules that they import and that are no checks, and the names that they import of each package
 */
function writeChecks() {
  const all = filesOfChecks();
  const checks = new Set(all);
  const modules = new Set();
  const packages = new Map();
  for (const file of all) {
    const target = join(LIB, relative(root, file));
    mkdirSync(dirname(target), { recursive: true });
    if (!file.endsWith('.ts')) {
      cpSync(file, target);
      continue;
    }
    const { code } = transformSync(readFileSync(file, 'utf8'), { mode: 'strip-only' });
    for (const [, , path] of code.matchAll(RELATIVE)) {
      const imported = `${resolve(dirname(file), path)}.ts`;
      if (!checks.has(imported)) modules.add(relative(root, imported));
    }
    const own = code.replace(OF_PACKAGE, (statement, clause, name) => {
      packages.set(name, new Set([...(packages.get(name) ?? []), ...namesIn(clause, file)]));
      const path = relative(dirname(target), join(LIB, PACKAGES, `${name}.js`)).replaceAll('\\', '/');
      return statement.replace(`'${name}'`, `'${path}'`);
    });
    writeFileSync(target.replace(/\.ts$/, '.js'), onItsLines(own.replace(RELATIVE, "$1'$2.js'")));
  }
  return { modules: [...modules], packages };
}

/** Code with a space, or its line breaks and indentation, where comments and types stood: every token keeps its line. */
function onItsLines(code) {
  const tokens = [];
  parse(code, { ecmaVersion: 'latest', sourceType: 'module', onToken: tokens });
  let end = 0;
  const kept = tokens.map((token) => {
    const between = code.slice(end, token.start);
    end = token.end;
    const lines = between.split('\n');
    const gap = lines.length > 1 ? '\n'.repeat(lines.length - 1) + /\s*$/.exec(lines.at(-1))[0] : between && ' ';
    return gap + code.slice(token.start, token.end);
  });
  return `${kept.join('')}\n`;
}

/** The names that a clause of an import takes from a package: `fc, { type Arbitrary }`. */
function namesIn(clause, file) {
  if (clause.includes('*')) throw new Error(`${file} imports all of a package; name what it takes`);
  const [, alone, braced = ''] = /^([^{,]*),?\s*(?:\{([^}]*)\})?$/.exec(clause.trim());
  const named = braced.split(',').map((each) => each.trim().split(/\s+as\s+/)[0]);
  return [...(alone.trim() === '' ? [] : ['default']), ...named.filter((name) => name !== '')];
}

/** Makes of each package that checks import a module with just the names that they take. */
const packagesOf = (packages) => ({
  name: 'packages of the checks',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^checks:/ }, ({ path }) => ({ path: path.slice('checks:'.length), namespace: 'checks' }));
    onLoad({ filter: /.*/, namespace: 'checks' }, ({ path }) => ({
      resolveDir: root,
      contents: `export { ${[...packages.get(path)].join(', ')} } from '${path}';`,
    }));
  },
});

/** Playwright has to be the one that runs the checks, wherever it is installed; `touchstone run` names it. */
const PLAYWRIGHT = {
  name: 'playwright of the run',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@playwright\/test$/ }, () => ({ path: 'playwright', namespace: 'run' }));
    onLoad({ filter: /.*/, namespace: 'run' }, () => ({
      resolveDir: root,
      contents: `
        import { createRequire } from 'node:module';
        const playwright = createRequire(import.meta.url)(process.env.TOUCHSTONE_PLAYWRIGHT ?? '@playwright/test');
        export const { test, expect, defineConfig, _baseTest = test } = playwright;
      `,
    }));
  },
};

/**
 * The HTTP client brings its parser twice: for processors with wide instructions, and for all. Where the first does not
 * load it takes the second.
 */
const ONE_PARSER = {
  name: 'one parser of the HTTP client',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]llhttp_simd-wasm\.js$/ }, () => ({
      contents: "throw new Error('left out of the package')",
    }));
  },
};

/** What other packages call their variables nobody reads; what we call ours stands in traces of faults. */
const SHORT_NAMES = {
  name: 'short names in packages',
  setup({ onLoad, initialOptions: { target } }) {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { target, minify: true, legalComments: 'none' });
      return { contents: code, loader: 'js' };
    });
  },
};

async function bundle(modules, packages) {
  const { metafile } = await build({
    ...BUNDLED,
    external: BESIDE,
    plugins: [...BUNDLED.plugins, PLAYWRIGHT, packagesOf(packages), ONE_PARSER, SHORT_NAMES],
    sourcemap: false,
    entryPoints: [
      ...[...new Set(modules)].sort().map((path) => ({ in: join(root, path), out: path.replace(/\.ts$/, '') })),
      ...[...packages.keys()].sort().map((name) => ({ in: `checks:${name}`, out: `${PACKAGES}/${name}` })),
    ],
    outdir: LIB,
    chunkNames: 'chunks/[name]-[hash]',
    metafile: true,
  });
  return Object.keys(metafile.inputs);
}

/** The licences of the packages whose code is in the bundles. */
function writeNotices(inputs) {
  const packages = inputs.flatMap((path) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[0] ?? []);
  const texts = [...new Set(packages)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const file = readdirSync(join(root, folder)).find((each) => /^licen[cs]e/i.test(each));
    const text = file ? readFileSync(join(root, folder, file), 'utf8').trim() : `Licence: ${license}`;
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  const head = 'Code of these packages is part of the files in lib/.\n';
  writeFileSync(join(LIB, 'THIRD-PARTY-NOTICES'), [head, ...texts].join(`\n${'-'.repeat(80)}\n\n`));
}

/** Declarations of what package.json exports, and of all that they name. */
function writeTypes(sources) {
  const config = join(LIB, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: root,
    outDir: join(LIB, 'types'),
    // Tests of ours that declare a module in words of their own are not part of it.
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const files = [...sources, ...declarationsOfOurs()].map((source) => join(root, source));
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] }));
  run(join(root, 'node_modules/.bin/tsc'), ['-p', config]);
  rmSync(config);
  const reached = new Set();
  for (const source of sources) reachTypes(join(LIB, 'types', source.replace(/\.ts$/, '.d.ts')), reached);
  for (const file of filesIn(join(LIB, 'types'))) if (!reached.has(file)) rmSync(file);
}

/** Of a declaration and all that it names: the sources of imports become what is in the package. */
function reachTypes(file, reached) {
  if (reached.has(file)) return;
  reached.add(file);
  const ours = readFileSync(file, 'utf8').replace(/(['"])(\.{1,2}\/[^'"]+)\.ts\1/g, (_, quote, path) => {
    reachTypes(`${resolve(dirname(file), path)}.d.ts`, reached);
    return `${quote}${path}.js${quote}`;
  });
  const text = withoutPackages(ours, (name) => {
    const standIn = join(LIB, 'types', PACKAGES, `${name}.d.ts`);
    mkdirSync(dirname(standIn), { recursive: true });
    writeFileSync(standIn, standInOf(name));
    reached.add(standIn);
    return relative(dirname(file), standIn.replace(/\.d\.ts$/, '.js')).replaceAll('\\', '/');
  });
  writeFileSync(file, text);
}

/** Declarations that stand in the source by themselves. */
function declarationsOfOurs() {
  return filesIn(join(root, 'reference'))
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => relative(root, file));
}

function run(command, args, env = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

/** What editors check a configuration file with. */
async function writeConfigSchema() {
  const [{ configSchema }, { COMMANDS }] = await Promise.all([load('cli/configSchema.js'), load('cli/help.js')]);
  writeFileSync(join(LIB, 'touchstone.schema.json'), `${JSON.stringify(configSchema(COMMANDS))}\n`);
}
const load = (path) => import(pathToFileURL(join(LIB, path)).href);

/** What checks there are: asking each file for them takes longer than most runs. */
async function writeListing() {
  const { writeListing: write } = await load('cli/listChecks.js');
  await write(join(LIB, 'checks.json.br'));
}

/** The page of `learn`, compressed: nothing else in the package is as large. @returns the paths of all that went into it */
async function writePage() {
  const { files, inputs } = await learnPage();
  mkdirSync(join(LIB, 'learn/page'), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(LIB, 'learn/page', `${name}.br`), brotliCompressSync(text));
  }
  return inputs;
}

rmSync(LIB, { recursive: true, force: true });
if (process.argv.includes('--remove')) process.exit(0);
const sources = exportedSources().filter((source) => existsSync(join(root, source)));
const { modules, packages } = writeChecks();
const bundled = await bundle([...STARTED, ...sources, ...modules], packages);
writeNotices([...bundled, ...(await writePage())]);
writeTypes(sources);
await writeConfigSchema();
await writeListing();
