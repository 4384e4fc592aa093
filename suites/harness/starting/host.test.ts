import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Host } from './host.ts';
import { LaunchFailed } from './launch.ts';

/** Serves whoever has no flag `--no`, dies where it meets `--crash`, and says its flags. */
const SCRIPT = `
  const say = (line) => console.log(JSON.stringify(line));
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { start, end, flags } = JSON.parse(line);
    if (end) return say({ server: end, ended: 0 });
    if (flags.includes('--crash')) { console.error('out of luck'); process.exit(70); }
    if (flags.includes('--silent')) return;
    console.log('talk');
    say({ server: start, said: flags.join(' ') });
    if (flags.includes('--no')) return say({ server: start, ended: 64 });
    say({ server: start, ready: true, base: 'https://127.0.0.1:' + process.pid, identities: { admin: { token: 't' } } });
  }).on('close', () => process.exit(0));`;
const host = new Host([process.execPath, '-e', SCRIPT]);
after(() => host.close());

describe('a host', () => {
  it('starts servers in one process, and ends each by itself', async () => {
    const [one, other] = await Promise.all([host.launch(['--a']), host.launch(['--b'])]);
    assert.equal(one.ready.base, other.ready.base, 'the same process');
    assert.deepEqual(one.ready.identities.admin, { token: 't' });
    assert.deepEqual([one.said(), other.said()], ['--a', '--b']);
    await one.stop();
    assert.equal((await one.exited).code, 0);
    assert.equal(await Promise.race([other.exited, 'runs']), 'runs');
    await assert.rejects(other.kill(), /process of its own/);
    await other.stop();
  });
  it('tells with its last words of a server that does not start', async () => {
    await assert.rejects(
      host.launch(['--no']),
      (error) => error instanceof LaunchFailed && /code 64\): --no$/.test(error.message),
    );
  });
  it('gives up a server that says nothing', async () => {
    await assert.rejects(host.launch(['--silent'], 100), /within 0\.1 seconds/);
  });
  it('tells of the end of the process, and goes on in another', async () => {
    const neighbour = await host.launch([]);
    await assert.rejects(host.launch(['--crash']), /code 70\): out of luck/);
    assert.equal((await neighbour.exited).code, 70);
    await neighbour.stop();
    assert.notEqual((await host.launch([])).ready.base, neighbour.ready.base);
  });
});
