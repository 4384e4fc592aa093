import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { Agent, fetch } from 'undici';
import { type HostAnswer, type HostRequest, host } from './hosting.ts';

/** A host with both ends of its pipes in hand. */
function begin() {
  const input = new PassThrough();
  const output = new PassThrough();
  const answers: HostAnswer[] = [];
  const waiting: [(answer: HostAnswer) => boolean, (answer: HostAnswer) => void][] = [];
  output.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString('utf8').trim().split('\n')) {
      const answer = JSON.parse(line) as HostAnswer;
      answers.push(answer);
      for (const [wanted, take] of waiting) if (wanted(answer)) take(answer);
    }
  });
  return {
    answers,
    over: host(input, output, () => import('./mutantServers.ts')),
    end: () => input.end(),
    ask: (request: HostRequest) => input.write(`${JSON.stringify(request)}\n`),
    next: (wanted: (answer: HostAnswer) => boolean) =>
      new Promise<HostAnswer>((resolve) => waiting.push([wanted, resolve])),
  };
}
type Ready = Extract<HostAnswer, { ready: true }> & { base: string; ca: string; kubeconfig?: string };
const versionAt = async ({ base, ca }: Ready) => {
  const dispatcher = new Agent({ connect: { ca } });
  const { status } = await fetch(`${base}/version`, { dispatcher });
  await dispatcher.close();
  return status;
};

describe('a host of references', () => {
  it('serves several at once, ends them one by one, and says why one does not start', async () => {
    const { ask, next, over, end, answers } = begin();
    const readyOf = async (server: string, flags: readonly string[]) => {
      const ready = next((answer) => answer.server === server && 'ready' in answer);
      ask({ start: server, flags: ['--embedded', ...flags] });
      return (await ready) as Ready;
    };
    const one = await readyOf('one', []);
    const other = await readyOf('other', ['--mutant', 'put-says-created']);
    assert.notEqual(one.base, other.base);
    assert.deepEqual([await versionAt(one), await versionAt(other)], [200, 200]);
    assert.equal(one.kubeconfig, undefined, 'whoever asked has been told all');

    const ended = next((answer) => answer.server === 'one' && 'ended' in answer);
    ask({ end: 'one' });
    assert.deepEqual(await ended, { server: 'one', ended: 0 });
    await assert.rejects(versionAt(one));
    assert.equal(await versionAt(other), 200);

    const refused = next((answer) => answer.server === 'odd' && 'ended' in answer);
    ask({ start: 'odd', flags: ['--embedded', '--no-such-flag'] });
    assert.deepEqual(await refused, { server: 'odd', ended: 64 });
    const said = answers.find((answer) => answer.server === 'odd' && 'said' in answer);
    assert.match(JSON.stringify(said), /no-such-flag/);

    end();
    await over;
    assert.deepEqual(answers.at(-1), { server: 'other', ended: 0 });
    await assert.rejects(versionAt(other), 'none outlives the host');
  });
});
