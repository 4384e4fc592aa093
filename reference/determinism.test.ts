import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from './options/loadOptions.ts';
import { createReference } from './reference.ts';
import { collect, type InProcessRequest, inProcessRequest } from './transport/inProcess.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const json = (method: string, target: string, body: unknown): InProcessRequest => ({
  method,
  target,
  headers: { 'content-type': 'application/json', 'user-agent': 'determinism/1' },
  body: JSON.stringify(body),
});
const configMap = (metadata: object, data = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });

/** Everything that could differ: generated names, uids, times, versions, tokens, errors, deletion. */
const SCRIPT: readonly (InProcessRequest | number)[] = [
  { target: '/version' },
  { target: '/apis' },
  json('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'n-' } }),
  json('POST', `${NAMESPACE}/configmaps`, configMap({ generateName: 'c-', labels: { a: 'b' } }, { k: 'v' })),
  json('POST', `${NAMESPACE}/configmaps`, configMap({ generateName: 'c-' })),
  json('POST', `${NAMESPACE}/configmaps`, configMap({ name: 'fixed', finalizers: ['example.com/hold'] })),
  1_500,
  {
    method: 'PATCH',
    target: `${NAMESPACE}/configmaps/fixed?fieldManager=one`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: JSON.stringify(configMap({ name: 'fixed' }, { applied: 'yes' })),
  },
  { target: `${NAMESPACE}/configmaps?limit=2` },
  { target: '/apis/rbac.authorization.k8s.io/v1/clusterroles' },
  { target: '/api/v1/secrets?labelSelector=((' },
  json('POST', `${NAMESPACE}/serviceaccounts/default/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 600 },
  }),
  { method: 'DELETE', target: `${NAMESPACE}/configmaps/fixed` },
  60_000,
  { target: `${NAMESPACE}/configmaps/fixed` },
  { target: '/readyz?verbose' },
];

async function play(seed: number): Promise<string[]> {
  const loaded = readOptions([`--seed=${seed}`, '--clock=virtual', '--authorization-mode=AlwaysAllow']);
  assert.ok(!('errors' in loaded), JSON.stringify(loaded));
  const authentication = { ...loaded.options.authentication, anonymous: { enabled: true, paths: undefined } };
  const reference = await createReference({ ...loaded.options, authentication });
  const heard: string[] = [];
  const watch = await reference.handler(
    inProcessRequest({
      target:
        '/api/v1/configmaps?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
    }),
  );
  assert.equal(watch.kind, 'stream');
  const stream = watch.kind === 'stream' ? collect(watch) : undefined;
  for (const step of SCRIPT) {
    if (typeof step === 'number') {
      reference.advance(step);
      continue;
    }
    const reply = await reference.handler(inProcessRequest(step));
    if (reply.kind === 'whole') {
      heard.push(`${reply.code} ${JSON.stringify(reply.headers)}\n${Buffer.from(reply.body).toString('utf8')}`);
    }
  }
  heard.push(stream?.text() ?? '');
  stream?.stop();
  await reference.close();
  return heard;
}

test('the same seed and the same requests give the same bytes, the watch stream included', async () => {
  const first = await play(7);
  const second = await play(7);
  assert.deepEqual(second, first);
  assert.match(first.at(-1) ?? '', /"type":"BOOKMARK"[\s\S]*"type":"ADDED"[\s\S]*"type":"MODIFIED"/);
});

test('another seed gives other names, uids and keys', async () => {
  const first = await play(7);
  const other = await play(8);
  assert.equal(other.length, first.length);
  // What was asked first has no uid but those of its headers.
  const withoutUids = (heard: string | undefined) =>
    heard?.replace(/"[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}"/g, '"uid"');
  assert.equal(withoutUids(other[0]), withoutUids(first[0]));
  assert.notDeepEqual(other, first);
});
