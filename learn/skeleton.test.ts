import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readScenarios } from './library.ts';
import { play } from './play.ts';
import type { Played } from './played.ts';
import type { Scenario } from './scenario.ts';
import { siteOf } from './site.ts';

const ROOT = join(import.meta.dirname, '..');
const OUTSIDE = new Set(['node_modules', '.git', 'lib', 'dist', 'test-results', 'reports/out']);
const FOLDER = '1-conventions/of-stories';
/** One is about a conflict, the other refers to an earlier answer and opens a watch. */
const STORIES = ['01-apply-conflict', '08-list-then-watch'];

interface StoryFile {
  checkText(
    story: { readonly scenario: Scenario; readonly original: object; readonly played: Played },
    requirements: Readonly<Record<string, string>>,
  ): string;
}

describe('a story saved as a check', () => {
  const copy = mkdtempSync(join(tmpdir(), 'touchstone-story-check-'));
  before(() => {
    cpSync(ROOT, copy, { recursive: true, filter: (from) => !OUTSIDE.has(relative(ROOT, from)) });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    mkdirSync(join(copy, 'suites', FOLDER), { recursive: true });
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  it('runs in a folder of the suites as it stands, and passes on the reference', async () => {
    const { checkText } = (await import(pathToFileURL(join(ROOT, 'learn/page/storyFile.mjs')).href)) as StoryFile;
    const scenarios = readScenarios(join(ROOT, 'fixtures/scenarios'));
    const requirements = JSON.parse(
      /^touchstone_requirements = (.*);$/m.exec(siteOf({}, []).get('stories.js') ?? '')?.[1] ?? '{}',
    ) as Record<string, string>;
    for (const scenario of scenarios.filter(({ name }) => STORIES.includes(name))) {
      const original = { statements: scenario.statements.map((key) => ({ key })) };
      const played = await play(scenario, { dialect: 'kubernetes' });
      const file = join(copy, 'suites', FOLDER, `${basename(scenario.name)}.spec.ts`);
      writeFileSync(file, checkText({ scenario, original, played }, requirements));
    }
    const command = [join(copy, 'cli/launch.mjs'), 'run', '--only', FOLDER, '--output', join(copy, 'out')];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: copy, encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
    const report = JSON.parse(readFileSync(join(copy, 'out/durations.json'), 'utf8')) as object;
    assert.equal(Object.keys(report).length, STORIES.length, stdout);
    assert.match(stdout, /2 pass/);
  });
});
