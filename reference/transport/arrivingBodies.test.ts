import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { describe, it } from 'node:test';
import type { Handler } from '../contracts/reply.ts';
import { ArrivingBodies } from './arrivingBodies.ts';
import { listen } from './listener.ts';

/** A clock that shows what it is told. */
function clockAt() {
  const clock = { time: 0, now: () => clock.time, elapsed: () => clock.time, after: never, every: never };
  return clock;
}
const never = (): never => {
  throw new Error('nobody waits here');
};

describe('large bodies', () => {
  it('come in a bounded number of bytes, of which one alone may have more, and others wait for their turn', async () => {
    const bodies = new ArrivingBodies({ most: 100, patience: 10 }, clockAt());
    const [large, first, second, third] = [{}, {}, {}, {}];
    assert.equal(bodies.enter(large, 300, never), undefined);
    const entered: string[] = [];
    const waiting = [
      bodies.enter(first, 60, never)?.then(() => entered.push('first')),
      bodies.enter(second, 60, never)?.then(() => entered.push('second')),
      bodies.enter(third, 10, never)?.then(() => entered.push('third')),
    ];
    bodies.leave(large);
    bodies.leave(large);
    await waiting[0];
    assert.deepEqual(entered, ['first']);
    // Who gives up waiting holds up nobody.
    bodies.leave(second);
    await waiting[2];
    assert.deepEqual(entered, ['first', 'third']);
  });

  it('are given up when they come too slowly and others need the room, and not when they are here', () => {
    const clock = clockAt();
    const bodies = new ArrivingBodies({ most: 100, patience: 10 }, clock);
    const cut: string[] = [];
    const enter = (name: string, bytes: number, holder = {}) => bodies.enter(holder, bytes, () => cut.push(name));
    const here = {};
    enter('here', 40, here);
    bodies.whole(here);
    enter('slow', 40);
    clock.time = 9;
    assert.ok(enter('early', 40));
    assert.equal(cut.length, 0);
    clock.time = 11;
    const late = new ArrivingBodies({ most: 100, patience: 10 }, clock);
    assert.equal(
      late.enter({}, 90, () => cut.push('late')),
      undefined,
    );
    clock.time = 30;
    assert.equal(late.enter({}, 90, never), undefined);
    assert.deepEqual(cut, ['late']);
  });
});

describe('a port to which large bodies are sent', () => {
  const BYTES = 200_000;
  /** Answers how long a body was. */
  const measuring: Handler = async (request) => {
    let code = 200;
    let text = '';
    try {
      text = String((await request.body()).byteLength);
    } catch (error) {
      code = (error as { code: number }).code;
    }
    return { kind: 'whole', code, headers: {}, body: Buffer.from(text) };
  };
  const begun = async (port: number) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(`POST /x HTTP/1.1\r\nhost: here\r\ncontent-length: ${BYTES}\r\n\r\n${'x'.repeat(BYTES / 2)}`);
    return socket;
  };
  const sent = async (port: number, bytes: number) => {
    const request = http.request({ port, method: 'POST', path: '/x', agent: false });
    request.end('x'.repeat(bytes));
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    return `${response.statusCode} ${text}`;
  };

  it('reads those for which there is room, small ones always, and the next when one was answered or has gone', async () => {
    const limits = { most: 2 * BYTES, patience: 60_000 };
    const { port, close } = await listen({ host: '127.0.0.1', port: 0, bodies: limits }, measuring);
    const [one, other] = [await begun(port), await begun(port)];
    try {
      while ((await sent(port, 1_000)) !== '200 1000');
      let answered = 0;
      const waiting = [sent(port, BYTES), sent(port, BYTES)].map((answer) =>
        answer.then((text) => {
          answered++;
          return text;
        }),
      );
      for (let at = 0; at < 20; at++) assert.equal(await sent(port, 1_000), '200 1000');
      assert.equal(answered, 0);
      one.write('x'.repeat(BYTES / 2));
      const [text] = (await once(one, 'data')) as [Buffer];
      assert.match(String(text), /^HTTP\/1\.1 200 /);
      other.destroy();
      assert.deepEqual(await Promise.all(waiting), [`200 ${BYTES}`, `200 ${BYTES}`]);
    } finally {
      one.destroy();
      other.destroy();
      await close();
    }
  });

  it('answers 429 to who sends too slowly where others need the room', async () => {
    const limits = { most: BYTES, patience: 0 };
    const { port, close } = await listen({ host: '127.0.0.1', port: 0, bodies: limits }, measuring);
    const slow = await begun(port);
    try {
      while ((await sent(port, 1_000)) !== '200 1000');
      const refused = once(slow, 'data') as Promise<[Buffer]>;
      assert.equal(await sent(port, BYTES), `200 ${BYTES}`);
      assert.match(String((await refused)[0]), /^HTTP\/1\.1 429 /);
    } finally {
      slow.destroy();
      await close();
    }
  });
});
