import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import type { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { WebSocket } from 'ws';
import type { Wire } from '../contracts/reply.ts';
import { listen } from './listener.ts';

const FRAMES = 64;
const FRAME = Buffer.alloc(128 * 1024, 'x');

/** Writes frames as fast as the reader takes them, and says how often it had to wait. */
class Source {
  written = 0;
  waits = 0;
  readonly stalled: Promise<void>;
  #stalled: () => void = () => undefined;

  constructor() {
    this.stalled = new Promise((resolve) => {
      this.#stalled = resolve;
    });
  }
  pump(wire: Wire): void {
    while (this.written < FRAMES) {
      this.written++;
      if (wire.write(FRAME)) continue;
      this.waits++;
      this.#stalled();
      assert.ok(wire.whenReady, 'the wire cannot tell when it is ready');
      wire.whenReady(() => this.pump(wire));
      return;
    }
    wire.end();
  }
}

async function serving(run: (port: number, source: Source) => Promise<number>): Promise<void> {
  const source = new Source();
  const listener = await listen({ host: '127.0.0.1', port: 0 }, async () => ({
    kind: 'stream',
    code: 200,
    headers: {},
    start: (wire) => {
      source.pump(wire);
      return { stop: () => undefined };
    },
  }));
  try {
    assert.equal(await run(listener.port, source), FRAMES * FRAME.byteLength);
    assert.equal(source.written, FRAMES);
    assert.ok(source.waits > 0);
  } finally {
    await listener.close();
  }
}

async function count(body: Readable, source: Source): Promise<number> {
  await source.stalled;
  assert.ok(source.written < FRAMES, 'all was written to a reader that reads nothing');
  let bytes = 0;
  for await (const chunk of body) bytes += (chunk as Buffer).byteLength;
  return bytes;
}

describe('a stream to a reader that is behind', () => {
  it('waits and goes on over HTTP/1.1', () =>
    serving(async (port, source) => {
      const request = http.get({ host: '127.0.0.1', port, agent: false });
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      return count(response, source);
    }));
  it('waits and goes on over HTTP/2', () =>
    serving(async (port, source) => {
      const session = http2.connect(`http://127.0.0.1:${port}`);
      const stream = session.request({ ':path': '/' });
      await once(stream, 'response');
      const bytes = await count(stream, source);
      session.close();
      return bytes;
    }));
  it('waits and goes on over WebSocket', () =>
    serving(async (port, source) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/pods?watch=1`);
      let bytes = 0;
      socket.on('message', (data: Buffer) => {
        bytes += data.byteLength;
      });
      await once(socket, 'open');
      socket.pause();
      await source.stalled;
      socket.resume();
      await once(socket, 'close');
      return bytes;
    }));
});
