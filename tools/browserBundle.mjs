// Bundles code of the engine for browsers: each port by its half in reference/ports/browser/, and what a tab cannot do by
// the parts there that say so.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Ajv } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { root } from './build.mjs';

const BROWSER = join(root, 'reference/ports/browser');

/** Files that need a machine of their own. */
const ABSENT = new Set([
  'reference/transport/listener.ts',
  'reference/storage/etcd/openEtcd.ts',
  'reference/storage/durable/openDurable.ts',
  'reference/storage/encryption/encryption.ts',
  'reference/authentication/clientCertificate.ts',
]);

/**
 * Packages that few requests need, and what of the reference alone uses them: the functions and classes that others take of
 * each. Each part is a script of its own, which puts its exports under their names into `touchstoneParts`; `loaded` there
 * fetches it.
 */
export const PARTS = {
  expressions: {
    re2js: ['RE2JS'],
    'reference/cel/claimExpressions.ts': ['ExpressionFault', 'compileSubjectExpression', 'subjectValue'],
    'reference/cel/libraries/authorizer.ts': ['authorizerValue'],
    'reference/cel/libraries/structs.ts': ['Struct', 'withStructs'],
    'reference/cel/matchConditions.ts': ['compileMatchCondition', 'matchCondition', 'matchConditionScope'],
    'reference/cel/optional.ts': ['none', 'some'],
    'reference/cel/policyScopes.ts': ['PolicyScopes'],
    'reference/cel/program.ts': ['ExpressionScope'],
    'reference/cel/schemaType.ts': ['typeOfObject'],
    'reference/cel/values.ts': ['jsonOf'],
  },
  protobuf: { 'protobufjs/minimal.js': ['default'] },
  certificates: { '@peculiar/asn1-schema': ['AsnConvert'], '@peculiar/asn1-csr': ['CertificationRequest'] },
};
/** Folders that stand in a part, but for files that the engine has to have at once. */
const OF_PARTS = ['reference/cel/'];
const AT_ONCE = new Set(['reference/cel/declaredType.ts', 'reference/cel/escapeName.ts']);
const isOfPart = (name) => OF_PARTS.some((folder) => name.startsWith(folder)) && !AT_ONCE.has(name);

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

/** The path of what is imported, from the root. */
const fromRoot = (resolveDir, path) => relative(root, join(resolveDir, path)).replaceAll('\\', '/');

/** Leaves packages and files of other scripts to them. */
const parts = {
  name: 'parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) => {
      const name = fromRoot(resolveDir, path);
      if (!isOfPart(name)) return undefined;
      return PART_OF.has(name)
        ? { path: name, namespace: 'part', pluginData: kind }
        : { errors: [{ text: `${name} stands in a part, and PARTS does not say what is taken of it` }] };
    });
    onResolve({ filter: /^[@\w]/ }, ({ path, kind }) =>
      PART_OF.has(path) ? { path, namespace: 'part', pluginData: kind } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'part' }, ({ path, pluginData: kind }) => {
      const { part, exported } = PART_OF.get(path);
      const found = `globalThis.touchstoneParts.use(${JSON.stringify(part)}, ${JSON.stringify(path)})`;
      const isThere = `globalThis.touchstoneParts.has(${JSON.stringify(path)})`;
      // What is imported at the start cannot be there yet: its members are looked for when they are used. Until then
      // nothing can have been made by it.
      const value = (name) =>
        kind === 'dynamic-import'
          ? `${found}.${name}`
          : `new Proxy(function () {}, {
              get: (_, member) =>
                member === Symbol.hasInstance
                  ? (one) => ${isThere} && one instanceof ${found}.${name}
                  : ${found}.${name}[member],
              apply: (_, self, given) => Reflect.apply(${found}.${name}, self, given),
              construct: (_, given) => Reflect.construct(${found}.${name}, given),
            })`;
      const exporting = (name) => (name === 'default' ? 'export default' : `export const ${name} =`);
      return { contents: exported.map((name) => `${exporting(name)} ${value(name)};`).join('\n') };
    });
  },
};

/** Where a script beside the engine finds what it shares with it, by its path in this folder. */
const SHARED = 'engine';

/**
 * Takes the reference from the engine: of its classes and of what it remembers there is one of each in a tab.
 * @param isOwn says of a path whether the script has it itself
 */
const shared = (found, isOwn = () => false) => ({
  name: 'what the engine shares',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
      const name = fromRoot(resolveDir, path);
      if (!name.startsWith('reference/') || isOwn(name)) return undefined;
      found.add(name);
      return { path: name, namespace: 'shared' };
    });
    onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => ({
      contents: `module.exports = globalThis.touchstoneParts.use('${SHARED}', ${JSON.stringify(path)});`,
    }));
  },
});

