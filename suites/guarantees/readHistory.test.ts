import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NotHistory } from '../../history/reader.ts';
import { readHistory } from './readHistory.ts';

const operation = (check: string, number: number, path = '/api/v1/namespaces/n/configmaps?watch=true') =>
  JSON.stringify({
    type: 'operation',
    check,
    client: 'author',
    number,
    start: 1,
    end: 2,
    method: 'GET',
    path,
    status: 200,
  });
const event = (check: string, number: number) =>
  JSON.stringify({ type: 'event', check, number, event: '{"type":"ADDED","object":{"metadata":{"uid":"u"}}}' });

describe('reading the history of a run', () => {
  it('tells checks apart, and two of one title by their numbers', () => {
    const lines = [
      operation('a', 1),
      operation('b', 1),
      event('a', 1),
      operation('a', 1),
      event('a', 1),
      event('a', 1),
    ];
    const read = readHistory(`${lines.join('\n')}\n`);
    const events = read.map(({ check, history }) => [check, history.streams[0]?.events.length]);
    assert.deepEqual(events, [
      ['a', 1],
      ['b', 0],
      ['a', 2],
    ]);
  });

  it('understands paths and queries', () => {
    const path = '/apis/apps/v1/namespaces/n/deployments/d/status?dryRun=All';
    const [one] = readHistory(operation('a', 1, path));
    const expected = { type: 'apps/v1/deployments', namespace: 'n', name: 'd', subresource: 'status' };
    assert.deepEqual(one?.history.operations[0]?.scope, expected);
    assert.equal(one?.history.operations[0]?.query.get('dryRun'), 'All');
  });

  it('names the line that is none', () => {
    assert.throws(
      () => readHistory(`${operation('a', 1)}\nhello\n`),
      new NotHistory('line 2 is no entry of a history'),
    );
    assert.throws(() => readHistory('{"type":"operation"}\n'), NotHistory);
    assert.throws(() => readHistory('hello'), NotHistory);
  });

  it('leaves out a last line that was cut off', () => {
    const lines = `${operation('a', 1)}\n${operation('a', 2)}\n`;
    assert.equal(readHistory(lines.slice(0, -5))[0]?.history.operations.length, 1);
  });
});
