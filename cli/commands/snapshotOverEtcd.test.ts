import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { wrap } from '../../reference/codecs/protobufEnvelope.ts';
import { encodeMessage } from '../../reference/codecs/protobufWrite.ts';
import { ResourceRegistry } from '../../reference/contracts/resourceRegistry.ts';
import { readOptions } from '../../reference/options/loadOptions.ts';
import { builtinTypes } from '../../reference/resources/builtin.ts';
import type { ObjectSchema } from '../../reference/schema/schema.ts';
import { EtcdConnection } from '../../reference/storage/etcd/connection.ts';
import { RANGE, TXN } from '../../reference/storage/etcd/messages.ts';
import { readSnapshotFile } from '../../reference/storage/snapshot/snapshotFile.ts';
import { NO_ETCD, startEtcd } from '../../reference/testing/etcd/members.ts';
import { eventually, startServer, type TestServer } from '../../reference/testing/etcd/server.ts';
import { writeControlFile } from '../serve/controlFile.ts';
import { takeData } from '../serve/data.ts';
import { controlOf } from '../testing/controlOf.ts';
import { printed } from '../testing/printed.ts';
import { UsageError } from '../usageError.ts';
import { snapshot } from './snapshot.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const WIDGETS = '/apis/example.com/v1/widgets';

const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
          },
        },
      },
    ],
  },
};

/** What somebody has who left the server running for a while: changed, custom and secret objects. */
async function furnish(server: TestServer): Promise<void> {
  const made = async (target: string, body: unknown) => {
    const { code, body: said } = await server.send('POST', target, body);
    assert.equal(code, 201, JSON.stringify(said));
    return said;
  };
  const first = await made(MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { word: '1' } });
  await made(MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' }, data: {} });
  const changed = await server.send('PUT', `${MAPS}/a`, { ...first, data: { word: '2' } });
  assert.equal(changed.code, 200);
  await made(SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { word: 'xyzzy' } });
  await made(DEFINITIONS, DEFINITION);
  await served(server);
  await made(WIDGETS, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size: 3 } });
}

const served = (server: TestServer) =>
  eventually(async () => ((await server.send('GET', WIDGETS)).code === 200 ? true : undefined), 'the custom type');

/** The objects of that somebody, without their versions, which etcd gives by itself; and the versions. */
async function contents(server: TestServer): Promise<{ objects: unknown[]; versions: Record<string, number> }> {
  await served(server);
  const objects: unknown[] = [];
  const versions: Record<string, number> = {};
  for (const target of [
    `${MAPS}/a`,
    `${MAPS}/b`,
    `${SECRETS}/s`,
    `${DEFINITIONS}/widgets.example.com`,
    `${WIDGETS}/w`,
  ]) {
    const { code, body } = await server.send('GET', target);
    assert.equal(code, 200, `${target}: ${JSON.stringify(body)}`);
    versions[target] = Number(body.metadata.resourceVersion);
    objects.push({ ...body, metadata: { ...body.metadata, resourceVersion: undefined } });
  }
  return { objects, versions };
}

/** How the real service's objects look, here as there. */
function foreignSchema(apiVersion: string, kind: string): ObjectSchema {
  const registry = new ResourceRegistry();
  for (const type of builtinTypes({ dialect: kubernetes, follow: 'spec', release: 32 })) registry.set(type);
  return registry.schemaOf(apiVersion, kind) as ObjectSchema;
}

const said = (...argv: string[]) => printed(async () => snapshot(argv));

