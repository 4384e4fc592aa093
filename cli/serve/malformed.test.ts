import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import tls from 'node:tls';
import fc from 'fast-check';
import { type Served, serveForTests } from '../testing/serveForTests.ts';

let served: Served;
let port: number;

before(async () => {
  served = await serveForTests({ open: true });
  port = Number(new URL(served.base).port);
});
after(() => served.stop());

/** Sends bytes as they are over a connection, and answers what came back until it closed or was silent so many milliseconds. */
function exchange(bytes: Uint8Array | string, silence = 10_000): Promise<string> {
  return new Promise((resolve) => {
    const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    let heard = '';
    const finish = () => {
      socket.destroy();
      resolve(heard);
    };
    socket.setTimeout(silence, finish);
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      if (/\r\n\r\n[\s\S]*\}\s*$/.test(heard)) finish();
    });
    socket.on('close', finish);
    socket.on('error', finish);
    socket.write(bytes);
  });
}

const COLLECTION = '/api/v1/namespaces/default/configmaps';
function request(method: string, target: string, body = '', headers: Record<string, string> = {}): string {
  const lines = Object.entries({ 'content-type': 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [
    `${method} ${target} HTTP/1.1`,
    'host: localhost',
    ...lines,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}

async function statusOf(bytes: string): Promise<{ code: number; body: { kind?: string; code?: number } }> {
  const heard = await exchange(bytes);
  const code = Number(/^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1]);
  return { code, body: JSON.parse(heard.slice(heard.indexOf('\r\n\r\n') + 4) || '{}') };
}

const deep = (depth: number) => `{"apiVersion":"v1","kind":"ConfigMap","x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
const REFUSED: readonly [what: string, bytes: string][] = [
  ['a path with a broken escape', request('GET', '/api/v1/%zz')],
  ['an empty body', request('POST', COLLECTION, '')],
  ['a truncated body', request('POST', COLLECTION, '{"apiVersion":"v1","kind":"Conf')],
  ['a body that is an array', request('POST', COLLECTION, '[]')],
  ['a body that nests very deep', request('POST', COLLECTION, deep(200_000))],
  ['a body of another type', request('POST', COLLECTION, '<a/>', { 'content-type': 'text/xml' })],
  [
    'a body with a NUL in a name',
    request('POST', COLLECTION, '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a\\u0000"}}'),
  ],
  [
    'a number beyond every range',
    request('POST', COLLECTION, '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","generation":1e400}}'),
  ],
  ['an alias bomb', request('POST', COLLECTION, aliasBomb(), { 'content-type': 'application/yaml' })],
  ['a header that is no header', 'GET /api HTTP/1.1\r\nno colon here\r\n\r\n'],
  ['a method that is none', request('BREW', COLLECTION)],
  [
    'two lengths that differ',
    `POST ${COLLECTION} HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}`,
  ],
];

function aliasBomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 12; i++)
    lines.push(
      `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    );
  return `${lines.join('\n')}\n`;
}

for (const [what, bytes] of REFUSED) {
  test(`${what} is refused with a Status`, async () => {
    const { code, body } = await statusOf(bytes);
    assert.ok(code >= 400 && code < 500, `${code}`);
    assert.equal(body.kind, 'Status');
    assert.equal(body.code, code);
  });
}

test('a body above the limit is refused with 413', async () => {
  const { code, body } = await statusOf(request('POST', COLLECTION, `"${'x'.repeat(3 * 1024 * 1024)}"`));
  assert.equal(code, 413);
  assert.equal(body.kind, 'Status');
});

test('names of the language are data like any other', async () => {
  const data = '{"__proto__":"p","constructor":"c","toString":"t"}';
  const { code, body } = await statusOf(
    request('POST', COLLECTION, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"words"},"data":${data}}`),
  );
  assert.equal(code, 201, JSON.stringify(body));
  assert.deepEqual(Object.keys((body as unknown as { data: object }).data).sort(), [
    '__proto__',
    'constructor',
    'toString',
  ]);
  assert.equal(({} as { p?: string }).p, undefined);
});

test('the server survives a thousand malformed requests', async () => {
  const valid = request('POST', COLLECTION, '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}');
  const damage = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.tuple(fc.nat(valid.length - 1), fc.integer({ min: 0, max: 255 })).map(([at, byte]) => {
      const bytes = Buffer.from(valid);
      bytes[at] = byte;
      return bytes;
    }),
    fc.nat(valid.length).map((length) => Buffer.from(valid.slice(0, length))),
    fc.json().map((body) => Buffer.from(request('POST', COLLECTION, body))),
    fc.string().map((text) => Buffer.from(request('GET', `/${encodeURIComponent(text)}?${text.replace(/\s/g, '')}`))),
  );
  const samples = fc.sample(damage, { numRuns: 1000, seed: 1 });
  const lanes = Array.from({ length: 40 }, async (_, lane) => {
    for (let i = lane; i < samples.length; i += 40) {
      const heard = await exchange(samples[i] as Buffer, 300);
      assert.doesNotMatch(heard, /^HTTP\/1\.1 5/, `${samples[i]}`);
    }
  });
  await Promise.all(lanes);
  const { code } = await statusOf(request('GET', '/version'));
  assert.equal(code, 200);
});
