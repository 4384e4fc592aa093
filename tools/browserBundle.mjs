// Bundles code of the engine for browsers: each port by its half in reference/ports/browser/, and what a tab cannot do by
// the parts there that say so.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { root } from './build.mjs';

const BROWSER = join(root, 'reference/ports/browser');

/** Files that need a machine of their own. */
const ABSENT = new Set([
  'reference/transport/listener.ts',
  'reference/storage/etcd/openEtcd.ts',
  'reference/storage/durable/openDurable.ts',
  'reference/storage/encryption/ciphers.ts',
]);

/**
 * Packages that few requests need. Each is a script of its own, which puts its exports under its name into
 * `touchstoneParts`; `load` there fetches it.
 */
export const PARTS = {
  expressions: {
    re2js: ['RE2JS'],
    '@marcbachmann/cel-js': ['Environment', 'Optional'],
    '@marcbachmann/cel-js/evaluator': ['Duration', 'UnsignedInt'],
  },
  protobuf: { 'protobufjs/minimal.js': ['default'] },
  certificates: { '@peculiar/asn1-schema': ['AsnConvert'], '@peculiar/asn1-csr': ['CertificationRequest'] },
};
const PART_OF = new Map(
  Object.entries(PARTS).flatMap(([part, packages]) =>
    Object.entries(packages).map(([name, exported]) => [name, { part, exported }]),
  ),
);

/** Takes the halves for browsers. */
const halves = {
  name: 'halves for browsers',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) => {
      if (kind === 'entry-point') return undefined;
      const full = join(resolveDir, path);
      const name = relative(root, full).replaceAll('\\', '/');
      if (ABSENT.has(name)) return { path: join(BROWSER, 'absent.ts') };
      const half = /^reference\/ports\/node\/(\w+\.ts)$/.exec(name)?.[1];
      if (half === undefined) return undefined;
      const own = join(BROWSER, half);
      return existsSync(own)
        ? { path: own }
        : { errors: [{ text: `${name} has no half in reference/ports/browser/` }] };
    });
  },
};

/** Leaves packages of other scripts to them. */
const parts = {
  name: 'parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[@\w]/ }, ({ path, kind }) =>
      PART_OF.has(path) ? { path, namespace: 'part', pluginData: kind } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'part' }, ({ path, pluginData: kind }) => {
      const { part, exported } = PART_OF.get(path);
      const found = `globalThis.touchstoneParts.use(${JSON.stringify(part)}, ${JSON.stringify(path)})`;
      // What is imported at the start cannot be there yet: its members are looked for when they are used.
      const value = (name) =>
        kind === 'dynamic-import'
          ? `${found}.${name}`
          : `new Proxy(function () {}, {
              get: (_, member) => ${found}.${name}[member],
              construct: (_, given) => Reflect.construct(${found}.${name}, given),
            })`;
      const exporting = (name) => (name === 'default' ? 'export default' : `export const ${name} =`);
      return { contents: exported.map((name) => `${exporting(name)} ${value(name)};`).join('\n') };
    });
  },
};

const COMMON = {
  absWorkingDir: root,
  bundle: true,
  platform: 'browser',
  format: 'iife',
  target: 'es2022',
  minify: true,
  legalComments: 'none',
  logLevel: 'error',
  write: false,
  metafile: true,
  define: { global: 'globalThis', 'process.env.NODE_ENV': '"production"' },
};

/**
 * Bundles the engine of a tab.
 * @returns the script, and the paths of all that went into it
 */
export async function engineBundle(entry) {
  const { outputFiles, metafile } = await build({
    ...COMMON,
    entryPoints: [join(root, entry)],
    inject: [join(BROWSER, 'buffers.ts')],
    plugins: [halves, parts],
    // Contexts follow waits through promises alone; see reference/ports/browser/context.ts.
    supported: { 'async-await': false, 'async-generator': false, 'for-await': false },
  });
  return { script: outputFiles[0].text, inputs: metafile.inputs };
}

/** Bundles one of {@link PARTS}: a script that hands over what its packages export. */
export async function partBundle(part) {
  const { outputFiles } = await build({
    ...COMMON,
    stdin: {
      contents: Object.keys(PARTS[part])
        .map(
          (name, index) =>
            `import * as p${index} from '${name}'; globalThis.touchstoneParts.keep('${name}', p${index});`,
        )
        .join('\n'),
      resolveDir: root,
    },
  });
  return outputFiles[0].text;
}

/** Bundles a script of the page itself. */
export async function pageBundle(entry) {
  const { outputFiles } = await build({ ...COMMON, entryPoints: [join(root, entry)] });
  return outputFiles[0].text;
}
