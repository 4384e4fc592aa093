import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { returnableBytes } from '../contracts/returnableBytes.ts';
import { listen } from './listener.ts';

describe('a large answer', () => {
  it('comes in full, and its memory is given back then', async () => {
    const body = returnableBytes(20 * 1024 * 1024);
    for (let i = 0; i < body.length; i++) body[i] = (i >> 10) & 0xff;
    const expected = Buffer.from(body);
    const listener = await listen({ host: '127.0.0.1', port: 0 }, async () => ({
      kind: 'whole',
      code: 200,
      headers: {},
      body,
    }));
    try {
      const { port } = listener;
      const [response] = (await once(http.get({ port, agent: false }), 'response')) as [http.IncomingMessage];
      const pieces: Buffer[] = [];
      for await (const piece of response) pieces.push(piece as Buffer);
      assert.ok(Buffer.concat(pieces).equals(expected));
      while (body.length > 0) await turn();
    } finally {
      await listener.close();
    }
  });
});
