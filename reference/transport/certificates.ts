import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto);

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const YEAR = 365 * 24 * 60 * 60 * 1000;

/** A certificate authority of one's own, with what it needs to sign. */
export interface Authority {
  readonly certificate: x509.X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
  /** The certificate as PEM. */
  readonly pem: string;
}
/** A certificate and its private key, both PEM. */
export interface Issued {
  readonly certificate: string;
  readonly key: string;
}
export interface IssueRequest {
  readonly commonName: string;
  /** Become groups of a client (2/methods). */
  readonly organizations?: readonly string[];
  /** DNS names and IP addresses of a server. */
  readonly hosts?: readonly string[];
  readonly usage: 'server' | 'client';
}

/**
 * Makes a self-signed authority.
 * @param now milliseconds since the epoch, on the clock by which peers will judge validity.
 */
export async function createAuthority(commonName: string, now: number): Promise<Authority> {
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [commonName] }],
    notBefore: new Date(now - 60_000),
    notAfter: new Date(now + 10 * YEAR),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate, keys, pem: certificate.toString('pem') };
}

/** An authority that {@link exportAuthority} wrote. Throws Error when it is none. */
export async function readAuthority({ certificate: pem, key }: Issued): Promise<Authority> {
  const certificate = new x509.X509Certificate(pem);
  const der = Buffer.from(key.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  const privateKey = await webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, true, ['sign']);
  const publicKey = await certificate.publicKey.export(ALGORITHM, ['verify']);
  return { certificate, keys: { privateKey, publicKey }, pem: certificate.toString('pem') };
}

export async function exportAuthority({ pem, keys }: Authority): Promise<Issued> {
  return { certificate: pem, key: await privateKeyPem(keys) };
}

/** Issues a certificate for a new key, valid one year from `now` (milliseconds since the epoch). */
export async function issue(authority: Authority, request: IssueRequest, now: number): Promise<Issued> {
  const keys = await generateKeys();
  const usage = request.usage === 'server' ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth;
  const certificate = await x509.X509CertificateGenerator.create({
    subject: [...(request.organizations ?? []).map((name) => ({ O: [name] })), { CN: [request.commonName] }],
    issuer: authority.certificate.subject,
    notBefore: new Date(now - 60_000),
    notAfter: new Date(now + YEAR),
    publicKey: keys.publicKey,
    signingKey: authority.keys.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([usage]),
      await x509.AuthorityKeyIdentifierExtension.create(authority.certificate.publicKey),
      ...(request.hosts ? [new x509.SubjectAlternativeNameExtension(request.hosts.map(alternativeName))] : []),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await privateKeyPem(keys) };
}

/** A key pair to sign service account tokens with; the private key as PEM. */
export async function createSigningKey(): Promise<string> {
  return privateKeyPem(await generateKeys());
}

const alternativeName = (host: string): x509.JsonGeneralName => ({ type: isIP(host) ? 'ip' : 'dns', value: host });

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;
}

async function privateKeyPem(keys: webcrypto.CryptoKeyPair): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const lines = der.toString('base64').match(/.{1,64}/g) as string[];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
}
