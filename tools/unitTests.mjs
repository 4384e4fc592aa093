// Runs the unit tests, one process at a time more than there are processors, as some wait for what they started. Most
// of what a test file costs is loading what nearly all of them load, so the files of a room share a process.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './build.mjs';

/** Folders of the top level that hold what was installed or made. */
const NOT_OURS = ['node_modules', 'lib', 'dist'];
/** Each file by itself: they start and end processes, or measure their own. They take longest, so they begin. */
const ALONE = ['cli', 'tools', 'bench', 'reference/storage'];
/** Hooks for all tests of a file would be hooks for all tests of the process. */
const HOOKS = /^(before|beforeEach|afterEach)\(/m;

/** Paths of the test files below a folder. */
function testsIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return testsIn(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

/** Of each file, what it shares a process with; files by themselves share theirs with nothing. */
function roomOf(file) {
  if (ALONE.some((folder) => file.startsWith(`${folder}/`))) return file;
  if (HOOKS.test(readFileSync(join(root, file), 'utf8'))) return file;
  const [room, second = ''] = dirname(file).split('/');
  return join(room, second);
}

function groups() {
  const byRoom = new Map();
  const rooms = readdirSync(root, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.') && !NOT_OURS.includes(entry.name),
  );
  for (const file of rooms.flatMap(({ name }) => testsIn(name))) {
    const room = roomOf(file);
    byRoom.set(room, [...(byRoom.get(room) ?? []), file]);
  }
  const isAlone = ([room]) => ALONE.some((folder) => room.startsWith(`${folder}/`));
  return [...byRoom].sort((a, b) => Number(isAlone(b)) - Number(isAlone(a)));
}

/** @returns the exit code, and all that it wrote. */
function run(files) {
  const together = join(root, 'tools/together.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', '--test-reporter=spec', together, ...files], { cwd: root });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

/** What many tests start is built, and the checks are named, once and before any of them. */
function prepare() {
  const list = [join(root, 'cli/launch.mjs'), 'run', '--list'];
  const { status, stderr } = spawnSync(process.execPath, list, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) console.log(`the checks cannot be named: ${stderr}`);
}

prepare();
const waiting = groups();
const totals = { pass: 0, fail: 0, skipped: 0 };
let broken = 0;

async function work() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [room, files] = next;
    const started = performance.now();
    const { code, output } = await run(files);
    for (const [, what, count] of output.matchAll(/^ℹ (pass|fail|skipped) (\d+)$/gm)) totals[what] += Number(count);
    const took = `${((performance.now() - started) / 1000).toFixed(1)} s`;
    if (code === 0) console.log(`ok      ${room}  ${took}`);
    else {
      broken += 1;
      console.log(`FAILED  ${room}  ${took}\n${output}`);
    }
  }
}

await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
console.log(`${totals.pass} passed, ${totals.fail} failed, ${totals.skipped} skipped`);
process.exitCode = broken === 0 && totals.pass > 0 ? 0 : 1;
