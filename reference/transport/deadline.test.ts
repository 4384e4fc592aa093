import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from '../api/query.ts';
import { readOptions } from '../options/loadOptions.ts';
import { createReference } from '../reference.ts';
import { VirtualClock } from '../time.ts';
import { timeLimit, withinLimit } from './deadline.ts';
import { collect, inProcessRequest } from './inProcess.ts';
import { requestInfo } from './requestInfo.ts';

const MOST = 60_000;
const limitOf = (target: string, most = MOST) => {
  const [path = '', search = ''] = target.split('?');
  const query = parseQuery(search);
  return timeLimit(requestInfo('GET', path, query, 'spec'), query, most);
};

/** The parameter, and milliseconds; undefined: refused. */
const TIMES: readonly (readonly [string, number | undefined])[] = [
  ['', MOST],
  ['0', MOST],
  ['0s', MOST],
  ['-5s', MOST],
  ['1s', 1_000],
  ['%2B1.5s', 1_500],
  ['250ms', 250],
  ['59s999ms', 59_999],
  ['1m', MOST],
  ['1m1s', MOST],
  ['100h', MOST],
  ['5', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['1s%20', undefined],
  ['1x', undefined],
  ['s', undefined],
  ['-', undefined],
  ['NaN', undefined],
  ['1e3s', undefined],
  ['9999999h', undefined],
];
const ENDED = [
  '/api/v1/pods',
  '/api/v1/namespaces/n/pods/p',
  '/version',
  '/apis',
  '/healthz',
  '/api/v1/pods?watch=false',
];
const STREAMS = ['/api/v1/pods?watch=true', '/api/v1/watch/pods', '/api/v1/namespaces/n/pods/p/log'];

test('a request ends when its parameter says, at the latest when the server does', () => {
  for (const path of ENDED) {
    assert.equal(limitOf(path), MOST, path);
    for (const [text, milliseconds] of TIMES) {
      const target = `${path}${path.includes('?') ? '&' : '?'}timeout=${text}`;
      if (milliseconds === undefined) assert.throws(() => limitOf(target), { code: 400, reason: 'BadRequest' }, target);
      else assert.equal(limitOf(target), milliseconds, target);
    }
  }
  assert.equal(limitOf('/version', 0), undefined);
  assert.equal(limitOf('/version?timeout=90s', 0), 90_000);
});

test('streams last, whatever stands there', () => {
  for (const path of STREAMS)
    for (const text of ['1s', 'soon'])
      assert.equal(limitOf(`${path}${path.includes('?') ? '&' : '?'}timeout=${text}`), undefined, path);
});

test('what takes longer is a 504', async () => {
  const clock = new VirtualClock();
  const late = withinLimit(new Promise(() => {}), 1_000, clock);
  clock.advance(999);
  clock.advance(1);
  await assert.rejects(late, { code: 504, reason: 'Timeout' });
  assert.equal(await withinLimit(Promise.resolve('in time'), 1_000, clock), 'in time');
  await assert.rejects(withinLimit(Promise.reject(new Error('why')), 1_000, clock), /why/);
});

test('a malformed time is refused before it is asked who this is', async () => {
  const loaded = readOptions(['--clock=virtual', '--anonymous-auth=false']);
  assert.ok(!('errors' in loaded), JSON.stringify(loaded));
  const reference = await createReference(loaded.options);
  const code = async (target: string) => {
    const reply = await reference.handler(inProcessRequest({ target }));
    if (reply.kind === 'stream') await collect(reply);
    return reply.code;
  };
  assert.equal(await code('/version?timeout=soon'), 400);
  assert.equal(await code('/api/v1/pods?timeout=5'), 400);
  assert.equal(await code('/version?timeout=5s'), 401);
  await reference.close();
});
