import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { AuditLog, isAuditEvent } from './auditLog.ts';
import { type HistoryEntry, MARK, type OperationEntry } from './format.ts';
import { archiveEntries, cutArchive, historyOfArchive } from './har.ts';
import { historyIn, NotHistory } from './reader.ts';
import { digestOf, sightOfAnswer, sightOfEvent, sightOfSent } from './sight.ts';
import { HistoryFile } from './writer.ts';

const scratch = mkdtempSync(join(tmpdir(), 'history-'));
after(() => rmSync(scratch, { recursive: true }));

async function read(file: string): Promise<HistoryEntry[]> {
  const all: HistoryEntry[] = [];
  for await (const entries of historyIn(file)) all.push(...entries);
  return all;
}
const operation = (number: number): HistoryEntry => ({
  type: 'operation',
  client: 'a',
  number,
  start: number,
  end: number + 1,
  method: 'GET',
  path: '/api/v1/configmaps',
  status: 200,
});

describe('a history in a file', () => {
  const file = join(scratch, 'history-0.ndjson');
  it('is read as it was written, and gone on with', async () => {
    const first = new HistoryFile(file, { by: 'test', began: '2026-01-01T00:00:00Z' });
    first.write(operation(1));
    first.close();
    const second = new HistoryFile(file, { by: 'test', began: '2026-01-02T00:00:00Z' });
    second.write(operation(2));
    second.close();
    assert.deepEqual(
      (await read(file)).map((entry) => entry.type),
      ['history', 'operation', 'operation'],
    );
  });
  it('may end within a line', async () => {
    truncateSync(file, readFileSync(file).length - 9);
    assert.equal((await read(file)).length, 2);
  });
  it('is read in pieces, whose lines may be longer than a piece', async () => {
    const long = join(scratch, 'history-1.ndjson');
    const lengths = [10, 100_000, 300_000, 20, 262_000, 1_500_000, 5];
    const lines = lengths.map((length, at) => {
      const entry = { ...operation(at + 1), answer: 'é'.repeat(length / 2) };
      return `${JSON.stringify(entry)}\n`;
    });
    for (const line of lines) appendFileSync(long, line.repeat(3));
    const entries = (await read(long)) as readonly OperationEntry[];
    assert.deepEqual(
      entries.map(({ number, answer }) => [number, answer?.length]),
      lengths.flatMap((length, at) => Array.from({ length: 3 }, () => [at + 1, Math.floor(length / 2)])),
    );
    for await (const some of historyIn(long)) {
      assert.equal(some.length > 0, true);
      break;
    }
  });
  it('has nothing else in it', async () => {
    appendFileSync(file, '\nhello\n');
    await assert.rejects(read(file), new NotHistory('line 3 is no entry of a history'));
  });
});

const metadata = { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '7', annotations: { [MARK]: 'w' } };

describe('what matters of bodies', () => {
  it('is the same for the same content, whatever the order and the words of lists', () => {
    const one = digestOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: '1', b: '2' } });
    assert.equal(digestOf({ data: { b: '2', a: '1' }, metadata }), one);
    assert.notEqual(digestOf({ data: { b: '2', a: '2' }, metadata }), one);
  });
  it('is name, uid, version, mark, and whether it is on its way out', () => {
    const object = sightOfAnswer({ kind: 'ConfigMap', metadata })?.object;
    assert.deepEqual(
      { ...object, digest: '' },
      { name: 'a', namespace: 'n', uid: 'u', version: '7', digest: '', mark: 'w' },
    );
    const leaving = { ...metadata, deletionTimestamp: 't', finalizers: ['a/b'] };
    assert.equal(sightOfAnswer({ metadata: leaving })?.object?.leaving, true);
    assert.equal(sightOfAnswer({ metadata: leaving })?.object?.gone, undefined);
    assert.equal(sightOfAnswer({ metadata: { ...leaving, finalizers: [] } })?.object?.gone, true);
    const live = sightOfAnswer({ metadata: { ...metadata, deletionTimestamp: null } })?.object;
    assert.deepEqual([live?.leaving, live?.gone], [undefined, undefined]);
  });
  it('of a list is its version, its token and its stored items', () => {
    const list = {
      metadata: { resourceVersion: '9', continue: 't' },
      items: [{ metadata }, { metadata: { name: 'b' } }],
    };
    const sight = sightOfAnswer(list);
    assert.deepEqual([sight?.version, sight?.continue, sight?.items?.length, sight?.unstored], ['9', 't', 1, 1]);
  });
  it('of a Status is what was removed, or why not', () => {
    assert.deepEqual(sightOfAnswer({ kind: 'Status', status: 'Success', details: { uid: 'u' } }), { removed: 'u' });
    const refused = { kind: 'Status', status: 'Failure', reason: 'Conflict', details: { uid: 'u' } };
    assert.deepEqual(sightOfAnswer(refused), { reason: 'Conflict' });
  });
  it('of a request is its condition', () => {
    assert.deepEqual(sightOfSent({ metadata: { name: 'a', resourceVersion: '7' } }), { name: 'a', version: '7' });
  });
  it('of a bookmark is its version, and whether it ends a streamed list', () => {
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    const sight = sightOfEvent({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '8', annotations } } });
    assert.deepEqual(sight, { type: 'BOOKMARK', version: '8', initialEnd: true });
  });
});

