import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Agent, request } from 'undici';
import { type Launched, launch } from '../../suites/harness/launch.ts';
import { builtServe } from '../testing/builtServe.ts';

const scratch = mkdtempSync(join(tmpdir(), 'touchstone-full-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** The shell counts a file in blocks of 512 bytes, or of 1,024; either way this is a few objects. */
const BLOCKS = 2_000;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const PADDING = 'x'.repeat(100_000);

function clientOf({ ready }: Launched) {
  const dispatcher = new Agent({ connect: { ca: ready.ca } });
  return async (method: 'GET' | 'POST', path: string, body?: object) => {
    const headers = { authorization: `Bearer ${ready.identities.admin?.token}`, 'content-type': 'application/json' };
    const answer = await request(`${ready.base}${path}`, {
      method,
      dispatcher,
      headers,
      body: body && JSON.stringify(body),
    });
    return { status: answer.statusCode, json: (await answer.body.json()) as Record<string, unknown> };
  };
}
const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { PADDING } });
const namesIn = (list: Record<string, unknown>) =>
  (list.items as { metadata: { name: string } }[])
    .map(({ metadata }) => metadata.name)
    .filter((name) => /^n\d+$/.test(name));

describe('a server whose disk is full', { skip: process.platform === 'win32' && 'files have no limit there' }, () => {
  it('refuses writes with a Status, goes on being read, and keeps what it acknowledged', async () => {
    const command = await builtServe('--data-dir', join(scratch, 'data'));
    const limited = ['sh', '-c', `ulimit -f ${BLOCKS}; exec "$@"`, 'sh', ...command];
    const made: string[] = [];
    const full = await launch(limited, 120_000);
    try {
      const send = clientOf(full);
      let refusal = await send('GET', CONFIG_MAPS);
      for (let i = 0; i < 100 && refusal.status < 500; i++) {
        refusal = await send('POST', CONFIG_MAPS, configMap(`n${i}`));
        if (refusal.status === 201) made.push(`n${i}`);
      }
      assert.ok(made.length > 0);
      assert.deepEqual([refusal.status, refusal.json.kind, refusal.json.reason], [503, 'Status', 'ServiceUnavailable']);
      assert.match(String(refusal.json.message), /cannot be written to/);
      const list = await send('GET', CONFIG_MAPS);
      assert.deepEqual([list.status, namesIn(list.json).sort()], [200, [...made].sort()]);
      assert.equal((await send('GET', `${CONFIG_MAPS}/${made[0]}`)).status, 200);
      assert.equal((await send('POST', CONFIG_MAPS, configMap('again'))).status, 503);
    } finally {
      await full.stop();
    }
    const roomy = await launch(command, 120_000);
    try {
      const send = clientOf(roomy);
      assert.deepEqual(namesIn((await send('GET', CONFIG_MAPS)).json).sort(), [...made].sort());
      assert.equal((await send('POST', CONFIG_MAPS, configMap('n100'))).status, 201);
    } finally {
      await roomy.stop();
    }
  });
});
