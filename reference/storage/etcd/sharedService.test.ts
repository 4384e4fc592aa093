import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { NO_ETCD, startEtcd } from '../../testing/etcd/members.ts';
import { eventually, startServer, type TestServer } from '../../testing/etcd/server.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const map = (name: string, data = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

/** Lets everybody do what a role says. */
async function bind(server: TestServer, role: string): Promise<void> {
  const group = 'rbac.authorization.k8s.io';
  const made = await server.send('POST', `/apis/${group}/v1/clusterrolebindings`, {
    apiVersion: `${group}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: role.replace(':', '-') },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: group, kind: 'User', name: 'system:anonymous' }],
  });
  assert.equal(made.code, 201, JSON.stringify(made.body));
}

describe('two servers over one etcd', { skip: NO_ETCD }, () => {
  let etcd: Awaited<ReturnType<typeof startEtcd>>;
  /** Lets everybody do everything. */
  let one: TestServer;
  /** Asks roles and bindings. */
  let two: TestServer;
  let flags: string[];
  before(async () => {
    etcd = await startEtcd({ flags: ['--unsafe-no-fsync'] });
    flags = [`--etcd-servers=${etcd.servers}`];
    [one, two] = await Promise.all([startServer([...flags, '--authorization-mode=AlwaysAllow']), startServer(flags)]);
    for (const role of ['edit', 'system:discovery']) await bind(one, role);
    await eventually(async () => ((await two.send('GET', MAPS)).code === 200 ? true : undefined), 'the binding');
  });
  after(async () => {
    await one?.close();
    await two?.close();
    await etcd?.stop();
  });

  it('what one has written, the other lists and gets at once', async () => {
    for (let i = 0; i < 25; i++) {
      const [writer, reader] = i % 2 === 0 ? [one, two] : [two, one];
      const made = await writer.send('POST', MAPS, map(`at-once-${i}`));
      assert.equal(made.code, 201);
      const got = await reader.send('GET', `${MAPS}/at-once-${i}`);
      assert.equal(got.body.metadata.resourceVersion, made.body.metadata.resourceVersion);
      const list = await reader.send('GET', `${MAPS}?limit=500`);
      assert.ok(list.body.items.some((item: { metadata: { name: string } }) => item.metadata.name === `at-once-${i}`));
      assert.ok(Number(list.body.metadata.resourceVersion) >= Number(made.body.metadata.resourceVersion));
    }
  });
  it('of writers at both with one version exactly one wins', async () => {
    const { body } = await one.send('POST', MAPS, map('contended'));
    const writes = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        (i % 2 ? one : two).send('PUT', `${MAPS}/contended`, { ...body, data: { by: String(i) } }),
      ),
    );
    assert.deepEqual(writes.map(({ code }) => code).sort(), [200, ...Array(11).fill(409)]);
  });
  it('watches on both tell the same events in the same order', async () => {
    const { body } = await one.send('GET', MAPS);
    const from = `${MAPS}?watch=true&resourceVersion=${body.metadata.resourceVersion}`;
    const watches = [await one.watch(from), await two.watch(from), await two.watch(from)];
    await Promise.all(
      [one, two].flatMap((server, which) =>
        Array.from({ length: 3 }, async (_, client) => {
          for (let i = 0; i < 10; i++) {
            const name = `ordered-${which}-${client}-${i}`;
            await server.send('POST', MAPS, map(name));
            if (i % 2) await server.send('DELETE', `${MAPS}/${name}`);
          }
        }),
      ),
    );
    const [first, ...rest] = await Promise.all(
      watches.map((watch) => eventually(() => (watch.events().length >= 90 ? watch.events() : undefined), '90 events')),
    );
    for (const other of rest) assert.deepEqual(other, first);
    const versions = (first as string[]).map((event) => Number(event.split(' ')[2]));
    assert.deepEqual(
      versions,
      [...new Set(versions)].sort((a, b) => a - b),
    );
    for (const watch of watches) watch.stop();
  });
  it('a watch begun at one goes on at another from the same version, also one that was started later', async () => {
    const made = await one.send('POST', MAPS, map('resumed-1'));
    await two.send('POST', MAPS, map('resumed-2'));
    const late = await startServer([...flags, '--authorization-mode=AlwaysAllow']);
    try {
      await late.send('POST', MAPS, map('resumed-3'));
      const at = made.body.metadata.resourceVersion;
      for (const server of [one, two, late]) {
        const watch = await server.watch(`${MAPS}?watch=true&resourceVersion=${at}`);
        const events = await eventually(() => (watch.events().length >= 2 ? watch.events() : undefined), 'the rest');
        assert.deepEqual(
          events.map((event) => event.split(' ').slice(0, 2).join(' ')),
          ['ADDED resumed-2', 'ADDED resumed-3'],
        );
        watch.stop();
      }
    } finally {
      await late.close();
    }
  });
  it('a list goes on at the other with the token of the first', async () => {
    const first = await one.send('GET', `${MAPS}?limit=3`);
    await one.send('POST', MAPS, map('aa-later'));
    const second = await two.send('GET', `${MAPS}?limit=500&continue=${first.body.metadata.continue}`);
    assert.equal(second.code, 200);
    assert.equal(second.body.metadata.resourceVersion, first.body.metadata.resourceVersion);
    const names = [...first.body.items, ...second.body.items].map((item) => item.metadata.name);
    assert.ok(!names.includes('aa-later'));
    assert.deepEqual(names, [...new Set(names)].sort());
  });
  it('a role that is taken back at one no longer lets anybody in at the other', async () => {
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'nodes' }, rules: [] };
    assert.equal((await two.send('GET', '/api/v1/nodes')).code, 403);
    const cluster = {
      ...role,
      kind: 'ClusterRole',
      rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['list'] }],
    };
    await one.send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', cluster);
    await bind(one, 'nodes');
    const codeBecomes = (code: number) =>
      eventually(async () => ((await two.send('GET', '/api/v1/nodes')).code === code ? true : undefined), `${code}`);
    await codeBecomes(200);
    await one.send('DELETE', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/nodes');
    await codeBecomes(403);
  });
  it('a type that is defined at one is served and discovered at the other, and gone there too', async () => {
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const made = await one.send('POST', definitions, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    });
    assert.equal(made.code, 201, JSON.stringify(made.body));
    const served = async (server: TestServer) => (await server.send('GET', '/apis/example.com/v1')).code;
    const becomes = (server: TestServer, code: number) =>
      eventually(async () => ((await served(server)) === code ? true : undefined), `discovery with ${code}`);
    for (const server of [one, two]) await becomes(server, 200);
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
    assert.equal((await one.send('POST', '/apis/example.com/v1/widgets', widget)).code, 201);
    await one.send('DELETE', `${definitions}/widgets.example.com`);
    for (const server of [one, two]) await becomes(server, 404);
  });
  it('addresses of services are not given twice', async () => {
    const service = (name: string) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { type: 'NodePort', ports: [{ port: 80 }] },
    });
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        (i % 2 ? one : two).send('POST', '/api/v1/namespaces/default/services', service(`s-${i}`)),
      ),
    );
    assert.deepEqual([...new Set(made.map(({ code }) => code))], [201]);
    assert.equal(new Set(made.map(({ body }) => body.spec.clusterIP)).size, made.length);
    assert.equal(new Set(made.map(({ body }) => body.spec.ports[0].nodePort)).size, made.length);
  });
  it('what happens by itself goes on when the server that did it stops', async () => {
    const third = await startServer([...flags, '--authorization-mode=AlwaysAllow']);
    try {
      await one.close();
      await two.close();
      const made = await third.send('POST', '/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'heir' },
      });
      assert.equal(made.code, 201);
      await eventually(
        async () =>
          (await third.send('GET', '/api/v1/namespaces/heir/serviceaccounts/default')).code === 200 ? true : undefined,
        'the account of the new namespace',
      );
    } finally {
      await third.close();
    }
  });
});
