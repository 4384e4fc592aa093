import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, afterEach, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { ArchiveFile } from '../history/archiveFile.ts';
import type { HistoryEntry } from '../history/format.ts';
import { archiveEntries, historyOfArchive } from '../history/har.ts';
import { historyIn } from '../history/reader.ts';
import { HistoryFile } from '../history/writer.ts';
import { startProxy } from './proxy.ts';
import { Recording } from './recording.ts';

const agent = new Agent();
const scratch = mkdtempSync(join(tmpdir(), 'recording-'));
const cleanUps: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUps.splice(0).reverse()) await undo();
});
after(async () => {
  await agent.destroy();
  rmSync(scratch, { recursive: true });
});

type Answer = (message: http.IncomingMessage, response: http.ServerResponse, body: string) => void;
let count = 0;

/** A recording of what is asked of a server that answers as it is told. */
async function recorded(answer: Answer) {
  const server = http.createServer(async (message, response) => answer(message, response, await text(message)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  count += 1;
  const file = join(scratch, `${count}.ndjson`);
  const har = join(scratch, `${count}.har`);
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const failures: unknown[] = [];
  const recording = new Recording({
    history: new HistoryFile(file, { by: 'record', began: '2026-01-01T00:00:00Z' }),
    archive: new ArchiveFile(har, 'test 1'),
    base,
    secrets: ['the-admin-token'],
    failed: (error) => failures.push(error),
  });
  const proxy = await startProxy({
    target: { base },
    credentials: { token: 'the-admin-token' },
    lend: true,
    interceptors: [recording.interceptor],
  });
  const end = async () => {
    await proxy.close();
    recording.close();
    server.closeAllConnections();
    server.close();
    assert.deepEqual(failures, []);
    const entries: HistoryEntry[] = [];
    for await (const some of historyIn(file)) entries.push(...some);
    const archived = archiveEntries(JSON.parse(readFileSync(har, 'utf8'))) ?? [];
    return { entries, archived, written: readFileSync(file, 'utf8') + readFileSync(har, 'utf8') };
  };
  const ask = (path: string, options: Parameters<typeof request>[1] = {}) =>
    request(`${proxy.base}${path}`, { ...options, dispatcher: agent });
  return { ask, end, counts: recording.counts };
}
const object = (name: string, version: number, more: object = {}) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, namespace: 'team', uid: `u-${name}`, resourceVersion: String(version) },
  ...more,
});
const json = (response: http.ServerResponse, value: unknown, status = 200) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};
const MAPS = '/api/v1/namespaces/team/configmaps';

