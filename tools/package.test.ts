import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
/** Bytes of the tarball at most. */
const MOST = 3_300_000;
const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
const PLAYWRIGHT = `@playwright/test@${manifest(ROOT).devDependencies?.['@playwright/test']}`;
/** One check that takes no time, and a mutant that no other is put to. */
const BRIEF = ['run', '--only', 'CHUNK-REMAINING-02', '--quiet', '--workers', '1'];
const MUTANT = 'last-chunk-counts-the-rest';

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command of somebody in a folder of theirs. */
function run(folder: string, command: string, args: readonly string[]): Promise<Ended> {
  const { TOUCHSTONE_BUILT: _, TOUCHSTONE_LISTING: __, NODE_OPTIONS: ___, ...env } = process.env;
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, { cwd: folder, env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      const status = error ? error.code : 0;
      if (typeof status === 'number') resolve({ status, stdout, stderr });
      else reject(error);
    });
    child.stdin?.end();
  });
}

async function must(folder: string, command: string, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await run(folder, command, args);
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}\n${stderr}`);
  return stdout;
}

/** Each file below a folder, with its size and when it was changed. */
function stateOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${relative(folder, path)} ${statSync(path).size} ${statSync(path).mtimeMs}`)
    .sort();
}

describe('the lock file', () => {
  it('is all that npm ci needs, on every platform, and names no registry', async () => {
    const place = mkdtempSync(join(tmpdir(), 'touchstone-lock-'));
    try {
      for (const name of ['package.json', 'package-lock.json']) cpSync(join(ROOT, name), join(place, name));
      await must(place, 'npm', 'ci', '--dry-run', '--ignore-scripts', ...QUIET);
      assert.ok(!readFileSync(join(place, 'package-lock.json'), 'utf8').includes('"resolved"'));
    } finally {
      rmSync(place, { recursive: true });
    }
  });
});

