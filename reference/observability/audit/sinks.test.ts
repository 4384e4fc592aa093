import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { AuditWebhookOptions } from '../../contracts/auditOptions.ts';
import { LogFile } from '../../ports/logFile.ts';
import { auditFixture } from '../../testing/auditFixture.ts';
import { VirtualClock } from '../../time.ts';
import type { AuditEvent } from './auditEvent.ts';
import { Auditor } from './auditor.ts';
import { BatchingSink } from './batching.ts';
import { type AuditSink, everywhere } from './sink.ts';
import { truncating } from './truncation.ts';
import { WebhookSink } from './webhookSink.ts';

const event = (auditID: string): AuditEvent => ({
  apiVersion: 'audit.k8s.io/v1',
  level: 'Metadata',
  auditID,
  stage: 'ResponseComplete',
  requestURI: '/version',
  verb: 'get',
  user: {},
  sourceIPs: [],
  requestReceivedTimestamp: '',
  stageTimestamp: '',
  annotations: {},
});

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'audit-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
/** Lets what is ready to run do so. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a log that is full becomes an old one; those too many go, the others are compressed', (t) => {
  const directory = temporary(t);
  const clock = new VirtualClock();
  const log = new LogFile(
    join(directory, 'audit.log'),
    { maxBytes: 10, maxBackups: 2, maxAge: 0, compress: true },
    clock,
  );
  for (const text of ['first--\n', 'second-\n', 'third--\n', 'fourth-\n']) {
    log.write(text);
    clock.advance(1000);
  }
  log.close();
  const names = readdirSync(directory).sort();
  assert.deepEqual(names, [
    'audit-2025-01-01T00-00-02.000.log.gz',
    'audit-2025-01-01T00-00-03.000.log.gz',
    'audit.log',
  ]);
  assert.equal(gunzipSync(readFileSync(join(directory, names[1] as string))).toString(), 'third--\n');
  assert.equal(readFileSync(join(directory, 'audit.log'), 'utf8'), 'fourth-\n');
  assert.equal(statSync(join(directory, 'audit.log')).mode & 0o777, 0o600);
});

test('old logs go by their age, a log goes on where it was, and names that are alike stay apart', (t) => {
  const directory = temporary(t);
  const clock = new VirtualClock();
  const path = join(directory, 'audit.log');
  const rotation = { maxBytes: 10, maxBackups: 0, maxAge: 1000, compress: false };
  const log = new LogFile(path, rotation, clock);
  for (let i = 0; i < 3; i++) log.write('12345678\n');
  assert.equal(readdirSync(directory).length, 3);
  clock.advance(5000);
  log.close();
  const again = new LogFile(path, rotation, clock);
  again.write('x');
  assert.equal(readFileSync(path, 'utf8'), '12345678\nx');
  again.write('87654321\n');
  again.close();
  assert.deepEqual(readdirSync(directory).sort(), ['audit-2025-01-01T00-00-05.000.log', 'audit.log']);
});

test('a batch goes when it is full or has waited, and what finds no room is lost', async () => {
  const clock = new VirtualClock();
  const batches: string[][] = [];
  const sink: AuditSink = {
    take: (events) => batches.push(events.map(({ auditID }) => auditID)) > 0,
    close: async () => {},
  };
  const batching = new BatchingSink(
    sink,
    { bufferSize: 3, maxSize: 2, maxWait: 100, throttle: { qps: 1, burst: 1 } },
    clock,
  );
  assert.equal(batching.take([event('a')]), true);
  await settled();
  assert.deepEqual(batches, []);
  clock.advance(100);
  await settled();
  assert.deepEqual(batches, [['a']]);
  assert.equal(batching.take([event('b'), event('c'), event('d'), event('e')]), false);
  await settled();
  assert.deepEqual(batches.length, 1, 'the throttle lets one batch a second pass');
  clock.advance(1000);
  await settled();
  assert.deepEqual(batches, [['a'], ['b', 'c']]);
  await batching.close();
  assert.deepEqual(batches, [['a'], ['b', 'c'], ['d']]);
});

async function receiver(t: TestContext, answers: readonly number[]) {
  const bodies: { kind: string; items: { auditID: string }[] }[] = [];
  const headers: http.IncomingHttpHeaders[] = [];
  const waiting: (() => void)[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    headers.push(request.headers);
    bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(answers[bodies.length - 1] ?? 200).end('{}');
    waiting.shift()?.();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
  const options: AuditWebhookOptions = {
    remote: { url, ca: undefined, serverName: undefined, insecure: false, clientCertificate: undefined, token: 'tok' },
    backoff: 1000,
    mode: 'blocking',
    batch: { bufferSize: 1, maxSize: 1, maxWait: 0, throttle: undefined },
    truncation: undefined,
  };
  return { bodies, headers, options, heard: () => new Promise<void>((resolve) => waiting.push(resolve)) };
}

test('a webhook takes lists of events; a fault that may pass is tried again, one that lasts is not', async (t) => {
  const { bodies, headers, options, heard } = await receiver(t, [500, 200, 400]);
  const clock = new VirtualClock();
  const sink = new WebhookSink(options, clock, 'audit.k8s.io/v1');
  const first = heard();
  const kept = sink.take([event('a'), event('b')]);
  await first;
  // The answer reaches the sink a little after the server has sent it.
  while (bodies.length < 2) {
    clock.advance(1000);
    await settled();
  }
  assert.equal(await kept, true);
  assert.deepEqual(
    bodies.map(({ kind, items }) => [kind, items.map(({ auditID }) => auditID)]),
    [
      ['EventList', ['a', 'b']],
      ['EventList', ['a', 'b']],
    ],
  );
  assert.equal(headers[0]?.authorization, 'Bearer tok');
  assert.equal(await sink.take([event('c')]), false);
  assert.equal(bodies.length, 3);
  await sink.close();
});

test('a server that ends does not wait for a webhook that is not there', async (t) => {
  const { options, heard } = await receiver(t, [500, 500]);
  const clock = new VirtualClock();
  const sink = new BatchingSink(
    new WebhookSink(options, clock, 'audit.k8s.io/v1'),
    { bufferSize: 10, maxSize: 1, maxWait: 0, throttle: undefined },
    clock,
  );
  const first = heard();
  sink.take([event('a')]);
  await first;
  await sink.close();
});

test('what several places take is kept when all of them keep it, and they end together', async () => {
  const calls: string[] = [];
  const sink = (name: string, kept: boolean | Promise<boolean>): AuditSink => ({
    take: () => kept,
    hurry: () => void calls.push(`hurry ${name}`),
    close: async () => void calls.push(`close ${name}`),
  });
  assert.equal(everywhere([sink('a', true), sink('b', true)]).take([event('x')]), true);
  assert.equal(everywhere([sink('a', true), sink('b', false)]).take([event('x')]), false);
  const both = everywhere([sink('a', true), sink('b', Promise.resolve(false))]);
  assert.equal(await both.take([event('x')]), false);
  both.hurry?.();
  await both.close();
  assert.deepEqual(calls, ['hurry a', 'hurry b', 'close a', 'close b']);
});

test('no batch is larger than allowed, and what no shortening makes small enough is lost', async () => {
  const batches: string[][] = [];
  const sink: AuditSink = {
    take: (events) => batches.push(events.map(({ auditID }) => auditID)) > 0,
    close: async () => {},
  };
  const short = truncating(sink, { maxEventBytes: 400, maxBatchBytes: 600 }, 'short');
  const large = { ...event('d'), requestURI: `/${'x'.repeat(400)}` };
  assert.equal(await short.take([event('a'), event('b'), event('c'), large]), false);
  assert.deepEqual(batches, [['a', 'b'], ['c']]);
});

test('in mode blocking-strict a request whose event is lost is refused', async () => {
  const fixture = await auditFixture([{ level: 'None' }]);
  try {
    const { clock, dialect, registry } = fixture.reference.services;
    const counted: string[] = [];
    const metrics = { counter: ({ name }: { name: string }) => ({ add: () => counted.push(name) }) };
    const dependencies = { clock, dialect, registry, encoder: {}, metrics } as never;
    const rule = { users: [], userGroups: [], verbs: [], namespaces: [], nonResourceURLs: [], resources: [] };
    const rules = [{ ...rule, level: 'Metadata' as const, omitStages: [], omitManagedFields: false }];
    const lost: AuditSink = { take: () => false, close: async () => {} };
    const exchange = {
      info: { isResource: false, verb: 'get', path: '/' },
      user: { groups: [], extra: {} },
      request: { headers: {}, remoteAddress: '' },
      audit: new Map(),
    } as never;
    const policy = { rules, unknown: [] };
    const strict = new Auditor({ policy, sink: lost, strict: true }, dependencies);
    await assert.rejects(strict.begin(exchange, 'id', 0), { code: 500, message: /failed to store audit event/ });
    assert.ok(counted.includes('apiserver_audit_requests_rejected_total'));
    const lenient = new Auditor({ policy, sink: lost, strict: false }, dependencies);
    assert.ok(await lenient.begin(exchange, 'id', 0));
  } finally {
    await fixture.close();
  }
});
