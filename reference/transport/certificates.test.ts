import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { createAuthority, issue } from './certificates.ts';

const NOW = Date.UTC(2025, 0, 1);

test('an issued client certificate names its subject and verifies against its authority alone', async () => {
  const authority = await createAuthority('first', NOW);
  const other = await createAuthority('second', NOW);
  const issued = await issue(authority, { commonName: 'jane', organizations: ['a', 'b'], usage: 'client' }, NOW);
  const certificate = new X509Certificate(issued.certificate);
  assert.equal(certificate.subject, 'O=a\nO=b\nCN=jane');
  assert.ok(certificate.verify(new X509Certificate(authority.pem).publicKey));
  assert.ok(!certificate.verify(new X509Certificate(other.pem).publicKey));
});

test('a server certificate carries its hosts', async () => {
  const authority = await createAuthority('ca', NOW);
  const issued = await issue(authority, { commonName: 's', hosts: ['localhost', '127.0.0.1'], usage: 'server' }, NOW);
  const certificate = new X509Certificate(issued.certificate);
  assert.equal(certificate.checkHost('localhost'), 'localhost');
  assert.equal(certificate.checkIP('127.0.0.1'), '127.0.0.1');
  assert.equal(certificate.checkHost('elsewhere'), undefined);
});
