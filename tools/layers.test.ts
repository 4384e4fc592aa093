import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { type SourceFile, violations } from './layers.ts';

const ROOT = join(import.meta.dirname, '..');
const OUTSIDE = new Set(['node_modules', 'dist', 'lib', 'reports/out', 'test-results', '.git', '.touchstone']);

function sources(folder = ROOT): SourceFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = join(folder, entry.name);
    const path = relative(ROOT, full).replaceAll('\\', '/');
    if (OUTSIDE.has(path)) return [];
    if (entry.isDirectory()) return sources(full);
    return entry.name.endsWith('.ts') ? [{ path, text: readFileSync(full, 'utf8') }] : [];
  });
}

const told = (...files: readonly (readonly [path: string, ...imports: string[]])[]): string[] =>
  violations(
    files.map(([path, ...imports]) => ({
      path,
      text: imports.map((target) => `import { x } from '${target}';\n`).join(''),
    })),
  ).map(({ sentence }) => sentence);

describe('the rule of arrows', () => {
  it('holds over the whole tree', () => {
    assert.deepEqual(
      violations(sources()).map(({ sentence }) => sentence),
      [],
    );
  });

  it('tells a stage that imports another', () => {
    const [sentence = ''] = told(
      ['reference/verbs/list.ts', '../storage/memory.ts'],
      ['reference/storage/memory.ts'],
      ['reference/reference.ts', './verbs/list.ts'],
      ['cli/main.ts', '../reference/reference.ts'],
    );
    assert.match(sentence, /verbs\/list\.ts .*storage\/memory\.ts.*reference\/contracts\//);
  });

  it('tells ground that looks up', () => {
    const [sentence = ''] = told(
      ['reference/api/json.ts', '../contracts/store.ts'],
      ['reference/contracts/store.ts'],
      ['cli/main.ts', '../reference/api/json.ts'],
    );
    assert.match(sentence, /api\/json\.ts \(ground\) imports .*stands below/);
  });

  it('tells reports that read the suites', () => {
    const [sentence = ''] = told(['reports/reporter.ts', '../suites/harness/check.ts'], ['suites/harness/check.ts']);
    assert.match(sentence, /reports\/ may not know suites\/harness\//);
  });

  it('tells a module of Node in the engine, and none in a half of a port', () => {
    const sentences = told(
      ['reference/api/json.ts', 'node:crypto'],
      ['reference/ports/node/crypto.ts', 'node:crypto'],
      ['cli/main.ts', '../reference/api/json.ts', '../reference/ports/node/crypto.ts'],
    );
    assert.equal(sentences.length, 1);
    assert.match(sentences[0] ?? '', /api\/json\.ts imports node:crypto.*port/);
  });

  it('tells a circle of files, a file without importer and one for tests alone', () => {
    const sentences = told(
      ['reference/api/a.ts', './b.ts'],
      ['reference/api/b.ts', './a.ts'],
      ['reference/api/lonely.ts'],
      ['reference/api/scene.ts'],
      ['reference/api/a.test.ts', './scene.ts', './a.ts'],
      ['cli/main.ts', '../reference/api/a.ts'],
    );
    assert.deepEqual(
      sentences.map((sentence) => /nobody|tests alone|circle/.exec(sentence)?.[0]),
      ['nobody', 'tests alone', 'circle'],
    );
  });

  it('tells a product file that leans on a test fixture', () => {
    const [sentence = ''] = told(
      ['reference/verbs/list.ts', '../testing/writingFixture.ts'],
      ['reference/testing/writingFixture.ts'],
      ['reference/reference.ts', './verbs/list.ts'],
      ['cli/main.ts', '../reference/reference.ts'],
    );
    assert.match(sentence, /only tests may/);
  });

  it('tells a check that looks into the harness', () => {
    const sentences = told(
      ['suites/1-conventions/a.spec.ts', '../harness/client/client.ts', '../harness/index.ts'],
      ['suites/harness/index.ts', './client/client.ts'],
      ['suites/harness/client/client.ts'],
    );
    assert.deepEqual(
      sentences.map((sentence) => /imports (\S+): checks import/.exec(sentence)?.[1]),
      ['suites/harness/client/client.ts'],
    );
  });

  it('tells a room that it does not know', () => {
    assert.match(told(['elsewhere/a.ts', '../cli/main.ts'])[0] ?? '', /no room/);
  });
});

describe('the table of folders', () => {
  it('names each folder of the project, and no other', () => {
    const rows = readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/^\| `(\w+)\/` \|/gm);
    const folders = readdirSync(ROOT, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !OUTSIDE.has(entry.name))
      .map(({ name }) => name);
    assert.deepEqual([...rows].map(([, name]) => name).sort(), folders.sort());
  });

  it('is told in the architecture by rooms that exist', () => {
    const [, table = ''] =
      /## Rooms\n([\s\S]*?)\n## /.exec(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')) ?? [];
    const rooms = readdirSync(join(ROOT, 'reference'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'testing')
      .map(({ name }) => name);
    assert.deepEqual(
      rooms.filter((name) => !new RegExp(`\\b${name}\\b`).test(table)),
      [],
    );
  });
});