describe('touchstone snapshot, of servers over etcd', { skip: NO_ETCD }, () => {
  const scratch = mkdtempSync(join(tmpdir(), 'touchstone-snapshot-etcd-'));
  const file = join(scratch, 'state.snap');
  const encryption = join(scratch, 'encryption.json');
  let etcd: Awaited<ReturnType<typeof startEtcd>>;
  let wanted: Awaited<ReturnType<typeof contents>>;
  const store = (prefix: string) => [
    `--etcd-servers=${etcd.servers}`,
    `--etcd-prefix=${prefix}`,
    `--encryption-provider-config=${encryption}`,
  ];
  /** A server as `serve` starts it. */
  async function serving(flags: readonly string[], restore?: string): Promise<TestServer> {
    const all = ['--authorization-mode=AlwaysAllow', ...flags];
    const loaded = readOptions(all);
    assert.ok(!('errors' in loaded), JSON.stringify(loaded));
    const { directory: dataDirectory, image } = await takeData(loaded.options, restore);
    const server = await startServer(all, { dataDirectory, image });
    return {
      ...server,
      close: async () => {
        await server.close();
        dataDirectory?.release();
      },
    };
  }
  async function keptSecret(prefix: string): Promise<string> {
    const connection = new EtcdConnection({ servers: etcd.servers });
    const { kvs } = await connection.read(RANGE, { key: Buffer.from(`${prefix}/secrets/default/s`) });
    connection.close();
    return Buffer.from(kvs[0]?.value ?? []).toString('latin1');
  }

  before(async () => {
    etcd = await startEtcd({ flags: ['--unsafe-no-fsync'] });
    const keys = [{ name: 'k1', secret: Buffer.alloc(32, 'k').toString('base64') }];
    writeFileSync(
      encryption,
      JSON.stringify({
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'EncryptionConfiguration',
        resources: [{ resources: ['secrets', '*.example.com'], providers: [{ aesgcm: { keys } }] }],
      }),
    );
    const server = await serving(store('/registry'));
    await furnish(server);
    wanted = await contents(server);
    const folder = mkdtempSync(join(scratch, 'running-'));
    const control = await controlOf(server.reference);
    writeControlFile(folder, control);
    assert.match(await said('save', file, '--from', folder), /: \d+ objects at version \d+/);
    await control.close();
    await server.close();
  });
  after(async () => {
    await etcd?.stop();
    rmSync(scratch, { recursive: true, force: true });
  });

  it('saved from one that runs, holds what it has, secrets and custom types too', async () => {
    const told = await said('inspect', file);
    for (const type of ['core/configmaps', 'core/secrets', 'example.com/widgets']) {
      assert.match(told, new RegExp(`^ +\\d+ {2}${type}$`, 'm'));
    }
  });
  it('saved from etcd itself, holds the same objects', async () => {
    const own = join(scratch, 'own.snap');
    await said('save', own, ...store('/registry'));
    const server = await serving([], own);
    assert.deepEqual(await contents(server), wanted);
    await server.close();
  });
  it('saved from etcd, holds what the real service wrote there', async () => {
    const schema = foreignSchema('v1', 'ConfigMap');
    const map = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'default' },
      data: { k: 'v' },
    };
    const connection = new EtcdConnection({ servers: etcd.servers });
    const key = Buffer.from('/foreign/configmaps/default/a');
    const value = Buffer.from(wrap('v1', 'ConfigMap', encodeMessage(schema, map)));
    await connection.write(TXN, { compare: [], success: [{ requestPut: { key, value } }], failure: [] });
    connection.close();
    const foreign = join(scratch, 'foreign.snap');
    await said('save', foreign, ...store('/foreign'));
    const [entry] = readSnapshotFile(foreign).image.entries;
    assert.deepEqual([entry?.key, entry?.object.data], ['/core/configmaps/default/a', map.data]);
  });
  it('restored by the command, gives the objects new versions in their order, encrypted as they were', async () => {
    assert.match(await said('restore', file, ...store('/restored')), /is restored: \d+ objects/);
    assert.ok((await keptSecret('/restored')).startsWith('k8s:enc:aesgcm:v1:k1:'));
    await assert.rejects(snapshot(['restore', file, ...store('/restored')]), (error) =>
      error instanceof UsageError ? /holds objects below \/restored\/ already/.test(error.message) : false,
    );
    const server = await serving(store('/restored'));
    await again(server);
    await server.close();
  });
  it('restored by serve, is there from the first request on, for a second server also', async () => {
    const first = await serving(store('/begun'), file);
    const second = await serving(store('/begun'));
    for (const server of [first, second]) await again(server);
    await assert.rejects(serving(store('/begun'), file), /holds objects below \/begun\/ already/);
    await second.close();
    await first.close();
    assert.ok((await keptSecret('/begun')).startsWith('k8s:enc:aesgcm:v1:k1:'));
  });
  it('restored into memory or a directory, keeps its versions', async () => {
    for (const flags of [[], [`--data-dir=${join(scratch, 'data')}`]]) {
      const server = await serving(flags, file);
      assert.deepEqual(await contents(server), wanted);
      await server.close();
    }
  });

  async function again(server: TestServer): Promise<void> {
    const { objects, versions } = await contents(server);
    assert.deepEqual(objects, wanted.objects);
    const order = (of: Record<string, number>) => Object.keys(of).sort((a, b) => (of[a] as number) - (of[b] as number));
    assert.deepEqual(order(versions), order(wanted.versions));
    const target = `${WIDGETS}/w`;
    const { body } = await server.send('GET', target);
    const changed = await server.send('PUT', target, { ...body, spec: { size: body.spec.size } });
    assert.equal(changed.code, 200);
    const stale = {
      ...body,
      metadata: { ...body.metadata, resourceVersion: String((versions[target] as number) - 1) },
    };
    assert.equal((await server.send('PUT', target, stale)).code, 409);
  }
});
