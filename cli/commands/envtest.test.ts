import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer as createSecureServer, request as secureRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../../reference/testing/freePort.ts';
import { SystemClock } from '../../reference/time.ts';
import {
  type Authority,
  createAuthority,
  exportAuthority,
  type Issued,
  issue,
} from '../../reference/transport/certificates.ts';
import { touchstone } from '../testing/command.ts';

/** What envtest starts them with, where it lets a test say how; it gives flags in the order of their names. */
interface Manner {
  /** What tells it from the others. */
  readonly how: string;
  /** What `etcd` is told about its peers. */
  readonly peers: (port: number) => string;
  /** Whether its flags are asked for first, and flags follow from what its help says. */
  readonly asks: readonly ('unsafe-no-fsync' | 'insecure-port')[];
  /** Flags that tests often add. */
  readonly more?: Readonly<Record<string, string>>;
  /** The flags of a test that gives its own list, in place of all but a few. */
  readonly listed?: boolean;
}
const MANNERS: readonly Manner[] = [
  { how: 'with the peers of etcd at any port', peers: () => 'http://localhost:0', asks: ['insecure-port'] },
  {
    how: 'with a port for the peers of etcd',
    peers: (port) => `http://127.0.0.1:${port}`,
    asks: ['unsafe-no-fsync', 'insecure-port'],
  },
  {
    how: 'with flags that tests add',
    peers: (port) => `http://127.0.0.1:${port}`,
    asks: ['unsafe-no-fsync', 'insecure-port'],
    more: {
      'feature-gates': 'CustomResourceFieldSelectors=true',
      'audit-policy-file': '',
      'enable-admission-plugins': 'ResourceQuota',
      v: '2',
    },
  },
  {
    how: 'by a list of flags',
    peers: () => 'http://localhost:0',
    asks: ['insecure-port'],
    listed: true,
  },
];

const now = () => new SystemClock().now();

interface Answer {
  readonly status: number;
  readonly json: Record<string, unknown>;
}

/** A control plane as envtest starts, asks and stops it. */
class Plane {
  readonly #assets: string;
  readonly #directory = mkdtempSync(join(tmpdir(), 'k8s_test_framework_'));
  readonly #servers = createAuthority('envtest-environment', now());
  readonly #clients = createAuthority('envtest-environment', now());
  readonly #processes: ChildProcess[] = [];
  #port = 0;

  constructor(assets: string) {
    this.#assets = assets;
  }

  async start(manner: Manner): Promise<void> {
    await this.#startEtcd(manner);
    await this.#startServer(manner);
  }

