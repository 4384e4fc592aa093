import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { createAuthority, exportAuthority, issue, readAuthority } from './certificates.ts';

const NOW = Date.UTC(2025, 0, 1);

test('an issued client certificate names its subject and verifies against its authority alone', () => {
  const authority = createAuthority('first', NOW);
  const other = createAuthority('second', NOW);
  const issued = issue(authority, { commonName: 'jane', organizations: ['a', 'b'], usage: 'client' }, NOW);
  const certificate = new X509Certificate(issued.certificate);
  assert.equal(certificate.subject, 'O=a\nO=b\nCN=jane');
  assert.ok(certificate.verify(new X509Certificate(authority.pem).publicKey));
  assert.ok(!certificate.verify(new X509Certificate(other.pem).publicKey));
});

test('a server certificate carries its hosts', () => {
  const authority = createAuthority('ca', NOW);
  const issued = issue(authority, { commonName: 's', hosts: ['localhost', '127.0.0.1'], usage: 'server' }, NOW);
  const certificate = new X509Certificate(issued.certificate);
  assert.equal(certificate.checkHost('localhost'), 'localhost');
  assert.equal(certificate.checkIP('127.0.0.1'), '127.0.0.1');
  assert.equal(certificate.checkHost('elsewhere'), undefined);
});

test('an authority is one for certificates and an issued certificate is none, each for its own time', () => {
  const authority = createAuthority('ca', NOW);
  const issued = issue(authority, { commonName: 's', usage: 'server' }, NOW);
  const signer = new X509Certificate(authority.pem);
  const certificate = new X509Certificate(issued.certificate);
  assert.ok(signer.ca);
  assert.ok(!certificate.ca);
  assert.ok(certificate.checkIssued(signer));
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  assert.equal(Date.parse(signer.validFrom), NOW - 60_000);
  assert.equal(Date.parse(certificate.validTo), Date.UTC(2026, 0, 1));
});

test('an authority that was kept goes on issuing', () => {
  const authority = createAuthority('ca', NOW);
  const again = readAuthority(exportAuthority(authority));
  const issued = issue(again, { commonName: 's', usage: 'client' }, NOW);
  assert.equal(again.pem, authority.pem);
  const certificate = new X509Certificate(issued.certificate);
  const signer = new X509Certificate(authority.pem);
  assert.ok(certificate.checkIssued(signer));
  assert.ok(certificate.verify(signer.publicKey));
});
