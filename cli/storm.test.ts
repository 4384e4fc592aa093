import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { kubernetes } from '../fixtures/dialects/kubernetes.ts';
import type { OperationEntry } from '../history/format.ts';
import { historyOfText } from '../history/reader.ts';
import { scopeOf } from '../history/scope.ts';
import { ERRORS } from '../mutants/conventions/errors.ts';
import { isKeptStorm } from '../storm/keptStorm.ts';
import { MIXES, type Mix } from '../storm/mix.ts';
import { StormRecorder } from '../storm/recorder.ts';
import { type StormServer, Wire } from '../storm/server.ts';
import { type StormSite, WIDEST } from '../storm/site.ts';
import { CONNECTION_FAULTS, runStorm } from '../storm/storm.ts';
import { USERS } from '../storm/users.ts';
import { judge } from '../suites/guarantees/index.ts';
import { isRecord } from '../suites/harness/json.ts';
import { clusterRoleBindings, clusterRoles, customResourceDefinitions, pathOf } from '../suites/harness/kinds.ts';
import { RUN_LABEL } from '../suites/harness/space.ts';
import { detect } from '../suites/harness/target/detect.ts';
import { sweep } from '../suites/harness/target/sweep.ts';
import { startRunning } from './serve/running.ts';
import { replayStorm, shortenHistory } from './shortestStorm.ts';
import { builtModule } from './testing/built.ts';
import { touchstone } from './testing/command.ts';

