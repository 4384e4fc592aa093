import assert from 'node:assert/strict';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { Transform } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, afterEach, describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { type ProxyOptions, type RunningProxy, startProxy } from './proxy.ts';
import { committing, type Violation } from './violation.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly lines: Readonly<NodeJS.Dict<string[]>>;
  readonly body: string;
}

const agent = new Agent();
const cleanUps: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUps.splice(0).reverse()) await undo();
});
after(() => agent.destroy());

/** A server that keeps what it is asked, and answers as it is told; without being told, with a ConfigMap. */
async function behind(answer?: (request: http.IncomingMessage, response: http.ServerResponse) => void) {
  const seen: Seen[] = [];
  const server = http.createServer(async (message, response) => {
    if (answer) answer(message, response);
    const body = await text(message).catch(() => 'broken off');
    const { method = '', url = '', headers, headersDistinct: lines } = message;
    seen.push({ method, url, headers, lines, body });
    if (answer) return;
    response.writeHead(200, { 'content-type': 'application/json', warning: ['299 - "a"', '299 - "b"'] });
    response.end(CONFIG_MAP);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, seen, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
const CONFIG_MAP = '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"n":"1"}}';
/** With a number that is too large for a double. */
const LARGE = CONFIG_MAP.replace('"n":"1"', '"n":9007199254740993');
const ITEM = '/api/v1/namespaces/team/configmaps/a';
const WATCH = '/api/v1/namespaces/team/configmaps?watch=true';

async function inFront(base: string, options: Partial<ProxyOptions> = {}): Promise<RunningProxy> {
  const proxy = await startProxy({ target: { base }, ...options });
  cleanUps.push(() => proxy.close());
  return proxy;
}
const violating = (violation: Omit<Violation, 'statement'>) => ({
  interceptors: [committing({ statement: '', ...violation })],
});
const ask = (url: string, options: Parameters<typeof request>[1] = {}) =>
  request(url, { ...options, dispatcher: agent });

describe('a proxy without interceptors', () => {
  it('hands requests and answers on as they are', async () => {
    const { base, seen } = await behind();
    const proxy = await inFront(base);
    const answer = await ask(`${proxy.base}${ITEM}?labelSelector=a%20in%20(b)&x`, {
      method: 'PATCH',
      headers: { authorization: 'Bearer t', 'impersonate-group': ['a', 'b'], 'content-type': 'application/json' },
      body: '{"a": 1}',
    });
    assert.equal(answer.statusCode, 200);
    assert.deepEqual(answer.headers.warning, ['299 - "a"', '299 - "b"']);
    assert.equal(await answer.body.text(), CONFIG_MAP);
    const [sent] = seen;
    assert.equal(`${sent?.method} ${sent?.url}`, `PATCH ${ITEM}?labelSelector=a%20in%20(b)&x`);
    assert.deepEqual(sent?.lines['impersonate-group'], ['a', 'b']);
    assert.equal(sent?.headers.authorization, 'Bearer t');
    assert.equal(sent?.body, '{"a": 1}');
  });

  it('leaves packed bytes packed', async () => {
    const { base } = await behind((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(CONFIG_MAP));
    });
    const answer = await ask(`${(await inFront(base)).base}${ITEM}`);
    assert.equal(gunzipSync(await answer.body.bytes()).toString(), CONFIG_MAP);
  });

  it('shows the first bytes of an answer before the last are there', async () => {
    let end = () => {};
    const { base } = await behind((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('first ');
      end = () => response.end('last');
    });
    const answer = await ask(`${(await inFront(base)).base}${WATCH}`);
    const reader = answer.body.iterator({ destroyOnReturn: false });
    assert.equal(String((await reader.next()).value), 'first ');
    end();
    assert.equal(String((await reader.next()).value), 'last');
  });

  it('reads no faster than its client', async () => {
    let written = 0;
    const { base } = await behind((_, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      const more = () => {
        while (written < 1024 && response.write(Buffer.alloc(256 * 1024))) written += 1;
        written += 1;
        if (written >= 1024) response.end();
        else response.once('drain', more);
      };
      more();
    });
    const { port } = new URL((await inFront(base)).base);
    const client = net.connect(Number(port), '127.0.0.1');
    cleanUps.push(() => client.destroy());
    client.write(`GET /big HTTP/1.1\r\nhost: a\r\n\r\n`);
    await new Promise((resolve) => client.once('readable', resolve));
    // 256 MiB would have come through: what is on the way is bounded by buffers of sockets.
    let before = -1;
    while (before !== written) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(written < 512, `${written} of 1024 pieces were read ahead`);
  });

  it('lets the server behind know when the client has gone', async () => {
    let tell = () => {};
    const gone = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const { base } = await behind((message, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.flushHeaders();
      message.socket.once('close', tell);
    });
    const answer = await ask(`${(await inFront(base)).base}${WATCH}`);
    answer.body.on('error', () => {});
    answer.body.destroy();
    await gone;
  });

  it('breaks off an answer that breaks off', async () => {
    const { base } = await behind((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      response.socket?.end();
    });
    const answer = await ask(`${(await inFront(base)).base}/x`);
    await assert.rejects(answer.body.text());
  });

  it('answers 502 where nobody is behind it', async () => {
    const { base, server } = await behind();
    await new Promise((resolve) => server.close(resolve));
    const answer = await ask(`${(await inFront(base)).base}/x`);
    assert.equal(answer.statusCode, 502);
    assert.equal(((await answer.body.json()) as { kind: string }).kind, 'Status');
  });

  it('lends credentials to those alone who show none', async () => {
    const { base, seen } = await behind();
    const proxy = await inFront(base, { credentials: { token: 'lent' }, lend: true });
    await (await ask(`${proxy.base}/x`)).body.dump();
    await (await ask(`${proxy.base}/x`, { headers: { authorization: 'Bearer own' } })).body.dump();
    assert.deepEqual(
      seen.map(({ headers }) => headers.authorization),
      ['Bearer lent', 'Bearer own'],
    );
  });

  it('connects both sides where a client asks for another protocol', async () => {
    const { base, server } = await behind();
    server.on('upgrade', (message, socket, head) => {
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nupgrade: ${message.headers.upgrade}\r\nconnection: Upgrade\r\n\r\n`,
      );
      socket.write(head);
      socket.pipe(socket);
    });
    const { port } = new URL((await inFront(base)).base);
    const client = net.connect(Number(port), '127.0.0.1');
    cleanUps.push(() => client.destroy());
    client.write('GET /exec HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: SPDY/3.1\r\n\r\nhello');
    let heard = '';
    for await (const chunk of client) {
      heard += chunk;
      if (heard.endsWith('hello')) break;
    }
    assert.match(heard, /^HTTP\/1.1 101 .*upgrade: SPDY\/3.1/s);
  });
});

describe('an interceptor', () => {
  it('knows what a request asks for', async () => {
    const { base } = await behind();
    const asked: unknown[] = [];
    const proxy = await inFront(
      base,
      violating({
        request: (x) => {
          asked.push([x.verb, x.group, x.resource, x.subresource, x.namespace, x.name, x.patch, x.dryRun]);
          asked.push([
            x.is({ resource: 'deployments' }),
            x.is({ resource: 'deployments/status', verb: 'get patch' }),
            x.is({ resource: '*/*', patch: ['apply'] }),
            x.is({ resource: 'deployments/status', verb: 'create' }),
          ]);
        },
      }),
    );
    await ask(`${proxy.base}/apis/apps/v1/namespaces/team/deployments/d/status?dryRun=All`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: '{}',
    });
    assert.deepEqual(asked, [
      ['patch', 'apps', 'deployments', 'status', 'team', 'd', 'apply', true],
      [false, true, true, false],
    ]);
  });

  it('changes what goes on, and the objects of the answer, packed or not', async () => {
    const { base, seen } = await behind((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(LARGE));
    });
    const proxy = await inFront(
      base,
      violating({
        async request(x) {
          x.request.query.delete('dryRun');
          const object = await x.request.object();
          if (object) object.data = { n: '2' };
        },
        object(object) {
          object.seen = true;
        },
      }),
    );
    const answer = await ask(`${proxy.base}${ITEM}?dryRun=All&force=true`, {
      method: 'PUT',
      headers: { 'content-type': 'application/yaml' },
      body: 'data:\n  n: one\n',
    });
    assert.equal(answer.headers['content-encoding'], 'gzip');
    const plain = gunzipSync(await answer.body.bytes()).toString('utf8');
    assert.equal(plain, LARGE.replace(/}$/, ',"seen":true}'));
    assert.equal(seen[0]?.url, `${ITEM}?force=true`);
    assert.deepEqual(JSON.parse(seen[0]?.body ?? ''), { data: { n: '2' } });
  });

  it('answers by itself, sends twice, asks as the admin and remembers', async () => {
    const { base, seen } = await behind();
    const proxy = await inFront(base, {
      credentials: { token: 'admin' },
      ...violating({
        async request(x) {
          if (x.request.method === 'GET') x.refuse(403, 'Forbidden', 'no');
          if (x.request.method === 'PUT') await x.forward();
          const times = Number(x.memory.get('times') ?? 0) + 1;
          x.memory.set('times', times);
          if (x.request.method === 'DELETE') x.answer(200, { times, stored: (await x.stored()) ?? null });
        },
      }),
    });
    assert.equal((await ask(`${proxy.base}${ITEM}`)).statusCode, 403);
    await (await ask(`${proxy.base}${ITEM}`, { method: 'PUT', body: 'twice' })).body.dump();
    assert.deepEqual(
      seen.map(({ method, body }) => `${method} ${body}`),
      ['PUT twice', 'PUT twice'],
    );
    const deleted = await ask(`${proxy.base}${ITEM}`, { method: 'DELETE' });
    assert.deepEqual(await deleted.body.json(), { times: 3, stored: JSON.parse(CONFIG_MAP) });
    assert.equal(seen.at(-1)?.headers.authorization, 'Bearer admin');
  });

  it('drops, repeats, swaps and changes events, however they are cut into pieces', async () => {
    const events = ['a', 'b', 'c', 'd'].map((name) => `{"type":"ADDED","object":{"metadata":{"name":"${name}"}}}\n`);
    const { base } = await behind(async (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json;stream=watch' });
      const bytes = events.join('');
      for (const piece of [bytes.slice(0, 70), bytes.slice(70, 75), bytes.slice(75)]) {
        response.write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    const nameOf = (object: unknown) => (object as { metadata: { name: string } }).metadata.name;
    const proxy = await inFront(
      base,
      violating({
        event(event, x) {
          if (nameOf(event.object) === 'a') return null;
          if (nameOf(event.object) === 'b') {
            x.memory.set('held', event);
            return null;
          }
          if (nameOf(event.object) === 'c') return [event, x.memory.get('held') as typeof event];
          event.type = 'MODIFIED';
        },
      }),
    );
    const answer = await ask(`${proxy.base}${WATCH}`);
    const lines = (await answer.body.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ type, object }) => `${type} ${nameOf(object)}`),
      ['ADDED c', 'ADDED b', 'MODIFIED d'],
    );
  });

  it('sends bytes through streams of its own', async () => {
    const { base, seen } = await behind();
    const louder = () => new Transform({ transform: (chunk, _, done) => done(null, String(chunk).toUpperCase()) });
    const proxy = await inFront(base, {
      interceptors: [
        async (x, next) => {
          x.request.through(louder());
          await next();
          x.response.through(louder());
        },
      ],
    });
    const answer = await ask(`${proxy.base}/x`, { method: 'POST', body: 'quiet' });
    assert.equal(await answer.body.text(), CONFIG_MAP.toUpperCase());
    assert.equal(seen[0]?.body, 'QUIET');
  });

  it('that throws is told, and answered with 500', async () => {
    const { base } = await behind();
    const told: unknown[] = [];
    const proxy = await inFront(base, {
      ...violating({
        response: () => {
          throw new Error('a mistake');
        },
      }),
      onError: (error) => told.push(String(error)),
    });
    assert.equal((await ask(`${proxy.base}/x`)).statusCode, 500);
    assert.deepEqual(told, ['Error: a mistake']);
  });
});
