import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AuthenticationV1Api, CoreV1Api, KubeConfig, VersionApi } from '@kubernetes/client-node';
import type { Flag } from '../../reference/options/flag.ts';
import { FLAGS } from '../../reference/options/flagTable.ts';
import { freePort } from '../../reference/testing/freePort.ts';
import { touchstone } from '../testing/command.ts';
import { type Running, StartRefused, startRunning } from './running.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-running-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let servers = 0;

/** What serves as long as `use` takes. */
async function serving(flags: readonly string[], use: (running: Running) => Promise<void>): Promise<void> {
  const out = join(folder, String(servers++));
  const running = await startRunning(['--secure-port=0', `--out=${out}`, ...flags]);
  try {
    await use(running);
  } finally {
    await running.stop();
  }
}

function configOf({ files }: Running, context?: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromFile(files?.kubeconfig ?? '');
  if (context !== undefined) config.setCurrentContext(context);
  return config;
}
const whoIs = async (running: Running, context?: string) => {
  const reviews = configOf(running, context).makeApiClient(AuthenticationV1Api);
  const { status } = await reviews.createSelfSubjectReview({ body: {} });
  return status?.userInfo?.username;
};

function get(url: string, ca?: string): Promise<{ code: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const library = url.startsWith('https') ? https : http;
    library
      .get(url, { ca, agent: false }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        response.once('end', () => resolve({ code: response.statusCode, body }));
      })
      .once('error', reject);
  });
}

test('plain HTTP has a port of its own, and is a 400 at the other', async () => {
  const port = await freePort();
  await serving([`--insecure-port=${port}`], async ({ base, ca, insecureBase }) => {
    assert.equal(insecureBase, `http://127.0.0.1:${port}`);
    assert.equal((await get(`${insecureBase}/healthz`)).body, 'ok');
    assert.equal((await get(`${base}/healthz`, ca)).body, 'ok');
    const refused = await get(`${base.replace('https:', 'http:')}/healthz`);
    assert.equal(refused.code, 400);
    assert.equal((JSON.parse(refused.body) as { kind: string }).kind, 'Status');
    await assert.rejects(
      serving([`--insecure-port=${port}`], async () => {}),
      (error: unknown) => error instanceof StartRefused && error.message.includes('--insecure-port'),
    );
  });
  await serving(['--insecure-port=0'], async ({ insecureBase }) => assert.equal(insecureBase, undefined));
});

test('the kubeconfig works whatever clock the server has', async () => {
  for (const clock of ['system', 'running', 'virtual']) {
    await serving([`--clock=${clock}`], async (running) => {
      assert.equal(await whoIs(running), 'admin', clock);
      assert.equal(await whoIs(running, 'jane'), 'jane', clock);
    });
  }
});

test('the kubeconfig has a context for each token of a token file', async () => {
  const file = join(folder, 'tokens.csv');
  writeFileSync(file, 't1,ada,1,system:masters\nt2,bob,2\nt3,ada,3\n');
  await serving([`--token-auth-file=${file}`], async (running) => {
    assert.deepEqual(
      running.credentials.map(({ name }) => name),
      ['ada', 'bob', 'ada-2'],
    );
    for (const [context, user] of [
      [undefined, 'ada'],
      ['bob', 'bob'],
      ['ada-2', 'ada'],
    ] as const) {
      assert.equal(await whoIs(running, context), user);
    }
    assert.match((await configOf(running).makeApiClient(VersionApi).getCode()).gitVersion, /^v1\./);
  });
});

test('each namespace tells the certificate to trust, also where it was given', async () => {
  const given = join(folder, 'given');
  await serving([], async ({ options }) => {
    const { tls } = options.serving;
    writeFileSync(`${given}.crt`, tls?.certificate ?? '');
    writeFileSync(`${given}.key`, tls?.key ?? '');
  });
  await serving([`--tls-cert-file=${given}.crt`, `--tls-private-key-file=${given}.key`], async (running) => {
    const config = configOf(running);
    const [cluster] = config.clusters;
    config.clusters = [{ ...cluster, name: 'touchstone', server: running.base, skipTLSVerify: true }];
    const core = config.makeApiClient(CoreV1Api);
    await core.createNamespace({ body: { metadata: { name: 'fresh' } } });
    for (const namespace of ['default', 'kube-system', 'fresh']) {
      const map = await core.readNamespacedConfigMap({ namespace, name: 'kube-root-ca.crt' });
      assert.equal(map.data?.['ca.crt'], readFileSync(`${given}.crt`, 'utf8'), namespace);
    }
  });
});

test('initial values stand in the help as their flags take them', () => {
  for (const [name, flag] of Object.entries(FLAGS as unknown as Record<string, Flag<unknown>>)) {
    if (flag.initialText !== '') assert.deepEqual(flag.read(flag.initialText, flag.initial, false), flag.initial, name);
  }
});

test('the first line says that a server is a mutant, and which rule is broken', async () => {
  const { out } = await touchstone(['serve', '--secure-port=0', `--out=${folder}`, '--mutant', 'watch-drops-delete'], {
    interruptWhen: (printed) => printed.includes('Ctrl-C'),
  });
  assert.match(out, /^Mutant watch-drops-delete, which breaks [A-Z0-9-]+.*: .+\n/);
});

test('a server is stopped once, however often it is asked for, and leaves alone what others opened since', async () => {
  const running = await startRunning([
    '--secure-port=0',
    `--out=${join(folder, 'out')}`,
    `--data-dir=${join(folder, 'data')}`,
  ]);
  await running.stop();
  // They have the numbers of the descriptors that were given back.
  const opened = Array.from({ length: 64 }, () => openSync('/dev/null', 'r'));
  await running.stop();
  for (const descriptor of opened) closeSync(descriptor);
});
