import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { WRAPPER } from './instance.ts';
import { keyOf, type MachineMutant, type Module } from './mutants.ts';
import { type Planted, withMutants, withRecorders } from './plant.ts';

const EXTERNAL = ['esbuild', '@playwright/*', 'fast-check', 'ajv', 'lmdb', 'fs-native-extensions'];

/** Paths of the bundles of one run. */
export interface Bundles {
  /** The reference with all its mutants, none of which is in force until a number names it. */
  readonly mutated: string;
  /** The reference that keeps what is met in it. */
  readonly recording: string;
  /** The checks, and the process that puts them to a mutant. */
  readonly judge: string;
}

/**
 * Bundles the reference with these mutants, twice, and all checks.
 * @param numbers of the chosen mutants by their keys, from 1
 */
export async function bundle(
  root: string,
  modules: readonly Module[],
  numbers: ReadonlyMap<string, number>,
  folder: string,
): Promise<Bundles> {
  mkdirSync(folder, { recursive: true });
  const bundles = {
    mutated: join(folder, 'mutated.cjs'),
    recording: join(folder, 'recording.cjs'),
    judge: join(folder, 'judge.mjs'),
  };
  await Promise.all([
    reference(root, modules, numbers, withMutants, bundles.mutated),
    reference(root, modules, numbers, withRecorders, bundles.recording),
    checks(root, bundles.judge),
  ]);
  return bundles;
}

async function reference(
  root: string,
  modules: readonly Module[],
  numbers: ReadonlyMap<string, number>,
  plant: (text: string, planted: readonly Planted[]) => string,
  outfile: string,
): Promise<void> {
  const texts = new Map<string, string>();
  for (const { file, text, mutants } of modules) {
    const planted = mutants.flatMap((mutant: MachineMutant): Planted[] => {
      const number = numbers.get(keyOf(mutant));
      return number === undefined ? [] : [{ number, site: mutant.site }];
    });
    if (planted.length > 0) texts.set(join(root, file), plant(text, planted));
  }
  const planting: Plugin = {
    name: 'planting',
    setup(builder) {
      builder.onLoad({ filter: /[\\/]reference[\\/].*\.ts$/ }, ({ path }) => {
        const contents = texts.get(path);
        return contents === undefined ? undefined : { contents, loader: 'js' };
      });
    },
  };
  await build({
    entryPoints: [join(root, 'tools/machine/servers.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: EXTERNAL,
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: WRAPPER[0] },
    footer: { js: WRAPPER[1] },
    keepNames: true,
    legalComments: 'none',
    logLevel: 'error',
    plugins: [planting],
  });
}

/** Stands in for the runner, so that its checks can be run as we ask for them. */
async function checks(root: string, outfile: string): Promise<void> {
  const files = readdirSync(join(root, 'suites'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.spec.ts'))
    .sort();
  const contents = [...files.map((file) => `suites/${file}`), 'tools/machine/judge.ts']
    .map((file) => `import ${JSON.stringify(`./${file}`)};`)
    .join('\n');
  const standingIn: Plugin = {
    name: 'standing-in',
    setup(builder) {
      builder.onResolve({ filter: /^@playwright\/test$/ }, () => ({ path: join(root, 'tools/machine/runner.ts') }));
      // In a bundle a module's own place is that of the bundle.
      builder.onLoad({ filter: /[\\/](suites|reference|reports|fixtures|tools)[\\/].*\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (!text.includes('import.meta.')) return undefined;
        return { contents: text.replaceAll('import.meta.dirname', JSON.stringify(dirname(path))), loader: 'ts' };
      });
    },
  };
  await build({
    stdin: { contents, resolveDir: root, sourcefile: 'checks.ts', loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    sourcemap: 'linked',
    legalComments: 'none',
    logLevel: 'error',
    plugins: [standingIn],
  });
}
