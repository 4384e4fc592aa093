import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Hosting } from './host.ts';
import { type Exit, type Launched, LaunchFailed } from './launch.ts';
import { SharedHost, shareHost } from './sharedHost.ts';

/** Starts servers that are none, tells their flags, and refuses those with `--no`. */
class FakeHost implements Hosting {
  /** Flags of those that run. */
  readonly running = new Set<string>();
  /** Of each that was started, by its flags. */
  readonly ends = new Map<string, Promise<Exit>>();
  closed = false;

  async launch(flags: readonly string[], within?: number): Promise<Launched> {
    const said = flags.join(' ');
    if (flags.includes('--no')) throw new LaunchFailed(`not within ${within}: ${said}`);
    this.running.add(said);
    let end!: (exit: Exit) => void;
    const exited = new Promise<Exit>((resolve) => {
      end = resolve;
    });
    this.ends.set(said, exited);
    const tellToEnd = () => {
      this.running.delete(said);
      end({ code: 0, errors: '' });
    };
    const ready = { base: 'https://127.0.0.1:1', identities: { admin: { token: 't' } } };
    return { ready, exited, said: () => said, tellToEnd, stop: async () => tellToEnd(), kill: assert.fail };
  }
  async close(): Promise<void> {
    this.closed = true;
  }
}

describe('a host that workers share', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-host-'));
  const path = process.platform === 'win32' ? '\\\\.\\pipe\\touchstone-host-test' : join(folder, 'host');
  const host = new FakeHost();
  let shared: Awaited<ReturnType<typeof shareHost>>;
  before(async () => {
    shared = await shareHost(host, path);
  });
  after(async () => {
    await shared.close();
    assert.ok(host.closed);
    rmSync(folder, { recursive: true });
  });

  it('starts servers for each, tells of them, and ends each by itself', async () => {
    const [one, other] = [new SharedHost(path), new SharedHost(path)];
    const [first, second] = await Promise.all([one.launch(['--a']), other.launch(['--b'])]);
    assert.deepEqual(first.ready, { base: 'https://127.0.0.1:1', identities: { admin: { token: 't' } } });
    assert.deepEqual([first.said(), second.said()], ['--a', '--b']);
    await first.stop();
    assert.deepEqual(await first.exited, { code: 0, errors: '' });
    assert.deepEqual([...host.running], ['--b']);
    await assert.rejects(second.kill(), /process of its own/);
    await second.stop();
    assert.deepEqual([...host.running], []);
    await Promise.all([one.close(), other.close()]);
  });
  it('tells why a server does not start', async () => {
    const worker = new SharedHost(path);
    await assert.rejects(
      worker.launch(['--no'], 7),
      (error) => error instanceof LaunchFailed && error.message === 'not within 7: --no',
    );
    await (await worker.launch(['--c'])).stop();
    await worker.close();
  });
  it('ends what a worker has left when it is gone', async () => {
    const [gone, stays] = [new SharedHost(path), new SharedHost(path)];
    const [left, kept] = await Promise.all([gone.launch(['--left']), stays.launch(['--kept'])]);
    await gone.close();
    assert.equal((await left.exited).code, null);
    await host.ends.get('--left');
    assert.deepEqual([...host.running], ['--kept']);
    await kept.stop();
    await stays.close();
  });
  it('says of servers that are asked of nobody that they did not start', async () => {
    await assert.rejects(new SharedHost(join(folder, 'nobody')).launch([]), LaunchFailed);
  });
});
