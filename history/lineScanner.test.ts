import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EventEntry, HistoryEntry, OperationEntry } from './format.ts';
import { LineScanner } from './lineScanner.ts';

const scanner = new LineScanner();
function scan(line: string): HistoryEntry | undefined {
  // Something stands before and behind a line in a file.
  const bytes = Buffer.from(`{}\n${line}\n{"type":"event"}`);
  return scanner.entry(bytes, 3, 3 + Buffer.byteLength(line));
}
/** What JSON.parse makes of the same line; members that are undefined are none. */
function same(line: string): void {
  assert.deepEqual(JSON.parse(JSON.stringify(scan(line))), JSON.parse(line));
}

const object = { name: 'a', namespace: 'n', uid: 'u-1', version: '12', digest: 'abc', mark: 'w 1' };
const operation: OperationEntry = {
  type: 'operation',
  check: 'A-B-01',
  client: 'c1',
  user: 'reader',
  denied: true,
  number: 3,
  start: 0.1,
  end: 123.456,
  server: 2,
  connection: 0,
  method: 'PATCH',
  path: '/api/v1/namespaces/n/configmaps/a?fieldManager=x%20y',
  contentType: 'application/json',
  sent: { name: 'a', namespace: 'n', version: '11', mark: 'w 1' },
  status: 200,
  seen: { object: { ...object, labels: { a: 'b', 'c/d': '' }, leaving: true, gone: true } },
  unread: true,
  failure: 'none {so far}',
};
const event: EventEntry = { type: 'event', number: 3, at: 607.2000000000688, seen: { type: 'ADDED', object } };

describe('lines of a history', () => {
  it('are read as JSON.parse reads them', () => {
    same(JSON.stringify(operation));
    same(JSON.stringify(event));
    for (const seen of [
      { items: [], version: '5' },
      { items: [object, { ...object, labels: {} }], version: '5', continue: 'token==', unstored: 1 },
      { reason: 'Conflict', removed: 'u-1' },
      {},
    ]) {
      same(JSON.stringify({ ...operation, seen }));
    }
    for (const seen of [
      { type: 'BOOKMARK', version: '7', initialEnd: true },
      { type: 'ERROR', code: 410, reason: 'Expired' },
    ]) {
      same(JSON.stringify({ type: 'event', check: 'x', number: 1, seen }));
    }
    same('{"type":"operation","number":0,"client":"","start":0,"method":"GET","path":"/","end":0.25}');
  });
  it('give one text for what is the same, and another for what only looks alike', () => {
    const labels = (at: string) => {
      const entry = scan(JSON.stringify({ ...event, seen: { type: 'ADDED', object: { ...object, labels: { at } } } }));
      return entry?.type === 'event' ? entry.seen?.object?.labels : undefined;
    };
    assert.equal(labels('x'), labels('x'));
    assert.notDeepEqual(labels('x'), labels('y'));
    // More texts than are remembered.
    for (let number = 0; number < 200_000; number += 1) {
      const client = `c${(number * 7919) % 100_003}`;
      const entry = scan(JSON.stringify({ ...operation, client }));
      if (entry?.type !== 'operation' || entry.client !== client) assert.fail(client);
    }
  });
  it('give one object for the same bytes, and another for any other', () => {
    const told = (changed: object) => {
      const seen = { type: 'ADDED', object: { ...object, ...changed } };
      const line = JSON.stringify({ ...event, seen });
      same(line);
      const entry = scan(line);
      return entry?.type === 'event' ? entry.seen?.object : undefined;
    };
    assert.equal(told({}), told({}));
    const changes = [
      { name: 'b' },
      { uid: 'u-2' },
      { version: '13' },
      { digest: 'abd' },
      { mark: 'w 2' },
      { gone: true },
    ];
    for (const change of changes) assert.notEqual(told(change), told({}));
    // Longer than what is kept.
    const long = { mark: 'w'.repeat(500) };
    assert.deepEqual(told(long), told(long));
    // More objects than are kept, each with two states.
    for (let number = 0; number < 40_000; number += 1) {
      const change = { uid: `u-${number % 20_011}`, version: String(number % 2) };
      const seen = { type: 'MODIFIED', object: { ...object, ...change } };
      const entry = scan(JSON.stringify({ ...event, seen }));
      if (entry?.type !== 'event') assert.fail(change.uid);
      else if (entry.seen?.object?.uid !== change.uid) assert.fail(change.uid);
      else assert.equal(entry.seen.object.version, change.version);
    }
  });
  it('read texts of any length, and leave such as are none', () => {
    for (let length = 0; length < 140; length += 1) {
      const client = 'c'.repeat(length);
      same(JSON.stringify({ ...operation, client }));
      for (const wrong of ['é', '\n', '\\']) {
        const line = JSON.stringify({ ...operation, client: client + wrong });
        assert.equal(scan(line), undefined);
      }
      same(JSON.stringify({ ...operation, client: `${client}d` }));
    }
  });
  it('of any other form are left to JSON.parse', () => {
    const plain = '{"type":"operation","client":"c","number":1,"start":1,"method":"GET","path":"/"}';
    assert.ok(scan(plain));
    for (const line of [
      '',
      '{}',
      'hello',
      '{"type":"mark","at":1,"mark":"phase","text":""}',
      JSON.stringify({ ...operation, answer: '{}' }),
      JSON.stringify({ ...operation, client: 'é' }),
      JSON.stringify({ ...operation, client: 'a"b' }),
      JSON.stringify({ ...operation, client: undefined }),
      JSON.stringify({ ...operation, number: '1' }),
      JSON.stringify({ ...event, seen: { object } }),
      JSON.stringify({ ...event, seen: { type: 'ADDED', object: { ...object, uid: undefined } } }),
      JSON.stringify({ ...event, seen: { type: 'ADDED', object: { ...object, labels: { a: '}' } } } }),
      plain.slice(0, -1),
      `${plain}}`,
      `${plain} `,
      ...['-1', '1e3', '01', '.5', '1.', '1.2.3', 'true', 'null', ''].map((start) =>
        plain.replace(':1,"m', `:${start},"m`),
      ),
    ]) {
      assert.equal(scan(line), undefined, line);
    }
  });
});
