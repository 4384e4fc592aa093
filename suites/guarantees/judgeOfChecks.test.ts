import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HistoryEntry } from '../../history/format.ts';
import { JudgeOfChecks } from './index.ts';

const operation = (check: string, number: number): HistoryEntry => ({
  type: 'operation',
  check,
  client: 'author',
  number,
  start: 1,
  end: 2,
  method: 'GET',
  path: '/api/v1/namespaces/n/configmaps?watch=true&resourceVersion=1',
  status: 200,
});
const event = (check: string, number: number): HistoryEntry => ({
  type: 'event',
  check,
  number,
  event: '{"type":"ADDED","object":{"metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"2"}}}',
});

describe('judging the checks of a run', () => {
  it('tells checks apart, and two of one title by their numbers', () => {
    const judge = new JudgeOfChecks();
    const lines = [
      operation('a', 1),
      operation('b', 1),
      event('a', 1),
      operation('a', 1),
      event('a', 1),
      event('a', 1),
    ];
    for (const line of lines) judge.take(line);
    const twice = judge
      .findings()
      .map(({ check, operations, findings }) => [
        check,
        operations,
        findings.find(({ guarantee }) => guarantee.name === 'watch-unique')?.finding.broken,
      ]);
    assert.deepEqual(twice, [
      ['a', 1, 0],
      ['b', 1, 0],
      ['a', 1, 1],
    ]);
  });

  it('says that it cannot where versions do not rise', () => {
    const judge = new JudgeOfChecks();
    for (let number = 1; number <= 30; number += 1) {
      const version = String((number * 7_919) % 1_000);
      const object = { name: `o${number}`, namespace: 'n', uid: `u${number}`, version };
      const path = '/api/v1/namespaces/n/configmaps';
      const about = { type: 'operation', client: 'author', number, start: number * 10, end: number * 10 + 5 } as const;
      judge.take({ ...about, method: 'POST', path, sent: { name: object.name }, status: 201, seen: { object } });
    }
    const [{ findings } = { findings: [] }] = judge.findings();
    assert.match(findings[0]?.finding.bound ?? '', /do not rise from write to write/);
  });

  it('judges where clients sent what is no version, as servers may refuse it or heed it', () => {
    const judge = new JudgeOfChecks();
    const path = '/api/v1/namespaces/n/configmaps/a';
    const made = { name: 'a', namespace: 'n', uid: 'u', version: '7' };
    const next = { ...made, version: '8' };
    const asked = { type: 'operation', client: 'author', path } as const;
    const at = (number: number) => ({ ...asked, number, start: number * 10, end: number * 10 + 5 });
    const sent = { name: 'a', version: 'abc' };
    judge.take({ ...at(1), method: 'POST', path: path.slice(0, -2), sent, status: 201, seen: { object: made } });
    judge.take({ ...at(2), method: 'PUT', sent, status: 409, seen: { reason: 'Conflict' } });
    judge.take({ ...at(3), method: 'PUT', sent: { name: 'a', version: '0' }, status: 200, seen: { object: next } });
    judge.take({ ...at(4), method: 'GET', path: `${path}?resourceVersion=abc`, status: 200, seen: { object: next } });
    const [{ findings } = { findings: [] }] = judge.findings();
    assert.deepEqual(
      findings.flatMap(({ finding: { bound, broken } }) => [bound ?? '', broken]).filter((each) => each),
      [],
    );
  });

  it('says that it cannot where versions are no numbers', () => {
    const judge = new JudgeOfChecks();
    judge.take(operation('', 1));
    judge.take({ type: 'event', number: 1, seen: { type: 'BOOKMARK', version: 'a3f' } });
    const [{ findings } = { findings: [] }] = judge.findings();
    assert.match(findings[0]?.finding.bound ?? '', /"a3f" is no decimal number/);
  });
});
