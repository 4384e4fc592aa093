import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, it } from 'node:test';
import { builtServe } from '../testing/built.ts';

const directory = mkdtempSync(join(tmpdir(), 'touchstone-shutdown-'));
after(() => rmSync(directory, { recursive: true, force: true }));

const MAPS = '/api/v1/namespaces/default/configmaps';
/** So many bytes of objects that sockets cannot hold a list of them all. */
const LARGE = { count: 40, bytes: 400_000 };
const WRITERS = 4;

/** A server in a process of its own, and how it is asked. */
class Server {
  readonly child: ChildProcess;
  readonly #base: string;
  readonly #token: string;

  private constructor(child: ChildProcess, base: string, token: string) {
    this.child = child;
    this.#base = base;
    this.#token = token;
  }
  static async start(...flags: readonly string[]): Promise<Server> {
    const [program = '', ...args] = await builtServe('--data-dir', directory, ...flags);
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: child.stdout })) {
      const { base, identities } = JSON.parse(line) as { base: string; identities: { admin: { token: string } } };
      return new Server(child, base, identities.admin.token);
    }
    throw new Error('the server ended before it was ready');
  }

  /** A request whose body is still to be sent. */
  begin(method: string, path: string, agent: https.Agent | false = false) {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' };
    return https.request(this.#base + path, { method, agent, headers, rejectUnauthorized: false });
  }
  async answer(method: string, path: string, body?: object, agent?: https.Agent): Promise<Answer> {
    const request = this.begin(method, path, agent);
    request.end(body && JSON.stringify(body));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { code: response.statusCode, body: await textOf(response) };
  }
  /** As soon as its head is there. */
  async head(path: string): Promise<IncomingMessage> {
    const request = this.begin('GET', path);
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  }
}
interface Answer {
  readonly code: number | undefined;
  readonly body: string;
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += String(piece);
  return text;
}
const configMap = (name: string, payload = '') => ({ metadata: { name }, data: { payload } });

describe('a server that is told to end', { timeout: 240_000 }, () => {
  it('is not ready first, answers what was asked, ends its watches and loses nothing', async () => {
    const server = await Server.start('--shutdown-delay-duration=1500ms');
    for (let at = 0; at < LARGE.count; at++) {
      const made = await server.answer('POST', MAPS, configMap(`large-${at}`, 'x'.repeat(LARGE.bytes)));
      assert.equal(made.code, 201, made.body);
    }
    const watch = await server.head(`${MAPS}?watch=1&fieldSelector=metadata.name=none`);
    const watched = textOf(watch);
    const list = await server.head(MAPS);
    const late = server.begin('POST', MAPS);
    const body = JSON.stringify(configMap('late'));
    late.setHeader('content-length', body.length);
    late.write(body.slice(0, 10));
    const lateAnswer = once(late, 'response') as Promise<[IncomingMessage]>;

    const answered: string[] = [];
    let ending = false;
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
      for (let at = 0; ; at++) {
        const name = `written-${writer}-${at}`;
        try {
          const { code, body: text } = await server.answer('POST', MAPS, configMap(name), agent);
          assert.equal(code, 201, text);
          answered.push(name);
        } catch (error) {
          assert.ok(ending, String(error));
          agent.destroy();
          return;
        }
      }
    });
    while (answered.length < WRITERS) await new Promise((resolve) => setImmediate(resolve));

    const exited = once(server.child, 'exit');
    ending = true;
    server.child.kill('SIGTERM');
    while ((await server.answer('GET', '/readyz')).code !== 500) await new Promise((resolve) => setImmediate(resolve));
    // It is not ready, and serves all the same.
    assert.equal((await server.answer('GET', '/livez')).code, 200);
    assert.equal((await server.answer('POST', MAPS, configMap('meanwhile'))).code, 201);

    assert.equal(await watched, '');
    assert.equal(watch.complete, true);
    late.end(body.slice(10));
    const [lateResponse] = await lateAnswer;
    assert.equal(lateResponse.statusCode, 201, await textOf(lateResponse));
    assert.ok(JSON.parse(await textOf(list)).items.length >= LARGE.count);
    await Promise.all(writers);
    assert.deepEqual(await exited, [0, null]);

    const next = await Server.start();
    try {
      const { items } = JSON.parse((await next.answer('GET', MAPS)).body) as {
        items: { metadata: { name: string } }[];
      };
      const there = new Set(items.map(({ metadata }) => metadata.name));
      const lost = [...answered, 'late', 'meanwhile'].filter((name) => !there.has(name));
      assert.deepEqual(lost, []);
    } finally {
      next.child.kill('SIGTERM');
      await once(next.child, 'exit');
    }
  });
});
