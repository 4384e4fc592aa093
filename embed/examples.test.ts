import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const EXAMPLES = 'docs/examples/embedding';
const HOOKS = ['--import', 'tsx', '--import', './embed/testing/asInstalled.mjs'];

/** What a program wrote, and how it ended. */
function run(args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  // A test of tests would tell this process, and not its own output, what became of them.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, [...HOOKS, ...args], { cwd: ROOT, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

for (const file of readdirSync(join(ROOT, EXAMPLES)).filter((name) => name.endsWith('.mjs'))) {
  test(`the example ${file} does what it says, and ends by itself`, async () => {
    const { code, output } = await run([`${EXAMPLES}/${file}`]);
    assert.equal(code, 0, output);
  });
}