  /** A client certificate of somebody, as `AddUser` makes them. */
  user(name: string, ...groups: readonly string[]): Issued {
    return issue(this.#clients, { commonName: name, organizations: groups, usage: 'client' }, now());
  }

  /** Ends both as envtest does, the server first. @returns their exit codes */
  async stop(): Promise<(number | null)[]> {
    const codes: (number | null)[] = [];
    for (const child of this.#processes.reverse()) {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      codes.push(child.exitCode);
    }
    rmSync(this.#directory, { recursive: true });
    return codes;
  }

  call(user: Issued, method: string, path: string, body?: object): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const request = secureRequest(
        {
          host: '127.0.0.1',
          port: this.#port,
          path,
          method,
          agent: false,
          ca: this.#servers.pem,
          cert: user.certificate,
          key: user.key,
          headers: { 'content-type': 'application/json' },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => (text += part));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) }));
        },
      );
      request.on('error', reject);
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Whether help names a flag at the beginning of a line, which is how envtest finds out. */
  #knows(name: string, flag: string): boolean {
    const help = execFileSync(join(this.#assets, name), ['--help'], { encoding: 'utf8' });
    return new RegExp(`^\\s*--${flag}\\b`, 'm').test(help);
  }

  async #startEtcd({ peers, asks }: Manner): Promise<void> {
    this.etcd = `http://127.0.0.1:${await freePort()}`;
    const fast = asks.includes('unsafe-no-fsync') && this.#knows('etcd', 'unsafe-no-fsync');
    this.#spawn('etcd', {
      'advertise-client-urls': this.etcd,
      'data-dir': this.#directory,
      'listen-client-urls': this.etcd,
      'listen-peer-urls': peers(await freePort()),
      ...(fast ? { 'unsafe-no-fsync': 'true' } : {}),
    });
    await until(() => isOk(new URL('/health', this.etcd)));
  }
  etcd = '';

  async #startServer({ asks, more = {}, listed = false }: Manner): Promise<void> {
    this.#port = await freePort();
    const keys = createAuthority('envtest-environment', now());
    const serving = issue(
      this.#servers,
      { commonName: 'localhost', hosts: ['localhost', '127.0.0.1'], usage: 'server' },
      now(),
    );
    const file = (name: string, text: string) => {
      const path = join(this.#directory, name);
      writeFileSync(path, text);
      return path;
    };
    file('apiserver.crt', serving.certificate);
    file('apiserver.key', serving.key);
    const insecure = asks.includes('insecure-port') && this.#knows('kube-apiserver', 'insecure-port');
    const all = {
      'allow-privileged': 'true',
      'authorization-mode': 'RBAC',
      'bind-address': '127.0.0.1',
      'cert-dir': this.#directory,
      'client-ca-file': file('client-cert-auth-ca.crt', this.#clients.pem),
      'disable-admission-plugins': 'ServiceAccount',
      'etcd-servers': this.etcd,
      ...(insecure ? { 'insecure-port': '0' } : {}),
      'secure-port': String(this.#port),
      'service-account-issuer': `https://127.0.0.1:${this.#port}/`,
      'service-account-key-file': file('sa-signer.crt', keys.pem),
      'service-account-signing-key-file': file('sa-signer.key', exportAuthority(keys).key),
      'service-cluster-ip-range': '10.0.0.0/24',
      ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, value || file(name, POLICY)])),
    };
    const { 'service-account-issuer': _, 'bind-address': __, ...few } = all;
    this.#spawn('kube-apiserver', listed ? { ...few, 'advertise-address': '127.0.0.1', 'insecure-port': '0' } : all);
    await until(() => this.#isHealthy());
  }

  #isHealthy(): Promise<boolean> {
    const anonymous = {
      host: '127.0.0.1',
      port: this.#port,
      path: '/healthz',
      rejectUnauthorized: false,
      agent: false,
    };
    return new Promise((resolve) => {
      const request = secureRequest(anonymous, (response) => resolve(response.resume().statusCode === 200));
      request.on('error', () => resolve(false)).end();
    });
  }

  #spawn(name: string, flags: Readonly<Record<string, string>>): void {
    const args = Object.keys(flags)
      .sort()
      .map((flag) => `--${flag}=${flags[flag]}`);
    const child = spawn(join(this.#assets, name), args, { cwd: this.#directory, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.once('exit', (code) => code !== 0 && code !== null && console.error(`${name} ended with ${code}: ${said}`));
    this.#processes.push(child);
  }
}

function isOk(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, (response) => resolve(response.resume().statusCode === 200)).on('error', () => resolve(false));
  });
}

