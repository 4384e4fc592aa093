import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, it } from 'node:test';
import type { Wire } from '../contracts/reply.ts';
import { listen } from './listener.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Asks for a stream in a way, and gives the wires of all that were asked for. */
async function streaming(
  run: (open: (head?: string) => Promise<{ readonly wire: Wire; readonly body: () => string }>) => Promise<void>,
) {
  const wires: Wire[] = [];
  const listener = await listen({ host: '127.0.0.1', port: 0 }, async () => ({
    kind: 'stream',
    code: 200,
    headers: {},
    start: (wire) => {
      wires.push(wire);
      return { stop: () => undefined };
    },
  }));
  const sockets: net.Socket[] = [];
  try {
    await run(async (head = 'GET / HTTP/1.1\r\nhost: here\r\n\r\n') => {
      const socket = net.connect(listener.port, '127.0.0.1');
      sockets.push(socket);
      let text = '';
      socket.write(head);
      socket.on('data', (bytes: Buffer) => {
        text += bytes.toString('latin1');
      });
      while (!text.includes('\r\n\r\n')) await once(socket, 'data');
      return { wire: wires.at(-1) as Wire, body: () => text.slice(text.indexOf('\r\n\r\n') + 4) };
    });
  } finally {
    for (const socket of sockets) socket.destroy();
    await listener.close();
  }
}

/** What the chunks hold that have come whole. */
function unchunked(body: string): string {
  let text = '';
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.slice(at, end), 16);
    if (end < 0 || size === 0 || end + 2 + size > body.length) return text;
    text += body.slice(end + 2, end + 2 + size);
    at = end + 4 + size;
  }
}

async function until(reached: () => boolean): Promise<void> {
  for (let turns = 0; turns < 10_000 && !reached(); turns++) await turn();
  assert.ok(reached());
}

describe('streams that gather what they are given', () => {
  it('write the frames of one turn as one chunk, and those of another as another', () =>
    streaming(async (open) => {
      const { wire, body } = await open();
      for (const text of ['one ', 'two ']) wire.write(Buffer.from(text));
      assert.equal(wire.pending, 8);
      await turn();
      wire.write(Buffer.from('three'));
      await until(() => body().includes('three'));
      assert.equal(body(), '8\r\none two \r\n5\r\nthree\r\n');
    }));

  it('give each stream its own', () =>
    streaming(async (open) => {
      const [a, b, c] = [await open(), await open(), await open()];
      const shared = Buffer.from('shared');
      for (const { wire } of [a, b, c]) wire.write(shared);
      b.wire.write(Buffer.from(' and more'));
      await until(() => [a, b, c].every(({ body }) => body().includes('shared')));
      assert.equal(a.body(), '6\r\nshared\r\n');
      assert.equal(b.body(), 'f\r\nshared and more\r\n');
      assert.equal(c.body(), a.body());
    }));

  it('write before they end', () =>
    streaming(async (open) => {
      const { wire, body } = await open();
      wire.write(Buffer.from('last'));
      wire.end();
      await until(() => body().endsWith('0\r\n\r\n'));
      assert.equal(body(), '4\r\nlast\r\n0\r\n\r\n');
    }));

  it('hand on frames of any size in their order, whatever comes while a large one is on its way, and end behind them', () =>
    streaming(async (open) => {
      const sizes = [10, 3_000_000, 20, 131_072, 131_073, 65_536, 700_000, 1];
      for (const version of ['1.1', '1.0']) {
        const { wire, body } = await open(`GET / HTTP/${version}\r\nhost: here\r\n\r\n`);
        const frames = sizes.map((size, at) => Buffer.alloc(size, String.fromCharCode(97 + at)));
        for (const [at, frame] of frames.entries()) {
          wire.write(frame);
          if (at % 2 === 0) await turn();
        }
        const last = Buffer.alloc(400_000, 'z');
        let told = 0;
        if (!wire.write(last)) wire.whenReady?.(() => told++);
        wire.end();
        const whole = Buffer.concat([...frames, last]).toString('latin1');
        await until(() => body().length >= whole.length && body().endsWith(version === '1.0' ? 'z' : '\r\n0\r\n\r\n'));
        assert.ok((version === '1.0' ? body() : unchunked(body())) === whole, version);
        assert.equal(told, 0);
      }
    }));

  it('need no chunks for a reader that knows none', () =>
    streaming(async (open) => {
      const { wire, body } = await open('GET / HTTP/1.0\r\nhost: here\r\n\r\n');
      for (const text of ['one ', 'two']) wire.write(Buffer.from(text));
      await until(() => body().includes('two'));
      assert.equal(body(), 'one two');
    }));
});