/** Packages that scripts beside the engine take from it, and what they take of each. */
const OF_ENGINE = {
  'js-yaml': [
    ...['boolCoreTag', 'constructFromEvents', 'EVENT_ID', 'FAILSAFE_SCHEMA', 'getScalarValue', 'parseEvents'],
    'YAMLException',
  ],
};
const packagesOfEngine = {
  name: 'packages of the engine',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[@\w]/ }, ({ path }) =>
      Object.hasOwn(OF_ENGINE, path) ? { path, namespace: 'of-engine' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'of-engine' }, ({ path }) => ({
      contents: `module.exports = globalThis.touchstoneParts.use('${SHARED}', '${path}');`,
    }));
  },
};

/** Schemas are compiled here: a page may forbid to make code of text, and the compiler is larger than what it makes. */
const compiledSchemas = {
  name: 'schemas, compiled',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^ajv$/ }, ({ path }) => ({ path, namespace: 'compiled' }));
    onLoad({ filter: /.*/, namespace: 'compiled' }, () => {
      const schema = JSON.parse(readFileSync(join(root, 'lifecycle/history.schema.json'), 'utf8'));
      const ajv = new Ajv({ allErrors: true, strict: false, code: { source: true, esm: true } });
      const code = standaloneCode.default(ajv, ajv.compile(schema));
      return { resolveDir: root, contents: `${code}\nexport class Ajv { compile() { return validate; } }` };
    });
  },
};

/** In scripts beside the engine compression is a package, and other modules of Node are there to say that they are not. */
const ofNode = {
  name: 'modules of Node',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'node' }));
    onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => ({
      resolveDir: root,
      contents:
        path === 'node:zlib'
          ? "export { gunzipSync, gzipSync } from 'fflate';"
          : `const refuse = () => { throw new Error('${path}: a tab of a browser cannot'); };
             module.exports = new Proxy({}, { get: () => refuse });`,
    }));
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

/** Contexts follow waits through promises alone; see reference/ports/browser/context.ts. */
const THROUGH_PROMISES = { 'async-await': false, 'async-generator': false, 'for-await': false };

/**
 * Bundles the engine of a tab.
 * @param shares paths of modules that scripts beside it use
 * @returns the script, and the paths of all that went into it
 */
export async function engineBundle(entry, shares = []) {
  const { outputFiles, metafile } = await build({
    ...COMMON,
    stdin: {
      contents: [
        `import './${entry}';`,
        // Scripts beside it have no other.
        'globalThis.Buffer = Buffer;',
        ...Object.entries(OF_ENGINE).map(
          ([name, taken]) =>
            `import { ${taken} } from '${name}'; globalThis.touchstoneParts.keep('${name}', { ${taken} });`,
        ),
        ...shares.map(
          (path, index) =>
            `import * as m${index} from './${path}'; globalThis.touchstoneParts.keep('${path}', m${index});`,
        ),
      ].join('\n'),
      resolveDir: root,
    },
    inject: [join(BROWSER, 'buffers.ts')],
    plugins: [halves, parts],
    supported: THROUGH_PROMISES,
  });
  return { script: outputFiles[0].text, inputs: metafile.inputs };
}

/**
 * Bundles a module that works on the engine, as a script beside it, which hands over what the module exports.
 * @returns the script, and the paths of the modules that the engine has to share with it
 */
export async function besideBundle(entry) {
  const shares = new Set();
  const { outputFiles } = await build({
    ...COMMON,
    stdin: {
      contents: `import * as own from './${entry}'; globalThis.touchstoneParts.keep('${entry}', own);`,
      resolveDir: root,
    },
    plugins: [shared(shares), packagesOfEngine, compiledSchemas, ofNode],
    supported: THROUGH_PROMISES,
  });
  return { script: outputFiles[0].text, shares: [...shares].sort() };
}

/**
 * Bundles one of {@link PARTS}: a script that hands over what its packages and files export.
 * @returns the script, and the paths of the modules that the engine has to share with it
 */
export async function partBundle(part) {
  const shares = new Set();
  const address = (name) => (isOfPart(name) ? `./${name}` : name);
  const { outputFiles } = await build({
    ...COMMON,
    stdin: {
      contents: Object.keys(PARTS[part])
        .map(
          (name, index) =>
            `import * as p${index} from '${address(name)}'; globalThis.touchstoneParts.keep('${name}', p${index});`,
        )
        .join('\n'),
      resolveDir: root,
    },
    plugins: [shared(shares, isOfPart)],
  });
  return { script: outputFiles[0].text, shares: [...shares].sort() };
}

/** Bundles a script of the page itself. */
export async function pageBundle(entry) {
  const { outputFiles } = await build({ ...COMMON, entryPoints: [join(root, entry)] });
  return outputFiles[0].text;
}
