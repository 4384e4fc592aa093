import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { NO_ETCD, startEtcd } from '../../testing/etcd/members.ts';
import { eventually, startServer, type TestServer } from '../../testing/etcd/server.ts';
import { EtcdConnection } from '../etcd/connection.ts';
import { RANGE } from '../etcd/messages.ts';

const SECRETS = '/api/v1/namespaces/default/secrets';
const secret = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  stringData: { word: 'xyzzy' },
});
const UNSAFE = 'ignoreStoreReadErrorWithClusterBreakingPotential=true';

type Provider = 'aesgcm' | 'aescbc' | 'secretbox';

/** An EncryptionConfiguration for secrets whose first key, of several, writes. */
function configuration(provider: Provider, ...keys: string[]): string {
  const list = keys.map((name) => ({ name, secret: Buffer.alloc(32, name).toString('base64') }));
  return JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [{ resources: ['secrets'], providers: [{ [provider]: { keys: list } }, { identity: {} }] }],
  });
}

/** A durable place to keep objects in, which servers come and go over. */
interface Place {
  readonly flags: readonly string[];
  /** What is kept of a secret, as bytes; undefined where one cannot look. */
  kept?(name: string): Promise<Buffer>;
  end(): Promise<void>;
}

async function inEtcd(): Promise<Place> {
  const etcd = await startEtcd({ flags: ['--unsafe-no-fsync'] });
  const connection = new EtcdConnection({ servers: etcd.servers });
  return {
    flags: [`--etcd-servers=${etcd.servers}`],
    async kept(name) {
      const { kvs } = await connection.read(RANGE, { key: Buffer.from(`/registry/secrets/default/${name}`) });
      return Buffer.from(kvs[0]?.value ?? []);
    },
    async end() {
      connection.close();
      await etcd.stop();
    },
  };
}
async function inDirectory(): Promise<Place> {
  const directory = mkdtempSync(join(tmpdir(), 'touchstone-encrypted-'));
  return {
    flags: [`--data-dir=${join(directory, 'data')}`],
    end: async () => rmSync(directory, { recursive: true, force: true }),
  };
}

