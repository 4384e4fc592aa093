import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExchangeRecorded } from '../reports/events.ts';
import { startEmbedded } from './embeddedSide.ts';
import { sequenceOf } from './fromCheck.ts';
import { Pair } from './investigate.ts';

const PATH = '/api/v1/namespaces/touchstone-run-check/configmaps';
const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

function exchange(number: number, method: string, path: string, body?: object, answer: object = {}): ExchangeRecorded {
  const headers = {
    authorization: '<redacted>',
    accept: 'application/json',
    ...(body ? { 'content-type': 'application/json' } : {}),
  };
  const text = JSON.stringify(answer);
  return {
    type: 'exchange',
    check: 'c',
    variant: '',
    number,
    actor: 'author',
    words: '',
    phase: 'check',
    at: number,
    took: 1,
    request: { method, path, headers, ...(body ? { body: JSON.stringify(body) } : {}) },
    response: { status: 200, headers: {}, body: text, size: text.length },
  };
}
const STORY = [
  exchange(1, 'POST', '/api/v1/namespaces', { metadata: { name: 'touchstone-run-check' } }),
  exchange(2, 'GET', PATH),
  exchange(3, 'POST', PATH, map, { ...map, metadata: { name: 'a', uid: 'u-1', resourceVersion: '1234' } }),
  exchange(4, 'GET', `${PATH}/a`),
  exchange(5, 'PUT', `${PATH}/a`, { ...map, metadata: { name: 'a', resourceVersion: '1234' }, data: { x: '1' } }),
  exchange(6, 'GET', `${PATH}/a`),
];

test('the requests of a check become a sequence, with references in place of what a server told', () => {
  const steps = sequenceOf(STORY);
  assert.deepEqual(
    steps.map(({ method, path }) => `${method} ${path}`),
    [
      'GET /api/v1/namespaces/{ns}/configmaps',
      'POST /api/v1/namespaces/{ns}/configmaps',
      'GET /api/v1/namespaces/{ns}/configmaps/a',
      'PUT /api/v1/namespaces/{ns}/configmaps/a',
      'GET /api/v1/namespaces/{ns}/configmaps/a',
    ],
  );
  assert.match(JSON.stringify(steps[3]?.body), /"resourceVersion":"<<s3\.metadata\.resourceVersion>>"/);
});

test('a check that fails on one server alone is cut to the requests that matter', async () => {
  const [sound, broken] = [await startEmbedded('reference'), await startEmbedded('reference:mutant=put-says-created')];
  try {
    const finding = await new Pair(sound, broken, { wording: false }).shorten('check', sequenceOf(STORY));
    assert.deepEqual(
      finding?.steps.map(({ method }) => method),
      ['POST', 'PUT'],
    );
    assert.equal(finding?.difference.path, 'status');
  } finally {
    await sound.close();
    await broken.close();
  }
});
