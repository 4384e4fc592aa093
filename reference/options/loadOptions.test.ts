import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import { NEWEST_RELEASE } from '../../fixtures/releases/lifecycles.ts';
import { OPTIONAL_CONTROLLERS } from '../contracts/serverOptions.ts';
import { FileFault, type Files } from '../ports/files.ts';
import { createAuthority, exportAuthority } from '../transport/certificates.ts';
import { readOptions } from './loadOptions.ts';

function filesOf(texts: Record<string, string>): Files {
  return {
    read(path) {
      const text = texts[path];
      if (text === undefined) throw new FileFault(`${path}: there is no such file`);
      return text;
    },
  };
}
function good(argv: string[], texts: Record<string, string> = {}) {
  const loaded = readOptions(argv, filesOf(texts));
  assert.ok('options' in loaded, JSON.stringify(loaded));
  return loaded;
}
function bad(argv: string[], texts: Record<string, string> = {}): readonly string[] {
  const loaded = readOptions(argv, filesOf(texts));
  assert.ok('errors' in loaded, 'accepted though it should not be');
  return loaded.errors;
}

test('without flags it is a server of release 1.32 on loopback, with Node and RBAC', () => {
  const { options, notes } = good([]);
  assert.deepEqual(options.release, { major: 1, minor: 32 });
  assert.equal(options.serving.bindAddress, '127.0.0.1');
  assert.deepEqual(
    options.authorization.authorizers.map((one) => one.type),
    ['Node', 'RBAC'],
  );
  assert.deepEqual(options.authentication.audiences, ['https://kubernetes.default.svc']);
  assert.equal(options.authentication.anonymous.enabled, true);
  assert.deepEqual(notes, []);
});

test('a value stands behind the name or behind an equals sign; a bare truth value is true', () => {
  const { options } = good(['--secure-port', '0', '--enable-bootstrap-token-auth', '--anonymous-auth=false']);
  assert.equal(options.serving.securePort, 0);
  assert.equal(options.authentication.bootstrapTokens, true);
  assert.equal(options.authentication.anonymous.enabled, false);
});

test('flags that mean nothing here are named in one line', () => {
  const { notes } = good(['--profiling=false', '--service-cluster-ip-range', '10.0.0.0/24']);
  assert.deepEqual(notes, ['accepted without effect here: --profiling --service-cluster-ip-range']);
});

test('every error is told at once, and a typo gets a suggestion', () => {
  const errors = bad(['--tokn-auth-file=x', '--secure-port=many', 'word', '--follow=both']);
  assert.equal(errors.length, 4);
  assert.match(errors[0] ?? '', /did you mean --token-auth-file/);
  assert.match(errors[3] ?? '', /one of spec, service/);
});

test('authorization modes: known, once each, ABAC with its file and only then', () => {
  for (const argv of [
    ['--authorization-mode=rbac'],
    ['--authorization-mode=RBAC,Node,RBAC'],
    ['--authorization-mode=ABAC'],
    ['--authorization-mode=RBAC', '--authorization-policy-file=p'],
    ['--authorization-mode='],
  ]) {
    assert.equal(bad(argv, { p: '' }).length, 1, argv.join(' '));
  }
});

test('an ABAC policy is refused for a line that is no policy', () => {
  const line = '{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"a"}}';
  const argv = ['--authorization-mode=ABAC', '--authorization-policy-file=p'];
  good(argv, { p: `# comment\n\n${line}\n{"user":"old"}\n` });
  assert.match(bad(argv, { p: `${line}\n{"user":` })[0] ?? '', /line 2/);
  assert.match(bad(argv, { p: line.replace('"Policy"', '"Rule"') })[0] ?? '', /kind Rule/);
});

test('static tokens: quotes, groups, later rows win, empty tokens are passed over', () => {
  const csv = 'a,one,u1\nb,"q ""x""",u2,"g1,g2",more\na,two,u3,""\n,none,u4\n\n';
  const { options, notes } = good(['--token-auth-file=t'], { t: csv });
  assert.deepEqual(options.authentication.staticTokens, [
    { token: 'a', username: 'two', uid: 'u3', groups: [''] },
    { token: 'b', username: 'q "x"', uid: 'u2', groups: ['g1', 'g2'] },
  ]);
  assert.equal(notes.length, 2);
  assert.match(bad(['--token-auth-file=t'], { t: 'a,b' })[0] ?? '', /2 columns/);
  assert.match(bad(['--token-auth-file=t'], { t: 'a,b,c,"d' })[0] ?? '', /never closed/);
});

