import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { readOptions } from '../options/loadOptions.ts';
import { createReference } from '../reference.ts';
import { inProcessRequest } from '../transport/inProcess.ts';

const HOUR = 3_600_000;
const FILES = { read: () => 'root,root,r\n' };
const EVENTS = '/api/v1/namespaces/default/events';
const event = (name: string): JsonObject => ({
  metadata: { name, finalizers: ['example.com/hold'] },
  involvedObject: { namespace: 'default' },
});

async function serverWith(...flags: string[]) {
  const loaded = readOptions(
    ['--clock=virtual', '--authorization-mode=AlwaysAllow', '--token-auth-file=tokens.csv', ...flags],
    FILES,
  );
  assert.ok(!('errors' in loaded), JSON.stringify(loaded));
  const reference = await createReference(loaded.options);
  const ask = async (method: string, target: string, body?: JsonObject) => {
    const headers = {
      authorization: 'Bearer root',
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    };
    const reply = await reference.handler(
      inProcessRequest({ method, target, headers, ...(body ? { body: JSON.stringify(body) } : {}) }),
    );
    return reply.code;
  };
  const advance = async (milliseconds: number) => {
    reference.advance(milliseconds);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { reference, ask, advance };
}

test('an event goes its time after it was last written, whatever holds it', async () => {
  const { reference, ask, advance } = await serverWith();
  for (const name of ['still', 'touched']) assert.equal(await ask('POST', EVENTS, event(name)), 201);
  await advance(HOUR / 2);
  assert.equal(await ask('PATCH', `${EVENTS}/touched`, { message: 'again' }), 200);
  await advance(HOUR / 2 - 1_000);
  assert.equal(await ask('GET', `${EVENTS}/still`), 200);
  await advance(1_000);
  assert.equal(await ask('GET', `${EVENTS}/still`), 404);
  assert.equal(await ask('GET', `/apis/events.k8s.io/v1/namespaces/default/events/touched`), 200);
  await advance(HOUR / 2);
  assert.equal(await ask('GET', `${EVENTS}/touched`), 404);
  await reference.close();
});

test('the time is that of the flag, and other objects stay', async () => {
  const { reference, ask, advance } = await serverWith('--event-ttl=10s');
  await ask('POST', EVENTS, event('a'));
  await ask('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
  const fork = await reference.fork();
  await advance(10_000);
  assert.equal(await ask('GET', `${EVENTS}/a`), 404);
  assert.equal((await fork.image()).entries.length - (await reference.image()).entries.length, 1);
  fork.advance(10_000);
  await fork.settled();
  assert.equal((await fork.image()).entries.length, (await reference.image()).entries.length);
  await fork.close();
  assert.equal(await ask('GET', '/api/v1/namespaces/default/configmaps/a'), 200);
  await reference.close();
});
