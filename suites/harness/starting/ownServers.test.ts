import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Services } from '../services/services.ts';
import type { TargetFile } from '../target/target.ts';
import type { Launcher } from './launch.ts';
import { OwnServers } from './ownServers.ts';

const TARGET = {
  serve: ['false'],
  target: { mode: 'launch', base: 'http://127.0.0.1:1', identities: {}, release: '1.32' },
  run: {},
} as unknown as TargetFile;

/** Starts nothing, and remembers which servers run. */
function launcher() {
  const running: string[] = [];
  const starts: string[] = [];
  const start: Launcher['start'] = async ({ flags }) => {
    const name = flags.join(' ');
    running.push(name);
    starts.push(name);
    const ready = { ready: true, base: 'http://127.0.0.1:1', identities: {} };
    const stop = async () => {
      running.splice(running.indexOf(name), 1);
    };
    return { ready, exited: new Promise(() => {}), said: () => '', tellToEnd: () => {}, stop, kill: stop } as never;
  };
  return { running, starts, launcher: { start, restore: async () => {} } as unknown as Launcher };
}

it('a server stays for the checks that follow, and the one that was asked for longest ago goes for another', async () => {
  const { running, starts, launcher: ours } = launcher();
  const main = () => Promise.reject(new Error('not this one'));
  const own = new OwnServers({ file: TARGET, worker: 0, mutant: '', main, services: {} as Services, launcher: ours });
  const setups = Array.from({ length: 9 }, (_, at) => ({ flags: [`--own=${at}`] }));
  const siteFor = (at: number) => own.siteFor({ needs: [], flags: [], setup: setups[at] });
  const first = await siteFor(0);
  for (let at = 1; at < 8; at++) await siteFor(at);
  assert.equal(await siteFor(0), first, 'it is still there');
  assert.equal(running.length, 8);
  await siteFor(8);
  assert.equal(running.length, 8);
  assert.ok(!running.includes('--own=1'), 'nobody had asked for this one for longer');
  assert.equal(await siteFor(0), first);
  await siteFor(1);
  assert.equal(starts.length, 10, 'it is started once more');
  await own.close();
  assert.deepEqual(running, []);
});
