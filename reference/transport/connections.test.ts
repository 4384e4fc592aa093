import assert from 'node:assert/strict';
import { type EventEmitter, once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import { describe, it } from 'node:test';
import type { Handler, Reply } from '../contracts/reply.ts';
import { SystemClock } from '../time.ts';
import type { Patience } from './connections.ts';
import { listen } from './listener.ts';

const LONG = 60_000;
const HEAD = 'GET /slow HTTP/1.1\r\nHost: here\r\n\r\n';

/** Answers `/stream` with a stream that says nothing, `/slow` when it is let go, and the rest at once. */
function slowHandler() {
  const waiting: (() => void)[] = [];
  const whole: Reply = { kind: 'whole', code: 200, headers: {}, body: Buffer.from('done') };
  const handler: Handler = async ({ path }) => {
    if (path === '/stream') return { kind: 'stream', code: 200, headers: {}, start: () => ({ stop: () => undefined }) };
    if (path === '/slow') await new Promise<void>((resolve) => waiting.push(resolve));
    return whole;
  };
  return { handler, waiting };
}

async function serving(patience: Partial<Patience>, work: (port: number, waiting: (() => void)[]) => Promise<unknown>) {
  const { handler, waiting } = slowHandler();
  const times = { head: LONG, idle: LONG, grace: 0, ...patience };
  const listener = await listen({ host: '127.0.0.1', port: 0, patience: times }, handler);
  try {
    await work(listener.port, waiting);
  } finally {
    for (const go of waiting) go();
    await listener.close();
  }
}

/** Says something on a connection of its own, and everything that is answered until the server closes it. */
async function said(port: number, text: string): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  let heard = '';
  socket.on('data', (piece: Buffer) => {
    heard += piece.toString();
  });
  socket.on('error', () => undefined);
  if (text !== '') socket.write(text);
  await closed(socket);
  return heard;
}
/** Whether by an end or by a reset. */
const closed = (one: EventEmitter) => new Promise<void>((resolve) => one.once('close', resolve));
const begun = async (waiting: readonly unknown[]) => {
  while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
};
const passed = (milliseconds: number) => new Promise<void>((resolve) => new SystemClock().after(milliseconds, resolve));