/** Envtest asks ten times a second, for 20 seconds unless told. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let times = 0; times < 200; times += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail('it does not become ready');
}

const POLICY = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: None}]\n';

const WIDGETS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Widget', listKind: 'WidgetList', plural: 'widgets', singular: 'widget' },
    scope: 'Namespaced',
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

describe('what envtest starts', () => {
  let folder: string;
  let assets: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'touchstone-envtest-'));
    const { code, out } = await touchstone(['envtest', 'use', '--release', '1.31', '--dir', join(folder, 'assets')]);
    assert.equal(code, 0);
    assets = out.trim();
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const manner of MANNERS) {
    it(`serves as envtest starts it ${manner.how}`, async () => {
      const plane = new Plane(assets);
      let codes: readonly (number | null)[] = [];
      try {
        await plane.start(manner);
        const admin = plane.user('admin', 'system:masters');
        // Envtest waits for this namespace, and asks who the server is.
        assert.equal((await plane.call(admin, 'GET', '/api/v1/namespaces/default')).status, 200);
        assert.equal((await plane.call(admin, 'GET', '/version')).json.minor, '31');
        assert.equal((await plane.call(plane.user('jane'), 'GET', '/api/v1/namespaces')).status, 403);

        await installCrd(plane, admin);
        await callWebhook(plane, admin);
        // No controller makes the account, and without the plugin none is asked for.
        const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
        assert.equal((await plane.call(admin, 'POST', '/api/v1/namespaces/default/pods', pod)).status, 201);
        const account = '/api/v1/namespaces/default/serviceaccounts';
        assert.equal((await plane.call(admin, 'POST', account, { metadata: { name: 'runner' } })).status, 201);
        const token = await plane.call(admin, 'POST', `${account}/runner/token`, { spec: {} });
        assert.equal(token.status, 201, JSON.stringify(token.json));
      } finally {
        codes = await plane.stop();
      }
      assert.deepEqual(codes, [0, 0]);
    });
  }

  it('says that the etcd keeps nothing to who asks it for more than health', async () => {
    const etcd = spawn(join(assets, 'etcd'), ['--listen-client-urls', `http://127.0.0.1:${await freePort()}`]);
    const url = etcd.spawnargs.at(-1) ?? '';
    await until(() => isOk(new URL('/version', url)));
    assert.equal(await isOk(new URL('/v3/kv/range', url)), false);
    const second = spawn(join(assets, 'etcd'), [`--listen-client-urls=${url}`]);
    let said = '';
    second.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    assert.deepEqual(await once(second, 'close'), [1, null]);
    assert.match(said, /^etcd: port \d+ of 127\.0\.0\.1 is taken\.\n$/);
    etcd.kill('SIGTERM');
    assert.deepEqual(await once(etcd, 'exit'), [0, null]);
  });
});

/** As `InstallCRDs` does: created, and waited for until it can be used. */
async function installCrd(plane: Plane, admin: Issued): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  assert.equal((await plane.call(admin, 'POST', path, WIDGETS)).status, 201);
  await until(async () => (await plane.call(admin, 'GET', '/apis/example.com/v1')).status === 200);
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
  const made = await plane.call(admin, 'POST', '/apis/example.com/v1/namespaces/default/widgets', widget);
  assert.equal(made.status, 201, JSON.stringify(made.json));
}

/** As `WebhookInstallOptions` does: a server of the test at an address of this machine, by its authority. */
async function callWebhook(plane: Plane, admin: Issued): Promise<void> {
  const authority: Authority = createAuthority('envtest-webhooks', now());
  const { certificate, key } = issue(
    authority,
    { commonName: 'localhost', hosts: ['127.0.0.1', 'localhost'], usage: 'server' },
    now(),
  );
  const server = createSecureServer({ cert: certificate, key }, (request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const { request: asked } = JSON.parse(text) as { request: { uid: string } };
      const review = { uid: asked.uid, allowed: false, status: { code: 403, message: 'not today' } };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: review }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'no-widgets' },
    webhooks: [
      {
        name: 'no.widgets.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: {
          url: `https://127.0.0.1:${port}/validate`,
          caBundle: Buffer.from(authority.pem).toString('base64'),
        },
        rules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['DELETE'], resources: ['widgets'] }],
      },
    ],
  };
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  assert.equal((await plane.call(admin, 'POST', path, configuration)).status, 201);
  await until(async () => {
    const answer = await plane.call(admin, 'DELETE', '/apis/example.com/v1/namespaces/default/widgets/w?dryRun=All');
    return answer.status === 403 && JSON.stringify(answer.json).includes('not today');
  });
  server.closeAllConnections();
  server.close();
}
