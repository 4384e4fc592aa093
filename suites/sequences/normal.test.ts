import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Normalizer } from './normal.ts';

const WORDS = {
  id: 's1',
  ns: 's1-a',
  ns2: 's1-b',
  domain: 'k8s.io',
  vendor: 'kubernetes',
  label: 'kubernetes.io',
  system: 'kube-system',
  public: 'kube-public',
};

/** What a server is seen to answer to a path. */
function seen(path: string, body: object): unknown {
  const bytes = Buffer.from(JSON.stringify(body));
  const answer = { status: 200, headers: { 'content-type': 'application/json' }, bytes };
  return new Normalizer(WORDS).seen(0, 'answer', answer, path);
}

it('takes servers that differ in their addresses alone for the same', () => {
  const versions = (serverAddress: string) =>
    seen('/api', { versions: ['v1'], serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }] });
  assert.deepEqual(versions('10.0.0.1:6443'), versions('127.0.0.1:40000'));
  assert.notDeepEqual(versions('10.0.0.1:6443'), versions(''));
  const keys = (jwks_uri: string) => seen('/.well-known/openid-configuration', { issuer: 'https://a', jwks_uri });
  assert.deepEqual(keys('https://10.0.0.1:6443/openid/v1/jwks'), keys('/openid/v1/jwks'));
  assert.notDeepEqual(keys('https://10.0.0.1:6443/openid/v1/jwks'), keys('https://10.0.0.1:6443/keys'));
});

it('holds the times of an object against those that were stored, not against those of a trial', () => {
  const normal = new Normalizer(WORDS);
  const look = (what: 'answer' | 'object', second: number): unknown => {
    const deletionTimestamp = `2020-01-01T00:00:0${second}Z`;
    const bytes = Buffer.from(JSON.stringify({ metadata: { uid: 'u', deletionTimestamp } }));
    const answer = { status: 200, headers: { 'content-type': 'application/json' }, bytes };
    const { body } = normal.seen(0, what, answer, '/api/v1/namespaces/s1-a/secrets/s1-1') as {
      body: { metadata: { deletionTimestamp: string } };
    };
    return body.metadata.deletionTimestamp;
  };
  assert.equal(look('answer', 1), '<time>');
  assert.equal(look('object', 2), '<time>');
  assert.equal(look('object', 2), '<time>');
  assert.equal(look('object', 3), '<another time than before>');
  assert.equal(look('answer', 3), '<another time than before>');
});

it('takes a moment in another zone for the same, and a time of null for none', () => {
  const object = (metadata: object) => seen('/api/v1/namespaces/s1-a/secrets/s1-1', { metadata });
  const inZulu = object({ uid: 'u', creationTimestamp: '2020-01-01T00:00:01Z' });
  const more = { creationTimestamp: '2020-01-01T01:00:01+01:00', deletionTimestamp: null };
  assert.deepEqual(object({ uid: 'u', ...more }), inZulu);
});
