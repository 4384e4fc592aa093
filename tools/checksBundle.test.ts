import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { transformSync } from 'esbuild';
import { writeListing } from '../cli/listChecks.ts';
import { ROOT } from '../cli/root.ts';
// @ts-expect-error: a script without types
import { placesOf } from './checksBundle.mjs';
import { listedChecks } from './listedChecks.ts';

test('the bundle declares the checks that the sources do, each on its line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-listing-'));
  try {
    const file = join(folder, 'checks.json');
    const [sources] = await Promise.all([listedChecks(), writeListing(file)]);
    assert.ok(sources.length > 0);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), sources);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a table of places tells what a source map does', () => {
  const code = 'const first = 1;\n\nexport const second: number =\n  first.missing.there;\n';
  const { code: bundled, map } = transformSync(code, {
    loader: 'ts',
    sourcemap: 'external',
    sourcefile: 'a.ts',
    minifyWhitespace: true,
  });
  const bytes = placesOf(JSON.parse(map), ROOT) as Buffer;
  const end = bytes.indexOf('\n');
  assert.deepEqual(JSON.parse(bytes.toString('utf8', 0, end)), [join(ROOT, 'a.ts')]);
  const table = new Int32Array(new Uint8Array(bytes.subarray(end + 1)).buffer);
  const rows = Array.from({ length: table.length / 5 }, (_, row) => [...table.subarray(row * 5, row * 5 + 5)]);
  const at = bundled.indexOf('missing') + 1;
  const row = rows.findLast(([line, column = 0]) => line === 1 && column <= at);
  assert.deepEqual(row?.slice(3), [4, 9]);
});
