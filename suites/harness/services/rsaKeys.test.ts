import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inLane, newLane } from '../running/lane.ts';
import { TARGET_FILE } from '../target/target.ts';
import { type RsaPair, rsaPair } from './rsaKeys.ts';

const textOf = ({ publicKey }: RsaPair) => publicKey.export({ type: 'spki', format: 'pem' });

test('lanes of a run share their RSA keys, and none has one twice', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-keys-'));
  const before = process.env[TARGET_FILE];
  process.env[TARGET_FILE] = join(folder, 'target.json');
  try {
    const keysOfOne = () => inLane(newLane(), () => [textOf(rsaPair()), textOf(rsaPair())]);
    const own = keysOfOne();
    assert.notEqual(own[0], own[1]);
    assert.deepEqual(readdirSync(folder).sort(), ['rsa-2048-1', 'rsa-2048-2']);
    assert.deepEqual(keysOfOne(), own);
  } finally {
    if (before === undefined) delete process.env[TARGET_FILE];
    else process.env[TARGET_FILE] = before;
    rmSync(folder, { recursive: true, force: true });
  }
});
