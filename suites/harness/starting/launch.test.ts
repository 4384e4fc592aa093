import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LaunchFailed, launch, readReady } from './launch.ts';

const node = (script: string) => [process.execPath, '-e', script];
const READY = `console.log('talk'); console.log(JSON.stringify({ready:true,base:'https://127.0.0.1:1/',ca:'-----BEGIN C',identities:{admin:{token:'t'},stranger:{token:'s'}},control:{base:'http://x',token:'c'}}));`;

describe('a launched server', () => {
  it('is ready when it says so, and ends when its input closes', async () => {
    const { ready, stop, exited } = await launch(
      node(`${READY} process.stdin.resume().on('end', () => process.exit(0));`),
    );
    assert.equal(ready.base, 'https://127.0.0.1:1');
    assert.deepEqual(ready.identities.plain, { token: 's' }, 'the stranger is the one without rights');
    assert.deepEqual(ready.control, { base: 'http://x', token: 'c' });
    await stop();
    assert.equal((await exited).code, 0);
  });
  it('is killed when it does not end by itself', async () => {
    const { stop, exited } = await launch(
      node(`${READY} process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`),
    );
    await stop();
    assert.equal((await exited).code, null);
  });
  it('that ends at once is told with its last words', async () => {
    const failing = launch(node(`console.error('first'); console.error('port taken'); process.exit(64);`));
    await assert.rejects(
      failing,
      (error) => error instanceof LaunchFailed && /code 64\): port taken$/.test(error.message),
    );
  });
  it('that says nothing is given up', async () => {
    await assert.rejects(launch(node('setInterval(() => {}, 1000);'), 150), /within 0\.15 seconds/);
  });
  it('that does not exist is told', async () => {
    await assert.rejects(launch(['/no/such/program']), /ENOENT/);
  });
  it('is told from talk by its line alone', () => {
    for (const line of ['', 'ready', '{', '[]', '{"ready":false}', '{"ready":true}'])
      assert.equal(readReady(line), undefined, line);
  });
});
