import assert from 'node:assert/strict';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import { after, before, test } from 'node:test';
import tls from 'node:tls';
import { WebSocket } from 'ws';
import type { Handler } from '../contracts/reply.ts';
import { createAuthority, issue } from './certificates.ts';
import { type Listener, listen } from './listener.ts';

let ca = '';
let secure: Listener;
let plain: Listener;

/** Tells what came in, and streams where asked. */
const echo: Handler = async (request) => {
  const count = request.query.get('count') === undefined ? '' : ` ${Object.keys(request.headers).length}`;
  const said = `${request.method} ${request.path} secure=${request.secure}${count}`;
  if (request.query.get('watch') === undefined) {
    return { kind: 'whole', code: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from(said) };
  }
  return {
    kind: 'stream',
    code: 200,
    headers: { 'content-type': 'application/json' },
    start: (wire) => {
      wire.write(Buffer.from('{"n":1}\n'));
      wire.write(Buffer.from('{"n":2}\n'));
      wire.end();
      return { stop: () => undefined };
    },
  };
};

before(async () => {
  // TLS clients judge certificates by the machine's own clock.
  const now = performance.timeOrigin + performance.now();
  const authority = createAuthority('ca', now);
  const issued = issue(authority, { commonName: 's', hosts: ['127.0.0.1', 'localhost'], usage: 'server' }, now);
  ca = authority.pem;
  const tls = { certificate: issued.certificate, key: issued.key, minimumVersion: 'TLSv1.2' as const };
  secure = await listen({ host: '127.0.0.1', port: 0, tls }, echo);
  plain = await listen({ host: '127.0.0.1', port: 0 }, echo);
});
after(async () => {
  await secure.close();
  await plain.close();
});

function text(message: http.IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let body = '';
    message.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    message.once('end', () => resolve(body)).once('error', reject);
  });
}
const get = (library: typeof http | typeof https, port: number, path: string) =>
  new Promise<{ code: number | undefined; body: string; headers: http.IncomingHttpHeaders }>((resolve, reject) => {
    library
      .get({ host: '127.0.0.1', port, path, ca, agent: false }, async (response) =>
        resolve({ code: response.statusCode, body: await text(response), headers: response.headers }),
      )
      .once('error', reject);
  });
function overHttp2(base: string): Promise<string> {
  const session = http2.connect(base, { ca });
  return new Promise((resolve, reject) => {
    session.once('error', reject);
    const stream = session.request({ ':path': '/two' });
    let body = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    stream.once('end', () => session.close(() => resolve(body))).once('error', reject);
  });
}

test('a port serves HTTPS or HTTP, each with HTTP/1.1 and HTTP/2', async () => {
  assert.equal((await get(https, secure.port, '/one')).body, 'GET /one secure=true');
  assert.equal((await get(http, plain.port, '/one')).body, 'GET /one secure=false');
  assert.equal(await overHttp2(`https://localhost:${secure.port}`), 'GET /two secure=true');
  assert.equal(await overHttp2(`http://localhost:${plain.port}`), 'GET /two secure=false');
});

test('who speaks plain HTTP to a port of HTTPS is told so', async () => {
  const { code, body } = await get(http, secure.port, '/');
  assert.equal(code, 400);
  assert.equal((JSON.parse(body) as { reason: string }).reason, 'BadRequest');
  assert.match(body, /HTTPS/);
  await assert.rejects(get(https, plain.port, '/'));
});

test('a stream over HTTP/1.1 comes in chunks', async () => {
  const { headers, body } = await get(https, secure.port, '/s?watch=1');
  assert.equal(headers['transfer-encoding'], 'chunked');
  assert.equal(body, '{"n":1}\n{"n":2}\n');
});

test('a stream over a WebSocket is one message an event, and anything else is plain HTTP', async () => {
  const messages: string[] = [];
  const socket = new WebSocket(`wss://127.0.0.1:${secure.port}/s?watch=1`, { ca });
  socket.on('message', (data) => messages.push(String(data)));
  await new Promise((resolve) => socket.once('close', resolve));
  assert.deepEqual(messages, ['{"n":1}\n', '{"n":2}\n']);
  const refused = new WebSocket(`ws://127.0.0.1:${plain.port}/none`);
  const [, response] = await new Promise<[unknown, http.IncomingMessage]>((resolve) =>
    refused.once('unexpected-response', (...heard) => resolve(heard)),
  );
  assert.equal(response.statusCode, 200);
  response.destroy();
});