describe('a recording', () => {
  it('holds what was asked and answered, packed and in pieces as well, and hands it on as it was', async () => {
    const { ask, end } = await recorded((_, response, body) => {
      if (body !== '') return json(response, object('a', 5), 201);
      const packed = gzipSync(JSON.stringify({ kind: 'ConfigMapList', metadata: { resourceVersion: '7' }, items: [] }));
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.write(packed.subarray(0, 9));
      return response.end(packed.subarray(9));
    });
    const headers = { 'content-type': 'application/json' };
    const made = await ask(MAPS, { method: 'POST', headers, body: JSON.stringify(object('a', 0)) });
    assert.deepEqual(await made.body.json(), object('a', 5));
    const list = await ask(MAPS, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(list.headers['content-encoding'], 'gzip');
    await list.body.arrayBuffer();
    const { entries, archived } = await end();
    assert.deepEqual(
      entries.flatMap((entry) => (entry.type === 'operation' ? [[entry.method, entry.status, entry.sent?.name]] : [])),
      [
        ['POST', 201, 'a'],
        ['GET', 200, undefined],
      ],
    );
    const seen = entries.flatMap((entry) => (entry.type === 'operation' ? [entry.seen] : []));
    assert.equal(seen[0]?.object?.version, '5');
    // A reader of lines leaves members that are not there undefined.
    assert.deepEqual(JSON.parse(JSON.stringify(seen[1])), { items: [], version: '7' });
    const again = [...historyOfArchive(archived)].flatMap((entry) => (entry.type === 'operation' ? [entry] : []));
    assert.deepEqual(
      again.map(({ path, status }) => [path, status]),
      [
        [MAPS, 201],
        [MAPS, 200],
      ],
    );
  });

  it('holds the events of watches while they come, and who ended them', async () => {
    const { ask, end, counts } = await recorded((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const lines = [1, 2].map((at) => JSON.stringify({ type: 'ADDED', object: object(`o${at}`, at) })).join('\n');
      response.write(lines.slice(0, 20));
      setImmediate(() => response.end(`${lines.slice(20)}\n`));
    });
    const watch = await ask(`${MAPS}?watch=true`);
    assert.equal((await watch.body.text()).trim().split('\n').length, 2);
    const { entries } = await end();
    assert.deepEqual(
      entries.map((entry) => (entry.type === 'event' ? entry.seen?.object?.name : entry.type)),
      ['history', 'operation', 'o1', 'o2', 'closed'],
    );
    const closed = entries.at(-1);
    assert.equal(closed?.type === 'closed' && closed.by, 'server');
    assert.equal(counts.events, 2);
  });

  it('tells a server that breaks a watch off from a client that leaves it', async () => {
    let gone: Promise<unknown> | undefined;
    const { ask, end } = await recorded((message, response) => {
      gone = once(response, 'close');
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(`${JSON.stringify({ type: 'ADDED', object: object('o', 1) })}\n`, () => {
        if (message.url?.includes('resourceVersion=1')) response.destroy();
      });
    });
    const broken = await ask(`${MAPS}?watch=true&resourceVersion=1`);
    await assert.rejects(broken.body.text());
    const left = await ask(`${MAPS}?watch=true&resourceVersion=2`);
    for await (const _ of left.body) break;
    await gone;
    const { entries } = await end();
    const ends = entries.flatMap((entry) => (entry.type === 'closed' ? [[entry.number, entry.by]] : []));
    assert.deepEqual(ends, [
      [1, 'server'],
      [2, 'client'],
    ]);
  });

  it('never holds tokens, nor what Secrets hold, in whatever way they are written', async () => {
    const secret = { ...object('s', 5), kind: 'Secret', data: { password: 'aHVudGVyMg==' } };
    const { ask, end } = await recorded(({ method, url = '' }, response) => {
      if (url.includes('watch')) {
        response.writeHead(200, { 'content-type': 'application/json' });
        return response.end(`${JSON.stringify({ type: 'ADDED', object: secret })}\n`);
      }
      const { kind: _, ...item } = secret;
      return json(
        response,
        method === 'GET' ? { kind: 'SecretList', metadata: { resourceVersion: '9' }, items: [item] } : secret,
      );
    });
    const secrets = '/api/v1/namespaces/team/secrets';
    const headers = { authorization: 'Bearer somebodys-token' };
    await (await ask(`${secrets}?fieldSelector=metadata.name%3Dsomebodys-token`, { headers })).body.text();
    await (await ask(`${secrets}?watch=true`)).body.text();
    for (const [type, body] of [
      ['application/merge-patch+json', '{"stringData":{"password":"hunter2"}}'],
      ['application/json-patch+json', '[{"op":"add","path":"/data/password","value":"aHVudGVyMg=="}]'],
      ['application/apply-patch+yaml', 'kind: Secret\nstringData: {password: hunter2}\n'],
    ] as const) {
      const patched = await ask(`${secrets}/s`, { method: 'PATCH', headers: { 'content-type': type }, body });
      assert.match(await patched.body.text(), /aHVudGVyMg/);
    }
    const { written, entries } = await end();
    assert.doesNotMatch(written, /somebodys-token|the-admin-token|aHVudGVyMg|hunter2/);
    // And yet that two are the same can be told.
    const digests = entries.flatMap((entry) => (entry.type === 'operation' ? (entry.seen?.object?.digest ?? []) : []));
    assert.equal(digests.length, 3);
    assert.equal(new Set(digests).size, 1);
  });

  it('tells what nobody answered, what was cut off, and what it could not read', async () => {
    const { ask, end, counts } = await recorded(({ url = '', headers }, response) => {
      if (url.endsWith('/binary')) {
        assert.equal(headers.accept, 'application/json');
        response.writeHead(200, { 'content-type': 'application/vnd.kubernetes.protobuf' });
        return response.end('k8s\0');
      }
      if (url.endsWith('/cut')) {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        return response.write('{"kind":', () => response.destroy());
      }
      return response.destroy();
    });
    const accept = 'application/vnd.kubernetes.protobuf,application/json';
    await (await ask(`${MAPS}/binary`, { headers: { accept } })).body.text();
    await assert.rejects(async () => (await ask(`${MAPS}/cut`)).body.text());
    assert.equal((await ask(`${MAPS}/gone`, { method: 'DELETE' })).statusCode, 502);
    const { entries } = await end();
    assert.deepEqual(
      entries.flatMap((entry) => (entry.type === 'operation' ? [[entry.status, entry.unread]] : [])),
      [
        [200, true],
        [undefined, undefined],
        [undefined, undefined],
      ],
    );
    assert.deepEqual({ ...counts }, { operations: 3, events: 0, unanswered: 2, unread: 1 });
  });
});
