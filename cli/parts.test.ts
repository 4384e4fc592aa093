import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { writeParts } from './parts.ts';

const FILES = [
  ...Array.from({ length: 40 }, (_, at) => `suites/1-conventions/room/${at + 10}.spec.ts`),
  'suites/oracle/access.spec.ts',
  'suites/oracle/writes.spec.ts',
];

function partsOf(processes: number, kind: 'scripts' | 'modules', files: readonly string[] = FILES) {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-parts-'));
  try {
    writeParts(join(folder, 'parts'), '/checks', files, processes, kind);
    const names = readdirSync(join(folder, 'parts')).sort();
    return names.map((name) => ({
      name,
      lines: readFileSync(join(folder, 'parts', name), 'utf8')
        .trim()
        .split('\n'),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it('each file is in one part, the longest first, neighbours apart, in parts that become smaller', () => {
  const parts = partsOf(2, 'scripts');
  const all = parts.flatMap(({ lines }) => lines);
  assert.deepEqual([...all].sort(), FILES.map((file) => `require("/checks/${file}");`).sort());
  const first = parts.map(({ lines }) => lines[0]);
  const longest = ['access', 'writes'].map((name) => `require("/checks/suites/oracle/${name}.spec.ts");`);
  assert.deepEqual(first.slice(0, 2), longest);
  const places = all.filter((line) => !longest.includes(line)).map((line) => Number(/(\d+)\.spec/.exec(line)?.[1]));
  const near = places.filter((place, at) => Math.abs(place - (places[at + 1] ?? Number.NaN)) === 1);
  assert.deepEqual(near, []);
  const sizes = parts.map(({ lines }) => lines.length);
  assert.deepEqual(
    sizes,
    [...sizes].sort((a, b) => b - a),
  );
  assert.equal(sizes[0], 11);
  // Not the last single file: a twelfth of what each process does.
  assert.equal(sizes.at(-1), 2);
});

it('a part of a package is a module, and one file is one part', () => {
  assert.deepEqual(partsOf(2, 'modules', ['suites/a.spec.js']), [
    { name: 'part-001.spec.mjs', lines: ['import "file:///checks/suites/a.spec.js";'] },
  ]);
});
