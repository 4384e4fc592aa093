import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchScenario, type FigureRow, megabytes } from './scenario.ts';

const ROOT = join(import.meta.dirname, '../..');
const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/** What it costs somebody to install the package, and to use it for the first time. */
export const packaged: BenchScenario = {
  name: 'package',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-package-'));
    try {
      return await measure(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function measure(folder: string): Promise<FigureRow[]> {
  npm(ROOT, 'pack', '--silent', '--pack-destination', folder);
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
  const least = installed(folder, 'least', tarball, '--omit=optional');
  const usual = installed(folder, 'usual', tarball);
  npm(usual.folder, 'install', '@playwright/test@1.65', ...QUIET);
  const command = join(usual.folder, 'node_modules/.bin/touchstone');
  const serve = await until(usual.folder, command, ['serve', '--embedded'], /"ready":true/);
  const list = await until(usual.folder, 'npx', ['touchstone', 'run', '--list'], /\d+ checks\n$/);
  const one = ['run', '--only', 'CHUNK-LIMIT-02'];
  const verdict = await until(usual.folder, 'npx', ['touchstone', ...one], /\d+ of \d+/);
  const here = [join(ROOT, 'cli/launch.mjs'), ...one, '--output', join(folder, 'out')];
  const first = await until(ROOT, process.execPath, here, /\d+ of \d+/);
  const again = await until(ROOT, process.execPath, here, /\d+ of \d+/);
  return [
    { name: 'package, tarball', figure: `${(statSync(tarball).size / 1e6).toFixed(1)} MB` },
    { name: 'package, installed for a server in memory', figure: least.figure },
    { name: 'package, installed with data directories', figure: usual.figure },
    { name: 'package, first serve after install until ready', figure: seconds(serve) },
    { name: 'package, npx touchstone run --list', figure: seconds(list) },
    { name: 'package, npx touchstone run --only ID until the first verdict', figure: seconds(verdict) },
    {
      name: 'checkout, run --only ID until the first verdict',
      figure: `${seconds(again)}, ${seconds(first)} at first`,
    },
  ];
}

/** Installs a tarball into an empty project, from npm's cache where that has the rest. */
function installed(folder: string, name: string, tarball: string, ...more: readonly string[]) {
  const project = mkdtempSync(join(folder, `${name}-`));
  writeFileSync(join(project, 'package.json'), '{"private":true}');
  const started = performance.now();
  npm(project, 'install', tarball, ...QUIET, ...more);
  const took = performance.now() - started;
  const modules = join(project, 'node_modules');
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, { parentPath, name: file }) => sum + statSync(join(parentPath, file)).size, 0);
  const packages = files.filter(({ name: file, parentPath }) => file === 'package.json' && isPackage(parentPath));
  return {
    folder: project,
    figure: `${seconds(took)}, ${megabytes(bytes)}, ${packages.length} packages`,
  };
}

function isPackage(folder: string): boolean {
  return /node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+$/.test(folder) && existsSync(join(folder, 'package.json'));
}

function npm(folder: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`);
}

/** Milliseconds from the start of a command until its output matches; it is ended then. */
async function until(folder: string, command: string, args: readonly string[], seen: RegExp): Promise<number> {
  const started = performance.now();
  const child: ChildProcess = spawn(command, args, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  let out = '';
  const took = new Promise<number>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (seen.test(out)) resolve(performance.now() - started);
    });
    closed.then(() => reject(new Error(`${args.join(' ')} ended without it: ${out.slice(-500)}`)), reject);
  });
  const result = await took;
  child.stdin?.end();
  child.kill('SIGINT');
  await closed;
  return result;
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;
