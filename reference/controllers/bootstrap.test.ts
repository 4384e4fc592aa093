import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readOptions } from '../options/loadOptions.ts';
import { createReference } from '../reference.ts';
import { MemoryStore } from '../storage/memory.ts';
import { SystemClock } from '../time.ts';

it('two servers that begin at once over one empty store both come up', async () => {
  const loaded = readOptions(['--secure-port=0', '--identity-lease-renew-interval-seconds=0']);
  assert.ok(!('errors' in loaded));
  const shared = new MemoryStore({ clock: new SystemClock() });
  const begin = () => createReference(loaded.options, { seams: { store: () => shared } });
  const servers = await Promise.all([begin(), begin()]);
  for (const server of servers) await server.close();
});
