import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { kubernetes } from '../fixtures/dialects/kubernetes.ts';
import { NAMED_BUGS } from '../mutants/namedBugs.ts';
import { isKeptStorm } from '../storm/keptStorm.ts';
import { MIXES, type Mix } from '../storm/mix.ts';
import { NARROWEST } from '../storm/site.ts';
import { runStorm } from '../storm/storm.ts';
import { judge } from './commands/judge.ts';
import { shortestBeside } from './drawHistory.ts';
import { startRunning } from './serve/running.ts';
import { replayStorm, shortenHistory } from './shortestStorm.ts';

const scratch = mkdtempSync(join(tmpdir(), 'touchstone-shortest-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** A server in this process, sound or with a bug. */
async function serverWith(bug?: string) {
  const running = await startRunning(
    ['--embedded', '--clock=system', ...(bug === undefined ? [] : [`--mutant=${bug}`])],
    NAMED_BUGS,
  );
  const { token } = running.credentials.find((each) => each.name === 'admin') ?? {};
  return { servers: [{ base: running.base, ca: running.ca, identity: { token } }], stop: () => running.stop() };
}

describe('a storm that found something', () => {
  it('is cut down to the operations that matter, which show it again and show nothing at a sound server', async (t) => {
    t.mock.method(console, 'log', () => {});
    const file = join(scratch, 'history-0.ndjson');
    const { signal } = new AbortController();
    const bad = await serverWith('kubernetes-24004');
    try {
      await runStorm({
        servers: bad.servers,
        seed: 7,
        mix: MIXES.watches as Mix,
        clients: 4,
        duration: 60_000,
        requests: 200,
        faults: [],
        site: { ...NARROWEST, name: 'storm-shortest', dialect: kubernetes },
        file,
        command: '',
        patience: 1_500,
        progress: () => undefined,
        signal,
      });
      assert.equal(
        await shortenHistory({
          file,
          servers: bad.servers,
          dialect: kubernetes,
          words: ['reference'],
          within: 60_000,
          signal,
        }),
        true,
      );
      const kept: unknown = JSON.parse(readFileSync(join(scratch, 'shortest.json'), 'utf8'));
      assert.ok(isKeptStorm(kept));
      assert.ok(kept.script.operations.length < 20, `${kept.script.operations.length} operations are left`);
      // The page of the history knows them, and takes them for no other storm.
      const page = join(scratch, 'page.html');
      assert.equal(await judge([file, '--html', page]), 1);
      const few = `Only the requests that matter: ${kept.script.operations.length} of `;
      assert.ok(readFileSync(page, 'utf8').includes(few), few);
      assert.equal(shortestBeside(file, []), undefined);
      assert.equal(await replayStorm(kept, bad.servers, kubernetes, AbortSignal.abort()), 130);
      assert.equal(await replayStorm(kept, bad.servers, kubernetes, signal), 1);
      const sound = await serverWith();
      try {
        assert.equal(await replayStorm(kept, sound.servers, kubernetes, signal), 0);
      } finally {
        await sound.stop();
      }
    } finally {
      await bad.stop();
    }
  });
});
