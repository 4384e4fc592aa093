import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { kubernetes } from '../../../fixtures/dialects/kubernetes.ts';
import { TinyServer } from '../testing/tinyServer.ts';
import { LaunchFailed, UnfitCommand } from './launch.ts';
import { Restarter } from './restarter.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-restarter-'));
const tiny = new TinyServer();
const base = await tiny.listen();
after(async () => {
  await tiny.close();
  rmSync(folder, { recursive: true, force: true });
});

function restarter(command: string) {
  const mark = join(folder, 'mark');
  const target = {
    base,
    mode: 'url' as const,
    dialect: kubernetes,
    release: '1.32',
    version: {},
    identities: { admin: { token: 'somebody' } },
    capabilities: [],
    served: [],
  };
  return { mark, restarter: new Restarter(target, { command, mark }) };
}

describe('a target that is started again by a command', () => {
  it('gets the flags of a check in the place of its own, and is as it was found afterwards', async () => {
    const log = join(folder, 'log');
    const { mark, restarter: at } = restarter(`printf '%s,' --own=1 --kept=2 {flags} >> ${log}; echo >> ${log}`);
    const first = await at.start({ flags: ['--own=3'] });
    assert.equal(first.replaced?.(), false);
    assert.equal(existsSync(mark), true);
    const second = await at.start({ flags: ['--more=a b'] });
    assert.deepEqual([first.replaced?.(), second.replaced?.()], [true, false], 'there is one server at a time');
    await at.restore();
    await at.restore();
    assert.equal(second.replaced?.(), true);
    assert.equal(existsSync(mark), false);
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    assert.deepEqual(lines, ['--kept=2,--own=3,', '--own=1,--kept=2,--more=a b,', '--own=1,--kept=2,']);
  });
  it('has not come up where the command says so', async () => {
    const { restarter: at } = restarter('echo no such flag >&2; exit 3');
    const refused = (error: unknown) =>
      error instanceof LaunchFailed && /The server ended .*code 3\): no such flag/.test(error.message);
    await assert.rejects(at.start({ flags: ['--odd'] }), refused);
  });
  it('cannot be another release, nor be ended by itself', async () => {
    const { restarter: at } = restarter('true');
    await assert.rejects(at.start({ flags: [], release: '1.20' }), UnfitCommand);
    await assert.rejects(at.start({ flags: [], ended: true }), UnfitCommand);
  });
});