test('no token ever stands in an error or a note', () => {
  const csv = 'secret-token-1,a,b\nsecret-token-1,a,b\n';
  const { notes } = good(['--token-auth-file=t'], { t: csv });
  const errors = bad(['--token-auth-file=t'], { t: 'secret-token-2,b\n' });
  assert.doesNotMatch([...notes, ...errors].join(), /secret-token/);
});

test('feature gates: unknown, malformed and locked ones are refused; one needs another', () => {
  assert.match(bad(['--feature-gates=Nope=true'])[0] ?? '', /unknown gate/);
  assert.match(bad(['--feature-gates=CBORServingAndStorage=maybe'])[0] ?? '', /neither true nor false/);
  assert.match(bad(['--feature-gates=StructuredAuthorizationConfiguration=false'])[0] ?? '', /locked/);
  assert.match(bad(['--feature-gates=AuthorizeWithSelectors=false'])[0] ?? '', /needs AuthorizeWithSelectors/);
  const { options } = good(['--feature-gates=AllAlpha=true,StorageVersionAPI=false,kube:APIResponseCompression=false']);
  assert.equal(options.features.enabled('CBORServingAndStorage'), true);
  assert.equal(options.features.enabled('StorageVersionAPI'), false);
  assert.equal(options.features.enabled('APIResponseCompression'), false);
});

test('a gate that is generally available or deprecated warns, one that was removed is refused', () => {
  const set = (release: string, gate: string) => [`--release=${release}`, `--feature-gates=${gate}`];
  const notes = (release: string, gate: string) => good(set(release, gate)).notes.join();
  assert.match(notes('1.32', 'StructuredAuthorizationConfiguration=true'), /does nothing any more/);
  assert.match(notes('1.28', 'KMSv1=false'), /KMSv1 is deprecated/);
  assert.doesNotMatch(notes('1.32', 'CBORServingAndStorage=true'), /CBOR/);
  assert.doesNotMatch(notes('1.31', 'ServerSideApply=true'), /refused/);
  const refused = bad(set('1.32', 'ServerSideApply=true'))[0] ?? '';
  assert.match(refused, /unknown gate ServerSideApply; it was removed in release 1\.32/);
});

test('a gate that nobody knows is only told of where the service is followed', () => {
  const { notes } = good(['--follow=service', '--feature-gates=Nope=true']);
  assert.match(notes.join(), /unknown gate Nope/);
});

test('the value of a required claim may hold what parts values elsewhere', () => {
  const oidc = ['--oidc-issuer-url=https://issuer.example', '--oidc-client-id=c'];
  const { options } = good([...oidc, '--oidc-required-claim=a=1,b=2', '--oidc-required-claim=c=d=e']);
  assert.deepEqual(options.authentication.jwt[0]?.requiredClaims, [
    { claim: 'a', value: '1,b=2' },
    { claim: 'c', value: 'd=e' },
  ]);
});

test('a release outside the known ones is refused', () => {
  const next = `1.${NEWEST_RELEASE + 1}`;
  for (const release of ['1.8', next, '2.0', 'soon']) assert.equal(bad([`--release=${release}`]).length, 1, release);
  for (const release of ['1.16', 'v1.20.3', `1.${NEWEST_RELEASE}`]) assert.ok(good([`--release=${release}`]));
});

test('gates stand as the release has them', () => {
  const on = (release: string) => good([`--release=${release}`]).options.features.enabled('AuthorizeWithSelectors');
  assert.deepEqual([on('1.30'), on('1.31'), on('1.32')], [false, false, true]);
});

test('the release is the one that was seen, where the service is followed and no other is asked for', () => {
  const minor = (...flags: string[]) => good(flags).options.release.minor;
  assert.deepEqual(
    [[], ['--follow=service'], ['--follow=service', '--release=1.32']].map((flags) => minor(...flags)),
    [32, 36, 32],
  );
  assert.equal(good(['--follow=service']).options.features.enabled('ConstrainedImpersonation'), true);
  assert.equal(good([]).options.features.enabled('ConstrainedImpersonation'), false);
  assert.match(bad(['--follow=service', '--feature-gates=AuthorizeWithSelectors=false'])[0] ?? '', /locked/);
});

