import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { launch } from '../../suites/harness/starting/launch.ts';
import { builtServe } from '../testing/built.ts';

const scratch = mkdtempSync(join(tmpdir(), 'touchstone-refused-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
const sound = join(scratch, 'sound');
const USAGE_ERROR = 64;
const PATIENCE = 120_000;

/** Runs a server that should not come up: how it ends, and what it says. */
async function refusal(path: string): Promise<{ code: number | null; said: string }> {
  const [program = '', ...args] = await builtServe('--data-dir', path);
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      // It came up after all.
      if (text.startsWith('{')) child.stdin.end();
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

/** What is wrong with a directory, and the sentence that says so. */
const FAULTS: readonly [string, (path: string) => void, RegExp][] = [
  [
    'of somebody else',
    (path) => {
      rmSync(path, { recursive: true });
      mkdirSync(path);
      writeFileSync(join(path, 'thesis.txt'), 'ten years of work');
    },
    /is no data directory of this server, and not empty either: it holds thesis\.txt; name a new or an empty one$/,
  ],
  [
    'of a newer server',
    (path) => rewriteFormat(path, { version: 99 }),
    /was written by a newer server: its format is 99/,
  ],
  [
    'of another dialect',
    (path) => rewriteFormat(path, { dialect: 'cluster' }),
    /of dialect cluster, not of kubernetes$/,
  ],
  [
    'that is cut off',
    (path) => truncateSync(join(path, 'objects.mdb'), 40_000),
    /is damaged: objects\.mdb cannot be read/,
  ],
];

function rewriteFormat(path: string, change: object): void {
  const file = join(path, 'format.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...change }));
}

describe('serve refuses a data directory', () => {
  before(async () => {
    const server = await launch(await builtServe('--data-dir', sound), PATIENCE);
    await server.stop();
  });
  for (const [which, spoil, sentence] of FAULTS) {
    it(`${which}, in one sentence and with code ${USAGE_ERROR}`, async () => {
      const path = join(scratch, which.replaceAll(' ', '-'));
      cpSync(sound, path, { recursive: true });
      spoil(path);
      const { code, said } = await refusal(path);
      assert.equal(code, USAGE_ERROR, said);
      assert.match(said, /^touchstone serve: [^\n]+\n$/);
      assert.match(said.trim(), sentence);
    });
  }
  it('that another server has, and not when that one was killed', async () => {
    const first = await launch(await builtServe('--data-dir', sound), PATIENCE);
    const { code, said } = await refusal(sound);
    assert.deepEqual(
      [code, said],
      [USAGE_ERROR, `touchstone serve: the data directory ${sound} is in use by another server\n`],
    );
    await first.kill();
    const next = await launch(await builtServe('--data-dir', sound), PATIENCE);
    await next.stop();
  });
});