const audited = (verb: string, more: object = {}) => ({
  kind: 'Event',
  apiVersion: 'audit.k8s.io/v1',
  stage: 'ResponseComplete',
  requestURI: '/api/v1/namespaces/n/configmaps/a',
  verb,
  user: { username: 'jane' },
  requestReceivedTimestamp: '2026-01-01T00:00:00.000250Z',
  stageTimestamp: '2026-01-01T00:00:00.002750Z',
  responseStatus: { code: 200 },
  responseObject: { kind: 'ConfigMap', metadata },
  ...more,
});

describe('an audit log', () => {
  it('is operations, in parts of milliseconds', () => {
    const event: unknown = audited('get');
    assert.ok(isAuditEvent(event));
    const { client, start, end = 0, method, status, seen } = new AuditLog().operation(event) ?? assert.fail();
    assert.deepEqual([client, start, method, status, seen?.object?.version], ['jane', 0, 'GET', 200, '7']);
    assert.ok(Math.abs(end - 2.5) < 1e-6);
  });
  it('says nothing of what began, of watches, and of answers that were not logged', () => {
    const log = new AuditLog();
    assert.equal(log.operation(audited('get', { stage: 'RequestReceived' })), undefined);
    assert.equal(log.operation(audited('watch')), undefined);
    assert.equal(log.operation(audited('get', { responseObject: undefined }))?.seen, undefined);
    assert.deepEqual([log.watches, log.withoutAnswer], [1, 1]);
  });
});

describe('an HTTP archive', () => {
  it('is operations and the events of watches', () => {
    const entry = (url: string, text: string, status = 200) => ({
      startedDateTime: '2026-01-01T00:00:00.000Z',
      time: 5,
      request: { method: 'GET', url },
      response: { status, content: { text } },
    });
    const events = `${JSON.stringify({ type: 'ADDED', object: { metadata } })}\n`;
    const archive = {
      log: {
        entries: [
          entry('https://a/api/v1/configmaps', '{}'),
          entry('https://a/api/v1/configmaps?watch=1', events),
          entry('https://a/api/v1/configmaps', '', 0),
        ],
      },
    };
    const history = [...historyOfArchive(archiveEntries(archive) ?? [])];
    assert.deepEqual(
      history.map((each) => [each.type, 'status' in each ? each.status : undefined]),
      [
        ['operation', 200],
        ['operation', 200],
        ['event', undefined],
        ['operation', undefined],
      ],
    );
    assert.equal(archiveEntries({ a: 1 }), undefined);
  });
  it('is known by its beginning where it was cut off', () => {
    const entry = { request: { url: 'https://a/"}]\\' }, response: { content: { text: '[{' } }, timings: [{}] };
    const whole = JSON.stringify({ log: { pages: [{}, {}], entries: [entry, entry, entry] } }, null, 1);
    const ends = [...whole.matchAll(/^ {3}\}/gm)].map(({ index }) => index + 4);
    for (let to = whole.indexOf('entries'); to < whole.length; to += 1) {
      const text = whole.slice(0, to);
      const line = text.trimEnd().split('\n').length;
      assert.deepEqual(cutArchive(text), { line, entries: ends.filter((end) => end <= to).length }, text);
    }
    assert.equal(cutArchive(whole), undefined);
    assert.equal(cutArchive('{"log": {]'), undefined);
    assert.equal(cutArchive('{"entries": ['), undefined);
    assert.equal(cutArchive(`{"log": {"a": "${'x'.repeat(20_000_000)}`)?.entries, 0);
  });
});