test('runtime-config: versions, resources, wholesale keys; what is malformed is refused', () => {
  const { options } = good(['--runtime-config=api/beta=true,networking.k8s.io/v1beta1=false,apps/v1/daemonsets=false']);
  const { runtimeConfig } = options;
  assert.equal(runtimeConfig.version('storage.k8s.io', 'v1beta1'), true);
  assert.equal(runtimeConfig.version('networking.k8s.io', 'v1beta1'), false);
  assert.equal(runtimeConfig.version('apps', 'v1'), undefined);
  assert.equal(runtimeConfig.resource('apps', 'v1', 'daemonsets'), false);
  for (const value of [
    'apps/v1=maybe',
    'apps=false',
    'apps/v1/deployments/status=false',
    'v1/configmaps=false',
    'api/ga=false',
    'nosuch.example.com/v1',
    'apps/v9',
    'resource.k8s.io/v1',
  ]) {
    assert.equal(bad([`--runtime-config=${value}`]).length, 1, value);
  }
  assert.match(
    good(['--runtime-config=batch/v1beta1']).notes[0] ?? '',
    /batch\/v1beta1 is not in release 1\.32 any more/,
  );
});

test('hidden metrics come back for the release before only', () => {
  assert.deepEqual(good(['--show-hidden-metrics-for-version=1.31']).options.showHiddenMetricsFor, {
    major: 1,
    minor: 31,
  });
  for (const value of ['soon', '1.2', '1.32'])
    assert.equal(bad([`--show-hidden-metrics-for-version=${value}`]).length, 1);
});

test('keys of service account tokens: several files, the signing key when there is none', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const texts = {
    private: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    public: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    text: 'no key',
  };
  const both = good(['--service-account-key-file=public', '--service-account-key-file=private'], texts);
  assert.equal(both.options.authentication.serviceAccounts.keys.length, 2);
  const signing = good(['--service-account-signing-key-file=private'], texts);
  assert.equal(signing.options.authentication.serviceAccounts.keys.length, 1);
  assert.match(bad(['--service-account-key-file=text'], texts)[0] ?? '', /no RSA or ECDSA key/);
});

test('the key of the serving certificate checks tokens beside the one that signs them, and is told once where it cannot', () => {
  const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string;
  const serving = ['--tls-cert-file=certificate', '--tls-private-key-file=own'];
  const flags = [...serving, '--service-account-signing-key-file=signing'];
  const signing = pemOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey);
  const { certificate, key: own } = exportAuthority(createAuthority('serving', 0));
  const { keys } = good(flags, { certificate, own, signing }).options.authentication.serviceAccounts;
  assert.deepEqual(
    keys.map(({ asymmetricKeyDetails }) => asymmetricKeyDetails?.namedCurve),
    ['prime256v1', 'secp384r1'],
  );
  const other = pemOf(generateKeyPairSync('ed25519').privateKey);
  assert.equal(bad(flags, { certificate, own: other, signing }).length, 1);
});

test('a certificate file needs its key, and a CA file needs a certificate', () => {
  assert.match(bad(['--tls-cert-file=c'], { c: '' }).join('\n'), /belong together/);
  assert.match(bad(['--client-ca-file=c'], { c: 'text' })[0] ?? '', /no certificate/);
  assert.match(bad(['--client-ca-file=missing'])[0] ?? '', /no such file/);
});

test('an admission plugin is on or off, not both', () => {
  const both = ['--enable-admission-plugins=NodeRestriction', '--disable-admission-plugins=NodeRestriction'];
  assert.equal(bad(both).length, 1);
  assert.match(bad(['--enable-admission-plugins=NodeRestrictoin'])[0] ?? '', /did you mean NodeRestriction/);
});

test('some controllers can be chosen', () => {
  const chosen = (...flags: string[]) => [...good(flags).options.controllers];
  const all = Object.keys(OPTIONAL_CONTROLLERS);
  assert.deepEqual(chosen(), all);
  for (const name of all) {
    const others = all.filter((one) => one !== name);
    assert.deepEqual(chosen(`--controllers=${name}`), [name]);
    assert.deepEqual(chosen(`--controllers=*,-${name}`), others);
    assert.deepEqual(chosen(`--controllers=-${name}`, '--controllers=*'), others);
  }
  assert.deepEqual(chosen('--controllers=*,-resourcequota,-pvc-protection,-pv-protection'), [
    'validatingadmissionpolicy-status-controller',
  ]);
  assert.deepEqual(chosen('--controllers='), []);
  assert.match(bad(['--controllers=-resourcequota-controler'])[0] ?? '', /did you mean resourcequota-controller\?$/);
});

test('mode AlwaysAllow refuses anonymous requests', () => {
  const { options, notes } = good(['--authorization-mode=AlwaysAllow']);
  assert.equal(options.authentication.anonymous.enabled, false);
  assert.equal(notes.length, 1);
});
