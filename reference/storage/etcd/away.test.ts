import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { NO_ETCD, startEtcd } from '../../testing/etcd/members.ts';
import { eventually, startServer, type TestServer } from '../../testing/etcd/server.ts';
import { type Wire, wireTo } from '../../testing/etcd/wire.ts';
import { EtcdConnection } from './connection.ts';
import { RANGE } from './messages.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

describe('a server whose etcd goes away', { skip: NO_ETCD }, () => {
  let etcd: Awaited<ReturnType<typeof startEtcd>>;
  let wire: Wire;
  let server: TestServer;
  before(async () => {
    etcd = await startEtcd({ flags: ['--unsafe-no-fsync'] });
    wire = await wireTo(etcd.servers[0] as string);
    const timeouts = ['--etcd-healthcheck-timeout=1s', '--etcd-readycheck-timeout=1s'];
    server = await startServer([`--etcd-servers=${wire.url}`, '--authorization-mode=AlwaysAllow', ...timeouts]);
  });
  after(async () => {
    wire?.mend();
    await server?.close();
    await wire?.close();
    await etcd?.stop();
  });
  const becomes = (target: string, code: number) =>
    eventually(async () => {
      const heard = await server.send('GET', target);
      return heard.code === code ? heard : undefined;
    }, `${code} of ${target}`);

  it('refuses with 503 what it cannot do, is not ready, and goes on where it was when etcd is back', async () => {
    const made = await server.send('POST', MAPS, map('before'));
    const from = made.body.metadata.resourceVersion;
    const watch = await server.watch(`${MAPS}?watch=true&resourceVersion=${from}`);
    assert.match((await becomes('/readyz?verbose', 200)).body, /^\[\+\]etcd ok$/m);

    wire.break();
    const { body } = await becomes(`${MAPS}/before`, 503);
    assert.deepEqual(
      [body.kind, body.status, body.reason, body.code, body.details.retryAfterSeconds],
      ['Status', 'Failure', 'ServiceUnavailable', 503, 1],
    );
    assert.match(body.message, /^etcd cannot be reached/);
    assert.doesNotMatch(JSON.stringify(body), /127\.0\.0\.1/);
    for (const [method, target, object] of [
      ['GET', MAPS],
      ['POST', MAPS, map('refused')],
      ['PUT', `${MAPS}/before`, made.body],
      ['DELETE', `${MAPS}/before`],
    ] as const) {
      const refusal = await server.send(method, target, object);
      assert.deepEqual([refusal.code, refusal.body.reason], [503, 'ServiceUnavailable'], `${method} ${target}`);
    }
    for (const endpoint of ['readyz', 'livez']) {
      const heard = await server.send('GET', `/${endpoint}`);
      assert.equal(heard.code, 500, endpoint);
      assert.match(heard.body, /^\[-\]etcd failed: reason withheld$/m);
    }

    wire.mend();
    await becomes(`${MAPS}/before`, 200);
    await becomes('/readyz', 200);
    assert.equal((await server.send('POST', MAPS, map('after'))).code, 201);
    const events = await eventually(() => (watch.events().length > 0 ? watch.events() : undefined), 'the next change');
    assert.deepEqual(
      events.map((event) => event.split(' ').slice(0, 2).join(' ')),
      ['ADDED after'],
    );
    watch.stop();
  });
  it('answers 504 to a write of which it cannot know, and the client finds out by asking', async () => {
    const connection = new EtcdConnection({ servers: etcd.servers });
    const there = async () => {
      const { kvs } = await connection.read(RANGE, { key: Buffer.from('/registry/namespaces/unsure') });
      return kvs[0];
    };
    assert.equal((await server.send('GET', MAPS)).code, 200);
    wire.mute();
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'unsure' } };
    const write = server.send('POST', '/api/v1/namespaces', namespace);
    await eventually(there, 'the write');
    wire.break();
    const { code, body } = await write;
    assert.deepEqual([code, body.kind, body.reason], [504, 'Status', 'Timeout']);
    assert.match(body.message, /whether the change was made is not known$/);
    assert.equal(body.details?.retryAfterSeconds, undefined);
    wire.mend();
    await becomes('/api/v1/namespaces/unsure', 200);
    connection.close();
  });
});