describe('connections', () => {
  it('one that says nothing is closed', () =>
    serving({ head: 20 }, async (port) => assert.equal(await said(port, ''), '')));

  it('a head that does not come to its end is a 408', () =>
    serving({ head: 40 }, async (port) =>
      assert.match(await said(port, 'GET /x HTTP/1.1\r\nHost'), /^HTTP\/1\.1 408 (.|\r|\n)*did not come in time/),
    ));

  it('one on which nothing is under way is closed after its answer', () =>
    serving({ idle: 20 }, async (port) =>
      assert.match(await said(port, 'GET /x HTTP/1.1\r\nHost: here\r\n\r\n'), /^HTTP\/1\.1 200 (.|\r|\n)*done/),
    ));

  it('one whose body trickles on behind its answer is closed', () =>
    serving({ head: 500 }, async (port) => {
      const socket = net.connect(port, '127.0.0.1');
      let heard = '';
      socket.on('data', (piece: Buffer) => {
        heard += piece.toString();
      });
      socket.on('error', () => undefined);
      socket.write('POST /x HTTP/1.1\r\nHost: here\r\nContent-Length: 1000000\r\n\r\n');
      // A connection that is reset may lose what was not read of it: the answer is read first.
      while (!heard.endsWith('done')) await once(socket, 'data');
      assert.match(heard, /^HTTP\/1\.1 200 /);
      const trickle = new SystemClock().every(2, () => socket.write('x'));
      await closed(socket);
      trickle.cancel();
    }));

  it('a stream of HTTP/2 whose body trickles on behind its answer is closed, and the connection is not', () =>
    serving({ head: 500 }, async (port) => {
      const session = http2.connect(`http://127.0.0.1:${port}`);
      const stream = session.request({ ':path': '/x', ':method': 'POST' });
      stream.on('error', () => undefined);
      stream.resume();
      await once(stream, 'response');
      const trickle = new SystemClock().every(2, () => stream.writable && stream.write('x'));
      await closed(stream);
      trickle.cancel();
      const [answered] = await once(session.request({ ':path': '/x' }), 'response');
      assert.equal(answered[':status'], 200);
      session.destroy();
    }));

  it('one that uploads the rest of a refused body in time is used again', () =>
    serving({}, async (port) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      const post = http.request({ port, agent, method: 'POST', path: '/x', headers: { 'content-length': 3 } });
      post.write('a');
      const [early] = (await once(post, 'response')) as [http.IncomingMessage];
      early.resume();
      post.end('bc');
      await once(early, 'end');
      const [again] = (await once(http.get({ port, agent, path: '/x' }), 'response')) as [http.IncomingMessage];
      assert.equal(again.statusCode, 200);
      again.resume();
      agent.destroy();
    }));

  it('one that waits for the server, or has a quiet stream, stays', () =>
    serving({ idle: 800 }, async (port, waiting) => {
      const slow = said(port, HEAD);
      const stream = net.connect(port, '127.0.0.1');
      let ended = false;
      stream.on('close', () => {
        ended = true;
      });
      stream.write('GET /stream HTTP/1.1\r\nHost: here\r\n\r\n');
      await begun(waiting);
      const session = http2.connect(`http://127.0.0.1:${port}`);
      const quiet = session.request({ ':path': '/stream' });
      await once(quiet, 'response');
      await passed(2_000);
      assert.equal(ended, false);
      assert.equal(session.closed, false);
      waiting[0]?.();
      assert.match(await slow, /done/);
      stream.destroy();
      session.destroy();
    }));

  it('at the end of the server what was asked is answered, streams end, and nobody is taken in', async () => {
    const { handler, waiting } = slowHandler();
    const patience = { head: LONG, idle: LONG, grace: LONG };
    const listener = await listen({ host: '127.0.0.1', port: 0, patience }, handler);
    const slow = said(listener.port, HEAD);
    const [response] = (await once(http.get({ port: listener.port, path: '/stream', agent: false }), 'response')) as [
      http.IncomingMessage,
    ];
    await begun(waiting);
    const closed = listener.close();
    response.resume();
    await once(response, 'end');
    assert.equal(response.complete, true);
    await assert.rejects(once(net.connect(listener.port, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' });
    waiting[0]?.();
    assert.match(await slow, /done/);
    await closed;
  });

  it('who goes on asking meanwhile is told to ask elsewhere, and nothing is cut off', async () => {
    const { handler, waiting } = slowHandler();
    const listener = await listen(
      { host: '127.0.0.1', port: 0, patience: { head: LONG, idle: LONG, grace: LONG } },
      handler,
    );
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const asked = async (path: string) => {
      const [response] = (await once(http.get({ port: listener.port, path, agent }), 'response')) as [
        http.IncomingMessage,
      ];
      response.resume();
      await once(response, 'end');
      return response.headers.connection;
    };
    const session = http2.connect(`http://127.0.0.1:${listener.port}`);
    const slow = session.request({ ':path': '/slow' });
    let heard = '';
    slow.setEncoding('utf8').on('data', (piece: string) => {
      heard += piece;
    });
    await begun(waiting);
    assert.equal(await asked('/'), 'keep-alive');
    const closing = listener.close();
    assert.equal(await asked('/'), 'close');
    if (!session.closed) await once(session, 'goaway');
    waiting[0]?.();
    await once(slow, 'end');
    assert.equal(heard, 'done');
    await closing;
  });

  it('what takes longer than the grace is cut off', async () => {
    const { handler, waiting } = slowHandler();
    const patience = { head: LONG, idle: LONG, grace: 10 };
    const listener = await listen({ host: '127.0.0.1', port: 0, patience }, handler);
    const slow = said(listener.port, HEAD);
    await begun(waiting);
    await listener.close();
    assert.equal(await slow, '');
  });
});
