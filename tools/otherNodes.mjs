// `npm run smoke`: packs, installs the package into an empty project, and uses it with other releases of Node, which come
// as packages of npm. Not part of the gate: each is a hundred megabytes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './build.mjs';

const RELEASES = process.argv.length > 2 ? process.argv.slice(2) : ['20.19.0', '22', '24'];
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/** What is done with each, and what has to be printed. */
const USES = [
  { args: ['serve', '--embedded'], prints: /"ready":true/ },
  { args: ['serve', '--embedded', '--data-dir', 'data'], prints: /"ready":true/ },
  { args: ['run', '--only', 'CHUNK-LIMIT-02', '--quiet'], prints: /: \d+ pass/ },
  { args: ['lifecycle', 'plot', join(root, 'docs/examples/timeline.yaml')], prints: /^<svg/ },
];

const folder = mkdtempSync(join(tmpdir(), 'touchstone-smoke-'));
let failed = 0;
try {
  run(root, 'npm', 'pack', '--silent', '--pack-destination', folder);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const playwright = `@playwright/test@${devDependencies['@playwright/test']}`;
  run(folder, 'npm', 'install', `./${tarball}`, playwright, ...QUIET);
  for (const release of RELEASES) {
    run(folder, 'npm', 'install', '--no-save', `node-${process.platform}-${process.arch}@${release}`, ...QUIET);
    const node = join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
    const version = run(folder, node, '--version').trim();
    for (const { args, prints } of USES) {
      const { status, stdout, stderr } = spawnSync(node, ['node_modules/touchstone/cli/launch.mjs', ...args], {
        cwd: folder,
        encoding: 'utf8',
        input: '',
      });
      const good = status === 0 && prints.test(stdout);
      console.log(`${good ? 'passed' : 'FAILED'}  Node ${version}  touchstone ${args.slice(0, 2).join(' ')}`);
      if (!good) console.log(`${stdout}\n${stderr}`);
      failed += good ? 0 : 1;
    }
    rmSync(join(folder, 'data'), { recursive: true, force: true });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

function run(cwd, command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}
