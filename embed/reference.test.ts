import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import https from 'node:https';
import { after, describe, it } from 'node:test';
import { CoreV1Api, KubeConfig, Watch } from '@kubernetes/client-node';
import { createReference, type ReferenceOptions, type ReferenceServer } from './reference.ts';

const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';
const open: ReferenceServer[] = [];
const begin = async (options: ReferenceOptions = {}) => kept(await createReference({ clock: 'virtual', ...options }));
function kept(server: ReferenceServer): ReferenceServer {
  open.push(server);
  return server;
}
after(async () => {
  for (const server of open) await server.close();
});

const body = (value: unknown): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
});
const configMap = (name: string, data = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
const names = async (server: ReferenceServer, path = CONFIGMAPS): Promise<string[]> => {
  const { items } = (await (await server.fetch(path)).json()) as { items: { metadata: { name: string } }[] };
  return items.map(({ metadata }) => metadata.name);
};

describe('an embedded reference', () => {
  it('answers requests of the Fetch API', async () => {
    const server = await begin();
    const made = await server.fetch(CONFIGMAPS, body(configMap('a', { k: 'v' })));
    assert.equal(made.status, 201);
    assert.equal(made.headers.get('content-type'), 'application/json');
    assert.deepEqual(await names(server), ['a']);
    const request = new Request(`http://any.where${CONFIGMAPS}/a`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    assert.equal((await server.handle(request)).status, 200);
    assert.equal((await server.handle(new Request(`http://any.where${CONFIGMAPS}/a`))).status, 403);
    assert.equal((await server.handle(new Request('http://any.where/%zz'))).status, 400);
  });

  it('streams the body of a watch until it is cancelled', async () => {
    const server = await begin();
    const watch = await server.fetch(`${CONFIGMAPS}?watch=true`);
    const reader = (watch.body as ReadableStream<Uint8Array>).getReader();
    await server.fetch(CONFIGMAPS, body(configMap('a')));
    const { value } = await reader.read();
    assert.equal(JSON.parse(Buffer.from(value ?? []).toString()).object.metadata.name, 'a');
    assert.equal(server.history()[0]?.open, true);
    await reader.cancel();
    assert.equal(server.history()[0]?.open, false);
    assert.match(server.history()[0]?.responseBody ?? '', /"ADDED"/);
  });

  it('ends a watch whose signal is aborted', async () => {
    const server = await begin();
    const abort = new AbortController();
    const watch = await server.fetch(`${CONFIGMAPS}?watch=true`, { signal: abort.signal });
    const reader = (watch.body as ReadableStream<Uint8Array>).getReader();
    abort.abort(new Error('enough'));
    await assert.rejects(reader.read(), /enough/);
    assert.equal(server.history()[0]?.open, false);
  });

  it('knows whomever it is told to be', async () => {
    const server = await begin();
    const jane = server.as('jane', { groups: ['devs'] });
    assert.equal((await jane.fetch(CONFIGMAPS)).status, 403);
    await server.apply(`
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata: { name: devs }
      roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view }
      subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: Group, name: devs }]`);
    assert.equal((await jane.fetch(CONFIGMAPS)).status, 200);
    assert.equal((await server.as('jane').fetch(CONFIGMAPS)).status, 403);
  });

  it('tells its history, and why it decided as it did', async () => {
    const server = await begin();
    await server.fetch(CONFIGMAPS, body(configMap('a')));
    await server.as('jane').fetch(`${CONFIGMAPS}/a`);
    const [first, second] = server.history();
    assert.deepEqual([first?.method, first?.path, first?.user, first?.status], ['POST', CONFIGMAPS, 'admin', 201]);
    assert.equal(JSON.parse(first?.requestBody ?? '').metadata.name, 'a');
    assert.equal(JSON.parse(first?.responseBody ?? '').metadata.name, 'a');
    assert.deepEqual([second?.user, second?.status], ['jane', 403]);
    assert.ok(server.explain().some(({ stage, outcome }) => stage === 'authorization' && outcome === 'forbidden'));
    assert.ok(server.explain(1).some(({ stage }) => stage === 'storage'));
    assert.deepEqual(server.explain('nothing'), []);
  });

  it('moves time on, and what waits for it happens', async () => {
    const server = await begin();
    await server.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    const before = server.clock.now().getTime();
    await server.fetch('/api/v1/namespaces/team', { method: 'DELETE' });
    await server.clock.advance(1_000);
    assert.equal(server.clock.now().getTime(), before + 1_000);
    assert.equal((await server.fetch('/api/v1/namespaces/team')).status, 404);
    await assert.rejects(server.clock.advance(-1), RangeError);
    const real = await begin({ clock: 'system' });
    await assert.rejects(real.clock.advance(1), /cannot be advanced/);
  });

  it('goes back to how it began, and to what a snapshot says', async () => {
    const server = await begin();
    const { url } = await server.listen({ protocol: 'http' });
    const watch = await server.fetch(`${CONFIGMAPS}?watch=true`);
    await server.fetch(CONFIGMAPS, body(configMap('a')));
    const snapshot = await server.snapshot();
    const first = await (await server.fetch(`${CONFIGMAPS}/a`)).text();
    await server.reset();
    assert.deepEqual(await names(server), []);
    assert.match(await watch.text(), /"ERROR"/);
    await (await server.fetch(`${CONFIGMAPS}?watch=true`)).body?.cancel();
    await server.fetch(CONFIGMAPS, body(configMap('a')));
    assert.equal(await (await server.fetch(`${CONFIGMAPS}/a`)).text(), first);
    await server.fetch(`${CONFIGMAPS}/a`, { method: 'DELETE' });
    await server.restore(snapshot);
    assert.deepEqual(await names(server), ['a']);
    // Where it listens it is found as before.
    const headers = { authorization: `Bearer ${server.token}` };
    assert.equal((await fetch(`${url}${CONFIGMAPS}/a`, { headers })).status, 200);
    await assert.rejects(server.restore(Buffer.from('{}\n')), /no snapshot/);
    await assert.rejects(begin({ dialect: 'cluster', snapshot }), /dialect/);
    assert.deepEqual(await names(await begin({ snapshot })), ['a']);
  });

  it('says what has changed since it began', async () => {
    const image = await begin();
    await image.apply(configMap('kept', { k: '1' }), configMap('gone'));
    const server = kept(await image.fork());
    await server.apply(configMap('kept', { k: '2', 'a.b': 'x' }), configMap('new'));
    await server.fetch(`${CONFIGMAPS}/gone`, { method: 'DELETE' });
    const changes = await server.changes();
    assert.deepEqual(
      changes.map(({ change, key }) => `${change} ${key}`),
      [
        'deleted /core/configmaps/default/gone',
        'changed /core/configmaps/default/kept',
        'created /core/configmaps/default/new',
      ],
    );
    assert.deepEqual(changes[1]?.fields, [
      { path: 'data.k', before: '1', after: '2' },
      { path: 'data["a.b"]', after: 'x' },
    ]);
  });

  it('forks stand beside each other, with a history of their own', async () => {
    const image = await begin();
    await image.apply(configMap('kept'));
    const [one, other] = [kept(await image.fork()), kept(await image.fork())];
    await one.fetch(CONFIGMAPS, body(configMap('mine')));
    assert.deepEqual(
      [await names(one), await names(other), await names(image)],
      [['kept', 'mine'], ['kept'], ['kept']],
    );
    await one.reset();
    assert.deepEqual(await names(one), ['kept']);
    assert.equal(other.history().length, 1);
    const grandchild = kept(await (await kept(await other.fork())).fork());
    assert.deepEqual(await names(grandchild), ['kept']);
    // What is drawn by chance does not hang on what was read before.
    const drawn = await Promise.all(
      [one, other].map(
        async (server) => (await server.fetch(CONFIGMAPS, body({ metadata: { generateName: 'g-' } }))).status,
      ),
    );
    assert.deepEqual(drawn, [201, 201]);
  });

  it('refuses what cannot be with a sentence', async () => {
    await assert.rejects(createReference({ release: '9.9' }), /release/);
    await assert.rejects(createReference({ flags: ['--no-such-flag'] }), /no-such-flag/);
    const server = await begin();
    await assert.rejects(server.apply({ kind: 'ConfigMap' }), /metadata.name/);
    await assert.rejects(server.apply({ apiVersion: 'a/v1', kind: 'B', metadata: { name: 'c' } }), /not served/);
    await assert.rejects(server.apply(configMap('Not A Name')), /Invalid value/);
  });
});

const ports = () => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCPServer')).length;

describe('a port', () => {
  const ask = (port: number, path: string, options: https.RequestOptions): Promise<string> =>
    new Promise((resolve, reject) => {
      https
        .get({ host: '127.0.0.1', port, path, agent: false, ...options }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => resolve(text));
        })
        .on('error', reject);
    });

  it('is shared by all servers, which are told apart by name or path', async () => {
    const image = await begin();
    const servers = [kept(await image.fork()), kept(await image.fork())];
    for (const [at, server] of servers.entries()) await server.apply(configMap(`c${at}`));
    const places = await Promise.all(servers.map((server) => server.listen()));
    assert.equal(places[0]?.port, places[1]?.port);
    for (const [at, { port, ca, serverName = '', url }] of places.entries()) {
      const headers = { authorization: `Bearer ${servers[at]?.token}` };
      const wanted = new RegExp(`"name":"c${at}"`);
      assert.match(await ask(port, CONFIGMAPS, { ca, servername: serverName, headers }), wanted);
      assert.match(await ask(port, `${new URL(url).pathname}${CONFIGMAPS}`, { ca, headers }), wanted);
    }
    const [first] = places;
    assert.ok(first);
    assert.match(await ask(first.port, CONFIGMAPS, { ca: first.ca }), /no server is found/);
    await servers[0]?.close();
    assert.match(
      await ask(first.port, '/readyz', { ca: first.ca, servername: first.serverName }),
      /may have been closed/,
    );
  });

  it('can be had alone, and for plain HTTP', async () => {
    const server = await begin();
    const { url, port, serverName } = await server.listen({ protocol: 'http', port: 0 });
    assert.equal(url, `http://127.0.0.1:${port}`);
    assert.equal(serverName, undefined);
    assert.equal(await (await fetch(`${url}/readyz`)).text(), 'ok');
    const other = await begin();
    await assert.rejects(other.listen({ port }), { code: 'EADDRINUSE' });
    assert.ok((await other.listen()).serverName);
  });

  for (const protocol of ['https', 'http'] as const) {
    it(`serves the client library of the project over ${protocol}`, async () => {
      const server = await begin();
      await server.listen({ protocol });
      const { text, object, file } = await server.kubeconfig();
      assert.equal(readFileSync(file, 'utf8'), text);
      const fromText = new KubeConfig();
      fromText.loadFromString(text);
      const fromObject = new KubeConfig();
      fromObject.loadFromOptions(object);
      for (const [at, config] of [fromText, fromObject].entries()) {
        const api = config.makeApiClient(CoreV1Api);
        await api.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: `c${at}` } } });
        assert.equal((await api.listNamespacedConfigMap({ namespace: 'default' })).items.length, at + 1);
      }
      const seen = await new Promise<string>((resolve, reject) => {
        new Watch(fromObject)
          .watch(
            CONFIGMAPS,
            {},
            (_, object) => resolve(object.metadata.name),
            (error) => error && reject(error),
          )
          .then((abort) => setImmediate(() => void abort), reject);
      });
      assert.equal(seen, 'c0');
      await server.close();
      assert.equal(existsSync(file), false);
    });
  }

  it('is let go of by the last server', async () => {
    for (const server of open) await server.close();
    const server = await begin({ clock: 'running' });
    await server.listen();
    const fork = await server.fork();
    const { url } = await fork.listen();
    assert.ok(url);
    await server.close();
    await fork.close();
    await fork.close();
    // A handle is gone some turns after it was closed.
    for (let turn = 0; turn < 1_000 && ports() > 0; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(ports(), 0);
  });
});
