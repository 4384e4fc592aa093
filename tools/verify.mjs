// `npm test`: everything that must hold before a change lands, from a bare checkout. `npm test -- NAME …` runs
// only the steps named.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './build.mjs';

const tool = (name) => join(root, 'node_modules', '.bin', name);
const touchstone = (...args) => [process.execPath, [join(root, 'cli/launch.mjs'), ...args]];

/** What is chosen by chance is the same each time: a step that passed passes again. Other seeds are for `touchstone run`. */
const SEED = ['--seed', 'gate'];
/** What depends most on where objects are kept; `tools/overEtcd.ts` runs all checks over etcd. */
const OF_STORES = ['reading', 'watch', 'writing', 'storage'].flatMap((name) => ['--profile', name]);

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
    command: () => [process.execPath, [join(root, 'tools/unitTests.mjs')]],
  },
  {
    name: 'fuzz',
    title: 'a minute of odd input',
    command: () => [process.execPath, ['--import', 'tsx', join(root, 'tools/fuzz/main.ts'), '--seconds', '60']],
  },
  {
    name: 'kubernetes',
    title: 'suites, dialect kubernetes',
    command: () => touchstone('run', '--dialect', 'kubernetes', ...SEED, '--quiet'),
  },
  // Names and stores know nothing of each other, so that one run tries the other names and another store.
  {
    name: 'cluster',
    title: 'suites, dialect cluster, over a data directory',
    command: () => touchstone('run', '--dialect', 'cluster', '--storage', 'lmdb', ...SEED, '--quiet'),
  },
  {
    name: 'etcd',
    title: 'suites, over etcd',
    command: () => [
      process.execPath,
      ['--import', 'tsx', join(root, 'tools/overEtcd.ts'), ...SEED, '--quiet', ...OF_STORES],
    ],
  },
  {
    name: 'twins',
    title: 'permissive twins',
    command: () => touchstone('twins'),
  },
  {
    name: 'machine',
    title: 'mutants by machine',
    command: () => [process.execPath, ['--import', 'tsx', join(root, 'tools/machine/main.ts'), 'gate']],
  },
  { name: 'mutants', title: 'mutants', command: () => touchstone('mutants', '--quiet') },
];

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

/** Lines at the end of what a step wrote that say how it ended: of a step that fails they stand at the very end, too. */
const LAST = 24;

/** @returns whether the command passed, and its last lines; what it writes is shown meanwhile. */
function run([command, args]) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, FORCE_COLOR: '0' },
  });
  let last = '';
  const shown = [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ];
  for (const [from, to] of shown) {
    from.setEncoding('utf8').on('data', (text) => {
      to.write(text);
      last = (last + text).slice(-4000);
    });
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ passed: false, last: `${relative(root, command)}: ${error.message}` }));
    child.once('close', (code) => resolve({ passed: code === 0, last }));
  });
}

const results = [];
for (const step of STEPS) {
  if (wanted.length > 0 && !wanted.includes(step.name)) continue;
  console.log(`\n── ${step.title}`);
  const started = performance.now();
  const { passed, last } = await run(step.command());
  results.push({ step, passed, last, seconds: (performance.now() - started) / 1000 });
}

console.log('');
for (const { step, passed, seconds } of results) {
  console.log(`${passed ? 'passed' : 'FAILED'}  ${step.title.padEnd(32)} ${seconds.toFixed(1)} s`);
}
const failed = results.filter((result) => !result.passed);
console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
for (const { step, last } of failed) {
  const lines = last.split('\n').filter((line) => line.trim() !== '');
  console.log(`\n${step.title} ended with\n  ${lines.slice(-LAST).join('\n  ')}`);
}
process.exit(failed.length === 0 ? 0 : 1);
