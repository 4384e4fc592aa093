import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Agent, request } from 'undici';
import { type Launched, launch } from '../../suites/harness/starting/launch.ts';
import { builtServe } from '../testing/built.ts';

const scratch = mkdtempSync(join(tmpdir(), 'touchstone-full-'));

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
      ...(body ? { body: JSON.stringify(body) } : {}),
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
    const again = await launch(limited, 120_000);
    try {
      const list = await clientOf(again)('GET', CONFIG_MAPS);
      assert.deepEqual(namesIn(list.json).sort(), [...made].sort(), 'a server also starts on a full disk');
    } finally {
      await again.stop();
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

/** Writes a file until the disk is full. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(64 * 1024));
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
  } finally {
    closeSync(file);
  }
}

const mount = (...args: readonly string[]) => spawnSync('mount', args).status === 0;
const disk = join(scratch, 'disk');
mkdirSync(disk);
const mounted = process.platform === 'linux' && mount('-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk);
after(() => {
  if (mounted) spawnSync('umount', ['-l', disk]);
  rmSync(scratch, { recursive: true, force: true });
});

describe('a disk that has room again', { skip: !mounted && 'mounting a disk takes rights' }, () => {
  it('takes writes again without a restart, and holds what was acknowledged before and since', async () => {
    const command = await builtServe('--data-dir', join(disk, 'filling'));
    const filler = join(disk, 'filler');
    const server = await launch(command, 120_000);
    const made: string[] = [];
    try {
      const send = clientOf(server);
      const make = async (name: string) => {
        const answer = await send('POST', CONFIG_MAPS, configMap(name));
        if (answer.status === 201) made.push(name);
        return answer;
      };
      assert.equal((await make('n0')).status, 201);
      fill(filler);
      let refusal = await make('n1');
      // What was in the file already may take the first few.
      for (let i = 2; i < 100 && refusal.status === 201; i++) refusal = await make(`n${i}`);
      assert.deepEqual([refusal.status, refusal.json.kind, refusal.json.reason], [503, 'Status', 'ServiceUnavailable']);
      assert.equal((await send('GET', `${CONFIG_MAPS}/n0`)).status, 200);
      assert.equal((await make('n100')).status, 503);
      rmSync(filler);
      assert.equal((await make('n101')).status, 201);
      assert.deepEqual(namesIn((await send('GET', CONFIG_MAPS)).json).sort(), [...made].sort());
    } finally {
      await server.stop();
    }
    const again = await launch(command, 120_000);
    try {
      const list = await clientOf(again)('GET', CONFIG_MAPS);
      assert.deepEqual(namesIn(list.json).sort(), [...made].sort());
    } finally {
      await again.stop();
      rmSync(join(disk, 'filling'), { recursive: true });
    }
  });
});

describe('a server whose disk is read-only', { skip: !mounted && 'mounting a disk takes rights' }, () => {
  it('starts, is read, and refuses writes with a Status', async () => {
    const command = await builtServe('--data-dir', join(disk, 'data'));
    const before = await launch(command, 120_000);
    const made = await clientOf(before)('POST', CONFIG_MAPS, configMap('n1'));
    await before.stop();
    assert.equal(made.status, 201);
    assert.ok(mount('-o', 'remount,ro', disk));
    const server = await launch(command, 120_000);
    try {
      const send = clientOf(server);
      assert.deepEqual(await send('GET', `${CONFIG_MAPS}/n1`), { status: 200, json: made.json });
      const refusal = await send('POST', CONFIG_MAPS, configMap('n2'));
      assert.deepEqual([refusal.status, refusal.json.kind], [503, 'Status']);
    } finally {
      await server.stop();
    }
  });
});
