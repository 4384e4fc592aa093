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
import { judged as policy } from './policy.ts';
import type { Scenario } from './scenario.ts';
import { siteOf } from './site.ts';

const ROOT = join(import.meta.dirname, '..');
const OUTSIDE = new Set(['node_modules', '.git', 'lib', 'dist', 'test-results', 'reports/out']);
const FOLDER = '1-conventions/of-stories';
/**
 * A conflict; times and accounts, which are others in a check; an earlier answer that is referred to, and a watch; two that
 * define a type of the same name.
 */
const STORIES = [
  ...['01-apply-conflict', '07-defaulting', '08-list-then-watch', '37-account-token'],
  ...['119-atomic-map', '120-set'],
];

interface StoryFile {
  checkText(
    story: { readonly scenario: Scenario; readonly original: object; readonly played: Played },
    requirements: Readonly<Record<string, string>>,
  ): string;
  whyNoCheck(story: { readonly scenario: Scenario; readonly played: Played }): string | undefined;
}
const storyFile = async () => (await import(pathToFileURL(join(ROOT, 'learn/page/storyFile.mjs')).href)) as StoryFile;

describe('a story saved as a check', () => {
  const copy = mkdtempSync(join(tmpdir(), 'touchstone-story-check-'));
  before(() => {
    // Without the other checks, which the run would read before it leaves them out.
    const isCopied = (from: string) => !OUTSIDE.has(relative(ROOT, from)) && !from.endsWith('.spec.ts');
    cpSync(ROOT, copy, { recursive: true, filter: isCopied });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    mkdirSync(join(copy, 'suites', FOLDER), { recursive: true });
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  it('runs in a folder of the suites as it stands, and passes on the reference', async () => {
    const { checkText } = await storyFile();
    const scenarios = readScenarios(join(ROOT, 'fixtures/scenarios'));
    const requirements = JSON.parse(
      /^touchstone_requirements = (.*);$/m.exec(siteOf({}, []).get('requirements.js') ?? '')?.[1] ?? '{}',
    ) as Record<string, string>;
    for (const scenario of scenarios.filter(({ name }) => STORIES.includes(name))) {
      const original = { statements: scenario.statements.map((key) => ({ key })) };
      const played = await play(scenario, { dialect: 'kubernetes', policy });
      const file = join(copy, 'suites', FOLDER, `${basename(scenario.name)}.spec.ts`);
      writeFileSync(file, checkText({ scenario, original, played }, requirements));
    }
    const command = [join(copy, 'cli/launch.mjs'), 'run', '--only', FOLDER, '--output', join(copy, 'out')];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: copy, encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
    const report = JSON.parse(readFileSync(join(copy, 'out/durations.json'), 'utf8')) as object;
    assert.equal(Object.keys(report).length, STORIES.length, stdout);
    assert.match(stdout, /6 pass/);
  });

  for (const [name, why] of [
    ['26-mutating-webhook', /programs or files/],
    ['91-rules-for-claims', /programs or files/],
    ['32-who-am-i', /names or rights/],
    ['57-dry-run-delete', /names or rights/],
    ['87-bootstrap-token-put-off', /another time/],
    ['121-release-history', /no server is asked/],
    ['07-defaulting', undefined],
    ['30-quota', undefined],
  ] as const) {
    it(`${name} ${why ? 'says why it cannot be one' : 'can be one'}`, async () => {
      const { whyNoCheck } = await storyFile();
      const scenario = readScenarios(join(ROOT, 'fixtures/scenarios')).find((each) => each.name === name);
      assert.ok(scenario, name);
      const told = whyNoCheck({ scenario, played: await play(scenario, { dialect: 'kubernetes', policy }) });
      if (why) assert.match(told ?? '', why);
      else assert.equal(told, undefined);
    });
  }
});
