import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SeenDifference } from './compare.ts';
import { decidedBy } from './deciding.ts';
import type { Step } from './step.ts';

const PATH = '/api/v1/namespaces/{0}/configmaps';
const create: Step = { as: 'admin', method: 'POST', path: PATH, body: { metadata: { name: 'a' }, data: { k: 'v' } } };
const read: Step = { as: 'admin', method: 'GET', path: `${PATH}/a` };

function decided(step: Step, path: string, what: SeenDifference['what'] = 'answer') {
  return decidedBy({ step, difference: { step: 0, what, path, first: 'a', second: 'b', wording: false } });
}

test('content that a client wrote is kept: in what a write states, and in what is read', () => {
  assert.equal(decided(create, 'data.k'), 'STORE-PERSIST-01');
  assert.equal(decided(read, 'data.k'), 'STORE-PERSIST-01');
  assert.equal(decided(read, 'items.0.spec.replicas', 'collection'), 'STORE-PERSIST-01');
});

test('no statement decides what no client wrote', () => {
  assert.equal(decided(create, 'data.other'), undefined);
  assert.equal(decided(create, 'spec.defaulted'), undefined);
  assert.equal(decided(create, 'header x-other'), undefined);
  assert.equal(decided(read, 'status.phase'), undefined);
  assert.equal(decided(read, 'body'), undefined);
});

test('what a request asks for decides before what it is about', () => {
  const dry = { ...create, path: `${PATH}?dryRun=All` };
  assert.equal(decided(dry, 'data.k'), 'DRYRUN-VALUE-01');
  assert.equal(decided(create, 'metadata.uid'), 'META-UID-01');
});
