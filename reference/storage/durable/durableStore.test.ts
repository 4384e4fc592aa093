import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { VirtualClock } from '../../time.ts';
import { storeContract } from '../contract.ts';
import { claimDirectory, openDurable } from './openDurable.ts';

const scratch = mkdtempSync(join(tmpdir(), 'touchstone-durable-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
let count = 0;

storeContract('durable', async () => {
  const directory = await claimDirectory(join(scratch, String(++count)), { dialect: 'kubernetes' });
  return openDurable(directory, { clock: new VirtualClock() });
});
