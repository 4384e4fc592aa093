import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../api/json.ts';
import { delegate } from '../contracts/store.ts';
import { readOptions } from '../options/loadOptions.ts';
import { createReference } from '../reference.ts';
import type { Seams } from '../seams.ts';
import { inProcessRequest } from '../transport/inProcess.ts';

const FLOWCONTROL = '/apis/flowcontrol.apiserver.k8s.io/v1';
const FILES = { read: () => 'root,root,r,system:masters\nada,ada,a,\n' };

/** A server whose store holds back reads of config maps until they are let go. */
async function slowReference(...flags: string[]) {
  const loaded = readOptions(
    ['--clock=virtual', '--seed=1', '--authorization-mode=AlwaysAllow', '--token-auth-file=tokens.csv', ...flags],
    FILES,
  );
  assert.ok(!('errors' in loaded), JSON.stringify(loaded));
  const held: (() => void)[] = [];
  const store: Seams['store'] = (inner) => ({
    ...delegate(inner),
    range: async (query) => {
      if (query.prefix.includes('/configmaps/default')) await new Promise<void>((resolve) => held.push(resolve));
      return inner.range(query);
    },
  });
  const reference = await createReference(loaded.options, { seams: { store } });
  const ask = async (who: string, target: string, method = 'GET', body?: JsonObject) => {
    const reply = await reference.handler(
      inProcessRequest({
        method,
        target,
        headers: { authorization: `Bearer ${who}`, 'content-type': 'application/json' },
        ...(body ? { body: Buffer.from(JSON.stringify(body)) } : {}),
      }),
    );
    assert.equal(reply.kind, 'whole');
    return { ...reply, text: reply.kind === 'whole' ? Buffer.from(reply.body).toString() : '' };
  };
  return { reference, held, ask };
}

/** Lets what is under way come as far as it can. */
const settle = () => new Promise((resolve) => setImmediate(resolve));
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';

test('by two numbers, what comes beyond them is a 429 that says when to come again', async () => {
  const { reference, held, ask } = await slowReference(
    '--enable-priority-and-fairness=false',
    '--max-requests-inflight=1',
    '--max-mutating-requests-inflight=1',
  );
  const slow = ask('ada', CONFIG_MAPS);
  await settle();
  const refused = await ask('ada', PODS);
  assert.equal(refused.code, 429);
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal(JSON.parse(refused.text).reason, 'TooManyRequests');
  assert.equal((await ask('root', PODS)).code, 200);
  assert.equal((await ask('ada', CONFIG_MAPS, 'POST', { metadata: { name: 'a' } })).code, 201);
  for (const go of held) go();
  assert.equal((await slow).code, 200);
  assert.equal((await ask('ada', PODS)).code, 200);
  assert.deepEqual(JSON.parse((await ask('root', `${FLOWCONTROL}/flowschemas`)).text).items, []);
  await reference.close();
});

test('by priority levels, a stored schema sorts and a stored level limits', async () => {
  const { reference, held, ask } = await slowReference(
    '--max-requests-inflight=50',
    '--max-mutating-requests-inflight=0',
  );
  const limited = { nominalConcurrencyShares: 0, borrowingLimitPercent: 0, limitResponse: { type: 'Reject' } };
  const level = { metadata: { name: 'narrow' }, spec: { type: 'Limited', limited } };
  const rules = [
    {
      subjects: [{ kind: 'User', user: { name: 'ada' } }],
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] }],
    },
  ];
  const spec = { priorityLevelConfiguration: { name: 'narrow' }, matchingPrecedence: 50, rules };
  const schema = await ask('root', `${FLOWCONTROL}/flowschemas`, 'POST', { metadata: { name: 'ada' }, spec });
  assert.equal(schema.code, 201, schema.text);
  await settle();
  const dangling = async () => {
    await settle();
    const { status } = JSON.parse((await ask('root', `${FLOWCONTROL}/flowschemas/ada`)).text);
    return status.conditions.map((one: JsonObject) => `${one.type} ${one.status} ${one.reason}`);
  };
  assert.deepEqual(await dangling(), ['Dangling True NotFound']);
  const made = await ask('root', `${FLOWCONTROL}/prioritylevelconfigurations`, 'POST', level);
  assert.equal(made.code, 201, made.text);
  assert.deepEqual(await dangling(), ['Dangling False Found']);
  const slow = ask('ada', CONFIG_MAPS);
  await settle();
  const refused = await ask('ada', PODS);
  assert.equal(refused.code, 429);
  assert.equal(refused.headers['x-kubernetes-pf-flowschema-uid'], undefined);
  for (const go of held) go();
  const { headers } = await slow;
  assert.equal(headers['x-kubernetes-pf-flowschema-uid'], JSON.parse(schema.text).metadata.uid);
  assert.equal(headers['x-kubernetes-pf-prioritylevel-uid'], JSON.parse(made.text).metadata.uid);
  const { text } = await ask('root', '/metrics');
  const flow = '{flow_schema="ada",priority_level="narrow"';
  assert.ok(text.includes(`apiserver_flowcontrol_dispatched_requests_total${flow}} 1\n`), text);
  assert.ok(text.includes(`apiserver_flowcontrol_rejected_requests_total${flow},reason="concurrency-limit"} 1\n`));
  const fork = await reference.fork();
  const forkAsks = async (target: string, method = 'GET') =>
    fork.handler(inProcessRequest({ method, target, headers: { authorization: 'Bearer ada' } }));
  assert.equal((await forkAsks(PODS)).headers['x-kubernetes-pf-flowschema-uid'], JSON.parse(schema.text).metadata.uid);
  await ask('root', `${FLOWCONTROL}/flowschemas/ada`, 'DELETE');
  const sortedAs = (await ask('ada', PODS)).headers['x-kubernetes-pf-flowschema-uid'];
  assert.notEqual(sortedAs, JSON.parse(schema.text).metadata.uid);
  assert.equal((await forkAsks(PODS)).headers['x-kubernetes-pf-flowschema-uid'], JSON.parse(schema.text).metadata.uid);
  await fork.close();
  await reference.close();
});

test('the mandatory objects come back as they were, the others are whoever takes care of them', async () => {
  const { reference, ask } = await slowReference();
  const read = async (name: string) => JSON.parse((await ask('root', `${FLOWCONTROL}/${name}`)).text);
  const before = await read('flowschemas/catch-all');
  assert.equal((await ask('root', `${FLOWCONTROL}/flowschemas/catch-all`, 'DELETE')).code, 200);
  await settle();
  const after = await read('flowschemas/catch-all');
  assert.deepEqual(after.spec, before.spec);
  assert.notEqual(after.metadata.uid, before.metadata.uid);
  const lent = { ...before, spec: { ...before.spec, matchingPrecedence: 9000 }, metadata: { name: 'catch-all' } };
  assert.equal((await ask('root', `${FLOWCONTROL}/flowschemas/catch-all`, 'PUT', lent)).code, 200);
  await settle();
  assert.equal((await read('flowschemas/catch-all')).spec.matchingPrecedence, 10_000);
  const system = await read('prioritylevelconfigurations/system');
  system.spec.limited.nominalConcurrencyShares = 7;
  assert.equal((await ask('root', `${FLOWCONTROL}/prioritylevelconfigurations/system`, 'PUT', system)).code, 200);
  await settle();
  assert.equal((await read('prioritylevelconfigurations/system')).spec.limited.nominalConcurrencyShares, 7);
  await reference.close();
});
