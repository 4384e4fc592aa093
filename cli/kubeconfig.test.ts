import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readContext } from './kubeconfig.ts';
import { UsageError } from './usageError.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-kubeconfig-'));
after(() => rmSync(folder, { recursive: true }));
const base64 = (text: string) => Buffer.from(text).toString('base64');

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
const CONFIG = `
apiVersion: v1
kind: Config
current-context: one
clusters:
  - name: c
    cluster: { server: 'https://server.example:6443/', certificate-authority-data: ${base64('CA')} }
  - name: files
    cluster: { server: https://server.example, certificate-authority: pki/ca.crt, insecure-skip-tls-verify: true }
users:
  - name: token
    user: { token: t0k }
  - name: certificate
    user: { client-certificate-data: ${base64('CERT')}, client-key-data: ${base64('KEY')} }
  - name: file
    user: { tokenFile: pki/token }
  - name: plugin
    user: { exec: { apiVersion: client.authentication.k8s.io/v1, command: bin/login, interactiveMode: Never, provideClusterInfo: true } }
  - name: faulty-plugin
    user: { exec: { apiVersion: client.authentication.k8s.io/v1, command: login } }
  - name: half
    user: { client-key-data: ${base64('KEY')} }
contexts:
  - { name: one, context: { cluster: c, user: token } }
  - { name: two, context: { cluster: c, user: certificate } }
  - { name: three, context: { cluster: files, user: file } }
  - { name: four, context: { cluster: c, user: plugin } }
  - { name: faulty, context: { cluster: c, user: faulty-plugin } }
  - { name: five, context: { cluster: c, user: half } }
  - { name: six, context: { cluster: gone, user: token } }
`;
const path = write('config', CONFIG);
mkdirSync(join(folder, 'pki'));
write('pki/ca.crt', 'CA-FILE');
write('pki/token', 'from-file\n');

describe('a kubeconfig', () => {
  it('gives the current context: server, authority and token', () => {
    const identity = { token: 't0k' };
    const expected = { name: 'one', base: 'https://server.example:6443', ca: 'CA', insecure: false, identity };
    assert.deepEqual(readContext(path), expected);
  });
  it('gives client certificates', () => {
    assert.deepEqual(readContext(path, 'two').identity, { certificate: 'CERT', key: 'KEY' });
  });
  it('gives the plugin that has the credentials, and what it may know of the cluster', () => {
    const { exec } = readContext(path, 'four').identity;
    assert.equal(exec?.command, join(folder, 'bin/login'));
    assert.deepEqual(exec?.cluster, {
      server: 'https://server.example:6443/',
      'certificate-authority-data': base64('CA'),
    });
  });
  it('takes files as relative to itself', () => {
    const context = readContext(path, 'three');
    assert.deepEqual([context.ca, context.insecure, context.identity], ['CA-FILE', true, { token: 'from-file' }]);
  });

  const refusals: readonly (readonly [string, string | undefined, RegExp])[] = [
    [path, 'tow', /has no context tow; it has one, two.*Did you mean two\?/],
    [path, 'faulty', /has a plugin that cannot be run: exec\.interactiveMode has to be one of/],
    [path, 'five', /only one of client certificate and key/],
    [path, 'six', /names a cluster that is not there/],
    [join(folder, 'missing'), undefined, /missing cannot be read: it does not exist\.$/],
    [folder, undefined, /cannot be read: it is a folder\.$/],
    [write('bad', 'a: ['), undefined, /is not YAML/],
    [write('list', '- a'), undefined, /is not a mapping/],
    [write('empty', 'kind: Config'), undefined, /has no current context/],
  ];
  for (const [file, context, message] of refusals) {
    it(`that is wrong is told in one sentence: ${message.source}`, () => {
      assert.throws(
        () => readContext(file, context),
        (error) => error instanceof UsageError && message.test(error.message) && !error.message.includes('\n'),
      );
    });
  }
});
