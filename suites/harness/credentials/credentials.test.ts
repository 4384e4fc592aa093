import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { authority } from '../services/authority.ts';
import { Services } from '../services/services.ts';
import { ScriptedPlugin, V1 } from '../testing/scriptedPlugin.ts';
import { Credentials } from './credentials.ts';
import { readExecCredential } from './execCredential.ts';
import { type ExecPlugin, PluginFailed } from './execPlugin.ts';
import { readPlugin } from './readPlugin.ts';
import { runPlugin } from './runPlugin.ts';

const V1BETA1 = 'client.authentication.k8s.io/v1beta1';
const open: ScriptedPlugin[] = [];
function scripted(changes: Partial<ExecPlugin> = {}): ScriptedPlugin {
  const one = new ScriptedPlugin(changes);
  open.push(one);
  return one;
}
const services = new Services();
after(async () => {
  for (const one of open) one.remove();
  await services.close();
});
const written = (status: object, more: object = {}) =>
  JSON.stringify({ kind: 'ExecCredential', apiVersion: V1, status, ...more });
const fails = (message: RegExp) => (error: unknown) => error instanceof PluginFailed && message.test(error.message);
const pair = async (name: string) => {
  const { certificate, key } = await (await services.get(authority)).client(name);
  return { certificate: certificate ?? '', key: key ?? '' };
};

describe('what a plugin writes (EXEC-OBJECT-01, EXEC-STATUS-01, EXEC-STATUS-02)', () => {
  it('is taken in the version that is configured, v1 or v1beta1', async () => {
    for (const apiVersion of [V1, V1BETA1]) {
      const credential = await runPlugin(scripted({ apiVersion }).plugin, false);
      assert.deepEqual(credential, { token: 'first-token' });
    }
  });
  it('may be a token, a certificate with its key and what lies between it and its authority, or both', async () => {
    const { certificate, key } = await pair('ada');
    const chain = `${certificate}\n${(await services.get(authority)).pem}`;
    const status = { token: 't', clientCertificateData: chain, clientKeyData: key };
    assert.deepEqual(readExecCredential(written(status), V1), { token: 't', certificate: chain, key });
    const alone = { clientCertificateData: certificate, clientKeyData: key };
    assert.deepEqual(readExecCredential(written(alone), V1), { certificate, key });
  });
  it('may say until when it is good', () => {
    const status = { token: 't', expirationTimestamp: '2030-01-01T00:00:00Z' };
    assert.equal(readExecCredential(written(status), V1).expires, Date.UTC(2030, 0, 1));
  });
  it('is refused when it is something else, and the refusal holds nothing of it', async () => {
    const [ada, ben] = [await pair('ada'), await pair('ben')];
    const refusals: readonly (readonly [string, RegExp])[] = [
      ['no JSON: secret-token', /wrote no JSON/],
      [JSON.stringify({ kind: 'Secret', apiVersion: V1, status: { token: 'secret-token' } }), /no ExecCredential/],
      [written({ token: 'secret-token' }, { apiVersion: V1BETA1 }), /answered in .*v1beta1 where .*v1 is configured/],
      [written({ token: 'secret-token' }, { apiVersion: undefined }), /answered in no version/],
      [written({}, { status: undefined }), /has no status/],
      [written({}), /neither a token nor a certificate/],
      [written({ token: 'secret-token\nx' }), /cannot stand in a header/],
      [written({ token: 5 }), /token is no text/],
      [written({ clientCertificateData: ada.certificate }), /only of use together/],
      [written({ clientKeyData: ada.key, token: 'secret-token' }), /only of use together/],
      [written({ clientCertificateData: 'secret-token', clientKeyData: 'x' }), /no PEM/],
      [
        written({ clientCertificateData: ada.certificate, clientKeyData: ben.key }),
        /not that of the client certificate/,
      ],
      [written({ token: 'secret-token', expirationTimestamp: 'tomorrow' }), /no RFC 3339 time/],
    ];
    for (const [output, message] of refusals) {
      assert.throws(
        () => readExecCredential(output, V1),
        (error: unknown) =>
          fails(message)(error) && !/secret-token|PRIVATE/.test(error instanceof Error ? error.message : ''),
        output,
      );
    }
  });
});

describe('a plugin', () => {
  it('is told whether it may ask, and of the cluster where that is asked for (EXEC-INPUT-01)', async () => {
    const cluster = {
      server: 'https://server.example',
      'certificate-authority-data': 'Q0E=',
      config: { realm: 'corp' },
    };
    const one = scripted({ cluster, env: { REALM: 'corp' }, interactiveMode: 'IfAvailable' });
    await runPlugin({ ...one.plugin, args: [...one.plugin.args, '--login', 'a b'] }, false);
    const [call] = one.calls;
    assert.deepEqual(call?.args, ['--login', 'a b']);
    assert.equal(call?.env.REALM, 'corp');
    assert.deepEqual(JSON.parse(call?.env.KUBERNETES_EXEC_INFO ?? ''), {
      apiVersion: V1,
      kind: 'ExecCredential',
      spec: { interactive: false, cluster },
    });
  });
  it('is told by the word of its dialect, and nothing of a cluster that it need not know (EXEC-INPUT-01)', async () => {
    const one = scripted({ apiVersion: 'client.authentication.cluster.example/v1' });
    await runPlugin(one.plugin, false);
    assert.deepEqual(JSON.parse(one.calls[0]?.env.CLUSTER_EXEC_INFO ?? '').spec, { interactive: false });
  });
  it('that has to ask somebody is not run where nobody is', async () => {
    const one = scripted({ interactiveMode: 'Always' });
    await assert.rejects(runPlugin(one.plugin, false), fails(/nobody is there to be asked/));
    assert.deepEqual(one.calls, []);
  });
  it('that is not there is told with the hint how to install it', async () => {
    const gone = scripted({ command: '/no/such/plugin', installHint: 'Install it with the package manager.' }).plugin;
    await assert.rejects(runPlugin(gone, false), fails(/is not there\. Install it with the package manager\.$/));
  });
  it('that fails is told by its code, not by what it wrote', async () => {
    const one = scripted({ env: { EXIT_WITH: '3' } });
    await assert.rejects(runPlugin(one.plugin, false), fails(/ended with code 3\.$/));
  });
});