const scratch = mkdtempSync(join(tmpdir(), 'touchstone-storms-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** A storm over the reference with some flags, spread over all that there is: what it did, saw, and left behind. */
async function storm(name: string, flags: readonly string[] = [], options: { faults?: boolean } = {}) {
  const running = await startRunning(['--embedded', '--clock=system', ...flags], ERRORS);
  const { token } = running.credentials.find((each) => each.name === 'admin') ?? {};
  const servers = [{ base: running.base, ca: running.ca, identity: { token } }];
  const folder = mkdtempSync(join(scratch, `${name}-`));
  const file = join(folder, 'history-0.ndjson');
  const sites: StormSite[] = [];
  await runStorm({
    servers,
    seed: 3,
    mix: MIXES.even as Mix,
    clients: 8,
    duration: 60_000,
    requests: 900,
    faults: options.faults ? CONNECTION_FAULTS : [],
    site: { ...WIDEST, name: `storm-${name}`, dialect: kubernetes },
    file,
    command: '',
    patience: 3_000,
    prepared: (site) => sites.push(site),
    progress: () => undefined,
    signal: new AbortController().signal,
  });
  const entries = [...historyOfText(readFileSync(file, 'utf8'))];
  const broken = judge(entries).flatMap(({ guarantee, finding }) =>
    finding.violations.slice(0, 2).map(({ sentence }) => `${guarantee.name}: ${sentence}`),
  );
  const operations = entries.filter((entry): entry is OperationEntry => entry.type === 'operation');
  return { running, servers, file, site: sites[0], operations, broken };
}

describe('a storm over all that there is', () => {
  it('reaches every type, namespace and user, finds nothing at the reference behind faults, and leaves nothing', async () => {
    const { running, servers, site, operations, broken } = await storm('wide', [], { faults: true });
    try {
      assert.deepEqual(broken, []);
      assert.deepEqual(site?.without, []);
      const clients = operations.filter(({ client }) => /^c\d/.test(client));
      const written = new Set(
        clients.filter(({ status }) => status === 201).map(({ path }) => scopeOf(path.split('?')[0] ?? '')),
      );
      assert.deepEqual([...new Set([...written].map((scope) => scope?.type.split('/').at(-1)))].sort(), [
        'clusterroles',
        'configmaps',
        'gusts',
        'leases',
      ]);
      assert.deepEqual([...new Set([...written].map((scope) => scope?.namespace))].sort(), [
        '',
        'storm-wide',
        'storm-wide-2',
      ]);
      assert.deepEqual(new Set(clients.map(({ user }) => user)), new Set(USERS));
      const denied = operations.filter((each) => each.denied && each.status !== undefined);
      assert.ok(denied.length > 10, `${denied.length} were denied`);
      assert.deepEqual([...new Set(denied.map(({ status }) => status))], [403]);
      const watched = operations.filter(({ path, status }) => path.includes('watch=true') && status === 200);
      const scopes = new Set(watched.map(({ path }) => path.split('?')[0]));
      assert.equal(scopes.size, site?.views.length);

      const recorder = new StormRecorder({ write: () => {}, flush: () => {}, close: () => {} });
      const wire = new Wire('after', 0, servers[0] as StormServer, recorder);
      for (const kind of [clusterRoles, clusterRoleBindings, customResourceDefinitions]) {
        const path = `${pathOf(kind, kubernetes, '')}?labelSelector=${encodeURIComponent(`${RUN_LABEL}=storm-wide`)}`;
        assert.deepEqual((await wire.send('GET', path)).seen?.items, [], path);
      }
      for (const path of ['/api/v1/namespaces/storm-wide', '/api/v1/namespaces/storm-wide-2']) {
        const { status, seen } = await wire.send('GET', path);
        assert.ok(status === 404 || seen?.object?.leaving, path);
      }
      await wire.close();
      recorder.close();
    } finally {
      await running.stop();
    }
  });

  it('has what it defined swept away where it did not come to that itself', async () => {
    const running = await startRunning(['--embedded', '--clock=system'], ERRORS);
    const { token } = running.credentials.find((each) => each.name === 'admin') ?? {};
    const server = { base: running.base, ca: running.ca, identity: { token } };
    const wire = new Wire(
      'killed',
      0,
      server,
      new StormRecorder({ write: () => {}, flush: () => {}, close: () => {} }),
    );
    try {
      const group = 'storm-killed.touchstone.example';
      const names = { plural: 'gusts', singular: 'gust', kind: 'Gust', listKind: 'GustList' };
      const schema = { openAPIV3Schema: { type: 'object' } };
      const versions = [{ name: 'v1', served: true, storage: true, schema }];
      const metadata = { name: `gusts.${group}`, labels: { [RUN_LABEL]: 'storm-killed' } };
      const path = pathOf(customResourceDefinitions, kubernetes, '');
      const body = {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata,
        spec: { group, scope: 'Namespaced', names, versions },
      };
      assert.equal((await wire.send('POST', path, { body })).status, 201);
      const { base, ca } = running;
      const identities = { admin: { token } };
      const target = await detect({ base, mode: 'embedded', identities, ...(ca === undefined ? {} : { ca }) });
      assert.deepEqual(await sweep(target, 'storm-other'), []);
      assert.equal((await wire.send('GET', `${path}/${metadata.name}`)).status, 200);
      assert.deepEqual(await sweep(target, 'storm-killed'), []);
      assert.equal((await wire.send('GET', `${path}/${metadata.name}`)).status, 404);
    } finally {
      await wire.close();
      await running.stop();
    }
  });

  it('finds a read without a right to it, in its shortest form two requests at most', async (t) => {
    t.mock.method(console, 'log', () => {});
    const { running, servers, file, broken } = await storm('rights', ['--mutant=everybody-may-get']);
    try {
      assert.match(broken.join('\n'), /^rights-kept: (nobody|local) has no right to GET .* and was answered 200$/m);
      const { signal } = new AbortController();
      const work = { file, servers, dialect: kubernetes, words: ['reference'], within: 60_000, signal };
      assert.equal(await shortenHistory(work), true);
      const kept: unknown = JSON.parse(readFileSync(join(file, '..', 'shortest.json'), 'utf8'));
      assert.ok(isKeptStorm(kept));
      assert.ok(kept.script.operations.length <= 2, kept.story.join('\n'));
      assert.equal(await replayStorm(kept, servers, kubernetes, signal), 1);
    } finally {
      await running.stop();
    }
  });

  it('asks as its administrator alone where a server refuses nobody', async () => {
    const { running, site, operations, broken } = await storm('open', ['--authorization-mode=AlwaysAllow']);
    try {
      assert.deepEqual(broken, []);
      assert.deepEqual(site?.users, ['admin']);
      assert.match(site?.without.join() ?? '', /^users: .*who has no rights, was answered/);
      assert.deepEqual(
        new Set(operations.flatMap(({ client, user }) => (/^c\d/.test(client) ? [user] : []))),
        new Set(['admin']),
      );
    } finally {
      await running.stop();
    }
  });
});

describe('the command', () => {
  it('leaves a history that can be judged up to where it was killed', async () => {
    const folder = mkdtempSync(join(scratch, 'killed-'));
    const file = join(folder, 'history-0.ndjson');
    const args = ['storm', '--for', '60s', '--quiet', '--output', folder];
    const script = `await (await import('${await builtModule('main.js')}')).main(process.argv.slice(1));`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script, '--', ...args], {
      stdio: 'ignore',
    });
    const size = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    while (size() < 300_000 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(child.exitCode, null);
    child.kill('SIGKILL');
    await once(child, 'close');
    const { code, out, errors } = await touchstone(['judge', file]);
    assert.equal(code, 0, out + errors);
    assert.match(out, /✓ linearizable +kept/);
  });
  it('says that a server which went away shows nothing', async () => {
    const folder = mkdtempSync(join(scratch, 'gone-'));
    const running = await startRunning(['--embedded', '--clock=system']);
    const { token = '' } = running.credentials.find((each) => each.name === 'admin') ?? {};
    const words = ['storm', '--target', running.base, '--token', token, '--insecure', '--types', 'configmaps'];
    let going: Promise<void> | undefined;
    const { code, out } = await touchstone([...words, '--requests', '3000', '--floor', '0', '--output', folder], {
      interruptWhen: (told) => {
        if (/ answers,/.test(told)) going ??= running.stop();
        return false;
      },
    });
    await going;
    assert.equal(code, 2, out);
    assert.match(out, /^inconclusive: https:\S+ answered no more at the end, so that nothing was read again$/m);
    assert.doesNotMatch(out, /^✗/m);
  });
  it('says that a server which cannot keep the floor shows nothing, and what shares of a mix are', async () => {
    const folder = mkdtempSync(join(scratch, 'floor-'));
    const words = [
      'storm',
      '--requests',
      '60',
      '--mix',
      'create=1,walk=1',
      '--types',
      'configmaps',
      '--output',
      folder,
    ];
    const { code, out } = await touchstone([...words, '--floor', '1000000']);
    assert.equal(code, 2, out);
    assert.match(out, /^inconclusive: \d+ answers a second are below the floor of 1000000$/m);
    const figures: unknown = JSON.parse(readFileSync(join(folder, 'figures.json'), 'utf8'));
    assert.ok(isRecord(figures) && figures.exit === 2);
    const wrong = await touchstone(['storm', '--mix', 'create=1,swim=2']);
    assert.equal(wrong.code, 64);
    assert.match(wrong.errors, /^--mix takes a name, or shares such as create=5,delete=2 of create, update, /m);
  });
  it('ends with one sentence where a type that was named cannot be had', async () => {
    const running = await startRunning([
      '--embedded',
      '--clock=system',
      '--runtime-config=coordination.k8s.io/v1=false',
    ]);
    try {
      const { token = '' } = running.credentials.find((each) => each.name === 'admin') ?? {};
      const words = ['storm', '--target', running.base, '--token', token, '--insecure', '--output', scratch];
      const { code, errors } = await touchstone([...words, '--types', 'leases']);
      assert.deepEqual([code, errors.trim().split('\n').length], [64, 1], errors);
      assert.match(errors, /leases: a creation without effect was answered 404/);
    } finally {
      await running.stop();
    }
  });
});
