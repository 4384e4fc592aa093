import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { TARGET_FILE } from '../target.ts';
import type { RsaPair } from './rsaKeys.ts';

const textOf = ({ publicKey }: RsaPair) => publicKey.export({ type: 'spki', format: 'pem' });

test('workers of a run share their RSA keys, and none has one twice', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-keys-'));
  const before = process.env[TARGET_FILE];
  process.env[TARGET_FILE] = join(folder, 'target.json');
  try {
    // Loaded anew, it counts from the start, as each worker does.
    const keysOf = async (worker: string) => {
      const { rsaPair }: typeof import('./rsaKeys.ts') = await import(`./rsaKeys.ts?${worker}-of-${folder}`);
      return [textOf(rsaPair()), textOf(rsaPair())];
    };
    const own = await keysOf('one');
    assert.notEqual(own[0], own[1]);
    assert.deepEqual(readdirSync(folder).sort(), ['rsa-2048-1', 'rsa-2048-2']);
    assert.deepEqual(await keysOf('another'), own);
  } finally {
    if (before === undefined) delete process.env[TARGET_FILE];
    else process.env[TARGET_FILE] = before;
    rmSync(folder, { recursive: true, force: true });
  }
});