describe('credentials of a plugin', () => {
  const later = () => new Date(Date.now() + 3_600_000).toISOString();

  it('are used until they expire without another call, and not after (EXEC-CACHE-01)', async () => {
    const one = scripted().answers({ status: { token: 'a', expirationTimestamp: later() } });
    const credentials = new Credentials();
    const identity = { exec: one.plugin };
    for (let i = 0; i < 3; i++) assert.equal((await credentials.of(identity)).token, 'a');
    assert.equal(one.calls.length, 1);
    const past = scripted().answers({ status: { token: 'b', expirationTimestamp: '2020-01-01T00:00:00Z' } });
    for (let i = 0; i < 2; i++) assert.equal((await credentials.of({ exec: past.plugin })).token, 'b');
    assert.equal(past.calls.length, 2, 'each use asks again');
  });
  it('without an expiration are used until they are refused, then asked for anew (EXEC-CACHE-02)', async () => {
    const one = scripted().answers({ status: { token: 'a' } });
    const credentials = new Credentials();
    const identity = { exec: one.plugin };
    const first = await credentials.of(identity);
    assert.equal((await credentials.of(identity)).token, 'a');
    assert.equal(one.calls.length, 1);
    one.answers({ status: { token: 'b' } });
    assert.equal((await credentials.renewed(identity, first))?.token, 'b');
    assert.equal((await credentials.of(identity)).token, 'b');
    assert.equal(one.calls.length, 2);
    assert.equal((await credentials.renewed(identity, first))?.token, 'b', 'refused before the last call');
    assert.equal(one.calls.length, 2, 'one call does for all that were refused together');
  });
  it('that come again as they were refused are no newer ones', async () => {
    const one = scripted();
    const credentials = new Credentials();
    const identity = { exec: one.plugin };
    assert.equal(await credentials.renewed(identity, await credentials.of(identity)), undefined);
  });
  it('are asked for once by many at a time', async () => {
    const one = scripted();
    const credentials = new Credentials();
    await Promise.all(Array.from({ length: 5 }, () => credentials.of({ exec: one.plugin })));
    assert.equal(one.calls.length, 1);
  });
  it('that somebody got before us are used as well', async () => {
    const one = scripted();
    const given = { exec: one.plugin, token: 'given', expires: Date.now() + 60_000 };
    assert.equal((await new Credentials().of(given)).token, 'given');
    assert.equal(one.calls.length, 0);
    const over = { ...given, expires: Date.now() - 1 };
    assert.equal((await new Credentials().of(over)).token, 'first-token');
  });
});

describe('the exec part of a user', () => {
  const cluster = {
    source: {
      'tls-server-name': 'inner.example',
      extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { realm: 'corp' } }],
    },
    server: 'https://server.example',
    ca: 'PEM',
  };
  const exec = { apiVersion: V1, command: 'login', interactiveMode: 'Never' };
  const read = (more: object) => readPlugin({ ...exec, ...more }, '/home/ada/.kube/config', cluster);

  it('is read whole', () => {
    const whole = {
      args: ['--a'],
      env: [{ name: 'A', value: 'b' }],
      installHint: 'Get it.',
      provideClusterInfo: true,
    };
    assert.deepEqual(read(whole), {
      ...exec,
      args: ['--a'],
      env: { A: 'b' },
      installHint: 'Get it.',
      cluster: {
        server: 'https://server.example',
        'certificate-authority-data': 'UEVN',
        'tls-server-name': 'inner.example',
        config: { realm: 'corp' },
      },
    });
  });
  it('finds a command with a slash beside the file, and any other on the path', () => {
    assert.equal(read({ command: './bin/login' }).command, '/home/ada/.kube/bin/login');
    assert.equal(read({ command: '/usr/bin/login' }).command, '/usr/bin/login');
    assert.equal(read({}).command, 'login');
  });
  it('asks somebody who is there in v1beta1, and has to say so in v1', () => {
    assert.equal(read({ apiVersion: V1BETA1, interactiveMode: undefined }).interactiveMode, 'IfAvailable');
    assert.throws(() => read({ interactiveMode: undefined }), fails(/interactiveMode has to be one of/));
  });
  it('is refused when something in it is wrong', () => {
    for (const [faulty, message] of [
      [{ apiVersion: 'client.authentication.k8s.io/v1alpha1' }, /version v1 or v1beta1/],
      [{ apiVersion: undefined }, /version v1 or v1beta1/],
      [{ command: '' }, /command is missing/],
      [{ args: 'a' }, /args is no list/],
      [{ args: [5] }, /args\[0\] is no text/],
      [{ env: [{ value: 'b' }] }, /env\[0\] has no name/],
      [{ interactiveMode: 'Sometimes' }, /interactiveMode has to be one of/],
    ] as const)
      assert.throws(() => read(faulty), fails(message));
    assert.throws(() => readPlugin('login', '/c', cluster), fails(/no mapping/));
  });
});
