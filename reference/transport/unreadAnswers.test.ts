import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { describe, it } from 'node:test';
import { listen } from './listener.ts';
import { UnreadAnswers } from './unreadAnswers.ts';

/** A clock that shows what it is told. */
function clockAt() {
  const clock = { time: 0, now: () => clock.time, elapsed: () => clock.time, after: never, every: never };
  return clock;
}
const never = (): never => {
  throw new Error('nobody waits here');
};

describe('answers that are not read', () => {
  it('wait in a bounded number of bytes, of which one alone may have more', () => {
    const answers = new UnreadAnswers({ most: 100, patience: 10 }, clockAt());
    const large = answers.enter(300, never);
    assert.ok(large);
    assert.equal(answers.enter(1, never), undefined);
    large.took(250);
    const small = answers.enter(50, never);
    assert.ok(small);
    assert.equal(answers.enter(1, never), undefined);
    large.over();
    large.over();
    small.took(20);
    assert.ok(answers.enter(70, never));
    assert.equal(answers.enter(1, never), undefined);
  });

  it('make room once their readers took nothing for a while, and no sooner than somebody needs it', () => {
    const clock = clockAt();
    const answers = new UnreadAnswers({ most: 100, patience: 10 }, clock);
    const cut: string[] = [];
    const enter = (name: string, bytes: number) => answers.enter(bytes, () => cut.push(name));
    enter('first', 40);
    const second = enter('second', 40);
    clock.time = 15;
    second?.took(10);
    assert.ok(enter('third', 20));
    assert.deepEqual(cut, []);
    assert.ok(enter('fourth', 30));
    assert.deepEqual(cut, ['first']);
    assert.equal(enter('fifth', 60), undefined);
    assert.deepEqual(cut, ['first']);
  });
});

describe('a port whose answers are not read', () => {
  const BODY = Buffer.alloc(12 * 1024 * 1024, 'x');
  const REQUEST = 'GET /x HTTP/1.1\r\nHost: here\r\n\r\n';
  const unreadBy = async (port: number) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(REQUEST);
    await once(socket, 'readable');
    return socket;
  };
  const asked = async (port: number, path: string) => {
    const [response] = (await once(http.get({ port, path, agent: false }), 'response')) as [http.IncomingMessage];
    let bytes = 0;
    for await (const piece of response) bytes += (piece as Buffer).length;
    return { code: response.statusCode, bytes, after: response.headers['retry-after'] };
  };
  const serving = async (patience: number, work: (port: number) => Promise<void>) => {
    const listener = await listen(
      { host: '127.0.0.1', port: 0, unread: { most: 16 * 1024 * 1024, patience } },
      async ({ path }) => ({
        kind: 'whole',
        code: 200,
        headers: {},
        body: path === '/small' ? Buffer.from('small') : BODY,
      }),
    );
    try {
      await work(listener.port);
    } finally {
      await listener.close();
    }
  };

  it('says of what finds no room when to come again, and answers what is small', () =>
    serving(60_000, async (port) => {
      const idle = await unreadBy(port);
      const { code, after } = await asked(port, '/x');
      assert.deepEqual([code, after], [429, '1']);
      assert.deepEqual(await asked(port, '/small'), { code: 200, bytes: 5, after: undefined });
      const closed = once(idle, 'close');
      idle.destroy();
      await closed;
      // The port hears of it in its own time.
      let answer = await asked(port, '/x');
      while (answer.code === 429) answer = await asked(port, '/x');
      assert.deepEqual(answer, { code: 200, bytes: BODY.length, after: undefined });
    }));

  it('cuts off who took nothing for a while', () =>
    serving(0, async (port) => {
      const idle = await unreadBy(port);
      assert.deepEqual(await asked(port, '/x'), { code: 200, bytes: BODY.length, after: undefined });
      idle.resume();
      await once(idle, 'close');
      assert.ok(idle.bytesRead < BODY.length, 'all of it came');
    }));
});