// Two cores are kept busy; each test has a folder of its own.
describe('the package', { concurrency: 3 }, () => {
  let scratch: string;
  let tarball: string;
  let project: string;

  before(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'touchstone-package-'));
    await must(ROOT, 'npm', 'pack', '--silent', '--pack-destination', scratch);
    tarball = join(scratch, `touchstone-${manifest(ROOT).version}.tgz`);
    project = folder('project');
    await must(project, 'npm', 'install', tarball, ...QUIET);
  });
  after(() => rmSync(scratch, { recursive: true, force: true }));

  /** An empty project. */
  function folder(name: string): string {
    const path = join(scratch, name);
    mkdirSync(path);
    writeFileSync(join(path, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }));
    return path;
  }
  const installed = (where = project) => join(where, 'node_modules/touchstone');
  const touchstone = (where = project) => join(where, 'node_modules/.bin/touchstone');
  const mine = (...args: readonly string[]) => must(project, touchstone(), ...args);

  it('is small and holds no source, no test and nothing of the checkout', () => {
    assert.ok(statSync(tarball).size <= MOST, `the tarball has ${statSync(tarball).size} bytes`);
    const paths = stateOf(installed()).map((line) => line.split(' ')[0] ?? '');
    const strange = paths.filter(
      (path) => (path.endsWith('.ts') && !path.endsWith('.d.ts')) || /\.test\.|testing\/|^(tools|bench)\//.test(path),
    );
    assert.deepEqual(strange, []);
    for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md', 'lib/THIRD-PARTY-NOTICES']) {
      assert.ok(paths.includes(name), `${name} is missing`);
    }
  });

  it('brings neither Playwright nor a bundler to who only wants the server', () => {
    const names = readdirSync(join(project, 'node_modules'));
    for (const name of ['@playwright', 'playwright', 'playwright-core', 'esbuild', 'tsx', 'typescript']) {
      assert.ok(!names.includes(name), `${name} is installed`);
    }
  });

  it('serves, explains and judges histories as installed', async () => {
    assert.equal((await mine('--version')).trim(), manifest(ROOT).version);
    assert.match(await mine('run', '--list', '--only', 'CHUNK-LIMIT-02'), /\d+ checks?$/m);
    await mine('doctor', '--as', 'jane', '--help');
    assert.match(await mine('lifecycle', 'plot', join(ROOT, 'docs/examples/timeline.yaml')), /^<svg/);
    assert.match(await mine('serve', '--embedded', '--mutant', MUTANT), /"ready":true/);
    assert.match(await mine('serve', '--embedded', '--data-dir', 'data'), /"ready":true/);
  });

  it('says in one sentence that the checks need Playwright', async () => {
    const { status, stdout, stderr } = await run(project, touchstone(), BRIEF);
    assert.equal(status, 64);
    assert.equal(stdout, '');
    assert.match(stderr, /^[^\n]*npm install --save-dev @playwright\/test\.\n$/);
  });

  it('runs checks below a global prefix, reports into the folder of the caller, and writes nothing in itself', async () => {
    const prefix = folder('prefix');
    await must(prefix, 'npm', 'install', '--global', '--prefix', prefix, tarball, PLAYWRIGHT, ...QUIET);
    const place = folder('elsewhere');
    const command = join(prefix, 'bin/touchstone');
    const before = stateOf(join(prefix, 'lib/node_modules/touchstone'));
    assert.match(await must(place, command, ...BRIEF), /1 check in [\d.]+ s: 1 pass/);
    await must(place, command, 'mutants', '--quiet', '--workers', '1', '--mutant', MUTANT);
    assert.deepEqual(stateOf(join(prefix, 'lib/node_modules/touchstone')), before);
    assert.ok(readdirSync(join(place, 'reports/out')).includes('report.html'));
    const events = readFileSync(join(place, 'reports/out/events.ndjson'), 'utf8');
    assert.match(events, /"check":"CHUNK-REMAINING-02\.1"/);
    assert.match(events, /"file":"suites\/1-conventions\/chunked-lists\/chunks\.spec\.js"/);
  });

  it('asks webhooks as the checkout does', async () => {
    const calls = ['run', '--only', 'FORCE-READABLE-01.2', '--quiet', '--workers', '1'];
    const place = folder('calls');
    await must(place, 'npm', 'install', tarball, PLAYWRIGHT, ...QUIET);
    assert.match(await must(place, touchstone(place), ...calls), /: 1 pass/);
  });

  it('gives packages in the older module format the names that they have in Node', () => {
    const chunks = join(installed(), 'lib/chunks');
    const without = readdirSync(chunks).filter((name) =>
      /export default require_\w+\(\);\s*$/.test(readFileSync(join(chunks, name), 'utf8')),
    );
    assert.deepEqual(without, []);
  });

  it('says in one sentence what a data directory needs where that was left out', async () => {
    const least = folder('least');
    await must(least, 'npm', 'install', tarball, '--omit=optional', ...QUIET);
    assert.deepEqual(
      readdirSync(join(least, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['touchstone'],
    );
    assert.match(await must(least, touchstone(least), 'serve', '--embedded'), /"ready":true/);
    const { status, stderr } = await run(least, touchstone(least), ['serve', '--embedded', '--data-dir', 'data']);
    assert.equal(status, 64);
    assert.equal(
      stderr,
      'touchstone serve: a data directory needs packages that are not installed: npm install lmdb fs-native-extensions\n',
    );
  });

  it('can be imported, with types', async () => {
    const place = folder('typed');
    await must(place, 'npm', 'install', tarball, PLAYWRIGHT, ...QUIET);
    const { exports } = manifest(installed(place));
    const names = Object.entries(exports).filter(([, target]) => typeof target !== 'string');
    const lines = names.map(([name], index) => `import * as m${index} from 'touchstone${name.slice(1)}';`);
    const told = `console.log([${names.map((_, index) => `Object.keys(m${index}).length > 0`).join(', ')}].join());`;
    writeFileSync(join(place, 'use.mjs'), `${lines.join('\n')}\n${told}\n`);
    assert.equal((await must(place, process.execPath, 'use.mjs')).trim(), names.map(() => 'true').join());

    writeFileSync(join(place, 'use.ts'), TYPED);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types')];
    const check = (...files: readonly string[]) =>
      must(place, join(ROOT, 'node_modules/.bin/tsc'), ...options, ...types, '--skipLibCheck', 'false', ...files);
    await check('use.ts');
    // Nobody but the harness asks for Playwright.
    rmSync(join(place, 'node_modules/@playwright'), { recursive: true });
    const others = lines.filter((line) => !line.includes('/harness'));
    writeFileSync(join(place, 'others.ts'), `${others.join('\n')}\nexport {};\n`);
    await check('others.ts');
  });

  it('runs where pnpm installed it', async (context) => {
    const place = folder('pnpm');
    const pnpm = ['--yes', '--prefer-offline', '--package=pnpm@10.12.1', '--', 'pnpm'];
    if ((await run(place, 'npx', [...pnpm, '--version'])).status !== 0) return context.skip('pnpm is not to be had');
    await must(place, 'npx', ...pnpm, 'add', tarball, PLAYWRIGHT, '--prefer-offline', '--silent');
    assert.match(await must(place, touchstone(place), ...BRIEF), /: 1 pass/);
  });

  it('runs by npx from a tarball', async () => {
    const place = folder('npx');
    const npx = ['--yes', '--prefer-offline', `--package=${tarball}`, `--package=${PLAYWRIGHT}`, '--', 'touchstone'];
    assert.match(await must(place, 'npx', ...npx, ...BRIEF), /: 1 pass/);
  });
});

const TYPED = `
import { EXIT, readRun, touchstone, type RunResult } from 'touchstone';
import { check, must } from 'touchstone/harness';
import { judge, readHistory } from 'touchstone/lifecycle';
import { createReference } from 'touchstone/reference';
import { apiServers } from 'touchstone/test';

const code: number = await touchstone(['--version']);
const result: RunResult = readRun('reports/out');
const findings: readonly { readonly rule: string }[] = judge(readHistory('')).findings;
const server = await createReference({ seed: 7, clock: 'virtual' });
const status: number = (await server.handle(new Request('https://server/version'))).status;
const of = apiServers({ namespaces: ['team'] });
// @ts-expect-error: a title is a text
check(1, ['CHUNK-LIMIT-01'], async () => {});
export { code, result, findings, status, of, must, EXIT };
`;
