import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import { describe, it } from 'node:test';
import { readOptions } from '../options/loadOptions.ts';
import { createReference } from '../reference.ts';
import { SystemClock } from '../time.ts';
import { listen } from './listener.ts';

const WRITER = { authorization: 'Bearer t', 'content-type': 'application/json' };
const PATH = '/api/v1/namespaces/default/configmaps';

/** A server that takes one write at a time, none longer than 300 ms, and a write to it in one piece. */
async function serving(run: (port: number, write: () => Promise<number | undefined>) => Promise<void>): Promise<void> {
  const loaded = readOptions(
    [
      '--request-timeout=300ms',
      '--max-mutating-requests-inflight=1',
      '--enable-priority-and-fairness=false',
      '--authorization-mode=AlwaysAllow',
      '--token-auth-file=users',
    ],
    { read: () => 't,writer,u\n' },
  );
  assert.ok(!('errors' in loaded), JSON.stringify(loaded));
  const reference = await createReference(loaded.options);
  const { port, close } = await listen({ host: '127.0.0.1', port: 0 }, reference.handler);
  try {
    await run(port, async () => {
      const request = http.request({ port, method: 'POST', path: PATH, agent: false, headers: WRITER });
      request.end(JSON.stringify({ metadata: { name: 'other' } }));
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      response.resume();
      return response.statusCode;
    });
  } finally {
    await close();
    await reference.close();
  }
}

/** The first answer to a write that is not that there is no place for it. */
async function taken(write: () => Promise<number | undefined>): Promise<number | undefined> {
  for (;;) {
    const code = await write();
    if (code !== 429) return code;
  }
}

describe('a body that trickles in is answered when the time of its request is over, and others have its place', {
  timeout: 60_000,
}, () => {
  it('over HTTP/1.1', () =>
    serving(async (port, write) => {
      const slow = net.connect(port, '127.0.0.1');
      slow.on('error', () => undefined);
      const head = { host: 'here', ...WRITER, 'content-length': 100_000 };
      const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
      slow.write(`POST ${PATH} HTTP/1.1\r\n${lines.join('')}\r\n`);
      const trickle = new SystemClock().every(5, () => slow.write(' '));
      try {
        const [answered] = (await once(slow, 'data')) as [Buffer];
        assert.match(answered.toString(), /^HTTP\/1\.1 504 /);
        // It goes on trickling meanwhile.
        assert.equal(await taken(write), 201);
        assert.equal(slow.closed, false);
      } finally {
        trickle.cancel();
        slow.destroy();
      }
    }));

  it('over HTTP/2', () =>
    serving(async (port, write) => {
      const session = http2.connect(`http://127.0.0.1:${port}`);
      const slow = session.request({ ':method': 'POST', ':path': PATH, ...WRITER });
      slow.on('error', () => undefined);
      slow.resume();
      const trickle = new SystemClock().every(5, () => slow.write(' '));
      try {
        const [answered] = await once(slow, 'response');
        assert.equal(answered[':status'], 504);
        assert.equal(await taken(write), 201);
        assert.equal(slow.closed, false);
      } finally {
        trickle.cancel();
        session.destroy();
      }
    }));
});
