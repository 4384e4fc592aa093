import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Step } from './command.ts';
import { KEPT_REPLAYS, readReplays, saveReplay } from './replayFile.ts';

const STEPS: readonly Step[] = [
  { do: 'create', client: 'author', name: 'a', data: { x: '1' }, tier: 'front' },
  { do: 'delete', client: 'rival', name: 'a', held: false },
];

test('a sequence that was saved is read as it was, and tells its story', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-replay-'));
  try {
    saveReplay(folder, 'one', 'it went wrong', STEPS);
    const [replay] = readReplays(folder);
    assert.deepEqual(replay?.steps, STEPS);
    assert.equal(replay?.about, 'it went wrong');
    assert.deepEqual(replay?.story, ['author creates a in the front with {"x":"1"}', 'rival deletes a']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a file that holds no steps, or one that nobody knows, is refused with a sentence', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-replay-'));
  try {
    writeFileSync(join(folder, 'bad.json'), '{}');
    assert.throws(() => readReplays(folder), /bad\.json holds no steps/);
    writeFileSync(join(folder, 'bad.json'), '{"steps":[{"do":"dance"}]}');
    assert.throws(() => readReplays(folder), /there is no command "dance"/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('every sequence that is kept can be read', () => {
  assert.ok(readReplays(KEPT_REPLAYS).length > 0);
});
