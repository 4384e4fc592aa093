import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { StoreUnavailable } from '../../contracts/store.ts';
import { NO_ETCD, startEtcd } from '../../testing/etcd/members.ts';
import { eventually, startServer } from '../../testing/etcd/server.ts';
import { SystemClock } from '../../time.ts';
import { type Authority, createAuthority, type Issued, issue } from '../../transport/certificates.ts';

const YEAR = 365 * 24 * 60 * 60 * 1000;
const MAPS = '/api/v1/namespaces/default/configmaps';
const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

describe('an etcd that wants client certificates', { skip: NO_ETCD }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'touchstone-etcd-tls-'));
  const file = (name: string, text: string) => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };
  const now = new SystemClock().now();
  const member = (authority: Authority, { host = '127.0.0.1', at = now } = {}) =>
    issue(authority, { commonName: 'etcd', hosts: [host], usage: 'server' }, at);
  const client = (authority: Authority, at = now) =>
    issue(authority, { commonName: 'touchstone', usage: 'client' }, at);
  /** What the member shows from its next connection on: it reads its files anew for each. */
  const show = ({ certificate, key }: Issued) => {
    file('member.crt', certificate);
    file('member.key', key);
  };

  let ca: Authority;
  let other: Authority;
  let etcd: Awaited<ReturnType<typeof startEtcd>>;
  before(async () => {
    ca = createAuthority('etcd-ca', now);
    other = createAuthority('other-ca', now);
    show(member(ca));
    const trusted = file('trusted.crt', ca.pem);
    const files = [`--cert-file=${join(directory, 'member.crt')}`, `--key-file=${join(directory, 'member.key')}`];
    const flags = ['--unsafe-no-fsync', ...files, '--client-cert-auth', `--trusted-ca-file=${trusted}`];
    etcd = await startEtcd({ flags, scheme: 'https' });
  });
  after(async () => {
    await etcd?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  interface Shown {
    readonly servers?: string;
    readonly authority?: Authority;
    /** Null: none. */
    readonly identity?: Issued | null;
  }
  let files = 0;
  async function flags({ servers = String(etcd.servers), authority = ca, identity }: Shown = {}): Promise<string[]> {
    const shown = identity === undefined ? client(ca) : identity;
    const name = `client${files++}`;
    const pair = shown && [
      `--etcd-certfile=${file(`${name}.crt`, shown.certificate)}`,
      `--etcd-keyfile=${file(`${name}.key`, shown.key)}`,
    ];
    const cafile = `--etcd-cafile=${file(`${name}-ca.crt`, authority.pem)}`;
    return [`--etcd-servers=${servers}`, cafile, ...(pair ?? []), '--authorization-mode=AlwaysAllow'];
  }
  const refused = async (shown: Shown, why: RegExp) =>
    assert.rejects(
      startServer(await flags(shown)),
      (error) =>
        error instanceof StoreUnavailable &&
        /^--etcd-servers https?:\/\/[^ ]+: etcd cannot be reached/.test(error.message) &&
        why.test(error.message),
    );

  it('serves a server that has one, and another after it what the first has written', async () => {
    const first = await startServer(await flags());
    assert.equal((await first.send('POST', MAPS, map('kept'))).code, 201);
    await first.close();
    const second = await startServer(await flags());
    const watch = await second.watch(`${MAPS}?watch=true&resourceVersion=0`);
    assert.equal((await second.send('GET', `${MAPS}/kept`)).code, 200);
    assert.equal((await second.send('POST', MAPS, map('more'))).code, 201);
    await eventually(() => (watch.events().some((event) => event.startsWith('ADDED more')) ? true : undefined), 'more');
    watch.stop();
    await second.close();
  });
  const WANTED = /: it wants a client certificate, and not the one given, if any$/;
  const cases: readonly [string, RegExp, () => Promise<Shown> | Shown][] = [
    ['without one', WANTED, () => ({ identity: null })],
    ['with one of an authority that etcd does not trust', WANTED, async () => ({ identity: client(other) })],
    ['with one that has expired', WANTED, async () => ({ identity: client(ca, now - 2 * YEAR) })],
    [
      'that trusts another authority',
      /: its certificate is signed by an authority that is not trusted here$/,
      () => ({ authority: other }),
    ],
    ['that speaks no TLS', /cannot be reached$/, () => ({ servers: String(etcd.servers).replaceAll('https', 'http') })],
    ['that is led elsewhere', /: nothing listens there$/, () => ({ servers: 'https://127.0.0.1:1' })],
  ];
  for (const [which, why, shown] of cases) {
    it(`refuses a server ${which}, which says so and does not start`, async () => refused(await shown(), why));
  }
  it('is refused by a server when it shows another name, or a certificate that has expired', async () => {
    try {
      show(member(ca, { host: 'etcd.example.com' }));
      await refused({}, /: its certificate is for another name$/);
      show(member(ca, { at: now - 2 * YEAR }));
      await refused({}, /: its certificate has expired$/);
    } finally {
      show(member(ca));
    }
  });
  it('costs a server that runs only its answers while its certificate is none, and serves it again with a good one', async () => {
    const server = await startServer(await flags());
    try {
      assert.equal((await server.send('POST', MAPS, map('before'))).code, 201);
      await etcd.members[0]?.kill();
      show(member(other));
      await etcd.members[0]?.start();
      const refusal = await eventually(async () => {
        const got = await server.send('GET', `${MAPS}/before`);
        return /certificate/.test(got.body.message) ? got : undefined;
      }, 'the certificate of the other authority');
      assert.deepEqual([refusal.code, refusal.body.reason], [503, 'ServiceUnavailable']);
      assert.match(refusal.body.message, /^etcd cannot be reached: its certificate is signed by an authority/);
      const lost = await server.send('POST', MAPS, map('lost'));
      assert.equal(lost.code, 503);
      show(member(ca));
      await eventually(
        async () => ((await server.send('GET', `${MAPS}/before`)).code === 200 ? true : undefined),
        'the good certificate',
      );
      assert.equal((await server.send('GET', `${MAPS}/lost`)).code, 404);
      assert.equal((await server.send('POST', MAPS, map('after'))).code, 201);
    } finally {
      await server.close();
    }
  });
});
