// `npm test`: everything that must hold before a change lands, from a bare checkout. `npm test -- NAME …` runs
// only the steps named.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './build.mjs';

const tool = (name) => join(root, 'node_modules', '.bin', name);
const touchstone = (...args) => [process.execPath, [join(root, 'cli/launch.mjs'), ...args]];

const BRIEFLY = ['--quiet', '--workers', '2'];

const STEPS = [
  {
    name: 'lint',
    title: 'lint, format and walls',
    command: () => [tool('biome'), ['check', '--error-on-warnings', '.']],
  },
  { name: 'types', title: 'type check', command: () => [tool('tsc'), ['-p', '.']] },
  {
    name: 'unit',
    title: 'unit tests',
    command: () => [
      process.execPath,
      ['--import', 'tsx', '--test', '--test-concurrency=2', '--test-reporter=dot', ...unitTests()],
    ],
  },
  {
    name: 'kubernetes',
    title: 'suites, dialect kubernetes',
    command: () => touchstone('run', '--dialect', 'kubernetes', ...BRIEFLY),
  },
  {
    name: 'cluster',
    title: 'suites, dialect cluster',
    command: () => touchstone('run', '--dialect', 'cluster', ...BRIEFLY),
  },
  {
    name: 'lmdb',
    title: 'suites, over a data directory',
    command: () => touchstone('run', '--storage', 'lmdb', ...BRIEFLY),
  },
  {
    name: 'etcd',
    title: 'suites, over etcd',
    command: () => [process.execPath, ['--import', 'tsx', join(root, 'cli/overEtcd.ts'), ...BRIEFLY]],
  },
  { name: 'mutants', title: 'mutants', command: () => touchstone('mutants', ...BRIEFLY) },
];

function unitTests() {
  const found = [];
  const visit = (directory) => {
    for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (entry.name.endsWith('.test.ts')) found.push(path);
    }
  };
  for (const room of ['reference', 'fixtures', 'suites', 'reports', 'cli', 'bench', 'learn']) {
    if (existsSync(join(root, room))) visit(room);
  }
  return found;
}

if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) {
  console.log('Installing dependencies …');
  const install = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (install.status !== 0) process.exit(install.status ?? 1);
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !STEPS.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(`unknown step ${unknown.join(', ')}; there are ${STEPS.map((step) => step.name).join(', ')}`);
  process.exit(64);
}

const results = [];
for (const step of STEPS) {
  if (wanted.length > 0 && !wanted.includes(step.name)) continue;
  console.log(`\n── ${step.title}`);
  const started = performance.now();
  const [command, args] = step.command();
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FORCE_COLOR: '0' },
  });
  if (error) console.error(`${relative(root, command)}: ${error.message}`);
  results.push({ step, passed: status === 0, seconds: (performance.now() - started) / 1000 });
}

console.log('');
for (const { step, passed, seconds } of results) {
  console.log(`${passed ? 'passed' : 'FAILED'}  ${step.title.padEnd(32)} ${seconds.toFixed(1)} s`);
}
const failed = results.filter((result) => !result.passed).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
