import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cluster } from '../../fixtures/dialects/cluster.ts';
import { kubernetes } from '../../fixtures/dialects/kubernetes.ts';
import { ContentFault } from '../ports/files.ts';
import { readEncryptionConfig } from './encryptionConfig.ts';

const SECRET = Buffer.alloc(32, 7).toString('base64');
const KEYS = { keys: [{ name: 'k1', secret: SECRET }] };
const config = (rules: unknown[], rest: object = {}) =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: rules,
    ...rest,
  });
const rule = (resources: unknown, providers: unknown = [{ identity: {} }]) => ({ resources, providers });

function faultOf(text: string): string {
  try {
    readEncryptionConfig(text, kubernetes);
  } catch (error) {
    assert.ok(error instanceof ContentFault);
    assert.ok(!error.message.includes(SECRET));
    return error.message;
  }
  assert.fail('the configuration was taken');
}

describe('EncryptionConfiguration', () => {
  it('is read with its rules in order', () => {
    const yaml = `
apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
  - resources: [secrets, deployments.apps, '*.batch']
    providers:
      - aesgcm: { keys: [{ name: new, secret: ${SECRET} }, { name: old, secret: ${Buffer.alloc(16).toString('base64')} }] }
      - secretbox: { keys: [{ name: box, secret: ${SECRET} }] }
      - identity: {}
  - resources: ['*.']
    providers: [{ aescbc: { keys: [{ name: cbc, secret: ${Buffer.alloc(24).toString('base64')} }] } }]
`;
    const [first, second] = readEncryptionConfig(yaml, kubernetes);
    assert.deepEqual(first?.resources, [
      { group: '', resource: 'secrets' },
      { group: 'apps', resource: 'deployments' },
      { group: 'batch', resource: '*' },
    ]);
    assert.deepEqual(
      first?.providers.map((one) => [one.kind, 'keys' in one ? one.keys.map(({ name }) => name) : []]),
      [
        ['aesgcm', ['new', 'old']],
        ['secretbox', ['box']],
        ['identity', []],
      ],
    );
    assert.deepEqual(second?.resources, [{ group: '', resource: '*' }]);
  });
  it('names its group as the dialect does', () => {
    const text = config([rule(['secrets'])]).replace('k8s.io', cluster.apiDomain);
    assert.equal(readEncryptionConfig(text, cluster).length, 1);
    assert.match(faultOf(text), /^apiVersion: /);
  });
  const keys = (provider: string, ...list: unknown[]) => [rule(['secrets'], [{ [provider]: { keys: list } }])];
  const providers = (...list: unknown[]) => [rule(['secrets'], list)];
  const CASES: readonly [string, string, RegExp][] = [
    ['another kind', config([rule(['secrets'])], { kind: 'Encryption' }), /^kind: /],
    ['an unknown field', config([rule(['secrets'])], { extra: 1 }), /^extra: there is no such field/],
    ['no resources', config([]), /^resources: at least one/],
    ['no names', config([rule([])]), /^resources\[0\]\.resources: at least one/],
    ['no providers', config([rule(['secrets'], [])]), /^resources\[0\]\.providers: at least one/],
    ['capitals', config([rule(['Secrets'])]), /^resources\[0\]\.resources\[0\]: "Secrets": there are no capital/],
    ['a bare star', config([rule(['*'])]), /resources\[0\]: "\*": use '\*\.'/],
    ['what is not served', config([rule(['serviceipallocations'])]), /what is not served/],
    ['events of their group', config([rule(['events.events.k8s.io'])]), /use 'events'/],
    ['extensions', config([rule(['ingresses.extensions'])]), /'extensions' is gone/],
    ['one across groups', config([rule(['secrets.*'])]), /across groups/],
    ['a duplicate', config([rule(['secrets', 'secrets'])]), /^resources\[0\]\.resources: .* twice/],
    ['an overlap in a group', config([rule(['secrets', '*.'])]), /^resources\[0\]\.resources: .* overlap/],
    ['an overlap with all', config([rule(['deployments.apps', '*.*'])]), /overlap/],
    ['an empty provider', config(providers({})), /^resources\[0\]\.providers\[0\]: one of kms, /],
    ['two in one', config(providers({ identity: {}, aesgcm: KEYS })), /aesgcm and identity must be elements/],
    ['no keys', config(keys('aesgcm')), /^resources\[0\]\.providers\[0\]\.aesgcm\.keys: at least one key/],
    ['no name', config(keys('aescbc', { secret: SECRET })), /aescbc\.keys\[0\]\.name: a name is needed/],
    ['no secret', config(keys('aescbc', { name: 'a' })), /aescbc\.keys\[0\]\.secret: a secret is needed/],
    ['no base64', config(keys('aesgcm', { name: 'a', secret: 'a?b' })), /keys\[0\]\.secret: it must be base64/],
    ['a short secret', config(keys('aesgcm', { name: 'a', secret: 'YWJj' })), /it has 3 bytes, expected is one of 16/],
    [
      'a secretbox of AES size',
      config(keys('secretbox', { name: 'a', secret: Buffer.alloc(16).toString('base64') })),
      /secretbox\.keys\[0\]\.secret: it has 16 bytes, expected is 32/,
    ],
    [
      'a key service without endpoint',
      config(providers({ kms: { name: 'k' } })),
      /kms\.endpoint: an endpoint is needed/,
    ],
    [
      'a key service over the network',
      config(providers({ kms: { name: 'k', endpoint: 'https://h' } })),
      /kms\.endpoint: only the scheme unix/,
    ],
    [
      'a key service of an unknown version',
      config(providers({ kms: { apiVersion: 'v3', name: 'k', endpoint: 'unix:///s' } })),
      /kms\.apiVersion: one of v1, v2/,
    ],
    [
      'a key service with a colon',
      config(providers({ kms: { apiVersion: 'v2', name: 'a:b', endpoint: 'unix:///s' } })),
      /kms\.name: it must not hold a colon/,
    ],
    [
      'a key service that never waits',
      config(providers({ kms: { name: 'k', endpoint: 'unix:///s', timeout: '0s' } })),
      /kms\.timeout: /,
    ],
    [
      'a good key service, which this server does not reach',
      config(providers({ kms: { apiVersion: 'v2', name: 'k', endpoint: 'unix:///s' } })),
      /^resources\[0\]\.providers\[0\]\.kms: this server does not reach/,
    ],
  ];
  for (const [name, text, fault] of CASES) {
    it(`is refused with ${name}`, () => assert.match(faultOf(text), fault));
  }
  it('names every fault at once', () => {
    const text = config([rule(['Secrets'], [{}])]);
    assert.equal(faultOf(text).split('; ').length, 2);
  });
});
