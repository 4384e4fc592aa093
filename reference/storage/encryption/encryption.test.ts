import assert from 'node:assert/strict';
import { createDecipheriv } from 'node:crypto';
import { describe, it } from 'node:test';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import fc from 'fast-check';
import type { CipherName, EncryptionProvider, EncryptionRule } from '../../contracts/serverOptions.ts';
import { Encryption } from './encryption.ts';

const KINDS: readonly CipherName[] = ['aesgcm', 'aescbc', 'secretbox'];
const PLAIN = Buffer.from('{"kind":"Secret"}');
const SECRET = '/core/secrets/default/a';

const key = (name: string, size = 32) => ({ name, secret: Buffer.alloc(size, name) });
const keyed = (kind: CipherName, ...names: string[]): EncryptionProvider => ({
  kind,
  keys: names.map((name) => key(name)),
});
const identity: EncryptionProvider = { kind: 'identity' };
const secrets = (...providers: EncryptionProvider[]): EncryptionRule[] => [
  { resources: [{ group: '', resource: 'secrets' }], providers },
];
const encryption = (rules: EncryptionRule[]) =>
  new Encryption(rules, (name) => `/registry${name.replace('/core', '')}`);
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

describe('encryption at rest', () => {
  for (const kind of KINDS) {
    it(`${kind}: gives back any bytes, marks them, and never writes them twice alike`, () => {
      const one = encryption(secrets(keyed(kind, 'k1')));
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 200 }), (plain) => {
          const kept = one.seal(SECRET, plain);
          assert.ok(text(kept).startsWith(`k8s:enc:${kind}:v1:k1:`));
          const opened = one.open(SECRET, kept);
          assert.deepEqual([...opened.plain], [...plain]);
          assert.equal(opened.stale, false);
          assert.notDeepEqual(kept, one.seal(SECRET, plain));
        }),
      );
    });
    it(`${kind}: the first key writes, all read, and what others wrote is stale`, () => {
      const old = encryption(secrets(keyed(kind, 'k1'))).seal(SECRET, PLAIN);
      const rotated = encryption(secrets(keyed(kind, 'k2', 'k1')));
      assert.deepEqual({ ...rotated.open(SECRET, old), plain: '' }, { plain: '', stale: true });
      assert.deepEqual(Buffer.from(rotated.open(SECRET, old).plain), PLAIN);
      assert.ok(text(rotated.seal(SECRET, PLAIN)).startsWith(`k8s:enc:${kind}:v1:k2:`));
    });
    it(`${kind}: says why when the key is gone, or another one of that name`, () => {
      const kept = encryption(secrets(keyed(kind, 'k1'))).seal(SECRET, PLAIN);
      assert.throws(() => encryption(secrets(keyed(kind, 'k2'))).open(SECRET, kept), /no matching key was found/);
      const other: EncryptionProvider = { kind, keys: [{ name: 'k1', secret: Buffer.alloc(32, 9) }] };
      assert.throws(() => encryption(secrets(other)).open(SECRET, kept), Error);
    });
    it(`${kind}: cut bytes are refused`, () => {
      const one = encryption(secrets(keyed(kind, 'k1')));
      const kept = one.seal(SECRET, PLAIN);
      const start = `k8s:enc:${kind}:v1:k1:`.length;
      for (const length of [start, start + 8, kept.length - 1]) {
        assert.throws(() => one.open(SECRET, kept.subarray(0, length)), Error, String(length));
      }
    });
  }
  it('two keys of one name are both tried', () => {
    const kept = encryption(secrets(keyed('aesgcm', 'k'))).seal(SECRET, PLAIN);
    const both: EncryptionProvider = { kind: 'aesgcm', keys: [{ name: 'k', secret: Buffer.alloc(32, 9) }, key('k')] };
    const opened = encryption(secrets(both)).open(SECRET, kept);
    assert.equal(opened.stale, true);
    assert.deepEqual(Buffer.from(opened.plain), PLAIN);
  });
  it('all sizes of AES keys work', () => {
    for (const kind of ['aesgcm', 'aescbc'] as const) {
      for (const size of [16, 24, 32]) {
        const one = encryption(secrets({ kind, keys: [key('k', size)] }));
        assert.deepEqual(Buffer.from(one.open(SECRET, one.seal(SECRET, PLAIN)).plain), PLAIN);
      }
    }
  });
  it('aesgcm binds an object to where it lies, as the service does', () => {
    const one = encryption(secrets(keyed('aesgcm', 'k1')));
    const kept = one.seal(SECRET, PLAIN);
    assert.throws(() => one.open('/core/secrets/default/b', kept), Error);
    const body = kept.subarray('k8s:enc:aesgcm:v1:k1:'.length);
    const cipher = createDecipheriv('aes-256-gcm', key('k1').secret, body.subarray(0, 12));
    cipher.setAAD(Buffer.from('/registry/secrets/default/a'));
    cipher.setAuthTag(body.subarray(-16));
    assert.deepEqual(Buffer.concat([cipher.update(body.subarray(12, -16)), cipher.final()]), PLAIN);
  });
  it('secretbox is the box of NaCl: its own example opens', () => {
    const secret = Buffer.from('1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389', 'hex');
    const nonce = Buffer.from('69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37', 'hex');
    const message = Buffer.from(
      'be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c61296cdc3c01233561f4' +
        '1db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd4924ca1c60902e52' +
        'f0a089bc76897040e082f937763848645e0705',
      'hex',
    );
    const box = Buffer.from(
      'f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186ac0dfc17c98dce87b' +
        '4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae90224368517acfeabd6bb3732bc0e9da' +
        '99832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74e355a5',
      'hex',
    );
    assert.deepEqual(Buffer.from(xsalsa20poly1305(secret, nonce).decrypt(box)), message);
    const kept = Buffer.concat([Buffer.from('k8s:enc:secretbox:v1:k:'), nonce, box]);
    const one = encryption(secrets({ kind: 'secretbox', keys: [{ name: 'k', secret }] }));
    assert.deepEqual(Buffer.from(one.open(SECRET, kept).plain), message);
  });
  it('identity first writes as it is and still reads what is encrypted, as stale', () => {
    const kept = encryption(secrets(keyed('secretbox', 'k1'))).seal(SECRET, PLAIN);
    const leaving = encryption(secrets(identity, keyed('secretbox', 'k1')));
    assert.equal(leaving.seal(SECRET, PLAIN), PLAIN);
    assert.deepEqual(leaving.open(SECRET, PLAIN), { plain: PLAIN, stale: false });
    assert.equal(leaving.open(SECRET, kept).stale, true);
    const entering = encryption(secrets(keyed('secretbox', 'k1'), identity));
    assert.deepEqual(entering.open(SECRET, PLAIN), { plain: PLAIN, stale: true });
  });
  it('without identity, what is not encrypted cannot be read', () => {
    assert.throws(() => encryption(secrets(keyed('aesgcm', 'k1'))).open(SECRET, PLAIN), /no matching prefix found/);
  });
  it('without any rule for it, what is encrypted is told from what is not', () => {
    const kept = encryption(secrets(keyed('aesgcm', 'k1'))).seal(SECRET, PLAIN);
    const none = encryption([]);
    assert.deepEqual(none.open(SECRET, PLAIN), { plain: PLAIN, stale: false });
    assert.throws(() => none.open(SECRET, kept), /identity transformer tried to read encrypted data/);
  });
  it('resources are named one by one, by group, or all together; what stands first hides what follows', () => {
    const rule = (group: string, resource: string, name: string): EncryptionRule => ({
      resources: [{ group, resource }],
      providers: [keyed('secretbox', name)],
    });
    const one = encryption([
      rule('', 'secrets', 'one'),
      rule('apps', '*', 'apps'),
      rule('apps', 'deployments', 'hidden'),
      rule('', '*', 'core'),
      rule('*', '*', 'all'),
      rule('example.com', 'widgets', 'hidden'),
    ]);
    const by = (name: string) => text(one.seal(name, PLAIN)).split(':')[4];
    assert.equal(by('/core/secrets/default/a'), 'one');
    assert.equal(by('/core/configmaps/default/a'), 'core');
    assert.equal(by('/apps/deployments/default/a'), 'apps');
    assert.equal(by('/batch/jobs/default/a'), 'all');
    assert.equal(by('/example.com/widgets/a'), 'all');
  });
  it('rules can be replaced', () => {
    const one = encryption(secrets(keyed('aesgcm', 'k1')));
    const kept = one.seal(SECRET, PLAIN);
    one.replace(secrets(keyed('aesgcm', 'k2')));
    assert.throws(() => one.open(SECRET, kept), /no matching key/);
    assert.ok(text(one.seal(SECRET, PLAIN)).includes(':k2:'));
  });
});