for (const [name, open, skip] of [
  ['etcd', inEtcd, NO_ETCD],
  ['a data directory', inDirectory, false],
] as const) {
  describe(`secrets encrypted in ${name}`, { skip }, () => {
    type Serve = (config: string, ...more: string[]) => Promise<TestServer>;
    async function fixture(run: (place: Place, serve: Serve, rewrite: (config: string) => void) => Promise<void>) {
      const place = await open();
      const directory = mkdtempSync(join(tmpdir(), 'touchstone-config-'));
      const file = join(directory, 'encryption.yaml');
      let server: TestServer | undefined;
      const serve = async (config: string, ...more: string[]) => {
        await server?.close();
        writeFileSync(file, config);
        server = undefined;
        server = await startServer([
          ...place.flags,
          '--authorization-mode=AlwaysAllow',
          '--feature-gates=AllowUnsafeMalformedObjectDeletion=true',
          `--encryption-provider-config=${file}`,
          ...more,
        ]);
        return server;
      };
      try {
        await run(place, serve, (config) => writeFileSync(file, config));
      } finally {
        await server?.close();
        await place.end();
        rmSync(directory, { recursive: true, force: true });
      }
    }

    it('are read back after a restart, and lie there as the service writes them', () =>
      fixture(async ({ kept }, serve) => {
        for (const provider of ['aesgcm', 'aescbc', 'secretbox'] as const) {
          const first = await serve(configuration(provider, 'k1'));
          assert.equal((await first.send('POST', SECRETS, secret(provider))).code, 201);
          const again = await serve(configuration(provider, 'k1'));
          const { body } = await again.send('GET', `${SECRETS}/${provider}`);
          assert.equal(Buffer.from(body.data.word, 'base64').toString(), 'xyzzy');
          if (!kept) continue;
          const bytes = (await kept(provider)).toString('latin1');
          assert.ok(bytes.startsWith(`k8s:enc:${provider}:v1:k1:`), bytes.slice(0, 40));
          assert.ok(!bytes.includes('xyzzy') && !bytes.includes('Secret'));
        }
      }));
    it('are written anew by an update that changes nothing, when the key was rotated', () =>
      fixture(async ({ kept }, serve) => {
        const old = await serve(configuration('aesgcm', 'k1'));
        const made = await old.send('POST', SECRETS, secret('a'));
        const same = await old.send('PUT', `${SECRETS}/a`, made.body);
        assert.equal(same.body.metadata.resourceVersion, made.body.metadata.resourceVersion);
        const rotated = await serve(configuration('aesgcm', 'k2', 'k1'));
        const renewed = await rotated.send('PUT', `${SECRETS}/a`, made.body);
        assert.equal(renewed.code, 200);
        assert.ok(Number(renewed.body.metadata.resourceVersion) > Number(made.body.metadata.resourceVersion));
        if (kept) assert.ok((await kept('a')).toString('latin1').startsWith('k8s:enc:aesgcm:v1:k2:'));
        const settled = await rotated.send('PUT', `${SECRETS}/a`, renewed.body);
        assert.equal(settled.body.metadata.resourceVersion, renewed.body.metadata.resourceVersion);
        const later = await serve(configuration('aesgcm', 'k2'));
        assert.equal((await later.send('GET', `${SECRETS}/a`)).code, 200);
      }));
    it('take a rotation from the file while the server runs', () =>
      fixture(async ({ kept }, serve, rewrite) => {
        const server = await serve(
          configuration('secretbox', 'k1'),
          '--encryption-provider-config-automatic-reload=true',
          '--clock=running',
        );
        const made = await server.send('POST', SECRETS, secret('a'));
        rewrite(configuration('secretbox', 'k2', 'k1'));
        const renewed = await eventually(async () => {
          server.reference.advance(2_000);
          const put = await server.send('PUT', `${SECRETS}/a`, made.body);
          return put.code === 200 && put.body.metadata.resourceVersion !== made.body.metadata.resourceVersion
            ? put
            : undefined;
        }, 'the rotation');
        assert.equal(renewed.code, 200);
        if (kept) assert.ok((await kept('a')).toString('latin1').startsWith('k8s:enc:secretbox:v1:k2:'));
      }));
    it('without their key cannot be read, and the reason is told; unsafe deletion removes them', () =>
      fixture(async (_place, serve) => {
        const before = await serve(configuration('aesgcm', 'lost'));
        for (const one of ['a', 'b']) assert.equal((await before.send('POST', SECRETS, secret(one))).code, 201);
        const server = await serve(configuration('aesgcm', 'other'));
        assert.equal((await server.send('POST', SECRETS, secret('c'))).code, 201);
        assert.equal((await server.send('GET', `${SECRETS}/c`)).code, 200);

        const got = await server.send('GET', `${SECRETS}/a`);
        assert.deepEqual([got.code, got.body.reason], [500, 'StoreReadError']);
        assert.match(got.body.message, /no matching key was found for the provided AES-GCM transformer/);
        const list = await server.send('GET', SECRETS);
        assert.deepEqual([list.code, list.body.reason], [500, 'StoreReadError']);
        assert.equal(list.body.details.causes.length, 2);
        assert.equal((await server.send('DELETE', `${SECRETS}/a`)).code, 500);

        const removed = await server.send('DELETE', `${SECRETS}/a?${UNSAFE}`);
        assert.equal(removed.code, 200, JSON.stringify(removed.body));
        assert.equal((await server.send('GET', `${SECRETS}/a`)).code, 404);
        assert.equal((await server.send('DELETE', `${SECRETS}/b?${UNSAFE}`)).code, 200);
        const rest = await server.send('GET', SECRETS);
        assert.deepEqual(
          rest.body.items.map((item: { metadata: { name: string } }) => item.metadata.name),
          ['c'],
        );
        const again = await server.send('POST', SECRETS, secret('a'));
        assert.equal(again.code, 201);
      }));
  });
}