test('a port that is taken is an error with its code', async () => {
  await assert.rejects(listen({ host: '127.0.0.1', port: secure.port }, echo), { code: 'EADDRINUSE' });
});

test('a connection that says nothing and goes does no harm', async () => {
  const socket = net.connect(secure.port, '127.0.0.1');
  await new Promise<void>((resolve) => socket.once('connect', () => socket.end(() => resolve())));
  assert.equal((await get(https, secure.port, '/after')).code, 200);
});

test('a method that the parser does not know is no method of any path', async () => {
  const socket = net.connect(plain.port, '127.0.0.1');
  const heard: Buffer[] = [];
  socket.on('data', (piece) => heard.push(piece));
  socket.write('FETCH /api/v1/nodes HTTP/1.1\r\nHost: here\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  const [head = '', body = ''] = Buffer.concat(heard).toString().split('\r\n\r\n');
  assert.match(head, /^HTTP\/1\.1 405 /);
  assert.equal((JSON.parse(body) as { reason: string }).reason, 'MethodNotAllowed');
});

/** What comes back for the text of a request, over either port. */
async function answersTo(request: string): Promise<string[]> {
  const sockets = [
    net.connect(plain.port, '127.0.0.1'),
    tls.connect({ port: secure.port, host: '127.0.0.1', ca, ALPNProtocols: ['http/1.1'] }),
  ];
  return Promise.all(
    sockets.map(async (socket) => {
      let heard = '';
      socket.on('data', (piece: Buffer) => {
        heard += piece.toString();
      });
      socket.on('error', () => undefined);
      socket.write(request);
      await new Promise((resolve) => socket.once('close', resolve));
      return heard;
    }),
  );
}

test('a request of HTTP/1.1 names its host, one of HTTP/1.0 need not', async () => {
  for (const answer of await answersTo('GET /x HTTP/1.1\r\nConnection: close\r\n\r\n')) {
    assert.match(answer, /^HTTP\/1\.1 400 /);
  }
  for (const answer of await answersTo('GET /x HTTP/1.0\r\n\r\n')) assert.match(answer, /^HTTP\/1\.1 200 /);
});

test('a head may have a mebibyte, and none of its lines is left out', async () => {
  const head = (lines: string) => `GET /x?count HTTP/1.1\r\nHost: here\r\nConnection: close\r\n${lines}\r\n`;
  for (const answer of await answersTo(head(`A: ${'x'.repeat(1_000_000)}\r\n`))) {
    assert.match(answer, /^HTTP\/1\.1 200 (.|\r|\n)* 3$/);
  }
  const many = Array.from({ length: 5_000 }, (_, index) => `a${index}: x\r\n`).join('');
  for (const answer of await answersTo(head(many))) assert.match(answer, /^HTTP\/1\.1 200 (.|\r|\n)* 5002$/);
  for (const answer of await answersTo(head(`A: ${'x'.repeat(1_100_000)}\r\n`))) {
    assert.match(answer, /^HTTP\/1\.1 431 (.|\r|\n)*request header is larger than 1048576 bytes/);
  }
});

test('a head of HTTP/2 may have a thousand lines and a hundred kilobytes', async () => {
  const session = http2.connect(`https://localhost:${secure.port}`, { ca, maxSendHeaderBlockLength: 1_000_000 });
  const lines = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`a${index}`, 'x'.repeat(100)]));
  const stream = session.request({ ':path': '/x?count', ...lines });
  let heard = '';
  for await (const piece of stream) heard += String(piece);
  session.close();
  assert.equal(heard, 'GET /x secure=true 1004');
});

test('a port without HTTP/2 takes HTTP/1.1 alone, whatever a client offers', async () => {
  const only = await listen({ host: '127.0.0.1', port: 0, http2: false }, echo);
  assert.equal((await get(http, only.port, '/one')).body, 'GET /one secure=false');
  await assert.rejects(overHttp2(`http://127.0.0.1:${only.port}`));
  await only.close();
});
